#!/bin/sh
# abi.sh: the library says of its functions and their types what abi/asyncpool.abi says (abidiff).
set -eu
cd "$(dirname "$0")/../.."
command -v abidiff >/dev/null || { echo "abidiff is not installed (Debian: abigail-tools)"; exit 77; }
make --no-print-directory
exec tests_c/scripts/abi_golden.sh "$PWD" build/lib/libasyncpool.so

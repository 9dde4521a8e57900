#!/bin/sh
# same.sh CASE STOCK SHIM [LAUNCHER...]: two programs play a story, the second under a checker if there is one. Both end
# well, and say the same.
set -eu
story=$1 stock=$2 shim=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$stock" "$story" >"$folder/stock" || { echo "on libaprutil it failed: $?"; exit 1; }
"$@" "$shim" "$story" >"$folder/shim" || { echo "on asyncpool it failed: $?"; cat "$folder/shim"; exit 1; }
diff -u "$folder/stock" "$folder/shim"
cat "$folder/shim"

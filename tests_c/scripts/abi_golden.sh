#!/bin/sh
# abi_golden.sh ROOT LIBRARY [--write]: the library's debug information says of the exported functions and their types what
# abi/asyncpool.abi says. With --write that file is made anew, after a change that is meant (docs/abi.md).
#
# Of the library only what the public headers declare is looked at, and neither paths nor lines: the file is the same
# wherever it is made.
set -eu
[ $# -ge 2 ] || { echo "usage: abi_golden.sh ROOT LIBRARY [--write]" >&2; exit 2; }
golden=$1/abi/asyncpool.abi
headers=$1/include
library=$(realpath "$2")
command -v abidw >/dev/null && command -v abidiff >/dev/null ||
    { echo "abi_golden.sh: there is no abidw or no abidiff (Debian: abigail-tools)" >&2; exit 77; }
readelf -S "$library" | grep -q '\.debug_info' || { echo "abi_golden.sh: $library was stripped" >&2; exit 77; }

# Files are compared, not a file and a library: without lines abidiff cannot tell which types are those of the headers.
read_library() { # read_library OUT
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-architecture --no-elf-needed --type-id-style hash \
        --headers-dir "$headers" --drop-private-types --exported-interfaces-only --out-file "$1" "$library"
}
if [ "${3:-}" = --write ]; then
    read_library "$golden"
    exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read_library "$work/now.abi"
abidiff --harmless "$golden" "$work/now.abi" ||
    { echo "if that is meant: tests_c/scripts/abi_golden.sh . LIBRARY --write, and a sentence in CHANGELOG.md"; exit 1; }

# It would tell of a change: of a function, a parameter, a member, a number.
finds() {
    sed "$1" "$golden" >"$work/changed.abi"
    ! cmp -s "$golden" "$work/changed.abi" || { echo "$golden has nothing for $1"; exit 1; }
    ! abidiff --harmless "$work/changed.abi" "$work/now.abi" >"$work/log" 2>&1 || { echo "abidiff does not see $1"; exit 1; }
}
finds "s/'pool_idle_count'/'pool_idle_counts'/g"
finds "/<function-decl name='pool_acquire' /,/<\/function-decl>/{/name='timeout_ms'/d}"
finds "s/name='max_waiting'/name='min_waiting'/"
finds "s/name='POOL_ERR_DEADLOCK' value='-11'/name='POOL_ERR_DEADLOCK' value='-13'/"

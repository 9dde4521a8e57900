#!/bin/sh
# header_exports.sh HEADER SYMBOLS: the functions declared in HEADER are those exported. What diff
# shows with < is only declared, with > only exported.
set -eu

declared=$(mktemp)
trap 'rm -f "$declared"' EXIT
"$(dirname "$0")/declared.sh" "$1" >"$declared"
[ -s "$declared" ]
sed -n 's/^T \(.*\)@@.*/\1/p' "$2" | LC_ALL=C sort | diff "$declared" -

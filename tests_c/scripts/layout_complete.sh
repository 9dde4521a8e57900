#!/bin/sh
# layout_complete.sh HEADER GOLDEN: the golden file has a line for every member of every struct, and for
# every enum, that the header defines. What diff shows with < is only in the header. Ends with 77 without ctags.
set -eu
ctags --version 2>/dev/null | grep -q Universal || {
    echo 'no ctags to read the header with (Debian: universal-ctags)'
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Kind, the struct that it is in, name. What has no name of its own, as the unions in pool_s, is its member's.
ctags --language-force=C --kinds-C=sgm -x --_xformat='%K %Z %N' "$1" | awk '
    function type(tag) { sub(/_s$/, "", tag); return tag "_t" }
    /__anon/ { next }
    $1 == "member" { print type($2) "." $3; next }
    { print type($2) }' | LC_ALL=C sort >"$work/header"
[ -s "$work/header" ]
cut -d' ' -f1 "$2" | LC_ALL=C sort | diff "$work/header" -

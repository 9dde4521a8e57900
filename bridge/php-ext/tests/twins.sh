#!/bin/sh
# twins.sh: the files of the package over FFI and of the extension that do the same name each other in their first
# line, and the functions that both have stand in the same order.
set -eu
cd "$(dirname "$0")/../../.."
bad=0
complain() {
    echo "$1" >&2
    bad=1
}
in_php() {
    sed -n 's/^    .*function \([a-zA-Z]*\)(.*/\1/p' "$1" | sed 's/\([A-Z]\)/_\1/g' | tr '[:upper:]' '[:lower:]'
}
# Definitions, not prototypes; the prefixes are C's.
in_c() {
    sed -n '/^[a-z].*(.*[^;]$/s/^[^(]*[ *]\([a-z_]*\)(.*/\1/p' "$1" | sed 's/^asyncpool_\(op_\|store_\|options_\|maintenance_\|makers_\|stats_\)\{0,1\}//'
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pairs=0
for c in bridge/php-ext/*.c; do
    php=$(sed -n '1s,^/\* Twin: \(.*\)\. \*/$,\1,p' "$c")
    [ -n "$php" ] || continue
    pairs=$((pairs + 1))
    [ "$(sed -n '3s,^// Twin: \(.*\)\.$,\1,p' "$php")" = "$c" ] || complain "$php does not name $c"
    in_php "$php" >"$work/php"
    in_c "$c" >"$work/c"
    grep -Fxf "$work/c" "$work/php" >"$work/both_php" || true
    grep -Fxf "$work/php" "$work/c" >"$work/both_c" || true
    diff -u "$work/both_php" "$work/both_c" || complain "$php and $c have the same functions in another order"
    case $c in
    */driver.c | */operations.c | */teardown.c | */hooks.c) least=5 ;;
    */store.c) least=3 ;;
    *) least=0 ;;
    esac
    [ "$(wc -l <"$work/both_php")" -ge $least ] || complain "$php and $c have too little in common to be twins"
done
named=$(grep -l '^// Twin: ' bridge/php/src/Internal/*.php | wc -l)
[ "$pairs" -gt 0 ] && [ "$named" = "$pairs" ] || complain "$pairs files of the extension have a twin, $named of the package"
exit $bad

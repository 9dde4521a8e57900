#!/bin/sh
# Runs phpt files with PHP's own run-tests.php.
#
#     bridge/php/tests/run.sh MODE LIBRARY [PATH...]
#
# MODE is plain (no opcache), jit (opcache with its JIT compiler), ext or ext-jit (the same with the extension that
# EXTENSION=... names, in place of FFI; behind it may stand others), or one of them with "-revolt" behind it: in Revolt's
# event loop, whose package lies where ASYNCPOOL_REVOLT=... says, else in ../shared/revolt; a relative path is one from
# the repository's root. LIBRARY is the libasyncpool.so.1 to load. PATH is a phpt file or a folder of them, from here;
# without one all run. PHP=... names another php. CHECKER=... runs the tests under that checker of
# tests_c/checkers/under.sh, for which the library, or the extension, was built.
#
# They run in a copy, so that what run-tests.php writes beside a test that fails is not left here.
set -eu
[ $# -ge 2 ] || { echo "usage: run.sh MODE LIBRARY [PATH...]" >&2; exit 2; }
mode=$1
library=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
shift 2
cd "$(dirname "$0")/../../.."
root=$PWD
php=$(command -v "${PHP:-php}")
run_tests=$("$php" -r 'echo PHP_EXTENSION_DIR;')/build/run-tests.php
[ -f "$library" ] || { echo "run.sh: there is no $library" >&2; exit 2; }
[ -f "$run_tests" ] || { echo "run.sh: $run_tests is missing (Debian: php8.2-dev)" >&2; exit 2; }

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/bridge"
cp -R bridge/php "$copy/bridge/php"
# Each test of a server would start one for itself; this is for all of them.
case "${ASYNCPOOL_SERVERS:-} ${*:-.} " in
" "*" . "* | " "*" pdo "* | " "*" pdo/server_"*)
    ASYNCPOOL_SERVERS=$(bridge/php/tests/pdo/servers.sh up $$)
    export ASYNCPOOL_SERVERS
    trap 'rm -rf "$copy"; "$root/bridge/php/tests/pdo/servers.sh" down "$ASYNCPOOL_SERVERS"' EXIT
    ;;
esac
mkdir "$copy/bridge/php-ext"
cp -R bridge/php-ext/tests "$copy/bridge/php-ext/tests"
ln -s "$PWD/include" "$copy/include"
cd "$copy/bridge/php/tests"

export ASYNCPOOL_LIBRARY="$library"
# What shares a budget with PHP, as CMake builds it beside the library.
member=$(dirname "$library")/../tests_c/fleet_member
[ ! -x "$member" ] || export ASYNCPOOL_BUDGET_MEMBER="${ASYNCPOOL_BUDGET_MEMBER:-$member}"
export NO_INTERACTION=1
export ASYNCPOOL_TEST_LOOP=
case $mode in
*-revolt)
    ASYNCPOOL_TEST_LOOP=revolt
    ASYNCPOOL_REVOLT=$(cd "$root" && realpath -m "${ASYNCPOOL_REVOLT:-../shared/revolt}")
    export ASYNCPOOL_REVOLT
    [ -f "$ASYNCPOOL_REVOLT/src/EventLoop.php" ] ||
        { echo "SKIP there is no Revolt in $ASYNCPOOL_REVOLT: ASYNCPOOL_REVOLT=... names its folder"; exit 77; }
    ;;
esac
export INI=
case $mode in
ext*) # by an ini file of its own, so that the PHP processes which tests start have it, too
    INI=$copy/ini
    mkdir "$INI"
    for file in $EXTENSION; do
        echo "extension=$(cd "$root" && realpath "$file")"
    done >"$INI/asyncpool.ini"
    ;;
esac

if [ -n "${CHECKER:-}" ]; then
    # run-tests.php itself does without the extension, which may need the checker.
    export CHECKER PHP="$php" UNDER="$root/tests_c/checkers/under.sh" REPORTS="$copy/reports"
    mkdir "$REPORTS"
    export TEST_PHP_EXECUTABLE="$root/bridge/php/tests/checked_php.sh"
    set -- --set-timeout 3000 "${@:-.}"
else
    export TEST_PHP_EXECUTABLE="$php"
    if [ -n "$INI" ]; then
        export PHP_INI_SCAN_DIR=":$INI"
        "$php" -r 'exit(extension_loaded("asyncpool") ? 0 : 1);' ||
            { echo "run.sh: $EXTENSION is no extension that $php can load" >&2; exit 2; }
    fi
fi
case $mode in
plain* | ext | ext-revolt) opcache="-d opcache.enable_cli=0" ;;
jit* | ext-jit*) opcache="-d opcache.enable_cli=1 -d opcache.jit=tracing -d opcache.jit_buffer_size=64M
    -d opcache.jit_hot_func=2 -d opcache.jit_hot_loop=2 -d opcache.jit_hot_return=2" ;;
*) echo "run.sh: unknown mode: $mode" >&2; exit 2 ;;
esac

# What PCRE compiles reads past the end of a string where that cannot fault, which is an error to a checker.
[ -z "${CHECKER:-}" ] || opcache="$opcache -d pcre.jit=0"

code=0
# shellcheck disable=SC2086 # words
"$php" "$run_tests" -q --set-timeout 300 --no-color --show-diff $opcache "${@:-.}" >log 2>&1 || code=$?
passed=$(sed -n 's/^Tests passed *: *\([0-9]*\).*/\1/p' log)
skipped=$(sed -n 's/^Tests skipped *: *\([0-9]*\).*/\1/p' log)
# run-tests.php tries again where it thinks that a failure is a matter of time, and only warns then.
if [ $code -ne 0 ] || ! grep -q "^Tests warned *: *0 " log; then
    cat log
    [ $code -ne 0 ] || code=1
elif [ "${passed:-0}" -eq 0 ]; then
    # Nothing failed, but nothing passed either. 77 says to ctest: skipped.
    code=77
    [ "${skipped:-0}" -gt 0 ] || { cat log; code=1; }
fi
# Not every report is a finding: AddressSanitizer also tells of a jump between stacks.
if [ -n "${CHECKER:-}" ] && grep -qrE 'ERROR: |WARNING: Thread|runtime error: |^==[0-9]+== ' "$REPORTS"; then
    find "$REPORTS" -type f -size +0 | while read -r report; do
        echo "== $(basename "$(dirname "$report")")"
        cat "$report"
    done
    code=1
fi
grep "SKIP " log || true
echo "${passed:-0} passed, ${skipped:-0} skipped, exit code $code"
exit $code

#!/bin/sh
# The php that run-tests.php is given to test a library under a checker. It sets SCRIPT_FILENAME for a test, and
# not where it asks PHP for something itself; that runs as always, unless it needs the extension.
#
# PHP=..., UNDER=... (under.sh), CHECKER=... and INI=... (a folder of ini files, or nothing) come from run.sh. With
# LEAKS=all what PHP frees by itself at the end is left for the leak checker to find.
set -eu
[ -n "${SCRIPT_FILENAME:-}${INI:-}" ] || exec "$PHP" "$@"
[ -z "${INI:-}" ] || export PHP_INI_SCAN_DIR=":$INI"
# Each allocation of PHP is one of malloc(), which the checker watches; but counted and limited, and what a fatal
# error leaves behind is freed. Libraries stay where they are, so that the checker can name their functions.
export USE_ZEND_ALLOC=0 ZEND_DONT_UNLOAD_MODULES=1
[ "${LEAKS:-}" = all ] || export USE_TRACKED_ALLOC=1
# What is found stands under the name of the test.
if [ -n "${REPORTS:-}" ]; then
    REPORTS=$REPORTS/$(basename "${SCRIPT_FILENAME:-php}")
    mkdir -p "$REPORTS"
    export REPORTS
fi
exec "$UNDER" "$CHECKER" "$PHP" "$@"

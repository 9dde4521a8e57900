#!/bin/sh
# The php that run-tests.php is given to test a library under a checker. It sets SCRIPT_FILENAME for a test, and
# not where it asks PHP for something itself; that runs as always.
#
# PHP=..., UNDER=... (under.sh) and CHECKER=... come from run.sh.
set -eu
[ -n "${SCRIPT_FILENAME:-}" ] || exec "$PHP" "$@"
# Each allocation of PHP is one of malloc(), which the checker watches; but counted and limited, and what a fatal
# error leaves behind is freed. Libraries stay where they are, so that the checker can name their functions.
export USE_ZEND_ALLOC=0 USE_TRACKED_ALLOC=1 ZEND_DONT_UNLOAD_MODULES=1
exec "$UNDER" "$CHECKER" "$PHP" "$@"

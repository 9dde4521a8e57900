#!/bin/sh
# php-fpm with the extension: several workers, each recycled after a few requests; nothing hangs, nothing is left.
#
#     bridge/php-ext/tests/fpm/run.sh EXTENSION LIBRARY
set -eu
[ $# -eq 2 ] || { echo "usage: run.sh EXTENSION LIBRARY" >&2; exit 2; }
extension=$(realpath "$1")
library=$(realpath "$2")
cd "$(dirname "$0")"
fpm=$(command -v "${PHP_FPM:-php-fpm8.2}" || echo /usr/sbin/php-fpm8.2)
[ -x "$fpm" ] || { echo "run.sh: there is no php-fpm8.2 (Debian: php8.2-fpm)" >&2; exit 77; }
php=$(command -v "${PHP:-php}")

work=$(mktemp -d)
cat >"$work/fpm.conf" <<CONF
[global]
error_log = $work/log
pid = $work/pid
[www]
listen = $work/socket
user = $(id -un)
group = $(id -gn)
pm = static
pm.max_children = 4
pm.max_requests = 5
request_terminate_timeout = 0
clear_env = yes
php_admin_value[memory_limit] = 32M
CONF
as_root=
[ "$(id -u)" -ne 0 ] || as_root=--allow-to-run-as-root
unset ASYNCPOOL_LIBRARY # workers hear of the library by their ini file
# It goes into the background once it listens.
"$fpm" $as_root --fpm-config "$work/fpm.conf" -d extension="$extension" -d asyncpool.library="$library" \
    -d ffi.enable=1 -d display_errors=1 >"$work/out" 2>&1 || { cat "$work/out" "$work/log"; rm -rf "$work"; exit 1; }
master=$(cat "$work/pid")
trap 'kill -9 $master 2>/dev/null || true; rm -rf "$work"' EXIT

code=0
grep -q libasyncpool "/proc/$master/maps" && { echo "the master has loaded the library"; code=1; }
"$php" -n client.php "$work/socket" "$PWD/worker.php" "${REQUESTS:-200}" 6 || code=1
grep -q libasyncpool "/proc/$master/maps" && { echo "the master has loaded the library"; code=1; }

# All go when they are told to; a worker that hangs would keep the master.
kill -QUIT $master
timeout 300 tail --pid="$master" -f /dev/null || { echo "php-fpm does not end"; cat "$work/log"; exit 1; }
grep -E "exited on signal|SIGSEGV|SIGABRT" "$work/log" "$work/out" && code=1
exit $code

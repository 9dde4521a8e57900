#!/bin/sh
# php-fpm, set up as examples/php/fpm has it: several workers, each recycled after a few requests; nothing hangs, nothing
# is left, and the master has not loaded the library. After that, workers that say what is wrong: FFI that is not open to
# them; a preload script that makes a pool in the master, as an ordinary user (root's php-fpm has a process of its own for
# the script).
#
#     bridge/php/tests/fpm/run.sh extension|ffi|preload LIBRARY [EXTENSION]
set -eu
[ $# -ge 2 ] || { echo "usage: run.sh extension|ffi|preload LIBRARY [EXTENSION]" >&2; exit 2; }
way=$1
library=$(realpath "$2")
extension=${3:+$(realpath "$3")}
cd "$(dirname "$0")"
package=$(cd ../.. && pwd)
samples=$(cd ../../../../examples/php/fpm && pwd)
fpm=$(command -v "${PHP_FPM:-php-fpm8.2}" || echo /usr/sbin/php-fpm8.2)
[ -x "$fpm" ] || { echo "run.sh: there is no php-fpm8.2 (Debian: php8.2-fpm)" >&2; exit 77; }
php=$(command -v "${PHP:-php}")
module=FFI
[ "$way" != preload ] || module='Zend OPcache'
[ "$way" = extension ] || "$fpm" -m | grep -qx "$module" || { echo "run.sh: php-fpm8.2 has no $module" >&2; exit 77; }

work=$(mktemp -d)
master=
trap '[ -z "$master" ] || kill -9 "$master" 2>/dev/null || true; rm -rf "$work"' EXIT
as_root= as_user=
[ "$(id -u)" -ne 0 ] || as_root=--allow-to-run-as-root
unset ASYNCPOOL_LIBRARY # workers hear of the library by their pool, or by their ini file
mkdir "$work/ini"
cat >"$work/fpm.conf" <<CONF
[global]
error_log = $work/log
pid = $work/pid
include = $work/pool.conf
CONF

# sample FILE EXPRESSION...: the sample, but for what is different here; each sed expression has to find something.
sample() {
    file=$1
    shift
    cp "$samples/$file" "$work/sample"
    for expression; do
        sed "$expression" "$work/sample" >"$work/changed"
        ! cmp -s "$work/sample" "$work/changed" || { echo "$file has nothing for $expression"; exit 1; }
        mv "$work/changed" "$work/sample"
    done
    cat "$work/sample"
}
sample pool.conf "s|^user = .*|user = $(id -un)|" "s|^group = .*|group = $(id -gn)|" '/^listen\./d' \
    "s|^listen = .*|listen = $work/socket|" "s|= /.*/libasyncpool.so.1|= $library|" \
    's|^pm.max_requests = .*|pm.max_requests = 5|' >"$work/pool.conf"
echo 'php_admin_value[memory_limit] = 32M' >>"$work/pool.conf"
case $way in
extension)
    sample extension.ini "s|^extension = .*|extension = $extension|" "s|= /.*/libasyncpool.so.1|= $library|"
    echo 'ffi.enable = true' # by which the test asks the library what is left
    ;;
ffi) sample ffi.ini ;;
preload) sample preload.ini "s|/srv/.*/preload.php|$package/preload.php|" "s|^opcache.preload_user = .*|opcache.preload_user = $(id -un)|" ;;
*) echo "run.sh: unknown way: $way" >&2; exit 2 ;;
esac >"$work/ini/asyncpool.ini"

# It goes into the background once it listens.
start() {
    # shellcheck disable=SC2086 # words
    PHP_INI_SCAN_DIR=":$work/ini" $as_user "$fpm" $as_root --fpm-config "$work/fpm.conf" -d display_errors=1 >"$work/out" 2>&1 ||
        { cat "$work/out" "$work/log"; exit 1; }
    master=$(cat "$work/pid")
}
# All go when they are told to; a worker that hangs would keep the master.
stop() {
    kill -QUIT "$master"
    timeout 300 tail --pid="$master" -f /dev/null || { echo "php-fpm does not end"; cat "$work/log"; exit 1; }
    ! grep -E "exited on signal|SIGSEGV|SIGABRT" "$work/log" "$work/out" || code=1
}
untouched() { ! grep -q libasyncpool "/proc/$master/maps" || { echo "the master has loaded the library"; code=1; }; }

code=0
class=FFI
[ "$way" != extension ] || class=native
start
untouched
"$php" client.php "$work/socket" "$PWD/worker.php" "${REQUESTS:-200}" 6 $class || code=1
untouched
stop

# says TEXT: a worker's first pool comes to this.
says() {
    "$php" one_request.php "$work/socket" "$package/tests/fpm/first_pool.php" >"$work/said"
    cat "$work/said"
    grep -q "$1" "$work/said" || { echo "expected: $1"; code=1; }
}

if [ "$way" = ffi ]; then
    echo 'ffi.enable = preload' >"$work/ini/asyncpool.ini"
    start
    says '^Async\\AsyncException: .*; set ffi.enable=true in php.ini; or .* name .*/preload.php in opcache.preload; or '
    stop
fi

[ "$way" != ffi ] && "$fpm" -m | grep -qx 'Zend OPcache' || exit $code
if [ "$(id -u)" -eq 0 ]; then # with copies that everybody may read
    as_root= as_user="setpriv --reuid=nobody --regid=nogroup --clear-groups"
    mkdir "$work/copy"
    cp -R "$package" "$work/copy/php"
    cp "$library" "$work/copy/libasyncpool.so.1"
    [ -z "$extension" ] || cp "$extension" "$work/copy/asyncpool.so"
    sed -i -e "s|$package|$work/copy/php|" -e "s|$library|$work/copy/libasyncpool.so.1|" \
        -e "s|^extension = .*|extension = $work/copy/asyncpool.so|" -e '/^user/d' -e '/^group/d' \
        "$work"/ini/* "$work/pool.conf"
    package=$work/copy/php library=$work/copy/libasyncpool.so.1
    rm "$work/log" "$work/out"
    chown -R nobody "$work"
fi
cat >"$work/early.php" <<PHP
<?php
require '$package/preload.php';
(new Async\\Pool(fn() => 1))->acquire();
PHP
echo "opcache.enable = 1
opcache.preload = $work/early.php" >"$work/ini/early.ini"
export ASYNCPOOL_LIBRARY="$library" # the master's, which goes to no worker
start
grep -q libasyncpool "/proc/$master/maps" || { echo "the preload script has loaded no library into the master"; code=1; }
says '^Async\\PoolException: .* make the first pool in the child, not before .* in a preload script$'
stop
exit $code

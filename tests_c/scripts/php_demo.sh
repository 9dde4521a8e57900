#!/bin/sh
# php_demo.sh ROOT LIBRARY PHP [EXTENSION]: the PHP demos, over FFI or with the extension.
set -eu
cd "$1"
export ASYNCPOOL_LIBRARY="$2"
php=$3
"$php" -r 'exit(extension_loaded("redis") ? 0 : 1);' || { echo "php-redis is not there"; exit 77; }
command -v redis-server >/dev/null || { echo "redis-server is not there"; exit 77; }
# shellcheck disable=SC2086 # an option, or none
out=$("$php" ${4:+-d extension=$4} examples/php/redis.php 40) || { echo "$out"; exit 1; }
echo "$out"
binding=${4:+with the extension}
echo "$out" | grep -q "^${binding:-over FFI}, "
# shellcheck disable=SC2086
"$php" ${4:+-d extension=$4} examples/php/redis_streams.php
if "$php" -r 'exit(extension_loaded("pgsql") ? 0 : 1);' && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    "$php" ${4:+-d extension=$4} examples/php/postgres.php
else
    echo "left out: php-pgsql or PostgreSQL is not there"
fi

#!/bin/sh
# fleet_demo.sh FLEET WORKER...: the demo of a budget that processes share, with these programs, and no longer than it
# takes.
set -eu
command -v redis-server >/dev/null || { echo "redis-server is not there"; exit 77; }
case "$*" in
*.php*) php -r 'exit(extension_loaded("redis") ? 0 : 1);' || { echo "php-redis is not there"; exit 77; } ;;
esac
fleet=$1
shift
exec "$fleet" "$@" --quick

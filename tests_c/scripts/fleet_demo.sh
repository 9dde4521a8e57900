#!/bin/sh
# fleet_demo.sh FLEET WORKER...: the demo of a budget that processes share, with these programs, and no longer than it
# takes.
set -eu
command -v redis-server >/dev/null || { echo "redis-server is not there"; exit 77; }
fleet=$1
shift
exec "$fleet" "$@" --quick

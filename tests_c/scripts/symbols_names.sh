#!/bin/sh
# symbols_names.sh NM LIBRARY: only functions pool_* are exported, with the version ASYNCPOOL_1, and
# the version itself.
set -eu

symbols=$("$1" -D --defined-only "$2" | cut -d' ' -f2-)
[ -n "$symbols" ]
if echo "$symbols" | grep -vxE 'T pool_[a-z0-9_]+@@ASYNCPOOL_1|A ASYNCPOOL_1'; then
    echo "these should not be exported"
    exit 1
fi

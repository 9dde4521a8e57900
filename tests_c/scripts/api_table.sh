#!/bin/sh
# api_table.sh ROOT: every exported function is an entry of the table, is put into it by the library and by the PHP
# extension, and is called through it by pool_api.h, under its own name too; and what it answers without a table is
# tested. pool_api() makes the table, and pool_abi_version() is a field of it.
set -eu
cd "$1"
bad=0
missing() {
    echo "$1: not in $2" >&2
    bad=1
}
checked=0
# Its calls, each on a line of its own whatever the format is.
calls=$(tr -s '\n ' '  ' <include/asyncpool/pool_api.h | sed 's/POOL_API_CALL( */\nPOOL_API_CALL(/g')
for name in $(sed -n 's/^T pool_\(.*\)@@.*/\1/p' abi/symbols.txt); do
    case $name in api | abi_version) continue ;; esac
    sed -n '/^typedef struct pool_api {/,/^}/p' include/asyncpool/pool.h | grep -q "(\*$name)(" ||
        missing "$name" "pool_api_t"
    grep -q "^    \.$name = pool_$name,\$" bridge/api.c || missing "$name" "bridge/api.c"
    grep -q "^    \.$name = lazy_$name,\$" bridge/php-ext/table.c || missing "$name" "bridge/php-ext/table.c"
    echo "$calls" | grep -q "^POOL_API_CALL([^(]*, $name,\|static inline void pool_api_$name(" ||
        missing "pool_api_$name()" "pool_api.h"
    grep -q "^#define pool_$name pool_api_$name\$" include/asyncpool/pool_api.h ||
        missing "pool_$name" "the names of pool_api.h"
    grep -q "\\bpool_api_$name(" tests_c/handles/test_api_calls.c ||
        missing "pool_api_$name()" "tests_c/handles/test_api_calls.c"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] && [ "$bad" = 0 ]

#!/bin/sh
# Makes those files of the package for PHP that repeat what pool.h says, of pool_ffi.h, which is made of pool.h: classes of
# its numbers, and a copy, since the package is installed without the library's headers.
#
#     abi/php_numbers.sh [--check]
#
# --check changes nothing; it says which of the files are stale, and ends with 1 then.
set -eu
cd "$(dirname "$0")/.."
header=include/asyncpool/pool_ffi.h
classes=bridge/php/src/Internal
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# constants PREFIX NAME: what is called PREFIX... there, as constants called NAME...; values as they stand there.
constants() {
    sed -n "s/^ *$1\([A-Z_]*\) = \([-0-9][0-9 <]*\),\{0,1\}\$/    public const $2\1 = \2;/p"
}
# enum NAME: the lines of that enum.
enum() { sed -n "/^typedef enum $1 {/,/^}/p" "$header"; }

# class NAME TEXT: a class of the constants that it reads.
class() {
    found=$(cat)
    [ -n "$found" ] || { echo "php_numbers.sh: $header has nothing for $1" >&2; exit 1; }
    cat <<END >"$work/$1.php"
<?php

// Generated from pool.h by abi/php_numbers.sh: read pool.h instead.

declare(strict_types=1);

namespace Async\\Internal;

/**
 * $2
 */
final class $1
{
$found

    private function __construct()
    {
    }
}
END
}

{
    constants POOL_ABI_ '' <"$header"
    sed -n "s/^#define FFI_LIB \"\(.*\)\"\$/    public const FILE = '\1';/p" "$header"
} | class Abi \
    "The ABI that this package speaks, and the library's name: POOL_ABI_VERSION and the soname."
{
    enum pool_ask_kind | constants POOL_ASK_ ''
    echo
    constants POOL_ASKS_ WANT_ <"$header"
} | class Ask 'What the library wants done next: pool_ask_kind_t; and the bits of pool_config_t.asks.'
enum pool_status | sed 's/POOL_ERR_/POOL_/' | constants POOL_ '' |
    class Status 'The outcome of an operation: pool_status_t.'

cp "$header" "$work"

code=0
for made in "$work"/*; do
    if [ "${1:-}" = --check ]; then
        diff -u "$classes/$(basename "$made")" "$made" || code=1
    else
        cp "$made" "$classes"
    fi
done
exit $code

#!/bin/sh
# load_refused.sh HOST EXTENSION LIBRARY CC INCLUDE: each reason for which the library cannot be loaded is told in words,
# those that examples/extension/README.md has, and what they advise helps. A process that was forked is in the host itself,
# too few threads in tests_c/process/unlinked/limits.c.
set -eu
host=$1
extension=$2
library=$3
cc=$4
include=$5
readme=$(dirname "$0")/../../examples/extension/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# said WORDS: standard error has them, and so has the README.
said() {
    grep -qF -- "$1" "$work/said" || {
        echo "expected: $1" >&2
        echo "said: $(cat "$work/said")" >&2
        exit 1
    }
    grep -qF -- "$1" "$readme" || {
        echo "not in the README: $1" >&2
        exit 1
    }
}

# refused LIBRARY WORDS...: the host cannot load it, and says so; the words are parts of what it says.
refused() {
    file=$1
    shift
    code=0
    "$host" "$extension" "$file" >/dev/null 2>"$work/said" || code=$?
    [ "$code" = 3 ] || {
        echo "$file: the host ended with $code, expected 3, and said: $(cat "$work/said")" >&2
        exit 1
    }
    for words; do
        said "$words"
    done
}

# library NAME: of the code on standard input.
library() {
    "$cc" -shared -fPIC -I"$include" -x c - -o "$work/$1"
}

refused /nowhere/libasyncpool.so.1 '/nowhere/libasyncpool.so.1 cannot be opened: ' 'No such file or directory' \
    '(give the path of the file, or set LD_LIBRARY_PATH, or run ldconfig)'

there='(the file is there: is it readable, whole, for this processor, and not mounted noexec?)'
: >"$work/empty.so"
refused "$work/empty.so" ' cannot be opened: ' 'file too short' "$there"
cp "$library" "$work/other.so"
printf '\026' | dd of="$work/other.so" bs=1 seek=18 conv=notrunc 2>/dev/null # e_machine: S390
refused "$work/other.so" ' cannot be opened: ' "$there"

refused libm.so.6 'libm.so.6 is no asyncpool: it has no pool_api()'

library newer.so <<'CODE'
unsigned pool_abi_version(void) { return 2; }
const void *pool_api(unsigned version) { return version == 2 ? &pool_api : 0; }
CODE
refused "$work/newer.so" \
    ' is an asyncpool of ABI version 2, and this was compiled for version 1: one of the two has to be replaced'

library older.so <<'CODE'
#include <asyncpool/pool.h>
static const pool_api_t table = {.struct_size = offsetof(pool_api_t, op_drain), .abi_version = POOL_ABI_VERSION};
const pool_api_t *pool_api(uint32_t version) { return version == POOL_ABI_VERSION ? &table : 0; }
CODE
refused "$work/older.so" 'the library is older than this extension, which needs pool_op_drain()'

# As if other libraries had taken what there is.
export GLIBC_TUNABLES=glibc.rtld.nns=1:glibc.rtld.optional_static_tls=0
refused "$library" 'cannot allocate memory in static TLS block' \
    '(too much thread-local storage was loaded before it: load it earlier, or start the process with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096)'
export GLIBC_TUNABLES=glibc.rtld.nns=1:glibc.rtld.optional_static_tls=4096
"$host" "$extension" "$library" >"$work/out"
unset GLIBC_TUNABLES

GOMEMLIMIT=junk
export GOMEMLIMIT
refused "$library" ' is not loaded: GOMEMLIMIT is "junk", which the Go runtime cannot read, so that it ends the process: start the process without it, or with bytes (500000000), a unit (500MiB), or off'
export GOMEMLIMIT=500MiB
"$host" "$extension" "$library" >"$work/out"
unset GOMEMLIMIT

(
    ulimit -v 614400
    refused "$library" ' is not loaded: the limit of address space (RLIMIT_AS, ulimit -v) is 614400 KiB, ' \
        ' KiB are in use, and the Go runtime needs ' ' KiB more to start, or it ends the process: raise it to '
)

grep -F 'the library was loaded before fork(), and its threads are not in the child: load it in the child, at the first use, and not in the parent before' "$work/out" >"$work/said"
said "$(sed 's/.*told: //' "$work/said")"

# On another C library.
if command -v musl-gcc >/dev/null; then
    cat >"$work/other.c" <<'CODE'
#include <asyncpool/pool_api.h>
int main(int argc, char **argv)
{
    if (argc == 2 && pool_api_load(argv[1]) == POOL_ERR_UNAVAILABLE)
        fputs(pool_api_error(), stderr);
    return 0;
}
CODE
    musl-gcc -Wall -Wextra -Werror -I"$include" "$work/other.c" -o "$work/other"
    "$work/other" "$library" 2>"$work/said"
    said ' cannot be opened: '
    said '(it is built for glibc, and this program runs on another C library)'
else
    echo 'musl is left out: no musl-gcc (Debian: musl-tools)'
fi
echo 'each was told'

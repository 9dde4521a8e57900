#!/bin/sh
# no_warnings.sh ROOT COMPILER: no warning at -Wall -Wextra of that C compiler anywhere a user comes with it: the headers
# in a program of one's own, the README's programs, the examples, and the PHP extension. The library itself is built
# without one by gcc (every preset) and by clang (the fuzzer).
set -eu
root=$1
cc=$2
command -v "$cc" >/dev/null || { echo "there is no $cc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
files=0

# quiet FILE [OPTION...]
quiet() {
    "$cc" -O2 -Wall -Wextra -Werror -Iinclude -pthread -c -o "$work/object" "$@"
    files=$((files + 1))
}

# there PACKAGE...: does pkg-config know them?
there() { pkg-config --exists "$@" 2>/dev/null; }

for header in include/asyncpool/*.h; do
    case $header in
    */pool_ffi.h) continue ;; # is for PHP, which declares what it needs itself
    */uv.h) there libuv || continue ;;
    */redis_budget_member.h | */redis_budget_metrics.h | */redis_budget_script.h | */redis_budget_wire.h) continue ;; # are parts of redis_budget.h
    */redis_budget.h) there hiredis || continue ;;
    esac
    echo "#include \"$root/$header\"" >"$work/user.c"
    quiet "$work/user.c" -std=gnu11
    case $header in */pool.h | */pool_api.h) quiet "$work/user.c" -std=c99 -pedantic ;; esac
done

awk -v work="$work" '
    /^```/ { block = !block; if (block && $0 == "```c") file = work "/block" ++n ".c"; else file = "" }
    !/^```/ && file { print > file }' README.md
for file in $(grep -lsE 'int main\(' "$work"/block*.c); do
    quiet "$file" -std=gnu11
done

packages=
for package in sqlite3 hiredis libpq libuv apr-1; do
    ! there $package || packages="$packages $(pkg-config --cflags $package)"
done
for file in examples/*.c examples/postgres/*.c examples/fleet/*.c examples/extension/*.c examples/apr/*.c; do
    # shellcheck disable=SC2086 # words
    if "$cc" -E -Iinclude $packages "$file" >/dev/null 2>&1; then # else a package that it needs is not there
        quiet "$file" -std=gnu11 $packages
    fi
done

# Every function that PHP calls has the same parameters, used or not: config.m4 says so to the compiler. PHP's own headers
# are PHP's.
if php=$(php-config --includes 2>/dev/null); then
    echo '#define COMPILE_DL_ASYNCPOOL 1' >"$work/config.h"
    for file in bridge/php-ext/*.c; do
        # shellcheck disable=SC2046 # words
        quiet "$file" -std=gnu11 -Wno-unused-parameter -I"$work" -Ibridge/php-ext $(echo "$php" | sed 's/-I/-isystem /g')
    done
fi
echo "$cc: $files compilations without a warning"

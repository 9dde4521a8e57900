#!/bin/sh
# outside_valgrind.sh ROOT PREFIX LIBDIR WORK: the README's program, built with what is installed, under plain valgrind
# with the command that docs/embedding.md names: valgrind prints nothing.
set -eu
root=$1
prefix=$2
libdir=$3
work=$4
command -v valgrind >/dev/null || { echo "there is no valgrind"; exit 77; }

rm -rf "$work"
mkdir -p "$work"
awk -v work="$work" '
    /^```/ { block = !block; if (block && $0 == "```c") file = work "/block" ++n ".c"; else file = "" }
    !/^```/ && file { print > file }' "$root/README.md"
awk '/^```/ { block = !block } block && /valgrind/ { on = 1 } /^```/ { on = 0 } on' "$root/docs/embedding.md" |
    sed "s|/usr/local|$prefix|" >"$work/command"
grep -q "$prefix/share/asyncpool/valgrind.supp" "$work/command"

export PKG_CONFIG_LIBDIR="$prefix/$libdir/pkgconfig" LD_LIBRARY_PATH="$prefix/$libdir"
cd "$work"
for file in $(grep -lsE 'int main\(' block*.c); do
    # shellcheck disable=SC2046 # flags are words
    cc -g "$file" -o program $(pkg-config --cflags --libs asyncpool)
    ./program >expected
    sh ./command >out 2>err
    diff expected out
    [ ! -s err ] || { cat err; exit 1; }
    echo "$file: nothing"
done
[ -s expected ]

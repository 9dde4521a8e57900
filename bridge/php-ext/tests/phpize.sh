#!/bin/sh
# phpize, configure, make and make install, as one who has the extension's folder does it: beside an installed library,
# which pkg-config knows, and in a checkout. What was installed is loaded and lends.
#
#     bridge/php-ext/tests/phpize.sh PREFIX LIBDIR
#
# PREFIX is where the library is installed.
set -eu
[ $# -eq 2 ] || { echo "usage: phpize.sh PREFIX LIBDIR" >&2; exit 2; }
prefix=$(realpath "$1")
libdir=$2
php=$(command -v "${PHP:-php}")
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

copy() { # copy FOLDER: what of the extension is given away
    mkdir -p "$1"
    for file in "$root"/bridge/php-ext/*; do
        case ${file##*/} in
        config.h) ;;
        *.c | *.h | *.php | config.m4 | README.md) cp "$file" "$1" ;;
        esac
    done
}
quietly() { "$@" >"$work/log" 2>&1 || { echo "failed: $*"; tail -n 40 "$work/log"; exit 1; }; }
finds() { # finds FOLDER: configure has found the headers there
    grep -q "^checking for asyncpool/pool.h\.\.\. $1\$" "$work/log" && return
    echo "configure has not found the headers in $1:"
    grep "asyncpool" "$work/log"
    exit 1
}

# Out of a copied folder, beside an installed library.
copy "$work/copy"
cd "$work/copy"
quietly phpize
if PKG_CONFIG=false ./configure >"$work/log" 2>&1; then
    finds "/usr.*/include" # an asyncpool of the system
elif ! grep -q "missing: install the library (make install), or name their folder" "$work/log"; then
    echo "configure does not say what is missing"
    tail "$work/log"
    exit 1
fi
quietly env PKG_CONFIG=false ./configure --with-asyncpool-include="$prefix/include"
finds "$prefix/include"
quietly env PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig" ./configure
finds "$(pkg-config --variable=includedir "$prefix/$libdir/pkgconfig/asyncpool.pc")"
quietly make -j2
quietly make install INSTALL_ROOT="$work/root"

extension=$work/root$("$php" -r 'echo PHP_EXTENSION_DIR;')/asyncpool.so
[ -f "$extension" ] || { echo "make install did not install $extension"; find "$work/root"; exit 1; }
[ -n "$(find "$work/root" -path '*/ext/asyncpool/php_asyncpool.h')" ] || { echo "php_asyncpool.h is missing"; exit 1; }
unset ASYNCPOOL_LIBRARY
said=$("$php" -d extension="$extension" -d asyncpool.library="$prefix/$libdir/libasyncpool.so.1" -r '
    $pool = new Async\Pool(fn() => "lent");
    echo $pool->acquire(), " by a class that is ", (new ReflectionClass($pool))->isInternal() ? "native" : "none";')
echo "$said"
[ "$said" = "lent by a class that is native" ]

# In a checkout, which goes first.
copy "$work/checkout/bridge/php-ext"
ln -s "$root/include" "$work/checkout/include"
cd "$work/checkout/bridge/php-ext"
quietly phpize
quietly env PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig" ./configure
finds "$work/checkout/bridge/php-ext/../../include"

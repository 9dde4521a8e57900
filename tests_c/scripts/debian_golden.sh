#!/bin/sh
# debian_golden.sh ROOT WORK: the packaging knows the version and the functions that the library has.
#
# libasyncpool1.symbols also says which version has brought each function, so it is kept by hand.
set -eu
cd "$1"
version=$(sed -n 's/^#define POOL_VERSION "\(.*\)"$/\1/p' include/asyncpool/pool.h)
packaged=$(sed -n '1s/^asyncpool (\(.*\)-[^-]*) .*/\1/p' abi/debian/changelog)
[ "$packaged" = "$version" ] || { echo "abi/debian/changelog begins with $packaged, the header says $version"; exit 1; }

# Each name with its version, as dpkg-gensymbols writes them.
sed -n 's/^[AT] \(ASYNCPOOL_[0-9]*\)$/\1@\1/p; s/^T \(.*\)@@\(.*\)$/\1@\2/p' abi/symbols.txt >"$2"
[ -s "$2" ]
sed -n 's/^ \([^ ]*\) [0-9.]*$/\1/p' abi/debian/libasyncpool1.symbols | diff "$2" - || {
    echo "abi/debian/libasyncpool1.symbols: a line for each that is only on the left, with $version behind it"
    exit 1
}

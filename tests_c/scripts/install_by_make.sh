#!/bin/sh
# install_by_make.sh ROOT BUILD VERSION LIBDIR PREFIX: `make install`, staged as packagers do it: all
# goes below DESTDIR, nothing to where PREFIX says it will be in the end. Then moved to PREFIX.
set -eu
root=$1
version=$3
libdir=$4
prefix=$5

rm -rf "$prefix" "$prefix.stage" "$prefix.target"
make -C "$root" install PREFIX="$prefix.target" DESTDIR="$prefix.stage"
[ ! -e "$prefix.target" ]
mv "$prefix.stage$prefix.target" "$prefix"
"$(dirname "$0")/installed_files.sh" "$prefix" "$version" "$libdir" "$root/build/docs" "$root/build/lib"

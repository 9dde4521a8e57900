#!/bin/sh
# install_by_cmake.sh ROOT BUILD VERSION LIBDIR PREFIX: `cmake --install`, into a folder that is then
# moved to PREFIX: nothing may remember where it was.
set -eu
build=$2
version=$3
libdir=$4
prefix=$5

rm -rf "$prefix" "$prefix.before"
cmake --install "$build" --prefix "$prefix.before"
mv "$prefix.before" "$prefix"
"$(dirname "$0")/installed_files.sh" "$prefix" "$version" "$libdir" "$build/docs"

#!/bin/sh
# outside_find_package.sh SOURCE PREFIX LIBDIR WORK: builds and runs the outside program by
# find_package(asyncpool).
set -eu
source=$1
prefix=$2
work=$4

rm -rf "$work"
cmake -S "$source" -B "$work" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$work"
"$work/outside"
# It was this installation, not one that the machine happens to have.
ldd "$work/outside" | grep -F "=> $prefix/"

#!/bin/sh
# outside_pkg_config.sh SOURCE PREFIX LIBDIR WORK: builds and runs the outside program by pkg-config.
set -eu
source=$1
prefix=$2
libdir=$3
work=$4

rm -rf "$work"
mkdir -p "$work"
export PKG_CONFIG_LIBDIR="$prefix/$libdir/pkgconfig"
version=$(sed -n 's/^#define POOL_VERSION "\(.*\)"$/\1/p' "$prefix/include/asyncpool/pool.h")
[ "$(pkg-config --modversion asyncpool)" = "$version" ]
# shellcheck disable=SC2046 # flags are words
cc "$source/outside.c" -o "$work/outside" $(pkg-config --cflags --libs asyncpool)
LD_LIBRARY_PATH="$prefix/$libdir" "$work/outside"

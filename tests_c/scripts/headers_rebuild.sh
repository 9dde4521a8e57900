#!/bin/sh
# headers_rebuild.sh ROOT: after a change of a public header alone abi/build.sh compiles what includes it, though Go's
# cache has objects of the package, which lies in another folder.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
cp -R go.mod go.sum abi bridge include pool "$work"
cd "$work"
rm -rf bridge/php bridge/php-ext
abi/build.sh out
# Inside of what guards the header from being read twice, whose end is the last line.
changed='static const char ap_header_was_changed[] __attribute__((used)) = "the header was changed";'
sed -i "\$i $changed" include/asyncpool/pool.h
abi/build.sh out
grep -q "the header was changed" out/libasyncpool.so

#!/bin/sh
# Makes the Debian packages, and the source package, of the archive that abi/dist.sh has made.
#
#     abi/deb.sh ARCHIVE OUT
#
# OUT is made anew. The packaging is abi/debian of the archive; Debian's tools want it in debian/.
set -eu
[ $# -eq 2 ] || { echo "usage: abi/deb.sh ARCHIVE OUT" >&2; exit 2; }
archive=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
out=$(cd "$2" && pwd)

name=$(basename "$archive" .tar.xz)
cp "$archive" "$out/$(echo "$name" | tr - _).orig.tar.xz"
tar -xf "$archive" -C "$out"
cp -r "$out/$name/abi/debian" "$out/$name/debian"

# control asks for Debian's package of a Go that is new enough. Debian 12 has none, so the profile takes that line away,
# and that line alone: the go of PATH is used, whoever has installed it. Its cache is the caller's, since debhelper hides
# the caller's home.
cd "$out/$name"
GOCACHE=$(go env GOCACHE)
export GOCACHE DEB_BUILD_PROFILES="${DEB_BUILD_PROFILES:-} pkg.asyncpool.go-of-path"
echo "asyncpool: building the packages; $out/build.log has what it says"
dpkg-buildpackage --no-sign >"$out/build.log" 2>&1 || {
    tail -n 40 "$out/build.log" >&2
    exit 1
}
rm -rf "${out:?}/$name"
ls "$out"/*.deb

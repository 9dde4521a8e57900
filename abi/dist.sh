#!/bin/sh
# Makes the archive of a release, of what is committed: OUT/asyncpool-X.Y.Z.tar.xz (X.Y.Z is POOL_VERSION of the header).
#
#     abi/dist.sh OUT
#
# vendor/ in it has the modules that the library and its Go tests import, so that it is built without a network: Go takes
# them by itself where that folder is. The modules bench, tests_go/linear and tests_go/metrics fetch theirs.
# The same commit gives the same archive. Where there is no repository, as in an unpacked archive, it is made of all
# files but build/.
set -eu
[ $# -eq 1 ] || { echo "usage: abi/dist.sh OUT" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

version=$(sed -n 's/^#define POOL_VERSION "\(.*\)"$/\1/p' include/asyncpool/pool.h)
name=asyncpool-$version
temporary=$(mktemp -d "$out/dist.XXXXXX")
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' INT TERM
mkdir "$temporary/$name"

if [ -e .git ]; then
    [ -z "$(git status --porcelain)" ] || echo "asyncpool: the archive has what is committed, not what you have changed since" >&2
    git archive HEAD | tar -x -C "$temporary/$name"
    time=$(git log -1 --format=%ct)
else
    tar -c --exclude=./build . | tar -x -C "$temporary/$name"
    time=$(stat -c %Y include/asyncpool/pool.h)
fi
[ -f "$temporary/$name/vendor/modules.txt" ] || GOWORK=off GOFLAGS= go -C "$temporary/$name" mod vendor

# Neither who makes it nor when is in it.
tar -c -C "$temporary" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --format=gnu "$name" | xz -6 >"$temporary/$name.tar.xz"
mv "$temporary/$name.tar.xz" "$out"
echo "$out/$name.tar.xz"

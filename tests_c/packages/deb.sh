#!/bin/bash
# deb.sh: the archive of a release and the Debian packages of it, from the commit to a system that has had them.
#
#   - the archive is the same each time, and is built without a network;
#   - so are the packages, and lintian finds neither errors nor warnings;
#   - in a fresh Debian 12 they are installed, abi/debian/tests run (autopkgtest), and after a purge no file is left and
#     none has changed (piuparts).
#
# The fresh system is made by debootstrap once, and kept in build/packages. What else is needed comes from MIRROR.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ "$(id -u)" -eq 0 ] || { echo "a fresh system is made by root: run it as root"; exit 77; }
unshare --mount --net --pid --fork true || { echo "it needs namespaces of its own (unshare), which are refused here"; exit 77; }

mirror=${MIRROR:-http://deb.debian.org/debian}
kept=$PWD/build/packages
mkdir -p "$kept"
work=$(mktemp -d "$kept/run.XXXXXX")
inside=
# What is mounted, and who runs, is in the namespaces of one process: with it all of it goes. unshare ignores other signals.
trap '[ -z "$inside" ] || kill -KILL "$inside" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { echo "[$(date +%T)] $*"; }

quietly() { # LOG COMMAND...
    local log=$work/$1.log
    shift
    "$@" >"$log" 2>&1 || { tail -n 60 "$log"; echo "FAILED: $*"; exit 1; }
}

apart() { # COMMAND...: in namespaces of its own
    unshare --mount --pid --fork --kill-child "$@" &
    inside=$!
    local code=0
    wait "$inside" || code=$?
    inside=
    return $code
}

say "the archive"
quietly dist make --no-print-directory dist # which may be called by make itself
archive=$(tail -n 1 "$work/dist.log")
quietly again abi/dist.sh "$work"
cmp "$archive" "$work/$(basename "$archive")"

say "the archive is built without a network, and without modules of this machine"
tar -xf "$archive" -C "$work"
tree=$work/$(basename "$archive" .tar.xz)
mkdir "$work/no-modules"
offline=(unshare --net env GOMODCACHE="$work/no-modules" GOPROXY=off)
quietly make "${offline[@]}" make -C "$tree"
cc -I"$tree/include" tests_c/outside/outside.c -o "$work/outside" -L"$tree/build/lib" -lasyncpool
LD_LIBRARY_PATH=$tree/build/lib "$work/outside"

say "the packages, without a network"
make -s need-deb
"${offline[@]}" abi/deb.sh "$archive" build/deb
[ -z "$(ls -A "$work/no-modules")" ]

say "lintian"
lintian --allow-root --pedantic --display-info --fail-on error,warning build/deb/*.changes

base=$kept/bookworm.tar.gz
if [ ! -f "$base" ]; then
    say "a fresh Debian 12 from $mirror, which is kept in $base"
    quietly debootstrap apart debootstrap --variant=minbase bookworm "$work/base" "$mirror"
    echo "deb $mirror-security bookworm-security main" >>"$work/base/etc/apt/sources.list"
    tar -c --numeric-owner -C "$work/base" . | gzip -1 >"$base.part"
    mv "$base.part" "$base"
    rm -rf "$work/base"
fi
mkdir "$work/system"
tar -xz --numeric-owner -C "$work/system" -f "$base"

say "autopkgtest: installs them there, and tries them"
cp -r "$tree/abi/debian" "$tree/debian"
rm -rf "$tree/build"
code=0
apart sh -c 'mount -t proc proc "$0/proc" && cp /etc/resolv.conf "$0/etc" && exec "$@"' "$work/system" \
    autopkgtest --output-dir="$work/tried" --no-built-binaries --apt-upgrade build/deb/*.deb "$tree/" -- chroot "$work/system" \
    >"$work/autopkgtest.log" 2>&1 || code=$?
[ $code -eq 0 ] || { tail -n 60 "$work/autopkgtest.log"; exit 1; }
cat "$work/tried/summary"

say "piuparts: installs, removes and purges them in another one; nothing is left"
debs=()
for deb in build/deb/*.deb; do
    case $deb in *-dbgsym_*) ;; *) debs+=("$deb") ;; esac
done
quietly piuparts apart piuparts --basetgz="$base" --distribution=bookworm --mirror="$mirror" --keep-sources-list \
    --no-eatmydata --no-upgrade-test --pedantic-purge-test --tmpdir="$work" "${debs[@]}"
grep 'PASS' "$work/piuparts.log"
say "done"

#!/bin/sh
# Builds the extension with phpize, outside of the source.
#
#     bridge/php-ext/build.sh OUT [loaded|linked|asan|cover]
#
# Leaves OUT/asyncpool.so. loaded (the default) loads libasyncpool at the first use; linked links with the one in
# build/lib, or in LINK=...; asan is loaded, with AddressSanitizer; cover is loaded, and counts which lines are reached,
# beside the objects in OUT/asyncpool. CONFIGURE=... gives options to configure, PHPIZE=... is the phpize of another PHP,
# and what is in CFLAGS comes after the script's own.
# SOURCE=tests/fakedb builds that extension in place of this one.
set -eu
[ $# -ge 1 ] || { echo "usage: build.sh OUT [loaded|linked|asan|cover]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
source=${SOURCE:-.}
name=$(sed -n 's/^PHP_ARG_ENABLE(\[\([a-z]*\)\].*/\1/p' "$source/config.m4" | head -n 1)
include=$root/include
[ "$name" = asyncpool ] || include=$include:$root/bridge/php-ext
options="--enable-$name --with-asyncpool-include=$include ${CONFIGURE:-}"
flags="-O2 -g"
case ${2:-loaded} in
loaded) ;;
linked) options="$options --with-asyncpool-link=${LINK:-$root/build/lib}" ;;
asan) flags="-O1 -g -fno-omit-frame-pointer -fsanitize=address" ;;
cover) flags="-O0 -g --coverage" ;;
*) echo "build.sh: unknown way: $2" >&2; exit 2 ;;
esac

work=$out/$name
mkdir -p "$work"
for file in "$source"/*.c "$source"/*.h "$source/config.m4"; do # make looks at the times
    [ "$(basename "$file")" != config.h ] || continue # of a build in the source
    cmp -s "$file" "$work/$(basename "$file")" || cp "$file" "$work"
done
cd "$work"
{
    if [ ! -f Makefile ] || [ config.m4 -nt Makefile ]; then
        "${PHPIZE:-phpize}"
        # shellcheck disable=SC2086 # words
        ./configure $options CFLAGS="$flags ${CFLAGS:-}"
    fi
    make -j2
} >build.log 2>&1 || { tail -n 40 build.log >&2; exit 1; }
cp "modules/$name.so" "$out/$name.so"

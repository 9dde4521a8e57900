#!/bin/sh
# Makes the reference of the public headers: HTML in OUT/reference, and in OUT/man/man3 the man pages, of which the names that
# begin with pool_ are kept. doxygen makes one for each member of a struct and each macro, too. A warning is an error.
#
#     docs/reference/build.sh OUT
set -eu
mkdir -p "$1"
ASYNCPOOL_DOCS=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
ASYNCPOOL_VERSION=$(sed -n 's/^#define POOL_VERSION "\(.*\)"$/\1/p' include/asyncpool/pool.h)
export ASYNCPOOL_DOCS ASYNCPOOL_VERSION
rm -rf "$ASYNCPOOL_DOCS/reference" "$ASYNCPOOL_DOCS/man"
doxygen docs/reference/Doxyfile
cd "$ASYNCPOOL_DOCS/man/man3"
find . -type f \( ! -name 'pool_*.3' -o -name '*.h.3' \) -delete
for page in $(grep -ls '^\.so man3/.*\.h\.3$' *.3); do # a type without members may be sent there
    rm "$page"
done
# A struct whose type has another name than its tag has the page of the tag: give the type one.
for page in *_s.3; do
    type=$(sed -n 's/^\.TH "\([a-z0-9_]*\)".*/\1/p' "$page")
    [ -z "$type" ] || [ -e "$type.3" ] || echo ".so man3/$page" >"$type.3"
done

#!/bin/sh
# Makes the site in OUT/html, and the man pages in OUT/man/man3. Pages are all Markdown files of the tree, at the places where
# they lie, with the pictures of the bench; the reference of the headers is doxygen's, in OUT/html/reference.
#
#     docs/site/build.sh OUT
set -eu
cd "$(dirname "$0")/../.."
docs/reference/build.sh "$1"
out=$(cd "$1" && pwd)

rm -rf "$out/pages"
mkdir "$out/pages"
find . \( -path ./build -o -path ./vendor -o -path './build-*' -o -name '.?*' \) -prune -o \
    \( -name '*.md' -o -path './docs/*.svg' -o -path './docs/site/*.css' -o -path './docs/site/*.js' \) -print0 |
    tar -c --null -T - | tar -x -C "$out/pages"
mv "$out/reference" "$out/pages"
export ASYNCPOOL_PAGES="$out/pages" ASYNCPOOL_HTML="$out/html" ASYNCPOOL_TAGS="$out/reference.tag"
mkdocs build --config-file docs/site/mkdocs.yml >"$out/site.log" 2>&1 || { cat "$out/site.log" >&2; exit 1; }

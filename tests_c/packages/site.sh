#!/bin/sh
# The site that `make docs` makes, looked at: links and anchors all lead somewhere; in a browser no page is wider than its
# window, wide or narrow, pictures are there, nothing comes from elsewhere, and the search finds something. Pictures of some
# pages are left in build/docs/screens, for people to look at.
#
#     tests_c/packages/site.sh
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
for tool in linkchecker chromedriver; do
    command -v "$tool" >/dev/null || { echo "$tool is not there: make need-packages"; exit 77; }
done
make docs

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# doxygen links to an empty list of classes where all of them are private.
echo "links"
printf '[AnchorCheck]\n' >"$work/linkcheckerrc"
(cd /; linkchecker -f "$work/linkcheckerrc" --no-status --ignore-url='#nested-classes$' "file://$root/build/docs/html/index.html") \
    >"$work/links" 2>&1 || { cat "$work/links"; exit 1; }
grep 'links in .* checked' "$work/links"

echo "pages"
rm -rf build/docs/screens
mkdir build/docs/screens
/usr/bin/python3 tests_c/packages/site.py build/docs/html build/docs/screens index.html docs/guide/index.html docs/guide/c.html \
    docs/guide/cookbook.html docs/coming-from.html reference/group__pool__lending.html docs/bench/results.html
ls build/docs/screens

#!/bin/sh
# docs_reference.sh ROOT SYMBOLS: `make docs` takes no warning of doxygen's or mkdocs's, and makes the site, and a man page for
# each exported function and for inline ones; each page that only names another names one that is there.
set -eu
make -C "$1" docs
for page in index docs/guide/cookbook reference/index reference/group__pool__lending; do
    [ -s "$1/build/docs/html/$page.html" ] || { echo "$page.html is not there" >&2; exit 1; }
done
cd "$1/build/docs/man/man3"
bad=0
for name in $(sed -n 's/^T \(.*\)@@.*/\1/p' "$2") pool_api_load pool_epoll_add pool_ucontext_run pool_uv_init \
    pool_rules pool_t pool_config_t; do
    [ -e "$name.3" ] || { echo "$name has no page" >&2; bad=1; }
done
pages=0
for page in *; do
    case $page in
    *.h.3) bad=1 ;;
    pool_*.3) ;;
    *) bad=1 ;;
    esac
    [ "$bad" = 0 ] || echo "$page" >&2
    other=$(sed -n 's/^\.so man3\///p' "$page")
    [ -e "${other:-$page}" ] || { echo "$page: there is no $other" >&2; bad=1; }
    pages=$((pages + 1))
done
echo "$pages pages"
[ "$bad" = 0 ]

#!/bin/sh
# docs_refused.sh ROOT: the reference is refused where doxygen warns: for a parameter, a member and a function without
# a comment, and for a parameter that is not there.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASYNCPOOL_DOCS="$work" ASYNCPOOL_VERSION=0

# read_by_doxygen: as for the reference, but only with what man pages take, since that is quicker.
read_by_doxygen() {
    (cd "$work" && printf '%s\n' "$(cat "$root/docs/reference/Doxyfile")" GENERATE_HTML=NO MAN_LINKS=NO LAYOUT_FILE= | doxygen -)
}

# refused EXPRESSION: after this change of pool.h, for sed.
refused() {
    sed "$1" "$root/include/asyncpool/pool.h" >"$work/include/asyncpool/pool.h"
    ! cmp -s "$root/include/asyncpool/pool.h" "$work/include/asyncpool/pool.h" || { echo "no change: $1" >&2; exit 1; }
    ! read_by_doxygen >/dev/null 2>&1 || { echo "not refused: $1" >&2; exit 1; }
}

cp -R "$root/include" "$work"
read_by_doxygen
refused 's|^ \* @param      timeout_ms  .*| *|'
refused 's|/\*\*< as pool_idle_count() \*/||'
refused 's|^ \* @param pool  a host-driven pool; borrowed.|&\n * @param pond  water.|'
refused 's|^pool_status_t pool_close(pool_t \*pool);|pool_status_t pool_shut(pool_t *pool);\n\n&|'

#!/bin/sh
# tracepoints.sh READELF LIBRARY DOC: the static tracepoints in the library's notes are those in the table of DOC, each
# with as many arguments wherever it is. Whether they fire is asked by tests_c/abi/tracepoints.c.
set -eu

told=$(sed -n '/^| tracepoint | arguments/,/^$/s/^| `\([a-z]*\)` | \([^|]*\) |.*/\1 \2/p' "$3" |
    awk '{ print $1, NF - 1 }' | LC_ALL=C sort)
[ "$(echo "$told" | wc -l)" -eq 6 ]

"$1" -n "$2" 2>/dev/null | awk '
    $1 == "stapsdt" { n++ }
    $1 == "Provider:" { provider = $2 }
    $1 == "Name:" { name = $2 }
    $1 == "Arguments:" { print provider ":" name, NF - 1; ends++ }
    END { if (n == 0 || n != ends) { print n + 0 " notes, " ends + 0 " with arguments"; exit } }' |
    LC_ALL=C sort -u | sed 's/^asyncpool://' | diff - /dev/fd/3 3<<END
$told
END

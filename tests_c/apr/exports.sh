#!/bin/sh
# exports.sh NM SHIM LIBAPRUTIL: the drop-in exports every function of a resource list that libaprutil has, and no more.
set -eu

exported() { "$1" -D --defined-only "$2" | cut -d' ' -f3 | sed 's/@.*//' | sort; }

wanted=$(exported "$1" "$3" | grep '^apr_reslist_')
found=$(exported "$1" "$2")
echo "exported:" $found
[ -n "$wanted" ] && [ "$found" = "$wanted" ]

#!/bin/sh
# links_nothing.sh CC NM INCLUDE FILE ADAPTER...: what FILE compiles to needs no function of the library, and neither does
# any function of the adapters.
set -eu
cc=$1
nm=$2
include=$3
file=$4
shift 4
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT

# needs_none COMMAND...: compiles to the object.
needs_none() {
    "$@" -O0 -Wall -Wextra -Werror -I"$include" -c -o "$object"
    "$nm" -u "$object" | grep -q pthread_create # the list is one
    ! "$nm" -u "$object" | grep pool_
}

needs_none "$cc" -std=c11 "$file"
for adapter; do
    needs_none "$cc" -std=gnu11 -fkeep-inline-functions -DPOOL_API_NAMES -include asyncpool/pool_api.h \
        -include "asyncpool/$adapter.h" -x c /dev/null
done

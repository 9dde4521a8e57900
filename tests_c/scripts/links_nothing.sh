#!/bin/sh
# links_nothing.sh CC NM INCLUDE FILE: what FILE compiles to needs no function of the library.
set -eu
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT
"$1" -std=c11 -O0 -Wall -Wextra -Werror -I"$3" -c "$4" -o "$object"
"$2" -u "$object" | grep -q pthread_create # the list is one
! "$2" -u "$object" | grep pool_

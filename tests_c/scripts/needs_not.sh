#!/bin/sh
# needs_not.sh READELF FILE NAME: FILE is dynamically linked, and not with a library called NAME.
set -eu

needed=$("$1" -Wd "$2" | grep -F '(NEEDED)')
echo "$needed"
! echo "$needed" | grep -F "$3"

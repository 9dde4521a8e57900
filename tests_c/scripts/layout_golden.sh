#!/bin/sh
# layout_golden.sh LAYOUT GOLDEN: what the program LAYOUT prints about the structs equals the golden file.
#
# After a change that is meant: LAYOUT >abi/layout.txt
set -eu

"$1" | diff "$2" -

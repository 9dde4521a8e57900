#!/bin/sh
# guide_cookbook.sh ROOT LIBRARY CC: the blocks of C in the cookbook compile without a warning, and do what stands there:
# tests_c/guide/cookbook.c calls each.
set -eu
root=$1
library=$2
cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk '/^```/ { block = !block && $0 == "```c"; next } block' "$root/docs/guide/cookbook.md" >"$work/cookbook.h"
[ -s "$work/cookbook.h" ]
"$cc" -std=gnu11 -g -Wall -Wextra -Werror -I"$root/include" -I"$work" "$root/tests_c/guide/cookbook.c" \
    -o "$work/cookbook" "$library" -Wl,-rpath,"$(dirname "$library")" -pthread
LD_LIBRARY_PATH=$(dirname "$library") "$work/cookbook"

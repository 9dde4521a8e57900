#!/bin/sh
# readme_make.sh ROOT: every make target that the README's shell blocks call exists.
set -eu
cd "$1"

targets=$(awk '
    /^```/ { block = !block; shell = block && /^```(sh|bash|console)$/ }
    shell && !/^```/ {
        sub(/#.*/, "")
        for (i = 1; i <= NF; i++) {
            if ($i == "make") { make = 1; continue }
            if ($i ~ /[;&|]/) { make = 0; continue }
            if (make && $i !~ /[=-]/ || make && $i ~ /^[a-z]+-[a-z]+$/) print $i
        }
        make = 0
    }' README.md | sort -u)

[ -n "$targets" ] || { echo "README.md calls no make target"; exit 1; }
for target in $targets; do
    grep -qE "^$target:" Makefile || { echo "README.md: make $target: no such target"; exit 1; }
done
echo "exist:" $targets

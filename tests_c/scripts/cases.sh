#!/bin/sh
# cases.sh FOLDER: the cases that the programs in FOLDER name themselves are those in its cases.txt,
# which is what CMake found and ctest runs.
set -eu
cd "$1"

for program in test_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    # Without an argument a program lists its cases on stderr and answers 2.
    "./$program" 2>&1 >/dev/null | sed -n "s/^  /$program /p"
done | sort >cases-found.txt
sort cases.txt | diff - cases-found.txt

#!/bin/sh
# readme_cpp.sh ROOT LIBRARY COMPILER: the program in docs/cpp.md compiles without a warning, runs, and prints what it has
# lent.
set -eu
root=$1
library=$2
cxx=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk '/^```/ { block = !block && $0 == "```cpp" && !n++; next } block' "$root/docs/cpp.md" >"$work/program.cpp"
grep -q 'int main(' "$work/program.cpp"
"$cxx" -std=c++17 -Wall -Wextra -Werror -I"$root/include" "$work/program.cpp" -o "$work/program" "$library" \
    -Wl,-rpath,"$(dirname "$library")"
[ "$("$work/program")" = "db.example
db.example" ]

#!/bin/sh
# readme_c.sh ROOT LIBRARY CC: the C programs in the README compile without a warning and run.
#
# A block that begins with ```c and has a main function is a program. There is at least one.
set -eu
root=$1
library_dir=$(dirname "$2")
cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
    /^```/ { block = !block; if (block && $0 == "```c") file = work "/block" ++n ".c"; else file = "" }
    !/^```/ && file { print > file }' "$root/README.md"

count=0
for file in $(grep -lsE 'int main\(' "$work"/block*.c); do
    echo "--- $(basename "$file")"
    "$cc" -std=gnu11 -Wall -Wextra -Werror -I"$root/include" "$file" -o "$work/program" \
        -L"$library_dir" -Wl,-rpath,"$library_dir" -lasyncpool -pthread
    (cd "$work" && ./program)
    count=$((count + 1))
done
echo "$count programs ran"
[ "$count" -gt 0 ]

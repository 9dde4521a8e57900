#!/bin/sh
# cpp_quiet.sh ROOT COMPILER HEADER...: no warning of this C++ compiler, in C++17 and in C++20: each header compiles by
# itself, and twice in one program, and so do the tests of pool.hpp, but for that of libuv.
set -eu
root=$1
cxx=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

for version in c++17 c++20; do
    quiet="$cxx -std=$version -O1 -Wall -Wextra -Werror -Wpedantic -Wshadow -Wconversion -Iinclude -Itests_c/support -c"
    for header; do
        printf '#include <%s>\n#include <%s>\n' "$header" "$header" >"$work/alone.cpp"
        $quiet -fsyntax-only "$work/alone.cpp"
    done
    for file in tests_c/cpp/*.cpp; do
        case $version:$file in
        c++17:*coroutines.cpp | *uv.cpp) continue ;;
        esac
        $quiet -o "$work/object" "$file"
    done
    # What does not link the library: the calls go through the table.
    echo 'template class asyncpool::pool<int>;' >"$work/table.cpp"
    $quiet -DPOOL_API_NAMES -include asyncpool/pool_api.h -include asyncpool/pool.hpp -o "$work/object" "$work/table.cpp"
    if nm -u "$work/object" | grep ' pool_'; then
        echo "these are not called through the table" >&2
        exit 1
    fi
    # Two files of a program.
    printf '#include <asyncpool/pool.hpp>\nasyncpool::pool<int> *first;\n' >"$work/first.cpp"
    printf '#include <asyncpool/pool.hpp>\nasyncpool::pool<int> *second;\n' >"$work/second.cpp"
    $quiet -o "$work/first.o" "$work/first.cpp"
    $quiet -o "$work/second.o" "$work/second.cpp"
    $cxx -r -nostdlib -o "$work/both.o" "$work/first.o" "$work/second.o"
    echo "$cxx -std=$version: $# headers"
done

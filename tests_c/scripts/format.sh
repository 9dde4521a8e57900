#!/bin/sh
# format.sh [FILE...]: formats these files, or those that differ from the last commit: C by .clang-format, Go by gofmt.
# What is generated, and the headers of the first version, stay as they are.
set -eu
cd "$(dirname "$0")/../.."

[ $# -gt 0 ] || set -- $(git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard)
for file; do
    case $file in
    */pool_ffi.h | *_arginfo.h | bridge/state.h | tests_c/abi/first/*) ;;
    *.c | *.h | *.cpp) clang-format-14 -i "$file" ;;
    *.go) gofmt -w "$file" ;;
    esac
done

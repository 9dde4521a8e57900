#!/bin/bash
# format.sh [--check] [FILE...]: formats these files, or those that differ from the last commit: C by .clang-format, Go by
# gofmt. With --check it names what is not so formatted, of these or of all files. What is generated, and the headers of the
# first version, stay as they are.
set -euo pipefail
cd "$(dirname "$0")/../.."

check=
[ "${1:-}" != --check ] || { check=1; shift; }
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # no file has a space in its name
    set -- $(if [ "$check" ]; then find . \( -name .git -o -name build \) -prune -o -type f -name '*.*' -print
        else git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; fi)
fi

c=() go=()
names() { [ $# -eq 0 ] || printf '%s\0' "$@"; }
for file; do
    case ./${file#./} in
    */pool_ffi.h | *_arginfo.h | */state.h | */tests_c/abi/first/*) ;;
    *.c | *.h | *.cpp) [ -L "$file" ] || c+=("$file") ;;
    *.go) go+=("$file") ;;
    esac
done
if [ "$check" ]; then
    wrong=$(
        names "${c[@]}" | xargs -0 -r -n 16 -P "$(nproc)" clang-format-14 --dry-run 2>&1 | sed -n 's/:[0-9]*:[0-9]*: .*//p' | sort -u
        names "${go[@]}" | xargs -0 -r gofmt -l
    )
    [ -z "$wrong" ] || { echo "make format FILES='...' would change:"; echo "$wrong"; exit 1; }
else
    names "${c[@]}" | xargs -0 -r clang-format-14 -i
    names "${go[@]}" | xargs -0 -r gofmt -w
fi

#!/bin/bash
# format.sh [--check] [--all | FILE...]: formats these files, all, or those that differ from the last commit: C by
# .clang-format, Go by gofmt. With --check it only names what is not so formatted. What is generated, and the headers of the
# first version, stay as they are.
set -euo pipefail
cd "$(dirname "$0")/../.."

check= all=
[ "${1:-}" != --check ] || { check=1; shift; }
[ "${1:-}" != --all ] || { all=1; shift; }
if [ "$all" ]; then
    # shellcheck disable=SC2046 # no file has a space in its name
    set -- $(find . \( -name .git -o -name build \) -prune -o -type f -name '*.*' -print)
elif [ $# -eq 0 ]; then
    # shellcheck disable=SC2046
    set -- $(git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard)
fi

c=() go=()
names() { [ $# -eq 0 ] || printf '%s\0' "$@"; }
for file; do
    case ./${file#./} in
    */pool_ffi.h | */redis_budget_script.h | *_arginfo.h | */state.h | */tests_c/abi/first/*) ;;
    *.c | *.h | *.cpp | *.hpp) [ -L "$file" ] || c+=("$file") ;;
    *.go) go+=("$file") ;;
    esac
done
clang-format-14 --version >/dev/null # it is there: below its words are all that is looked at
if [ "$check" ]; then
    wrong=$(
        names "${c[@]}" | xargs -0 -r -n 16 -P "$(nproc)" clang-format-14 --dry-run 2>&1 |
            sed -n 's/:[0-9]*:[0-9]*: .*//p' | sort -u
        names "${go[@]}" | xargs -0 -r gofmt -l
    )
    [ -z "$wrong" ] || { echo "make format FILES='...' would change:"; echo "$wrong"; exit 1; }
else
    names "${c[@]}" | xargs -0 -r clang-format-14 -i
    names "${go[@]}" | xargs -0 -r gofmt -w
fi

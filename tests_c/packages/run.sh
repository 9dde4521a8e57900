#!/bin/sh
# run.sh [PART...]: tests of what is given to others, each by the script of its name in this folder. Without a name: all.
# A part that cannot run here says why and ends with 77.
set -eu
cd "$(dirname "$0")"

if [ $# -eq 0 ]; then
    set -- abi deb site consumers arm64
fi

failed=
for part; do
    echo "=== $part"
    code=0
    "./$part.sh" || code=$?
    case $code in
    0) echo "=== $part: passed" ;;
    77) echo "=== $part: skipped" ;;
    *)
        echo "=== $part: FAILED ($code)"
        failed="$failed $part"
        ;;
    esac
done
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }

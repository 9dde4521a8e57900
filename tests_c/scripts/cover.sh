#!/bin/bash
# Which lines of pool/ and bridge/ the tests reach: what `make cover` runs. A library and a PHP extension that count
# are driven by the C and PHP tests; the Go tests count for themselves. ctest's options may follow, for a part of the tests. Fails if
# a test does, or if there is a line that is neither reached nor explained in tests_go/cover/explained.txt.
#
# The exhaustive search (tests_go/search) is left out: it visits all of the core, and says so by itself. So are the
# PHP tests with the JIT compiler, which run the same lines as those without, and other builds of the extension.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$PWD/build/cover
rm -rf "$out/counters"
mkdir -p "$out/counters"
abi/build.sh "$out/lib" cover
cmake -S . -B "$out/tests" -DASYNCPOOL_PREBUILT="$out/lib" -DASYNCPOOL_PHP_EXT=cover >"$out/build.log"
cmake --build "$out/tests" -j "$(nproc)" >>"$out/build.log"
extension=$out/tests/php-ext/asyncpool
find "$extension" -name '*.gcda' -delete
GOCOVERDIR=$out/counters ctest --test-dir "$out/tests" -j "$(nproc)" --output-on-failure \
    -L '^(c|php)$' -E '^php\.jit|^php(ext)?\.ext-jit' "$@" | tee "$out/ctest.log" | grep -vE ' Passed | Start '
go test -covermode=atomic -coverpkg=./pool/... -coverprofile="$out/go.txt" ./pool/... ./tests_go

# gcov knows the files by their names in the folder where cgo compiled them. It warns of those that cgo made, and of
# branches that it believes were taken less than never: a child of fork() ends with counts that were being made.
gcovr -r bridge --gcov-ignore-parse-errors --object-directory "$out/lib/objects" \
    "$out/lib/objects" --json "$out/c.json" 2>"$out/gcovr.log" ||
    { cat "$out/gcovr.log"; exit 1; }
# The extension is compiled where its files have been copied to.
gcovr -r "$extension" --gcov-ignore-parse-errors --exclude '.*_arginfo\.h' \
    "$extension/.libs" --json "$out/ext.json" 2>"$out/gcovr.log" ||
    { cat "$out/gcovr.log"; exit 1; }
go tool covdata textfmt -i "$out/counters" -o "$out/driven.txt"
go run ./tests_go/cover -c "bridge=$out/c.json" -c "bridge/php-ext=$out/ext.json" -driven "$out/driven.txt" -go "$out/go.txt" \
    -explained tests_go/cover/explained.txt

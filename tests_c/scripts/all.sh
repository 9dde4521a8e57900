#!/bin/bash
# Every test of the project: what `make test` runs. With names of presets, only their C and PHP tests.
#
#     tests_c/scripts/all.sh [PRESET...]
#
# All stages run, also after one that failed; at the end stands how many cases ran in each, how many were left
# out (disabled, or skipped) and how long it took, and the last line has the same of all. The exit code is 0 only if
# all others passed.
set -uo pipefail
cd "$(dirname "$0")/../.."
logs=build/logs
. tests_c/scripts/stages.sh

# everyday PRESET: what every run has of it. Under valgrind a test takes a second and more: memcheck sees those whose
# stacks change, and the rest is for `make test-valgrind` and `make test-helgrind`. Without the fast path the quick ones
# run: the others look at what it does not change.
everyday() {
    case $1 in
    helgrind | arm64 | static) ;;
    valgrind)
        targets="test_coroutine test_coroutine_threads test_scenarios_coroutines" \
            c_test "$1" -R '^(coroutine|coroutine_threads|scenarios_coroutines)\.'
        ;;
    core) targets=quick c_test "$1" -L quick ;;
    *) c_test "$1" ;;
    esac
}

presets() { cmake --list-presets=test | sed -n 's/^ *"\([^"]*\)".*/\1/p'; }

if [ $# -eq 0 ]; then
    check "format" tests_c/scripts/format.sh --check --all
    check "go vet" go vet ./...
    check "go vet, bench" go -C bench vet ./...
    check "go vet, linear" go -C tests_go/linear vet ./...
    check "go vet, metrics" go -C tests_go/metrics vet ./...
    check "go vet, redisbudget" go -C pool/redisbudget vet ./...
    go_test "go test" . ./...
    go_test "go test -race" . -race ./...
    go_test "go test, bench" bench ./...
    go_test "go test, linear" tests_go/linear ./...
    go_test "go test, metrics" tests_go/metrics ./...
    go_test "go test, redisbudget" pool/redisbudget ./...
    # Each of them takes one processor.
    tests_c/scripts/fuzz.sh "${FUZZ_SECONDS:-60}" c >"$logs/fuzzer-c.log" 2>&1 &
    fuzzer=$!
    check "fuzz, go" tests_c/scripts/fuzz.sh "${FUZZ_SECONDS:-60}" go
    check "fuzz, c" finished $fuzzer "$logs/fuzzer-c.log"
    for preset in $(presets); do
        everyday "$preset"
    done
fi
for preset; do
    case $preset in
    # An emulator takes ten times as long, and the rest does not look at how the library is linked.
    arm64 | static) targets=quick c_test "$preset" -L '^quick$' ;;
    *) c_test "$preset" ;;
    esac
done

sum_up

#!/bin/bash
# Fuzzes the core and the C ABI, each for a while; what `make fuzz` runs.
#
#     tests_c/scripts/fuzz.sh [SECONDS [go|c|keep]]
#
# go is FuzzHistory of tests_go/search, c the target of tests_c/fuzz; without a name both run. What either found
# worth keeping is the beginning of the next run here (Go keeps it in its cache, c in build/fuzz/corpus); keep
# adds what c found to tests_c/fuzz/corpus. The exit code is 0 if nothing failed. An input that fails is left in
# a file, whose name is printed with the command that runs it again.
set -uo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-60}
only=${2:-}
folder=build/fuzz
corpus=tests_c/fuzz/corpus
mkdir -p "$folder/corpus"
# A machine that does other things, too, may hold up any input for a while: this is for those that hang.
patience=300
longest=407 # bytes that the target looks at
failed=0

# Go gives up an input after ten seconds of the clock, which a busy machine may take from any of them. A history
# is the same each time: if it passes now, a hundred times, it was held up. It is kept all the same.
held_up() {
    local input
    input=tests_go/search/$(sed -n 's/.*Failing input written to //p' "$1" | head -n 1)
    [ -f "$input" ] || return 1
    go test ./tests_go/search -count 100 -v -timeout 10m -run "^FuzzHistory\$/^${input##*/}\$" \
        >"$folder/again.log" 2>&1 || return 1
    [ "$(grep -c -- "--- PASS: FuzzHistory/${input##*/}" "$folder/again.log")" -eq 100 ] || return 1
    mv "$input" "$folder/held-up-${input##*/}"
    echo "fuzz: $folder/held-up-${input##*/} was given up and passes when it is run again, a hundred times"
}

fuzz_go() {
    local log=$folder/go.log code
    # How long Go may take to shorten what it finds is a number of tries here: by itself it takes a minute.
    go test ./tests_go/search -run '^$' -fuzz '^FuzzHistory$' -fuzztime "${seconds}s" \
        -fuzzminimizetime 200x -parallel 1 2>&1 | tee "$log" | grep --line-buffered -v '^warning'
    code=${PIPESTATUS[0]}
    # The last input may be cut off by the end of the time, which go test then calls a failure.
    if [ "$code" -ne 0 ] && grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"; then
        echo "fuzz: the time was up in the middle of an input, which is no failure"
        code=0
    elif [ "$code" -ne 0 ] && grep -q 'hung or terminated unexpectedly' "$log"; then
        held_up "$log" && code=0
    fi
    [ "$code" -eq 0 ] || return 1
    sed -n 's/.*execs: \([0-9]*\).*(total: \([0-9]*\)).*/fuzz, go: \1 inputs, corpus of \2/p' "$log" | tail -n 1
}

build_c() {
    local newest
    newest=$(find abi bridge pool include tests_c/fuzz -newer "$folder/fuzz_abi" \
        \( -name '*.go' -o -name '*.[chs]' -o -name '*.sh' \) -print -quit 2>&1)
    [ -x "$folder/fuzz_abi" ] && [ -z "$newest" ] && return
    CGO_CFLAGS="${CGO_CFLAGS:-} -Werror" abi/build.sh "$folder/lib" fuzz || return
    clang -g -O1 -std=gnu11 -Wall -Wextra -Werror -fsanitize=fuzzer,address -Iinclude \
        $(ls tests_c/fuzz/*.c | grep -v /replay.c) -o "$folder/fuzz_abi" \
        -L"$folder/lib" -lasyncpool -Wl,-rpath,'$ORIGIN/lib'
}

# run_c ARGUMENT...: the small quarantine keeps the processor's cache for the pool.
run_c() {
    ASAN_OPTIONS=quarantine_size_mb=32 "$folder/fuzz_abi" -max_len=$longest -timeout=$patience -rss_limit_mb=4096 \
        -detect_leaks=0 "$@"
}

fuzz_c() {
    local log=$folder/c.log code
    build_c || return
    run_c "$folder/corpus" "$corpus" -max_total_time="$seconds" -len_control=0 -print_final_stats=1 \
        -artifact_prefix="$folder/" 2>&1 | tee "$log" | awk -v every=10 '
            / (NEW|REDUCE|RELOAD|pulse) / { now = systime(); if (now < next_) next; next_ = now + every }
            /^###### Recommended/ { skipping = 1 }
            !skipping
            /^###### End/ { skipping = 0 }
            { fflush() }'
    code=${PIPESTATUS[0]}
    if [ "$code" -ne 0 ]; then
        sed -n "s|.*Test unit written to \(.*\)|fuzz: again with: $folder/fuzz_abi -runs=100 \1|p" "$log"
        return 1
    fi
    awk '/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
        /inline 8-bit counters\)/ { match($0, /\([0-9]+/); all = substr($0, RSTART + 1, RLENGTH - 1) }
        /number_of_executed_units/ { n = $2 } /average_exec_per_sec/ { speed = $2 }
        END { printf "fuzz, c: %d inputs, %d a second, %d of %d edges (C, core and target)\n", n, speed, cov, all }' "$log"
}

# Few inputs that cover everything together: how often an edge is passed does not count.
keep() {
    build_c || return
    run_c -set_cover_merge=1 -use_counters=0 "$corpus" "$folder/corpus" 2>&1 | tail -n 1
    find "$corpus" -type f | wc -l | sed 's/$/ inputs in the corpus/'
}

case $only in
go) fuzz_go || failed=1 ;;
c) fuzz_c || failed=1 ;;
keep) keep || failed=1 ;;
'')
    fuzz_go || failed=1
    fuzz_c || failed=1
    ;;
*)
    echo "usage: tests_c/scripts/fuzz.sh [SECONDS [go|c|keep]]" >&2
    exit 2
    ;;
esac
exit $failed

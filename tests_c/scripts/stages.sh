# What all.sh and check.sh are made of: stages that are counted, one after the other. They source this.
#
# All stages run, also after one that failed. The sourcing script sets `logs`, a folder for what is not shown, and ends
# with `sum_up`.
# shellcheck shell=bash

# The build tools that run below are not part of the make that called this.
unset MAKEFLAGS MFLAGS MAKELEVEL

SECONDS=0 # the shell counts them
stage_began=0
mkdir -p "$logs"
summary=
bindings=
failures=
total_passed=0
total_failed=0
total_left_out=0

# count STAGE EXIT_CODE PASSED FAILED [LEFT_OUT]: a stage that failed without a failed case is one failure.
count() {
    local failed=$4 left_out=${5:-0}
    if [ "$2" -ne 0 ] && [ "$failed" -eq 0 ]; then
        failed=1
    fi
    total_passed=$((total_passed + $3))
    total_failed=$((total_failed + failed))
    total_left_out=$((total_left_out + left_out))
    summary+=$(printf '%-28s %5d passed, %d failed, %d left out in %s' "$1" "$3" "$failed" "$left_out" \
        "$(minutes $((SECONDS - stage_began)))")$'\n'
    stage_began=$SECONDS
}

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# remember STAGE: what it failed with, which it is given, stands at the end once more: who sees only the end of a long log
# must be able to tell.
remember() { failures+="== $1, failed"$'\n'"$(tail -n 60)"$'\n\n'; }

# What a case printed that failed, of what ctest, `go test` and run-tests.php print.
failed_in_ctest() {
    awk '/^ *[0-9]+\/[0-9]+ Test +#|^ *Start +[0-9]+:/ { if (n) show(); n = 0 }
        /\*\*\*(Failed|Timeout|Exception|Not Run \()/ && !/\(Disabled\)/ { n = 1 }
        n { line[n++] = $0 }
        /^[0-9]+% tests passed/ { if (n) show(); n = 0 }
        function show(  i) { for (i = 1; i < n; i++) if (i == 1 || i > n - 25) print line[i] }' "$1"
}
failed_in_go() { grep -B 10 -E '^ *--- FAIL: |^panic: |^FAIL' "$1"; }
failed_in_php() { sed -n '/^FAILED TEST SUMMARY/,/^====/p' "$1"; }

# check STAGE COMMAND...: one case that passes when the command does.
check() {
    local log="$logs/${1//, /-}.log" code=0
    echo "== $1"
    # Not in a pipe: it may wait for what this shell began.
    exec 3> >(tee "$log")
    "${@:2}" >&3 2>&1 3>&- || code=1
    exec 3>&-
    wait $!
    [ $code -eq 0 ] || remember "$1" <"$log"
    count "$1" $code $((1 - code)) $code
}

# go_test STAGE MODULE ARGUMENT...: each test and subtest is a case; the log is shown if one failed. The
# searches are long: the ten minutes that go test allows by itself may not do on a busy machine.
go_test() {
    local log="$logs/${1//[ \/]/-}.log" code
    echo "== $1"
    go -C "$2" test -v -timeout 30m "${@:3}" >"$log" 2>&1
    code=$?
    if [ $code -eq 0 ]; then
        grep -E '^(ok|\?) ' "$log"
    else
        cat "$log"
        remember "$1" < <(failed_in_go "$log")
    fi
    count "$1" $code "$(grep -cE '^ *--- PASS: ' "$log")" "$(grep -cE '^ *--- FAIL: ' "$log")" \
        "$(grep -cE '^ *--- SKIP: ' "$log")"
}

# finished PROCESS LOG: waits for what was begun in the background, shows what it printed, and answers as it did.
finished() {
    local code=0
    wait "$1" || code=$?
    cat "$2"
    return $code
}

# What is shown of what ctest prints.
shown() { cat; }

# c_build PRESET: configures and builds it; with targets=... only these. A warning about the C code of the library is an
# error here, though not for those who only build it with a compiler that we have not seen.
c_build() {
    cmake --preset "$1" &&
        CGO_CFLAGS="${CGO_CFLAGS:-} -Werror" cmake --build --preset "$1" ${targets:+--target $targets}
}

# c_test PRESET [OPTION...]: builds it as c_build does, and runs it; the options are for ctest.
c_test() {
    local log="$logs/ctest-$1.log" code both passed=0 failed=0 skipped=0 disabled=0
    echo "== ctest, $1"
    c_build "$1" >"$log" 2>&1
    code=$?
    if [ $code -ne 0 ]; then
        cat "$log"
        remember "ctest, $1, building" <"$log"
    else
        ctest --preset "$@" 2>&1 | tee "$log" | shown
        code=${PIPESTATUS[0]}
        [ $code -eq 0 ] || remember "ctest, $1" < <(failed_in_ctest "$log")
        passed=$(grep -cE ' Passed +[0-9.]+ sec' "$log")
        skipped=$(grep -cE '\*\*\*Skipped +[0-9.]+ sec' "$log")
        disabled=$(grep -cF '***Not Run (Disabled)' "$log")
        if [[ $(<"$log") =~ ,\ ([0-9]+)\ tests\ failed\ out\ of ]]; then
            failed=${BASH_REMATCH[1]}
        fi
        both=$(bridge/php/tests/bindings.sh "$log" "$1")
        bindings+=${both:+$both$'\n'}
    fi
    count "ctest, $1" "$code" "$passed" "$failed" $((skipped + disabled))
}

# php_test STAGE MODE PATH...: the phpt files of these folders in this mode, by one process of PHP's run-tests.php.
php_test() {
    local log="$logs/${1//, /-}.log" code
    echo "== $1"
    EXTENSION="build/default/php-ext/asyncpool.so build/default/php-ext/fakedb.so" \
        bridge/php/tests/run.sh "$2" build/default/lib/libasyncpool.so.1 "-j$(nproc)" "${@:3}" >"$log" 2>&1
    code=$?
    if [ $code -eq 0 ]; then
        tail -n 1 "$log"
    else
        cat "$log"
        remember "$1" < <(failed_in_php "$log")
    fi
    count "$1" $code "$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' "$log" | tail -n 1)" \
        "$(sed -n 's/^Tests failed *: *\([0-9]*\).*/\1/p' "$log" | tail -n 1 | grep . || echo 0)" \
        "$(sed -n 's/^[0-9]* passed, \([0-9]*\) skipped.*/\1/p' "$log" | tail -n 1)"
}

# sum_up [WHAT]: what each stage did, what failed, and in the last line what all did together. Answers 0 only if no case
# failed.
sum_up() {
    echo
    [ -z "$bindings" ] || printf '%s\n' "$bindings"
    printf '%s\n%s' "$summary" "$failures"
    echo "${1:+$1: }$total_passed passed, $total_failed failed, $total_left_out skipped in $(minutes $SECONDS) minutes"
    [ "$total_failed" -eq 0 ]
}

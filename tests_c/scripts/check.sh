#!/bin/bash
# The loop of somebody who works on the library: what `make check` runs, which takes less than a minute on two processors
# after a change of one line.
#
#     tests_c/scripts/check.sh [NAME]
#
# Without NAME: the format, go vet, the Go tests of the core, of its C twins and of the front and the quick ones of tests_go,
# some random histories, the C tests with the label quick (quick_not.txt names the others), and the PHP tests over FFI and
# with the extension. All that it does not run, `make test` does.
#
# With NAME it builds what these tests need, and runs them, quick or not: a folder or file of C tests (lending, release),
# one case or a regular expression for its beginning (release.b50_), a mode or case of the PHP tests
# (php.plain.pool.try_acquire), or a folder of Go tests (tests_go/search).
#
# The last line says what ran and how long it took.
set -uo pipefail
cd "$(dirname "$0")/../.."
logs=build/logs/check
. tests_c/scripts/stages.sh

jobs=-j$(nproc)
shown() { grep -vE ' Passed +[0-9.]+ sec|^ *Start +[0-9]+:|^$'; }

# choose OPTION...: are there tests that ctest chooses so? If so, how it was done, and what they need.
choose() {
    local names
    how=("$@")
    cmake --preset default >"$logs/cmake.log" 2>&1 || { cat "$logs/cmake.log"; return 1; }
    names=$(ctest --preset default -N "$@" | sed -n 's/^ *Test *#[0-9]*: *//p')
    [ -n "$names" ] || return 1
    targets="asyncpool_library $(awk 'NR == FNR { chosen[$1]; next } $1 in chosen { for (i = 2; i <= NF; i++) print $i }' \
        <(echo "$names") build/default/test_needs.txt | sort -u | tr '\n' ' ')"
}

# The phpt files of these folders of bridge/php/tests, but for those that quick_not.txt names.
quick_phpt() {
    local not file name
    not=$(sed -n 's/^\([a-z(][^ ]*\) .*/\1/p' tests_c/quick_not.txt | paste -sd '|')
    (cd bridge/php/tests && find "$@" -name '*.phpt' | sort) | while read -r file; do
        name=${file#../../php-ext/tests/}
        name=${name%.phpt}
        [[ ${name//\//.} =~ ^($not)$ ]] || echo "$file"
    done
}

only=${1:-}
if [ -z "$only" ]; then
    # Meanwhile: it is one compiler after the other for the most part, and the Go tests need little of the library. What
    # it can't build, c_test builds again, and tells.
    targets=quick c_build default >"$logs/build.log" 2>&1 &
    building=$!
    check "format" tests_c/scripts/format.sh --check
    check "go vet" go vet ./...
    go_test "go test, quick" . -short ./pool/... ./bridge/gen ./tests_go ./tests_go/cover
    go_test "go test, random" . -short -run 'Random|Story' ./tests_go/search
    wait $building
    targets=quick c_test default -L '^quick$' "$jobs"
    # shellcheck disable=SC2046 # words
    php_test "php, plain" plain $(quick_phpt library loop pool pdo budget)
    if [ -f "${ASYNCPOOL_REVOLT:-../shared/revolt}/src/EventLoop.php" ]; then
        # shellcheck disable=SC2046
        php_test "php, revolt" plain-revolt $(quick_phpt loop)
    else
        echo "== php, revolt: left out, ASYNCPOOL_REVOLT=... names no folder of Revolt"
    fi
    # shellcheck disable=SC2046
    php_test "php, ext" ext $(quick_phpt pool pdo budget ../../php-ext/tests)
    sum_up "make check"
elif ls "$only"/*_test.go >/dev/null 2>&1; then
    go_test "go test, $only" . "./$only"
    sum_up "make check ONLY=$only"
else
    { choose -L "^($only)\$" || choose -R "^($only)(\\.|\$)" || choose -R "^($only)"; } ||
        { echo "check.sh: no folder, file or case of the tests is called $only"; exit 2; }
    c_test default "${how[@]}" "$jobs"
    sum_up "make check ONLY=$only"
fi

#!/bin/sh
# under_valgrind.sh ROOT: under either tool of valgrind the Go runtime is told to do without rdtscp, beside what GODEBUG
# says already; programs that a test starts inherit it. A valgrind of our own shows what it was given.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/valgrind" <<'END'
#!/bin/sh
echo "$GODEBUG"
END
chmod +x "$work/valgrind"
PATH=$work:$PATH
for tool in memcheck helgrind; do
    unset GODEBUG
    [ "$("$1/tests_c/checkers/under.sh" $tool true)" = cpu.rdtscp=off ]
    export GODEBUG=asyncpreemptoff=0
    [ "$("$1/tests_c/checkers/under.sh" $tool true)" = asyncpreemptoff=0,cpu.rdtscp=off ]
done

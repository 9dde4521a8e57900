#!/bin/sh
# Runs a program under a checker: the one place that knows the checkers' options.
#
#     tests_c/checkers/under.sh CHECKER COMMAND [ARGUMENT...]
#
# CHECKER is asan, tsan, ubsan, memcheck or helgrind. What it finds goes to standard error and makes the program
# fail. With REPORTS=FOLDER it goes into files there instead, also what it finds in the program's children. With
# PRELOAD=FILE the program was not built for the sanitizer, so that the sanitizer's runtime is loaded before all
# else but that file. With LEAKS=all asan forgives PHP no leak.
set -eu
usage="usage: under.sh asan|tsan|ubsan|memcheck|helgrind COMMAND [ARGUMENT...]"
[ $# -ge 2 ] || { echo "$usage" >&2; exit 2; }
checker=$1
shift
checkers=$(cd "$(dirname "$0")" && pwd)
log=${REPORTS:+:log_path=$REPORTS/$checker}

preload() {
    export LD_PRELOAD="$PRELOAD $("${CC:-cc}" -print-file-name="$1")"
}

case $checker in
asan)
    export ASAN_OPTIONS="detect_leaks=1$log"
    if [ -n "${PRELOAD:-}" ]; then
        preload libasan.so
        ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0"
        if [ "${LEAKS:-}" != all ]; then
            # Two functions of each allocation, malloc() and its caller, are what the suppression is about.
            ASAN_OPTIONS="$ASAN_OPTIONS:malloc_context_size=2"
            export LSAN_OPTIONS="suppressions=$checkers/php.supp:print_suppressions=0"
        fi
        # A child of fork() shuts PHP down while the quarantine of freed memory may be locked for ever, by a thread that
        # ended at that moment and is not in the child.
        case "$*" in *fork*.php*) ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=0:thread_local_quarantine_size_kb=0" ;; esac
    fi
    ;;
tsan)
    # gcc's ThreadSanitizer knows only some of the address layouts that newer kernels hand out; a container may
    # forbid to switch that off, then it has to work as it is.
    ! setarch -R true 2>/dev/null || set -- setarch -R "$@"
    [ -z "${PRELOAD:-}" ] || preload libtsan.so
    # A child of fork() may go on, and an exit does not wait a second for others.
    export TSAN_OPTIONS="halt_on_error=1:die_after_fork=0:atexit_sleep_ms=10:suppressions=$checkers/tsan.supp$log"
    ;;
ubsan)
    export UBSAN_OPTIONS="print_stacktrace=1$log"
    ;;
memcheck | helgrind)
    # Fault loops bring the allocator that the library sees; valgrind's own would take its place.
    case $1 in */test_faults_*) set -- --soname-synonyms=somalloc=nouserintercepts "$@" ;; esac
    [ -z "$log" ] || set -- --log-file="$REPORTS/$checker.%p" "$@"
    # The Go runtime reads a processor's clock by rdtscp, which valgrind says is there, and on some processors does not
    # know: the program would die of SIGILL. Of what the runtime uses only where a processor has it valgrind asks
    # the processor itself.
    export GODEBUG="${GODEBUG:+$GODEBUG,}cpu.rdtscp=off"
    # Programs that a test starts are looked at too, but for those that are no concern of ours. Threads that wait for
    # one another by looking take turns.
    set -- valgrind --quiet --tool="$checker" --error-exitcode=9 --suppressions="$checkers/$checker.supp" \
        --suppressions="$checkers/../../abi/valgrind.supp" \
        --trace-children=yes --trace-children-skip='*/redis-server,*gcc*,*/cc' \
        --fair-sched=yes --max-threads=2500 "$@"
    ;;
*)
    echo "$usage" >&2
    exit 2
    ;;
esac
exec "$@"

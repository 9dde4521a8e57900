#include "report.h"

#include "actor.h"
#include "gauges.h"
#include "invariants.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

int64_t report_began_ns;
unsigned report_epochs;

double report_elapsed(void) { return (double)(soak_now_ns() - report_began_ns) / 1e9; }

void soak_fail(const char *format, ...)
{
    static atomic_flag failing = ATOMIC_FLAG_INIT;
    va_list args;
    if (atomic_flag_test_and_set(&failing))
        for (;;)
            pause(); /* one tells enough, and ends the process */
    fflush(stdout);
    fprintf(stderr, "\nsoak: FAILED after %.1f s, in epoch %u: ", report_elapsed(), report_epochs + 1);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\npools:\n");
    invariants_print();
    fprintf(stderr, "actors that do not rest:\n");
    actors_print_busy();
    fprintf(stderr,
            "Each actor decides the same with this seed, but they meet in another order each time.\n"
            "Run it several times again, also as build/tsan/tests_c/soak/soak:\n"
            "    soak --seed %" PRIu64 " --threads %u ",
            soak.seed, soak.threads);
    if (soak.epoch > 0)
        fprintf(stderr, "--minutes %.1f --epoch %.1f\n", soak.seconds / 60, soak.epoch);
    else
        fprintf(stderr, "--cycles %" PRIu64 " --epochs %u\n", soak.cycles, soak.epochs);
    _exit(1); /* others may be anywhere: no exit handler */
}

void report_progress(void)
{
    static int64_t last_ns;
    static unsigned long long last_cycles;
    bool terminal = isatty(STDOUT_FILENO);
    int64_t at = soak_now_ns();
    if (at - last_ns < (terminal ? 1 : 30) * INT64_C(1000000000))
        return;
    unsigned long long cycles = TALLIED(cycles);
    int64_t before_ns = last_ns ? last_ns : report_began_ns;
    double rate = (double)(cycles - last_cycles) / ((double)(at - before_ns) / 1e9 + 1e-9);
    last_ns = at;
    last_cycles = cycles;
    printf("%s%.0f s", terminal ? "\r\033[K" : "", report_elapsed());
    if (soak.epoch > 0)
        printf(" of %.0f", soak.seconds);
    printf(", epoch %u: %llu cycles, %.0f/s; %llu waits, %llu timeouts, %llu failures, %llu breaker moves, "
           "%llu pools; RSS %ld MB, %ld threads, %ld fds%s",
           report_epochs + 1, cycles, rate, TALLIED(waits), TALLIED(timeouts), TALLIED(failures), TALLIED(moves),
           TALLIED(pools), gauge_read(GAUGE_RSS) / 1024, gauge_read(GAUGE_THREADS) + 1 + (long)actors_present(),
           gauge_read(GAUGE_FDS), terminal ? "" : "\n");
    fflush(stdout);
}

bool report_end(void)
{
    printf("%sseed %" PRIu64 ", %.1f s, %u epochs\n", isatty(STDOUT_FILENO) ? "\n" : "", soak.seed, report_elapsed(),
           report_epochs);
#define SOAK_LINE(name, text) printf("%12llu %s\n", TALLIED(name), text);
    SOAK_TALLY(SOAK_LINE)
#undef SOAK_LINE
    printf("%12u waiting at a time in one pool, at most\n", invariants_most_waiting());
    return gauges_report();
}

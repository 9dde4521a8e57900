/*
 * The soak: hundreds of threads, loops, coroutines and hosts on shared pools whose hooks fail at random, that
 * are closed and made again under load. It goes on for minutes, in epochs; between two of them everybody
 * rests, and what has to hold in quiet is checked.
 *
 *     world.h        a pool and its account; the sites where pools stand
 *     actor.h        who uses them
 *     invariants.h   what must hold, sampled and at rest
 *     gauges.h       memory, threads, goroutines, descriptors
 *     report.h       the progress line, the report, and what to do about a failure
 *     main.c         options, epochs
 */
#ifndef ASYNCPOOL_SOAK_H
#define ASYNCPOOL_SOAK_H

#include <asyncpool/pool.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef CHECK_SLOWDOWN
#define CHECK_SLOWDOWN 1 /* of a sanitizer */
#endif

/* ---- options ---- */

typedef struct soak_options {
    uint64_t seed;
    unsigned threads;
    double seconds;  /* for the whole run, unless epoch is 0 */
    double epoch;    /* seconds of one epoch; 0: the run is measured in cycles */
    unsigned epochs; /* with cycles */
    uint64_t cycles; /* of one epoch */
    unsigned stall;  /* seconds without progress before the watchdog bites */
} soak_options;

extern soak_options soak;

/* ---- what happened, all told ---- */

#define SOAK_TALLY(X)                                            \
    X(cycles, "lent and given back")                             \
    X(waits, "acquires that took longer than 0.1 ms")            \
    X(empty, "tries that found nothing free")                    \
    X(timeouts, "deadlines that passed")                         \
    X(factory_failures, "acquires whose factory failed")         \
    X(unavailable, "refused by an open breaker")                 \
    X(closed, "refused by a closed pool")                        \
    X(cancelled_ops, "ops cancelled half-way")                   \
    X(cancelled_threads, "threads cancelled")                    \
    X(replaced_threads, "threads that ended and were replaced")  \
    X(coroutines, "coroutines begun")                            \
    X(created, "resources created")                              \
    X(destroyed, "resources destroyed")                          \
    X(failures, "hooks that failed on purpose")                  \
    X(healthchecks, "healthchecks")                              \
    X(moves, "breaker moves asked for by hand or by a strategy") \
    X(reports, "reports to a strategy")                          \
    X(told, "events told to observers")                          \
    X(outages, "times that a service went down")                 \
    X(pools, "pools created")                                    \
    X(pools_failed, "pools whose creation failed")               \
    X(samples, "snapshots checked")                              \
    X(quiet_lent, "resources lent at rest: exactly max of each pool")

typedef struct soak_tally {
#define SOAK_COUNTER(name, text) atomic_ullong name;
    SOAK_TALLY(SOAK_COUNTER)
#undef SOAK_COUNTER
} soak_tally;

extern soak_tally tally;

#define TALLY(name) atomic_fetch_add_explicit(&tally.name, 1, memory_order_relaxed)
#define TALLIED(name) atomic_load_explicit(&tally.name, memory_order_relaxed)

/* ---- small things ---- */

int64_t soak_now_ns(void);
void soak_nap_us(unsigned us); /* may end early */

/* Prints what is wrong, the seed, the pools and what to do; ends the process with 1. */
_Noreturn void soak_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Each actor decides by dice of its own, so that what it wants follows from the seed. */
typedef struct dice {
    uint64_t state;
} dice;

dice dice_of(uint64_t number); /* the seed's, for an actor, a thread of the library, ... */
uint32_t dice_below(dice *d, uint32_t n);
static inline bool dice_one_in(dice *d, uint32_t n) { return dice_below(d, n) == 0; }

#endif

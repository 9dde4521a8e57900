/*
 * What the example programs share, and what has nothing to do with how a pool is used: the options, the threads and the
 * waves of load, the signals, the count of what was made and broken, and the checks at the end. live.c draws.
 */
#ifndef EXAMPLES_RUN_H
#define EXAMPLES_RUN_H

#include <asyncpool/pool.h>
#include <stdatomic.h>

/* What became of the resources: counted by the hooks, and by who breaks one on purpose. */
typedef struct run_census {
    atomic_uint created, destroyed, alive, most;
    atomic_uint broken_in_use, refused_by_release; /* broken before it is given back */
    atomic_uint broken_idle, refused_by_acquire;   /* broken, but before_release cannot see it */
    atomic_uint refused_by_healthcheck;            /* found before before_acquire did */
} run_census;

enum { RUN_TICK_MS = 100, RUN_BUCKETS = 25 };

typedef struct run {
    /* Set by the program before the run. */
    pool_t *pool;
    const char *unit;            /* what is done, for example "transfers" */
    const char *resources;       /* what the pool lends, for example "connections" */
    unsigned workers;            /* threads, or tasks of a loop */
    unsigned places;             /* the pool's max_size */
    int64_t total;               /* pieces of work, of all together; 0: what fits into the program's time */
    const char *_Atomic happens; /* what happens right now, 18 letters at most; NULL: there is nothing to tell */

    run_census census; /* written by the program's hooks */

    /* Written by run.c, read by live.c. */
    atomic_bool stopping;            /* a signal or a failure ends the run early */
    atomic_bool failed;              /* main's result will be 1 */
    atomic_llong done;               /* pieces of work */
    atomic_llong waits[RUN_BUCKETS]; /* how many were below 1, 2, 5, 10 us and so on */
    atomic_llong longest_ns;
    int64_t began_ns, ended_ns;
    int64_t draw_ns;   /* when to draw next */
    const char *drawn; /* what happened then */
} run_t;

/* An option whose argument is a number, or one without, if it can have one value only; a name of NULL ends the list. */
typedef struct run_option {
    const char *name;
    char letter;
    unsigned *value, least, most;
    const char *meaning;
} run_option;

/* Reads the options and catches SIGINT, SIGTERM and SIGHUP. Ends the program after --help and what is no option. */
void run_setup(int argc, char **argv, const char *about, const run_option *options);
/* The signal that was caught; 0: none. */
int run_signal(void);

/* Runs body in as many threads as there are workers, numbered from 0, until each has returned. */
void run_threads(run_t *run, void (*body)(void *context, unsigned number), void *context);
/*
 * The same for a program that runs its tasks itself, on a loop: begin, then a tick at least each RUN_TICK_MS, then end.
 * A tick draws, and closes the pool when the run has to stop early, so that nobody stays in line.
 */
void run_begin(run_t *run);
void run_tick(run_t *run);
void run_end(run_t *run);

/*
 * The load comes in waves, so that there is something to see: how long to pause before the next piece of work; 0: not
 * at all. A thread calls run_go_on(), which pauses; false: it shall return.
 */
unsigned run_pause_ms(const run_t *run);
bool run_go_on(run_t *run);

/* An acquire that was begun at a time has ended: notes how long it took. True: with a resource. */
bool run_acquired(run_t *run, int64_t since_ns, pool_status_t status);
/* A release has ended. */
void run_released(run_t *run, pool_status_t status);
/* Something went wrong: says so and stops the run. run_fail_call() adds what pool_last_error() knows. */
void run_fail(run_t *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
void run_fail_call(run_t *run, const char *what);

/* For the factory and the destructor. */
void run_created(run_t *run);
void run_destroyed(run_t *run);

/*
 * The end: prints what was done in which time, and how long was waited; then the first checks, that all was done, that
 * everything created was destroyed, and that the hooks found what was broken. The program adds its own.
 */
void run_summary(run_t *run);
void run_check(run_t *run, bool good, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* main's result: 0, 1 after a failure or a check that went wrong, 128 + n after signal n. */
int run_result(const run_t *run);

/* A temporary folder: /tmp/asyncpool-NAME-XXXXXX. False: it could not be made, and folder is empty. */
bool run_make_folder(char folder[64], const char *name);
/* Removes a folder and all that is in it; an empty name is nothing. */
void run_remove_folder(const char *folder);

/* The monotonic clock. */
int64_t run_now_ns(void);
void run_sleep_ms(long ms);

#endif

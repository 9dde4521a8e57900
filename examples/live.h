/*
 * What the example programs share: they run threads, or the tasks of a loop, over a pool, show how
 * it is used while they run, and print at the end how long was waited and whether everything came
 * out right.
 *
 * On a terminal the picture is one line, redrawn ten times a second; elsewhere it is a plain line
 * each second. Block characters are used where the locale is UTF-8, colours unless NO_COLOR is set.
 */
#ifndef EXAMPLES_LIVE_H
#define EXAMPLES_LIVE_H

#include <asyncpool/pool.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct live live_t;

struct live {
    /* Set before live_run() or live_begin(). */
    pool_t *pool;
    const char *unit; /* what the threads do, for example "transfers" */
    int64_t total;    /* how many of them */
    unsigned threads; /* or tasks */
    void (*body)(live_t *live, unsigned number); /* runs once in each thread, numbered from 0 */
    void *context;                               /* for body */
    const char *waits_in; /* what is timed by live_waited(); NULL: pool_acquire() */

    /* Written by live.c. */
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    unsigned running;
    atomic_bool stopping;
    char failure[512]; /* the first one; empty: none */
    int64_t began_ns, ended_ns;
    atomic_llong done;
    int64_t *waits; /* in ns, one for each live_waited() */
    atomic_llong wait_count;
    unsigned in_flight;           /* the most at once since the last picture; 0: nobody says */
    int64_t next_ns;              /* when to draw next */
    int64_t shown_done, shown_ns; /* when the rate was last worked out */
    double rate;
};

/* What became of the connections: counted by the hooks, and by who breaks one on purpose. */
typedef struct live_census {
    atomic_uint created, destroyed, alive, peak;
    atomic_uint broken_in_use, refused_by_release; /* broken before it is given back */
    atomic_uint broken_idle, refused_by_acquire;   /* broken, but before_release cannot see it */
    atomic_uint refused_by_healthcheck;            /* found before before_acquire did */
} live_census;

/* A number as text; lives until the end of the expression it is made in. */
typedef struct live_text {
    char s[32];
} live_text;

/* Looks at the terminal and catches SIGINT, SIGTERM and SIGHUP. Call it before all that follows. */
void live_setup(live_t *live);
/* The argument of an option; ends the program with an explanation when it is out of range. */
unsigned live_option(const char *name, const char *text, unsigned least, unsigned most);
/* The signal that was caught; 0: none. */
int live_signal(void);

/*
 * Runs body in all threads and draws until each has returned. When it has to stop early (a signal,
 * a failure) it closes the pool, so that no thread stays in line.
 */
void live_run(live_t *live);
/*
 * The same for a program that runs its tasks itself, on a loop: begin, then a tick at least each
 * LIVE_TICK_MS, then end. A tick answers true when the program shall stop early: it closes the pool
 * then. False from begin: no memory; live_fail() was called.
 */
enum { LIVE_TICK_MS = 100 };
bool live_begin(live_t *live);
bool live_tick(live_t *live);
void live_end(live_t *live);
/*
 * For body, before each piece of work: false when the thread shall return. The load comes in waves,
 * so that there is something to see: in a lull this pauses first.
 */
bool live_go_on(live_t *live);
/* For a task of a loop: how long to pause before the next piece of work; 0: not at all. */
unsigned live_pause_ms(const live_t *live);
/* For a task of a loop: so many pieces of work are under way at once. */
void live_in_flight(live_t *live, unsigned n);
/* For body: it waited that long for the pool. */
void live_waited(live_t *live, int64_t ns);
/* For body: a piece of work is finished. */
void live_done(live_t *live);
/* Something went wrong; the run stops, and live_exit_code() says so. */
void live_fail(live_t *live, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same after a pool function failed: adds what pool_last_error() knows. */
void live_fail_call(live_t *live, const char *what);

void live_census_created(live_census *census);
void live_census_destroyed(live_census *census);

/* Throughput and a histogram of the wait times, and the first check: everything was done. */
bool live_summary(live_t *live);
/* Prints one result, good or bad, and returns it. */
bool live_check(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* All were destroyed, never more than max were open, and the hooks found those that were broken. */
bool live_check_census(const live_census *census, unsigned max);
/* Frees the waits; main's result: 0, 1 after a failure, 128 + n after signal n. Says which. */
int live_exit_code(live_t *live, bool checks_good);

/* The monotonic clock. */
int64_t live_now_ns(void);
void live_sleep_ms(long ms);
/* 1234567 as "1,234,567". */
live_text live_count(int64_t n);

#endif

/*
 * Passes of healthchecks: who begins them, and what a pool keeps about its own. See sweeper.c and part.c.
 */
#ifndef ASYNCPOOL_SWEEPER_H
#define ASYNCPOOL_SWEEPER_H

#include "schedule.h"
#include "wheel.h"

#include <pthread.h>

typedef struct ap_pool ap_pool_t;

/* The passes of one pool. With POOL_F_REACTOR they are the reactor's, and run in parts. */
typedef struct ap_sweep {
    ap_due_t due;        /* the next pass, in the schedule of the library's threads */
    int64_t interval_ns; /* 0: there are no passes */
    pthread_t runner;    /* the thread that a pass runs on, while one runs */
    ap_timer_t timer;    /* in the reactor; while it is set or queued it keeps the pool */
    bool running;        /* a pass runs */
    bool cancelled;      /* no pass begins any more */
    bool again;          /* the next pass is due as soon as this one has ended */
    uint8_t goes_on;     /* a pass has been run in part: the flags of the next part, which begins with these; 0: none */
    uint32_t pass, visits, plan;
} ap_sweep_t;

#pragma GCC visibility push(hidden)

/* Schedules the pool's passes; false: no thread could be started. */
bool ap__sweeper_start(ap_pool_t *pool);
/* Takes the pool off the schedule; no pass begins after it. Not under the pool's lock. */
void ap__sweeper_cancel(ap_pool_t *pool);
/* Has the next pass begin at once, if the pool has passes by now. Not under the pool's lock. */
void ap__sweeper_hurry(ap_pool_t *pool);
/* Waits until no pass of the pool runs, unless this is a thread of the library or the one that runs it. */
void ap__sweeper_wait(ap_pool_t *pool);

/*
 * Runs the pool's pass, or goes on with it, until it is over or about *most hooks were called, which are counted off.
 * pool->sweep.goes_on says whether there is more to do.
 */
void ap__sweep_part(ap_pool_t *pool, int *most);

#pragma GCC visibility pop

#endif

/*
 * The counting fixture: hooks that count their calls, log them in order, can be scripted call by call,
 * and resources that know when they are lent twice or destroyed twice.
 */
#ifndef ASYNCPOOL_FIXTURE_H
#define ASYNCPOOL_FIXTURE_H

#include "check.h"

typedef enum fx_hook {
    FX_FACTORY,
    FX_DESTRUCTOR,
    FX_HEALTHCHECK,
    FX_BEFORE_ACQUIRE,
    FX_BEFORE_RELEASE,
    FX_HOOKS
} fx_hook;

typedef struct fx_resource {
    int id; /* 1, 2, 3, ... in order of factory calls that succeeded */
    atomic_int owned;
    atomic_int destroyed;
} fx_resource;

/* A script decides one call: it may block, call the pool, set an error. call counts from 1 for each
 * hook. For the factory r is NULL; for the destructor the outcome is ignored. */
typedef bool (*fx_script)(pool_t *pool, fx_resource *r, int call);
/* Says no to every call, and to the first alone. */
bool fx_refuse(pool_t *pool, fx_resource *r, int call);
bool fx_refuse_first(pool_t *pool, fx_resource *r, int call);

/* Which hooks a fixture pool gets; factory and destructor always. */
#define FX_WITH_ACQUIRE 1u
#define FX_WITH_RELEASE 2u
#define FX_WITH_HEALTHCHECK 4u
#define FX_WITH_ALL 7u

typedef struct fx_state {
    fx_script script[FX_HOOKS]; /* NULL: succeed */
    atomic_int calls[FX_HOOKS];
    atomic_int created;   /* resources made */
    atomic_int destroyed; /* resources ended */
    atomic_int peak;      /* most that were alive at once */
    bool quiet;           /* do not log (stress tests) */
} fx_state;

extern fx_state fx;

/* A pool of fixture resources; fails the test if it cannot be made. */
pool_t *fx_pool(unsigned hooks, uint32_t min, uint32_t max);
/* The same arguments, NULL if creation fails. */
pool_t *fx_try_pool(unsigned hooks, uint32_t min, uint32_t max);
/* Borrows; checks that nobody else holds it. On failure NULL, and status says why. */
fx_resource *fx_acquire(pool_t *pool, int64_t timeout_ms, pool_status_t *status);
fx_resource *fx_try(pool_t *pool, pool_status_t *status);
/* Borrows or fails the test. */
fx_resource *fx_take(pool_t *pool);
/* Gives back; fails the test unless POOL_OK. */
void fx_give(pool_t *pool, fx_resource *r);
/* Hook calls so far, of all hooks. */
int fx_calls(void);
/* Resources alive now: created minus destroyed. */
int fx_live(void);
/* "factory(1) before_acquire(1) destructor(1)": every hook call so far, in order. */
const char *fx_log(void);
void fx_log_clear(void);
/* Drops the reference and checks that every resource was destroyed exactly once and no pool is left. */
void fx_finish(pool_t *pool);

/* The last call of this thread left this status, and a text with these words. */
#define FX_SAID(status, words) fx_said(__FILE__, __LINE__, (status), (words))
void fx_said(const char *file, int line, pool_status_t status, const char *words);

/* A thread that calls pool_acquire(timeout_ms); started, it is in line or finished. */
typedef struct fx_caller {
    pool_t *pool;
    int64_t timeout_ms;
    pthread_t thread;
    fx_resource *got;
    pool_status_t status;
    int order; /* place in the order in which callers finished, from 1 */
    atomic_int done;
} fx_caller;

/* Starts a caller, without waiting for it. */
void fx_start(fx_caller *caller, pool_t *pool, int64_t timeout_ms);
/* Starts a caller and returns once pool_waiting_count() has risen by one. */
void fx_start_waiting(fx_caller *caller, pool_t *pool, int64_t timeout_ms);
/* Waits until the caller has finished. */
void fx_join(fx_caller *caller);

#endif

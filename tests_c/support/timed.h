/*
 * Pools that the library checks by itself, each with counts of its own. Where a test has to show
 * that nothing happens, it lets another pool have its passes meanwhile.
 */
#ifndef ASYNCPOOL_TIMED_H
#define ASYNCPOOL_TIMED_H

#include "check.h"

typedef struct timed timed;

typedef struct timed_resource {
    int id;          /* 1, 2, 3, ... of its pool */
    atomic_int used; /* lent, or inside a hook */
} timed_resource;

/* Decides one call of a hook; call counts from 1 for each hook. For a factory r is NULL. */
typedef bool (*timed_script)(pool_t *pool, timed *state, timed_resource *r, int call);

/* A pool's user_data. Zero is a good beginning; the scripts are set before the pool is made. */
struct timed {
    timed_script factory, destructor, healthcheck; /* NULL: succeed */
    check_gate gate;                               /* for scripts; see TIMED_INIT */
    atomic_int creations, made, destructions, ended, checks;
    atomic_int in_hook; /* hooks that run now */
    atomic_bool over;   /* no hook may begin any more */
    atomic_int mark;    /* for scripts */
};

#define TIMED_INIT              \
    {                           \
        .gate = CHECK_GATE_INIT \
    }

/* A pool that is checked every interval_ms. flags are those of the configuration. */
pool_t *timed_pool(timed *state, uint32_t min, uint32_t max, uint32_t interval_ms, uint32_t flags);
/* The same without a check of the answer. */
pool_status_t timed_try_pool(timed *state, uint32_t min, uint32_t max, uint32_t interval_ms, uint32_t flags,
                             pool_t **out);
timed_resource *timed_take(pool_t *pool);
void timed_give(pool_t *pool, timed_resource *r);
/* Closes it; no hook may run or begin after that. */
void timed_close(timed *state, pool_t *pool);
/* Closes it, drops the reference, and checks that every resource was ended. */
void timed_end(timed *state, pool_t *pool);

/* A pool of one resource, to measure time with: one check is one pass. */
pool_t *timed_clock(timed *state);
/* Waits for n more passes of it. */
void timed_passes(timed *clock, int n);

#endif

/* How calls end that lend or take back without an op: lend.c, by word, and lease.c, by lease. */
#ifndef ASYNCPOOL_LEND_H
#define ASYNCPOOL_LEND_H

#include "crowd.h"
#include "fast.h"
#include "whose.h"

/* Is the fast path used? In a build without it (see fast.h) hosts that drive ops ask for it by name all the same. */
static inline bool ap__is_fast(const ap_pool_t *pool) { return AP_FAST || pool->flags & POOL_F_HOST_DRIVEN; }

/* Somebody may sleep for the lock that the fast path has given up. */
static __attribute__((noinline, unused)) pool_status_t ap__wake_next(ap_bed_t *bed)
{
    ap__lock_wake(bed);
    return POOL_OK;
}

static inline pool_status_t ap__fast_end(ap_pool_t *pool)
{
    ap_bed_t *bed = ap__lock_drop(&pool->lock);
    return AP_UNLIKELY(bed != NULL) ? ap__wake_next(bed) : POOL_OK;
}

/* The same of a pool that keeps some idle: fewer may be so now, and a pass is to begin. */
static inline pool_status_t ap__kept_end(ap_pool_t *pool)
{
    if (AP_LIKELY(!pool->state.prompt))
        return ap__fast_end(pool);
    ap__change_end(pool, ap__change_begin(pool));
    return POOL_OK;
}

/* The ends of an acquire and of a release in the fast path. */
static inline pool_status_t ap__lent(ap_pool_t *pool, void *const *resource)
{
    AP_TRACE_ACQUIRE(pool, *resource, POOL_OK);
    return ap__fast_end(pool);
}

static inline pool_status_t ap__lent_kept(ap_pool_t *pool, void *const *resource)
{
    AP_TRACE_ACQUIRE(pool, *resource, POOL_OK);
    return ap__kept_end(pool);
}

static inline pool_status_t ap__given(ap_pool_t *pool, void *resource)
{
    AP_TRACE_RELEASE(pool, resource, POOL_OK);
    return ap__fast_end(pool);
}

/* Under the lock: the time, for a pool that has to know it. */
static inline void ap__look_at_clock(ap_pool_t *pool)
{
    if (ap__reads_clock(&pool->state))
        ap__tick(&pool->state, ap__now());
}

/* Others have the lock meanwhile. */
static __attribute__((noinline, unused)) void ap__let_run(ap_pool_t *pool)
{
    ap__crowd_let_run(pool);
    ap__whose_now(pool);
}

/* Wakes the first in line, to whom the place went. */
static __attribute__((noinline, unused)) pool_status_t ap__hand_over(ap_pool_t *pool)
{
    ap__crowd_hand_over(pool);
    bool dead = ap__unlock_and_wake(pool);
    if (AP_UNLIKELY(dead)) /* the last reference went while this woke many: it was the last in here */
        ap__free(pool);
    return POOL_OK;
}

#endif

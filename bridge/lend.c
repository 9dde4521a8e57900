/*
 * Lending and taking back: pool_acquire(), pool_try_acquire(), pool_take(), pool_release() and pool_give(). What needs no
 * decision is done here, under the lock, by the fast path of fast.h; everything else begins an op, or is left to who asks.
 *
 * An uncontended pair costs one locked operation each way and no stack frame: each function ends in a tail call
 * wherever it leaves the common case, and what is not common is not inlined.
 */
#include "lend.h"

static __attribute__((noinline)) pool_status_t acquire_refused(pool_t *pool, void **resource, int64_t timeout_ms)
{
    const char *function = "pool_acquire";
    if (!resource)
        return ap__fail(POOL_ERR_INVALID, function, "resource is NULL");
    *resource = NULL;
    AP_REFUSE_FORKED(function);
    if (!ap__pool(pool))
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    if (timeout_ms < 0)
        return ap__fail(POOL_ERR_INVALID, function, "timeout_ms is negative; 0 waits for ever");
    return ap__fail(POOL_ERR_INVALID, function, "the pool is host-driven: use pool_op_acquire()");
}

static AP_HOT __attribute__((noinline)) pool_status_t acquire_by_op(ap_pool_t *pool, void **resource,
                                                                    int64_t timeout_ms)
{
    int64_t deadline = ap__deadline(timeout_ms);
    if (ap__has_ages(&pool->state) && deadline != AP_NEVER)
        ap__tick(&pool->state, deadline - timeout_ms * 1000000);
    if (AP_UNLIKELY(ap__crowd_handed_over(pool)))
        ap__let_run(pool);
    if (ap__is_fast(pool) && ap__fast_take(&pool->state, resource))
        return ap__lent_kept(pool, resource);
    *resource = NULL;
    return ap__run_locked(pool, AP_KIND_ACQUIRE, NULL, deadline, resource);
}

/* What takes more than the short ways, and no op. */
static AP_HOT __attribute__((noinline)) pool_status_t acquire_long(ap_pool_t *pool, void **resource, int64_t timeout_ms)
{
    ap__whose_now(pool);
    if (ap__is_fast(pool) && AP_LIKELY(pool->state.gate & AP_GATE_KEPT && ap__fast_take(&pool->state, resource)))
        return ap__lent_kept(pool, resource);
    return acquire_by_op(pool, resource, timeout_ms);
}

/* The short way of pools that keep records. */
static AP_HOT AP_LANE __attribute__((noinline)) pool_status_t acquire_aged(ap_pool_t *pool, void **resource,
                                                                           int64_t timeout_ms)
{
    if (ap__is_fast(pool) && !ap__whose_noted(pool) && AP_LIKELY(ap__fast_take_short(&pool->state, resource, true)))
        return ap__lent(pool, resource);
    return acquire_long(pool, resource, timeout_ms);
}

static inline pool_status_t acquire_locked(ap_pool_t *pool, void **resource, int64_t timeout_ms)
{
    if (ap__is_fast(pool) && AP_LIKELY(ap__fast_take_short(&pool->state, resource, false)))
        return ap__lent(pool, resource);
    return acquire_aged(pool, resource, timeout_ms);
}

static __attribute__((noinline)) pool_status_t acquire_later(ap_pool_t *pool, void **resource, int64_t timeout_ms)
{
    ap__lock_wait(&pool->lock);
    return acquire_locked(pool, resource, timeout_ms);
}

AP_HOT AP_LANE pool_status_t pool_acquire(pool_t *pool, void **resource, int64_t timeout_ms)
{
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(!resource || ap__forked || !p || timeout_ms < 0 || p->flags & POOL_F_HOST_DRIVEN))
        return acquire_refused(pool, resource, timeout_ms);
    return ap__lock_try(&p->lock) ? acquire_locked(p, resource, timeout_ms) : acquire_later(p, resource, timeout_ms);
}

pool_status_t pool_try_acquire(pool_t *pool, void **resource)
{
    if (AP_UNLIKELY(!resource))
        return ap__fail(POOL_ERR_INVALID, "pool_try_acquire", "resource is NULL");
    *resource = NULL;
    AP_REFUSE_FORKED("pool_try_acquire");
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(!p))
        return ap__fail(POOL_ERR_INVALID, "pool_try_acquire", "pool is NULL or no pool");
    ap__lock(p);
    ap__whose_now(p);
    if (ap__is_fast(p) && ap__fast_take(&p->state, resource))
        return ap__lent_kept(p, resource);
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__host_try(p);
    return ap__run_locked(p, AP_KIND_TRY, NULL, AP_NEVER, resource);
}

static __attribute__((noinline)) void *take_refused(const pool_t *pool)
{
    ap__pool_for("pool_take", pool); /* tells why */
    return NULL;
}

/* What takes more than the short way of pool_take(). */
static AP_HOT __attribute__((noinline)) void *take_long(ap_pool_t *pool)
{
    void *resource = NULL;
    ap__whose_now(pool);
    if (ap__fast_take(&pool->state, &resource))
        AP_TRACE_ACQUIRE(pool, resource, POOL_OK);
    ap__kept_end(pool);
    return resource;
}

static __attribute__((noinline)) void *take_later(ap_pool_t *pool)
{
    ap__lock_wait(&pool->lock);
    return take_long(pool);
}

AP_HOT AP_LANE void *pool_take(pool_t *pool)
{
    ap_pool_t *p = ap__pool(pool);
    void *resource;
    if (AP_UNLIKELY(ap__forked || !p))
        return take_refused(pool);
    if (!ap__lock_try(&p->lock))
        return take_later(p);
    if (!AP_LIKELY(ap__fast_take_short(&p->state, &resource, false)))
        return take_long(p);
    ap__lent(p, &resource);
    return resource;
}

static __attribute__((noinline)) pool_status_t release_refused(const char *function)
{
    AP_REFUSE_FORKED(function);
    return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
}

/* It takes an op, and who asks is to drive it. */
static __attribute__((noinline)) pool_status_t give_by_op(ap_pool_t *pool, void *resource)
{
    return ap__host_give(pool, resource, ap__registry_lent(&pool->state.registry, resource, &(uint32_t){0}) != NULL);
}

/* What takes more than the short ways. may: the fast path may be used; by_op: otherwise. */
static inline pool_status_t give_in_line(ap_pool_t *pool, void *resource, bool may,
                                         pool_status_t (*by_op)(ap_pool_t *, void *))
{
    ap__look_at_clock(pool);
    bool host_driven_line = pool->state.waiting > 0 && pool->flags & POOL_F_HOST_DRIVEN;
    ap_hold_t hold = ap__holds(pool) ? ap__hold_end(pool, resource, 0) : (ap_hold_t){0, 0};
    if (!may || host_driven_line || !ap__fast_give(&pool->state, resource))
        return by_op(pool, resource);
    if (AP_UNLIKELY(hold.weight))
        ap__hold_count(pool, hold);
    AP_TRACE_RELEASE(pool, resource, POOL_OK);
    return pool->state.ready.head != NULL ? ap__hand_over(pool) : ap__kept_end(pool);
}

static AP_HOT __attribute__((noinline)) pool_status_t release_by_op(ap_pool_t *pool, void *resource)
{
    if (pool->flags & POOL_F_HOST_DRIVEN)
        return give_by_op(pool, resource);
    return ap__run_locked(pool, AP_KIND_RELEASE, resource, AP_NEVER, NULL);
}

static AP_HOT __attribute__((noinline)) pool_status_t release_in_line(ap_pool_t *pool, void *resource)
{
    return give_in_line(pool, resource, ap__is_fast(pool), release_by_op);
}

/* The short way of pools that keep records. */
static AP_HOT AP_LANE __attribute__((noinline)) pool_status_t release_aged(ap_pool_t *pool, void *resource,
                                                                           uint32_t hash)
{
    if (ap__is_fast(pool) && !ap__holds(pool) && !ap__reads_clock(&pool->state) &&
        AP_LIKELY(ap__fast_give_short(&pool->state, resource, hash, true)))
        return ap__given(pool, resource);
    return release_in_line(pool, resource);
}

static inline pool_status_t release_locked(ap_pool_t *pool, void *resource, uint32_t hash)
{
    if (ap__is_fast(pool) && AP_LIKELY(ap__fast_give_short(&pool->state, resource, hash, false)))
        return ap__given(pool, resource);
    return release_aged(pool, resource, hash);
}

static __attribute__((noinline)) pool_status_t release_later(ap_pool_t *pool, void *resource, uint32_t hash)
{
    ap__lock_wait(&pool->lock);
    return release_locked(pool, resource, hash);
}

AP_HOT AP_LANE pool_status_t pool_release(pool_t *pool, void *resource)
{
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(ap__forked || !p))
        return release_refused("pool_release");
    uint32_t hash = ap__registry_hash(p->seed, (uintptr_t)resource);
    return ap__lock_try(&p->lock) ? release_locked(p, resource, hash) : release_later(p, resource, hash);
}

/* What takes more than the short way of pool_give(). */
static AP_HOT __attribute__((noinline)) pool_status_t give_long(ap_pool_t *pool, void *resource)
{
    return give_in_line(pool, resource, true, give_by_op);
}

static __attribute__((noinline)) pool_status_t give_later(ap_pool_t *pool, void *resource)
{
    ap__lock_wait(&pool->lock);
    return give_long(pool, resource);
}

AP_HOT AP_LANE pool_status_t pool_give(pool_t *pool, void *resource)
{
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(ap__forked || !p))
        return release_refused("pool_give");
    uint32_t hash = ap__registry_hash(p->seed, (uintptr_t)resource);
    if (!ap__lock_try(&p->lock))
        return give_later(p, resource);
    return AP_LIKELY(ap__fast_give_short(&p->state, resource, hash, false))
               ? ap__given(p, resource)
               : give_long(p, resource);
}

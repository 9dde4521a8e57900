/*
 * Lending and taking back by lease: as lend.c does by word, with the id of the lend beside the word. An id says where
 * its entry is, so nothing is hashed; what the fast path does is in fast.h, and ids are those of lease.h and
 * pool/core/lease.go.
 */
#include "lend.h"

static __attribute__((noinline)) pool_status_t acquire_refused(pool_t *pool, pool_lease_t *lease, int64_t timeout_ms)
{
    const char *function = "pool_acquire_lease";
    if (!lease)
        return ap__fail(POOL_ERR_INVALID, function, "lease is NULL");
    *lease = (pool_lease_t){NULL, 0};
    AP_REFUSE_FORKED(function);
    if (!ap__pool(pool))
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    if (timeout_ms < 0)
        return ap__fail(POOL_ERR_INVALID, function, "timeout_ms is negative; 0 waits for ever");
    return ap__fail(POOL_ERR_INVALID, function,
                    "the pool is host-driven: use pool_op_acquire(), whose end tells the id");
}

/* By an op, with the lock held, which is given up. */
static AP_HOT pool_status_t run_locked(ap_pool_t *pool, uint8_t kind, int64_t deadline, pool_lease_t *lease)
{
    ap_op_t op;
    ap__op_init(&op, pool, kind, NULL, deadline);
    op.by_lease = AP_LEASE_WANTED;
    *lease = (pool_lease_t){NULL, 0};
    pool_status_t status = ap__run_op_locked(&op, &lease->resource);
    if (status == POOL_OK)
        lease->id = op.lease;
    return status;
}

static AP_HOT __attribute__((noinline)) pool_status_t acquire_by_op(ap_pool_t *pool, pool_lease_t *lease,
                                                                    int64_t timeout_ms)
{
    int64_t deadline = ap__deadline(timeout_ms);
    if (ap__has_ages(&pool->state) && deadline != AP_NEVER)
        ap__tick(&pool->state, deadline - timeout_ms * 1000000);
    if (AP_UNLIKELY(ap__crowd_handed_over(pool)))
        ap__let_run(pool);
    if (ap__is_fast(pool) && ap__fast_take_lease(&pool->state, lease))
        return ap__lent_kept(pool, &lease->resource);
    return run_locked(pool, AP_KIND_ACQUIRE, deadline, lease);
}

/* What takes more than the short ways, and no op. */
static AP_HOT __attribute__((noinline)) pool_status_t acquire_long(ap_pool_t *pool, pool_lease_t *lease,
                                                                   int64_t timeout_ms)
{
    ap__whose_now(pool);
    if (ap__is_fast(pool) && AP_LIKELY(pool->state.gate & AP_GATE_KEPT && ap__fast_take_lease(&pool->state, lease)))
        return ap__lent_kept(pool, &lease->resource);
    return acquire_by_op(pool, lease, timeout_ms);
}

/* The short way of pools that keep records. */
static AP_HOT AP_LANE __attribute__((noinline)) pool_status_t acquire_aged(ap_pool_t *pool, pool_lease_t *lease,
                                                                           int64_t timeout_ms)
{
    if (ap__is_fast(pool) && !ap__whose_noted(pool) && AP_LIKELY(ap__fast_take_lease_short(&pool->state, lease, true)))
        return ap__lent(pool, &lease->resource);
    return acquire_long(pool, lease, timeout_ms);
}

static inline pool_status_t acquire_locked(ap_pool_t *pool, pool_lease_t *lease, int64_t timeout_ms)
{
    if (ap__is_fast(pool) && AP_LIKELY(ap__fast_take_lease_short(&pool->state, lease, false)))
        return ap__lent(pool, &lease->resource);
    return acquire_aged(pool, lease, timeout_ms);
}

static __attribute__((noinline)) pool_status_t acquire_later(ap_pool_t *pool, pool_lease_t *lease, int64_t timeout_ms)
{
    ap__lock_wait(&pool->lock);
    return acquire_locked(pool, lease, timeout_ms);
}

AP_HOT AP_LANE pool_status_t pool_acquire_lease(pool_t *pool, pool_lease_t *lease, int64_t timeout_ms)
{
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(!lease || ap__forked || !p || timeout_ms < 0 || p->flags & POOL_F_HOST_DRIVEN))
        return acquire_refused(pool, lease, timeout_ms);
    return ap__lock_try(&p->lock) ? acquire_locked(p, lease, timeout_ms) : acquire_later(p, lease, timeout_ms);
}

pool_status_t pool_try_acquire_lease(pool_t *pool, pool_lease_t *lease)
{
    const char *function = "pool_try_acquire_lease";
    if (AP_UNLIKELY(!lease))
        return ap__fail(POOL_ERR_INVALID, function, "lease is NULL");
    *lease = (pool_lease_t){NULL, 0};
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(!p))
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    ap__lock(p);
    ap__whose_now(p);
    if (ap__is_fast(p) && ap__fast_take_lease(&p->state, lease))
        return ap__lent_kept(p, &lease->resource);
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__host_try(p);
    return run_locked(p, AP_KIND_TRY, AP_NEVER, lease);
}

/* ---- the end of a lend ---- */

/* The word says nothing, but to who watches. */
static pool_status_t end_by_op(ap_pool_t *pool, uint8_t kind, const pool_lease_t *lease)
{
    ap_op_t op;
    ap__op_init(&op, pool, kind, lease->resource, AP_NEVER);
    op.by_lease = AP_LEASE_WANTED;
    op.lease = lease->id;
    return ap__run_op_locked(&op, NULL);
}

/* The pool, for a call that gives back; NULL, and *status says why. */
static ap_pool_t *pool_for(pool_t *pool, const pool_lease_t *lease, const char *function, pool_status_t *status)
{
    ap_pool_t *p = ap__forked ? NULL : ap__pool(pool);
    if (AP_LIKELY(p && lease))
        return p;
    *status = ap__forked ? ap__fail(POOL_ERR_FORKED, NULL, function)
                         : ap__fail(POOL_ERR_INVALID, function, p ? "lease is NULL" : "pool is NULL or no pool");
    return NULL;
}

static __attribute__((noinline)) pool_status_t release_refused(pool_t *pool, const pool_lease_t *lease)
{
    pool_status_t status = POOL_OK;
    pool_for(pool, lease, "pool_release_lease", &status);
    return status;
}

static AP_HOT __attribute__((noinline)) pool_status_t release_by_op(ap_pool_t *pool, const pool_lease_t *lease)
{
    if (pool->flags & POOL_F_HOST_DRIVEN)
        return ap__host_give(pool, lease->resource,
                             ap__lease_find(&pool->state.registry, lease->id, &(uint32_t){0}) != NULL);
    return end_by_op(pool, AP_KIND_RELEASE, lease);
}

/* What takes more than the short way. */
static AP_HOT __attribute__((noinline)) pool_status_t release_in_line(ap_pool_t *pool, const pool_lease_t *lease)
{
    ap__look_at_clock(pool);
    bool host_driven_line = pool->state.waiting > 0 && pool->flags & POOL_F_HOST_DRIVEN;
    ap_hold_t hold = ap__holds(pool) ? ap__hold_end_lease(pool, lease->id, 0) : (ap_hold_t){0, 0};
    if (!ap__is_fast(pool) || host_driven_line || !ap__fast_give_lease(&pool->state, lease->id))
        return release_by_op(pool, lease);
    if (AP_UNLIKELY(hold.weight))
        ap__hold_count(pool, hold);
    AP_TRACE_RELEASE(pool, lease->resource, POOL_OK);
    return pool->state.ready.head != NULL ? ap__hand_over(pool) : ap__kept_end(pool);
}

/* The short way of pools that keep records. */
static AP_HOT AP_LANE __attribute__((noinline)) pool_status_t release_aged(ap_pool_t *pool, const pool_lease_t *lease)
{
    if (ap__is_fast(pool) && !ap__holds(pool) && !ap__reads_clock(&pool->state) &&
        AP_LIKELY(ap__fast_give_lease_short(&pool->state, lease->id, true)))
        return ap__given(pool, lease->resource);
    return release_in_line(pool, lease);
}

static inline pool_status_t release_locked(ap_pool_t *pool, const pool_lease_t *lease)
{
    if (ap__is_fast(pool) && AP_LIKELY(ap__fast_give_lease_short(&pool->state, lease->id, false)))
        return ap__given(pool, lease->resource);
    return release_aged(pool, lease);
}

static __attribute__((noinline)) pool_status_t release_later(ap_pool_t *pool, const pool_lease_t *lease)
{
    ap__lock_wait(&pool->lock);
    return release_locked(pool, lease);
}

AP_HOT AP_LANE pool_status_t pool_release_lease(pool_t *pool, const pool_lease_t *lease)
{
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(ap__forked || !p || !lease))
        return release_refused(pool, lease);
    return ap__lock_try(&p->lock) ? release_locked(p, lease) : release_later(p, lease);
}

static pool_status_t end_lend(pool_t *pool, const pool_lease_t *lease, const char *function, const char *op,
                              uint8_t kind)
{
    pool_status_t status;
    ap_pool_t *p = pool_for(pool, lease, function, &status);
    if (!p)
        return status;
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__fail(POOL_ERR_INVALID, function, op);
    ap__lock(p);
    return end_by_op(p, kind, lease);
}

pool_status_t pool_discard_lease(pool_t *pool, const pool_lease_t *lease)
{
    return end_lend(pool, lease, "pool_discard_lease", "the pool is host-driven: use pool_op_discard_lease()",
                    AP_KIND_DISCARD);
}

pool_status_t pool_detach_lease(pool_t *pool, const pool_lease_t *lease)
{
    return end_lend(pool, lease, "pool_detach_lease", "the pool is host-driven: use pool_op_detach_lease()",
                    AP_KIND_DETACH);
}

/* ---- ids ---- */

/* Registry.leasable */
static uint64_t *ids_of(ap_registry_t *g, uint32_t i)
{
    ap_leases_t *l = &g->leases;
    uint32_t number = i >> AP_PAGE_BITS;
    uint64_t *last = ap__lease_last(g, i);
    if (last)
        return last;
    if (number > l->more_cap) {
        uint64_t **more = ap__alloc(AP_WORD, g->more_cap * sizeof *more);
        if (!more)
            return NULL;
        for (uint32_t k = 0; k < l->more_cap; k++)
            more[k] = l->more[k];
        ap__dealloc(l->more);
        l->more = more;
        l->more_cap = g->more_cap;
    }
    const ap_page_t *page = number == 0 ? &g->first : &g->more[number - 1];
    uint64_t *ids = ap__alloc(AP_WORD, page->cap * sizeof *ids);
    if (ids && number == 0)
        l->first = ids;
    else if (ids)
        l->more[number - 1] = ids;
    return ids ? ap__lease_last(g, i) : NULL;
}

/* Registry.newBlock */
static bool new_block(ap_registry_t *g, uint32_t i)
{
    ap_leases_t *l = &g->leases;
    uint64_t step = l->step ? l->step : 1;
    while (step <= i || step < g->cap)
        step *= 2;
    uint64_t base = ap__ids(step * AP_LEASES_OF_ENTRY);
    if (base == 0)
        return false;
    l->step = step;
    l->base = base;
    l->room = step * (AP_LEASES_OF_ENTRY - 1);
    return true;
}

uint64_t ap__lease_room(ap_registry_t *g, uint32_t i)
{
    const uint64_t *last = ids_of(g, i);
    if (!last)
        return 0;
    uint64_t id = ap__lease_next(&g->leases, i, *last);
    return id == 0 && new_block(g, i) ? g->leases.base + i : id;
}

uint64_t ap__ids(uint64_t n)
{
    static _Atomic uint64_t given; /* the last one */
    uint64_t last = atomic_load_explicit(&given, memory_order_relaxed), first;
    do {
        first = (last / n + 1) * n;
        if (first < last || first + (n - 1) < first) /* there are no more */
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(
        &given, &last, first + (n - 1), memory_order_relaxed, memory_order_relaxed));
    return first;
}

/*
 * The life of a pool: references, closing by the last of them, and freeing.
 *
 * The memory stays while anything refers to the pool: a reference, a resource that is active (lent, or
 * in a hook), or an op that is not done. All three are counted under the lock, so exactly one caller
 * sees the last of them go, and frees.
 */
#include "go.h"
#include "reactor.h"

static atomic_uint live;

uint32_t pool_debug_live(void) { return ap__forked ? 0 : atomic_load(&live); }

void ap__born(void) { atomic_fetch_add(&live, 1); }

bool ap__is_dead(const ap_pool_t *pool)
{
    bool broken = pool->state.gate & AP_GATE_BROKEN; /* its counts are not to be believed */
    return pool->pub.event.ref_count == 0 && pool->state.active == 0 && pool->state.ops == 0 && !broken;
}

/* All pages of the registry. */
static void free_registry(ap_registry_t *g)
{
    for (uint32_t i = 1; i < g->pages; i++)
        ap__dealloc(g->more[i - 1].entries); /* NULL of a hole */
    for (uint32_t i = 0; i < g->leases.more_cap; i++)
        ap__dealloc(g->leases.more[i]);
    ap__dealloc(g->leases.more);
    ap__dealloc(g->leases.first);
    for (uint32_t i = 1; i < g->room >> AP_PAGE_BITS; i++)
        ap__dealloc(g->more_buckets[i - 1]);
    ap__dealloc(g->more);
    ap__dealloc(g->more_buckets);
    ap__dealloc(g->first.entries);
    ap__dealloc(g->buckets);
}

void ap__free(ap_pool_t *pool)
{
    ap__pools_remove(pool);
    ap__go_free(pool->core);
    ap__event_free(pool);
    if (pool->reactor)
        ap__reactor_unref(pool->reactor);
    if (pool->strategy)
        ap__callback_free(pool->strategy);
    ap__hooks_dispose(&pool->pub);
    free_registry(&pool->state.registry);
    ap__free_spent(pool->state.spent);
    ap__poison(pool, sizeof *pool);
    ap__event_handlers(pool); /* they refuse a handle that dangles as the functions do */
    ap__quarantine(pool);
    atomic_fetch_sub(&live, 1);
}

/* ---- references and closing ---- */

pool_t *pool_ref(pool_t *pool)
{
    if (AP_UNLIKELY(ap__forked))
        return pool; /* nothing is counted in the child */
    ap_pool_t *p = ap__pool(pool);
    if (!p) {
        if (pool)
            ap__fail(POOL_ERR_INVALID, "pool_ref", "pool is no pool");
        return NULL;
    }
    ap__lock(p);
    p->pub.event.ref_count++;
    ap__unlock(p);
    return pool;
}

pool_status_t ap__close_locked(ap_pool_t *pool)
{
    ap_pool_t *pinned __attribute__((cleanup(ap__unpin), unused)) = pool;
    pool->state.ops++; /* it stays until the healthchecks have ended, and if this is unwound */
    pool_status_t status = ap__run_locked(pool, AP_KIND_CLOSE, NULL, AP_NEVER, NULL);
    ap__sweeper_wait(pool);
    return status;
}

pool_status_t pool_close(pool_t *pool)
{
    AP_REFUSE_FORKED("pool_close");
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, "pool_close", "pool is NULL or no pool");
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__fail(POOL_ERR_INVALID, "pool_close", "the pool is host-driven: use pool_op_close()");
    ap__lock(p);
    return ap__close_locked(p);
}

void pool_unref(pool_t *pool)
{
    if (AP_UNLIKELY(ap__forked))
        return;
    ap_pool_t *p = ap__pool(pool);
    if (!p) {
        if (pool)
            ap__fail(POOL_ERR_INVALID, "pool_unref", "pool is no pool: it was freed, or never was one");
        return;
    }
    ap__lock(p);
    bool owed = p->pub.event.ref_count > 0;
    if (!owed || --p->pub.event.ref_count > 0) {
        ap__unlock(p);
        if (!owed)
            ap__fail(POOL_ERR_INVALID, "pool_unref",
                     "there is no reference left to give back: the pool stays only for what is lent or under way");
        return;
    }
    ap__close_locked(p);
}

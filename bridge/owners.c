/*
 * What owners of a pool do beside lending: they take resources out of it, replace all of them, change its
 * size, trim it, and bring it to its end. Each call is an op that a thread drives; hosts that drive ops themselves begin them by
 * pool_op_...(), see op.c.
 */
#include "internal.h"

/* The pool, with the lock held, for a call that its host does not make by an op; NULL, and *status says why. */
static ap_pool_t *own(pool_t *pool, const char *function, const char *op, pool_status_t *status)
{
    ap_pool_t *p = ap__forked ? NULL : ap__pool(pool);
    if (AP_LIKELY(p && !(p->flags & POOL_F_HOST_DRIVEN))) {
        ap__lock(p);
        return p;
    }
    *status = ap__forked ? ap__fail(POOL_ERR_FORKED, NULL, function)
                         : ap__fail(POOL_ERR_INVALID, function, p ? op : "pool is NULL or no pool");
    return NULL;
}

pool_status_t pool_discard(pool_t *pool, void *resource)
{
    pool_status_t status;
    ap_pool_t *p = own(pool, "pool_discard", "the pool is host-driven: use pool_op_discard()", &status);
    return p ? ap__run_locked(p, AP_KIND_DISCARD, resource, AP_NEVER, NULL) : status;
}

pool_status_t pool_detach(pool_t *pool, void *resource)
{
    pool_status_t status;
    ap_pool_t *p = own(pool, "pool_detach", "the pool is host-driven: use pool_op_detach()", &status);
    return p ? ap__run_locked(p, AP_KIND_DETACH, resource, AP_NEVER, NULL) : status;
}

pool_status_t pool_resize(pool_t *pool, uint32_t min_size, uint32_t max_size)
{
    pool_status_t status;
    const char *function = "pool_resize", *wrong = ap__sizes_check(min_size, max_size);
    ap_pool_t *p = own(pool, function, "the pool is host-driven: use pool_op_resize()", &status);
    if (!p)
        return status;
    if (wrong) {
        ap__unlock(p);
        return ap__fail(POOL_ERR_INVALID, function, wrong);
    }
    ap_op_t op;
    ap__op_init(&op, p, AP_KIND_RESIZE, NULL, AP_NEVER);
    op.visits = min_size;
    op.pass = max_size;
    return ap__run_op_locked(&op, NULL);
}

pool_status_t pool_trim(pool_t *pool, uint32_t keep_idle)
{
    pool_status_t status;
    ap_pool_t *p = own(pool, "pool_trim", "the pool is host-driven: use pool_op_trim()", &status);
    if (!p)
        return status;
    ap_op_t op;
    ap__op_init(&op, p, AP_KIND_TRIM, NULL, AP_NEVER);
    op.visits = keep_idle;
    return ap__run_op_locked(&op, NULL);
}

pool_status_t pool_evict(pool_t *pool)
{
    pool_status_t status;
    ap_pool_t *p = own(pool, "pool_evict", "the pool is host-driven: use pool_op_evict()", &status);
    return p ? ap__run_locked(p, AP_KIND_EVICT, NULL, AP_NEVER, NULL) : status;
}

pool_status_t pool_drain(pool_t *pool, int64_t timeout_ms)
{
    pool_status_t status;
    const char *function = "pool_drain";
    ap_pool_t *p = own(pool, function, "the pool is host-driven: use pool_op_drain()", &status);
    if (!p)
        return status;
    if (timeout_ms < 0) {
        ap__unlock(p);
        return ap__fail(POOL_ERR_INVALID, function, "timeout_ms is negative; 0 waits for ever");
    }
    ap_pool_t *pinned __attribute__((cleanup(ap__unpin), unused)) = p;
    p->state.ops++; /* it stays until the healthchecks have ended, and if this is unwound */
    status = ap__run_locked(p, AP_KIND_DRAIN, NULL, ap__deadline(timeout_ms), NULL);
    ap__sweeper_wait(p);
    if (status == POOL_ERR_TIMEOUT)
        return ap__fail(status, function, "what is lent did not come back in time; the pool is closed");
    return status;
}

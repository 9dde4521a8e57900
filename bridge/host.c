/*
 * For hosts that drive ops themselves: what needs no question of them, in one call each and without
 * out-pointers, which cost a language binding more than the call.
 */
#include "go.h"
#include "fast_op.h"
#include "whose.h"

pool_status_t ap__host_try(ap_pool_t *pool)
{
    const ap_state_t *st = &pool->state;
    pool_status_t status = POOL_PENDING; /* it takes an op */
    if (st->gate & AP_GATE_BROKEN)
        status = POOL_ERR_INTERNAL;
    else if (ap__shut(st))
        status = POOL_ERR_CLOSED;
    else if (!(st->gate & AP_GATE_BREAKER) && (!ap__surplus(st) || (st->behind && !ap__any_idle(st))))
        status = POOL_EMPTY;
    if (status < 0)
        ap__fail_op(status, pool->name, NULL);
    if (status != POOL_PENDING)
        AP_TRACE_ACQUIRE(pool, NULL, status);
    ap__unlock(pool);
    return status;
}

pool_status_t ap__host_give(ap_pool_t *pool, void *resource, bool lent)
{
    pool_status_t status = POOL_PENDING; /* not the fast path: the host must know who goes on, or be asked */
    if (!lent) {
        status = ap__fail_op(POOL_ERR_NOT_OWNED, pool->name, NULL);
        AP_TRACE_RELEASE(pool, resource, POOL_ERR_NOT_OWNED);
    }
    ap__unlock(pool);
    return status;
}

bool pool_op_join(pool_t *pool, pool_op_t *op, int64_t timeout_ms)
{
    if (pool_op_acquire(pool, op, timeout_ms) != POOL_OK)
        return false;
    ap_op_t *o = (ap_op_t *)op;
    ap_pool_t *p = o->pool;
    ap__lock(p);
    bool joined = ap__fast_join(o);
    if (joined)
        ap__times_step(o, AP_STEP_BEGIN, false, 0);
    ap__unlock(p);
    return joined;
}

void *pool_op_take(pool_op_t *op)
{
    const char *function = "pool_op_take";
    ap_op_t *o = ap__op_for(function, op);
    if (AP_UNLIKELY(!o))
        return NULL;
    if (AP_UNLIKELY(o->step != AP_STEP_WAIT)) {
        ap__fail(POOL_ERR_INVALID, function, AP_DOES_NOT_WAIT);
        return NULL;
    }
    ap_pool_t *pool = o->pool;
    int64_t now = o->deadline == AP_NEVER ? 0 : ap__now();
    ap__lock_for(o);
    bool ready = (o->flags & AP_FLAG_BOUND) && !(pool->state.gate & AP_GATE_ACQUIRE_HOOK);
    bool in_time = o->deadline == AP_NEVER || now < o->deadline;
    if (AP_UNLIKELY(ap__is_timed(&pool->state)))
        ap__tick(&pool->state, now = now ? now : ap__now());
    ap__whose_step(o, now);
    bool taken = ready && in_time && ap__fast_step(o, true, now);
    if (taken)
        ap__times_step(o, AP_STEP_WAIT, false, now);
    ap__unlock(pool);
    return taken ? (void *)o->resource : NULL;
}

/* The pool, if its host drives it; NULL, and it is told why not. */
static inline ap_pool_t *host_driven(const char *function, pool_t *pool, const char *otherwise)
{
    ap_pool_t *p = ap__pool_for(function, pool);
    if (AP_LIKELY(p && p->flags & POOL_F_HOST_DRIVEN))
        return p;
    if (p)
        ap__fail(POOL_ERR_INVALID, function, otherwise);
    return NULL;
}

pool_op_t *pool_hand_on(pool_t *pool, void *resource)
{
    ap_pool_t *p = host_driven("pool_hand_on", pool, "the pool is not host-driven: use pool_release()");
    if (AP_UNLIKELY(!p))
        return NULL;
    ap_op_t *op = NULL;
    ap__lock(p);
    if (ap__reads_clock(&p->state))
        ap__tick(&p->state, ap__now());
    ap_hold_t hold = ap__holds(p) ? ap__hold_end(p, resource, 0) : (ap_hold_t){0, 0};
    if (p->state.waiting > 0 && !p->state.ready.head && ap__fast_give(&p->state, resource)) { /* nobody goes before */
        ap__hold_count(p, hold);
        op = ap__list_pop(&p->state.ready);
        AP_TRACE_RELEASE(pool, resource, POOL_OK);
        AP_TRACE_WAKE(pool, op);
        atomic_store_explicit(&op->wake, AP_WOKEN, memory_order_release);
    }
    ap__unlock(p);
    return (pool_op_t *)op;
}

pool_op_t *pool_op_woken(pool_t *pool)
{
    ap_pool_t *p = host_driven("pool_op_woken", pool,
                               "the pool is not host-driven: who waits there is told by pool_op_wait(), or by the "
                               "resume() of its scheduler");
    if (AP_UNLIKELY(!p))
        return NULL;
    ap__lock(p);
    ap_op_t *op = ap__list_pop(&p->state.woken);
    if (AP_UNLIKELY(!op && p->state.called)) { /* to look: it stays in line */
        op = p->state.called;
        p->state.called = NULL;
        AP_TRACE_WAKE(pool, op);
    }
    ap__unlock(p);
    return (pool_op_t *)op;
}

pool_status_t pool_set_asks(pool_t *pool, uint32_t asks)
{
    const char *wrong = NULL;
    AP_REFUSE_FORKED("pool_set_asks");
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        wrong = "pool is NULL or no pool";
    else if (!(p->flags & POOL_F_HOST_DRIVEN))
        wrong = "the pool is not host-driven: use pool_set_strategy()";
    else if (asks & ~(POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER))
        wrong = "only the asks of a strategy come and go: POOL_ASKS_REPORTS, POOL_ASKS_SHOULD_RECOVER";
    if (wrong)
        return ap__fail(POOL_ERR_INVALID, "pool_set_asks", wrong);
    ap__lock(p);
    ap_change_t before = ap__change_begin(p);
    pool_status_t status = (pool_status_t)ap__go_set_strategy(p->core, asks);
    ap__change_end(p, before);
    return status < 0 ? ap__fail(status, "pool_set_asks", pool_strerror(status)) : status;
}

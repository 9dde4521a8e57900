/* The op protocol: one step of an op under the lock, through the core. */
#include "internal.h"
#include "_cgo_export.h"

#include <string.h>

void ap__op_init(ap_op_t *op, ap_pool_t *pool, uint8_t kind, void *resource, int64_t deadline)
{
    memset(op, 0, sizeof *op);
    op->pool = pool;
    op->kind = kind;
    op->resource = (uintptr_t)resource;
    op->deadline = deadline;
    op->guard = AP_OP_GUARD;
}

int64_t ap__deadline(int64_t timeout_ms)
{
    if (timeout_ms == 0 || timeout_ms >= AP_NEVER / 1000000)
        return AP_NEVER;
    int64_t now = ap__now(), wait = timeout_ms * 1000000;
    return wait < AP_NEVER - now ? now + wait : AP_NEVER;
}

static void ask_done(const ap_op_t *op, pool_ask_t *ask)
{
    *ask = (pool_ask_t){.struct_size = ask->struct_size,
                        .kind = POOL_ASK_DONE,
                        .status = (pool_status_t)op->status,
                        .resource = (void *)op->resource,
                        .ticket = op->ticket,
                        .turn = op->turn};
}

/* After a call of the core: tells the public head, the waiters, and frees the pool if this was the last
 * that referred to it. Takes the lock held. */
static void leave(ap_pool_t *pool)
{
    if (pool->state.gate & AP_GATE_CLOSED)
        pool->pub.event.flags |= POOL_EVENT_F_CLOSED;
    bool dead = ap__is_dead(pool);
    ap__unlock_and_wake(pool);
    if (AP_UNLIKELY(dead))
        ap__free(pool);
}

void ap__next_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    ap_pool_t *pool = op->pool;
    if (AP_UNLIKELY(apgoNext(pool->core, op, (void *)answer, ask) != 0)) {
        op->step = AP_STEP_DONE;
        op->status = POOL_ERR_INTERNAL;
        ask_done(op, ask);
    }
    leave(pool);
}

void ap__next(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    if (op->step == AP_STEP_DONE) { /* the pool may be gone */
        ask_done(op, ask);
        return;
    }
    /* The core has no clock. An op without a deadline needs none. */
    pool_answer_t timed;
    if (op->deadline != AP_NEVER && answer->now_ns == 0) {
        timed = *answer;
        timed.now_ns = ap__now();
        answer = &timed;
    }
    ap__lock(op->pool);
    ap__next_locked(op, answer, ask);
}

pool_status_t ap__cancel(ap_op_t *op)
{
    if (op->step == AP_STEP_DONE)
        return POOL_OK;
    ap_pool_t *pool = op->pool;
    ap__lock(pool);
    int status = apgoCancel(pool->core, op);
    if (AP_UNLIKELY(status == POOL_ERR_INTERNAL)) {
        op->step = AP_STEP_DONE;
        op->status = POOL_ERR_INTERNAL;
    }
    leave(pool);
    return (pool_status_t)status;
}

/* ---- public ---- */

static pool_status_t begin(pool_t *pool, pool_op_t *op, const char *function, uint8_t kind,
                           void *resource, int64_t timeout_ms)
{
    if (op) { /* whatever happens, going on with it is safe */
        ap__op_init((ap_op_t *)op, NULL, kind, NULL, AP_NEVER);
        ((ap_op_t *)op)->step = AP_STEP_DONE;
        ((ap_op_t *)op)->status = POOL_ERR_INVALID;
    }
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    if (!op)
        return ap__fail(POOL_ERR_INVALID, function, "op is NULL");
    if (timeout_ms < 0)
        return ap__fail(POOL_ERR_INVALID, function, "timeout_ms is negative; 0 waits for ever");
    ap__op_init((ap_op_t *)op, p, kind, resource, ap__deadline(timeout_ms));
    return POOL_OK;
}

pool_status_t pool_op_acquire(pool_t *pool, pool_op_t *op, int64_t timeout_ms)
{
    return begin(pool, op, "pool_op_acquire", AP_KIND_ACQUIRE, NULL, timeout_ms);
}

pool_status_t pool_op_try_acquire(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_try_acquire", AP_KIND_TRY, NULL, 0);
}

pool_status_t pool_op_release(pool_t *pool, pool_op_t *op, void *resource)
{
    return begin(pool, op, "pool_op_release", AP_KIND_RELEASE, resource, 0);
}

pool_status_t pool_op_close(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_close", AP_KIND_CLOSE, NULL, 0);
}

pool_status_t pool_op_fill(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_fill", AP_KIND_FILL, NULL, 0);
}

pool_ask_kind_t pool_op_next(pool_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    pool_ask_t full = POOL_ASK_INIT;
    pool_answer_t heard = POOL_ANSWER_INIT;
    ap_op_t *o = ap__op(op);
    if (!ask || ask->struct_size < sizeof full)
        return POOL_ASK_DONE;
    full.struct_size = ask->struct_size;
    if (AP_UNLIKELY(ap__forked)) {
        full.status = POOL_ERR_FORKED;
    } else if (!o || (answer && answer->struct_size < sizeof heard)) {
        full.status = POOL_ERR_INVALID;
    } else {
        if (answer)
            heard = *answer;
        ap__next(o, &heard, &full);
    }
    *ask = full;
    return full.kind;
}

pool_status_t pool_op_wait(pool_op_t *op, int64_t until_ns)
{
    AP_REFUSE_FORKED("pool_op_wait");
    ap_op_t *o = ap__op(op);
    if (!o || o->step != AP_STEP_WAIT)
        return ap__fail(POOL_ERR_INVALID, "pool_op_wait", "the op's last ask was not POOL_ASK_WAIT");
    return ap__park(o, until_ns) ? POOL_OK : POOL_ERR_TIMEOUT;
}

pool_status_t pool_op_cancel(pool_op_t *op)
{
    AP_REFUSE_FORKED("pool_op_cancel");
    if (!op)
        return POOL_OK;
    ap_op_t *o = ap__op(op);
    if (!o)
        return ap__fail(POOL_ERR_INVALID, "pool_op_cancel", "op was not begun");
    return ap__cancel(o);
}

/*
 * Acquiring without waiting: the op takes its place in line at once, and everything else (hooks, the
 * callback) happens when the loop dispatches.
 *
 * An async op keeps its pool and its reactor until the callback has returned. It is in its reactor's
 * queue when it can go on, in the wheel while it waits with a deadline, in the pool's line while it waits,
 * and in none of them while it runs.
 */
#include "reactor.h"
#include "visit.h"

#include <string.h>

/* Starts an op; the reference to the reactor becomes the op's. */
static pool_status_t start(ap_op_t *op, pool_reactor_t *reactor, char *name)
{
    const pool_answer_t nothing = POOL_ANSWER_INIT;
    pool_ask_t ask = POOL_ASK_INIT;
    ap_pool_t *pool = op->pool;
    op->own.reactor = reactor;
    op->own.timer.kind = AP_TIMER_OP;
    ap__lock(pool);
    memcpy(name, pool->name, sizeof pool->name);
    ap_change_t before = ap__change_begin(pool);
    pool->state.ops++; /* until the callback */
    ap__step_locked(op, &nothing, &ask);
    pool_status_t status = POOL_PENDING;
    if (ask.kind == POOL_ASK_DONE && ask.status != POOL_OK) {
        status = ask.status;
        op->own.reactor = NULL;
        pool->state.ops--;
    } else if (ask.kind == POOL_ASK_WAIT) {
        ap__reactor_wait(reactor, &op->own.timer, ask.until_ns);
    } else {
        if (ask.kind != POOL_ASK_DONE)
            op->flags |= AP_FLAG_UNASKED; /* no hook runs here: the loop hears the ask */
        ap__reactor_push(reactor, &op->own.timer);
    }
    ap__change_end(pool, before);
    return status;
}

/* Takes a reference to the reactor over, if there is one. */
static pool_status_t acquire(pool_reactor_t *reactor, const char *function, pool_t *pool, pool_op_t *op,
                             int64_t timeout_ms, pool_acquired_fn callback, void *data)
{
    const char *wrong = NULL;
    ap_pool_t *p = ap__pool(pool);
    if (!reactor || !p)
        wrong = "pool or reactor is NULL or none";
    else if (!op || !callback)
        wrong = "op or callback is NULL";
    else if (timeout_ms < 0)
        wrong = "timeout_ms is negative; 0 waits for ever";
    else if (p->flags & POOL_F_HOST_DRIVEN)
        wrong = AP_HOST_HAS_NO_LOOP;
    if (wrong) {
        if (reactor)
            ap__reactor_unref(reactor);
        return ap__fail(POOL_ERR_INVALID, function, wrong);
    }
    ap_op_t *o = (ap_op_t *)op;
    char name[sizeof p->name];
    ap__op_init(o, p, AP_KIND_ACQUIRE, NULL, ap__deadline(timeout_ms));
    o->by_lease = AP_LEASE_TOLD;
    o->own.callback = callback;
    o->data = data;
    pool_status_t status = start(o, reactor, name);
    if (status == POOL_PENDING)
        return status;
    ap__reactor_unref(reactor);
    return ap__fail_op(status, name, NULL);
}

pool_status_t pool_acquire_async(pool_t *pool, pool_op_t *op, int64_t timeout_ms, pool_acquired_fn callback, void *data)
{
    const char *function = "pool_acquire_async";
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (p && p->flags & POOL_F_HOST_DRIVEN)
        return ap__fail(POOL_ERR_INVALID, function, AP_HOST_HAS_NO_LOOP);
    pool_reactor_t *reactor = p ? ap__reactor_of(p) : NULL;
    if (p && !reactor)
        return ap__fail(POOL_ERR_NOMEM, function, pool_strerror(POOL_ERR_NOMEM));
    return acquire(reactor, function, pool, op, timeout_ms, callback, data);
}

pool_status_t pool_reactor_acquire(pool_reactor_t *reactor, pool_t *pool, pool_op_t *op, int64_t timeout_ms,
                                   pool_acquired_fn callback, void *data)
{
    const char *function = "pool_reactor_acquire";
    AP_REFUSE_FORKED(function);
    if (!ap__reactor(reactor))
        return ap__fail(POOL_ERR_INVALID, function, "reactor is NULL or no reactor");
    ap__reactor_ref(reactor);
    return acquire(reactor, function, pool, op, timeout_ms, callback, data);
}

/* ---- on the loop ---- */

/* What an op keeps; given back after its callback, also if that is unwound. */
typedef struct kept {
    ap_pool_t *pool;
    pool_reactor_t *reactor;
} kept;

static void give_back(kept *k)
{
    ap__unpin(&k->pool);
    ap__reactor_unref(k->reactor);
}

typedef struct outcome {
    ap_visit_t visit; /* first */
    ap_op_t *op;
    pool_status_t status;
    void *resource;
} outcome;

static bool call_back(ap_visit_t *visit)
{
    const outcome *o = (outcome *)visit;
    o->op->own.callback((pool_op_t *)o->op, o->status, o->resource, o->op->data); /* the op may be gone after it */
    return true;
}

/* Has the pool been closed? One that is drained still serves who stands in line. In a forked child it is closed, and
 * its lock nobody's to take: the thread that had it may not be there. */
static bool is_closed(ap_pool_t *pool)
{
    if (AP_UNLIKELY(ap__forked))
        return true;
    ap__lock(pool);
    bool closed = pool->state.gate & AP_GATE_CLOSED;
    ap__unlock(pool);
    return closed;
}

static void deliver(ap_op_t *op, pool_status_t status, void *resource, const ap_error_t *error)
{
    kept k __attribute__((cleanup(give_back))) = {op->pool, op->own.reactor};
    bool cancelled = atomic_exchange(&op->own.async, AP_ASYNC_DELIVERED) & AP_ASYNC_CANCELLED;
    bool closed = is_closed(k.pool);
    if ((cancelled || closed) && status == POOL_OK) {
        const pool_lease_t lease = {resource, op->lease};
        if (AP_LIKELY(lease.id != 0)) /* its owner never had it: the place is handed on */
            pool_release_lease(&k.pool->pub, &lease);
        else
            pool_release(&k.pool->pub, resource);
        status = POOL_ERR_CLOSED;
    }
    if (cancelled)
        status = POOL_ERR_CANCELLED;
    if (status != POOL_OK) {
        resource = NULL;
        op->status = status; /* as pool_op_next() tells it, which need not take the lock: the op is done */
        op->resource = 0;
        ap__fail_op(status, k.pool->name, error);
    }
    if (AP_UNLIKELY(ap__forked))
        return;
    /* Whoever sees it reads what was written above. A cancellation that comes in between comes too late anyhow. */
    atomic_store_explicit(&op->own.async, AP_ASYNC_DELIVERED | AP_ASYNC_TOLD, memory_order_release);
    outcome o = {{.kind = AP_VISIT_OTHER, .make = call_back}, op, status, resource};
    ap__visit(&o.visit);
}

/* The loop's thread is unwound out of a hook or an observer: the op ends, and another dispatch tells its
 * owner. An observer runs only in a step that ends the op, so that no ask is out that nobody has heard. */
static void abandon(ap_op_t **unfinished)
{
    ap_op_t *op = *unfinished;
    if (!op || ap__forked)
        return;
    ap__abandon(op);
    /* It is to be run again, and not by this thread. */
    ap__reactor_push(op->own.reactor, &op->own.timer);
    ap__reactor_wait(op->own.reactor, &op->own.timer, AP_NEVER);
}

/* An ask that begins something: until it is heard nothing has been done for it, see isOff() of the core. */
static bool begins(pool_ask_kind_t kind)
{
    return kind == POOL_ASK_CREATE || kind == POOL_ASK_BEFORE_ACQUIRE || kind == POOL_ASK_SHOULD_RECOVER;
}

/* One that is refused many resources in a row stops between two of them. It has its place, and what the next
 * dispatch will ask for; as one that has just been begun, see start(), it may be cancelled and called off. */
void ap__async_run(ap_op_t *op, int *most)
{
    ap_op_t *unfinished __attribute__((cleanup(abandon))) = op;
    ap_pool_t *pool = op->pool;
    ap_error_t error = {.set = false};
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_ask_t ask = POOL_ASK_INIT;
    for (;;) {
        if (AP_UNLIKELY(ap__forked))
            return;
        ap__lock(pool);
        ap_change_t before = ap__change_begin(pool);
        ap__step_locked(op, &answer, &ask);
        bool waits = ask.kind == POOL_ASK_WAIT, later = *most <= 0 && begins(ask.kind);
        if (waits) {
            ap__reactor_wait(op->own.reactor, &op->own.timer, ask.until_ns);
        } else if (later) {
            op->flags |= AP_FLAG_UNASKED;
            ap__reactor_again(op->own.reactor, &op->own.timer);
        }
        ap__change_end(pool, before);
        if (waits || later || ask.kind == POOL_ASK_DONE)
            break;
        ap__answer(op, &ask, &answer, &error);
        --*most;
    }
    unfinished = NULL;
    if (ask.kind == POOL_ASK_DONE) {
        --*most;
        deliver(op, ask.status, ask.resource, &error);
    }
}

bool ap__async_told(pool_op_t *op)
{
    const ap_op_t *o = AP_UNLIKELY(ap__forked) ? NULL : ap__op(op);
    return o && o->own.reactor && atomic_load_explicit(&o->own.async, memory_order_acquire) & AP_ASYNC_TOLD;
}

pool_status_t ap__async_cancel(ap_op_t *op)
{
    if (atomic_fetch_or(&op->own.async, AP_ASYNC_CANCELLED) & (AP_ASYNC_CANCELLED | AP_ASYNC_DELIVERED))
        return POOL_OK;
    ap_pool_t *pool = op->pool;
    pool_status_t status = POOL_OK;
    ap__lock(pool);
    ap_change_t before = ap__change_begin(pool);
    /* One whose hook runs hears of it when the hook is back; one that is done, before its callback. */
    if (op->step == AP_STEP_WAIT || (op->flags & AP_FLAG_UNASKED)) {
        status = ap__cancel_locked(op);
        ap__reactor_push(op->own.reactor, &op->own.timer);
    }
    ap__change_end(pool, before);
    return status < 0 ? status : POOL_OK; /* whatever is left to do, the loop does */
}

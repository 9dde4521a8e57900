/*
 * The driver for threads: answers the asks of an op by calling the pool's hooks, with no lock held and
 * no Go frame below, and by putting the thread to sleep or its coroutine aside.
 *
 * A hook may never come back: its thread is cancelled or exits, or a C++ exception passes through. The
 * bridge is compiled with unwind tables, so the op's cleanup runs then and the place is handed on.
 */
#include "crowd.h"
#include "lane.h"
#include "visit.h"

/* The cleanup of an op whose driver is being unwound; the op is NULL once it is done. */
static void abandon(ap_op_t **unfinished)
{
    if (*unfinished)
        ap__abandon(*unfinished);
}

void ap__abandon(ap_op_t *op)
{
    ap_pool_t *pool = op->pool;
    pool_ask_t ask = POOL_ASK_INIT;
    const pool_answer_t nothing = POOL_ANSWER_INIT;
    if (ap__cancel(op) != POOL_PENDING)
        return;
    /* A destructor that is unwound too hands the rest on to the same cleanup. */
    ap_op_t *again __attribute__((cleanup(abandon))) = op;
    for (ap__next(op, &nothing, &ask); ask.kind == POOL_ASK_DESTROY; ap__next(op, &nothing, &ask))
        ap__call_destructor(&pool->pub, ask.resource);
    again = NULL;
}

void ap__answer(ap_pool_t *pool, const pool_ask_t *ask, pool_answer_t *answer, ap_error_t *error)
{
    pool_t *self = &pool->pub;
    *answer = (pool_answer_t)POOL_ANSWER_INIT;
    if (AP_UNLIKELY(ap__forked)) /* an observer has forked since the ask came */
        return;
    ap__error_clear();
    switch (ask->kind) {
    case POOL_ASK_CREATE:
        answer->ok = ap__call_factory(self, &answer->resource);
        break;
    case POOL_ASK_BEFORE_ACQUIRE:
        answer->ok = ap__call_before_acquire(self, ask->resource);
        break;
    case POOL_ASK_BEFORE_RELEASE:
        answer->ok = ap__call_before_release(self, ask->resource);
        break;
    case POOL_ASK_HEALTHCHECK:
        answer->ok = ap__call_healthcheck(self, ask->resource);
        break;
    case POOL_ASK_DESTROY:
        ap__call_destructor(self, ask->resource);
        return;
    case POOL_ASK_REPORT_SUCCESS:
    case POOL_ASK_REPORT_FAILURE:
        ap__report(pool, ask->kind == POOL_ASK_REPORT_SUCCESS, error);
        return;
    case POOL_ASK_SHOULD_RECOVER:
        answer->ok = ap__should_recover(pool);
        return;
    case POOL_ASK_WAIT:
    case POOL_ASK_DONE:
        return;
    }
    ap__error_take(pool, !answer->ok, error);
}

/* ---- waiting: by the pool's scheduler, or asleep ---- */

typedef struct suspension {
    ap_visit_t visit; /* first */
    const pool_scheduler_t *scheduler;
    ap_op_t *op;
} suspension;

static bool call_suspend(ap_visit_t *visit)
{
    suspension *s = (suspension *)visit;
    return s->scheduler->suspend(s->scheduler->ctx, (pool_op_t *)s->op);
}

/* The outcome of a coroutine's wait: false when the scheduler says that nothing can ever end it. */
static bool suspend(ap_op_t *op)
{
    suspension s = {{.kind = AP_VISIT_OTHER, .make = call_suspend}, &op->pool->scheduler, op};
    if (ap__woken(op))
        return true;
    pthread_t before = ap__self();
    bool resumed = ap__visit(&s.visit);
    if (AP_UNLIKELY(!pthread_equal(before, ap__self())))
        ap__callbacks_moved();
    return resumed || ap__woken(op);
}

/* Waits in the way of the pool. True: the op cannot go on for ever, and was cancelled for it. */
static bool wait_for(ap_op_t *op, int64_t until_ns)
{
    if (!(atomic_load_explicit(&op->async, memory_order_relaxed) & AP_COROUTINE)) {
        ap__park(op, until_ns);
        return false;
    }
    if (suspend(op))
        return false;
    ap__cancel(op);
    return true;
}

pool_status_t ap__drive_from(ap_op_t *op, pool_ask_t *ask, void **resource, ap_error_t *error)
{
    ap_op_t *unfinished __attribute__((cleanup(abandon))) = op;
    ap_pool_t *pool = op->pool;
    bool deadlock = false;
    while (ask->kind != POOL_ASK_DONE) {
        pool_answer_t answer = POOL_ANSWER_INIT;
        if (ask->kind != POOL_ASK_WAIT)
            ap__answer(pool, ask, &answer, error);
        else if (!ap__forked)
            deadlock = wait_for(op, ask->until_ns);
        ap__next(op, &answer, ask);
    }
    unfinished = NULL;
    if (resource)
        *resource = ask->status == POOL_OK ? ask->resource : NULL;
    return deadlock && ask->status == POOL_ERR_CANCELLED ? POOL_ERR_DEADLOCK : ask->status;
}

pool_status_t ap__drive(ap_op_t *op, void **resource, ap_error_t *error)
{
    ap_op_t *unfinished __attribute__((cleanup(abandon))) = op;
    const pool_answer_t nothing = POOL_ANSWER_INIT;
    pool_ask_t ask = POOL_ASK_INIT;
    ap__next(op, &nothing, &ask);
    unfinished = NULL;
    return ap__drive_from(op, &ask, resource, error);
}

/*
 * Runs an op from its beginning, with the lock held, and keeps the error for the caller. The name is
 * copied first: the pool may be gone at the end.
 */
static pool_status_t run_locked(ap_pool_t *pool, uint8_t kind, void *given, int64_t deadline,
                                void **resource)
{
    const pool_answer_t nothing = POOL_ANSWER_INIT;
    pool_ask_t ask = POOL_ASK_INIT;
    ap_error_t error = {.set = false};
    ap_op_t op;
    char name[sizeof pool->name];
    __builtin_memcpy(name, pool->name, sizeof name);
    ap__op_init(&op, pool, kind, given, deadline);
    op.data = NULL;
    if (pool->scheduler.suspend)
        atomic_init(&op.async, AP_COROUTINE);
    ap_op_t *unfinished __attribute__((cleanup(abandon))) = &op; /* observers may unwind the first step */
    ap__next_locked(&op, &nothing, &ask);
    unfinished = NULL;
    pool_status_t status = ap__drive_from(&op, &ask, resource, &error);
    return status < 0 ? ap__fail_op(status, name, &error) : status;
}

/*
 * The lanes of pool_acquire() and pool_release(). Each ends in a tail call wherever it leaves the common case,
 * so that this needs no stack frame.
 */

/* Gives the lock up after a lane; somebody sleeps for it. */
static __attribute__((noinline)) pool_status_t wake_next(ap_pool_t *pool)
{
    ap__futex_wake(&pool->lock.word, 1);
    return POOL_OK;
}

static inline pool_status_t leave_lane(ap_pool_t *pool)
{
    return ap__lock_drop(&pool->lock) ? wake_next(pool) : POOL_OK;
}

static __attribute__((noinline)) pool_status_t acquire_refused(pool_t *pool, void **resource,
                                                               int64_t timeout_ms)
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

static __attribute__((noinline)) pool_status_t acquire_by_op(ap_pool_t *pool, void **resource,
                                                             int64_t timeout_ms)
{
    int64_t deadline = ap__deadline(timeout_ms);
    if (AP_UNLIKELY(ap__crowd_handed_over(pool)))
        ap__crowd_let_run(pool);
    if (ap__lane_take(&pool->state, resource))
        return leave_lane(pool);
    *resource = NULL;
    return run_locked(pool, AP_KIND_ACQUIRE, NULL, deadline, resource);
}

static inline pool_status_t acquire_locked(ap_pool_t *pool, void **resource, int64_t timeout_ms)
{
    return AP_LIKELY(ap__lane_acquire(&pool->state, resource)) ? leave_lane(pool)
                                                               : acquire_by_op(pool, resource, timeout_ms);
}

static __attribute__((noinline)) pool_status_t acquire_later(ap_pool_t *pool, void **resource,
                                                             int64_t timeout_ms)
{
    ap__lock_wait(&pool->lock);
    return acquire_locked(pool, resource, timeout_ms);
}

pool_status_t pool_acquire(pool_t *pool, void **resource, int64_t timeout_ms)
{
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(!resource || ap__forked || !p || timeout_ms < 0 || p->flags & POOL_F_HOST_DRIVEN))
        return acquire_refused(pool, resource, timeout_ms);
    return ap__lock_try(&p->lock) ? acquire_locked(p, resource, timeout_ms)
                                  : acquire_later(p, resource, timeout_ms);
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
    if (ap__lane_take(&p->state, resource))
        return leave_lane(p);
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__host_try(p);
    return run_locked(p, AP_KIND_TRY, NULL, AP_NEVER, resource);
}

static __attribute__((noinline)) pool_status_t release_refused(void)
{
    AP_REFUSE_FORKED("pool_release");
    return ap__fail(POOL_ERR_INVALID, "pool_release", "pool is NULL or no pool");
}

static __attribute__((noinline)) pool_status_t release_by_op(ap_pool_t *pool, void *resource)
{
    if (pool->flags & POOL_F_HOST_DRIVEN)
        return ap__host_release(pool, resource);
    return run_locked(pool, AP_KIND_RELEASE, resource, AP_NEVER, NULL);
}

/* Wakes the first in line, to whom the place went. */
static __attribute__((noinline)) pool_status_t hand_over(ap_pool_t *pool)
{
    ap__crowd_hand_over(pool);
    bool dead = ap__unlock_and_wake(pool);
    if (AP_UNLIKELY(dead)) /* the last reference went while this woke many: it was the last in here */
        ap__free(pool);
    return POOL_OK;
}

/* What takes more than the short way. */
static __attribute__((noinline)) pool_status_t release_in_line(ap_pool_t *pool, void *resource)
{
    bool host_driven_line = pool->state.waiting > 0 && pool->flags & POOL_F_HOST_DRIVEN;
    if (host_driven_line || !ap__lane_give(&pool->state, resource))
        return release_by_op(pool, resource);
    return pool->state.ready.head != NULL ? hand_over(pool) : leave_lane(pool);
}

static inline pool_status_t release_locked(ap_pool_t *pool, void *resource, uint32_t hash)
{
    return AP_LIKELY(ap__lane_release(&pool->state, resource, hash)) ? leave_lane(pool)
                                                                     : release_in_line(pool, resource);
}

static __attribute__((noinline)) pool_status_t release_later(ap_pool_t *pool, void *resource, uint32_t hash)
{
    ap__lock_wait(&pool->lock);
    return release_locked(pool, resource, hash);
}

pool_status_t pool_release(pool_t *pool, void *resource)
{
    ap_pool_t *p = ap__pool(pool);
    if (AP_UNLIKELY(ap__forked || !p))
        return release_refused();
    uint32_t hash = ap__registry_hash(p->seed, (uintptr_t)resource);
    return ap__lock_try(&p->lock) ? release_locked(p, resource, hash) : release_later(p, resource, hash);
}

pool_status_t pool_close(pool_t *pool)
{
    AP_REFUSE_FORKED("pool_close");
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, "pool_close", "pool is NULL or no pool");
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__fail(POOL_ERR_INVALID, "pool_close",
                        "the pool is host-driven: use pool_op_close()");
    ap__lock(p);
    return ap__close_locked(p);
}

pool_status_t ap__close_locked(ap_pool_t *pool)
{
    ap_pool_t *pinned __attribute__((cleanup(ap__unpin), unused)) = pool;
    pool->state.ops++; /* it stays until the healthchecks have ended, and if this is unwound */
    pool_status_t status = run_locked(pool, AP_KIND_CLOSE, NULL, AP_NEVER, NULL);
    ap__sweeper_wait(pool);
    return status;
}

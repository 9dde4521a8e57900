/*
 * The driver for threads: answers the asks of an op by calling the pool's hooks, with no lock held and
 * no Go frame below, and by putting the thread to sleep or its coroutine aside.
 *
 * A hook may never come back: its thread is cancelled or exits, or a C++ exception passes through. The
 * bridge is compiled with unwind tables, so the op's cleanup runs then and the place is handed on.
 */
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
    if (op->kind == AP_KIND_BEHIND && !ap__forked) { /* who hears of it shall not hear the words of one before */
        ap__lock(pool);
        pool->factory_error.set = false;
        ap__unlock(pool);
    }
    if (ap__cancel(op) != POOL_PENDING)
        return;
    /* A destructor that is unwound too hands the rest on to the same cleanup. */
    ap_op_t *again __attribute__((cleanup(abandon))) = op;
    for (ap__next(op, &nothing, &ask); ask.kind == POOL_ASK_DESTROY; ap__next(op, &nothing, &ask))
        ap__call_destructor(&pool->pub, AP_NEVER, ask.resource);
    again = NULL;
}

/* A factory has failed, or puts it off. Why is kept for those whose time will be up by then, if they wait for it. */
static __attribute__((noinline)) void not_created(const ap_op_t *op, pool_answer_t *answer, const ap_error_t *error)
{
    ap_pool_t *pool = op->pool;
    if (AP_UNLIKELY(ap__forked))
        return;
    answer->later_ns = error->set ? error->later_ns : 0;
    bool behind = op->kind == AP_KIND_BEHIND; /* its caller is another */
    if (pool->state.patience.retry != 0 || answer->later_ns != 0 || behind) {
        ap__lock(pool);
        pool->factory_error = *error;
        ap__unlock(pool);
    }
    if (answer->later_ns == 0 && (behind || op->kind <= AP_KIND_TRY))
        ap__report_create_failure(pool, error);
}

AP_HOT void ap__answer(const ap_op_t *op, const pool_ask_t *ask, pool_answer_t *answer, ap_error_t *error)
{
    ap_pool_t *pool = op->pool;
    pool_t *self = &pool->pub;
    *answer = (pool_answer_t)POOL_ANSWER_INIT;
    if (AP_UNLIKELY(ap__forked)) /* an observer has forked since the ask came */
        return;
    ap__error_clear();
    switch (ask->kind) {
    case POOL_ASK_CREATE:
        answer->ok = ap__call_factory(self, ask->until_ns, &answer->resource);
        break;
    case POOL_ASK_BEFORE_ACQUIRE:
        answer->ok = ap__call_check(self, ask->until_ns, AP_HOOK_BEFORE_ACQUIRE, ask->resource);
        break;
    case POOL_ASK_BEFORE_RELEASE:
        answer->ok = ap__call_check(self, ask->until_ns, AP_HOOK_BEFORE_RELEASE, ask->resource);
        break;
    case POOL_ASK_HEALTHCHECK:
        answer->ok = ap__call_check(self, ask->until_ns, AP_HOOK_HEALTHCHECK, ask->resource);
        break;
    case POOL_ASK_DESTROY:
        ap__call_destructor(self, ask->until_ns, ask->resource);
        return;
    case POOL_ASK_REPORT_SUCCESS:
    case POOL_ASK_REPORT_FAILURE:
        ap__report(pool, ask->kind == POOL_ASK_REPORT_SUCCESS, error);
        return;
    case POOL_ASK_SHOULD_RECOVER:
        answer->ok = ap__should_recover(pool);
        return;
    case POOL_ASK_LEAKED:
        ap__call_leaked(self, ask->lend);
        return;
    case POOL_ASK_WAIT:
    case POOL_ASK_DONE:
        return;
    }
    ap__error_take(pool, !answer->ok, error);
    if (AP_UNLIKELY(ask->kind == POOL_ASK_CREATE && !answer->ok))
        not_created(op, answer, error);
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
    if (!(atomic_load_explicit(&op->own.async, memory_order_relaxed) & AP_COROUTINE)) {
        ap__park(op, until_ns);
        return false;
    }
    if (suspend(op))
        return false;
    ap__cancel(op);
    return true;
}

/* Answers the asks of an op, from one that is already out, until it is done. */
static AP_HOT pool_status_t drive_from(ap_op_t *op, pool_ask_t *ask, void **resource, ap_error_t *error)
{
    ap_op_t *unfinished __attribute__((cleanup(abandon))) = op;
    bool deadlock = false;
    while (ask->kind != POOL_ASK_DONE) {
        pool_answer_t answer = POOL_ANSWER_INIT;
        if (ask->kind != POOL_ASK_WAIT)
            ap__answer(op, ask, &answer, error);
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
    return drive_from(op, &ask, resource, error);
}

AP_HOT pool_status_t ap__run_locked(ap_pool_t *pool, uint8_t kind, void *given, int64_t deadline, void **resource)
{
    ap_op_t op;
    ap__op_init(&op, pool, kind, given, deadline);
    return ap__run_op_locked(&op, resource);
}

/* The name is copied first: the pool may be gone at the end. */
AP_HOT pool_status_t ap__run_op_locked(ap_op_t *op, void **resource)
{
    ap_pool_t *pool = op->pool;
    const pool_answer_t nothing = POOL_ANSWER_INIT;
    pool_ask_t ask = POOL_ASK_INIT;
    ap_error_t error = {.set = false};
    char name[sizeof pool->name];
    __builtin_memcpy(name, pool->name, sizeof name);
    op->data = NULL;
    if (pool->scheduler.suspend)
        atomic_init(&op->own.async, AP_COROUTINE);
    ap_op_t *unfinished __attribute__((cleanup(abandon))) = op; /* observers may unwind the first step */
    ap__next_locked(op, &nothing, &ask);
    unfinished = NULL;
    pool_status_t status = drive_from(op, &ask, resource, &error);
    return status < 0 ? ap__fail_op(status, name, &error) : status;
}

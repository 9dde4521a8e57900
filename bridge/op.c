/* The op protocol: one step of an op under the lock, in the line or through the core. */
#include "crowd.h"
#include "fast_op.h"
#include "go.h"
#include "sizes.h"
#include "whose.h"

AP_HOT void ap__op_init(ap_op_t *op, ap_pool_t *pool, uint8_t kind, void *resource, int64_t deadline)
{
    memset(op, 0, offsetof(ap_op_t, room)); /* data is the host's */
    op->pool = pool;
    op->kind = kind;
    op->resource = (uintptr_t)resource;
    op->deadline = deadline;
    op->magic = ap__magic(AP_OP_MAGIC, op);
    if (AP_UNLIKELY(pool && pool->noted))
        ap__whose_begin(op);
}

int64_t ap__deadline(int64_t timeout_ms)
{
    if (timeout_ms == 0 || timeout_ms >= AP_NEVER / 1000000)
        return AP_NEVER;
    int64_t now = ap__now(), wait = timeout_ms * 1000000;
    return wait < AP_NEVER - now ? now + wait : AP_NEVER;
}

/* What an op that stands where the fast path leaves it has its driver do. */
static pool_ask_kind_t ask_of(const ap_op_t *op)
{
    switch (op->step) {
    case AP_STEP_WAIT:
        return POOL_ASK_WAIT;
    case AP_STEP_CHECK_OUT:
        return POOL_ASK_BEFORE_ACQUIRE;
    case AP_STEP_CHECK_IN:
        return POOL_ASK_BEFORE_RELEASE;
    case AP_STEP_REPORT_SUCCESS:
        return POOL_ASK_REPORT_SUCCESS;
    default:
        return POOL_ASK_DONE;
    }
}

/* What the end of an acquire tells of the id: Op.lease. */
static uint64_t lease_of(const ap_op_t *op)
{
    return op->step == AP_STEP_DONE && op->status == POOL_OK && op->kind <= AP_KIND_TRY ? op->lease : 0;
}

static void tell(const ap_op_t *op, pool_ask_t *ask)
{
    pool_ask_kind_t kind = ask_of(op);
    *ask = (pool_ask_t){
        .struct_size = ask->struct_size,
        .kind = kind,
        .status = kind == POOL_ASK_DONE ? (pool_status_t)op->status : POOL_OK,
        .resource = (void *)op->resource,
        .until_ns = ap__until(op),
        .ticket = op->ticket,
        .turn = op->turn,
        .lease = lease_of(op)};
}

static bool gives_back(const ap_op_t *op)
{
    return op->kind == AP_KIND_RELEASE || op->kind == AP_KIND_DISCARD || op->kind == AP_KIND_DETACH;
}

/* The step has ended a lend, if there was one. */
static void count_hold(const ap_op_t *op, ap_hold_t hold)
{
    bool none = op->step == AP_STEP_DONE && op->status == POOL_ERR_INTERNAL;
    if (AP_UNLIKELY(hold.weight) && !none)
        ap__hold_count(op->pool, hold);
}

AP_HOT void ap__step_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    ap_pool_t *pool = op->pool;
    if (op->step == AP_STEP_DONE) { /* it was cancelled */
        tell(op, ask);
        return;
    }
    /* There is no clock below. Most ops need none. */
    int64_t now = answer->now_ns;
    uint8_t from = op->step;
    const ap_state_t *st = &pool->state;
    bool has_deadline = op->deadline != AP_NEVER;
    bool looks = op->step == AP_STEP_WAIT || (op->step == AP_STEP_BEGIN && op->kind <= AP_KIND_RELEASE);
    bool times = ap__is_timed(st) && op->kind <= AP_KIND_TRY; /* each step may be the one that lends */
    if (now == 0 && ((has_deadline && op->step == AP_STEP_WAIT) || (looks && ap__reads_clock(st)) || times ||
                     AP_UNLIKELY(st->gate & AP_GATE_PUTS_OFF)))
        now = ap__now();
    if (now != 0 && ap__has_ages(&pool->state))
        ap__tick(&pool->state, now);
    ap__whose_step(op, now);
    ap_hold_t hold = {0, 0};
    if (ap__holds(pool) && from == AP_STEP_BEGIN && gives_back(op))
        hold = op->by_lease ? ap__hold_end_lease(pool, op->lease, now) : ap__hold_end(pool, (void *)op->resource, now);
    if (AP_FAST && ap__fast_step(op, answer->ok, now)) {
        if (op->step == AP_STEP_WAIT && pool->state.waiters.head == op)
            atomic_fetch_or_explicit(&op->own.async, AP_FIRST, memory_order_relaxed);
        ap__times_step(op, from, answer->ok, now);
        count_hold(op, hold);
        tell(op, ask);
        return;
    }
    if (now == 0 && ((has_deadline && op->step != AP_STEP_BEGIN) || st->breaker.failures || st->patience.retry ||
                     answer->later_ns || ap__has_ages(st))) {
        now = ap__now();
        if (ap__has_ages(st))
            ap__tick(&pool->state, now);
    }
    pool_answer_t timed = *answer;
    timed.now_ns = now;
    ap_traced_t before = ap__trace_before(op);
    if (AP_UNLIKELY(ap__go_next(pool->core, op, &timed, ask) != 0)) {
        op->step = AP_STEP_DONE;
        op->status = POOL_ERR_INTERNAL;
        op->resource = 0;
        tell(op, ask);
    }
    if (AP_UNLIKELY(op->step == AP_STEP_LEAKED)) {
        ap__lend_read(st, op->entry, &op->own.lend);
        ask->lend = &op->own.lend;
    }
    ap__trace_after(op, before, answer);
    ap__times_step(op, from, answer->ok, now);
    count_hold(op, hold);
    if (AP_UNLIKELY(op->step == AP_STEP_DONE && op->status == POOL_ERR_FACTORY))
        ap__error_of_factory(&pool->factory_error);
}

/* Ends a step of this thread's op, whose ask nobody has heard if an observer unwinds it. */
static void end_step(ap_op_t *op, pool_ask_kind_t kind, ap_change_t before)
{
    /* An op that waits or is done is not this thread's alone any more. */
    bool unheard = kind != POOL_ASK_WAIT && kind != POOL_ASK_DONE;
    ap_pool_t *pool = op->pool;
    if (unheard)
        op->flags |= AP_FLAG_UNASKED;
    ap__change_end(pool, before);
    if (unheard)
        op->flags &= ~(uint32_t)AP_FLAG_UNASKED;
}

AP_HOT bool ap__next_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    ap_pool_t *pool = op->pool;
    ap_change_t before = ap__change_begin(pool);
    ap__step_locked(op, answer, ask);
    if (op->kind == AP_KIND_RELEASE && op->step == AP_STEP_DONE && pool->state.ready.head != NULL)
        ap__crowd_hand_over(pool);
    /* At the end: who has come to sleep meanwhile is woken now, and would find the lock taken again. */
    bool awaited = ask->status == POOL_PENDING && ap__lock_is_awaited(&pool->lock);
    end_step(op, ask->kind, before);
    return awaited;
}

void ap__lock_for(ap_op_t *op)
{
    ap__lock(op->pool);
    while (AP_UNLIKELY(ap__is_waking(atomic_load_explicit(&op->wake, memory_order_acquire)))) {
        ap__unlock(op->pool);
        ap__await_waker(op);
        ap__lock(op->pool);
    }
}

AP_HOT void ap__next(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    if (AP_UNLIKELY(ap__forked)) { /* the child of a fork inside a hook comes back from it */
        op->step = AP_STEP_DONE;
        op->status = POOL_ERR_FORKED;
    }
    if (op->step == AP_STEP_DONE) { /* the pool may be gone */
        tell(op, ask);
        return;
    }
    for (;;) { /* who looks at many, or destroys many, pauses now and then, for others to have the lock */
        ap__lock_for(op);
        bool awaited = ap__next_locked(op, answer, ask);
        if (AP_LIKELY(ask->status != POOL_PENDING))
            return;
        if (awaited)
            ap__lock_let_in(&op->pool->lock);
    }
}

pool_status_t ap__cancel_locked(ap_op_t *op)
{
    if (AP_FAST && ap__fast_cancel(op))
        return POOL_OK;
    ap_traced_t before = ap__trace_before(op);
    int status = ap__go_cancel(op->pool->core, op);
    if (AP_UNLIKELY(status == POOL_ERR_INTERNAL)) {
        op->step = AP_STEP_DONE;
        op->status = POOL_ERR_INTERNAL;
    }
    ap__trace_after(op, before, NULL);
    return (pool_status_t)status;
}

pool_status_t ap__cancel(ap_op_t *op)
{
    if (op->step == AP_STEP_DONE)
        return POOL_OK;
    if (AP_UNLIKELY(ap__forked))
        return POOL_ERR_FORKED;
    ap_pool_t *pool = op->pool;
    ap__lock_for(op);
    ap_change_t before = ap__change_begin(pool);
    pool_status_t status = ap__cancel_locked(op);
    ap__change_end(pool, before);
    return status;
}

/* ---- public ---- */

static pool_status_t begin(pool_t *pool, pool_op_t *op, const char *function, uint8_t kind, void *resource,
                           int64_t timeout_ms)
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
    if (p->scheduler.resume)
        atomic_init(&((ap_op_t *)op)->own.async, AP_COROUTINE);
    return POOL_OK;
}

/* Of an acquire: its end tells the id of the lend. */
static pool_status_t begin_lease(pool_t *pool, pool_op_t *op, const char *function, uint8_t kind, int64_t timeout_ms)
{
    pool_status_t status = begin(pool, op, function, kind, NULL, timeout_ms);
    if (status == POOL_OK)
        ((ap_op_t *)op)->by_lease = AP_LEASE_TOLD;
    return status;
}

pool_status_t pool_op_acquire(pool_t *pool, pool_op_t *op, int64_t timeout_ms)
{
    return begin_lease(pool, op, "pool_op_acquire", AP_KIND_ACQUIRE, timeout_ms);
}

pool_status_t pool_op_try_acquire(pool_t *pool, pool_op_t *op)
{
    return begin_lease(pool, op, "pool_op_try_acquire", AP_KIND_TRY, 0);
}

pool_status_t pool_op_release(pool_t *pool, pool_op_t *op, void *resource)
{
    return begin(pool, op, "pool_op_release", AP_KIND_RELEASE, resource, 0);
}

pool_status_t pool_op_discard(pool_t *pool, pool_op_t *op, void *resource)
{
    return begin(pool, op, "pool_op_discard", AP_KIND_DISCARD, resource, 0);
}

pool_status_t pool_op_detach(pool_t *pool, pool_op_t *op, void *resource)
{
    return begin(pool, op, "pool_op_detach", AP_KIND_DETACH, resource, 0);
}

/* Of what gives back a lend by its lease. */
static pool_status_t begin_end(pool_t *pool, pool_op_t *op, const char *function, uint8_t kind,
                               const pool_lease_t *lease)
{
    pool_status_t status = begin(pool, op, function, kind, lease ? lease->resource : NULL, 0);
    if (status != POOL_OK)
        return status;
    ap_op_t *o = (ap_op_t *)op;
    o->by_lease = AP_LEASE_WANTED;
    if (lease) {
        o->lease = lease->id;
        return POOL_OK;
    }
    o->step = AP_STEP_DONE;
    o->status = POOL_ERR_INVALID;
    return ap__fail(POOL_ERR_INVALID, function, "lease is NULL");
}

pool_status_t pool_op_release_lease(pool_t *pool, pool_op_t *op, const pool_lease_t *lease)
{
    return begin_end(pool, op, "pool_op_release_lease", AP_KIND_RELEASE, lease);
}

pool_status_t pool_op_discard_lease(pool_t *pool, pool_op_t *op, const pool_lease_t *lease)
{
    return begin_end(pool, op, "pool_op_discard_lease", AP_KIND_DISCARD, lease);
}

pool_status_t pool_op_detach_lease(pool_t *pool, pool_op_t *op, const pool_lease_t *lease)
{
    return begin_end(pool, op, "pool_op_detach_lease", AP_KIND_DETACH, lease);
}

pool_status_t pool_op_drain(pool_t *pool, pool_op_t *op, int64_t timeout_ms)
{
    return begin(pool, op, "pool_op_drain", AP_KIND_DRAIN, NULL, timeout_ms);
}

pool_status_t pool_op_evict(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_evict", AP_KIND_EVICT, NULL, 0);
}

pool_status_t pool_op_resize(pool_t *pool, pool_op_t *op, uint32_t min_size, uint32_t max_size)
{
    const char *function = "pool_op_resize", *wrong = ap__sizes_check(min_size, max_size);
    pool_status_t status = begin(pool, op, function, AP_KIND_RESIZE, NULL, 0);
    if (status != POOL_OK)
        return status;
    ap_op_t *o = (ap_op_t *)op;
    o->visits = min_size;
    o->pass = max_size;
    if (!wrong)
        return POOL_OK;
    o->step = AP_STEP_DONE;
    o->status = POOL_ERR_INVALID;
    return ap__fail(POOL_ERR_INVALID, function, wrong);
}

pool_status_t pool_op_trim(pool_t *pool, pool_op_t *op, uint32_t keep_idle)
{
    pool_status_t status = begin(pool, op, "pool_op_trim", AP_KIND_TRIM, NULL, 0);
    if (status == POOL_OK)
        ((ap_op_t *)op)->visits = keep_idle;
    return status;
}

pool_status_t pool_op_close(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_close", AP_KIND_CLOSE, NULL, 0);
}

pool_status_t pool_op_fill(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_fill", AP_KIND_FILL, NULL, 0);
}

pool_status_t pool_op_create_behind(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_create_behind", AP_KIND_BEHIND, NULL, 0);
}

uint32_t pool_creations_due(const pool_t *pool)
{
    ap_pool_t *p = ap__pool_for("pool_creations_due", pool);
    if (!p)
        return 0;
    ap__lock(p);
    uint32_t due = ap__places_due(&p->state);
    ap__unlock(p);
    return due;
}

pool_status_t pool_op_sweep(pool_t *pool, pool_op_t *op)
{
    return begin(pool, op, "pool_op_sweep", AP_KIND_SWEEP, NULL, 0);
}

/* The answer of a caller of any version. False: it cannot be read, or says what is unknown here, and is a failure. */
static inline bool hear(const pool_answer_t *answer, pool_answer_t *heard)
{
    enum { FIRST = 32 }; /* up to now_ns */
    if (answer && answer->struct_size == sizeof *heard) {
        *heard = *answer;
        return true;
    }
    if (answer && ap__size_is_one(answer->struct_size, FIRST) &&
        ap__size_in(answer, answer->struct_size, heard, sizeof *heard))
        return true;
    *heard = (pool_answer_t)POOL_ANSWER_INIT;
    return !answer;
}

pool_ask_kind_t pool_op_next(pool_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    const char *function = "pool_op_next";
    enum { FIRST = 48 }; /* up to turn */
    pool_ask_t full = POOL_ASK_INIT;
    if (AP_UNLIKELY(!ask || !ap__size_is_one(ask->struct_size, FIRST))) {
        ap__fail(POOL_ERR_INVALID, function,
                 "ask is NULL, or its struct_size that of no version: start from POOL_ASK_INIT");
        return POOL_ASK_DONE;
    }
    ap_op_t *o = ap__async_told(op) ? (ap_op_t *)op : ap__op_for(function, op);
    if (AP_UNLIKELY(!o)) {
        full.status = ap__forked ? POOL_ERR_FORKED : POOL_ERR_INVALID;
    } else {
        pool_answer_t heard;
        bool understood = hear(answer, &heard);
        ap__next(o, &heard, &full);
        if (AP_UNLIKELY(!understood))
            ap__fail(POOL_ERR_INVALID, function,
                     "the answer is of no version, or says what this library lacks, and was taken for a failure: "
                     "start from POOL_ANSWER_INIT");
    }
    if (ask->struct_size == sizeof full)
        *ask = full;
    else
        ap__size_out(ask, ask->struct_size, &full, sizeof full);
    return full.kind;
}

pool_status_t pool_op_wait(pool_op_t *op, int64_t until_ns)
{
    const char *function = "pool_op_wait";
    AP_REFUSE_FORKED(function);
    ap_op_t *o = ap__op_for(function, op);
    if (!o)
        return POOL_ERR_INVALID;
    if (o->step != AP_STEP_WAIT)
        return ap__fail(POOL_ERR_INVALID, function, AP_DOES_NOT_WAIT);
    return ap__park(o, until_ns) ? POOL_OK : ap__fail(POOL_ERR_TIMEOUT, function, "not woken in time");
}

int64_t pool_op_until_ns(const pool_op_t *op)
{
    const ap_op_t *o = ap__op((pool_op_t *)op);
    if (AP_LIKELY(o != NULL))
        return ap__until(o);
    ap__fail_handle("pool_op_until_ns", "op was not begun");
    return AP_NEVER;
}

pool_status_t pool_op_cancel(pool_op_t *op)
{
    AP_REFUSE_FORKED("pool_op_cancel");
    if (!op)
        return POOL_OK;
    ap_op_t *o = ap__op(op);
    if (!o)
        return ap__fail(POOL_ERR_INVALID, "pool_op_cancel", "op was not begun");
    if (AP_UNLIKELY(ap__inside_resume_of(o)))
        return ap__fail(POOL_ERR_INVALID, "pool_op_cancel", AP_IS_BEING_RESUMED);
    return o->own.reactor ? ap__async_cancel(o) : ap__cancel(o);
}

/*
 * The fast path of an op: its steps while the pool is open and the breaker active, with whatever hooks, reports and
 * observers. An op is left between two of them as the core would have left it, so either can make the next step: what
 * is to be made or destroyed, a hook that says no, a pool that closed or a breaker that moved while a hook ran, are
 * the core's. Under the lock; each function is named after what it is in pool/core, and tests_go/search compares the
 * two in every state.
 */
#ifndef ASYNCPOOL_FAST_OP_H
#define ASYNCPOOL_FAST_OP_H

#include "fast.h"

/* bits of the gate that leave an op on the fast path */
enum {
    AP_GATE_ORDINARY = AP_GATE_WAITERS | AP_GATE_RESERVED | AP_GATE_ACQUIRE_HOOK | AP_GATE_RELEASE_HOOK |
                       AP_GATE_REPORTS | AP_GATE_OBSERVED | AP_GATE_EVICTED | AP_GATE_KEPT,
    AP_FLAG_GRANTED = AP_FLAG_RESERVED | AP_FLAG_BOUND
};

static inline bool ap__fast_ordinary(const ap_state_t *st) { return !(st->gate & ~(uint32_t)AP_GATE_ORDINARY); }

/* Is the resource of the op one that is not to be lent again? */
static inline bool ap__fast_evicted(const ap_state_t *st, const ap_op_t *op)
{
    return AP_UNLIKELY(st->gate & AP_GATE_EVICTED) && ap__evicted(st, ap__registry_entry(&st->registry, op->entry));
}

/* Is it an op of which nothing is special, at a pool of which nothing is? */
static inline bool ap__fast_serves(const ap_state_t *st, const ap_op_t *op)
{
    return ap__fast_ordinary(st) && !(op->flags & ~(uint32_t)AP_FLAG_GRANTED) &&
           !(op->flags & AP_FLAG_BOUND && ap__fast_evicted(st, op));
}

/* Is this an acquire whose driver has yet to hear that before_acquire is asked for? A loop hears when it dispatches. */
static inline bool ap__fast_unheard(const ap_state_t *st, const ap_op_t *op)
{
    return ap__fast_ordinary(st) && op->flags == AP_FLAG_UNASKED && op->step == AP_STEP_CHECK_OUT;
}

/* State.ended, as far as acquires end here. */
static inline void ap__count_ended(ap_state_t *st, int32_t status)
{
    ap_counts_t *n = &st->counts;
    if (status == POOL_ERR_TIMEOUT)
        n->timeouts++;
    else if (status == POOL_ERR_OVERLOADED)
        n->overloaded++;
    else if (status == POOL_ERR_CANCELLED)
        n->cancelled++;
}

/* Core.finish. It is in no line any more that has to be told. */
static inline void ap__fast_finish(ap_state_t *st, ap_op_t *op, int32_t status)
{
    ap__places_unlink(st, op);
    op->step = AP_STEP_DONE;
    op->status = status;
    if (op->kind <= AP_KIND_TRY)
        ap__count_ended(st, status);
    if (status != POOL_OK || op->kind > AP_KIND_TRY)
        op->resource = 0;
    st->ops--;
    ap__places_withdraw(st, op);
    ap__places_grant(st);
}

/* Core.checkedOut of a yes, and Core.lend. */
static inline bool ap__fast_checked_out(ap_state_t *st, ap_op_t *op)
{
    if (op->epoch != st->breaker.epoch || ap__fast_evicted(st, op))
        return false; /* it has to be marked as one of before an opening, or is not lent */
    if (op->by_lease) {
        uint64_t id = ap__lease_id(st, op->entry);
        if (AP_UNLIKELY(id == 0))
            return false;
        op->lease = *ap__lease_last(&st->registry, op->entry) = id;
    }
    ap__places_mark_lent(st, op->entry, op->by_lease ? AP_ENTRY_LEASED : 0);
    st->counts.lends++;
    st->counts.waited += op->ticket != 0;
    ap__fast_finish(st, op, POOL_OK);
    AP_TRACE_ACQUIRE(op->pool, op->resource, POOL_OK);
    return true;
}

/* Core.takeIdle, for who was promised a resource, or finds one. */
static inline void ap__fast_take_idle(ap_state_t *st, ap_op_t *op)
{
    if (!(op->flags & AP_FLAG_BOUND))
        op->entry = ap__idle_take_next(st);
    op->epoch = st->breaker.epoch;
    ap__places_unreserve(st, op);
    ap__count_lent(st);
    ap_entry_t *entry = ap__registry_entry(&st->registry, op->entry);
    entry->state = AP_ENTRY_HOOK;
    op->resource = entry->word;
}

/* Core.decide of an acquire or a try, at its beginning or when it comes back. */
static inline bool ap__fast_decide(ap_state_t *st, ap_op_t *op, int64_t now_ns)
{
    bool begins = op->step == AP_STEP_BEGIN, promised = op->flags & AP_FLAG_RESERVED;
    if (!begins && !promised && ap__sent_away(st, op))
        return false;
    if (!begins && op->deadline != AP_NEVER && now_ns >= op->deadline) {
        ap__fast_finish(st, op, POOL_ERR_TIMEOUT);
        AP_TRACE_ACQUIRE(op->pool, NULL, POOL_ERR_TIMEOUT);
        return true;
    }
    /* Who is in line takes no place that is free: others stand before it. */
    bool entitled = promised || (op->list != AP_LIST_WAITERS && ap__surplus(st));
    bool own = entitled && !(promised ? op->flags & AP_FLAG_BOUND : ap__any_idle(st));
    if (own && (!st->behind || promised || (op->kind != AP_KIND_TRY && (op->ticket || !ap__overloaded(st)))))
        return false; /* one has to be made */
    entitled = entitled && !own;
    if (entitled && ap__worn(st, promised ? op->entry : ap__idle_next(st)))
        return false; /* it has to be destroyed */
    if (entitled && op->by_lease && AP_UNLIKELY(!ap__lease_id(st, promised ? op->entry : ap__idle_next(st))))
        return false; /* there is no memory for its id: the core knows what follows */
    st->ops += begins;
    if (!entitled && op->kind == AP_KIND_TRY) {
        ap__fast_finish(st, op, POOL_EMPTY);
        AP_TRACE_ACQUIRE(op->pool, NULL, POOL_EMPTY);
    } else if (!entitled && !op->ticket && ap__overloaded(st)) {
        ap__fast_finish(st, op, POOL_ERR_OVERLOADED);
        AP_TRACE_ACQUIRE(op->pool, NULL, POOL_ERR_OVERLOADED);
    } else if (!entitled) {
        ap__places_park(st, op);
    } else {
        ap__places_unlink(st, op);
        ap__fast_take_idle(st, op);
        op->step = AP_STEP_CHECK_OUT;
        if (st->asks & POOL_ASKS_BEFORE_ACQUIRE && !(ap__has_ages(st) && ap__ages_unchecked(st, op->entry)))
            ap__places_regate(st);
        else
            ap__fast_checked_out(st, op);
    }
    return true;
}

/* FastJoin: puts an acquire that begins at the end of the line, no place being free: decide and park. Whom the line is
 * too long for joins nothing: its first step tells it so. */
static inline bool ap__fast_join(ap_op_t *op)
{
    ap_state_t *st = &op->pool->state;
    bool comes = op->step == AP_STEP_BEGIN && op->kind == AP_KIND_ACQUIRE;
    bool waits = !ap__surplus(st) && !ap__overloaded(st);
    return comes && ap__fast_serves(st, op) && waits && ap__fast_decide(st, op, 0);
}

/* Core.reportedSuccess. */
static inline bool ap__fast_reported(ap_state_t *st, ap_op_t *op)
{
    if (ap__fast_evicted(st, op) || ap__worn(st, op->entry))
        return false;
    AP_TRACE_RELEASE(op->pool, op->resource, POOL_OK);
    ap__places_put_idle(st, ap__registry_entry(&st->registry, op->entry), op->entry);
    ap__fast_finish(st, op, POOL_OK);
    return true;
}

/* Core.checkedIn of a yes. Core.count of a success of a release: what was lent before an opening says nothing. */
static inline bool ap__fast_checked_in(ap_state_t *st, ap_op_t *op)
{
    if (ap__fast_evicted(st, op) || ap__worn(st, op->entry))
        return false;
    if (st->breaker.counts & POOL_COUNT_RELEASES && op->epoch == st->breaker.epoch) {
        st->breaker.count = 0;
        if (!(st->asks & POOL_ASKS_REPORTS))
            st->gate &= ~(uint32_t)AP_GATE_REPORTS;
    }
    op->step = AP_STEP_REPORT_SUCCESS;
    return st->asks & POOL_ASKS_REPORTS ? true : ap__fast_reported(st, op);
}

/* Core.checkIn. What was lent before the breaker last opened is judged by the core. */
static inline bool ap__fast_check_in(ap_state_t *st, ap_op_t *op)
{
    uint32_t number = 0;
    ap_entry_t *entry = op->by_lease ? ap__lease_find(&st->registry, op->lease, &number)
                                     : ap__registry_lent(&st->registry, (void *)op->resource, &number);
    if (entry && (entry->flags & ~AP_ENTRY_LEASED || (int32_t)(entry->mark - st->breaker.opened) < 0 ||
                  ap__evicted(st, entry) || ap__worn(st, number)))
        return false;
    st->ops++;
    if (AP_UNLIKELY(!entry)) {
        AP_TRACE_RELEASE(op->pool, op->resource, POOL_ERR_NOT_OWNED);
        ap__fast_finish(st, op, POOL_ERR_NOT_OWNED);
        return true;
    }
    ap__is_back(st, number);
    if (AP_UNLIKELY(entry->shared))
        ap__registry_come_in(&st->registry, number);
    entry->state = AP_ENTRY_HOOK;
    op->entry = number;
    op->resource = entry->word;
    op->epoch = st->breaker.epoch;
    op->step = AP_STEP_CHECK_IN;
    return st->asks & POOL_ASKS_BEFORE_RELEASE ? true : ap__fast_checked_in(st, op);
}

/*
 * The end of Core.decide for two who come while creations are put off. Places may be free then: a try that finds nothing
 * idle is EMPTY, and one more than may wait is OVERLOADED.
 */
static inline bool ap__fast_put_off(ap_state_t *st, ap_op_t *op, int64_t now_ns)
{
    if (st->gate & ~(uint32_t)(AP_GATE_ORDINARY | AP_GATE_PUTS_OFF) || op->step != AP_STEP_BEGIN)
        return false;
    bool none = !ap__any_idle(st) && (st->waiting || st->patience.making || now_ns < st->patience.until);
    if (op->kind == AP_KIND_TRY && none)
        op->status = POOL_EMPTY;
    else if (op->kind == AP_KIND_ACQUIRE && st->waiting && ap__overloaded(st))
        op->status = POOL_ERR_OVERLOADED;
    else
        return false;
    op->step = AP_STEP_DONE;
    op->resource = 0;
    ap__count_ended(st, op->status);
    AP_TRACE_ACQUIRE(op->pool, NULL, op->status);
    return true;
}

/* One step: Core.Next, with what was answered to the ask before. False: nothing was done, and the core must decide. */
static inline bool ap__fast_step(ap_op_t *op, bool ok, int64_t now_ns)
{
    ap_state_t *st = &op->pool->state;
    if (ap__fast_unheard(st, op) && op->epoch == st->breaker.epoch) {
        op->flags = 0;
        return true;
    }
    if (!ap__fast_serves(st, op))
        return AP_UNLIKELY(st->gate & AP_GATE_PUTS_OFF) && ap__fast_put_off(st, op, now_ns);
    switch (op->step) {
    case AP_STEP_BEGIN:
        if (op->kind <= AP_KIND_TRY)
            return ap__fast_decide(st, op, now_ns);
        return op->kind == AP_KIND_RELEASE && ap__fast_check_in(st, op);
    case AP_STEP_WAIT:
        return ap__fast_decide(st, op, now_ns);
    case AP_STEP_CHECK_OUT:
        return ok && ap__fast_checked_out(st, op);
    case AP_STEP_CHECK_IN:
        return ok && ap__fast_checked_in(st, op);
    case AP_STEP_REPORT_SUCCESS:
        return ap__fast_reported(st, op);
    default:
        return false;
    }
}

/*
 * Core.Cancel of one that has not begun, that waits, or that nobody has heard of: what it has, or was promised, goes to
 * the next.
 */
static inline bool ap__fast_cancel(ap_op_t *op)
{
    ap_state_t *st = &op->pool->state;
    if (op->step == AP_STEP_BEGIN && !(st->gate & AP_GATE_BROKEN)) {
        op->step = AP_STEP_DONE;
        op->status = POOL_ERR_CANCELLED;
        op->resource = 0;
        return true;
    }
    if (ap__fast_unheard(st, op) && !ap__fast_evicted(st, op)) { /* nobody has touched the resource */
        op->flags = 0;
        ap__places_put_idle(st, ap__registry_entry(&st->registry, op->entry), op->entry);
    } else if (!ap__fast_serves(st, op) || op->step != AP_STEP_WAIT ||
               (!(op->flags & AP_FLAG_RESERVED) && ap__sent_away(st, op))) {
        return false;
    }
    op->flags |= AP_FLAG_CANCELLED;
    ap__fast_finish(st, op, POOL_ERR_CANCELLED);
    AP_TRACE_ACQUIRE(op->pool, NULL, POOL_ERR_CANCELLED);
    return true;
}

#endif

/*
 * The line, in C: joining it, handing a place to its head, and coming back with a place, when nothing is to
 * be decided: the pool is open, the breaker active, and no hook is asked for. What follows is what the core
 * would do (pool/core/acquire.go, pool/core/places.go); anything else is left to it. Under the lock.
 */
#ifndef ASYNCPOOL_LINE_H
#define ASYNCPOOL_LINE_H

#include "list.h"
#include "registry.h"

/* Brings the bits that speak of the line up to date: a part of Core.regate. */
static inline void ap__line_regate(ap_state_t *st)
{
    uint32_t gate = st->gate & ~(uint32_t)(AP_GATE_WAITERS | AP_GATE_RESERVED);
    st->gate = gate | (st->waiting ? AP_GATE_WAITERS : 0) | (st->reserved ? AP_GATE_RESERVED : 0);
}

/* Is there a place that is neither active nor promised? Core.surplus. */
static inline bool ap__surplus(const ap_state_t *st)
{
    return st->active < st->max_size - st->reserved; /* there are never more promises than places */
}

/* Must one that has waited, and was promised nothing, go? State.SentAway. */
static inline bool ap__line_sent_away(const ap_state_t *st, const ap_op_t *op)
{
    return op->epoch != st->breaker.epoch || (st->gate & (AP_GATE_CLOSED | AP_GATE_BROKEN));
}

/* Core.hear: the call of one that comes, or leaves the line, has an end. */
static inline void ap__line_hear(ap_state_t *st, ap_op_t *op)
{
    if (AP_LIKELY(!(op->flags & AP_FLAG_CALLED)))
        return;
    op->flags &= ~(uint32_t)AP_FLAG_CALLED;
    if (st->called == op)
        st->called = NULL;
}

/* Takes the op out of the list it is in: Core.unlink of one that waits and was not sent away. */
static inline void ap__line_leave(ap_state_t *st, ap_op_t *op)
{
    if (op->list == AP_LIST_WAITERS) {
        ap__line_hear(st, op);
        ap__list_remove(&st->waiters, op);
        st->waiting--;
    } else if (op->list == AP_LIST_READY) {
        ap__list_remove(&st->ready, op);
    } else if (op->list == AP_LIST_WOKEN) {
        ap__list_remove(&st->woken, op);
    }
}

/* Is a resource idle that nobody was promised? */
static inline bool ap__any_idle(const ap_state_t *st) { return st->queue.taken != st->queue.put; }

/* Core.bind: an idle resource that is not in the queue. */
static inline void ap__line_bind(ap_state_t *st, ap_op_t *op, uint32_t entry)
{
    op->entry = entry;
    op->flags |= AP_FLAG_BOUND;
    ap__promises_push(&st->bound, op);
}

/* Core.grant, while the breaker is active: promises free places to those in line, in order, and what is idle. */
static inline void ap__line_grant(ap_state_t *st)
{
    ap_op_t *op;
    while ((op = st->waiters.head) != NULL && ap__surplus(st)) {
        ap__line_leave(st, op);
        ap__list_push(&st->ready, op, AP_LIST_READY);
        st->reserved++;
        op->turn = ++st->turns;
        op->epoch = st->breaker.epoch;
        op->flags |= AP_FLAG_HOLDS;
        if (ap__any_idle(st))
            ap__line_bind(st, op, ap__queue_take(st));
        else
            ap__promises_push(&st->owed, op);
    }
    ap__line_regate(st);
}

/* One more is lent and one less idle, or the other way round. */
static inline void ap__count_lent(ap_state_t *st) { st->resources = ap__pair(st->idle - 1, st->active + 1); }
static inline void ap__count_idle(ap_state_t *st) { st->resources = ap__pair(st->idle + 1, st->active - 1); }

/* Makes a lent resource idle, its place surplus or granted: Core.putIdle of a release. */
static inline void ap__line_keep(ap_state_t *st, ap_entry_t *entry, uint32_t number)
{
    ap_op_t *op = NULL;
    if (AP_UNLIKELY(entry->shared))
        ap__registry_come_in(&st->registry, number);
    ap__entry_set(entry, AP_ENTRY_IDLE, st->passes);
    ap__count_idle(st);
    if (AP_UNLIKELY(st->gate & AP_GATE_RESERVED) && (op = st->owed.head) != NULL) {
        ap__promises_remove(&st->owed, op);
        ap__line_bind(st, op, number);
    } else {
        ap__queue_put(st, number);
    }
    if (st->waiting > 0)
        ap__line_grant(st);
}

/* Lends an idle resource. */
static inline uintptr_t ap__lend(ap_state_t *st, uint32_t number)
{
    ap_entry_t *entry = ap__registry_entry(&st->registry, number);
    ap__entry_set(entry, AP_ENTRY_LENT, st->term);
    if (AP_UNLIKELY(entry->shared))
        ap__registry_go_out(&st->registry, number);
    ap__count_lent(st);
    return entry->word;
}

/* Lends the one that was idle longest of those that nobody was promised: there is one. */
static inline uintptr_t ap__lend_oldest(ap_state_t *st)
{
    return ap__lend(st, ap__queue_take(st));
}

/* Core.park while the breaker is active: at the end of the line, unless it is there already. */
static inline void ap__line_park(ap_state_t *st, ap_op_t *op)
{
    op->until = op->deadline;
    op->plan = 0;
    if (op->list == AP_LIST_WAITERS)
        return;
    op->epoch = st->breaker.epoch;
    op->ticket = ++st->tickets;
    ap__list_push(&st->waiters, op, AP_LIST_WAITERS);
    op->step = AP_STEP_WAIT;
    atomic_store_explicit(&op->wake, AP_WAITS, memory_order_relaxed);
    st->waiting++;
    ap__line_regate(st);
}

enum { /* bits of the gate that keep nobody from being served in line */
    AP_GATE_LINE = AP_GATE_WAITERS | AP_GATE_RESERVED | AP_GATE_RELEASE_HOOK | AP_GATE_REPORTS |
                   AP_GATE_OBSERVED
};

/*
 * A step of an acquire that has to wait, that was promised a resource, or that finds one idle. False: nothing was done,
 * and the core must decide.
 */
static inline bool ap__line_step(ap_op_t *op, int64_t now_ns)
{
    ap_state_t *st = &op->pool->state;
    const uint32_t promise = AP_FLAG_HOLDS | AP_FLAG_BOUND;
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || op->kind != AP_KIND_ACQUIRE || (op->flags & ~promise))
        return false;
    bool begins = op->step == AP_STEP_BEGIN, promised = op->flags & AP_FLAG_HOLDS;
    if (!begins && (op->step != AP_STEP_WAIT || (op->deadline != AP_NEVER && now_ns >= op->deadline)))
        return false;
    if (!begins && !promised && ap__line_sent_away(st, op))
        return false;
    /* Who is in line takes no place that is free: others stand before it. */
    if (!promised && (op->list == AP_LIST_WAITERS || !ap__surplus(st))) {
        st->ops += begins;
        ap__line_park(st, op);
        return true;
    }
    if (promised ? !(op->flags & AP_FLAG_BOUND) : !ap__any_idle(st))
        return false;
    ap__line_leave(st, op);
    if (promised) {
        ap__promises_remove(&st->bound, op);
        st->reserved--;
        op->resource = ap__lend(st, op->entry);
    } else {
        op->resource = ap__lend_oldest(st);
    }
    op->flags = 0;
    op->step = AP_STEP_DONE;
    op->status = POOL_OK;
    st->ops -= !begins;
    ap__line_regate(st);
    return true;
}

/* The cancel of one that waits in line: nothing was promised to it, so nothing is handed on. False: as above. */
static inline bool ap__line_cancel(ap_op_t *op)
{
    ap_state_t *st = &op->pool->state;
    if (op->list != AP_LIST_WAITERS || op->flags != 0 || ap__line_sent_away(st, op) || st->gate & AP_GATE_BREAKER)
        return false; /* while the breaker recovers, who is first then may have to look */
    ap__line_leave(st, op);
    op->flags = AP_FLAG_CANCELLED;
    op->resource = 0;
    op->step = AP_STEP_DONE;
    op->status = POOL_ERR_CANCELLED;
    st->ops--;
    ap__line_regate(st);
    return true;
}

#endif

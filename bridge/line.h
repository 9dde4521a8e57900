/*
 * The line, in C: joining it, handing a place to its head, and coming back with a place, when nothing is to
 * be decided: the pool is open, the breaker active, and no hook is asked for. What follows is what the core
 * would do (pool/acquire.go, pool/places.go); anything else is left to it. Under the lock.
 */
#ifndef ASYNCPOOL_LINE_H
#define ASYNCPOOL_LINE_H

#include "list.h"

/* Brings the bits that speak of the line up to date: a part of Core.regate. */
static inline void ap__line_regate(ap_state_t *st)
{
    uint32_t gate = st->gate & ~(uint32_t)(AP_GATE_WAITERS | AP_GATE_RESERVED);
    st->gate = gate | (st->waiting ? AP_GATE_WAITERS : 0) | (st->reserved ? AP_GATE_RESERVED : 0);
}

/* Is there a place that is neither active nor promised? Core.surplus. */
static inline bool ap__surplus(const ap_state_t *st)
{
    return (uint64_t)st->active + st->reserved < st->max_size;
}

/* Takes the op out of the list it is in: Core.unlink of one that waits. */
static inline void ap__line_leave(ap_state_t *st, ap_op_t *op)
{
    if (op->list == AP_LIST_WAITERS) {
        ap__list_remove(&st->waiters, op);
        st->waiting--;
    } else if (op->list == AP_LIST_READY) {
        ap__list_remove(&st->ready, op);
    } else if (op->list == AP_LIST_WOKEN) {
        ap__list_remove(&st->woken, op);
    }
}

/* Core.grant, while the breaker is active: promises free places to those in line, in order. */
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
    }
    ap__line_regate(st);
}

/* Lends the oldest idle resource: there is one. */
static inline uintptr_t ap__lend_oldest(ap_state_t *st)
{
    ap_entry_t *entry = &st->registry.entries[st->ring.slots[st->ring.head++ & st->ring.mask]];
    entry->state = AP_ENTRY_LENT;
    entry->flags = 0;
    st->idle--;
    st->active++;
    return entry->word;
}

/* Core.park: at the end of the line, unless it is there already. */
static inline void ap__line_park(ap_state_t *st, ap_op_t *op)
{
    if (op->list == AP_LIST_WAITERS)
        return;
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
 * A step of an acquire that has to wait, or that finds a resource idle and a place to go with it. False:
 * nothing was done, and the core must decide.
 */
static inline bool ap__line_step(ap_op_t *op, int64_t now_ns)
{
    ap_state_t *st = &op->pool->state;
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || op->kind != AP_KIND_ACQUIRE || (op->flags & ~(uint32_t)AP_FLAG_HOLDS))
        return false;
    bool begins = op->step == AP_STEP_BEGIN, promised = op->flags & AP_FLAG_HOLDS;
    if (!begins && (op->step != AP_STEP_WAIT || (op->deadline != AP_NEVER && now_ns >= op->deadline)))
        return false;
    /* Who is in line takes no place that is free: others stand before it. */
    if (!promised && (op->list == AP_LIST_WAITERS || !ap__surplus(st))) {
        st->ops += begins;
        ap__line_park(st, op);
        return true;
    }
    if (st->idle == 0)
        return false;
    ap__line_leave(st, op);
    op->resource = ap__lend_oldest(st);
    op->flags = 0;
    op->step = AP_STEP_DONE;
    op->status = POOL_OK;
    st->reserved -= promised;
    st->ops -= !begins;
    ap__line_regate(st);
    return true;
}

/* The cancel of one that waits in line: nothing was promised to it, so nothing is handed on. False: as above. */
static inline bool ap__line_cancel(ap_op_t *op)
{
    ap_state_t *st = &op->pool->state;
    if (op->list != AP_LIST_WAITERS || op->flags != 0 || (st->gate & AP_GATE_BROKEN))
        return false;
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

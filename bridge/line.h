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

/* Promises free places to those in line, in order: Core.grant while the breaker is active. */
static inline void ap__line_grant(ap_state_t *st)
{
    while (st->waiting > 0 && ap__surplus(st)) {
        ap_op_t *op = ap__list_pop(&st->waiters);
        st->waiting--;
        st->reserved++;
        op->turn = ++st->turns;
        op->epoch = st->breaker.epoch;
        op->flags |= AP_FLAG_HOLDS;
        ap__list_push(&st->ready, op, AP_LIST_READY);
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

/* Takes the op out of the list it waited in: Core.unlink of one that was promised a place. */
static inline void ap__line_leave(ap_state_t *st, ap_op_t *op)
{
    if (op->list == AP_LIST_READY)
        ap__list_remove(&st->ready, op);
    else if (op->list == AP_LIST_WOKEN)
        ap__list_remove(&st->woken, op);
}

/* Core.park. */
static inline void ap__line_join(ap_state_t *st, ap_op_t *op)
{
    st->ops++;
    st->waiting++;
    op->ticket = ++st->tickets;
    op->step = AP_STEP_WAIT;
    atomic_store_explicit(&op->wake, AP_ASLEEP, memory_order_relaxed);
    ap__list_push(&st->waiters, op, AP_LIST_WAITERS);
    ap__line_regate(st);
}

enum { /* bits of the gate that keep nobody from being served in line */
    AP_GATE_LINE = AP_GATE_WAITERS | AP_GATE_RESERVED | AP_GATE_RELEASE_HOOK | AP_GATE_REPORTS |
                   AP_GATE_OBSERVED
};

/* The first step of an acquire that finds all places taken. False: the core must decide. */
static inline bool ap__line_wait(ap_op_t *op)
{
    ap_state_t *st = &op->pool->state;
    if (op->kind != AP_KIND_ACQUIRE || op->step != AP_STEP_BEGIN)
        return false;
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || ap__surplus(st))
        return false;
    ap__line_join(st, op);
    return true;
}

/* The step of one that comes back with a promise, in time, and finds a resource idle. False: as above. */
static inline bool ap__line_take(ap_op_t *op, int64_t now_ns)
{
    ap_state_t *st = &op->pool->state;
    if (op->step != AP_STEP_WAIT || op->flags != AP_FLAG_HOLDS || st->idle == 0)
        return false;
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || (op->deadline != AP_NEVER && now_ns >= op->deadline))
        return false;
    ap__line_leave(st, op);
    op->flags = 0;
    op->resource = ap__lend_oldest(st);
    op->step = AP_STEP_DONE;
    op->status = POOL_OK;
    st->reserved--;
    st->ops--;
    ap__line_regate(st);
    return true;
}

#endif

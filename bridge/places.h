/*
 * The account of the places, as far as the fast path needs it: twins of pool/core/places.go, reservations.go and
 * waiters.go, for a pool that is open, with an active breaker. Under the lock.
 */
#ifndef ASYNCPOOL_PLACES_H
#define ASYNCPOOL_PLACES_H

#include "ages.h"
#include "list.h"

/* State.watch, where so many are kept idle: do fewer become so, a pass shall begin. */
static inline void ap__places_watch(ap_state_t *st)
{
    uint32_t beyond = st->makers > st->waiting ? st->makers - st->waiting : 0; /* State.beyond */
    bool lacks =
        ap__queued(st) + st->ahead + beyond < st->min_idle && st->active + (uint64_t)st->idle < st->max_size &&
        st->active + (uint64_t)st->reserved < st->max_size && !(st->gate & (AP_GATE_CLOSED | AP_GATE_DRAINING));
    if (!lacks) {
        st->gate &= ~(uint32_t)AP_GATE_LACKS;
    } else if (!(st->gate & AP_GATE_LACKS)) {
        st->gate |= AP_GATE_LACKS;
        st->prompt = 1;
    }
}

static inline void ap__places_watch_idle(ap_state_t *st)
{
    if (AP_UNLIKELY(st->gate & AP_GATE_MIN_IDLE))
        ap__places_watch(st);
}

/* Brings the bits that speak of the line, and of how many are idle, up to date: a part of Core.regate. */
static inline void ap__places_regate(ap_state_t *st)
{
    ap__queue_level(st);
    uint32_t gate = st->gate & ~(uint32_t)(AP_GATE_WAITERS | AP_GATE_RESERVED);
    st->gate = gate | (st->waiting ? AP_GATE_WAITERS : 0) | (st->reserved ? AP_GATE_RESERVED : 0);
    ap__places_watch_idle(st);
}

/* Is there a place that is neither active nor promised? Core.surplus. */
static inline bool ap__surplus(const ap_state_t *st) { return st->active + (uint64_t)st->reserved < st->max_size; }

/* Is the line full for one that was never in it? Core.overloaded. */
static inline bool ap__overloaded(const ap_state_t *st) { return st->max_waiting && st->waiting >= st->max_waiting; }

/* Are newcomers sent away? Core.shut. */
static inline bool ap__shut(const ap_state_t *st) { return st->gate & (AP_GATE_CLOSED | AP_GATE_DRAINING); }

/* Is a resource idle that nobody was promised? */
static inline bool ap__any_idle(const ap_state_t *st) { return ap__queued(st) != 0; }

/* Are those who are served probes of a strategy that counts creations alone? State.probing. */
static inline bool ap__probing(const ap_state_t *st)
{
    return st->breaker.circuit == POOL_CIRCUIT_RECOVERING && st->breaker.counts == POOL_COUNT_CREATIONS;
}

/* How many places are free for who comes, as observers hear of it: State.Free. */
static inline uint32_t ap__places_free(const ap_state_t *st)
{
    uint64_t taken = st->active + (uint64_t)st->reserved;
    if (st->behind)
        taken += st->waiting;
    if (taken >= st->max_size)
        return 0;
    uint32_t free = (uint32_t)(st->max_size - taken);
    if (!(st->gate & AP_GATE_PUTS_OFF))
        return free;
    uint32_t queued = ap__probing(st) ? 0 : ap__queued(st);
    return free < queued ? free : queued;
}

/* How many creations behind shall begin: State.Due. */
static inline uint32_t ap__places_due(const ap_state_t *st)
{
    if (!st->behind || st->waiting <= st->makers)
        return 0;
    uint64_t taken = st->active + (uint64_t)(ap__probing(st) || st->idle < st->reserved ? st->reserved : st->idle);
    if (taken >= st->max_size)
        return 0;
    uint32_t n = st->waiting - st->makers, limit = (uint32_t)(st->max_size - taken);
    n = n < limit ? n : limit;
    if (st->breaker.circuit == POOL_CIRCUIT_RECOVERING && n > (limit = st->breaker.limit - st->breaker.probes))
        n = limit;
    return st->patience.until && n > st->patience.over ? st->patience.over : n;
}

/* Must one that has waited, and was promised nothing, go? State.SentAway. */
static inline bool ap__sent_away(const ap_state_t *st, const ap_op_t *op)
{
    return op->epoch != st->breaker.epoch || (st->gate & (AP_GATE_CLOSED | AP_GATE_BROKEN));
}

/* Core.hear: the call of one that comes, or leaves the line, has an end. */
static inline void ap__places_hear(ap_state_t *st, ap_op_t *op)
{
    if (AP_LIKELY(!(op->flags & AP_FLAG_CALLED)))
        return;
    op->flags &= ~(uint32_t)AP_FLAG_CALLED;
    if (st->called == op)
        st->called = NULL;
}

/* Takes the op out of the list it is in: Core.unlink of one that waits and was not sent away. */
static inline void ap__places_unlink(ap_state_t *st, ap_op_t *op)
{
    if (op->list == AP_LIST_WAITERS) {
        ap__places_hear(st, op);
        ap__list_remove(&st->waiters, op);
        st->waiting--;
    } else if (op->list == AP_LIST_READY) {
        ap__list_remove(&st->ready, op);
    } else if (op->list == AP_LIST_WOKEN) {
        ap__list_remove(&st->woken, op);
    }
}

/* Core.park: at the end of the line, unless it is there already. */
static inline void ap__places_park(ap_state_t *st, ap_op_t *op)
{
    op->until = op->deadline;
    op->plan = 0;
    if (op->list == AP_LIST_WAITERS) {
        atomic_store_explicit(&op->wake, AP_WAITS, memory_order_relaxed); /* it may have been woken for what it lost */
        return;
    }
    op->epoch = st->breaker.epoch;
    op->ticket = ++st->tickets;
    ap__list_push(&st->waiters, op, AP_LIST_WAITERS);
    op->step = AP_STEP_WAIT;
    atomic_store_explicit(&op->wake, AP_WAITS, memory_order_relaxed);
    st->waiting++;
    ap__places_regate(st);
    AP_TRACE_WAIT(op->pool, op);
}

/* Core.bind: an idle resource that is not in the queue. */
static inline void ap__places_bind(ap_state_t *st, ap_op_t *op, uint32_t entry)
{
    op->entry = entry;
    op->flags |= AP_FLAG_BOUND;
    ap__reservations_push(&st->bound, op);
}

/* Core.bindNext: binds an idle resource to who was owed one first; false: nobody is. */
static inline bool ap__places_bind_next(ap_state_t *st, uint32_t entry)
{
    ap_op_t *op = st->owed.head;
    if (!op)
        return false;
    ap__reservations_remove(&st->owed, op);
    ap__places_bind(st, op, entry);
    return true;
}

/* Core.unreserve */
static inline void ap__places_unreserve(ap_state_t *st, ap_op_t *op)
{
    if (!(op->flags & AP_FLAG_RESERVED))
        return;
    ap__reservations_remove(op->flags & AP_FLAG_BOUND ? &st->bound : &st->owed, op);
    st->reserved--;
    op->flags &= ~(uint32_t)(AP_FLAG_RESERVED | AP_FLAG_BOUND);
}

/* Core.withdraw: ends the promise to one who does not come for it. */
static inline void ap__places_withdraw(ap_state_t *st, ap_op_t *op)
{
    bool bound = op->flags & AP_FLAG_BOUND;
    ap__places_unreserve(st, op);
    if (bound && !ap__places_bind_next(st, op->entry))
        ap__idle_lay_next(st, op->entry);
}

/*
 * Core.grant: promises free places to those in line, in order, and what is idle, or that alone. Nothing idle is evicted
 * here: with callers in line it would be one too many, and the gate would say so.
 */
static inline void ap__places_grant(ap_state_t *st)
{
    ap_op_t *op;
    while ((op = st->waiters.head) != NULL && ap__surplus(st) && (ap__any_idle(st) || !st->behind)) {
        ap__places_unlink(st, op);
        ap__list_push(&st->ready, op, AP_LIST_READY);
        st->reserved++;
        op->turn = ++st->turns;
        op->epoch = st->breaker.epoch;
        op->flags |= AP_FLAG_RESERVED;
        if (ap__any_idle(st))
            ap__places_bind(st, op, ap__idle_take_next(st));
        else
            ap__reservations_push(&st->owed, op);
    }
    ap__places_regate(st);
}

/* One more is lent and one less idle, or the other way round. */
static inline void ap__count_lent(ap_state_t *st) { st->resources = ap__pair(st->idle - 1, st->active + 1); }
static inline void ap__count_idle(ap_state_t *st) { st->resources = ap__pair(st->idle + 1, st->active - 1); }

/* Makes a resource idle that is in use and not lent any more, its place surplus or granted: Core.putIdle. */
static inline void ap__places_put_idle(ap_state_t *st, ap_entry_t *entry, uint32_t number)
{
    ap__entry_set(entry, AP_ENTRY_IDLE, 0, st->passes);
    ap__count_idle(st);
    if (AP_UNLIKELY(st->gate & AP_GATE_RESERVED) && ap__places_bind_next(st, number))
        ap__queue_level(st);
    else
        ap__idle_lay(st, number);
    if (st->waiting > 0)
        ap__places_grant(st);
}

/* Registry.lend: marks an entry as lent, in this term. Flags: AP_ENTRY_LEASED, or none. */
static inline ap_entry_t *ap__places_mark_entry(ap_state_t *st, uint32_t number, uint8_t flags)
{
    ap_entry_t *entry = ap__registry_entry(&st->registry, number);
    bool shared = entry->shared;
    ap__entry_set(entry, AP_ENTRY_LENT, flags, st->term);
    if (AP_UNLIKELY(shared))
        ap__registry_go_out(&st->registry, number);
    return entry;
}

/* The same, and notes that it is lent: a part of Core.lend. */
static inline uintptr_t ap__places_mark_lent(ap_state_t *st, uint32_t number, uint8_t flags)
{
    ap_entry_t *entry = ap__places_mark_entry(st, number, flags);
    ap__is_lent(st, number, entry);
    return entry->word;
}

/* Lends the idle resource that is next of those that nobody was promised, there is one: Core.takeIdle and Core.lend. */
static inline uintptr_t ap__places_lend_next(ap_state_t *st, uint8_t flags)
{
    uintptr_t word = ap__places_mark_lent(st, ap__idle_lend_next(st), flags);
    ap__count_lent(st);
    return word;
}

/* The same where it is known whether there are records, and the oldest is next. */
static inline uintptr_t ap__places_lend_oldest(ap_state_t *st, uint8_t flags, bool aged)
{
    uint32_t number = ap__queue_take(st);
    ap_entry_t *entry = ap__places_mark_entry(st, number, flags);
    if (aged)
        ap__ages_lent(st, number, entry);
    ap__count_lent(st);
    return entry->word;
}

/* The same where the lane ends: more are in use than ever. */
static inline uintptr_t ap__places_lend_beyond(ap_state_t *st, uint8_t flags)
{
    uintptr_t word = ap__places_mark_lent(st, ap__idle_take_next(st), flags);
    ap__count_lent(st);
    st->counts.lends++;
    ap__queue_level(st);
    return word;
}

#endif

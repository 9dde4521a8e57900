/*
 * The fast path: what needs no decision, done in C under the lock without a step of the machine. Each function looks at
 * the bits of the gate that concern it, and says false, having touched nothing, when one is set: the core must decide
 * then. Where it says true it has done what the steps of the core would do that its comment names.
 *
 * Twin of pool/core/fast.go, where the same names do the same for goroutines; tests_go/search compares both with the
 * core, in every state. One thing is done in two ways. Here the place of what comes back is promised to the first in
 * line, who comes back for it by a step: the promise may expire, and who sleeps knows nothing until it runs. There the
 * resource is lent to the first in line at once (FastHandOver), who need not come back, so there is no step.
 */
#ifndef ASYNCPOOL_FAST_H
#define ASYNCPOOL_FAST_H

#include "lease.h"
#include "places.h"

/* 0: a build in which the core makes every step, for tests. What hosts ask for by name is done here all the same:
 * pool_take(), pool_op_join(), pool_op_take(), pool_hand_on(). */
#ifndef AP_FAST
#define AP_FAST 1
#endif

/* bits of the gate that do not concern one direction */
enum {
    AP_GATE_NOT_ACQUIRE = AP_GATE_WAITERS | AP_GATE_RESERVED | AP_GATE_RELEASE_HOOK | AP_GATE_REPORTS |
                          AP_GATE_OBSERVED | AP_GATE_EVICTED, /* what is in the queue has a place, and may be lent */
    AP_GATE_NOT_RELEASE = AP_GATE_ACQUIRE_HOOK | AP_GATE_RESERVED | AP_GATE_WAITERS | AP_GATE_EVICTED,
    AP_GATE_NOT_ALONE = AP_GATE_ACQUIRE_HOOK, /* a release while nobody is in line or on the way */
    /* none of the short ways is for such a pool: there are records, or so many are kept idle */
    AP_GATE_KEPT = AP_GATE_LIFO | AP_GATE_AGES | AP_GATE_MIN_IDLE | AP_GATE_LACKS
};

/* FastTake: lends the resource that is next. decide, takeIdle and lend of an acquire that begins. */
static inline bool ap__fast_take_as(ap_state_t *st, void **resource, uint8_t flags)
{
    uint32_t harmless = AP_GATE_NOT_ACQUIRE | AP_GATE_KEPT;
    if (ap__has_ages(st) && ap__any_idle(st) && ap__ages_unchecked(st, ap__idle_next(st)))
        harmless |= AP_GATE_ACQUIRE_HOOK;
    if ((st->gate & ~harmless) != 0 || !ap__any_idle(st))
        return false;
    if (ap__worn(st, ap__idle_next(st)))
        return false;
    *resource =
        (void *)(AP_LIKELY(ap__queue_within(st)) ? ap__places_lend_next(st, flags) : ap__places_lend_beyond(st, flags));
    ap__places_watch_idle(st);
    return true;
}

static inline bool ap__fast_take(ap_state_t *st, void **resource) { return ap__fast_take_as(st, resource, 0); }

/* The same by lease. */
static inline bool ap__fast_take_lease(ap_state_t *st, pool_lease_t *lease)
{
    if (!ap__any_idle(st))
        return false;
    uint32_t number = ap__idle_next(st);
    uint64_t id = ap__lease_id(st, number);
    if (id == 0 || !ap__fast_take_as(st, &lease->resource, AP_ENTRY_LEASED))
        return false;
    lease->id = *ap__lease_last(&st->registry, number) = id;
    return true;
}

/*
 * The short ways of the same, for what is most usual: the oldest is lent. What shares its word is left to the long way,
 * and so is a new peak, and what may be worn. aged: the way of pools that keep records, and have nothing else that is
 * unusual; else that of pools that keep none. It is constant where it is called.
 */
static inline bool ap__fast_takes_short(const ap_state_t *st, bool aged)
{
    if ((st->gate & ~(uint32_t)AP_GATE_NOT_ACQUIRE) != (aged ? AP_GATE_AGES : 0) || !ap__queue_within(st))
        return false;
    return !AP_UNLIKELY(ap__registry_entry(&st->registry, st->queue.head)->shared) &&
           (!aged || ap__ages_young(st, st->queue.head));
}

static inline bool ap__fast_take_short(ap_state_t *st, void **resource, bool aged)
{
    if (!ap__fast_takes_short(st, aged))
        return false;
    *resource = (void *)ap__places_lend_oldest(st, 0, aged);
    return true;
}

/* The same by lease: the next id of the entry is one of the block. */
static inline bool ap__fast_take_lease_short(ap_state_t *st, pool_lease_t *lease, bool aged)
{
    const ap_leases_t *l = &st->registry.leases;
    if (!ap__fast_takes_short(st, aged))
        return false;
    uint64_t *last = ap__lease_last(&st->registry, st->queue.head);
    if (AP_UNLIKELY(!last || *last - l->base >= l->room))
        return false;
    uint64_t id = *last + l->step;
    lease->resource = (void *)ap__places_lend_oldest(st, AP_ENTRY_LEASED, aged);
    lease->id = *last = id;
    return true;
}

/*
 * FastGive: makes a lent resource idle, and promises its place to the first in line. checkIn, reportedSuccess and
 * putIdle of a release. What is not lent is for the core to refuse.
 */
static inline bool ap__fast_give_entry(ap_state_t *st, ap_entry_t *entry, uint32_t number)
{
    if (!entry || ap__evicted(st, entry) || ap__worn(st, number))
        return false;
    ap__is_back(st, number);
    if (AP_UNLIKELY(entry->shared))
        ap__registry_come_in(&st->registry, number);
    ap__places_put_idle(st, entry, number);
    ap__places_watch_idle(st);
    return true;
}

static inline bool ap__fast_gives(const ap_state_t *st)
{
    return !(st->gate & ~(uint32_t)(AP_GATE_NOT_RELEASE | AP_GATE_KEPT));
}

static inline bool ap__fast_give(ap_state_t *st, void *resource)
{
    uint32_t number = 0;
    if (!ap__fast_gives(st))
        return false;
    ap_entry_t *entry = ap__registry_lent(&st->registry, resource, &number);
    return ap__fast_give_entry(st, entry, number);
}

/* The same by lease. */
static inline bool ap__fast_give_lease(ap_state_t *st, uint64_t id)
{
    uint32_t number = 0;
    if (!ap__fast_gives(st))
        return false;
    ap_entry_t *entry = ap__lease_find(&st->registry, id, &number);
    return ap__fast_give_entry(st, entry, number);
}

/*
 * The short ways of the same, while nobody is in line: what shares its word, or may be worn, is left to the long way.
 * aged: as above. The hash is that of the resource: whoever has it before the lock has the lock for shorter.
 */
static inline bool ap__fast_gives_short(const ap_state_t *st, bool aged)
{
    return (st->gate & ~(uint32_t)AP_GATE_NOT_ALONE) == (aged ? AP_GATE_AGES : 0);
}

static inline bool ap__fast_put_back(ap_state_t *st, ap_entry_t *entry, uint32_t number, bool aged)
{
    if (aged) {
        if (AP_UNLIKELY(!ap__ages_young(st, number)))
            return false;
        ap__registry_record(&st->registry, number)->since = st->ages.clock;
    }
    bool alone = st->idle == 0; /* nothing is bound, and nothing doomed, as the gate says */
    ap__entry_set(entry, AP_ENTRY_IDLE, 0, st->passes);
    ap__count_idle(st);
    ap__queue_put(st, number, alone);
    return true;
}

static inline bool ap__fast_give_short(ap_state_t *st, void *resource, uint32_t hash, bool aged)
{
    const ap_registry_t *g = &st->registry;
    ap_entry_t *entry;
    if (!ap__fast_gives_short(st, aged) || AP_UNLIKELY(g->count == 0))
        return false;
    uint32_t number, next = ap__registry_bucket(g, ap__registry_home_of(g, hash));
    do {
        if (AP_UNLIKELY(next == 0))
            return false;
        number = next - 1;
        entry = ap__registry_entry(g, number);
        next = entry->chain;
    } while (entry->word != (uintptr_t)resource);
    if (AP_UNLIKELY(entry->state != AP_ENTRY_LENT || entry->shared))
        return false;
    return ap__fast_put_back(st, entry, number, aged);
}

/* The same by lease: its id says where it is. */
static inline bool ap__fast_give_lease_short(ap_state_t *st, uint64_t id, bool aged)
{
    if (!ap__fast_gives_short(st, aged))
        return false;
    uint32_t number = (uint32_t)(id & (st->registry.leases.step - 1));
    const uint64_t *last = ap__lease_last(&st->registry, number);
    if (AP_UNLIKELY(!last || *last != id))
        return false;
    ap_entry_t *entry = ap__registry_entry(&st->registry, number);
    if (AP_UNLIKELY(entry->state != AP_ENTRY_LENT || entry->flags != AP_ENTRY_LEASED || entry->shared))
        return false;
    return ap__fast_put_back(st, entry, number, aged);
}

#endif

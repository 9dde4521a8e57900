/*
 * The lane: taking and giving back an idle resource in C, under the lock, when there is nothing to
 * decide. While the gate is open the breaker is active and no hook is asked for, so what follows is what the
 * core would do (pool/core/acquire.go, pool/core/release.go). Each direction ignores the bits that only concern the
 * other.
 */
#ifndef ASYNCPOOL_LANE_H
#define ASYNCPOOL_LANE_H

#include "line.h"

/*
 * Takes the oldest idle resource that nobody was promised; false: nothing was done. The short way, for what is most
 * usual: a resource that shares its word takes ap__lane_take().
 */
static inline bool ap__lane_acquire(ap_state_t *st, void **resource)
{
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || !ap__any_idle(st)) /* what is in the queue has a place */
        return false;
    if (AP_UNLIKELY(ap__registry_entry(&st->registry, st->queue.head)->shared))
        return false;
    *resource = (void *)ap__lend_oldest(st);
    return true;
}

/*
 * Makes a lent resource idle; false: nothing was done. The short way: where somebody is in line, or it shares its word,
 * it takes ap__lane_give(). The hash is that of the resource: whoever has it before the lock has the lock for shorter.
 */
static inline bool ap__lane_release(ap_state_t *st, void *resource, uint32_t hash)
{
    const ap_registry_t *g = &st->registry;
    ap_entry_t *entry;
    if ((st->gate & ~(uint32_t)AP_GATE_ACQUIRE_HOOK) != 0 || AP_UNLIKELY(g->count == 0))
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
    ap__entry_set(entry, AP_ENTRY_IDLE, st->passes);
    ap__count_idle(st);
    ap__queue_put(st, number);
    return true;
}

/* The whole lane, which also knows resources that share their word; false: the core must decide. */
static inline bool ap__lane_take(ap_state_t *st, void **resource)
{
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || !ap__any_idle(st))
        return false;
    *resource = (void *)ap__lend_oldest(st);
    return true;
}

/* The same of a release, which hands the place on to the head of the line; for the core is also what is not lent. */
static inline bool ap__lane_give(ap_state_t *st, void *resource)
{
    enum { HARMLESS = AP_GATE_ACQUIRE_HOOK | AP_GATE_RESERVED | AP_GATE_WAITERS };
    uint32_t number = 0;
    if ((st->gate & ~(uint32_t)HARMLESS) != 0)
        return false;
    ap_entry_t *entry = ap__registry_lent(&st->registry, resource, &number);
    if (entry)
        ap__line_keep(st, entry, number);
    return entry != NULL;
}

#endif

/*
 * The lane: taking and giving back an idle resource in C, under the lock, when there is nothing to
 * decide. While the gate is open the breaker is active and no hook is asked for, so what follows is what the
 * core would do (pool/acquire.go, pool/release.go). Each direction ignores the bits that only concern the
 * other.
 */
#ifndef ASYNCPOOL_LANE_H
#define ASYNCPOOL_LANE_H

#include "line.h"

/* Takes the oldest idle resource that nobody was promised; false: the core must decide. */
static inline bool ap__lane_acquire(ap_state_t *st, void **resource)
{
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || !ap__any_idle(st)) /* what is in the ring has a place */
        return false;
    *resource = (void *)ap__lend_oldest(st);
    return true;
}

/* Registry.home of pool/registry.go. */
static inline uint32_t ap__registry_home(const ap_registry_t *g, uintptr_t word)
{
    unsigned __int128 product = (unsigned __int128)(word ^ g->seed[0]) * (g->seed[1] | 1);
    uint64_t folded = (uint64_t)(product >> 64) ^ (uint64_t)product;
    return (uint32_t)(folded * 0x9e3779b97f4a7c15u >> 32) & g->mask;
}

/* The entry of a lent resource, or NULL: Registry.lent of pool/registry.go. */
static inline ap_entry_t *ap__registry_lent(const ap_registry_t *g, void *resource)
{
    if (g->cap == 0)
        return NULL;
    for (uint32_t i = ap__registry_home(g, (uintptr_t)resource);; i = (i + 1) & g->mask) {
        uint32_t slot = g->index[i];
        if (slot == 0)
            return NULL;
        ap_entry_t *entry = &g->entries[slot - 1];
        if (entry->word == (uintptr_t)resource && entry->state == AP_ENTRY_LENT)
            return entry;
    }
}

/* Makes a lent resource idle, and hands the place on to the head of the line; false: the core
 * must decide, also about what is not lent. */
static inline bool ap__lane_release(ap_state_t *st, void *resource)
{
    enum { HARMLESS = AP_GATE_ACQUIRE_HOOK | AP_GATE_RESERVED | AP_GATE_WAITERS };
    if ((st->gate & ~(uint32_t)HARMLESS) != 0)
        return false;
    ap_entry_t *entry = ap__registry_lent(&st->registry, resource);
    if (!entry)
        return false;
    ap__line_keep(st, entry);
    return true;
}

#endif

/*
 * The lane: taking and giving back an idle resource in C, under the lock, when there is nothing to
 * decide. While the gate is open nobody waits, nothing is promised and no hook is asked for, so what
 * follows is what the core would do (pool/acquire.go, pool/release.go).
 */
#ifndef ASYNCPOOL_LANE_H
#define ASYNCPOOL_LANE_H

#include "internal.h"

/* Takes the oldest idle resource; false: the core must decide. */
static inline bool ap__lane_acquire(ap_state_t *st, void **resource)
{
    if ((st->gate & ~(uint32_t)AP_GATE_RELEASE_HOOK) != 0 || st->idle == 0)
        return false;
    ap_entry_t *entry = &st->registry.entries[st->ring.slots[st->ring.head & st->ring.mask]];
    st->ring.head++;
    entry->state = AP_ENTRY_LENT;
    st->idle--;
    st->active++;
    *resource = (void *)entry->word;
    return true;
}

/* Registry.home of pool/registry.go. */
static inline uint32_t ap__registry_home(const ap_registry_t *g, uintptr_t word)
{
    unsigned __int128 product = (unsigned __int128)(word ^ g->seed[0]) * (g->seed[1] | 1);
    return (uint32_t)((uint64_t)(product >> 64) ^ (uint64_t)product) & g->mask;
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

/* Appends a lent resource to the idle ones; false: the core must decide, also about what is not lent. */
static inline bool ap__lane_release(ap_state_t *st, void *resource)
{
    if ((st->gate & ~(uint32_t)AP_GATE_ACQUIRE_HOOK) != 0)
        return false;
    ap_entry_t *entry = ap__registry_lent(&st->registry, resource);
    if (!entry)
        return false;
    entry->state = AP_ENTRY_IDLE;
    st->ring.slots[st->ring.tail++ & st->ring.mask] = (uint32_t)(entry - st->registry.entries);
    st->idle++;
    st->active--;
    return true;
}

#endif

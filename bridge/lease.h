/* Leases, as far as the fast path needs them: twin of pool/core/lease.go. Under the lock. */
#ifndef ASYNCPOOL_LEASE_H
#define ASYNCPOOL_LEASE_H

#include "registry.h"

/* Registry.lastID */
static inline uint64_t *ap__lease_last(const ap_registry_t *g, uint32_t i)
{
    const ap_leases_t *l = &g->leases;
    uint32_t number = i >> AP_PAGE_BITS;
    uint64_t *ids = l->first;
    if (AP_UNLIKELY(number != 0))
        ids = number - 1 < l->more_cap ? l->more[number - 1] : NULL;
    return AP_LIKELY(ids != NULL) ? ids + (i & (AP_PAGE_SIZE - 1)) : NULL;
}

/* Leases.next; 0: another block is needed. */
static inline uint64_t ap__lease_next(const ap_leases_t *l, uint32_t i, uint64_t last)
{
    uint64_t used = last - l->base;
    if (AP_LIKELY(used < l->room))
        return last + l->step;
    return used >= l->room + l->step && i < l->step && l->room != 0 ? l->base + i : 0;
}

/* Registry.leasable and newBlock, and the id of lease_id; 0: there is no memory, and the core says so. */
uint64_t ap__lease_room(ap_registry_t *g, uint32_t i);

/* The id that the next lend of an entry would have. */
static inline uint64_t ap__lease_id(ap_state_t *st, uint32_t i)
{
    const uint64_t *last = ap__lease_last(&st->registry, i);
    uint64_t id = last ? ap__lease_next(&st->registry.leases, i, *last) : 0;
    return AP_LIKELY(id != 0) ? id : ap__lease_room(&st->registry, i);
}

/* Registry.Leased: the entry that is lent by the lease of this id, and its number; NULL: there is none. */
static inline ap_entry_t *ap__lease_find(const ap_registry_t *g, uint64_t id, uint32_t *number)
{
    for (uint64_t step = g->leases.step; step != 0; step >>= 1) {
        uint32_t i = (uint32_t)(id & (step - 1));
        const uint64_t *last = ap__lease_last(g, i);
        if (!last || *last != id)
            continue;
        ap_entry_t *e = ap__registry_entry(g, i);
        *number = i;
        return e->state == AP_ENTRY_LENT && e->flags & AP_ENTRY_LEASED ? e : NULL;
    }
    return NULL;
}

#endif

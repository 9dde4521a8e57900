/*
 * The lane: taking and giving back an idle resource in C, under the lock, when there is nothing to
 * decide. While the gate is open the breaker is active and no hook is asked for, so what follows is what the
 * core would do (pool/acquire.go, pool/release.go). Each direction ignores the bits that only concern the
 * other.
 */
#ifndef ASYNCPOOL_LANE_H
#define ASYNCPOOL_LANE_H

#include "line.h"

/* What became of it. A resource that shares its word takes a few steps more, which the callers of a lane have out
 * of line. */
enum ap_lane { AP_LANE_CORE /* nothing: the core must decide */, AP_LANE_DONE, AP_LANE_SHARED /* nothing yet */ };

/* Takes the oldest idle resource that nobody was promised. */
static inline enum ap_lane ap__lane_acquire(ap_state_t *st, void **resource)
{
    if ((st->gate & ~(uint32_t)AP_GATE_LINE) != 0 || !ap__any_idle(st)) /* what is in the queue has a place */
        return AP_LANE_CORE;
    if (AP_UNLIKELY(ap__registry_entry(&st->registry, st->queue.head)->shared))
        return AP_LANE_SHARED;
    *resource = (void *)ap__lend_oldest(st);
    return AP_LANE_DONE;
}

/* Goes on after AP_LANE_SHARED. */
static inline void ap__lane_acquire_shared(ap_state_t *st, void **resource)
{
    *resource = (void *)ap__lend_oldest(st);
}

/* Makes a lent resource idle, and hands the place on to the head of the line; for the core is also what
 * is not lent. */
static inline enum ap_lane ap__lane_release(ap_state_t *st, void *resource)
{
    enum { HARMLESS = AP_GATE_ACQUIRE_HOOK | AP_GATE_RESERVED | AP_GATE_WAITERS };
    if ((st->gate & ~(uint32_t)HARMLESS) != 0)
        return AP_LANE_CORE;
    uint32_t number = 0;
    ap_entry_t *entry = ap__registry_lent(&st->registry, resource, &number);
    if (!entry)
        return AP_LANE_CORE;
    if (AP_UNLIKELY(entry->shared))
        return AP_LANE_SHARED;
    ap__line_keep(st, entry, number);
    return AP_LANE_DONE;
}

/* Goes on after AP_LANE_SHARED. */
static inline void ap__lane_release_shared(ap_state_t *st, void *resource)
{
    uint32_t number = 0;
    ap_entry_t *entry = ap__registry_lent(&st->registry, resource, &number);
    ap__line_keep(st, entry, number);
}

/* Both ways at once, for who does not count nanoseconds; false: the core must decide. */
static inline bool ap__lane_take(ap_state_t *st, void **resource)
{
    enum ap_lane lane = ap__lane_acquire(st, resource);
    if (lane == AP_LANE_SHARED)
        ap__lane_acquire_shared(st, resource);
    return lane != AP_LANE_CORE;
}

static inline bool ap__lane_give(ap_state_t *st, void *resource)
{
    enum ap_lane lane = ap__lane_release(st, resource);
    if (lane == AP_LANE_SHARED)
        ap__lane_release_shared(st, resource);
    return lane != AP_LANE_CORE;
}

#endif

/*
 * How long resources live, as far as the fast path needs it: twin of pool/core/ages.go. Under the lock.
 */
#ifndef ASYNCPOOL_AGES_H
#define ASYNCPOOL_AGES_H

#include "registry.h"

static inline bool ap__has_ages(const ap_state_t *st) { return AP_UNLIKELY(st->gate & AP_GATE_AGES); }

/* State.Tick */
static inline void ap__tick(ap_state_t *st, int64_t now_ns)
{
    enum { LITTLE = 1 << 16 };
    uint32_t tick = (uint32_t)((uint64_t)now_ns >> AP_TICK_BITS);
    if (st->ages.clock - tick > LITTLE)
        st->ages.clock = tick;
}

/* Has who takes or gives back a resource of this pool to read a clock? */
static inline bool ap__reads_clock(const ap_state_t *st) { return ap__has_ages(st) && st->ages.check_after != 0; }

/* Or at least who takes one? */
static inline bool ap__is_timed(const ap_state_t *st) { return ap__has_ages(st) && st->ages.timed != 0; }

/* Ticks */
static inline uint32_t ap__ticks(uint32_t ms)
{
    const uint64_t tick = (uint64_t)1 << AP_TICK_BITS;
    uint64_t ticks = ((uint64_t)ms * 1000000 + tick - 1) / tick + 1;
    return ms == 0 ? 0 : (uint32_t)(ticks < INT32_MAX ? ticks : INT32_MAX);
}

/* JitterTicks */
static inline uint32_t ap__jitter_ticks(uint32_t ms) { return (uint32_t)(((uint64_t)ms * 1000000) >> AP_TICK_BITS); }

/* State.jitter */
static inline uint32_t ap__ages_jitter(const ap_state_t *st, uint32_t i, const ap_record_t *r)
{
    uint64_t hash = ap__registry_hash(st->registry.seed, (uintptr_t)((uint64_t)r->born << 32 | i));
    return (uint32_t)(hash * ((uint64_t)st->ages.jitter + 1) >> 32);
}

/* State.worn, where there are ages. */
static inline bool ap__ages_worn(const ap_state_t *st, uint32_t i)
{
    const ap_ages_t *a = &st->ages;
    const ap_record_t *r = ap__registry_record(&st->registry, i);
    if (a->max_uses != 0 && r->uses >= a->max_uses)
        return true;
    uint32_t age = a->clock - r->born;
    return a->lifetime != 0 && AP_UNLIKELY(age >= a->lifetime - a->jitter) &&
           age >= a->lifetime - ap__ages_jitter(st, i, r);
}

/* Is it surely not worn? What is old enough for its random part to matter may be either. No limit is 0, and 0 - 1 is
 * above all there are. */
static inline bool ap__ages_young(const ap_state_t *st, uint32_t i)
{
    const ap_ages_t *a = &st->ages;
    const ap_record_t *r = ap__registry_record(&st->registry, i);
    return r->uses <= a->max_uses - 1 && a->clock - r->born <= a->lifetime - a->jitter - 1;
}

static inline bool ap__worn(const ap_state_t *st, uint32_t i) { return ap__has_ages(st) && ap__ages_worn(st, i); }

/* State.unchecked, where there are ages. */
static inline bool ap__ages_unchecked(const ap_state_t *st, uint32_t i)
{
    const ap_ages_t *a = &st->ages;
    return a->check_after != 0 && a->clock - ap__registry_record(&st->registry, i)->since < a->check_after;
}

/* State.isLent, where there are ages: after it was marked so. */
static inline void ap__ages_lent(ap_state_t *st, uint32_t i, ap_entry_t *entry)
{
    ap_record_t *r = ap__registry_record(&st->registry, i);
    if (!entry->shared)
        entry->link = st->ages.clock - r->since;
    r->since = st->ages.clock;
    r->older = st->ages.thread;
    r->note = st->ages.note;
    r->uses += r->uses != UINT32_MAX;
}

static inline void ap__is_lent(ap_state_t *st, uint32_t i, ap_entry_t *entry)
{
    if (ap__has_ages(st))
        ap__ages_lent(st, i, entry);
}

/* State.isBack */
static inline void ap__is_back(ap_state_t *st, uint32_t i)
{
    if (ap__has_ages(st))
        ap__registry_record(&st->registry, i)->since = st->ages.clock;
}

#endif

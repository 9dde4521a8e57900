/* How long resources are lent: see holds.h. */
#include "holds.h"
#include "ages.h"
#include "lease.h"
#include "whose.h"

/* Bits of a tick. The bit above them says that the lend counts for many, and none that it was not measured. */
enum { FINE_BITS = 15, SHIFT = AP_TICK_BITS - FINE_BITS };

static const int64_t in_tick = ((int64_t)1 << AP_TICK_BITS) - 1;

static uint32_t tick_of(int64_t ns) { return (uint32_t)((uint64_t)ns >> AP_TICK_BITS); }

uint64_t ap__hold_mark(const ap_pool_t *pool, int64_t now, bool sampled)
{
    uint64_t fine = (uint64_t)(now & in_tick) >> SHIFT;
    if (pool->state.ages.clock != tick_of(now)) /* a host has said that it is another time */
        return 0;
    return ((fine ? fine : 1) | (uint64_t)sampled << FINE_BITS) << AP_TAG_BITS;
}

bool ap__hold_chosen(ap_pool_t *pool, bool *sampled)
{
    *sampled = pool->lane_lends >= AP_HOLDS_FIRST;
    if (!*sampled) {
        pool->lane_lends++;
        return true;
    }
    pool->chance = pool->chance * 6364136223846793005u + 1442695040888963407u;
    return pool->chance >> 32 < UINT32_MAX / AP_HOLDS_ONE_OF;
}

static ap_hold_t hold_of(const ap_registry_t *g, uint32_t i, int64_t now)
{
    const ap_record_t *r = ap__registry_record(g, i);
    uint32_t mark = (uint32_t)(r->note >> AP_TAG_BITS), fine = mark & ((1u << FINE_BITS) - 1);
    if (!mark)
        return (ap_hold_t){0, 0};
    if (!now)
        now = ap__now();
    const uint32_t little = 1 << 16; /* a clock that was read before the lend was noted; all else is later */
    uint32_t passed = tick_of(now) - r->since;
    int64_t ticks = passed > UINT32_MAX - little ? (int32_t)passed : (int64_t)passed;
    int64_t ns = (ticks << AP_TICK_BITS) + (now & in_tick) - ((int64_t)fine << SHIFT) - (1 << SHIFT) / 2;
    return (ap_hold_t){mark >> FINE_BITS ? AP_HOLDS_ONE_OF : 1, ns};
}

ap_hold_t ap__hold_end(const ap_pool_t *pool, void *resource, int64_t now)
{
    uint32_t i;
    const ap_registry_t *g = &pool->state.registry;
    return ap__registry_lent(g, resource, &i) ? hold_of(g, i, now) : (ap_hold_t){0, 0};
}

ap_hold_t ap__hold_end_lease(const ap_pool_t *pool, uint64_t id, int64_t now)
{
    uint32_t i;
    const ap_registry_t *g = &pool->state.registry;
    return ap__lease_find(g, id, &i) ? hold_of(g, i, now) : (ap_hold_t){0, 0};
}

void ap__hold_count(ap_pool_t *pool, ap_hold_t hold)
{
    if (hold.weight)
        ap__spans_add(&pool->times.holds, hold.ns, hold.weight);
}

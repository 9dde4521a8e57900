/*
 * The registry and the queue of the idle, as far as the fast path needs them: twins of registry.go, pages.go, index.go,
 * equal.go, idle.go, lifo.go and stats.go of pool/core. Under the lock.
 */
#ifndef ASYNCPOOL_REGISTRY_H
#define ASYNCPOOL_REGISTRY_H

#include "internal.h"

/* Registry.entry */
static inline ap_entry_t *ap__registry_entry(const ap_registry_t *g, uint32_t i)
{
    if (AP_LIKELY(i < AP_PAGE_SIZE))
        return &g->first.entries[i];
    return &g->more[(i >> AP_PAGE_BITS) - 1].entries[i & (AP_PAGE_SIZE - 1)];
}

/* Registry.record, where there are records. */
static inline ap_record_t *ap__registry_record(const ap_registry_t *g, uint32_t i)
{
    const ap_page_t *page = AP_LIKELY(i < AP_PAGE_SIZE) ? &g->first : &g->more[(i >> AP_PAGE_BITS) - 1];
    return (ap_record_t *)(page->entries + page->cap) + (i & (AP_PAGE_SIZE - 1));
}

/* Registry.hash; needs no lock. */
static inline uint32_t ap__registry_hash(const uint64_t seed[2], uintptr_t word)
{
    unsigned __int128 product = (unsigned __int128)(word ^ seed[0]) * (seed[1] | 1);
    uint64_t folded = (uint64_t)(product >> 64) ^ (uint64_t)product;
    return (uint32_t)(folded * 0x9e3779b97f4a7c15u >> 32);
}

/* Registry.home, of what has this hash. */
static inline uint32_t ap__registry_home_of(const ap_registry_t *g, uint32_t hash)
{
    uint32_t b = hash & g->mask;
    return b < g->count ? b : hash & (g->mask >> 1);
}

static inline uint32_t ap__registry_home(const ap_registry_t *g, uintptr_t word)
{
    return ap__registry_home_of(g, ap__registry_hash(g->seed, word));
}

/* Registry.bucket */
static inline uint32_t ap__registry_bucket(const ap_registry_t *g, uint32_t b)
{
    if (AP_LIKELY(b < AP_PAGE_SIZE))
        return g->buckets[b];
    return g->more_buckets[(b >> AP_PAGE_BITS) - 1][b & (AP_PAGE_SIZE - 1)];
}

/* Registry.lent: an entry of this word that is lent, and its number; NULL: there is none. */
static inline ap_entry_t *ap__registry_lent(const ap_registry_t *g, void *resource, uint32_t *number)
{
    if (AP_UNLIKELY(g->count == 0))
        return NULL;
    for (uint32_t n = ap__registry_bucket(g, ap__registry_home(g, (uintptr_t)resource)); n != 0;) {
        ap_entry_t *e = ap__registry_entry(g, n - 1);
        if (e->word == (uintptr_t)resource) {
            *number = n - 1;
            if (AP_LIKELY(e->state == AP_ENTRY_LENT))
                return e;
            if (e->state == AP_ENTRY_GROUP && e->link != 0) {
                *number = e->link - 1;
                return ap__registry_entry(g, e->link - 1);
            }
        }
        n = e->chain;
    }
    return NULL;
}

/* Registry.goOut and comeIn, for resources that are the same word as others. */
void ap__registry_go_out(ap_registry_t *g, uint32_t i);
void ap__registry_come_in(ap_registry_t *g, uint32_t i);

/* What there is to be known of an entry that becomes idle, or is lent; whether it shares its word, and its label, stay. */
static inline void ap__entry_set(ap_entry_t *e, uint8_t state, uint8_t flags, uint32_t mark)
{
    uint32_t stay = AP_LITTLE_ENDIAN ? (uint32_t)(e->standing >> 32) & 0xffff0000u : (uint32_t)e->standing & 0xffff;
    uint32_t both = AP_LITTLE_ENDIAN ? state | (uint32_t)flags << 8 : (uint32_t)state << 24 | (uint32_t)flags << 16;
    e->standing = ap__pair(mark, stay | both);
}

/* State.isEvicted: it is not to be lent again. */
static inline bool ap__evicted(const ap_state_t *st, const ap_entry_t *e)
{
    return AP_UNLIKELY(st->gate & AP_GATE_EVICTED) && e->label != (uint8_t)st->label;
}

/* How many idle resources nobody was promised: State.queued. */
static inline uint32_t ap__queued(const ap_state_t *st) { return st->queue.put - st->queue.taken + st->spare; }

/* May the lane go on? It ends where nothing is left, or more would be in use than ever: see pool/core/stats.go. */
static inline bool ap__queue_within(const ap_state_t *st) { return st->queue.taken < st->queue.put; }

/* State.level: takes note of peaks, and says how far the lane may go. */
static inline void ap__queue_level(ap_state_t *st)
{
    uint32_t n = ap__queued(st);
    if (st->peak_active < st->active)
        st->peak_active = st->active;
    if (st->peak_waiting < st->waiting)
        st->peak_waiting = st->waiting;
    uint32_t within = st->peak_active - st->active;
    if (within > n)
        within = n;
    st->spare = n - within;
    st->queue.put = st->queue.taken + within;
}

/* Idle.take: the oldest; there is one. Of the queue, a lend that is counted so. */
static inline uint32_t ap__queue_take(ap_state_t *st)
{
    uint32_t i = st->queue.head;
    st->queue.first = ap__pair(ap__registry_entry(&st->registry, i)->link, st->queue.taken + 1);
    return i;
}

/* State.uncounted: one leaves the queue as what is no lend, or counted as one later. */
static inline void ap__queue_uncounted(ap_state_t *st)
{
    if (!ap__queue_within(st)) {
        st->counts.lends += st->queue.taken;
        st->queue.put -= st->queue.taken;
        st->queue.taken = 0;
    }
    st->counts.lends--;
}

/* Puts it into the queue, as the youngest. Is it the only one there? */
static inline void ap__queue_put(ap_state_t *st, uint32_t i, bool alone)
{
    if (AP_UNLIKELY(alone))
        st->queue.head = i;
    else
        ap__registry_entry(&st->registry, st->queue.tail)->link = i;
    st->queue.last = ap__pair(i, st->queue.put + 1);
}

/* State.layBack: makes it the oldest again. */
static inline void ap__queue_lay_back(ap_state_t *st, uint32_t i)
{
    if (ap__queued(st) == 0)
        st->queue.tail = i;
    else
        ap__registry_entry(&st->registry, i)->link = st->queue.head;
    st->queue.head = i;
    st->queue.put++;
}

/* State.takeYoungest: where what came back last is lent first; there is one. A lend that is counted so. */
static inline uint32_t ap__queue_take_youngest(ap_state_t *st)
{
    uint32_t i = st->queue.tail, older = ap__registry_record(&st->registry, i)->older;
    st->queue.tail = older - 1;
    st->queue.taken++;
    if (AP_UNLIKELY(st->seen == i + 1))
        st->seen = older;
    return i;
}

static inline bool ap__lifo(const ap_state_t *st) { return AP_UNLIKELY(st->gate & AP_GATE_LIFO); }

/* State.next: what is to be lent next; there is something. */
static inline uint32_t ap__idle_next(const ap_state_t *st) { return ap__lifo(st) ? st->queue.tail : st->queue.head; }

/* State.lendNext: the same, out of the queue, as a lend that is counted so. */
static inline uint32_t ap__idle_lend_next(ap_state_t *st)
{
    return ap__lifo(st) ? ap__queue_take_youngest(st) : ap__queue_take(st);
}

/* State.takeNext: the same as what is no lend, or counted as one later. */
static inline uint32_t ap__idle_take_next(ap_state_t *st)
{
    ap__queue_uncounted(st);
    return ap__idle_lend_next(st);
}

/* State.lay: makes it the youngest. */
static inline void ap__idle_lay(ap_state_t *st, uint32_t i)
{
    bool alone = ap__queued(st) == 0;
    if (ap__lifo(st))
        ap__registry_record(&st->registry, i)->older = alone ? 0 : st->queue.tail + 1;
    ap__queue_put(st, i, alone);
}

/* State.layNext: makes it what is to be lent next. */
static inline void ap__idle_lay_next(ap_state_t *st, uint32_t i)
{
    if (ap__lifo(st)) {
        ap__registry_entry(&st->registry, i)->mark = st->passes;
        ap__idle_lay(st, i);
    } else {
        ap__queue_lay_back(st, i);
    }
}

#endif

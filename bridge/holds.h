/*
 * How long resources are lent: pools with POOL_F_TIMED. When a lend began is noted to the tick in the record, and here
 * to some hundred nanoseconds in the bits of the note that the tag leaves free; so nothing more is kept, and a lend that
 * was not measured has nothing there. Lends by ops are all measured, since an op reads the clock. On the lane that would
 * be a third of the price: the first lends of a pool are, and then one of many, by chance, which counts for so many. Under
 * the lock.
 */
#ifndef ASYNCPOOL_HOLDS_H
#define ASYNCPOOL_HOLDS_H

#include "internal.h"

enum {
    AP_HOLDS_FIRST = 1024, /* so many lends of the lane are all measured */
    AP_HOLDS_ONE_OF = 64
};

/* A lend that ends. */
typedef struct ap_hold {
    uint32_t weight; /* 0: it was not measured */
    int64_t ns;
} ap_hold_t;

#pragma GCC visibility push(hidden)

/* What is to be added to the note of a lend that begins now. The pool has been told what time it is. */
uint64_t ap__hold_mark(const ap_pool_t *pool, int64_t now, bool sampled);
/* Is the lend that begins now to be measured, without an op? *sampled: it counts for many. */
bool ap__hold_chosen(ap_pool_t *pool, bool *sampled);
/* A resource is about to come back, by word, or by lease. now: 0 if nobody knows. */
ap_hold_t ap__hold_end(const ap_pool_t *pool, void *resource, int64_t now);
ap_hold_t ap__hold_end_lease(const ap_pool_t *pool, uint64_t id, int64_t now);
/* And it has. */
void ap__hold_count(ap_pool_t *pool, ap_hold_t hold);

static inline bool ap__holds(const ap_pool_t *pool) { return AP_UNLIKELY(pool->flags & POOL_F_TIMED); }

#pragma GCC visibility pop

#endif

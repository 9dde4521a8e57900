/*
 * Whose a lend is: which thread acquires, and its tag (pool_tag()). It is noted beside the resource, in pools that keep
 * ages; others pay nothing. The core finds both in the state and puts them into the record, see pool/core/ages.go.
 */
#ifndef ASYNCPOOL_WHOSE_H
#define ASYNCPOOL_WHOSE_H

#include "holds.h"

#pragma GCC visibility push(hidden)

/* The text in a note, which is in its lower bits: the others are for times.h. A pointer to static text has no more. */
enum { AP_TAG_BITS = 48 };
static inline const char *ap__tag_of(uint64_t note)
{
    return (const char *)(uintptr_t)(note & (((uint64_t)1 << AP_TAG_BITS) - 1));
}

extern _Atomic bool ap__any_tag; /* somebody has a tag, or had one */

/* This thread is about to take something, under the lock, without an op: says what time it is, and whose the lend is. */
void ap__whose_note(ap_pool_t *pool);
/* Is there anything to be noted, where there are records? */
static inline bool ap__whose_noted(const ap_pool_t *pool)
{
    const ap_ages_t *a = &pool->state.ages;
    return (a->check_after | a->timed) != 0 || atomic_load_explicit(&ap__any_tag, memory_order_relaxed);
}
static inline void ap__whose_now(ap_pool_t *pool)
{
    if (AP_UNLIKELY(pool->state.gate & AP_GATE_AGES) && ap__whose_noted(pool))
        ap__whose_note(pool);
}
/* An op of a pool that notes such things begins: whose what it acquires will be, whoever drives it then. */
void ap__whose_begin(ap_op_t *op);
/* It is about to make a step, under the lock. The pool has been told what time it is, if it wants to know. */
static inline void ap__whose_step(ap_op_t *op, int64_t now)
{
    ap_ages_t *ages = &op->pool->state.ages;
    if (AP_LIKELY(!op->pool->noted || op->kind > AP_KIND_TRY))
        return;
    ages->thread = op->own.thread;
    ages->note = op->own.note | (ap__holds(op->pool) ? ap__hold_mark(op->pool, now, false) : 0);
}
/* What there is to be known of the lend of a resource that is lent, under the lock. */
void ap__lend_read(const ap_state_t *st, uint32_t i, pool_lend_t *lend);
/* In the child of a fork: this thread has another number. */
void ap__whose_forked(void);

#pragma GCC visibility pop

#endif

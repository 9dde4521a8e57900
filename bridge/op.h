/*
 * How an op goes on: its steps (op.c), the end of a change (change.c), the driver for threads (drive.c), sleeping
 * (park.c), and what hosts that drive ops themselves are answered (host.c).
 */
#ifndef ASYNCPOOL_OP_H
#define ASYNCPOOL_OP_H

#include "error.h"
#include "state.h"

#pragma GCC visibility push(hidden)

/* An op lies in the memory that its caller has for a pool_op_t, and the host's word is the same one in both. */
_Static_assert(sizeof(ap_op_t) == sizeof(pool_op_t), "an ap_op_t must have the size of the pool_op_t it lies in");
_Static_assert(offsetof(ap_op_t, data) == offsetof(pool_op_t, data), "pool_op_t.data must be where ap_op_t.data is");
_Static_assert(_Alignof(ap_op_t) <= _Alignof(pool_op_t), "the alignment of pool_op_t must do for ap_op_t");

/* What a call that needs an op in line says of one that is not. */
#define AP_DOES_NOT_WAIT "the op's last ask was not POOL_ASK_WAIT"

/* And what one says that is called inside the resume() of the op. */
#define AP_IS_BEING_RESUMED "resume() is called for the op, and must return before anybody goes on with it"

/* op.c */
/* What an op that waits or is done has its driver know of the time: Op.until. */
static inline int64_t ap__until(const ap_op_t *op) { return op->step == AP_STEP_WAIT ? op->until : op->deadline; }
void ap__op_init(ap_op_t *op, ap_pool_t *pool, uint8_t kind, void *resource, int64_t deadline);
int64_t ap__deadline(int64_t timeout_ms);
/* One step; the pool may be gone after POOL_ASK_DONE. */
void ap__next(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
/* The same with the lock held, and kept: ap__change_end() must follow. */
void ap__step_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
/* The same with the lock held; gives it up. True: the step pauses, and somebody slept for the lock, and is woken. */
bool ap__next_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
/* Takes the pool's lock for an op that is not done, to go on with it. Whoever wakes a coroutine uses its op after the
 * lock, so the op must neither end nor wait again before that. */
void ap__lock_for(ap_op_t *op);
pool_status_t ap__cancel(ap_op_t *op);
/* The same with the lock held, and kept: ap__change_end() must follow. */
pool_status_t ap__cancel_locked(ap_op_t *op);

/* change.c */
/* The state as a change finds it. */
typedef struct ap_change {
    bool closed;
    int64_t free; /* places that are neither active nor promised */
} ap_change_t;
/* Before a change is made, under the lock. */
ap_change_t ap__change_begin(const ap_pool_t *pool);
/* After it: gives the lock up, wakes, tells observers, and frees the pool if this was the last that referred to it. */
void ap__change_end(ap_pool_t *pool, ap_change_t before);
/* Gives the lock up and wakes every op that can go on. True: the pool is dead, see life.c. */
bool ap__unlock_and_wake(ap_pool_t *pool);
/* Is this called inside the resume() that tells the coroutine of the op? To wait for its end would be for ever. */
bool ap__is_inside_resume_of(const ap_op_t *op);
static inline bool ap__is_waking(uint32_t word) { return word == AP_WAKING || word == AP_AWAITED; }
static inline bool ap__inside_resume_of(const ap_op_t *op)
{
    return __builtin_expect(ap__is_waking(atomic_load_explicit(&op->wake, memory_order_acquire)), 0) &&
           ap__is_inside_resume_of(op);
}
/* Gives back what kept the pool: one of state.ops. Takes the lock. */
void ap__unpin(ap_pool_t **pinned);

/* drive.c */
/* Answers an ask that is neither DONE nor WAIT by calling the hook. */
void ap__answer(const ap_op_t *op, const pool_ask_t *ask, pool_answer_t *answer, ap_error_t *error);
/* Ends an op whose driver is being unwound. */
void ap__abandon(ap_op_t *op);
/* Answers the asks of an op with the pool's hooks until it is done */
pool_status_t ap__drive(ap_op_t *op, void **resource, ap_error_t *error);
/* The same from its beginning, with the lock held, which is given up; the error is kept for the caller. */
pool_status_t ap__run_op_locked(ap_op_t *op, void **resource);
pool_status_t ap__run_locked(ap_pool_t *pool, uint8_t kind, void *given, int64_t deadline, void **resource);

/* host.c: what a host-driven pool answers where others run an op. With the lock held; gives it up. */
pool_status_t ap__host_try(ap_pool_t *pool);
/* Of a release; lent: is it one of what is lent? */
pool_status_t ap__host_give(ap_pool_t *pool, void *resource, bool lent);

/* park.c */
int64_t ap__now(void);
bool ap__woken(const ap_op_t *op);
/* Sleeps until the op can go on or the time has come; true: it can go on. */
bool ap__park(ap_op_t *op, int64_t until_ns);
/* Waits while somebody is waking the op. */
void ap__await_waker(ap_op_t *op);

/* async.c */
pool_status_t ap__async_cancel(ap_op_t *op);
/* Is the callback of an async op told of its end, or has it been? It is as any op that is done, then. */
bool ap__async_told(pool_op_t *op);

#pragma GCC visibility pop

#endif

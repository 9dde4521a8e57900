/*
 * The pool, and what all C files of the bridge share. Nothing here is API.
 *
 * Who may touch what: the public head of a pool (struct pool_s) is read by anybody; everything behind
 * it only under the pool's lock. An op belongs to the thread that drives it, but for its links, its
 * wake word and what the core writes, which are under the lock too.
 */
#ifndef ASYNCPOOL_INTERNAL_H
#define ASYNCPOOL_INTERNAL_H

#include "../include/asyncpool/pool.h"
#include "callback.h"
#include "error.h"
#include "hooks.h"
#include "lock.h"
#include "magic.h"
#include "makers.h"
#include "memory.h"
#include "op.h"
#include "pools.h"
#include "state.h"
#include "sweeper.h"
#include "times.h"
#include "trace.h"

#include <pthread.h>
#include <stdatomic.h>

#define AP_LIKELY(x) __builtin_expect(!!(x), 1)
#define AP_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* A step of ordinary traffic: these lie side by side, so that who comes now and then finds them in few pages. */
#define AP_HOT __attribute__((hot))
/* A lane is one piece, also with a tracepoint in it, whatever gcc then thinks of its size. */
#define AP_LANE __attribute__((flatten))
/* A function that the compiler does not look into. */
#ifdef __clang__
#define AP_SEALED __attribute__((noinline, optnone))
#else
#define AP_SEALED __attribute__((noipa))
#endif

#pragma GCC visibility push(hidden)

struct ap_pool {
    struct pool_s pub; /* first: a pool_t * is an ap_pool_t * */
    uint32_t magic;    /* while it lives: see magic.h */
    uint32_t flags;    /* POOL_F_X of the configuration */
    uint8_t functions; /* the bits of pub.handler_flags that say which hooks are C functions; constant */
    bool noted;        /* lends are noted, see whose.h; constant */
    void *core;        /* handle of the Go core */
    char name[64];
    _Atomic uint32_t calls_ended; /* counts calls of callbacks that have ended, for who waits for that */
    ap_callback_t *strategy;
    pool_reactor_t *reactor; /* made when it is first needed */
    pool_scheduler_t scheduler;
    ap_sweep_t sweep;
    ap_making_t making;
    uint64_t seed[2]; /* of state.registry, where it is read without the lock; constant */
    /* Lock and hot state share no cache line with what is constant. */
    _Alignas(64) ap_lock_t lock;
    ap_state_t state;
    int64_t handed_over_ns; /* when a release last woke a thread in line; these three: see crowd.c */
    int64_t yield_again_ns;
    uint32_t yield_pause;
    bool waking;           /* a thread sees the waking of many through; see change.c */
    atomic_int spin_score; /* does it pay to spin before sleeping? See park.c */
    ap_times_t times;      /* what waits, creations and lends took */
    pool_leaked_fn leaked; /* constant, as the next; struct pool_s is frozen, and has no place for a sixth hook */
    pool_fcall_t *leaked_fcall;
    uint32_t lane_lends; /* lends of the lane that were measured, up to AP_HOLDS_FIRST; these two: see holds.c */
    uint64_t chance;
    ap_member_t member;       /* its place among all pools of the process */
    ap_error_t factory_error; /* what the factory has said that failed last, while creations that fail are waited out */
};

/*
 * Two numbers that lie side by side as one, to be written at once: an unlock waits for all stores before it, and the
 * fast path has few enough of them to feel each.
 */
enum { AP_LITTLE_ENDIAN = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
static inline uint64_t ap__pair(uint32_t first, uint32_t second)
{
    return AP_LITTLE_ENDIAN ? first | (uint64_t)second << 32 : second | (uint64_t)first << 32;
}

static inline ap_op_t *ap__timer_op(ap_timer_t *timer)
{
    return (ap_op_t *)((char *)timer - offsetof(ap_op_t, own.timer));
}

static inline ap_pool_t *ap__timer_pool(ap_timer_t *timer)
{
    return (ap_pool_t *)((char *)timer - offsetof(ap_pool_t, sweep.timer));
}

static inline ap_pool_t *ap__making_pool(ap_timer_t *timer)
{
    return (ap_pool_t *)((char *)timer - offsetof(ap_pool_t, making.timer));
}

/* A step of an op has ended, which began there: see times.h. */
static inline void ap__times_step(ap_op_t *op, uint8_t from, bool made, int64_t now)
{
    uint8_t to = op->step;
    if (AP_UNLIKELY(from == AP_STEP_WAIT || from == AP_STEP_CREATE || to == AP_STEP_WAIT || to == AP_STEP_CREATE ||
                    (to == AP_STEP_DONE && op->ticket != 0)))
        ap__times_note(op, from, made, now);
}

/* fork.c */
extern int ap__forked; /* 1 in a child whose parent had loaded the library */

/* Answers from the calling function when it may not go on. */
#define AP_REFUSE_FORKED(what)                            \
    do {                                                  \
        if (AP_UNLIKELY(ap__forked))                      \
            return ap__fail(POOL_ERR_FORKED, NULL, what); \
    } while (0)

/* The pool behind a handle, or NULL: it is none. */
static inline ap_pool_t *ap__pool(const pool_t *pool)
{
    return ap__is(AP_POOL_MAGIC, pool, offsetof(ap_pool_t, magic)) ? (ap_pool_t *)pool : NULL;
}

/* The same for an op that was begun. */
static inline ap_op_t *ap__op(pool_op_t *op)
{
    return ap__is(AP_OP_MAGIC, op, offsetof(ap_op_t, magic)) ? (ap_op_t *)op : NULL;
}

/* The same for functions that answer no status: pool_last_error() says why there is none. */
static inline ap_pool_t *ap__pool_for(const char *function, const pool_t *pool)
{
    ap_pool_t *p = AP_UNLIKELY(ap__forked) ? NULL : ap__pool(pool);
    if (AP_UNLIKELY(!p))
        ap__fail_handle(function, "pool is NULL or no pool");
    return p;
}

/* The same for an op; NULL also for one that its host does not drive, or not now. */
static inline ap_op_t *ap__op_for(const char *function, pool_op_t *op)
{
    ap_op_t *o = AP_UNLIKELY(ap__forked) ? NULL : ap__op(op);
    if (AP_LIKELY(o && !o->own.reactor && !ap__inside_resume_of(o)))
        return o;
    if (o && !o->own.reactor)
        ap__fail_handle(function, AP_IS_BEING_RESUMED);
    else
        ap__fail_handle(function,
                        o ? "the op is async: its loop drives it, and its callback is told" : "op was not begun");
    return NULL;
}

static inline void ap__lock(ap_pool_t *pool) { ap__lock_take(&pool->lock); }
static inline void ap__unlock(ap_pool_t *pool) { ap__lock_give(&pool->lock); }

/* config.c */
/* The configuration of a caller of any version: what it does not have is zero, what is unknown here must
 * be. NULL: ok; otherwise what is wrong. */
const char *ap__config_read(const pool_config_t *given, pool_config_t *config);
/* NULL: it makes a pool; otherwise what is wrong. */
const char *ap__config_check(const pool_config_t *config);
/* The same of the sizes alone. */
const char *ap__sizes_check(uint32_t min_size, uint32_t max_size);
/* The milliseconds between two passes of its own; 0: it has none. */
uint32_t ap__config_interval(const pool_config_t *config);
/* NULL, or what in a configuration that makes a pool will never be used. */
const char *ap__config_remark(const pool_config_t *config);
/* POOL_ASKS_... of a pool: what its host wants to be asked, or what its handlers are for. */
uint32_t ap__config_asks(const pool_config_t *config);

/* stats.c: all of one instant */
void ap__stats_read(ap_pool_t *pool, pool_stats_t *stats, pool_snapshot_t *moment);

/* breaker.c: calls the strategy, if there is one */
void ap__report(ap_pool_t *pool, bool success, const ap_error_t *error);
void ap__report_create_failure(ap_pool_t *pool, const ap_error_t *error);
bool ap__should_recover(ap_pool_t *pool);

/* event.c */
void ap__event_handlers(ap_pool_t *pool);
void ap__event_tell(ap_pool_t *pool, pool_event_kind_t kind);
void ap__event_free(ap_pool_t *pool);

/* life.c */
void ap__born(void); /* one more pool lives; ap__free() counts it off */
/* Under the lock: nothing refers to the pool any more, and this caller is to free it. */
bool ap__is_dead(const ap_pool_t *pool);
void ap__free(ap_pool_t *pool);
/* Closes, as pool_close(); with the lock held, gives it up. The pool may be gone afterwards. */
pool_status_t ap__close_locked(ap_pool_t *pool);

#pragma GCC visibility pop

#endif

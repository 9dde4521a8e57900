/*
 * What the C files of the bridge share. Nothing here is API.
 *
 * Who may touch what: the public head of a pool (struct pool_s) is read by anybody; everything behind
 * it only under the pool's lock. An op belongs to the thread that drives it, but for its links, its
 * wake word and what the core writes, which are under the lock too.
 */
#ifndef ASYNCPOOL_INTERNAL_H
#define ASYNCPOOL_INTERNAL_H

#include "../include/asyncpool/pool.h"
#include "hooks.h"
#include "lock.h"
#include "magic.h"
#include "memory.h"
#include "sweeper.h"
#include "wheel.h"

#include <pthread.h>
#include <stdatomic.h>

#define AP_LIKELY(x) __builtin_expect(!!(x), 1)
#define AP_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* A function that the compiler does not look into. */
#ifdef __clang__
#define AP_SEALED __attribute__((noinline, optnone))
#else
#define AP_SEALED __attribute__((noipa))
#endif

#pragma GCC visibility push(hidden)

/* ---- the state that C and Go both see: twins of the types in pool/core/state.go ---- */

enum { /* core.GateX */
    AP_GATE_CLOSED = 1 << 0,
    AP_GATE_WAITERS = 1 << 1,
    AP_GATE_RESERVED = 1 << 2,
    AP_GATE_ACQUIRE_HOOK = 1 << 3,
    AP_GATE_RELEASE_HOOK = 1 << 4,
    AP_GATE_BROKEN = 1 << 5,
    AP_GATE_BREAKER = 1 << 6,
    AP_GATE_REPORTS = 1 << 7,
    AP_GATE_OBSERVED = 1 << 8 /* set and cleared by event.c */
};

enum { AP_ENTRY_FREE, AP_ENTRY_IDLE, AP_ENTRY_LENT, AP_ENTRY_HOOK, AP_ENTRY_GROUP }; /* core.EntryX */

enum { /* core.KindX */
    AP_KIND_ACQUIRE,
    AP_KIND_TRY,
    AP_KIND_RELEASE,
    AP_KIND_CLOSE,
    AP_KIND_FILL,
    AP_KIND_SWEEP
};

enum { AP_STEP_BEGIN = 0, AP_STEP_WAIT = 2, AP_STEP_DONE = 14 }; /* core.StepX */

#define AP_NEVER INT64_MAX /* core.Never */

typedef struct ap_pool ap_pool_t;

typedef struct ap_op { /* core.Op */
    struct ap_op *next, *prev;
    ap_pool_t *pool;
    int64_t deadline;
    uintptr_t resource;
    uint64_t ticket, turn;
    uint32_t entry;
    _Atomic uint32_t wake; /* futex word: can the op go on? */
    int32_t status;
    uint8_t kind, step, list;
    uint32_t magic; /* once begun: see magic.h */
    uint32_t term, epoch, visits, pass;
    uint32_t flags; /* AP_FLAG_X */
    struct ap_op *later, *earlier; /* links of ap_state_t.bound or .owed */
    int64_t until; /* while it waits: when it comes back by itself, at its deadline or before */
    uint32_t plan; /* while it waits: after which it looks for lost probes */
    _Atomic uint32_t async; /* AP_ASYNC_X */
    ap_timer_t timer;          /* of an async op: its deadline in the reactor's wheel, or its link in the queue */
    pool_reactor_t *reactor;   /* of an async op; NULL: it is none */
    pool_acquired_fn callback; /* of an async op */
    uint64_t room[9];          /* for what ops will need */
    void *data; /* the host's: pool_op_t.data */
} __attribute__((may_alias)) ap_op_t;

enum { /* ap_op_t.wake */
    AP_WAITS = 0,
    AP_WOKEN = 1,
    AP_WAKING = 2, /* its scheduler is being told */
    AP_SLEEPS = 3  /* it waits, and its thread sleeps in the kernel or is about to */
};

enum {
    AP_ASYNC_CANCELLED = 1 << 0,
    AP_ASYNC_DELIVERED = 1 << 1,
    AP_COROUTINE = 1 << 2, /* it is not async: it waits in the pool's scheduler */
    AP_FIRST = 1 << 3      /* it was first in line when it came: see park.c */
};

enum { /* core.FlagX */
    AP_FLAG_HOLDS = 1 << 0,
    AP_FLAG_CANCELLED = 1 << 1,
    AP_FLAG_UNASKED = 1 << 2,
    AP_FLAG_GOES_ON = 1 << 4,
    AP_FLAG_NO_REFILL = 1 << 5,
    AP_FLAG_BOUND = 1 << 7,
    AP_FLAG_CALLED = 1 << 8
};

/*
 * Two numbers that lie side by side as one, to be written at once: an unlock waits for all stores before it, and the
 * lane has few enough of them to feel each.
 */
enum { AP_LITTLE_ENDIAN = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
static inline uint64_t ap__pair(uint32_t first, uint32_t second)
{
    return AP_LITTLE_ENDIAN ? first | (uint64_t)second << 32 : second | (uint64_t)first << 32;
}

typedef struct ap_entry { /* core.Entry */
    uintptr_t word;
    uint32_t chain, link;
    union {
        struct {
            uint32_t mark;
            uint8_t state, flags;
            bool shared;
            uint8_t unused;
        };
        uint64_t standing; /* ap__pair() of the mark and of the others */
    };
} ap_entry_t;

typedef struct ap_page { /* core.Page */
    ap_entry_t *entries;
    uint32_t cap, fresh, free, used, next, prev;
} ap_page_t;

enum { AP_PAGE_BITS = 12, AP_PAGE_SIZE = 1 << AP_PAGE_BITS }; /* core.PageBits */

typedef struct ap_registry { /* core.Registry */
    ap_page_t first;
    uint32_t *buckets;
    uint64_t seed[2];
    uint32_t mask, count;
    ap_page_t *more;
    uint32_t **more_buckets;
    uint32_t more_cap, more_buckets_cap;
    uint32_t pages, hole, roomy, cap, used, live, words, room;
} ap_registry_t;

typedef struct ap_idle { /* core.Idle */
    union {
        struct {
            uint32_t head, taken;
        };
        uint64_t first; /* ap__pair() of both */
    };
    union {
        struct {
            uint32_t tail, put;
        };
        uint64_t last;
    };
} ap_idle_t;

typedef struct ap_list { /* core.List */
    ap_op_t *head, *tail;
} ap_list_t;

typedef struct ap_promises { /* core.Promises */
    ap_op_t *head, *tail;
} ap_promises_t;

typedef struct ap_breaker { /* core.Breaker */
    uint32_t circuit, limit, probes, epoch, opened;
    uint32_t failures, successes, count, plan;
    int64_t open_for, since;
} ap_breaker_t;

typedef struct ap_state { /* core.State */
    uint32_t gate, max_size;
    union {
        struct {
            uint32_t idle, active;
        };
        uint64_t resources; /* ap__pair() of both */
    };
    uint32_t reserved, waiting;
    ap_idle_t queue;
    uint32_t passes, term;
    ap_registry_t registry;
    ap_list_t ready, waiters, woken;
    ap_promises_t bound, owed;
    uint64_t tickets, turns;
    uint32_t asks, min_size;
    uint32_t ops, purges;
    ap_breaker_t breaker;
    void *spent; /* memory to be freed after the lock, linked by its first word */
    ap_op_t *called; /* the first in line, if it has yet to be told to look: it stays in line */
} ap_state_t;

/* Offsets that bridge/layout.go compares with Go's. */
enum {
    AP_AT_STATE_IDLE = offsetof(ap_state_t, idle),
    AP_AT_STATE_OPS = offsetof(ap_state_t, ops),
    AP_AT_STATE_BREAKER = offsetof(ap_state_t, breaker),
    AP_AT_BREAKER_SINCE = offsetof(ap_breaker_t, since),
    AP_AT_STATE_QUEUE = offsetof(ap_state_t, queue),
    AP_AT_STATE_PASSES = offsetof(ap_state_t, passes),
    AP_AT_STATE_TERM = offsetof(ap_state_t, term),
    AP_AT_STATE_SPENT = offsetof(ap_state_t, spent),
    AP_AT_OP_PLAN = offsetof(ap_op_t, plan),
    AP_AT_BREAKER_PLAN = offsetof(ap_breaker_t, plan),
    AP_AT_STATE_CALLED = offsetof(ap_state_t, called),
    AP_AT_STATE_REGISTRY = offsetof(ap_state_t, registry),
    AP_AT_STATE_WAITERS = offsetof(ap_state_t, waiters),
    AP_AT_STATE_READY = offsetof(ap_state_t, ready),
    AP_AT_STATE_WOKEN = offsetof(ap_state_t, woken),
    AP_AT_STATE_BOUND = offsetof(ap_state_t, bound),
    AP_AT_STATE_OWED = offsetof(ap_state_t, owed),
    AP_AT_STATE_TURNS = offsetof(ap_state_t, turns),
    AP_AT_BREAKER_OPENED = offsetof(ap_breaker_t, opened),
    AP_AT_IDLE_TAIL = offsetof(ap_idle_t, tail),
    AP_AT_IDLE_TAKEN = offsetof(ap_idle_t, taken),
    AP_AT_IDLE_PUT = offsetof(ap_idle_t, put),
    AP_AT_REGISTRY_BUCKETS = offsetof(ap_registry_t, buckets),
    AP_AT_REGISTRY_SEED = offsetof(ap_registry_t, seed),
    AP_AT_REGISTRY_MASK = offsetof(ap_registry_t, mask),
    AP_AT_REGISTRY_COUNT = offsetof(ap_registry_t, count),
    AP_AT_REGISTRY_MORE = offsetof(ap_registry_t, more),
    AP_AT_REGISTRY_MORE_BUCKETS = offsetof(ap_registry_t, more_buckets),
    AP_AT_REGISTRY_PAGES = offsetof(ap_registry_t, pages),
    AP_AT_REGISTRY_LIVE = offsetof(ap_registry_t, live),
    AP_AT_ENTRY_CHAIN = offsetof(ap_entry_t, chain),
    AP_AT_ENTRY_LINK = offsetof(ap_entry_t, link),
    AP_AT_ENTRY_MARK = offsetof(ap_entry_t, mark),
    AP_AT_ENTRY_SHARED = offsetof(ap_entry_t, shared),
    AP_AT_ENTRY_STATE = offsetof(ap_entry_t, state),
    AP_AT_ENTRY_FLAGS = offsetof(ap_entry_t, flags),
    AP_AT_OP_POOL = offsetof(ap_op_t, pool),
    AP_AT_OP_DEADLINE = offsetof(ap_op_t, deadline),
    AP_AT_OP_TURN = offsetof(ap_op_t, turn),
    AP_AT_OP_WAKE = offsetof(ap_op_t, wake),
    AP_AT_OP_STATUS = offsetof(ap_op_t, status),
    AP_AT_OP_KIND = offsetof(ap_op_t, kind),
    AP_AT_OP_STEP = offsetof(ap_op_t, step),
    AP_AT_OP_ENTRY = offsetof(ap_op_t, entry),
    AP_AT_OP_MAGIC = offsetof(ap_op_t, magic),
    AP_AT_OP_FLAGS = offsetof(ap_op_t, flags),
    AP_AT_OP_UNTIL = offsetof(ap_op_t, until),
    AP_AT_OP_EPOCH = offsetof(ap_op_t, epoch),
    AP_AT_ASK_STATUS = offsetof(pool_ask_t, status),
    AP_AT_ASK_UNTIL = offsetof(pool_ask_t, until_ns),
    AP_AT_ASK_TURN = offsetof(pool_ask_t, turn),
    AP_AT_ANSWER_OK = offsetof(pool_answer_t, ok),
    AP_AT_ANSWER_NOW = offsetof(pool_answer_t, now_ns)
};

_Static_assert(sizeof(ap_op_t) == sizeof(pool_op_t), "an ap_op_t must have the size of the pool_op_t it lies in");
_Static_assert(offsetof(ap_op_t, data) == offsetof(pool_op_t, data), "pool_op_t.data must be where ap_op_t.data is");
_Static_assert(_Alignof(ap_op_t) <= _Alignof(pool_op_t), "the alignment of pool_op_t must do for ap_op_t");

/* ---- a pool ---- */

static inline ap_op_t *ap__timer_op(ap_timer_t *timer)
{
    return (ap_op_t *)((char *)timer - offsetof(ap_op_t, timer));
}

/*
 * A registered callback: code of the host that is called from several threads and may be taken away at any time (an
 * observer, a strategy). It stays until nobody runs it any more. See callback.c.
 */
typedef struct ap_run { /* a call of it that has begun and not ended */
    struct ap_run *next, *prev;
    _Atomic uintptr_t thread; /* where it began, or was last seen; written also by who is inside of it */
} ap_run_t;

typedef struct ap_callback {
    uint32_t refs;      /* the pool's one, and one for each call in flight */
    uint32_t in_flight; /* calls that have begun and not ended */
    bool draining;      /* somebody waits for their end */
    uint64_t number;    /* an observer's, of this process, rising: order of arrival */
    ap_run_t *runs, *spare, first;
    pool_event_callback_t *observer;
    pool_circuit_breaker_strategy_t *strategy;
} ap_callback_t;

struct ap_pool {
    struct pool_s pub; /* first: a pool_t * is an ap_pool_t * */
    uint32_t magic;    /* while it lives: see magic.h */
    uint32_t flags;    /* POOL_F_HOST_DRIVEN, POOL_F_REACTOR */
    uint8_t functions; /* the bits of pub.handler_flags that say which hooks are C functions; constant */
    void *core;        /* handle of the Go core */
    char name[64];
    _Atomic uint32_t calls_ended; /* counts calls of callbacks that have ended, for who waits for that */
    ap_callback_t *strategy;
    pool_reactor_t *reactor; /* made when it is first needed */
    pool_scheduler_t scheduler;
    ap_sweep_t sweep;
    uint64_t seed[2]; /* of state.registry, where it is read without the lock; constant */
    /* Lock and hot state share no cache line with what is constant. */
    _Alignas(64) ap_lock_t lock;
    ap_state_t state;
    int64_t handed_over_ns; /* when a release last woke a thread in line; these three: see crowd.c */
    int64_t yield_again_ns;
    uint32_t yield_pause;
    bool waking;            /* a thread sees the waking of many through; see change.c */
    atomic_int spin_score;  /* does it pay to spin before sleeping? See park.c */
};

static inline ap_pool_t *ap__timer_pool(ap_timer_t *timer)
{
    return (ap_pool_t *)((char *)timer - offsetof(ap_pool_t, sweep.timer));
}

/* fork.c */
extern int ap__forked; /* 1 in a child whose parent had loaded the library */

/* Answers from the calling function when it may not go on. */
#define AP_REFUSE_FORKED(what)                                                                     \
    do {                                                                                           \
        if (AP_UNLIKELY(ap__forked))                                                               \
            return ap__fail(POOL_ERR_FORKED, NULL, what);                                          \
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

static inline void ap__lock(ap_pool_t *pool) { ap__lock_take(&pool->lock); }
static inline void ap__unlock(ap_pool_t *pool) { ap__lock_give(&pool->lock); }

/* error.c: the errors of this thread */
typedef struct ap_error {
    bool set;
    int code;
    char message[256];
} ap_error_t;

/* Remembers a failure of this call, with a text "<function>: <why>", and answers its status. */
pool_status_t ap__fail(pool_status_t status, const char *function, const char *why);
/* The same for the outcome of an op: the hook's error if there is one. */
pool_status_t ap__fail_op(pool_status_t status, const char *name, const ap_error_t *hook);
/* Around a hook: forgets what was set before, and takes what the hook has set if it failed. */
void ap__error_clear(void);
/* This is what the hook has set that has just come back. */
void ap__error_said(const ap_pool_t *pool, const ap_error_t *error);
void ap__error_take(ap_pool_t *pool, bool failed, ap_error_t *into);
/* A call has succeeded, with a remark (NULL: none) for who asks pool_last_error(). */
void ap__remark(const char *function, const char *remark);

/* op.c */
/* What an op that waits or is done has its driver know of the time: Op.until. */
static inline int64_t ap__until(const ap_op_t *op) { return op->step == AP_STEP_WAIT ? op->until : op->deadline; }
void ap__op_init(ap_op_t *op, ap_pool_t *pool, uint8_t kind, void *resource, int64_t deadline);
int64_t ap__deadline(int64_t timeout_ms);
/* One step; the pool may be gone after POOL_ASK_DONE. */
void ap__next(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
/* The same with the lock held, and kept: ap__change_end() must follow. */
void ap__step_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
/* The same with the lock held; gives it up. */
void ap__next_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
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
/* Gives back what kept the pool: one of state.ops. Takes the lock. */
void ap__unpin(ap_pool_t **pinned);

/* config.c */
/* The configuration of a caller of any version: what it does not have is zero, what is unknown here must
 * be. NULL: ok; otherwise what is wrong. */
const char *ap__config_read(const pool_config_t *given, pool_config_t *config);
/* NULL: it makes a pool; otherwise what is wrong. */
const char *ap__config_check(const pool_config_t *config);
/* NULL, or what in a configuration that makes a pool will never be used. */
const char *ap__config_remark(const pool_config_t *config);
/* POOL_ASKS_... of a pool: what its host wants to be asked, or what its handlers are for. */
uint32_t ap__config_asks(const pool_config_t *config);

/* callback.c */
ap_callback_t *ap__callback_new(void);
/* Begins a call. Under the lock. NULL: there is no memory for a record. */
ap_run_t *ap__callback_enter(ap_callback_t *callback);
/* A call that has begun; callback NULL: there is none. */
typedef struct ap_callback_call {
    ap_pool_t *pool;
    ap_callback_t *callback;
    ap_run_t *run;
} ap_callback_call_t;
/* Ends it, and frees the callback if it was let go meanwhile. A cleanup: it runs also when the thread is unwound
 * out of the call. Takes the lock. */
void ap__callback_end(ap_callback_call_t *call);
/* Waits until no other thread runs it and gives the pool's reference up. Under the lock, which is free for a while.
 * True: the caller must ap__callback_free() it, after the lock. */
bool ap__callback_remove(ap_pool_t *pool, ap_callback_t *callback);
void ap__callback_free(ap_callback_t *callback);
/* The same of one that the pool has never had: it is still the caller's, and not disposed of. */
void ap__callback_drop(ap_callback_t *callback);
/* This flow goes on on another thread: so do the calls that it is inside of. */
void ap__callbacks_moved(void);

/* breaker.c: calls the strategy, if there is one */
void ap__report(ap_pool_t *pool, bool success, const ap_error_t *error);
bool ap__should_recover(ap_pool_t *pool);

/* event.c */
void ap__event_handlers(ap_pool_t *pool);
void ap__event_tell(ap_pool_t *pool, pool_event_kind_t kind);
void ap__event_free(ap_pool_t *pool);

/* async.c */
pool_status_t ap__async_cancel(ap_op_t *op);

/* drive.c */
/* Answers an ask that is neither DONE nor WAIT by calling the hook. */
void ap__answer(ap_pool_t *pool, const pool_ask_t *ask, pool_answer_t *answer, ap_error_t *error);
/* Ends an op whose driver is being unwound. */
void ap__abandon(ap_op_t *op);
/* Answers the asks of an op with the pool's hooks until it is done */
pool_status_t ap__drive(ap_op_t *op, void **resource, ap_error_t *error);
/* The same from its beginning, with the lock held, which is given up; the error is kept for the caller. */
pool_status_t ap__run_locked(ap_pool_t *pool, uint8_t kind, void *given, int64_t deadline, void **resource);

/* host.c: what a host-driven pool answers where others run an op. With the lock held; gives it up. */
pool_status_t ap__host_try(ap_pool_t *pool);
pool_status_t ap__host_release(ap_pool_t *pool, void *resource);

/* park.c */
int64_t ap__now(void);
bool ap__woken(const ap_op_t *op);
/* Sleeps until the op can go on or the time has come; true: it can go on. */
bool ap__park(ap_op_t *op, int64_t until_ns);
/* Waits while somebody is waking the op. */
void ap__await_waker(ap_op_t *op);

/* life.c */
void ap__born(void); /* one more pool lives; ap__free() counts it off */
/* Under the lock: nothing refers to the pool any more, and this caller is to free it. */
bool ap__is_dead(const ap_pool_t *pool);
void ap__free(ap_pool_t *pool);
/* Closes, as pool_close(); with the lock held, gives it up. The pool may be gone afterwards. */
pool_status_t ap__close_locked(ap_pool_t *pool);

#pragma GCC visibility pop

#endif

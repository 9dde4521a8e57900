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

#include <pthread.h>
#include <stdatomic.h>

#define AP_UNLIKELY(x) __builtin_expect(!!(x), 0)

#pragma GCC visibility push(hidden)

/* ---- the state that C and Go both see: twins of the types in pool/state.go ---- */

enum { /* pool.GateX */
    AP_GATE_CLOSED = 1 << 0,
    AP_GATE_WAITERS = 1 << 1,
    AP_GATE_RESERVED = 1 << 2,
    AP_GATE_ACQUIRE_HOOK = 1 << 3,
    AP_GATE_RELEASE_HOOK = 1 << 4,
    AP_GATE_BROKEN = 1 << 5
};

enum { AP_ENTRY_FREE, AP_ENTRY_IDLE, AP_ENTRY_LENT, AP_ENTRY_HOOK }; /* pool.EntryX */

enum { AP_KIND_ACQUIRE, AP_KIND_TRY, AP_KIND_RELEASE, AP_KIND_CLOSE, AP_KIND_FILL }; /* pool.KindX */

enum { AP_STEP_BEGIN, AP_STEP_WAIT, AP_STEP_DONE = 9 }; /* pool.StepX */

#define AP_NEVER INT64_MAX /* pool.Never */

typedef struct ap_pool ap_pool_t;

typedef struct ap_op { /* pool.Op */
    struct ap_op *next, *prev;
    ap_pool_t *pool;
    int64_t deadline;
    uintptr_t resource;
    uint64_t ticket, turn;
    uint32_t entry;
    _Atomic uint32_t wake; /* futex word: 1 once the op can go on */
    int32_t status;
    uint8_t kind, step, list, flags;
    uint32_t guard; /* AP_OP_GUARD once begun */
    uint32_t unused[13];
} __attribute__((may_alias)) ap_op_t;

typedef struct ap_entry { /* pool.Entry */
    uintptr_t word;
    uint32_t link;
    uint8_t state;
    uint8_t unused[3];
} ap_entry_t;

typedef struct ap_ring { /* pool.Ring */
    uint32_t *slots;
    uint32_t mask, head, tail;
} ap_ring_t;

typedef struct ap_registry { /* pool.Registry */
    ap_entry_t *entries;
    uint32_t *index;
    uint64_t seed[2];
    uint32_t cap, mask, fresh, free, live, unused;
} ap_registry_t;

typedef struct ap_list { /* pool.List */
    ap_op_t *head, *tail;
} ap_list_t;

typedef struct ap_state { /* pool.State */
    uint32_t gate, asks, min_size, max_size;
    uint32_t idle, active, reserved, waiting;
    uint32_t ops, unused;
    ap_ring_t ring;
    ap_registry_t registry;
    ap_list_t waiters, ready;
    uint64_t tickets, turns;
} ap_state_t;

/* Offsets that bridge/layout.go compares with Go's. */
enum {
    AP_AT_STATE_IDLE = offsetof(ap_state_t, idle),
    AP_AT_STATE_OPS = offsetof(ap_state_t, ops),
    AP_AT_STATE_RING = offsetof(ap_state_t, ring),
    AP_AT_STATE_REGISTRY = offsetof(ap_state_t, registry),
    AP_AT_STATE_WAITERS = offsetof(ap_state_t, waiters),
    AP_AT_STATE_READY = offsetof(ap_state_t, ready),
    AP_AT_STATE_TURNS = offsetof(ap_state_t, turns),
    AP_AT_RING_TAIL = offsetof(ap_ring_t, tail),
    AP_AT_REGISTRY_SEED = offsetof(ap_registry_t, seed),
    AP_AT_REGISTRY_LIVE = offsetof(ap_registry_t, live),
    AP_AT_ENTRY_STATE = offsetof(ap_entry_t, state),
    AP_AT_OP_POOL = offsetof(ap_op_t, pool),
    AP_AT_OP_DEADLINE = offsetof(ap_op_t, deadline),
    AP_AT_OP_TURN = offsetof(ap_op_t, turn),
    AP_AT_OP_WAKE = offsetof(ap_op_t, wake),
    AP_AT_OP_STATUS = offsetof(ap_op_t, status),
    AP_AT_OP_KIND = offsetof(ap_op_t, kind),
    AP_AT_OP_STEP = offsetof(ap_op_t, step),
    AP_AT_OP_GUARD = offsetof(ap_op_t, guard),
    AP_AT_ASK_STATUS = offsetof(pool_ask_t, status),
    AP_AT_ASK_UNTIL = offsetof(pool_ask_t, until_ns),
    AP_AT_ASK_TURN = offsetof(pool_ask_t, turn),
    AP_AT_ANSWER_OK = offsetof(pool_answer_t, ok),
    AP_AT_ANSWER_NOW = offsetof(pool_answer_t, now_ns)
};

_Static_assert(sizeof(ap_op_t) == sizeof(pool_op_t), "an op fits the memory its owner provides");
_Static_assert(_Alignof(ap_op_t) <= _Alignof(pool_op_t), "and its alignment");

/* ---- a pool ---- */

#define AP_POOL_GUARD 0x704f4f6cu
#define AP_OP_GUARD 0x704f7021u

struct ap_pool {
    struct pool_s pub; /* first: a pool_t * is an ap_pool_t * */
    uint32_t guard;    /* AP_POOL_GUARD while it lives */
    uint32_t flags;    /* POOL_F_HOST_DRIVEN */
    void *core;        /* handle of the Go core */
    char name[64];
    /* Lock and hot state share no cache line with what is constant. */
    _Alignas(64) pthread_mutex_t lock;
    ap_state_t state;
};

/* guard.c */
extern int ap__forked; /* 1 in a child whose parent had loaded the library */

/* Answers from the calling function when it may not go on. */
#define AP_REFUSE_FORKED(what)                                                                     \
    do {                                                                                           \
        if (AP_UNLIKELY(ap__forked))                                                               \
            return ap__fail(POOL_ERR_FORKED, NULL, what);                                          \
    } while (0)

/* The pool behind a handle, or NULL. Catches NULL and, as far as it goes, what is no pool. */
static inline ap_pool_t *ap__pool(const pool_t *pool)
{
    ap_pool_t *p = (ap_pool_t *)pool;
    return p && p->guard == AP_POOL_GUARD ? p : NULL;
}

static inline ap_op_t *ap__op(pool_op_t *op)
{
    ap_op_t *o = (ap_op_t *)op;
    return o && o->guard == AP_OP_GUARD ? o : NULL;
}

static inline void ap__lock(ap_pool_t *pool) { pthread_mutex_lock(&pool->lock); }
static inline void ap__unlock(ap_pool_t *pool) { pthread_mutex_unlock(&pool->lock); }

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
/* Takes what the hook that just returned has set; a good outcome drops it. */
void ap__error_take(ap_pool_t *pool, bool failed, ap_error_t *into);

/* op.c */
void ap__op_init(ap_op_t *op, ap_pool_t *pool, uint8_t kind, void *resource, int64_t deadline);
int64_t ap__deadline(int64_t timeout_ms);
/* One step; the pool may be gone after POOL_ASK_DONE. */
void ap__next(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
/* The same with the lock held; gives it up. */
void ap__next_locked(ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);
pool_status_t ap__cancel(ap_op_t *op);

/* drive.c: answers the asks of an op with the pool's hooks until it is done */
pool_status_t ap__drive(ap_op_t *op, void **resource, ap_error_t *error);
/* The same, going on from an ask that is already out. */
pool_status_t ap__drive_from(ap_op_t *op, pool_ask_t *ask, void **resource, ap_error_t *error);

/* park.c */
int64_t ap__now(void);
/* Sleeps until the op can go on or the time has come; true: it can go on. */
bool ap__park(ap_op_t *op, int64_t until_ns);
/* Gives the lock up and wakes every op that can go on. */
void ap__unlock_and_wake(ap_pool_t *pool);

/* life.c */
void ap__born(void); /* one more pool lives; ap__free() counts it off */
/* Under the lock: nothing refers to the pool any more, and this caller is to free it. */
bool ap__is_dead(const ap_pool_t *pool);
void ap__free(ap_pool_t *pool);

/* memory.c: every allocation of the library goes through it. Zeroed; NULL when there is none. */
void *ap__alloc(size_t alignment, size_t size);
void ap__dealloc(void *memory);
/* The alignment of what Go asks for. */
enum { AP_WORD = sizeof(void *) };

#pragma GCC visibility pop

#endif

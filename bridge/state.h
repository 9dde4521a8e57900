/*
 * The state that C and Go both see: twins of the types in pool/core/state.go, and the numbers that both sides use.
 * layout.go compares them.
 */
#ifndef ASYNCPOOL_STATE_H
#define ASYNCPOOL_STATE_H

#include "../include/asyncpool/pool.h"
#include "own.h"

#include <stdatomic.h>

#pragma GCC visibility push(hidden)

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
    uint32_t spare;
    ap_op_own_t own;  /* the driver's */
    uint64_t room[8]; /* for what ops will need */
    void *data;       /* the host's: pool_op_t.data */
} __attribute__((may_alias)) ap_op_t;

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
 * fast path has few enough of them to feel each.
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
    AP_AT_OP_OWN = offsetof(ap_op_t, own),
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

static inline ap_op_t *ap__timer_op(ap_timer_t *timer)
{
    return (ap_op_t *)((char *)timer - offsetof(ap_op_t, own.timer));
}

#pragma GCC visibility pop

#endif

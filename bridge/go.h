/*
 * The border to Go: every call of the C side into the core is an ap_go_call_t. A thread that has been inside Go makes
 * its calls itself; the first call of one that has not may be made by another: see go.c.
 */
#ifndef ASYNCPOOL_GO_H
#define ASYNCPOOL_GO_H

#include "internal.h"

#pragma GCC visibility push(hidden)

/* ap_go_call_t.what */
enum {
    AP_GO_ENTER, /* nothing: a thread's entry */
    AP_GO_NEW,
    AP_GO_FREE,
    AP_GO_NEXT,
    AP_GO_CANCEL,
    AP_GO_SET_CIRCUIT,
    AP_GO_SET_STRATEGY,
    AP_GO_SET_THRESHOLD
};

enum { AP_CALL_WAITS, AP_CALL_DONE, AP_CALL_TURN /* make it yourself, and those behind it */ };

typedef struct ap_go_call {
    uint32_t what;               /* AP_GO_X */
    int32_t status;              /* the answer: POOL_ERR_INTERNAL after a panic */
    void *core;                  /* a handle; the answer of AP_GO_NEW, where NULL says that there is none */
    ap_state_t *state;           /* NEW */
    ap_op_t *op;                 /* NEXT, CANCEL */
    const pool_answer_t *answer; /* NEXT */
    pool_ask_t *ask;             /* NEXT */
    int64_t ns;                  /* SET_CIRCUIT: what time it is; SET_THRESHOLD: for how long it stays open */
    uint32_t circuit;            /* SET_CIRCUIT */
    uint32_t asks;               /* SET_STRATEGY */
    uint32_t counts;             /* SET_THRESHOLD */
    uint32_t failures;           /* SET_THRESHOLD */
    uint32_t successes;          /* SET_THRESHOLD */
    /* While it waits for another thread: */
    _Atomic uint32_t word;   /* futex word: AP_CALL_X */
    struct ap_go_call *next; /* the call that came after it */
} ap_go_call_t;

/* Go's one export, in exports.go. */
void apgoCall(ap_go_call_t *call);

extern __thread bool ap__entered;
extern __thread uint64_t ap__crossings;

/* Makes the call of a thread that has not been inside Go. */
void ap__go_first(ap_go_call_t *call);

static inline int ap__go(ap_go_call_t *call)
{
    if (AP_UNLIKELY(!ap__entered)) {
        ap__go_first(call);
    } else {
        ap__crossings++;
        apgoCall(call);
    }
    return call->status;
}

static inline bool ap__go_new(ap_pool_t *pool)
{
    ap_go_call_t call = {.what = AP_GO_NEW, .state = &pool->state};
    ap__go(&call);
    pool->core = call.core;
    return call.core != NULL;
}

static inline void ap__go_free(void *core)
{
    ap_go_call_t call = {.what = AP_GO_FREE, .core = core};
    ap__go(&call);
}

static inline int ap__go_next(void *core, ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    ap_go_call_t call = {.what = AP_GO_NEXT, .core = core, .op = op, .answer = answer, .ask = ask};
    return ap__go(&call);
}

static inline int ap__go_cancel(void *core, ap_op_t *op)
{
    ap_go_call_t call = {.what = AP_GO_CANCEL, .core = core, .op = op};
    return ap__go(&call);
}

static inline int ap__go_set_circuit(void *core, uint32_t to, int64_t now_ns)
{
    ap_go_call_t call = {.what = AP_GO_SET_CIRCUIT, .core = core, .circuit = to, .ns = now_ns};
    return ap__go(&call);
}

static inline int ap__go_set_strategy(void *core, uint32_t asks)
{
    ap_go_call_t call = {.what = AP_GO_SET_STRATEGY, .core = core, .asks = asks};
    return ap__go(&call);
}

static inline int ap__go_set_threshold(void *core, uint32_t counts, uint32_t failures, uint32_t successes,
                                       int64_t open_for)
{
    ap_go_call_t call = {
        .what = AP_GO_SET_THRESHOLD,
        .core = core,
        .counts = counts,
        .failures = failures,
        .successes = successes,
        .ns = open_for};
    return ap__go(&call);
}

#pragma GCC visibility pop

#endif

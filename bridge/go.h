/*
 * The border to Go: every call of the C side into the core is one of these. A thread that has been inside Go
 * calls it directly; one that has not goes through the door, see door.c.
 */
#ifndef ASYNCPOOL_GO_H
#define ASYNCPOOL_GO_H

#include "internal.h"
#include "_cgo_export.h"

#pragma GCC visibility push(hidden)

/* A call that another thread may make in place of this one, which sleeps meanwhile. */
typedef struct ap_call {
    struct ap_call *next;    /* who came after it */
    _Atomic uint32_t word;   /* futex word: AP_CALL_X */
    enum {
        AP_GO_NEW,
        AP_GO_FREE,
        AP_GO_NEXT,
        AP_GO_CANCEL,
        AP_GO_SET_CIRCUIT,
        AP_GO_SET_STRATEGY,
        AP_GO_SET_THRESHOLD
    } function;
    void *core;
    void *with[3];
    int64_t number[3];
    int status;
} ap_call_t;

enum { AP_CALL_WAITS, AP_CALL_DONE, AP_CALL_TURN /* make it yourself, and those behind it */ };

extern __thread bool ap__entered;
extern __thread uint64_t ap__crossings;

/* Makes the call of a thread that has not been inside Go. */
int ap__go_first(ap_call_t call);

/* What each function below does when the thread is known in Go already; otherwise it goes through the door. */
#define AP_GO(call, ...) (AP_UNLIKELY(!ap__entered) ? ap__go_first((ap_call_t)__VA_ARGS__) : (ap__crossings++, call))

static inline bool ap__go_new(ap_pool_t *pool)
{
    return AP_GO((pool->core = apgoNew(&pool->state)) != NULL, {.function = AP_GO_NEW, .with = {pool}});
}

static inline void ap__go_free(void *core)
{
    (void)AP_GO((apgoFree(core), 0), {.function = AP_GO_FREE, .core = core});
}

static inline int ap__go_next(void *core, ap_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    return AP_GO(apgoNext(core, op, (void *)answer, ask),
                 {.function = AP_GO_NEXT, .core = core, .with = {op, (void *)answer, ask}});
}

static inline int ap__go_cancel(void *core, ap_op_t *op)
{
    return AP_GO(apgoCancel(core, op), {.function = AP_GO_CANCEL, .core = core, .with = {op}});
}

static inline int ap__go_set_circuit(void *core, uint32_t to, int64_t now_ns)
{
    return AP_GO(apgoSetCircuit(core, to, now_ns),
                 {.function = AP_GO_SET_CIRCUIT, .core = core, .number = {to, now_ns}});
}

static inline int ap__go_set_strategy(void *core, uint32_t asks)
{
    return AP_GO(apgoSetStrategy(core, asks),
                 {.function = AP_GO_SET_STRATEGY, .core = core, .number = {asks}});
}

static inline int ap__go_set_threshold(void *core, uint32_t failures, uint32_t successes, int64_t open_for)
{
    return AP_GO(apgoSetThreshold(core, failures, successes, open_for),
                 {.function = AP_GO_SET_THRESHOLD, .core = core, .number = {failures, successes, open_for}});
}

#pragma GCC visibility pop

#endif

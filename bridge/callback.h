/*
 * Registered callbacks: code of the host that is called from several threads and may be taken away at any time (an
 * observer, a strategy). One stays until no call of it is in flight. See callback.c.
 */
#ifndef ASYNCPOOL_CALLBACK_H
#define ASYNCPOOL_CALLBACK_H

#include "../include/asyncpool/pool.h"

#include <stdatomic.h>

typedef struct ap_pool ap_pool_t;

#pragma GCC visibility push(hidden)

typedef struct ap_run { /* a call that has begun and not ended */
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

#pragma GCC visibility pop

#endif

/*
 * What the drivers keep in an op for themselves: ap_op_t.own, and the words that ap_op_t.wake can be. To the core it is
 * memory, core.Op.Driver, and state.h compares its size with that.
 */
#ifndef ASYNCPOOL_OWN_H
#define ASYNCPOOL_OWN_H

#include "../include/asyncpool/pool.h"
#include "wheel.h"

#include <stdatomic.h>

typedef struct ap_op_own {
    union {
        struct {
            ap_timer_t timer; /* of an async op: its deadline in the reactor's wheel, or its link in the queue */
            pool_acquired_fn callback; /* of an async op */
            uint64_t note;             /* of an acquire: what is noted of the lend, see whose.h */
            int64_t waited;            /* how long it stood in line, all in all */
        };
        pool_lend_t lend; /* of a pass that tells of a leak */
    };
    pool_reactor_t *reactor; /* of an async op; NULL: it is none */
    _Atomic uint32_t async;  /* AP_ASYNC_X, AP_COROUTINE, AP_FIRST */
    uint32_t thread;         /* of an acquire: who has begun it */
    int64_t since;           /* when it joined the line, or what it has made was begun; see times.h */
} ap_op_own_t;

/* ap_op_own_t.async */
enum {
    AP_ASYNC_CANCELLED = 1 << 0,
    AP_ASYNC_DELIVERED = 1 << 1,
    AP_COROUTINE = 1 << 2, /* it is not async: it waits in the pool's scheduler */
    AP_FIRST = 1 << 3,     /* it was first in line when it came: see park.c */
    AP_ASYNC_TOLD = 1 << 4 /* delivered, and how it ended stands in the op, for whoever sees this */
};

/* ap_op_t.wake, a futex word: can the op go on? */
enum {
    AP_WAITS = 0,
    AP_WOKEN = 1,
    AP_WAKING = 2, /* its scheduler is being told */
    AP_SLEEPS = 3, /* it waits, and its thread sleeps in the kernel or is about to */
    AP_AWAITED = 4 /* as AP_WAKING, and somebody sleeps until it was told */
};

#endif

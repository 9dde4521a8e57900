/*
 * Creations behind (POOL_F_CREATE_BEHIND): who makes what callers wait for. See makers.c, and pool/core/behind.go.
 */
#ifndef ASYNCPOOL_MAKERS_H
#define ASYNCPOOL_MAKERS_H

#include "wheel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ap_pool ap_pool_t;

/* What a pool keeps about its makers. */
typedef struct ap_making {
    uint32_t called;  /* who is to come and has not: threads, or 1 for its loop. Each keeps the pool; under its lock */
    uint32_t waiting; /* of the threads, those that nobody has become yet; under the mutex of makers.c */
    ap_pool_t *next;  /* in the list of the pools that have some */
    uint64_t tried;   /* the last in line, when it was last tried for threads that could not be had; under its lock */
    ap_timer_t timer; /* in the reactor, while its loop is called; AP_TIMER_MAKE */
} ap_making_t;

#pragma GCC visibility push(hidden)

/* Under the lock, at the end of a change of a pool in which somebody waits, or which is closed: calls its loop, or
 * says how many threads are to be called after the lock. They count as called, and keep the pool, from then on. True:
 * ap__makers_call() is to be called, with none as well, since threads that were called could not be had. */
bool ap__makers_due(ap_pool_t *pool, uint32_t *threads);
/* Calls so many threads. Not under a lock. With 0 the pool is not looked at. */
void ap__makers_call(ap_pool_t *pool, uint32_t threads);
/* The loop makes what is due, as long as *most lasts, which is counted off. */
void ap__makers_run(ap_pool_t *pool, int *most);

#pragma GCC visibility pop

#endif

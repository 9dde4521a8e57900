/*
 * A reactor: what one event loop serves. It holds the async ops that can go on, the deadlines of those
 * that wait, and the healthchecks that are due, of any number of pools.
 *
 * Lock order: a pool's lock, then a reactor's.
 */
#ifndef ASYNCPOOL_REACTOR_H
#define ASYNCPOOL_REACTOR_H

#include "internal.h"

#pragma GCC visibility push(hidden)

/* What a timer of a reactor belongs to. */
enum { AP_TIMER_OP, AP_TIMER_SWEEP };

struct pool_reactor_s {
    uint32_t guard; /* while it lives: see handle.h */
    atomic_uint refs;
    pthread_mutex_t lock;
    ap_timer_t *head, *tail; /* the queue of what can go on */
    int fd;                  /* readable while the queue has something; -1: nobody asked for it */
    bool readable;
    bool nudged;      /* or while a loop that may sleep must hear of an earlier deadline */
    pthread_t loop;   /* who was last told how long it may sleep, */
    uint64_t told;    /* until which tick; 0: nobody */
    int64_t base_ns; /* tick 0 of the wheel */
    ap_wheel_t wheel;
};

/* The reactor behind a handle, or NULL: it is none. */
static inline pool_reactor_t *ap__reactor(pool_reactor_t *reactor)
{
    return ap__is(AP_REACTOR_GUARD, reactor, offsetof(pool_reactor_t, guard)) ? reactor : NULL;
}

pool_reactor_t *ap__reactor_new(void);
void ap__reactor_ref(pool_reactor_t *reactor);
void ap__reactor_unref(pool_reactor_t *reactor);
/* The reactor of a pool's own, made when it is first needed; NULL: no memory. Takes the pool's lock. */
pool_reactor_t *ap__reactor_of(ap_pool_t *pool);
/* Has a timer's owner run: puts it into the queue, unless it is there, and clears the timer. One that runs
 * will be run again. */
void ap__reactor_push(pool_reactor_t *reactor, ap_timer_t *timer);
/* The owner waits, until it is pushed or a time (AP_NEVER: none) has come; it runs no longer. */
void ap__reactor_wait(pool_reactor_t *reactor, ap_timer_t *timer, int64_t due_ns);
/* Takes a timer out of queue and wheel; true: it was in one. */
bool ap__reactor_forget(pool_reactor_t *reactor, ap_timer_t *timer);

/* async.c: goes on with an async op that came out of the queue */
void ap__async_run(ap_op_t *op);

#pragma GCC visibility pop

#endif

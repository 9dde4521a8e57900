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

/*
 * The descriptor: readable while there is work, and from a time on. See alarm.c.
 */
typedef struct ap_alarm {
    int fd;        /* what the host watches; -1: nobody asked for it, and the rest is nothing */
    int work_fd;   /* readable while there is work */
    int time_fd;   /* readable from a time on */
    bool rung;     /* work_fd is readable */
    int64_t at_ns; /* the time that time_fd is set to; AP_NEVER: none */
} ap_alarm_t;

void ap__alarm_init(ap_alarm_t *alarm);
/* Makes the descriptors; false, with errno: none is there. */
bool ap__alarm_open(ap_alarm_t *alarm);
void ap__alarm_close(ap_alarm_t *alarm);
/* These do nothing while there is no descriptor. errno stays. */
void ap__alarm_ring(ap_alarm_t *alarm, bool work);
void ap__alarm_set(ap_alarm_t *alarm, int64_t at_ns);

/* What a timer of a reactor belongs to. */
enum { AP_TIMER_OP, AP_TIMER_SWEEP, AP_TIMER_MAKE };

struct pool_reactor_s {
    uint32_t magic;    /* while it lives: see magic.h */
    atomic_uint refs;  /* of its host, of pools and ops, and of a dispatch */
    atomic_bool hosts; /* one of them is its host's, which has not given it back */
    pthread_mutex_t lock;
    atomic_uint wanted;      /* threads that wait for the lock: who has it long lets them */
    ap_timer_t *head, *tail; /* the queue of what can go on */
    bool behind;             /* the wheel has not reached the time that the last dispatch saw */
    ap_alarm_t alarm;
    int64_t base_ns; /* tick 0 of the wheel */
    ap_wheel_t wheel;
};

/* The reactor behind a handle, or NULL: it is none. */
static inline pool_reactor_t *ap__reactor(pool_reactor_t *reactor)
{
    return ap__is(AP_REACTOR_MAGIC, reactor, offsetof(pool_reactor_t, magic)) ? reactor : NULL;
}

/* What a host-driven pool answers where others go to their loop. */
#define AP_HOST_HAS_NO_LOOP                                                                                         \
    "the pool is host-driven, no loop serves it: use pool_op_acquire() and pool_op_next(), whose asks say when to " \
    "wait"

pool_reactor_t *ap__reactor_new(void);
void ap__reactor_ref(pool_reactor_t *reactor);
void ap__reactor_unref(pool_reactor_t *reactor);
/* The reactor of a pool's own, made when it is first needed; NULL: no memory. Takes the pool's lock. */
pool_reactor_t *ap__reactor_of(ap_pool_t *pool);
/* Has a timer's owner run: puts it into the queue, unless it is there, and clears the timer. One that runs
 * will be run again. */
void ap__reactor_push(pool_reactor_t *reactor, ap_timer_t *timer);
/* An owner that has not done all that it can do now goes to the end of the queue; it runs no longer. */
void ap__reactor_again(pool_reactor_t *reactor, ap_timer_t *timer);
/* The owner waits, until it is pushed or a time (AP_NEVER: none) has come; it runs no longer. */
void ap__reactor_wait(pool_reactor_t *reactor, ap_timer_t *timer, int64_t due_ns);
/* Takes a timer out of queue and wheel; true: it was in one. */
bool ap__reactor_forget(pool_reactor_t *reactor, ap_timer_t *timer);

/* Serves what is due. Takes the caller's reference over, also when a hook or callback is unwound. */
pool_status_t ap__reactor_dispatch(pool_reactor_t *reactor);
/* Milliseconds until there is something to serve; -1: nothing will be. */
int64_t ap__reactor_next_timeout(pool_reactor_t *reactor);
/* The descriptor, made when it is first asked for; -1: there is none to be had. */
int ap__reactor_descriptor(pool_reactor_t *reactor);

/*
 * What came out of the queue goes on. It calls no more than about *most hooks and callbacks, counts them off, and
 * goes to the end of the queue when it could go on after that.
 */
void ap__async_run(ap_op_t *op, int *most);        /* async.c */
void ap__sweeper_pass(ap_pool_t *pool, int *most); /* sweeper.c */

#pragma GCC visibility pop

#endif

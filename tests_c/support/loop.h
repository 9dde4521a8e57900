/*
 * An event loop for the tests: async ops that remember what they were told, and turns of a loop
 * that check the promises about descriptor and timeout each time.
 *
 * Its pools have the hooks of fixture.h. None of them, and no callback, may run inside a call that
 * begins an async op; every one is counted as work of the thread that runs it.
 */
#ifndef ASYNCPOOL_LOOP_H
#define ASYNCPOOL_LOOP_H

#include "fixture.h"

/* An async acquire. Zero is a good beginning. */
typedef struct told told;
struct told {
    pool_op_t op;
    pool_t *pool;
    void (*then)(told *self); /* called by the callback, last; may free self. NULL: nothing */
    told *other;              /* for then */
    fx_resource *got;
    pool_status_t status, error; /* error, code, text: pool_last_error() in the callback */
    int code;
    char text[64];
    pthread_t thread;
    int order;        /* place in the order in which outcomes were told, from 1 */
    atomic_int times; /* how often it was told */
};

/* What this thread ran so far: hooks and callbacks. */
int loop_work(void);

/* A configuration, and a pool, with the hooks of fixture.h (hooks: FX_WITH_...). */
pool_config_t loop_config(unsigned hooks, uint32_t min, uint32_t max);
pool_t *loop_pool_of(const pool_config_t *config);
pool_t *loop_pool(unsigned hooks, uint32_t min, uint32_t max);

/* Begins an async acquire; a reactor of NULL: the pool's own way. */
pool_status_t loop_begin(pool_reactor_t *reactor, pool_t *pool, told *t, int64_t timeout_ms);
/* Begins one on the pool; it must be POOL_PENDING. */
void loop_acquire(pool_t *pool, told *t, int64_t timeout_ms);
/* The same on a reactor. */
void loop_acquire_on(pool_reactor_t *reactor, pool_t *pool, told *t, int64_t timeout_ms);

/* poll() for the descriptor being readable; it goes on when a signal interrupts it. */
bool loop_poll(int fd, int64_t timeout_ms);
bool loop_readable(int fd);

/* One dispatch. Answers how many hooks and callbacks it ran: none, unless the descriptor was
 * readable or the timeout had passed; at least one if the descriptor was readable. Only for a pool
 * that no other thread uses at the same time. */
int loop_turn(pool_t *pool);
int loop_turn_of(pool_reactor_t *reactor);
/* Turns while the descriptor is readable; answers the work of all. */
int loop_drain(pool_t *pool);
int loop_drain_of(pool_reactor_t *reactor);
/* Polls the descriptor for pool_next_timeout() and dispatches, until the outcome is told. */
void loop_until_told(pool_t *pool, told *t);
void loop_until_told_of(pool_reactor_t *reactor, told *t);

/* It was told once, with this status, and nothing, or a resource, as that demands. */
#define CHECK_TOLD_ONCE(t, wanted) loop_check_told(__FILE__, __LINE__, (t), (wanted))
void loop_check_told(const char *file, int line, told *t, pool_status_t wanted);

/* Gives back what an op got. */
void loop_give(told *t);

#endif

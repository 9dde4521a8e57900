/*
 * A change of a pool's state, made under the lock, and what follows when it ends: what is read without the lock is
 * published, the lock is given up, those who can go on are woken, observers are told, and the pool is freed if nothing
 * refers to it any more.
 */
#include "list.h"
#include "reactor.h"
#include "visit.h"

#include <errno.h>
#include <limits.h>

ap_change_t ap__change_begin(const ap_pool_t *pool)
{
    const ap_state_t *st = &pool->state;
    return (ap_change_t){.closed = st->gate & AP_GATE_CLOSED,
                         .free = (int64_t)st->max_size - st->active - st->reserved};
}

/* What others are to be told after the lock. */
typedef enum news { NOTHING, CLOSED, AVAILABLE } news;

static news news_since(const ap_pool_t *pool, ap_change_t before)
{
    ap_change_t now = ap__change_begin(pool);
    if (now.closed)
        return before.closed ? NOTHING : CLOSED;
    return pool->state.gate & AP_GATE_OBSERVED && now.free > before.free ? AVAILABLE : NOTHING;
}

/* What consumers read without the lock. */
static void publish(ap_pool_t *pool, news what)
{
    pool_circuit_state_t circuit = (pool_circuit_state_t)pool->state.breaker.circuit;
    if (AP_UNLIKELY(pool->pub.circuit_state != circuit))
        __atomic_store_n(&pool->pub.circuit_state, circuit, __ATOMIC_RELAXED);
    if (what == CLOSED)
        __atomic_fetch_or(&pool->pub.event.flags, POOL_EVENT_F_CLOSED, __ATOMIC_RELAXED);
}

/* Takes over what keeps the pool, also if an observer unwinds the thread. */
static void tell(ap_pool_t *pool, news what, bool observed)
{
    ap_pool_t *pinned __attribute__((cleanup(ap__unpin), unused)) = pool;
    if (what == CLOSED)
        ap__sweeper_cancel(pool);
    if (observed)
        ap__event_tell(pool, what == CLOSED ? POOL_EVENT_CLOSED : POOL_EVENT_AVAILABLE);
}

void ap__change_end(ap_pool_t *pool, ap_change_t before)
{
    news what = news_since(pool, before);
    bool observed = pool->state.gate & AP_GATE_OBSERVED;
    publish(pool, what);
    if (AP_UNLIKELY(what != NOTHING))
        pool->state.ops++; /* keeps the pool until it has been told */
    bool dead = ap__unlock_and_wake(pool);
    if (AP_UNLIKELY(what != NOTHING))
        tell(pool, what, observed);
    else if (AP_UNLIKELY(dead))
        ap__free(pool);
}

void ap__unpin(ap_pool_t **pinned)
{
    ap_pool_t *pool = *pinned;
    if (AP_UNLIKELY(ap__forked))
        return;
    ap__lock(pool);
    ap_change_t before = ap__change_begin(pool);
    pool->state.ops--;
    ap__change_end(pool, before);
}

/*
 * ---- waking ----
 *
 * A thread that waits sleeps on a word in its own op. The waker sets the word under the lock, so that the op cannot go
 * away before, and makes the system call after it, with the bare address: by then the op may be gone, and a wake-up on
 * an address where nobody sleeps is harmless.
 */

/* One whose owner is told outside the lock. A thread's op may be gone by then: only its address is used. A coroutine's
 * stays until it is AP_WOKEN. */
typedef struct sleeper {
    ap_op_t *op;
    bool coroutine;
} sleeper;

typedef struct resumption {
    ap_visit_t visit; /* first */
    ap_op_t *op;
} resumption;

static bool resume(ap_visit_t *visit)
{
    ap_op_t *op = ((resumption *)visit)->op;
    const pool_scheduler_t *scheduler = &op->pool->scheduler;
    scheduler->resume(scheduler->ctx, (pool_op_t *)op);
    return true;
}

static void wake_up(const sleeper *s)
{
    _Atomic uint32_t *word = &s->op->wake;
    if (s->coroutine) {
        resumption r = {{.kind = AP_VISIT_OTHER, .make = resume}, s->op};
        ap__visit(&r.visit);
        atomic_store_explicit(word, AP_WOKEN, memory_order_release);
    }
    ap__futex_wake(word, INT_MAX);
}

/* Has an op go on, under the lock. True: its owner is to be told outside, too. One that was called to look may be
 * granted a place before it has looked: it is awake, and comes. */
static inline bool rouse(ap_op_t *op, bool coroutine)
{
    if (op->own.reactor) {
        ap__reactor_push(op->own.reactor, &op->own.timer);
        return false;
    }
    if (AP_UNLIKELY(ap__woken(op)))
        return false;
    uint32_t was = atomic_exchange(&op->wake, coroutine ? AP_WAKING : AP_WOKEN);
    return coroutine || was == AP_SLEEPS; /* otherwise it will see the word before it sleeps */
}

static inline bool is_coroutine(const ap_op_t *op)
{
    return atomic_load_explicit(&op->own.async, memory_order_relaxed) & AP_COROUTINE;
}

/* The first in line, who shall look. It stays in line; a host that asks for those who can go on hears of it. */
static __attribute__((noinline)) bool call(ap_pool_t *pool, sleeper *s)
{
    ap_op_t *op = pool->state.called;
    if (!(pool->flags & POOL_F_HOST_DRIVEN))
        pool->state.called = NULL;
    *s = (sleeper){op, is_coroutine(op)};
    return rouse(op, s->coroutine);
}

/*
 * However many are to be woken, one thread sees it through. Who comes meanwhile takes a step and leaves the rest to
 * that one: it would otherwise be kept for as long as there is somebody to wake, whatever it came for.
 */
bool ap__unlock_and_wake(ap_pool_t *pool)
{
    enum { AT_ONCE = 8, MOST = 64 }; /* usually there is one; only a close or an opening breaker wakes many */
    int saved = errno;
    bool sees_it_through = false;
    for (;;) {
        sleeper sleepers[AT_ONCE];
        int n = 0, handled = 0; /* others wait for the lock meanwhile */
        if (AP_UNLIKELY(pool->state.called != NULL) && call(pool, sleepers))
            n = 1;
        while (AP_UNLIKELY(pool->state.ready.head != NULL) && n < AT_ONCE && handled++ < MOST) {
            ap_op_t *op = ap__list_pop(&pool->state.ready);
            if (!op->own.reactor && pool->flags & POOL_F_HOST_DRIVEN)
                ap__list_push(&pool->state.woken, op, AP_LIST_WOKEN);
            sleeper s = {op, is_coroutine(op)};
            if (rouse(op, s.coroutine))
                sleepers[n++] = s;
        }
        bool more = pool->state.ready.head != NULL && (sees_it_through || !pool->waking);
        if (AP_UNLIKELY(more || sees_it_through))
            pool->waking = sees_it_through = more;
        if (AP_UNLIKELY(more))
            pool->state.ops++; /* the pool stays for the next round */
        bool dead = ap__is_dead(pool);
        void *spent = pool->state.spent; /* to free much takes its time, which nobody else shall wait for */
        if (AP_UNLIKELY(spent != NULL))
            pool->state.spent = NULL;
        bool awaited = ap__lock_drop(&pool->lock);
        if (AP_UNLIKELY(awaited))
            ap__futex_wake(&pool->lock.word, 1);
        if (AP_UNLIKELY(spent != NULL))
            ap__free_spent(spent);
        for (int i = 0; i < n && !ap__forked; i++)
            wake_up(&sleepers[i]);
        if (AP_UNLIKELY(ap__forked)) /* resume() has forked */
            return false;
        if (!more) {
            errno = saved;
            return dead;
        }
        if (awaited)
            ap__lock_let_in(&pool->lock);
        ap__lock(pool);
        pool->state.ops--;
    }
}

/*
 * A change of a pool's state, made under the lock, and what follows when it ends: what is read without the lock is
 * published, the lock is given up, those who can go on are woken, observers are told, and the pool is freed if nothing
 * refers to it any more.
 */
#include "places.h"
#include "reactor.h"
#include "visit.h"

#include <errno.h>
#include <limits.h>

AP_HOT ap_change_t ap__change_begin(const ap_pool_t *pool)
{
    const ap_state_t *st = &pool->state;
    int64_t free = (int64_t)st->max_size - st->active - st->reserved; /* below zero: the pool has shrunk */
    if (AP_UNLIKELY(st->gate & AP_GATE_PUTS_OFF || (st->gate & AP_GATE_WAITERS && st->behind)))
        free = ap__places_free(st);
    return (ap_change_t){.closed = st->gate & (AP_GATE_CLOSED | AP_GATE_DRAINING), .free = free > 0 ? free : 0};
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
    if (AP_UNLIKELY(pool->pub.max_size != pool->state.max_size))
        __atomic_store_n(&pool->pub.max_size, pool->state.max_size, __ATOMIC_RELAXED);
    if (AP_UNLIKELY(pool->pub.min_size != pool->state.min_size))
        __atomic_store_n(&pool->pub.min_size, pool->state.min_size, __ATOMIC_RELAXED);
}

typedef struct telling {
    ap_pool_t *pool;
    news what;
    bool observed;
    bool passes; /* a pass is to make what is missing to min_size or min_idle, at once */
    bool calls;  /* threads are to be called, so many: see makers.h */
    uint32_t makers;
} telling;

/* Takes over what keeps the pool, also if an observer unwinds the thread. */
static AP_HOT void tell(telling *t)
{
    ap_pool_t *pinned __attribute__((cleanup(ap__unpin), unused)) = t->pool;
    if (t->what == CLOSED)
        ap__sweeper_cancel(t->pool);
    if (t->passes)
        ap__sweeper_hurry(t->pool);
    if (t->calls)
        ap__makers_call(t->pool, t->makers);
    if (t->observed && t->what != NOTHING)
        ap__event_tell(t->pool, t->what == CLOSED ? POOL_EVENT_CLOSED : POOL_EVENT_AVAILABLE);
}

/* The second also if the first is unwound. */
static AP_HOT __attribute__((noinline)) void wake_and_tell(ap_pool_t *pool, telling news)
{
    telling t __attribute__((cleanup(tell), unused)) = news;
    pool->state.ops++; /* keeps the pool until it has been told */
    ap__unlock_and_wake(pool);
}

AP_HOT void ap__change_end(ap_pool_t *pool, ap_change_t before)
{
    news what = news_since(pool, before);
    bool passes = pool->state.min_size > pool->pub.min_size || pool->state.prompt;
    bool calls = false;
    uint32_t makers = 0;
    pool->state.prompt = 0;
    if (AP_UNLIKELY(pool->state.gate & (AP_GATE_WAITERS | AP_GATE_CLOSED) && pool->state.behind))
        calls = ap__makers_due(pool, &makers);
    publish(pool, what);
    bool observed = pool->state.gate & AP_GATE_OBSERVED;
    if (AP_UNLIKELY(what != NOTHING || passes || calls))
        wake_and_tell(pool, (telling){pool, what, observed, passes, calls, makers});
    else if (AP_UNLIKELY(ap__unlock_and_wake(pool)))
        ap__free(pool);
}

AP_HOT void ap__unpin(ap_pool_t **pinned)
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

/* Its owner is free to go on, also if resume() is unwound. */
static void is_told(ap_op_t **told)
{
    _Atomic uint32_t *word = &(*told)->wake;
    if (atomic_exchange(word, AP_WOKEN) == AP_AWAITED)
        ap__futex_wake(word, INT_MAX);
}

static __attribute__((noinline)) void resume_coroutine(ap_op_t *op)
{
    ap_op_t *told __attribute__((cleanup(is_told), unused)) = op;
    resumption r = {{.kind = AP_VISIT_RESUME, .of = op, .make = resume}, op};
    ap__visit(&r.visit);
}

typedef struct resumed {
    const ap_op_t *op;
    bool found;
} resumed;

static bool is_resumed(const ap_visit_t *visit, void *arg)
{
    resumed *r = arg;
    r->found = visit->kind == AP_VISIT_RESUME && visit->of == r->op;
    return r->found;
}

bool ap__is_inside_resume_of(const ap_op_t *op)
{
    resumed r = {op, false};
    ap__visits_around(is_resumed, &r);
    return r.found;
}

static void wake_up(const sleeper *s)
{
    if (s->coroutine)
        resume_coroutine(s->op);
    else
        ap__futex_wake(&s->op->wake, INT_MAX);
}

enum { AT_ONCE = 8 }; /* usually there is one; only a close or an opening breaker wakes many */

/* Those who are woken between two times under the lock. */
typedef struct batch {
    ap_pool_t *pool;
    sleeper sleepers[AT_ONCE];
    int n, told;
    bool dead; /* the pool */
    bool more; /* there are others, for whom this thread is to come back, and keeps the pool */
} batch;

static void wake_batch(batch *b)
{
    while (b->told < b->n && !ap__forked) /* resume() may have forked */
        wake_up(&b->sleepers[b->told++]);
}

/* The thread is unwound out of resume(): whoever else is to be woken has nobody but it. */
static void wake_the_rest(batch **unfinished)
{
    batch *b = *unfinished;
    if (!b || ap__forked)
        return;
    batch *again __attribute__((cleanup(wake_the_rest))) = b;
    wake_batch(b);
    again = NULL;
    bool dead = b->dead;
    if (b->more) {
        ap__lock(b->pool);
        b->pool->state.ops--;
        b->pool->waking = false;
        dead = ap__unlock_and_wake(b->pool);
    }
    if (dead)
        ap__free(b->pool);
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
    if (coroutine && was == AP_SLEEPS) /* its scheduler has its thread sleep in pool_op_wait() */
        atomic_store(&op->wake, AP_AWAITED);
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
    if (!(pool->flags & POOL_F_HOST_DRIVEN)) {
        AP_TRACE_WAKE(pool, op);
        pool->state.called = NULL;
    }
    *s = (sleeper){op, is_coroutine(op)};
    return rouse(op, s->coroutine);
}

/*
 * However many are to be woken, one thread sees it through. Who comes meanwhile takes a step and leaves the rest to
 * that one: it would otherwise be kept for as long as there is somebody to wake, whatever it came for.
 */
AP_HOT bool ap__unlock_and_wake(ap_pool_t *pool)
{
    enum { MOST = 64 }; /* others wait for the lock meanwhile */
    int saved = errno;
    bool sees_it_through = false;
    for (;;) {
        batch b;
        b.pool = pool;
        b.n = b.told = 0;
        int handled = 0;
        if (AP_UNLIKELY(pool->state.called != NULL) && call(pool, b.sleepers))
            b.n = 1;
        while (AP_UNLIKELY(pool->state.ready.head != NULL) && b.n < AT_ONCE && handled++ < MOST) {
            ap_op_t *op = ap__list_pop(&pool->state.ready);
            AP_TRACE_WAKE(pool, op);
            if (!op->own.reactor && pool->flags & POOL_F_HOST_DRIVEN)
                ap__list_push(&pool->state.woken, op, AP_LIST_WOKEN);
            sleeper s = {op, is_coroutine(op)};
            if (rouse(op, s.coroutine))
                b.sleepers[b.n++] = s;
        }
        b.more = pool->state.ready.head != NULL && (sees_it_through || !pool->waking);
        if (AP_UNLIKELY(b.more || sees_it_through))
            pool->waking = sees_it_through = b.more;
        if (AP_UNLIKELY(b.more))
            pool->state.ops++; /* the pool stays for the next round */
        b.dead = ap__is_dead(pool);
        void *spent = pool->state.spent; /* to free much takes its time, which nobody else shall wait for */
        if (AP_UNLIKELY(spent != NULL))
            pool->state.spent = NULL;
        ap_bed_t *bed = ap__lock_drop(&pool->lock);
        bool awaited = AP_UNLIKELY(bed != NULL) && ap__lock_wake(bed);
        if (AP_UNLIKELY(spent != NULL))
            ap__free_spent(spent);
        batch *unfinished __attribute__((cleanup(wake_the_rest))) = &b;
        wake_batch(&b);
        unfinished = NULL;
        if (AP_UNLIKELY(ap__forked))
            return false;
        if (!b.more) {
            errno = saved;
            return b.dead;
        }
        if (awaited)
            ap__lock_let_in(&pool->lock);
        ap__lock(pool);
        pool->state.ops--;
    }
}

/*
 * Sleeping and waking, outside Go and outside the lock.
 *
 * A waiter sleeps on a word in its own op. The waker sets the word under the lock, so that the op cannot
 * go away before, and makes the system call after it, with the bare address: by then the op may be gone,
 * and a wake-up on an address where nobody sleeps is harmless.
 */
#include "list.h"
#include "reactor.h"
#include "visit.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t ap__now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long futex_sleep(_Atomic uint32_t *word, const struct timespec *until)
{
    return syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, AP_SLEEPS, until, NULL, FUTEX_BITSET_MATCH_ANY);
}

/*
 * Makes the sleep a cancellation point: syscall() is none of itself. The compiler must not look inside,
 * or it would conclude that nothing here throws and drop the caller's cleanup for a cancelled thread.
 *
 * Not where the host has disabled cancellation: glibc's handler looks at the type alone, and pthread_cancel() may
 * send its signal late, when the thread has left the wait that it was meant for and is in another.
 */
static AP_SEALED long sleep_on(_Atomic uint32_t *word, const struct timespec *until)
{
    int state, type;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    if (state == PTHREAD_CANCEL_DISABLE)
        return futex_sleep(word, until);
    pthread_setcancelstate(state, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    long result = futex_sleep(word, until);
    int error = errno;
    pthread_setcanceltype(type, NULL);
    errno = error;
    return result;
}

bool ap__woken(const ap_op_t *op)
{
    uint32_t word = atomic_load_explicit(&op->wake, memory_order_acquire);
    return word == AP_WOKEN || word == AP_WAKING;
}

/*
 * The first in line watches for a while before it sleeps: a wake-up that reaches another processor takes longer
 * than most short holds. Only one thread of a pool does, and only where it has paid lately; elsewhere it is tried
 * again once in a while.
 */
static void watch(ap_op_t *op)
{
    enum { LOOKS = 64, PAUSES = 16, BEST = 16, AGAIN = -64 };
    atomic_int *watching = &op->pool->watching;
    int score = atomic_load_explicit(watching, memory_order_relaxed);
    if (score < 0) {
        atomic_store_explicit(watching, score == AGAIN ? 1 : score - 1, memory_order_relaxed);
        return;
    }
    for (int i = 0; i < LOOKS && !ap__woken(op); i++)
        ap__relax(PAUSES);
    score = ap__woken(op) ? (score < BEST ? score + 1 : score) : score - 2;
    atomic_store_explicit(watching, score, memory_order_relaxed);
}

bool ap__park(ap_op_t *op, int64_t until_ns)
{
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    uint32_t waits = AP_WAITS;
    int saved = errno;
    if (until_ns > 0 && atomic_load_explicit(&op->async, memory_order_relaxed) & AP_FIRST)
        watch(op);
    if (until_ns > 0)
        atomic_compare_exchange_strong(&op->wake, &waits, AP_SLEEPS);
    while (until_ns > 0 && !ap__woken(op)) {
        if (sleep_on(&op->wake, until_ns == AP_NEVER ? NULL : &until) == 0)
            continue;
        if (errno == ETIMEDOUT)
            break;
        if (errno != EINTR && errno != EAGAIN)
            sched_yield(); /* a sandbox without the system call: poll, but let others run */
    }
    errno = saved;
    return ap__woken(op);
}

void ap__await_waker(ap_op_t *op)
{
    while (atomic_load_explicit(&op->wake, memory_order_acquire) == AP_WAKING)
        ap__futex_wait(&op->wake, AP_WAKING);
}

/* One whose owner is told outside the lock. A thread's op may be gone by then: only its address is used. A
 * coroutine's stays until it is AP_WOKEN. */
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
    if (op->reactor) {
        ap__reactor_push(op->reactor, &op->timer);
        return false;
    }
    if (AP_UNLIKELY(ap__woken(op)))
        return false;
    uint32_t was = atomic_exchange(&op->wake, coroutine ? AP_WAKING : AP_WOKEN);
    return coroutine || was == AP_SLEEPS; /* otherwise it will see the word before it sleeps */
}

static inline bool is_coroutine(const ap_op_t *op)
{
    return atomic_load_explicit(&op->async, memory_order_relaxed) & AP_COROUTINE;
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
 * However many are to be woken, one thread sees it through. Who comes meanwhile takes a step and leaves the rest to that
 * one: it would otherwise be kept for as long as there is somebody to wake, whatever it came for.
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
            if (!op->reactor && pool->flags & POOL_F_HOST_DRIVEN)
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

/*
 * Sleeping, outside Go and outside the lock: a waiter sleeps on a word in its own op. Who wakes it is in change.c.
 */
#include "internal.h"

#include <errno.h>
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
    return word == AP_WOKEN || ap__is_waking(word);
}

/*
 * The first in line spins for a while before it sleeps: a wake-up that reaches another processor takes longer than
 * most short holds. Only one thread of a pool does, and only where it has paid lately, which the score tells;
 * elsewhere it is tried again once in a while.
 */
static void spin(ap_op_t *op)
{
    enum { LOOKS = 64, PAUSES = 16, BEST = 16, AGAIN = -64 };
    atomic_int *spin_score = &op->pool->spin_score;
    int score = atomic_load_explicit(spin_score, memory_order_relaxed);
    if (score < 0) {
        atomic_store_explicit(spin_score, score == AGAIN ? 1 : score - 1, memory_order_relaxed);
        return;
    }
    for (int i = 0; i < LOOKS && !ap__woken(op); i++)
        ap__relax(PAUSES);
    score = ap__woken(op) ? (score < BEST ? score + 1 : score) : score - 2;
    atomic_store_explicit(spin_score, score, memory_order_relaxed);
}

bool ap__park(ap_op_t *op, int64_t until_ns)
{
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    uint32_t waits = AP_WAITS;
    int saved = errno;
    if (until_ns > 0 && atomic_load_explicit(&op->own.async, memory_order_relaxed) & AP_FIRST)
        spin(op);
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
    for (;;) { /* only who finds AP_AWAITED makes a system call when it was told */
        uint32_t word = AP_WAKING;
        if (!atomic_compare_exchange_strong(&op->wake, &word, AP_AWAITED) && word != AP_AWAITED)
            return;
        ap__futex_wait(&op->wake, AP_AWAITED);
    }
}

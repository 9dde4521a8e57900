/*
 * Sleeping and waking, outside Go and outside the lock.
 *
 * A waiter sleeps on a word in its own op. The waker sets the word under the lock, so that the op cannot
 * go away before, and makes the system call after it, with the bare address: by then the op may be gone,
 * and a wake-up on an address where nobody sleeps is harmless.
 */
#include "internal.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t ap__now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * Makes the sleep a cancellation point: syscall() is none of itself. The compiler must not look inside,
 * or it would conclude that nothing here throws and drop the caller's cleanup for a cancelled thread.
 */
static __attribute__((noipa)) long sleep_on(_Atomic uint32_t *word, const struct timespec *until)
{
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, 0, until, NULL,
                          FUTEX_BITSET_MATCH_ANY);
    int error = errno;
    pthread_setcanceltype(type, NULL);
    errno = error;
    return result;
}

bool ap__park(ap_op_t *op, int64_t until_ns)
{
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    int saved = errno;
    bool woken;
    while (!(woken = atomic_load_explicit(&op->wake, memory_order_acquire) != 0)) {
        if (until_ns <= 0)
            break;
        if (sleep_on(&op->wake, until_ns == AP_NEVER ? NULL : &until) != 0 && errno == ETIMEDOUT) {
            woken = atomic_load_explicit(&op->wake, memory_order_acquire) != 0;
            break;
        }
    }
    errno = saved;
    return woken;
}

static void wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Takes the first op off the ready list (List.remove of pool/list.go) and lets it go on. */
static _Atomic uint32_t *pop_ready(ap_list_t *ready)
{
    ap_op_t *op = ready->head;
    ready->head = op->next;
    if (op->next)
        op->next->prev = NULL;
    else
        ready->tail = NULL;
    op->next = NULL;
    op->list = 0;
    atomic_store_explicit(&op->wake, 1, memory_order_release);
    return &op->wake;
}

void ap__unlock_and_wake(ap_pool_t *pool)
{
    /* Usually one; only a close wakes more, and then the rest is woken under the lock. */
    enum { OUTSIDE = 8 };
    _Atomic uint32_t *words[OUTSIDE];
    int n = 0;
    int saved = errno;
    while (AP_UNLIKELY(pool->state.ready.head != NULL)) {
        _Atomic uint32_t *word = pop_ready(&pool->state.ready);
        if (n < OUTSIDE)
            words[n++] = word;
        else
            wake(word);
    }
    ap__unlock(pool);
    for (int i = 0; i < n; i++)
        wake(words[i]);
    errno = saved;
}

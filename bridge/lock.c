/* The slow half of the lock: a thread that finds it taken. */
#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Looks before it sleeps, since the lock is mostly held for less time than a sleep takes; and ever more seldom. Each
 * look takes the cache line from the thread that has it, which costs that one more than all it does under the lock.
 * Left alone, it does many cycles meanwhile.
 */
enum { FIRST = 32, LAST = 2048 };

void ap__futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
    errno = saved;
}

void ap__futex_wait_until(_Atomic uint32_t *word, uint32_t value, int64_t until_ns)
{
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, &until, NULL, FUTEX_BITSET_MATCH_ANY);
    errno = saved;
}

void ap__futex_wake(_Atomic uint32_t *word, int most)
{
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
    errno = saved;
}

void ap__lock_wait(ap_lock_t *lock)
{
    for (int pauses = FIRST; pauses <= LAST; pauses *= 2) {
        ap__relax(pauses);
        uint32_t word = AP_LOCK_FREE;
        if (atomic_compare_exchange_strong_explicit(&lock->word, &word, AP_LOCK_HELD, memory_order_acquire,
                                                    memory_order_relaxed))
            return;
        if (word == AP_LOCK_AWAITED)
            break; /* others have given up looking */
    }
    while (atomic_exchange_explicit(&lock->word, AP_LOCK_AWAITED, memory_order_acquire) != AP_LOCK_FREE)
        ap__futex_wait(&lock->word, AP_LOCK_AWAITED);
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void ap__lock_let_in(const ap_lock_t *lock)
{
    enum { WAKES_WITHIN_NS = 200000, PAUSES = 8 };
    int64_t until = now() + WAKES_WITHIN_NS;
    while (atomic_load_explicit(&lock->word, memory_order_relaxed) == AP_LOCK_FREE && now() < until)
        ap__relax(PAUSES);
}

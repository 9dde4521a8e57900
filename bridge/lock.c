/* The slow half of the lock: a thread that finds it taken. */
#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Looks before it sleeps: the lock is mostly held for less time than a sleep takes. */
enum { LOOKS = 100 };

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void ap__futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
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
    for (int i = 0; i < LOOKS; i++) {
        uint32_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);
        if (word == AP_LOCK_FREE &&
            atomic_compare_exchange_weak_explicit(&lock->word, &word, AP_LOCK_HELD, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        if (word == AP_LOCK_AWAITED)
            break; /* others have given up looking */
        relax();
    }
    while (atomic_exchange_explicit(&lock->word, AP_LOCK_AWAITED, memory_order_acquire) != AP_LOCK_FREE)
        ap__futex_wait(&lock->word, AP_LOCK_AWAITED);
}

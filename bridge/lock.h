/*
 * The pool's lock: a futex word that is taken and given back by one atomic operation each, which is half of
 * what a pthread mutex costs, and the fast path pays for two pairs. No lock of the library is held while a hook
 * runs, so it need not be recursive, and a thread that has it is never cancelled.
 */
#ifndef ASYNCPOOL_LOCK_H
#define ASYNCPOOL_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct ap_lock {
    _Atomic uint32_t word; /* AP_LOCK_X */
} ap_lock_t;

enum { AP_LOCK_FREE, AP_LOCK_HELD, AP_LOCK_AWAITED /* held, and a thread may sleep for it */ };

/* Waits for so many times a few nanoseconds, in a way that leaves the other half of the core to others. */
static inline void ap__relax(int times)
{
    for (int i = 0; i < times; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#endif
    }
}

/* Sleeps while the word has this value; may come back early. No cancellation point. errno stays. */
void ap__futex_wait(_Atomic uint32_t *word, uint32_t value);
/* The same, until a time of the monotonic clock. */
void ap__futex_wait_until(_Atomic uint32_t *word, uint32_t value, int64_t until_ns);
/* Wakes who sleeps on the address, where there may be no memory any more. errno stays. */
void ap__futex_wake(_Atomic uint32_t *word, int most);

void ap__lock_wait(ap_lock_t *lock);

static inline bool ap__lock_try(ap_lock_t *lock)
{
    uint32_t free = AP_LOCK_FREE;
    return __builtin_expect(atomic_compare_exchange_strong_explicit(&lock->word, &free, AP_LOCK_HELD,
                                                                    memory_order_acquire, memory_order_relaxed),
                            1);
}

static inline void ap__lock_take(ap_lock_t *lock)
{
    if (!ap__lock_try(lock))
        ap__lock_wait(lock);
}

/* True: somebody sleeps for it, and must be woken. */
static inline bool ap__lock_drop(ap_lock_t *lock)
{
    uint32_t was = atomic_exchange_explicit(&lock->word, AP_LOCK_FREE, memory_order_release);
    return __builtin_expect(was == AP_LOCK_AWAITED, 0);
}

static inline void ap__lock_give(ap_lock_t *lock)
{
    if (ap__lock_drop(lock))
        ap__futex_wake(&lock->word, 1);
}

/*
 * For who has given the lock back in the middle of much work, woken one that slept for it, and takes it again at once:
 * that one would find it taken each time, however short the steps are. Waits until it is taken, for no longer than a
 * wake-up takes: one whose processor is not free cannot be waited for.
 */
void ap__lock_let_in(const ap_lock_t *lock);

#pragma GCC visibility pop

#endif

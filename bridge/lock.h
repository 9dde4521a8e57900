/*
 * The pool's lock: a word that one locked operation takes and a plain store gives back, where a pthread mutex needs two
 * locked operations and a call each. No lock of the library is held while a hook runs, so it need not be recursive, and
 * a thread that has it is never cancelled.
 *
 * Who finds it taken looks a few times and then sleeps, on another word: its *bed*, which says whether somebody may
 * sleep. An unlock stores that the lock is free, and then looks at the bed. A processor may look before others see the
 * store, so that a sleeper who has come in between still finds the lock taken and is not seen. To keep the order the
 * unlock would need a fence, which is what a locked operation costs, each time. Instead the sleeper pays:
 *
 *     to sleep        says so in the bed; if nobody had said so, membarrier(2); tries once more; sleeps on the bed,
 *                     while it says so; once awake tries again, and begins anew if the lock is taken
 *     to unlock       stores that the lock is free; looks at the bed. If somebody may sleep: takes back in the bed
 *                     that it is so, and wakes one
 *     who has slept   and takes the lock says in the bed that others may still sleep
 *
 * membarrier(2) has every thread of the process pass a fence. After it, an unlock that has not seen the bed has stored
 * for all to see, and the sleeper's next try finds it; any other sees the bed. Where somebody had said so already that
 * one has yet to try, after its membarrier: it takes the lock, and its unlock sees the bed, or it sleeps as well, and
 * then all unlocks do. tests_go/membarrier tries every order of these steps, with the store buffers of x86 and the early
 * looks of arm64.
 *
 * Where the kernel or a filter refuses membarrier(2) when the library is loaded, the beds say from the beginning that
 * the unlock pays: it exchanges the word. Where it is refused at times (by a filter that comes later, or because the
 * process has yet to be registered for it), who would have called it sleeps for a millisecond at most at a time: by
 * then others see what was stored.
 *
 * After the store the lock's memory may be gone: who takes it next may free it. So a bed is none of the lock's: there
 * are some for the whole process, which are never freed. More pools than beds share them. Who is woken for another
 * lock that way says again that it sleeps, or that others may, so that the next unlock in this bed wakes the right one,
 * or one more before it: those who sleep are woken in turn. So a thread may sleep on beside its lock, which is free, for
 * as long as the other one is held. That needs who has a lock to wait for nobody who sleeps in the same bed: locks that
 * are taken one inside another have different ones, and nobody takes a pool's lock who has another pool's. A lock that
 * is all zero has the first bed, which no pool has.
 *
 * In the words of C11: between store and look is no fence, so what membarrier(2) says of all threads has to make up for
 * it, and both sides see to it that the compiler moves nothing across. The look may be early on processors that do so
 * (arm64), but none is across an interrupt, which is what the barrier sends. The rest of the way to sleep and of the waking
 * is sequentially consistent, or a system call.
 *
 * To the thread sanitizer and to helgrind nothing need be told: what is handed over is so by the lock's word, from a
 * store that releases to an operation that acquires. The barrier only sees to it that nobody is left asleep.
 */
#ifndef ASYNCPOOL_LOCK_H
#define ASYNCPOOL_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct ap_lock {
    _Atomic uint32_t word; /* AP_LOCK_X */
    uint32_t bed;          /* how many bytes behind the first one it is; constant */
} ap_lock_t;

enum { AP_LOCK_FREE, AP_LOCK_HELD };

typedef struct ap_bed {
    _Alignas(64) _Atomic uint32_t word; /* AP_BED_X; 0: an unlock has nothing more to do */
} ap_bed_t;

enum { AP_BED_SLEEPS = 1 /* somebody may sleep */, AP_BED_EXCHANGE = 2 /* an unlock pays */ };

extern ap_bed_t ap__beds[];

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

/* One that is free, for a pool. A lock that is all zero is good as well. */
void ap__lock_init(ap_lock_t *lock);
void ap__lock_wait(ap_lock_t *lock);
/* Wakes one who sleeps in the bed. False: nobody did. errno stays. */
bool ap__lock_wake(ap_bed_t *bed);

static inline ap_bed_t *ap__lock_bed(const ap_lock_t *lock) { return (ap_bed_t *)((char *)ap__beds + lock->bed); }

/* With the address sanitizer a thread that has a pool's lock and takes another pool's ends there. */
#ifdef __SANITIZE_ADDRESS__
extern __thread const ap_lock_t *ap__locked;
static inline void ap__lock_taken(const ap_lock_t *lock)
{
    if (lock->bed != 0 && ap__locked)
        __builtin_trap();
    if (lock->bed != 0)
        ap__locked = lock;
}
static inline void ap__lock_given(const ap_lock_t *lock)
{
    if (lock->bed != 0)
        ap__locked = NULL;
}
#else
static inline void ap__lock_taken(const ap_lock_t *lock) { (void)lock; }
static inline void ap__lock_given(const ap_lock_t *lock) { (void)lock; }
#endif

static inline bool ap__lock_try(ap_lock_t *lock)
{
    uint32_t free = AP_LOCK_FREE;
    bool taken = atomic_compare_exchange_strong_explicit(
        &lock->word, &free, AP_LOCK_HELD, memory_order_acquire, memory_order_relaxed);
    if (taken)
        ap__lock_taken(lock);
    return __builtin_expect(taken, 1);
}

static inline void ap__lock_take(ap_lock_t *lock)
{
    if (!ap__lock_try(lock))
        ap__lock_wait(lock);
}

/* Not NULL: somebody may sleep, and ap__lock_wake() is to be called with it. The lock may be gone by then. */
static inline ap_bed_t *ap__lock_drop(ap_lock_t *lock)
{
    ap_bed_t *bed = ap__lock_bed(lock);
    ap__lock_given(lock);
    if (__builtin_expect(atomic_load_explicit(&bed->word, memory_order_relaxed) & AP_BED_EXCHANGE, 0)) {
        atomic_exchange(&lock->word, AP_LOCK_FREE);
        return atomic_load(&bed->word) & AP_BED_SLEEPS ? bed : NULL;
    }
    atomic_store_explicit(&lock->word, AP_LOCK_FREE, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst); /* the compiler keeps the order */
    return __builtin_expect(atomic_load_explicit(&bed->word, memory_order_relaxed) != 0, 0) ? bed : NULL;
}

static inline void ap__lock_give(ap_lock_t *lock)
{
    ap_bed_t *bed = ap__lock_drop(lock);
    if (bed)
        ap__lock_wake(bed);
}

/* For who has the lock: does somebody sleep for it, or for another one with this bed? */
static inline bool ap__lock_is_awaited(const ap_lock_t *lock)
{
    return atomic_load_explicit(&ap__lock_bed(lock)->word, memory_order_relaxed) & AP_BED_SLEEPS;
}

/*
 * For who has given the lock back in the middle of much work, woken one that slept for it, and takes it again at once:
 * that one would find it taken each time, however short the steps are. Waits until it is taken, for no longer than a
 * wake-up takes: one whose processor is not free cannot be waited for.
 */
void ap__lock_let_in(const ap_lock_t *lock);

#pragma GCC visibility pop

#endif

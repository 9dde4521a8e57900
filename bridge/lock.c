/* The slow half of the lock: a thread that finds it taken. */
#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define HAVE_SINGLE_THREADED
#endif

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

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- beds ---- */

enum { BEDS = 256 }; /* the first is of locks that are no pool's */

ap_bed_t ap__beds[BEDS];

#ifdef __SANITIZE_ADDRESS__
__thread const ap_lock_t *ap__locked;
#endif

/* -1: refused. errno stays. */
static long membarrier(int command)
{
    int saved = errno;
    long result = syscall(SYS_membarrier, command, 0, 0);
    errno = saved;
    return result;
}

/* The process has no other thread, as far as is known. */
static bool alone(void)
{
#ifdef HAVE_SINGLE_THREADED
    return __libc_single_threaded;
#else
    return false;
#endif
}

static void *register_process(void *unused)
{
    membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    return unused;
}

/*
 * A process with one thread is registered in no time, so this comes before the Go runtime, which starts others. With
 * threads the kernel takes tens of milliseconds: another thread waits for that, and until then it is as if the barrier
 * were refused. False: it cannot be done.
 */
static bool registers(void)
{
    pthread_t thread;
    if (alone() || pthread_create(&thread, NULL, register_process, NULL) != 0)
        return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
    return pthread_detach(thread) == 0;
}

/* Nobody has used a lock yet. Later it could not be changed: an unlock that is under way pays as it has seen it. */
__attribute__((constructor(101))) static void choose_who_pays(void)
{
    long commands = membarrier(MEMBARRIER_CMD_QUERY);
    if (commands > 0 && commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED && registers())
        return;
    for (int i = 0; i < BEDS; i++)
        atomic_store_explicit(&ap__beds[i].word, AP_BED_EXCHANGE, memory_order_relaxed);
}

void ap__lock_init(ap_lock_t *lock)
{
    static atomic_uint next;
    lock->bed = (1 + atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % (BEDS - 1)) * sizeof(ap_bed_t);
    atomic_store_explicit(&lock->word, AP_LOCK_FREE, memory_order_relaxed);
}

/* ---- sleeping ---- */

static bool try(ap_lock_t *lock)
{
    uint32_t word = AP_LOCK_FREE;
    bool taken = atomic_compare_exchange_strong(&lock->word, &word, AP_LOCK_HELD);
    if (taken)
        ap__lock_taken(lock);
    return taken;
}

static void sleep_in(ap_bed_t *bed, uint32_t word, bool timed)
{
    enum { AT_MOST_NS = 1000000 };
    if (timed)
        ap__futex_wait_until(&bed->word, word, now() + AT_MOST_NS);
    else
        ap__futex_wait(&bed->word, word);
}

static void sleep_for(ap_lock_t *lock)
{
    ap_bed_t *bed = ap__lock_bed(lock);
    for (bool timed = false;;) {
        uint32_t was = atomic_fetch_or(&bed->word, AP_BED_SLEEPS);
        if (was == 0 && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0)
            timed = true;
        if (try(lock))
            return;
        sleep_in(bed, was | AP_BED_SLEEPS, timed);
        if (try(lock)) {
            atomic_fetch_or(&bed->word, AP_BED_SLEEPS);
            return;
        }
    }
}

void ap__lock_wait(ap_lock_t *lock)
{
    const ap_bed_t *bed = ap__lock_bed(lock);
    for (int pauses = FIRST; pauses <= LAST; pauses *= 2) {
        ap__relax(pauses);
        if (ap__lock_try(lock))
            return;
        if (atomic_load_explicit(&bed->word, memory_order_relaxed) & AP_BED_SLEEPS)
            break; /* others have given up looking */
    }
    sleep_for(lock);
}

bool ap__lock_wake(ap_bed_t *bed)
{
    if (!(atomic_fetch_and(&bed->word, ~(uint32_t)AP_BED_SLEEPS) & AP_BED_SLEEPS))
        return false; /* another one has woken */
    ap__futex_wake(&bed->word, 1);
    return true;
}

void ap__lock_let_in(const ap_lock_t *lock)
{
    enum { WAKES_WITHIN_NS = 200000, PAUSES = 8 };
    int64_t until = now() + WAKES_WITHIN_NS;
    while (atomic_load_explicit(&lock->word, memory_order_relaxed) == AP_LOCK_FREE && now() < until)
        ap__relax(PAUSES);
}

/*
 * Guests: observers and strategies, which any thread may take away while others run them.
 *
 * A guest is freed when the pool has let it go and no call of it runs. Whoever takes it away waits for
 * the calls on other threads, so that what the guest uses can be freed afterwards, but not for its own: a
 * guest may take itself away. Its own are those that it is inside of, wherever they began, and those that began on
 * its thread and have not ended: they wait in a coroutine of this thread, or have left by longjmp.
 *
 * So each call that runs has a record, which says whose it is. Records are not on the stack, because a call that
 * leaves by longjmp does not end. The first is a part of the guest, the others come as calls overlap and stay with it.
 */
#include "visit.h"

#include <limits.h>

/* Is there any? Otherwise nobody need look whose calls have moved. */
static _Atomic uint32_t guests;

ap_guest_t *ap__guest_new(void)
{
    ap_guest_t *guest = ap__alloc(AP_WORD, sizeof *guest);
    if (guest) {
        guest->refs = 1;
        guest->spare = &guest->first;
        atomic_fetch_add_explicit(&guests, 1, memory_order_relaxed);
    }
    return guest;
}

static void free_runs(ap_guest_t *guest, ap_run_t *run)
{
    while (run) {
        ap_run_t *next = run->next;
        if (run != &guest->first)
            ap__dealloc(run);
        run = next;
    }
}

void ap__guest_drop(ap_guest_t *guest)
{
    free_runs(guest, guest->spare);
    free_runs(guest, guest->runs);
    ap__dealloc(guest);
    atomic_fetch_sub_explicit(&guests, 1, memory_order_relaxed);
}

typedef struct disposal {
    ap_visit_t visit; /* first */
    pool_event_callback_t *observer;
} disposal;

static bool dispose(ap_visit_t *visit)
{
    pool_event_callback_t *observer = ((disposal *)visit)->observer;
    observer->dispose(observer);
    return true;
}

void ap__guest_free(ap_guest_t *guest)
{
    disposal d = {{.kind = AP_VISIT_OTHER, .make = dispose}, guest->observer};
    ap__guest_drop(guest);
    if (d.observer && d.observer->dispose)
        ap__visit(&d.visit);
}

/* ---- a call ---- */

static ap_run_t *take_run(ap_guest_t *guest)
{
    ap_run_t *run = guest->spare;
    if (run)
        guest->spare = run->next;
    else
        run = ap__alloc(AP_WORD, sizeof *run);
    return run;
}

ap_run_t *ap__guest_enter(ap_guest_t *guest)
{
    guest->refs++;
    guest->running++;
    ap_run_t *run = take_run(guest);
    if (!run) /* without memory it is not known whose it is, but for who is inside of it */
        return NULL;
    atomic_store_explicit(&run->thread, (uintptr_t)ap__self(), memory_order_relaxed);
    run->prev = NULL;
    run->next = guest->runs;
    if (run->next)
        run->next->prev = run;
    guest->runs = run;
    return run;
}

static void give_run(ap_guest_t *guest, ap_run_t *run)
{
    if (run->prev)
        run->prev->next = run->next;
    else
        guest->runs = run->next;
    if (run->next)
        run->next->prev = run->prev;
    run->next = guest->spare;
    guest->spare = run;
}

void ap__guest_end(ap_guest_call_t *call)
{
    ap_pool_t *pool = call->pool;
    ap_guest_t *guest = call->guest;
    if (!guest || ap__forked)
        return;
    ap__lock(pool);
    guest->running--;
    if (call->run)
        give_run(guest, call->run);
    bool last = --guest->refs == 0, awaited = guest->awaited;
    _Atomic uint32_t *ends = &pool->guests;
    atomic_fetch_add(ends, 1);
    ap__unlock(pool);
    if (awaited)
        ap__futex_wake(ends, INT_MAX);
    if (last)
        ap__guest_free(guest);
}

/* ---- whose calls they are ---- */

typedef struct around {
    const ap_guest_t *guest; /* NULL: any */
    uint32_t unrecorded;     /* calls of it that have no record */
} around;

/* A call that this thread is inside of is this thread's, wherever it began. */
static bool take_over(const ap_visit_t *visit, void *arg)
{
    around *a = arg;
    if (visit->kind != AP_VISIT_GUEST || (a->guest && visit->of != a->guest))
        return false;
    if (visit->run)
        atomic_store_explicit(&visit->run->thread, (uintptr_t)ap__self(), memory_order_relaxed);
    else
        a->unrecorded++;
    return false;
}

void ap__guests_moved(void)
{
    around all = {0};
    if (atomic_load_explicit(&guests, memory_order_relaxed) > 0)
        ap__visits_around(take_over, &all);
}

/* This thread's calls of the guest that have a record. Under the lock. */
static uint32_t own_runs(const ap_guest_t *guest)
{
    uint32_t own = 0;
    for (const ap_run_t *run = guest->runs; run; run = run->next)
        own += atomic_load_explicit(&run->thread, memory_order_relaxed) == (uintptr_t)ap__self();
    return own;
}

bool ap__guest_remove(ap_pool_t *pool, ap_guest_t *guest)
{
    around own = {.guest = guest};
    if (guest->running > 0) { /* the stack is looked at without the lock: it is this thread's, and may be high */
        ap__unlock(pool);
        ap__visits_around(take_over, &own);
        ap__lock(pool);
    }
    while (guest->running > own_runs(guest) + own.unrecorded) {
        guest->awaited = true;
        uint32_t seen = atomic_load(&pool->guests);
        ap__unlock(pool);
        ap__futex_wait(&pool->guests, seen);
        ap__lock(pool);
    }
    return --guest->refs == 0;
}

/*
 * Registered callbacks: observers and strategies, which any thread may take away while others run them.
 *
 * A callback is freed when the pool has let it go and no call of it is in flight. Whoever takes it away waits for the
 * calls on other threads, so that what the callback uses can be freed afterwards, but not for its own: a callback may
 * take itself away. Its own are those that it is inside of, wherever they began, and those that began on its thread
 * and have not ended: they wait in a coroutine of this thread, or have left by longjmp.
 *
 * So each call in flight has a record, which says whose it is. Records are not on the stack, because a call that
 * leaves by longjmp does not end. The first is a part of the callback, the others come as calls overlap and stay with
 * it.
 */
#include "visit.h"

#include <limits.h>

/* Is there any? Otherwise nobody need look whose calls have moved. */
static _Atomic uint32_t callbacks;

ap_callback_t *ap__callback_new(void)
{
    ap_callback_t *callback = ap__alloc(AP_WORD, sizeof *callback);
    if (callback) {
        callback->refs = 1;
        callback->spare = &callback->first;
        atomic_fetch_add_explicit(&callbacks, 1, memory_order_relaxed);
    }
    return callback;
}

static void free_runs(ap_callback_t *callback, ap_run_t *run)
{
    while (run) {
        ap_run_t *next = run->next;
        if (run != &callback->first)
            ap__dealloc(run);
        run = next;
    }
}

void ap__callback_drop(ap_callback_t *callback)
{
    free_runs(callback, callback->spare);
    free_runs(callback, callback->runs);
    ap__dealloc(callback);
    atomic_fetch_sub_explicit(&callbacks, 1, memory_order_relaxed);
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

void ap__callback_free(ap_callback_t *callback)
{
    disposal d = {{.kind = AP_VISIT_OTHER, .make = dispose}, callback->observer};
    ap__callback_drop(callback);
    if (d.observer && d.observer->dispose)
        ap__visit(&d.visit);
}

/* ---- a call ---- */

static ap_run_t *take_run(ap_callback_t *callback)
{
    ap_run_t *run = callback->spare;
    if (run)
        callback->spare = run->next;
    else
        run = ap__alloc(AP_WORD, sizeof *run);
    return run;
}

AP_HOT ap_run_t *ap__callback_enter(ap_callback_t *callback)
{
    callback->refs++;
    callback->in_flight++;
    ap_run_t *run = take_run(callback);
    if (!run) /* without memory it is not known whose it is, but for who is inside of it */
        return NULL;
    atomic_store_explicit(&run->thread, (uintptr_t)ap__self(), memory_order_relaxed);
    run->prev = NULL;
    run->next = callback->runs;
    if (run->next)
        run->next->prev = run;
    callback->runs = run;
    return run;
}

static void give_run(ap_callback_t *callback, ap_run_t *run)
{
    if (run->prev)
        run->prev->next = run->next;
    else
        callback->runs = run->next;
    if (run->next)
        run->next->prev = run->prev;
    run->next = callback->spare;
    callback->spare = run;
}

AP_HOT void ap__callback_end(ap_callback_call_t *call)
{
    ap_pool_t *pool = call->pool;
    ap_callback_t *callback = call->callback;
    if (!callback || ap__forked)
        return;
    ap__lock(pool);
    callback->in_flight--;
    if (call->run)
        give_run(callback, call->run);
    bool last = --callback->refs == 0, draining = callback->draining;
    _Atomic uint32_t *ends = &pool->calls_ended;
    atomic_fetch_add(ends, 1);
    ap__unlock(pool);
    if (draining)
        ap__futex_wake(ends, INT_MAX);
    if (last)
        ap__callback_free(callback);
}

/* ---- whose calls they are ---- */

typedef struct around {
    const ap_callback_t *callback; /* NULL: any */
    uint32_t unrecorded;           /* calls of it that have no record */
} around;

/* A call that this thread is inside of is this thread's, wherever it began. */
static bool take_over(const ap_visit_t *visit, void *arg)
{
    around *a = arg;
    if (visit->kind != AP_VISIT_CALLBACK || (a->callback && visit->of != a->callback))
        return false;
    if (visit->run)
        atomic_store_explicit(&visit->run->thread, (uintptr_t)ap__self(), memory_order_relaxed);
    else
        a->unrecorded++;
    return false;
}

void ap__callbacks_moved(void)
{
    around all = {0};
    if (atomic_load_explicit(&callbacks, memory_order_relaxed) > 0)
        ap__visits_around(take_over, &all);
}

/* This thread's calls of the callback that have a record. Under the lock. */
static uint32_t own_runs(const ap_callback_t *callback)
{
    uint32_t own = 0;
    for (const ap_run_t *run = callback->runs; run; run = run->next)
        own += atomic_load_explicit(&run->thread, memory_order_relaxed) == (uintptr_t)ap__self();
    return own;
}

bool ap__callback_remove(ap_pool_t *pool, ap_callback_t *callback)
{
    around own = {.callback = callback};
    if (callback->in_flight > 0) { /* the stack is looked at without the lock: it is this thread's, and may be high */
        ap__unlock(pool);
        ap__visits_around(take_over, &own);
        ap__lock(pool);
    }
    while (callback->in_flight > own_runs(callback) + own.unrecorded) {
        callback->draining = true;
        uint32_t seen = atomic_load(&pool->calls_ended);
        ap__unlock(pool);
        ap__futex_wait(&pool->calls_ended, seen);
        ap__lock(pool);
    }
    return --callback->refs == 0;
}

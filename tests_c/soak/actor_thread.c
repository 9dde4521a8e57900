/*
 * Threads that wait: with short deadlines, long ones and none, by try, by take, by the op protocol; some are
 * cancelled while they wait, or in a hook; all end after some cycles, and others take their places.
 */
#include "actor.h"
#include "invariants.h"

#include <stdlib.h>

static actor *threads;
static unsigned count;

/* From nothing to a few milliseconds. */
static void hold(dice *d)
{
    uint32_t way = dice_below(d, 100);
    if (way < 60)
        return;
    if (way < 80)
        for (uint32_t n = dice_below(d, 8); n > 0; n--)
            sched_yield();
    else
        soak_nap_us(dice_below(d, way < 97 ? 500 : 4000));
}

static int64_t some_timeout(dice *d)
{
    uint32_t way = dice_below(d, 100);
    if (way < 40)
        return 1 + dice_below(d, 5);
    if (way < 70)
        return 10 + dice_below(d, 90);
    return way < 88 ? 60000 : 0; /* who is forgotten will not be there when everybody has to rest */
}

static void leave(void *w) { world_leave(w); }

/*
 * pthread_cancel() may send its signal late, when the thread has disabled cancellation already. glibc 2.36 ends it then
 * in the next call that sleeps, with all that it holds; so it hears the signal before.
 */
static void hear_late_signal(const actor *a)
{
    while (atomic_load(&a->marked))
        sched_yield();
    sched_yield(); /* a system call that does not sleep: the signal comes now */
}

/* The thread may be cancelled in here; it has nothing then but its reference. */
static pool_status_t acquire_cancellable(const actor *a, world *w, void **resource, int64_t timeout_ms)
{
    pool_status_t status;
    int before;
    pthread_cleanup_push(leave, w);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    world_unmark_stack();
    status = pool_acquire(w->pool, resource, timeout_ms);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    pthread_cleanup_pop(0);
    hear_late_signal(a);
    return status;
}

static pool_status_t acquire_by_op(world *w, dice *d, void **resource, int64_t timeout_ms)
{
    pool_op_t op;
    pool_status_t status = pool_op_acquire(w->pool, &op, timeout_ms);
    if (status != POOL_OK)
        soak_fail("%s: pool_op_acquire() answers %s", world_text(w), pool_status_name(status));
    return drive(w, &op, dice_one_in(d, 4), resource);
}

static bool acquire(actor *a, world *w, void **resource)
{
    dice *d = &a->dice;
    uint32_t way = dice_below(d, 100);
    *resource = NULL;
    if (way < 10) {
        *resource = pool_take(w->pool);
        return *resource != NULL;
    }
    if (way < 30) {
        pool_status_t status = pool_try_acquire(w->pool, resource);
        world_outcome(w, status);
        return status == POOL_OK;
    }
    int64_t timeout_ms = some_timeout(d), began_ns = soak_now_ns();
    pool_status_t status;
    actor_does(a, timeout_ms ? "acquires with a deadline from" : "acquires from", w->site->number);
    if (way < 45 && w->site->kind->home != HOME_COROUTINES)
        status = acquire_by_op(w, d, resource, timeout_ms);
    else if (way < 75)
        status = acquire_cancellable(a, w, resource, timeout_ms);
    else
        status = pool_acquire(w->pool, resource, timeout_ms);
    world_waited(w, status, began_ns, timeout_ms);
    return status == POOL_OK;
}

/* While one is held, another is asked for, of the same pool or not. */
static void borrow_another(actor *a)
{
    world *w = site_enter(site_for_threads(&a->dice));
    void *resource;
    if (!w)
        return;
    pool_status_t status;
    if (dice_one_in(&a->dice, 2)) {
        status = pool_try_acquire(w->pool, &resource);
        world_outcome(w, status);
    } else {
        int64_t began_ns = soak_now_ns(), timeout_ms = 1 + dice_below(&a->dice, 3);
        actor_does(a, "acquires another one from", w->site->number);
        status = pool_acquire(w->pool, &resource, timeout_ms);
        world_waited(w, status, began_ns, timeout_ms);
    }
    if (status == POOL_OK) {
        world_lent(w, resource);
        hold(&a->dice);
        world_give(w, resource);
    }
    world_leave(w);
}

static void cycle(actor *a)
{
    world *w = site_enter(site_for_threads(&a->dice));
    void *resource;
    if (!w)
        return;
    if (!acquire(a, w, &resource)) {
        invariants_check(w); /* a place that was lost would be free now, while others wait */
        world_leave(w);
        return;
    }
    world_lent(w, resource);
    actor_does(a, "holds one of", w->site->number);
    hold(&a->dice);
    if (dice_one_in(&a->dice, 12))
        borrow_another(a);
    if (dice_one_in(&a->dice, 16)) {
        errand(w, resource);
        return;
    }
    actor_does(a, "releases to", w->site->number);
    world_give(w, resource);
    if (dice_one_in(&a->dice, 4))
        invariants_check(w);
    world_leave(w);
}

static void *body(void *arg)
{
    actor *a = arg;
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    hooks_may_sleep = true;
    actor_is_here(a);
    pthread_cleanup_push(actor_gone, a);
    for (uint32_t life = 20 + dice_below(&a->dice, 2000); life > 0 && !atomic_load(&a->leaves); life--) {
        actor_does(a, "goes on", -1);
        if (!epoch_runs()) {
            if (!actor_rest(a))
                break;
        } else if (!actor_awake(a)) {
            soak_nap_us(5000 + dice_below(&a->dice, 20000));
        } else {
            cycle(a);
        }
    }
    pthread_cleanup_pop(1);
    return NULL;
}

void threads_start(unsigned n)
{
    count = n;
    threads = calloc(n, sizeof *threads);
    if (!threads)
        soak_fail("out of memory");
    for (unsigned i = 0; i < n; i++) {
        actor_register(&threads[i], "thread", i);
        actor_start(&threads[i], body);
    }
}

void threads_settle(void)
{
    for (unsigned i = 0; i < count; i++) {
        if (!atomic_load(&threads[i].gone))
            continue;
        actor_join(&threads[i]);
        TALLY(replaced_threads);
        actor_start(&threads[i], body);
    }
}

void threads_join(void)
{
    for (unsigned i = 0; i < count; i++)
        actor_join(&threads[i]); /* their memory stays: a failure at the end says who there was */
}

void threads_cancel_one(dice *d)
{
    actor *victim = &threads[dice_below(d, count)];
    if (atomic_load(&victim->gone) || atomic_load(&victim->leaves))
        return;
    atomic_store(&victim->leaves, true);
    atomic_store(&victim->marked, true);
    pthread_cancel(victim->thread);
    atomic_store(&victim->marked, false);
    TALLY(cancelled_threads);
}

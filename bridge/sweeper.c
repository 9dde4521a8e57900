/*
 * The library's own threads: they run the healthcheck passes that are due, of all pools.
 *
 * One of them, the leader, sleeps until the next pass is due. It leaves the lead before it runs the pass, so
 * a hook that hangs holds up its own pool alone. A thread with nothing to do ends after a while; without
 * scheduled pools there are none. These are C threads: no hook runs above a Go frame.
 *
 * A thread can be cancelled while it runs a pass, and at no other time: what waits here, or has the mutex, is not the
 * host's. A cancellation that comes late ends its thread at the beginning of the next pass, before a hook. Nothing
 * waits on a condition, where glibc may end a thread although its cancellation is disabled (see park.c).
 *
 * Lock order: the mutex here, then a pool's lock.
 */
#include "reactor.h"
#include "thread.h"
#include "visit.h"

#include <limits.h>

enum { LINGER_NS = 1000000000 }; /* how long a thread without work stays */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Futex words, which count up: the leader waits for the next pass, the others for the lead, and who closes for the end
 * of a pass. */
static _Atomic uint32_t lead, spare, ended;
static bool has_leader;
static unsigned spares;
static __thread bool own_thread;
static ap_schedule_t schedule; /* of all pools whose passes these threads run */

/* The pool whose pass is due first; NULL: there is none. */
static ap_pool_t *first(void)
{
    ap_due_t *due = ap__schedule_first(&schedule);
    return due ? (ap_pool_t *)((char *)due - offsetof(ap_pool_t, sweep.due)) : NULL;
}

static void schedule_in(ap_pool_t *pool, int64_t in_ns)
{
    ap__schedule_put(&schedule, &pool->sweep.due, ap__now() + in_ns);
}

/* ---- the threads ---- */

static void *run(void *unused);

/* A thread for whoever is to lead. */
static bool spawn(void)
{
    spares++; /* it counts from here on */
    bool ok = ap__thread_start(run);
    if (!ok)
        spares--;
    return ok;
}

/* Waits for the next wake-up, or the time. The mutex is free meanwhile. */
static void wait_until(_Atomic uint32_t *word, int64_t until_ns)
{
    uint32_t seen = atomic_load(word);
    pthread_mutex_unlock(&mutex);
    ap__futex_wait_until(word, seen, until_ns);
    pthread_mutex_lock(&mutex);
}

/* Under the mutex. */
static void wake(_Atomic uint32_t *word, int most)
{
    atomic_fetch_add(word, 1);
    ap__futex_wake(word, most);
}

/* Gives up what kept the pool for its pass; true: the caller is to free it, after the mutex. */
static bool let_go(ap_pool_t *pool)
{
    ap__lock(pool);
    pool->state.ops--;
    bool dead = ap__is_dead(pool);
    ap__unlock(pool);
    return dead;
}

/* A pass on a thread of the library. */
typedef struct passing {
    ap_pool_t *pool;
    bool begun;
    bool unwinding; /* unless it comes to its end */
    ap_thread_t before;
} passing;

/* Ends it, also when the thread is unwound out of a hook. Who waits for its end goes on when the pool has been let go,
 * so that nothing of it is left then. */
static void end_pass(passing *p)
{
    ap_pool_t *pool = p->pool;
    if (AP_UNLIKELY(ap__forked))
        return;
    ap__thread_put_back(&p->before);
    pthread_mutex_lock(&mutex);
    pool->sweep.running = false;
    if (pool->sweep.cancelled)
        ap__schedule_quit(&schedule);
    else
        schedule_in(pool, p->begun && !pool->sweep.again ? pool->sweep.interval_ns : 0);
    pool->sweep.again = false;
    bool dead = let_go(pool);
    wake(&ended, INT_MAX);
    if (has_leader)
        wake(&lead, 1);
    else if (p->unwinding && spares > 0)
        wake(&spare, 1); /* this thread will not lead */
    else if (p->unwinding && first())
        spawn();
    pthread_mutex_unlock(&mutex);
    if (dead)
        ap__free(pool);
}

static bool sweep(ap_visit_t *visit)
{
    ap_error_t error = {.set = false};
    ap_op_t op;
    ap__op_init(&op, (ap_pool_t *)visit->of, AP_KIND_SWEEP, NULL, AP_NEVER);
    op.data = NULL;
    ap__drive(&op, NULL, &error);
    return true;
}

static void pass(ap_pool_t *pool)
{
    passing p __attribute__((cleanup(end_pass), unused)) = {.pool = pool, .unwinding = true};
    ap_visit_t visit = {.kind = AP_VISIT_PASS, .library = true, .of = pool, .make = sweep};
    ap__thread_remember(&p.before);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel(); /* one that came since the last pass is not for this pool's hooks */
    p.begun = true;
    ap__visit(&visit);
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    p.unwinding = false;
}

/* Takes the pool that is due off the schedule, keeps it alive, and leaves the lead to another. */
static ap_pool_t *take_due(void)
{
    ap_pool_t *pool = first();
    ap__schedule_take(&schedule, &pool->sweep.due);
    pool->sweep.running = true;
    pool->sweep.runner = ap__self();
    ap__lock(pool);
    pool->state.ops++;
    ap__unlock(pool);
    if (spares > 0)
        wake(&spare, 1);
    else if (first())
        spawn(); /* if that fails the others wait for the end of this pass */
    return pool;
}

static void *run(void *unused)
{
    (void)unused;
    own_thread = true;
    ap__thread_begin();
    pthread_mutex_lock(&mutex);
    for (;;) { /* a spare */
        if (has_leader || !first()) {
            int64_t until = ap__now() + LINGER_NS;
            wait_until(&spare, until);
            if ((has_leader || !first()) && ap__now() >= until)
                break;
            continue;
        }
        spares--;
        has_leader = true;
        while (first() && first()->sweep.due.at_ns > ap__now())
            wait_until(&lead, first()->sweep.due.at_ns);
        has_leader = false;
        if (first()) {
            ap_pool_t *pool = take_due();
            pthread_mutex_unlock(&mutex);
            pass(pool);
            if (AP_UNLIKELY(ap__forked)) /* this is all that a child of its hook has: it ends */
                return NULL;
            pthread_mutex_lock(&mutex);
        }
        spares++;
    }
    spares--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* ---- passes that run on an event loop; the timer's keeping of the pool is this pass's now ---- */

/* The timer goes to the reactor that serves the pool by now. Under the mutex. */
static void back_to_loop(ap_pool_t *pool)
{
    ap_sweep_t *s = &pool->sweep;
    ap__lock(pool); /* the pool may be attached to another one just now */
    if (s->goes_on) {
        ap__reactor_again(pool->reactor, &s->timer);
    } else {
        s->due.at_ns = ap__now() + s->interval_ns;
        ap__reactor_wait(pool->reactor, &s->timer, s->due.at_ns);
    }
    ap__unlock(pool);
}

static void end_loop_pass(ap_pool_t **passing)
{
    ap_pool_t *pool = *passing;
    if (AP_UNLIKELY(ap__forked))
        return;
    pthread_mutex_lock(&mutex);
    pool->sweep.running = false;
    bool dead = false;
    if (pool->sweep.cancelled)
        dead = let_go(pool);
    else
        back_to_loop(pool);
    wake(&ended, INT_MAX);
    pthread_mutex_unlock(&mutex);
    if (dead)
        ap__free(pool);
}

void ap__sweeper_pass(ap_pool_t *pool, int *most)
{
    pthread_mutex_lock(&mutex);
    pool->sweep.running = true;
    pool->sweep.runner = ap__self();
    pthread_mutex_unlock(&mutex);
    ap_pool_t *passing __attribute__((cleanup(end_loop_pass), unused)) = pool;
    ap__sweep_part(pool, most);
}

/* Has a thread look at the schedule; false: there is none, and none to be had. */
static bool call_leader(void)
{
    if (has_leader)
        wake(&lead, 1);
    else if (spares > 0)
        wake(&spare, 1);
    else
        return spawn();
    return true;
}

/* Under the mutex: the next pass is due at once. */
static void hurry(ap_pool_t *pool)
{
    ap_sweep_t *s = &pool->sweep;
    if (s->cancelled || s->due.at_ns == 0) {
        /* nothing is to be made any more, or not by a pass yet: none has been due */
    } else if (pool->flags & POOL_F_REACTOR) {
        ap__lock(pool); /* the pool may be attached to another one just now */
        if (pool->reactor)
            ap__reactor_push(pool->reactor, &s->timer);
        ap__unlock(pool);
    } else if (s->due.place != 0) {
        ap__schedule_take(&schedule, &s->due);
        schedule_in(pool, 0);
        call_leader(); /* without one the pass is late, as all others are */
    } else {
        s->again = true;
    }
}

/* What is to be kept idle, or to be made by passes alone, is not there yet: the first pass is at once. After that the pool may be gone. */
static void begin_at_once(ap_pool_t *pool)
{
    if (pool->state.min_idle > 0 || pool->flags & POOL_F_LAZY_MIN)
        hurry(pool);
}

static bool start_on_loop(ap_pool_t *pool)
{
    pool_reactor_t *reactor = ap__reactor_of(pool);
    if (!reactor)
        return false;
    ap__lock(pool);
    pool->state.ops++; /* the timer keeps the pool */
    ap__unlock(pool);
    pthread_mutex_lock(&mutex);
    bool closed = pool->sweep.cancelled; /* while it was being created */
    if (!closed) {
        pool->sweep.timer.kind = AP_TIMER_SWEEP;
        back_to_loop(pool);
        begin_at_once(pool);
    }
    pthread_mutex_unlock(&mutex);
    if (closed)
        ap__unpin(&pool);
    ap__reactor_unref(reactor);
    return true;
}

bool ap__sweeper_start(ap_pool_t *pool)
{
    if (pool->flags & POOL_F_REACTOR)
        return start_on_loop(pool);
    pthread_mutex_lock(&mutex);
    if (pool->sweep.cancelled) { /* closed while it was being created */
        pthread_mutex_unlock(&mutex);
        return true;
    }
    bool ok = ap__schedule_join(&schedule);
    if (ok) {
        schedule_in(pool, pool->sweep.interval_ns);
        if (!call_leader()) {
            ap__schedule_take(&schedule, &pool->sweep.due);
            ap__schedule_quit(&schedule);
            ok = false;
        }
    }
    if (ok)
        begin_at_once(pool);
    pthread_mutex_unlock(&mutex);
    return ok;
}

void ap__sweeper_hurry(ap_pool_t *pool)
{
    if (pool->sweep.interval_ns == 0 || ap__forked)
        return;
    pthread_mutex_lock(&mutex);
    hurry(pool);
    pthread_mutex_unlock(&mutex);
}

void ap__sweeper_cancel(ap_pool_t *pool)
{
    if (pool->sweep.interval_ns == 0 || ap__forked)
        return;
    pthread_mutex_lock(&mutex);
    pool->sweep.cancelled = true;
    if (pool->sweep.due.place != 0) {
        ap__schedule_take(&schedule, &pool->sweep.due);
        ap__schedule_quit(&schedule);
    }
    pthread_mutex_unlock(&mutex);
    if (!(pool->flags & POOL_F_REACTOR))
        return;
    ap__lock(pool);
    bool forgotten = pool->reactor && ap__reactor_forget(pool->reactor, &pool->sweep.timer);
    ap__unlock(pool);
    if (forgotten)
        ap__unpin(&pool);
}

/* Who waits for a pass must not be inside of it, wherever it began, nor of any that began on a thread of the library:
 * they could be in each other's way. */
typedef struct within {
    const ap_pool_t *pool;
    bool found;
} within;

static bool is_in_the_way(const ap_visit_t *visit, void *arg)
{
    within *w = arg;
    w->found = visit->kind == AP_VISIT_PASS && (visit->library || visit->of == w->pool);
    return w->found;
}

static bool passes_elsewhere(const ap_pool_t *pool)
{
    return pool->sweep.running && !pthread_equal(pool->sweep.runner, ap__self());
}

void ap__sweeper_wait(ap_pool_t *pool)
{
    if (pool->sweep.interval_ns == 0 || own_thread || ap__forked)
        return;
    within w = {.pool = pool};
    pthread_mutex_lock(&mutex);
    if (passes_elsewhere(pool)) {
        pthread_mutex_unlock(&mutex);
        ap__visits_around(is_in_the_way, &w);
        pthread_mutex_lock(&mutex);
    }
    while (!w.found && passes_elsewhere(pool)) {
        uint32_t seen = atomic_load(&ended);
        pthread_mutex_unlock(&mutex);
        ap__futex_wait(&ended, seen);
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
}

/*
 * Makers: threads of the library that run the factories of pools whose callers wait for it (POOL_F_CREATE_BEHIND), of
 * all pools. There are as many as creations under way, since each may take long; one with nothing to do ends after a
 * while. In a pool with POOL_F_REACTOR the loop makes what is due, in a dispatch, one after the other.
 *
 * How many are due is the core's affair (State.Due), and looked at after each change of a pool in which somebody waits.
 * Here is only counted who was called and has not come: who comes, and finds that nothing is due any more, goes.
 *
 * If no thread can be had, and there is none, the first in line are told so. While there are some, but fewer than are
 * called for, more are tried for with each caller that joins a line, and each time that one takes up work: those that
 * there are may hang.
 *
 * Lock order: a pool's lock is not held with the mutex here.
 */
#include "places.h"
#include "reactor.h"
#include "thread.h"
#include "visit.h"

enum { LINGER_NS = 1000000000 }; /* how long a thread without work stays */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t work;    /* a futex word, which counts up: there is something to do */
static ap_pool_t *first, *last;  /* pools that threads are called for, which nobody has become yet */
static uint32_t calls;           /* so many of these threads */
static unsigned threads, spares; /* that there are, and of them those without work */
static atomic_bool lacking;      /* threads: fewer could be had than are called for */
static bool denying;             /* somebody tells callers that there is no thread */

/* ---- who is called ---- */

/* The loop comes when something is due. If nothing is any more, and it has not come, nobody keeps the pool for it: it may
 * never come. */
static void call_loop(ap_pool_t *pool, uint32_t due)
{
    ap_making_t *m = &pool->making;
    if (due > 0 && !m->called) {
        m->called = 1;
        pool->state.ops++;
        m->timer.kind = AP_TIMER_MAKE;
        ap__reactor_push(pool->reactor, &m->timer);
    } else if (due == 0 && m->called && ap__reactor_forget(pool->reactor, &m->timer)) {
        m->called = 0;
        pool->state.ops--;
    }
}

bool ap__makers_due(ap_pool_t *pool, uint32_t *n)
{
    ap_making_t *m = &pool->making;
    uint32_t due = ap__places_due(&pool->state), more = due > m->called ? due - m->called : 0;
    *n = 0;
    if (pool->flags & POOL_F_REACTOR) {
        call_loop(pool, due);
        return false;
    }
    if (pool->flags & POOL_F_HOST_DRIVEN)
        return false;
    *n = more;
    m->called += more;
    pool->state.ops += more;
    if (AP_LIKELY(!atomic_load_explicit(&lacking, memory_order_relaxed)) || m->tried == pool->state.tickets)
        return more > 0;
    m->tried = pool->state.tickets;
    return true;
}

static void *run(void *unused);

/* One more thread. Under the mutex. */
static bool spawn(void)
{
    threads++; /* it counts from here on */
    spares++;
    bool ok = ap__thread_start(run);
    if (!ok) {
        threads--;
        spares--;
    }
    return ok;
}

static void enqueue(ap_pool_t *pool, uint32_t n)
{
    ap_making_t *m = &pool->making;
    calls += n;
    m->waiting += n;
    if (m->waiting > n)
        return;
    m->next = NULL;
    if (last)
        last->making.next = pool;
    else
        first = pool;
    last = pool;
}

/* Takes one call off the list; NULL: there is none. */
static ap_pool_t *dequeue(void)
{
    ap_pool_t *pool = first;
    if (!pool)
        return NULL;
    calls--;
    first = pool->making.next;
    if (!first)
        last = NULL;
    if (--pool->making.waiting > 0) { /* others are next */
        pool->making.next = NULL;
        if (last)
            last->making.next = pool;
        else
            first = pool;
        last = pool;
    }
    return pool;
}

/* An op that makes one, if that is due. */
static void begin_one(ap_pool_t *pool, uint32_t flags)
{
    ap_error_t error = {.set = false};
    ap_op_t op;
    ap__op_init(&op, pool, AP_KIND_BEHIND, NULL, AP_NEVER);
    op.data = NULL;
    op.flags = flags;
    ap__drive(&op, NULL, &error);
}

/* Nobody comes for a call: the first in line is told that there is no thread. */
static void deny(ap_pool_t *pool)
{
    ap_pool_t *pinned __attribute__((cleanup(ap__unpin), unused)) = pool;
    ap__lock(pool);
    pool->making.called--;
    ap__unlock(pool);
    begin_one(pool, AP_FLAG_NO_REFILL);
}

/* Tries for as many threads as there are calls. Under the mutex. */
static void hire(void)
{
    while (spares < calls && spawn())
        ;
    atomic_store_explicit(&lacking, spares < calls, memory_order_relaxed);
}

static void muster(void);

/* Goes on with the others also where an observer, or a scheduler, unwinds the thread. */
static void end_denying(bool *unwinding)
{
    if (AP_UNLIKELY(ap__forked) || !*unwinding)
        return;
    pthread_mutex_lock(&mutex);
    denying = false;
    muster();
    if (AP_LIKELY(!ap__forked))
        pthread_mutex_unlock(&mutex);
}

/*
 * Has as many threads as there are calls, as far as they are to be had. Under the mutex, which is free now and then: not
 * in a child that is forked meanwhile, where it may be anybody's. Who is denied calls for the next one in line; that
 * call is only noted, and is this one's to deny.
 */
static void muster(void)
{
    ap_pool_t *pool;
    hire();
    atomic_fetch_add(&work, 1);
    ap__futex_wake(&work, (int)calls);
    while (!denying && threads == 0 && (pool = dequeue()) != NULL) {
        denying = true;
        pthread_mutex_unlock(&mutex);
        {
            bool unwinding __attribute__((cleanup(end_denying))) = true;
            deny(pool);
            unwinding = false;
        }
        if (AP_UNLIKELY(ap__forked))
            return;
        pthread_mutex_lock(&mutex);
        denying = false;
        hire();
    }
}

void ap__makers_call(ap_pool_t *pool, uint32_t n)
{
    if (AP_UNLIKELY(ap__forked))
        return;
    pthread_mutex_lock(&mutex);
    if (n > 0)
        enqueue(pool, n);
    muster();
    if (AP_LIKELY(!ap__forked))
        pthread_mutex_unlock(&mutex);
}

/* ---- making ---- */

/* Makes one, if it is due. Called: the caller was, and has come. */
static bool make_one(ap_pool_t *pool, bool called)
{
    ap__lock(pool);
    if (called)
        pool->making.called--;
    bool due = ap__places_due(&pool->state) > 0;
    ap__unlock(pool);
    if (due)
        begin_one(pool, 0);
    return due && !ap__forked;
}

/* A thread makes what is due in a pool. */
typedef struct making {
    ap_pool_t *pool;
    bool called;    /* it has yet to come */
    bool unwinding; /* unless it comes to its end */
    ap_thread_t before;
} making;

/* Ends it, also when the thread is unwound out of a hook, and ends. */
static void end_making(making *m)
{
    if (AP_UNLIKELY(ap__forked))
        return;
    ap__thread_put_back(&m->before);
    if (m->called) {
        ap__lock(m->pool);
        m->pool->making.called--;
        ap__unlock(m->pool);
    }
    if (m->unwinding) {
        pthread_mutex_lock(&mutex);
        threads--;
        muster();
        if (AP_UNLIKELY(ap__forked))
            return;
        pthread_mutex_unlock(&mutex);
    }
    ap__unpin(&m->pool);
}

static void make(ap_pool_t *pool)
{
    making m __attribute__((cleanup(end_making))) = {.pool = pool, .called = true, .unwinding = true};
    ap__thread_remember(&m.before);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel(); /* one that came since the last time is not for this pool's hooks */
    m.called = false;
    for (bool more = make_one(pool, true); more;)
        more = make_one(pool, false);
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    m.unwinding = false;
}

/* Waits for work. The mutex is free meanwhile. */
static void wait_until(int64_t until_ns)
{
    uint32_t seen = atomic_load(&work);
    pthread_mutex_unlock(&mutex);
    ap__futex_wait_until(&work, seen, until_ns);
    pthread_mutex_lock(&mutex);
}

static void *run(void *unused)
{
    (void)unused;
    ap__thread_begin();
    pthread_mutex_lock(&mutex);
    for (int64_t until = ap__now() + LINGER_NS;;) {
        ap_pool_t *pool = dequeue();
        if (!pool) {
            if (ap__now() >= until)
                break;
            wait_until(until);
            continue;
        }
        spares--;
        if (AP_UNLIKELY(atomic_load_explicit(&lacking, memory_order_relaxed)))
            hire();
        pthread_mutex_unlock(&mutex);
        make(pool);
        if (AP_UNLIKELY(ap__forked)) /* this is all that a child of its hook has: it ends */
            return NULL;
        pthread_mutex_lock(&mutex);
        spares++;
        until = ap__now() + LINGER_NS;
    }
    spares--;
    threads--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* ---- on a loop ---- */

/* The loop comes again for what is due, or is done; also when it is unwound out of a hook. */
static void end_looping(ap_pool_t **looping)
{
    ap_pool_t *pool = *looping;
    if (AP_UNLIKELY(ap__forked))
        return;
    ap__lock(pool);
    if (ap__places_due(&pool->state) > 0) {
        ap__reactor_again(pool->reactor, &pool->making.timer);
        ap__unlock(pool);
        return;
    }
    ap__reactor_wait(pool->reactor, &pool->making.timer, AP_NEVER);
    pool->making.called = 0;
    ap__unlock(pool);
    ap__unpin(&pool);
}

void ap__makers_run(ap_pool_t *pool, int *most)
{
    ap_pool_t *looping __attribute__((cleanup(end_looping), unused)) = pool;
    while (*most > 0 && make_one(pool, false))
        --*most;
}

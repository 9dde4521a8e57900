#include "crowd.h"
#include "reactor.h"

/* ap_timer_t.slot of an owner that is in the queue; that a dispatch has taken out and runs; and that is to be
 * run again after that. Who runs it is the only one to do so. */
enum { QUEUED = UINT32_MAX, RUNNING = UINT32_MAX - 1, AGAIN = UINT32_MAX - 2 };

/* A dispatch comes back to the loop after so many hooks and callbacks, with the descriptor still readable; what
 * calls many of them in a row lets others go on after so many. */
enum { BUDGET = 256, SLICE = 32 };

/* The wheel moves on in parts, since that is under the lock: so many timers at once where somebody waits for the
 * lock, and so many parts in a dispatch where nobody does. */
enum { STEPS = 64, PARTS = 64 };

pool_reactor_t *ap__reactor_new(void)
{
    pool_reactor_t *reactor = ap__alloc(AP_WORD, sizeof *reactor);
    if (!reactor)
        return NULL;
    pthread_mutex_init(&reactor->lock, NULL);
    atomic_init(&reactor->refs, 1);
    ap__alarm_init(&reactor->alarm);
    reactor->base_ns = ap__now();
    reactor->magic = ap__magic(AP_REACTOR_MAGIC, reactor);
    return reactor;
}

void ap__reactor_ref(pool_reactor_t *reactor) { atomic_fetch_add(&reactor->refs, 1); }

void ap__reactor_unref(pool_reactor_t *reactor)
{
    if (ap__forked || atomic_fetch_sub(&reactor->refs, 1) != 1)
        return;
    ap__alarm_close(&reactor->alarm);
    pthread_mutex_destroy(&reactor->lock);
    ap__poison(reactor, sizeof *reactor);
    ap__quarantine(reactor);
}

/* ---- the queue and the wheel; under the reactor's lock ---- */

static uint64_t tick_after(const pool_reactor_t *reactor, int64_t ns)
{
    return ns <= reactor->base_ns ? 0 : ((uint64_t)(ns - reactor->base_ns) + 999999) / 1000000;
}

static uint64_t tick_before(const pool_reactor_t *reactor, int64_t ns)
{
    return ns <= reactor->base_ns ? 0 : (uint64_t)(ns - reactor->base_ns) / 1000000;
}

/* The time of a tick; the last ones lie beyond all time that can be told. */
static int64_t time_of(const pool_reactor_t *reactor, uint64_t tick)
{
    return tick < (uint64_t)(AP_NEVER - reactor->base_ns) / 1000000
               ? reactor->base_ns + (int64_t)tick * 1000000
               : AP_NEVER - 1;
}

/* The lock is mostly held for a moment, but once in a while for as long as there is something to do. */
static void lock(pool_reactor_t *reactor)
{
    if (pthread_mutex_trylock(&reactor->lock) == 0)
        return;
    atomic_fetch_add_explicit(&reactor->wanted, 1, memory_order_relaxed);
    pthread_mutex_lock(&reactor->lock);
    atomic_fetch_sub_explicit(&reactor->wanted, 1, memory_order_relaxed);
}

static void unlock(pool_reactor_t *reactor) { pthread_mutex_unlock(&reactor->lock); }

/* The descriptor says what the queue says. */
static void show(pool_reactor_t *reactor) { ap__alarm_ring(&reactor->alarm, reactor->head || reactor->behind); }

/* Sets the alarm to the next deadline; one that comes before all of them stays, unless its time has come. */
static void show_time(pool_reactor_t *reactor, int64_t now_ns)
{
    uint64_t tick;
    int64_t next_ns = ap__wheel_next(&reactor->wheel, &tick) ? time_of(reactor, tick) : AP_NEVER;
    if (next_ns < reactor->alarm.at_ns || reactor->alarm.at_ns <= now_ns)
        ap__alarm_set(&reactor->alarm, next_ns);
}

static void append(pool_reactor_t *reactor, ap_timer_t *timer)
{
    timer->slot = QUEUED;
    timer->next = NULL;
    timer->prev = reactor->tail;
    if (reactor->tail)
        reactor->tail->next = timer;
    else
        reactor->head = timer;
    reactor->tail = timer;
}

static void take_out(pool_reactor_t *reactor, ap_timer_t *timer)
{
    if (timer->prev)
        timer->prev->next = timer->next;
    else
        reactor->head = timer->next;
    if (timer->next)
        timer->next->prev = timer->prev;
    else
        reactor->tail = timer->prev;
    timer->next = timer->prev = NULL;
    timer->slot = RUNNING;
}

void ap__reactor_push(pool_reactor_t *reactor, ap_timer_t *timer)
{
    lock(reactor);
    if (timer->slot == RUNNING) {
        timer->slot = AGAIN;
    } else if (timer->slot < AGAIN) {
        ap__wheel_clear(&reactor->wheel, timer);
        append(reactor, timer);
        show(reactor);
    }
    unlock(reactor);
}

void ap__reactor_again(pool_reactor_t *reactor, ap_timer_t *timer)
{
    lock(reactor);
    append(reactor, timer);
    show(reactor);
    unlock(reactor);
}

void ap__reactor_wait(pool_reactor_t *reactor, ap_timer_t *timer, int64_t due_ns)
{
    lock(reactor);
    if (timer->slot == AGAIN) {
        append(reactor, timer);
        show(reactor);
    } else if (timer->slot != QUEUED && due_ns == AP_NEVER) {
        timer->slot = 0;
    } else if (timer->slot != QUEUED) {
        uint64_t tick = tick_after(reactor, due_ns);
        timer->slot = 0;
        ap__wheel_set(&reactor->wheel, timer, tick);
        due_ns = time_of(reactor, timer->tick);
        if (due_ns < reactor->alarm.at_ns)
            ap__alarm_set(&reactor->alarm, due_ns);
    }
    unlock(reactor);
}

bool ap__reactor_forget(pool_reactor_t *reactor, ap_timer_t *timer)
{
    lock(reactor);
    bool was_there = timer->slot == QUEUED || (timer->slot > 0 && timer->slot < AGAIN);
    if (timer->slot == QUEUED) {
        take_out(reactor, timer);
        timer->slot = 0;
        show(reactor);
    } else if (was_there) {
        ap__wheel_clear(&reactor->wheel, timer);
    }
    unlock(reactor);
    return was_there;
}

pool_reactor_t *ap__reactor_of(ap_pool_t *pool)
{
    ap__lock(pool);
    if (!pool->reactor)
        pool->reactor = ap__reactor_new();
    pool_reactor_t *reactor = pool->reactor;
    if (reactor)
        ap__reactor_ref(reactor);
    ap__unlock(pool);
    return reactor;
}

/* ---- serving it ---- */

static ap_timer_t *pop(pool_reactor_t *reactor)
{
    lock(reactor);
    ap_timer_t *timer = reactor->head;
    if (timer)
        take_out(reactor, timer);
    show(reactor);
    unlock(reactor);
    return timer;
}

static void unref(pool_reactor_t **served) { ap__reactor_unref(*served); }

/* Moves the wheel on. What is due goes into the queue. */
static void expire(pool_reactor_t *reactor)
{
    lock(reactor);
    int64_t now_ns = ap__now();
    uint64_t now = tick_before(reactor, now_ns);
    ap_timer_t *timer;
    unsigned steps = 0;
    for (int part = 0; steps == 0 && part < PARTS; part++) {
        steps = STEPS;
        while ((timer = ap__wheel_expire(&reactor->wheel, now, &steps)) != NULL)
            append(reactor, timer);
        if (atomic_load_explicit(&reactor->wanted, memory_order_relaxed) > 0)
            break;
    }
    uint64_t next;
    reactor->behind = steps == 0 && ap__wheel_next(&reactor->wheel, &next) && next <= now;
    show(reactor);
    if (!reactor->behind) /* otherwise that is enough to make the descriptor readable */
        show_time(reactor, now_ns);
    unlock(reactor);
}

pool_status_t ap__reactor_dispatch(pool_reactor_t *reactor)
{
    pool_reactor_t *served __attribute__((cleanup(unref))) = reactor;
    ap_timer_t *timer;
    ap__crowd_is_loop();
    expire(reactor);
    for (int left = BUDGET; left > 0 && (timer = pop(served)) != NULL;) {
        int most = left < SLICE ? left : SLICE, rest = most;
        if (timer->kind == AP_TIMER_OP)
            ap__async_run(ap__timer_op(timer), &rest);
        else if (timer->kind == AP_TIMER_MAKE)
            ap__makers_run(ap__making_pool(timer), &rest);
        else
            ap__sweeper_pass(ap__timer_pool(timer), &rest);
        AP_REFUSE_FORKED("pool_dispatch");
        left -= rest < most ? most - rest : 1;
    }
    return POOL_OK;
}

int64_t ap__reactor_next_timeout(pool_reactor_t *reactor)
{
    uint64_t tick;
    int64_t timeout = -1, now_ns = ap__now();
    lock(reactor);
    if (reactor->head || reactor->behind) {
        timeout = 0;
    } else if (ap__wheel_next(&reactor->wheel, &tick)) {
        int64_t next_ns = time_of(reactor, tick);
        timeout = next_ns <= now_ns ? 0 : (next_ns - now_ns + 999999) / 1000000;
        if (timeout > INT32_MAX) /* what poll() takes; being early is harmless */
            timeout = INT32_MAX;
    }
    if (timeout != 0) /* an alarm for nothing has been heard */
        show_time(reactor, now_ns);
    unlock(reactor);
    return timeout;
}

int ap__reactor_descriptor(pool_reactor_t *reactor)
{
    lock(reactor);
    if (reactor->alarm.fd < 0 && ap__alarm_open(&reactor->alarm)) {
        show(reactor);
        show_time(reactor, ap__now());
    }
    int fd = reactor->alarm.fd;
    unlock(reactor);
    return fd;
}

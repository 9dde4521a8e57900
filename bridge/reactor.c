#include "reactor.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ap_timer_t.slot of an owner that is in the queue; that a dispatch has taken out and runs; and that is to be
 * run again after that. Who runs it is the only one to do so. */
enum { QUEUED = UINT32_MAX, RUNNING = UINT32_MAX - 1, AGAIN = UINT32_MAX - 2 };

/* Dispatch comes back to the loop after so many, with the descriptor still readable; and takes no more
 * than so many deadlines at once off the wheel, since that is under the lock. */
enum { BUDGET = 256, EXPIRE = 1024 };

pool_reactor_t *ap__reactor_new(void)
{
    pool_reactor_t *reactor = ap__alloc(AP_WORD, sizeof *reactor);
    if (!reactor)
        return NULL;
    pthread_mutex_init(&reactor->lock, NULL);
    atomic_init(&reactor->refs, 1);
    reactor->fd = -1;
    reactor->base_ns = ap__now();
    reactor->guard = ap__guard(AP_REACTOR_GUARD, reactor);
    return reactor;
}

void ap__reactor_ref(pool_reactor_t *reactor) { atomic_fetch_add(&reactor->refs, 1); }

void ap__reactor_unref(pool_reactor_t *reactor)
{
    if (ap__forked || atomic_fetch_sub(&reactor->refs, 1) != 1)
        return;
    if (reactor->fd >= 0)
        syscall(SYS_close, reactor->fd);
    pthread_mutex_destroy(&reactor->lock);
    ap__poison(reactor, sizeof *reactor);
    ap__retire(reactor);
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

/* The descriptor says what the queue says. System calls by number: read() and write() are cancellation
 * points, and this is under a lock. */
static void show(pool_reactor_t *reactor)
{
    bool readable = reactor->head || reactor->nudged;
    if (reactor->fd < 0 || readable == reactor->readable)
        return;
    int saved = errno;
    uint64_t count = 1;
    while (syscall(readable ? SYS_write : SYS_read, reactor->fd, &count, sizeof count) < 0 &&
           errno == EINTR)
        ;
    reactor->readable = readable;
    errno = saved;
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
    pthread_mutex_lock(&reactor->lock);
    if (timer->slot == RUNNING) {
        timer->slot = AGAIN;
    } else if (timer->slot < AGAIN) {
        ap__wheel_clear(&reactor->wheel, timer);
        append(reactor, timer);
        show(reactor);
    }
    pthread_mutex_unlock(&reactor->lock);
}

void ap__reactor_wait(pool_reactor_t *reactor, ap_timer_t *timer, int64_t due_ns)
{
    pthread_mutex_lock(&reactor->lock);
    if (timer->slot == AGAIN) {
        append(reactor, timer);
        show(reactor);
    } else if (timer->slot != QUEUED && due_ns == AP_NEVER) {
        timer->slot = 0;
    } else if (timer->slot != QUEUED) {
        uint64_t tick = tick_after(reactor, due_ns);
        timer->slot = 0;
        ap__wheel_set(&reactor->wheel, timer, tick);
        if (tick < reactor->told && !pthread_equal(reactor->loop, pthread_self())) {
            reactor->nudged = true;
            show(reactor);
        }
    }
    pthread_mutex_unlock(&reactor->lock);
}

bool ap__reactor_forget(pool_reactor_t *reactor, ap_timer_t *timer)
{
    pthread_mutex_lock(&reactor->lock);
    bool was_there = timer->slot == QUEUED || (timer->slot > 0 && timer->slot < AGAIN);
    if (timer->slot == QUEUED) {
        take_out(reactor, timer);
        timer->slot = 0;
        show(reactor);
    } else if (was_there) {
        ap__wheel_clear(&reactor->wheel, timer);
    }
    pthread_mutex_unlock(&reactor->lock);
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
    pthread_mutex_lock(&reactor->lock);
    ap_timer_t *timer = reactor->head;
    if (timer)
        take_out(reactor, timer);
    show(reactor);
    pthread_mutex_unlock(&reactor->lock);
    return timer;
}

static void unref(pool_reactor_t **served) { ap__reactor_unref(*served); }

/* Takes the caller's reference over, also when a hook or callback is unwound. */
static pool_status_t dispatch(pool_reactor_t *reactor)
{
    pool_reactor_t *served __attribute__((cleanup(unref))) = reactor;
    ap_timer_t *timer;
    pthread_mutex_lock(&reactor->lock);
    uint64_t now = tick_before(reactor, ap__now());
    for (int n = 0; n < EXPIRE && (timer = ap__wheel_expire(&reactor->wheel, now)) != NULL; n++)
        append(reactor, timer);
    reactor->nudged = false;
    reactor->told = 0;
    show(reactor);
    pthread_mutex_unlock(&reactor->lock);
    for (int n = 0; n < BUDGET && (timer = pop(served)) != NULL; n++) {
        if (timer->kind == AP_TIMER_OP)
            ap__async_run(ap__timer_op(timer));
        else
            ap__sweeper_pass(ap__timer_pool(timer));
        AP_REFUSE_FORKED("pool_dispatch");
    }
    return POOL_OK;
}

static int64_t next_timeout(pool_reactor_t *reactor)
{
    uint64_t tick = UINT64_MAX;
    int64_t timeout = -1;
    pthread_mutex_lock(&reactor->lock);
    if (reactor->head) {
        timeout = 0;
        tick = 0;
    } else if (ap__wheel_next(&reactor->wheel, &tick)) {
        int64_t wait = reactor->base_ns + (int64_t)tick * 1000000 - ap__now();
        timeout = wait <= 0 ? 0 : (wait + 999999) / 1000000;
        if (timeout > INT32_MAX) /* what poll() takes; being early is harmless */
            timeout = INT32_MAX;
    }
    reactor->loop = pthread_self();
    reactor->told = tick;
    pthread_mutex_unlock(&reactor->lock);
    return timeout;
}

static int descriptor(pool_reactor_t *reactor)
{
    pthread_mutex_lock(&reactor->lock);
    if (reactor->fd < 0) {
        reactor->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        reactor->readable = false;
        show(reactor);
    }
    int fd = reactor->fd;
    pthread_mutex_unlock(&reactor->lock);
    return fd;
}

/* ---- public ---- */

static pool_reactor_t *valid(pool_reactor_t *reactor, const char *function)
{
    if (AP_UNLIKELY(ap__forked))
        ap__fail(POOL_ERR_FORKED, NULL, function);
    else if (ap__reactor(reactor))
        return reactor;
    else
        ap__fail(POOL_ERR_INVALID, function, "reactor is NULL or no reactor");
    return NULL;
}

/* The reactor that serves a pool, with a reference, since the pool may go while it is served. */
static pool_reactor_t *serving(pool_t *pool, const char *function)
{
    ap_pool_t *p = ap__forked ? NULL : ap__pool(pool);
    pool_reactor_t *reactor = p ? ap__reactor_of(p) : NULL;
    if (reactor)
        return reactor;
    if (AP_UNLIKELY(ap__forked))
        ap__fail(POOL_ERR_FORKED, NULL, function);
    else if (!p)
        ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    else
        ap__fail(POOL_ERR_NOMEM, function, pool_strerror(POOL_ERR_NOMEM));
    return NULL;
}

pool_reactor_t *pool_reactor_create(void)
{
    pool_reactor_t *reactor = ap__forked ? NULL : ap__reactor_new();
    if (!reactor)
        ap__fail(ap__forked ? POOL_ERR_FORKED : POOL_ERR_NOMEM, NULL, "pool_reactor_create");
    return reactor;
}

void pool_reactor_unref(pool_reactor_t *reactor)
{
    if (ap__reactor(reactor))
        ap__reactor_unref(reactor);
}

pool_status_t pool_reactor_attach(pool_reactor_t *reactor, pool_t *pool)
{
    const char *function = "pool_reactor_attach";
    if (!valid(reactor, function))
        return ap__forked ? POOL_ERR_FORKED : POOL_ERR_INVALID;
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    ap__reactor_ref(reactor);
    ap__lock(p);
    pool_reactor_t *old = p->reactor;
    p->reactor = reactor;
    if (old && ap__reactor_forget(old, &p->schedule.timer))
        ap__reactor_wait(reactor, &p->schedule.timer, p->schedule.due_ns);
    ap__unlock(p);
    if (old)
        ap__reactor_unref(old);
    return POOL_OK;
}

int pool_reactor_fd(pool_reactor_t *reactor)
{
    return valid(reactor, "pool_reactor_fd") ? descriptor(reactor) : -1;
}

int64_t pool_reactor_next_timeout(pool_reactor_t *reactor)
{
    return valid(reactor, "pool_reactor_next_timeout") ? next_timeout(reactor) : -1;
}

pool_status_t pool_reactor_dispatch(pool_reactor_t *reactor)
{
    if (!valid(reactor, "pool_reactor_dispatch"))
        return ap__forked ? POOL_ERR_FORKED : POOL_ERR_INVALID;
    ap__reactor_ref(reactor);
    return dispatch(reactor);
}

int pool_fd(pool_t *pool)
{
    pool_reactor_t *reactor = serving(pool, "pool_fd");
    if (!reactor)
        return -1;
    int fd = descriptor(reactor);
    ap__reactor_unref(reactor);
    return fd;
}

int64_t pool_next_timeout(pool_t *pool)
{
    pool_reactor_t *reactor = serving(pool, "pool_next_timeout");
    if (!reactor)
        return -1;
    int64_t timeout = next_timeout(reactor);
    ap__reactor_unref(reactor);
    return timeout;
}

pool_status_t pool_dispatch(pool_t *pool)
{
    pool_reactor_t *reactor = serving(pool, "pool_dispatch");
    if (!reactor)
        return pool_last_error(NULL, NULL, 0);
    return dispatch(reactor);
}

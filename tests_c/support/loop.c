#include "loop.h"

#include <errno.h>
#include <poll.h>

static _Thread_local int work, beginning;
static atomic_int order;
static pool_t *hooks_of; /* never used but for its table: the hooks of fixture.c */

/* ---- hooks ---- */

static void at_work(const char *what)
{
    if (beginning)
        check_fail(__FILE__, __LINE__, "%s inside the call that begins an async op", what);
    work++;
}

static bool factory(pool_t *pool, void **resource)
{
    at_work("factory");
    return hooks_of->factory.internal(pool, resource);
}

static void destructor(pool_t *pool, void *resource)
{
    at_work("destructor");
    hooks_of->destructor.internal(pool, resource);
}

static bool healthcheck(pool_t *pool, void *resource)
{
    at_work("healthcheck");
    return hooks_of->healthcheck.internal(pool, resource);
}

static bool before_acquire(pool_t *pool, void *resource)
{
    at_work("before_acquire");
    return hooks_of->before_acquire.internal(pool, resource);
}

static bool before_release(pool_t *pool, void *resource)
{
    at_work("before_release");
    return hooks_of->before_release.internal(pool, resource);
}

int loop_work(void) { return work; }

pool_config_t loop_config(unsigned hooks, uint32_t min, uint32_t max)
{
    static pool_t table;
    if (!hooks_of) {
        pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
        table.factory = pool->factory;
        table.destructor = pool->destructor;
        table.healthcheck = pool->healthcheck;
        table.before_acquire = pool->before_acquire;
        table.before_release = pool->before_release;
        pool_unref(pool);
        hooks_of = &table;
    }
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = factory;
    config.destructor = destructor;
    config.healthcheck = hooks & FX_WITH_HEALTHCHECK ? healthcheck : NULL;
    config.before_acquire = hooks & FX_WITH_ACQUIRE ? before_acquire : NULL;
    config.before_release = hooks & FX_WITH_RELEASE ? before_release : NULL;
    config.min_size = min;
    config.max_size = max;
    return config;
}

pool_t *loop_pool_of(const pool_config_t *config)
{
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(config, &pool), POOL_OK);
    return pool;
}

pool_t *loop_pool(unsigned hooks, uint32_t min, uint32_t max)
{
    pool_config_t config = loop_config(hooks, min, max);
    return loop_pool_of(&config);
}

/* ---- ops ---- */

static void callback(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    told *t = data;
    at_work("callback");
    CHECK_PTR(op, &t->op);
    CHECK_PTR(op->data, data);
    CHECK_INT(t->times, 0);
    t->status = status;
    t->got = resource;
    t->error = pool_last_error(&t->code, t->text, sizeof t->text);
    t->thread = pthread_self();
    t->order = atomic_fetch_add(&order, 1) + 1;
    if (status != POOL_OK)
        CHECK_PTR(resource, NULL);
    else if (atomic_exchange(&t->got->owned, 1))
        check_fail(__FILE__, __LINE__, "resource %d is lent twice", t->got->id);
    void (*then)(told *) = t->then;
    atomic_fetch_add(&t->times, 1);
    if (then)
        then(t);
}

pool_status_t loop_begin(pool_reactor_t *reactor, pool_t *pool, told *t, int64_t timeout_ms)
{
    t->pool = pool;
    beginning++;
    pool_status_t status = reactor ? pool_reactor_acquire(reactor, pool, &t->op, timeout_ms, callback, t)
                                   : pool_acquire_async(pool, &t->op, timeout_ms, callback, t);
    beginning--;
    return status;
}

void loop_acquire(pool_t *pool, told *t, int64_t timeout_ms)
{
    CHECK_STATUS(loop_begin(NULL, pool, t, timeout_ms), POOL_PENDING);
}

void loop_acquire_on(pool_reactor_t *reactor, pool_t *pool, told *t, int64_t timeout_ms)
{
    CHECK_STATUS(loop_begin(reactor, pool, t, timeout_ms), POOL_PENDING);
}

void loop_check_told(const char *file, int line, told *t, pool_status_t wanted)
{
    check_int(file, line, "times told", t->times, 1);
    check_status(file, line, "the outcome told", t->status, wanted);
    if ((wanted == POOL_OK) != (t->got != NULL))
        check_fail(file, line, "%s with resource %p", pool_status_name(wanted), (void *)t->got);
    if (wanted != POOL_OK)
        check_status(file, line, "pool_last_error() in the callback", t->error, wanted);
}

void loop_give(told *t) { fx_give(t->pool, t->got); }

/* ---- turns ---- */

bool loop_poll(int fd, int64_t timeout_ms)
{
    struct pollfd p = {fd, POLLIN, 0};
    int n;
    CHECK(fd >= 0);
    do
        n = poll(&p, 1, timeout_ms > 1000000 ? 1000000 : (int)timeout_ms);
    while (n < 0 && errno == EINTR);
    CHECK(n >= 0 && !(p.revents & ~POLLIN));
    return n == 1;
}

bool loop_readable(int fd) { return loop_poll(fd, 0); }

static int fd_of(pool_reactor_t *reactor, pool_t *pool) { return reactor ? pool_reactor_fd(reactor) : pool_fd(pool); }

static int64_t timeout_of(pool_reactor_t *reactor, pool_t *pool)
{
    return reactor ? pool_reactor_next_timeout(reactor) : pool_next_timeout(pool);
}

static void dispatch(pool_reactor_t *reactor, pool_t *pool)
{
    CHECK_STATUS(reactor ? pool_reactor_dispatch(reactor) : pool_dispatch(pool), POOL_OK);
}

static int turn(pool_reactor_t *reactor, pool_t *pool)
{
    int64_t start = check_now_ns(), timeout = timeout_of(reactor, pool);
    bool readable = loop_readable(fd_of(reactor, pool));
    int before = work;
    dispatch(reactor, pool);
    int done = work - before;
    if (readable)
        CHECK(done > 0);
    else if (done > 0) /* then only time can be the reason; one millisecond early is late enough */
        CHECK(timeout >= 0 && check_now_ns() - start >= (timeout - 1) * 1000000);
    return done;
}

static int drain(pool_reactor_t *reactor, pool_t *pool)
{
    int done = 0;
    while (loop_readable(fd_of(reactor, pool)))
        done += turn(reactor, pool);
    return done;
}

static void until_told(pool_reactor_t *reactor, pool_t *pool, told *t)
{
    while (!atomic_load(&t->times)) {
        loop_poll(fd_of(reactor, pool), timeout_of(reactor, pool));
        dispatch(reactor, pool);
    }
}

int loop_turn(pool_t *pool) { return turn(NULL, pool); }
int loop_turn_of(pool_reactor_t *reactor) { return turn(reactor, NULL); }
int loop_drain(pool_t *pool) { return drain(NULL, pool); }
int loop_drain_of(pool_reactor_t *reactor) { return drain(reactor, NULL); }
void loop_until_told(pool_t *pool, told *t) { until_told(NULL, pool, t); }
void loop_until_told_of(pool_reactor_t *reactor, told *t) { until_told(reactor, NULL, t); }

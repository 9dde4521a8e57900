#include "fixture.h"

fx_state fx;

static const char *const names[FX_HOOKS] = {"factory", "destructor", "healthcheck", "before_acquire", "before_release"};
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static char log_text[1 << 16];
static size_t log_size;
static atomic_int next_id, finish_order;

static void log_call(fx_hook hook, int id)
{
    if (fx.quiet)
        return;
    pthread_mutex_lock(&log_mutex);
    int n = snprintf(log_text + log_size, sizeof log_text - log_size, "%s%s(%d)", log_size ? " " : "", names[hook], id);
    if (n > 0 && log_size + (size_t)n < sizeof log_text)
        log_size += (size_t)n;
    pthread_mutex_unlock(&log_mutex);
}

static bool run_script(fx_hook hook, pool_t *pool, fx_resource *r)
{
    int call = atomic_fetch_add(&fx.calls[hook], 1) + 1;
    log_call(hook, r ? r->id : call);
    if (r && atomic_load(&r->destroyed) && hook != FX_DESTRUCTOR)
        check_fail(__FILE__, __LINE__, "%s on resource %d, which was destroyed", names[hook], r->id);
    return fx.script[hook] ? fx.script[hook](pool, r, call) : true;
}

bool fx_refuse(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    return false;
}

bool fx_refuse_first(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call != 1;
}

static bool factory(pool_t *pool, void **resource)
{
    if (!run_script(FX_FACTORY, pool, NULL))
        return false;
    fx_resource *r = calloc(1, sizeof *r);
    r->id = atomic_fetch_add(&next_id, 1) + 1;
    atomic_fetch_add(&fx.created, 1);
    int live = fx_live(), peak = atomic_load(&fx.peak);
    while (live > peak && !atomic_compare_exchange_weak(&fx.peak, &peak, live))
        ;
    *resource = r;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    fx_resource *r = resource;
    if (atomic_fetch_add(&r->destroyed, 1))
        check_fail(__FILE__, __LINE__, "resource %d destroyed twice", r->id);
    run_script(FX_DESTRUCTOR, pool, r);
    atomic_fetch_add(&fx.destroyed, 1);
    free(r);
}

static bool healthcheck(pool_t *pool, void *r) { return run_script(FX_HEALTHCHECK, pool, r); }
static bool before_acquire(pool_t *pool, void *r) { return run_script(FX_BEFORE_ACQUIRE, pool, r); }
static bool before_release(pool_t *pool, void *r) { return run_script(FX_BEFORE_RELEASE, pool, r); }

pool_t *fx_try_pool(unsigned hooks, uint32_t min, uint32_t max)
{
    return pool_create_internal(
        factory, destructor, hooks & FX_WITH_HEALTHCHECK ? healthcheck : NULL,
        hooks & FX_WITH_ACQUIRE ? before_acquire : NULL, hooks & FX_WITH_RELEASE ? before_release : NULL, min, max, 0);
}

pool_t *fx_pool(unsigned hooks, uint32_t min, uint32_t max)
{
    pool_t *pool = fx_try_pool(hooks, min, max);
    if (!pool) {
        char text[256];
        pool_last_error(NULL, text, sizeof text);
        check_fail(__FILE__, __LINE__, "cannot create the pool: %s", text);
    }
    return pool;
}

static fx_resource *lent(void *resource, pool_status_t got, pool_status_t *status)
{
    if (status)
        *status = got;
    if (got != POOL_OK) {
        CHECK_PTR(resource, NULL);
        return NULL;
    }
    fx_resource *r = resource;
    if (atomic_exchange(&r->owned, 1))
        check_fail(__FILE__, __LINE__, "resource %d is lent twice", r->id);
    return r;
}

fx_resource *fx_acquire(pool_t *pool, int64_t timeout_ms, pool_status_t *status)
{
    void *resource = &fx; /* must become NULL on failure */
    pool_status_t got = pool_acquire(pool, &resource, timeout_ms);
    return lent(resource, got, status);
}

fx_resource *fx_try(pool_t *pool, pool_status_t *status)
{
    void *resource = &fx;
    pool_status_t got = pool_try_acquire(pool, &resource);
    return lent(resource, got, status);
}

fx_resource *fx_take(pool_t *pool)
{
    pool_status_t status;
    fx_resource *r = fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_OK);
    return r;
}

void fx_give(pool_t *pool, fx_resource *r)
{
    atomic_store(&r->owned, 0);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
}

int fx_calls(void)
{
    int n = 0;
    for (int i = 0; i < FX_HOOKS; i++)
        n += atomic_load(&fx.calls[i]);
    return n;
}

int fx_live(void) { return atomic_load(&fx.created) - atomic_load(&fx.destroyed); }

const char *fx_log(void)
{
    static char copy[sizeof log_text];
    pthread_mutex_lock(&log_mutex);
    memcpy(copy, log_text, log_size);
    copy[log_size] = 0;
    pthread_mutex_unlock(&log_mutex);
    return copy;
}

void fx_log_clear(void)
{
    pthread_mutex_lock(&log_mutex);
    log_size = 0;
    pthread_mutex_unlock(&log_mutex);
}

void fx_said(const char *file, int line, pool_status_t status, const char *words)
{
    char message[256];
    check_status(file, line, "the last error", pool_last_error(NULL, message, sizeof message), status);
    if (!strstr(message, words))
        check_fail(file, line, "\"%s\" does not say \"%s\"", message, words);
}

void fx_finish(pool_t *pool)
{
    pool_unref(pool);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

static void *call(void *arg)
{
    fx_caller *caller = arg;
    caller->got = fx_acquire(caller->pool, caller->timeout_ms, &caller->status);
    caller->order = atomic_fetch_add(&finish_order, 1) + 1;
    atomic_store(&caller->done, 1);
    return NULL;
}

void fx_start(fx_caller *caller, pool_t *pool, int64_t timeout_ms)
{
    memset(caller, 0, sizeof *caller);
    caller->pool = pool;
    caller->timeout_ms = timeout_ms;
    caller->thread = check_thread(call, caller);
}

void fx_start_waiting(fx_caller *caller, pool_t *pool, int64_t timeout_ms)
{
    uint32_t before = pool_waiting_count(pool);
    fx_start(caller, pool, timeout_ms);
    WAIT_FOR(pool_waiting_count(pool) == before + 1);
}

void fx_join(fx_caller *caller) { check_join(caller->thread); }

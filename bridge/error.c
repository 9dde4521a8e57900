/* The errors of this thread: what a hook says, and why the last failed call failed. */
#include "visit.h"

#include <stdio.h>
#include <string.h>

/* Set when a hook comes back that has said something, and taken by its driver at once. A hook whose stack cannot be
 * walked (see visit.c) says it here; the pool tells apart such hooks that overlap on one thread. */
static __thread struct {
    const ap_pool_t *pool;
    ap_error_t error;
} pending;

static __thread struct {
    pool_status_t status;
    int code;
    char message[sizeof((ap_error_t *)0)->message];
} last;

/* What the last factory has said, for an op that ends for that in this moment. */
static __thread ap_error_t of_factory;

static void copy_text(char *to, size_t size, const char *from)
{
    size_t n = strnlen(from, size - 1);
    memcpy(to, from, n);
    to[n] = 0;
}

pool_status_t pool_set_error(pool_t *pool, int code, const char *message)
{
    AP_REFUSE_FORKED("pool_set_error");
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, "pool_set_error", "pool is NULL or no pool");
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__fail(POOL_ERR_INVALID, "pool_set_error",
                        "the pool is host-driven and has no hooks: its host keeps the errors of what it has called");
    const ap_visit_t *hook = ap__hook_around(p);
    ap_error_t *error = hook ? hook->error : &pending.error;
    if (!hook)
        pending.pool = p;
    if (!error->set)
        error->later_ns = 0;
    error->set = true;
    error->code = code;
    copy_text(error->message, sizeof error->message, message ? message : "");
    return POOL_OK;
}

pool_status_t pool_try_later(pool_t *pool, uint32_t ms)
{
    const char *function = "pool_try_later";
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    const ap_visit_t *hook = p->flags & POOL_F_HOST_DRIVEN ? NULL : ap__hook_around(p);
    if (!hook || !hook->factory)
        return ap__fail(POOL_ERR_INVALID, function,
                        "this is not inside the pool's factory; the host of a host-driven one answers later_ns");
    ap_error_t *error = hook->error;
    if (!error->set) {
        error->set = true;
        error->code = POOL_ERR_FACTORY;
        copy_text(error->message, sizeof error->message, "put off by the factory");
    }
    error->later_ns = ms ? (int64_t)ms * 1000000 : 1;
    return POOL_OK;
}

void ap__error_of_factory(const ap_error_t *error)
{
    if (error)
        of_factory = *error;
    else
        of_factory.set = false;
}

AP_HOT void ap__error_clear(void) { pending.error.set = false; }

void ap__error_said(const ap_pool_t *pool, const ap_error_t *error)
{
    pending.pool = pool;
    pending.error = *error;
}

AP_HOT void ap__error_take(ap_pool_t *pool, bool failed, ap_error_t *into)
{
    bool own = pending.error.set && pending.pool == pool;
    if (failed && own)
        *into = pending.error;
    else if (failed) /* a hook that fails in silence is not explained by the one before */
        into->set = false;
    if (own)
        pending.error.set = false;
}

pool_status_t ap__fail(pool_status_t status, const char *function, const char *why)
{
    last.status = status;
    last.code = status;
    if (!function)
        snprintf(last.message, sizeof last.message, "%s: %s", why, pool_strerror(status));
    else
        snprintf(last.message, sizeof last.message, "%s: %s", function, why);
    return status;
}

void ap__fail_handle(const char *function, const char *why)
{
    if (ap__forked)
        ap__fail(POOL_ERR_FORKED, NULL, function);
    else
        ap__fail(POOL_ERR_INVALID, function, why);
}

pool_status_t ap__fail_op(pool_status_t status, const char *name, const ap_error_t *hook)
{
    last.status = status;
    last.code = status;
    if (status == POOL_ERR_FACTORY && !(hook && hook->set))
        hook = &of_factory;
    if (hook && hook->set) {
        last.code = hook->code;
        copy_text(last.message, sizeof last.message, hook->message);
    } else if (name[0]) {
        snprintf(last.message, sizeof last.message, "%s: %s", name, pool_strerror(status));
    } else {
        copy_text(last.message, sizeof last.message, pool_strerror(status));
    }
    return status;
}

void ap__remark(const char *function, const char *remark)
{
    last.status = POOL_OK;
    last.code = POOL_OK;
    last.message[0] = 0;
    if (remark)
        snprintf(last.message, sizeof last.message, "%s: %s", function, remark);
}

pool_status_t pool_last_error(int *code, char *message, size_t size)
{
    if (code)
        *code = last.code;
    if (message && size > 0)
        copy_text(message, size, last.status == POOL_OK && !last.message[0] ? pool_strerror(POOL_OK) : last.message);
    return last.status;
}

/* Calling a handler: a C function where the flag bit says so, a callable otherwise, or nothing. */
#include "visit.h"

/* What a hook is called with. Its error is kept here while it runs: others may run meanwhile on this thread, and it
 * may come back on another. */
typedef struct hook {
    ap_visit_t visit; /* first */
    pool_t *pool;
    void *resource;
    void **made;
    ap_error_t error;
} hook;

/* Not handler_flags: its strategy bit changes while hooks run. */
static uint8_t functions(const pool_t *pool) { return ((const ap_pool_t *)pool)->functions; }

static bool call(bool (*make)(ap_visit_t *visit), pool_t *pool, void *resource, void **made)
{
    hook h;
    h.visit = (ap_visit_t){.kind = AP_VISIT_HOOK, .of = pool, .make = make, .error = &h.error};
    h.pool = pool;
    h.resource = resource;
    h.made = made;
    h.error.set = false;
    bool ok = ap__visit(&h.visit);
    if (AP_UNLIKELY(h.error.set))
        ap__error_said((ap_pool_t *)pool, &h.error);
    return ok;
}

static bool factory(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    pool_t *pool = h->pool;
    if (functions(pool) & POOL_F_FACTORY_INTERNAL)
        return pool->factory.internal(pool, h->made);
    return pool->factory.fcall->invoke(pool->factory.fcall, pool, h->made);
}

bool ap__call_factory(pool_t *pool, void **resource)
{
    if (!(functions(pool) & POOL_F_FACTORY_INTERNAL) && !pool->factory.fcall)
        return false;
    return call(factory, pool, NULL, resource);
}

static bool destructor(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    pool_t *pool = h->pool;
    if (functions(pool) & POOL_F_DESTRUCTOR_INTERNAL)
        pool->destructor.internal(pool, h->resource);
    else
        pool->destructor.fcall->invoke(pool->destructor.fcall, pool, &h->resource);
    return true;
}

void ap__call_destructor(pool_t *pool, void *resource)
{
    if (functions(pool) & POOL_F_DESTRUCTOR_INTERNAL || pool->destructor.fcall)
        call(destructor, pool, resource, NULL);
}

static bool healthcheck(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    pool_t *pool = h->pool;
    if (functions(pool) & POOL_F_HEALTHCHECK_INTERNAL)
        return pool->healthcheck.internal(pool, h->resource);
    return pool->healthcheck.fcall->invoke(pool->healthcheck.fcall, pool, &h->resource);
}

bool ap__call_healthcheck(pool_t *pool, void *resource)
{
    if (!(functions(pool) & POOL_F_HEALTHCHECK_INTERNAL) && !pool->healthcheck.fcall)
        return true;
    return call(healthcheck, pool, resource, NULL);
}

static bool before_acquire(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    pool_t *pool = h->pool;
    if (functions(pool) & POOL_F_BEFORE_ACQUIRE_INTERNAL)
        return pool->before_acquire.internal(pool, h->resource);
    return pool->before_acquire.fcall->invoke(pool->before_acquire.fcall, pool, &h->resource);
}

bool ap__call_before_acquire(pool_t *pool, void *resource)
{
    if (!(functions(pool) & POOL_F_BEFORE_ACQUIRE_INTERNAL) && !pool->before_acquire.fcall)
        return true;
    return call(before_acquire, pool, resource, NULL);
}

static bool before_release(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    pool_t *pool = h->pool;
    if (functions(pool) & POOL_F_BEFORE_RELEASE_INTERNAL)
        return pool->before_release.internal(pool, h->resource);
    return pool->before_release.fcall->invoke(pool->before_release.fcall, pool, &h->resource);
}

bool ap__call_before_release(pool_t *pool, void *resource)
{
    if (!(functions(pool) & POOL_F_BEFORE_RELEASE_INTERNAL) && !pool->before_release.fcall)
        return true;
    return call(before_release, pool, resource, NULL);
}

/* ---- callables that are not needed any more ---- */

typedef struct disposal {
    ap_visit_t visit; /* first */
    pool_fcall_t *fcall;
} disposal;

static bool dispose(ap_visit_t *visit)
{
    pool_fcall_t *fcall = ((disposal *)visit)->fcall;
    fcall->dispose(fcall);
    return true;
}

void ap__dispose_fcall(pool_fcall_t *fcall)
{
    disposal d = {{.kind = AP_VISIT_OTHER, .make = dispose}, fcall};
    if (fcall && fcall->dispose)
        ap__visit(&d.visit);
}

void ap__dispose_handlers(pool_t *pool)
{
    if (!(functions(pool) & POOL_F_FACTORY_INTERNAL))
        ap__dispose_fcall(pool->factory.fcall);
    if (!(functions(pool) & POOL_F_DESTRUCTOR_INTERNAL))
        ap__dispose_fcall(pool->destructor.fcall);
    if (!(functions(pool) & POOL_F_HEALTHCHECK_INTERNAL))
        ap__dispose_fcall(pool->healthcheck.fcall);
    if (!(functions(pool) & POOL_F_BEFORE_ACQUIRE_INTERNAL))
        ap__dispose_fcall(pool->before_acquire.fcall);
    if (!(functions(pool) & POOL_F_BEFORE_RELEASE_INTERNAL))
        ap__dispose_fcall(pool->before_release.fcall);
}

/* Calling a handler: a C function where the flag bit says so, a callable otherwise, or nothing. */
#include "internal.h"

/* Not handler_flags: its strategy bit changes while hooks run. */
static uint8_t functions(const pool_t *pool) { return ((const ap_pool_t *)pool)->functions; }

bool ap__call_factory(pool_t *pool, void **resource)
{
    if (functions(pool) & POOL_F_FACTORY_INTERNAL)
        return pool->factory.internal(pool, resource);
    pool_fcall_t *fcall = pool->factory.fcall;
    return fcall && fcall->invoke(fcall, pool, resource);
}

void ap__call_destructor(pool_t *pool, void *resource)
{
    if (functions(pool) & POOL_F_DESTRUCTOR_INTERNAL)
        pool->destructor.internal(pool, resource);
    else if (pool->destructor.fcall)
        pool->destructor.fcall->invoke(pool->destructor.fcall, pool, &resource);
}

bool ap__call_healthcheck(pool_t *pool, void *resource)
{
    if (functions(pool) & POOL_F_HEALTHCHECK_INTERNAL)
        return pool->healthcheck.internal(pool, resource);
    pool_fcall_t *fcall = pool->healthcheck.fcall;
    return !fcall || fcall->invoke(fcall, pool, &resource);
}

bool ap__call_before_acquire(pool_t *pool, void *resource)
{
    if (functions(pool) & POOL_F_BEFORE_ACQUIRE_INTERNAL)
        return pool->before_acquire.internal(pool, resource);
    pool_fcall_t *fcall = pool->before_acquire.fcall;
    return !fcall || fcall->invoke(fcall, pool, &resource);
}

bool ap__call_before_release(pool_t *pool, void *resource)
{
    if (functions(pool) & POOL_F_BEFORE_RELEASE_INTERNAL)
        return pool->before_release.internal(pool, resource);
    pool_fcall_t *fcall = pool->before_release.fcall;
    return !fcall || fcall->invoke(fcall, pool, &resource);
}

void ap__dispose_fcall(pool_fcall_t *fcall)
{
    if (fcall && fcall->dispose)
        fcall->dispose(fcall);
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

/*
 * The asyncpool pool of a list: made by the first acquire, with these hooks.
 */
#include "reslist.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- hooks ---- */

static bool make(pool_t *pool, void **resource)
{
    apr_status_t rv = reslist_construct(pool->user_data, resource);
    if (rv != APR_SUCCESS)
        pool_set_error(pool, rv, "the constructor of the resource list has failed");
    return rv == APR_SUCCESS;
}

/* Nobody is told what the destructor answers here: who meets a resource that is too old gets the next one. */
static void destroy(pool_t *pool, void *resource) { reslist_destruct(pool->user_data, resource); }

static bool is_fresh(pool_t *pool, void *resource)
{
    return !reslist_too_old(pool->user_data, resource, apr_time_now());
}

/* Without it there would be no ask that upkeep.c can say no to: when one is discarded, when one is too old. */
static bool keep(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return true;
}

static pool_status_t create(apr_reslist_t *list, pool_t **pool)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "apr_reslist";
    config.factory = make;
    config.destructor = destroy;
    config.before_acquire = list->ttl > 0 ? is_fresh : NULL;
    config.before_release = keep;
    config.healthcheck = keep;
    config.max_size = (uint32_t)list->hmax;
    config.user_data = list;
    return pool_create_ex(&config, pool);
}

/* ---- statuses ---- */

/* An apr_status_t has no words, so standard error gets them, once for each process. */
static apr_status_t say_why(const char *why, apr_status_t rv)
{
    static bool said;
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        fprintf(stderr, "apr_reslist over asyncpool: %s\n", why);
    return rv;
}

apr_status_t reslist_status(pool_status_t status)
{
    int code = APR_EGENERAL;
    switch (status) {
    case POOL_OK:
        return APR_SUCCESS;
    case POOL_ERR_FACTORY: /* the constructor's own status */
        pool_last_error(&code, NULL, 0);
        return code;
    case POOL_EMPTY:
    case POOL_ERR_TIMEOUT:
        return APR_TIMEUP;
    case POOL_ERR_NOMEM:
        return APR_ENOMEM;
    case POOL_ERR_FORKED:
        return say_why(pool_strerror(status), APR_EINIT);
    case POOL_ERR_CLOSED:
    case POOL_ERR_INVALID:
    case POOL_ERR_NOT_OWNED:
        return APR_EINVAL;
    default:
        return say_why(pool_strerror(status), APR_EGENERAL);
    }
}

/* ---- the pool ---- */

pool_t *reslist_pool_if_made(apr_reslist_t *list) { return __atomic_load_n(&list->pool, __ATOMIC_ACQUIRE); }

static apr_status_t load_and_create(apr_reslist_t *list)
{
    pool_t *pool;
    if (list->ended)
        return APR_EINVAL;
    pool_status_t status = pool_api_load(getenv("ASYNCPOOL_LIBRARY"));
    if (status != POOL_OK)
        return say_why(pool_api_error(), status == POOL_ERR_FORKED ? APR_EINIT : APR_EDSOOPEN);
    status = create(list, &pool);
    if (status == POOL_OK)
        __atomic_store_n(&list->pool, pool, __ATOMIC_RELEASE);
    return reslist_status(status);
}

pool_t *reslist_pool(apr_reslist_t *list, apr_status_t *status)
{
    pool_t *pool = reslist_pool_if_made(list);
    if (pool)
        return pool;
    pthread_mutex_lock(&list->slow);
    if (!list->pool)
        *status = load_and_create(list);
    pthread_mutex_unlock(&list->slow);
    return reslist_pool_if_made(list);
}

/*
 * The functions of apr_reslist.h.
 */
#include "reslist.h"

/* The list ends at the cleanup that the user orders; what it needs for what is still lent then stays as long as its
 * memory. */
static apr_status_t end(void *data) { return reslist_end(data); }

static apr_status_t drop(void *data)
{
    apr_reslist_t *list = data;
    pool_unref(reslist_pool_if_made(list));
    times_free(&list->released);
    pthread_mutex_destroy(&list->slow);
    return APR_SUCCESS;
}

static void init_recursive(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(mutex, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

APU_DECLARE(apr_status_t)
apr_reslist_create(apr_reslist_t **reslist, int min, int smax, int hmax, apr_interval_time_t ttl,
                   apr_reslist_constructor con, apr_reslist_destructor de, void *params, apr_pool_t *pool)
{
    if (min < 0 || min > smax || smax > hmax || hmax == 0 || ttl < 0)
        return APR_EINVAL;
    apr_reslist_t *list = apr_pcalloc(pool, sizeof *list);
    *list = (apr_reslist_t){
        .min = min,
        .smax = smax,
        .hmax = hmax,
        .ttl = ttl,
        .construct = con,
        .destruct = de,
        .params = params,
        .parent = pool};
    list->first = apr_palloc(pool, sizeof(void *) * (size_t)min);
    times_init(&list->released);
    init_recursive(&list->slow);
    apr_pool_cleanup_register(pool, list, drop, apr_pool_cleanup_null);
    apr_status_t rv = reslist_construct_first(list);
    if (rv != APR_SUCCESS)
        return rv;
    apr_pool_cleanup_register(pool, list, end, apr_pool_cleanup_null);
    *reslist = list;
    return APR_SUCCESS;
}

APU_DECLARE(apr_status_t) apr_reslist_destroy(apr_reslist_t *list)
{
    return apr_pool_cleanup_run(list->parent, list, end);
}

APU_DECLARE(void) apr_reslist_cleanup_order_set(apr_reslist_t *list, apr_uint32_t mode)
{
    apr_pool_cleanup_kill(list->parent, list, end);
    if (mode == APR_RESLIST_CLEANUP_FIRST)
        apr_pool_pre_cleanup_register(list->parent, list, end);
    else
        apr_pool_cleanup_register(list->parent, list, end, apr_pool_cleanup_null);
}

/* APR's microseconds as asyncpool's milliseconds, never less; 0 is for ever in both, and below 0 is in APR. */
static int64_t milliseconds(apr_interval_time_t timeout)
{
    return timeout > 0 ? timeout / 1000 + (timeout % 1000 != 0) : 0;
}

APU_DECLARE(apr_status_t) apr_reslist_acquire(apr_reslist_t *list, void **resource)
{
    apr_status_t rv = APR_EGENERAL;
    void *lent;
    pool_t *pool = reslist_pool(list, &rv);
    if (!pool)
        return rv;
    apr_interval_time_t timeout = __atomic_load_n(&list->timeout, __ATOMIC_RELAXED);
    pool_status_t status = pool_acquire(pool, &lent, milliseconds(timeout));
    if (status != POOL_OK)
        return reslist_status(status);
    *resource = lent;
    return APR_SUCCESS;
}

APU_DECLARE(apr_status_t) apr_reslist_release(apr_reslist_t *list, void *resource)
{
    pool_t *pool = reslist_pool_if_made(list);
    if (!pool)
        return APR_EINVAL; /* nothing was ever lent */
    if (list->ttl > 0)
        times_set(&list->released, resource, apr_time_now());
    pool_status_t status = pool_release(pool, resource);
    return status == POOL_OK ? reslist_upkeep(list, pool, false) : reslist_status(status);
}

APU_DECLARE(apr_status_t) apr_reslist_invalidate(apr_reslist_t *list, void *resource)
{
    pool_t *pool = reslist_pool_if_made(list);
    return pool ? reslist_discard(list, pool, resource) : APR_EINVAL;
}

/* Before the first acquire there are min idle ones, and nothing to do. */
APU_DECLARE(apr_status_t) apr_reslist_maintain(apr_reslist_t *list)
{
    pool_t *pool = reslist_pool_if_made(list);
    return pool ? reslist_upkeep(list, pool, true) : APR_SUCCESS;
}

APU_DECLARE(void) apr_reslist_timeout_set(apr_reslist_t *list, apr_interval_time_t timeout)
{
    __atomic_store_n(&list->timeout, timeout, __ATOMIC_RELAXED);
}

APU_DECLARE(apr_uint32_t) apr_reslist_acquired_count(apr_reslist_t *list)
{
    return pool_active_count(reslist_pool_if_made(list));
}

/*
 * Constructing and destructing: the user's functions, one at a time for each list.
 */
#include "reslist.h"

static apr_status_t construct(apr_reslist_t *list, void **resource)
{
    if (list->ttl > 0 && !times_reserve(&list->released))
        return APR_ENOMEM;
    apr_status_t rv = list->construct(resource, list->params, list->parent);
    if (rv == APR_SUCCESS && list->ttl > 0)
        times_add(&list->released, *resource, apr_time_now());
    return rv;
}

static apr_status_t destruct(apr_reslist_t *list, void *resource)
{
    if (list->ttl > 0)
        times_remove(&list->released, resource);
    return list->destruct(resource, list->params, list->parent);
}

bool reslist_too_old(apr_reslist_t *list, void *resource, apr_time_t now)
{
    return list->ttl > 0 && now - times_get(&list->released, resource, now) >= list->ttl;
}

/* One of the first that is not too old to be lent. */
static bool take_first(apr_reslist_t *list, void **resource)
{
    while (list->first_count > 0) {
        *resource = list->first[--list->first_count];
        if (!reslist_too_old(list, *resource, apr_time_now()))
            return true;
        destruct(list, *resource);
    }
    return false;
}

apr_status_t reslist_construct(apr_reslist_t *list, void **resource)
{
    pthread_mutex_lock(&list->slow);
    apr_status_t rv = take_first(list, resource) ? APR_SUCCESS : construct(list, resource);
    pthread_mutex_unlock(&list->slow);
    return rv;
}

apr_status_t reslist_destruct(apr_reslist_t *list, void *resource)
{
    pthread_mutex_lock(&list->slow);
    apr_status_t rv = destruct(list, resource);
    pthread_mutex_unlock(&list->slow);
    return rv;
}

apr_status_t reslist_construct_first(apr_reslist_t *list)
{
    apr_status_t rv = APR_SUCCESS;
    pthread_mutex_lock(&list->slow);
    while (rv == APR_SUCCESS && list->first_count < list->min) {
        rv = construct(list, &list->first[list->first_count]);
        list->first_count += rv == APR_SUCCESS;
    }
    if (rv != APR_SUCCESS)
        reslist_destruct_first(list);
    pthread_mutex_unlock(&list->slow);
    return rv;
}

apr_status_t reslist_destruct_first(apr_reslist_t *list)
{
    apr_status_t rv = APR_SUCCESS;
    pthread_mutex_lock(&list->slow);
    while (list->first_count > 0) {
        apr_status_t destructed = destruct(list, list->first[--list->first_count]);
        rv = destructed != APR_SUCCESS ? destructed : rv;
    }
    pthread_mutex_unlock(&list->slow);
    return rv;
}

/*
 * Upkeep and the end: ops of the pool whose asks are answered here, so that the caller hears what a destructor
 * answers, and so that it can be said here which resource goes.
 */
#include "reslist.h"

#include <stdlib.h>

/* Idle ones that nobody has been promised, and places that are free for new ones. */
typedef struct counts {
    uint32_t idle, free;
} counts_t;

static bool count(pool_t *pool, counts_t *counts)
{
    pool_snapshot_t now = {.struct_size = sizeof now};
    if (pool_snapshot(pool, &now) != POOL_OK || now.closed)
        return false;
    counts->idle = now.idle > now.reserved ? now.idle - now.reserved : 0;
    counts->free = now.max - now.idle - now.active;
    return true;
}

/* Is this idle resource, which does not count as idle while it is looked at, one too many and too old? If not, it is
 * the oldest that stays. */
static bool is_to_go(apr_reslist_t *list, pool_t *pool, void *resource)
{
    apr_time_t now = apr_time_now();
    counts_t counts;
    if (count(pool, &counts) && counts.idle >= (uint32_t)list->smax && reslist_too_old(list, resource, now))
        return true;
    apr_time_t due = times_get(&list->released, resource, now) + list->ttl;
    if (due < list->look_at)
        __atomic_store_n(&list->look_at, due, __ATOMIC_RELAXED);
    return false;
}

/* Goes on with an op until it is done. The last error of a destructor comes before the op's own status. */
static apr_status_t drive(apr_reslist_t *list, pool_t *pool, pool_op_t *op)
{
    apr_status_t rv = APR_SUCCESS;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_ask_kind_t kind = pool_op_next(op, NULL, &ask);
    while (kind != POOL_ASK_DONE) {
        answer.ok = false; /* before_release: it is given back in order to go */
        if (kind == POOL_ASK_WAIT)
            pool_op_wait(op, ask.until_ns);
        else if (kind == POOL_ASK_DESTROY) {
            apr_status_t destructed = reslist_destruct(list, ask.resource);
            rv = destructed != APR_SUCCESS ? destructed : rv;
        } else if (kind == POOL_ASK_HEALTHCHECK) {
            answer.ok = rv != APR_SUCCESS || !is_to_go(list, pool, ask.resource);
        }
        kind = pool_op_next(op, &answer, &ask);
    }
    return rv != APR_SUCCESS ? rv : reslist_status(ask.status);
}

/* ---- upkeep ---- */

/* Only who finds nothing idle makes one. So this borrows what is idle, then as many new ones as are missing, and gives
 * all of them back; the lock is held, so nobody else constructs meanwhile. */
static apr_status_t fill(apr_reslist_t *list, pool_t *pool)
{
    pool_status_t status = POOL_OK;
    int n = 0;
    counts_t counts;
    void **borrowed = malloc(sizeof(void *) * (size_t)list->min);
    if (!borrowed)
        return APR_ENOMEM;
    while (status == POOL_OK && n < list->min && count(pool, &counts) && counts.free > 0) {
        status = pool_try_acquire(pool, &borrowed[n]);
        n += status == POOL_OK;
    }
    apr_status_t rv = status == POOL_EMPTY ? APR_SUCCESS : reslist_status(status);
    for (int i = 0; i < n; i++)
        pool_release(pool, borrowed[i]);
    free(borrowed);
    return rv;
}

/* One pass over what is idle, oldest first. */
static apr_status_t expire(apr_reslist_t *list, pool_t *pool)
{
    pool_op_t op;
    __atomic_store_n(&list->look_at, apr_time_now() + list->ttl, __ATOMIC_RELAXED);
    pool_status_t status = pool_op_sweep(pool, &op);
    return status == POOL_OK ? drive(list, pool, &op) : reslist_status(status);
}

static bool wants_fill(const apr_reslist_t *list, const counts_t *counts)
{
    return counts->idle < (uint32_t)list->min && counts->free > 0;
}

static bool wants_expire(apr_reslist_t *list, const counts_t *counts, bool always)
{
    return list->ttl > 0 && counts->idle > (uint32_t)list->smax &&
           (always || apr_time_now() >= __atomic_load_n(&list->look_at, __ATOMIC_RELAXED));
}

apr_status_t reslist_upkeep(apr_reslist_t *list, pool_t *pool, bool always)
{
    apr_status_t rv = APR_SUCCESS;
    counts_t counts;
    if (list->min == 0 && (list->ttl == 0 || list->smax == list->hmax))
        return APR_SUCCESS;
    if (!count(pool, &counts) || !(wants_fill(list, &counts) || wants_expire(list, &counts, always)))
        return APR_SUCCESS;
    if (always)
        pthread_mutex_lock(&list->slow);
    else if (pthread_mutex_trylock(&list->slow) != 0)
        return APR_SUCCESS;
    if (count(pool, &counts) && wants_fill(list, &counts))
        rv = fill(list, pool);
    else if (wants_expire(list, &counts, always))
        rv = expire(list, pool);
    pthread_mutex_unlock(&list->slow);
    return rv;
}

/* ---- the end: of one, of all ---- */

apr_status_t reslist_discard(apr_reslist_t *list, pool_t *pool, void *resource)
{
    pool_op_t op;
    pool_status_t status = pool_op_release(pool, &op, resource);
    return status == POOL_OK ? drive(list, pool, &op) : reslist_status(status);
}

apr_status_t reslist_end(apr_reslist_t *list)
{
    apr_status_t closed = APR_SUCCESS;
    pthread_mutex_lock(&list->slow);
    list->ended = true;
    pool_t *pool = list->pool;
    apr_status_t rv = reslist_destruct_first(list);
    pthread_mutex_unlock(&list->slow);
    if (pool) {
        pool_op_t op;
        pool_status_t status = pool_op_close(pool, &op);
        closed = status == POOL_OK ? drive(list, pool, &op) : reslist_status(status);
    }
    return closed != APR_SUCCESS ? closed : rv;
}

/*
 * A resource list: what the files of the drop-in share.
 *
 * The list is in memory of the APR pool that it was created from, and its asyncpool pool is made by the first acquire,
 * in the process that acquires: loading asyncpool starts threads, which do not survive a fork, and servers create their
 * lists before they fork.
 */
#ifndef RESLIST_H
#define RESLIST_H

/* Its functions are all that the shared object exports. */
#pragma GCC visibility push(default)
#include <apr_reslist.h>
#pragma GCC visibility pop

#define POOL_API_NAMES /* pool_acquire() goes through the table of pool_api_load() */
#include <asyncpool/pool_api.h>

#include "times.h"

#include <pthread.h>
#include <stdbool.h>

struct apr_reslist_t {
    int min, smax, hmax;
    apr_interval_time_t ttl;
    apr_interval_time_t timeout;
    apr_reslist_constructor construct;
    apr_reslist_destructor destruct;
    void *params;
    apr_pool_t *parent;

    pool_t *pool; /* NULL before the first acquire */
    bool ended;
    /* One constructor, destructor or upkeep at a time. They use the APR pool, which is not made for several threads.
     * Recursive, since upkeep constructs. */
    pthread_mutex_t slow;
    /* What apr_reslist_create() constructed and the pool has not been given yet. */
    void **first;
    int first_count;
    times_t released;   /* when each resource was released last; used if there is a ttl */
    apr_time_t look_at; /* nothing that is idle is too old before */
};

/* ---- resource.c: constructing and destructing ---- */

/* Constructs as many as apr_reslist_create() has to; what fails ends those before it. */
apr_status_t reslist_construct_first(apr_reslist_t *list);
/* A resource for the pool: one of the first, or a new one. */
apr_status_t reslist_construct(apr_reslist_t *list, void **resource);
apr_status_t reslist_destruct(apr_reslist_t *list, void *resource);
/* Destructs those of the first that the pool was never given. */
apr_status_t reslist_destruct_first(apr_reslist_t *list);
/* Has it been idle for the ttl or longer? Without a ttl nothing ever has. */
bool reslist_too_old(apr_reslist_t *list, void *resource, apr_time_t now);

/* ---- pool.c: the asyncpool pool of a list ---- */

/* The pool, which is made now if there is none yet. NULL: it cannot be made, and the status says why. */
pool_t *reslist_pool(apr_reslist_t *list, apr_status_t *status);
/* The pool, if there is one. */
pool_t *reslist_pool_if_made(apr_reslist_t *list);
/* What the last call of asyncpool on this thread has answered, as APR has it. */
apr_status_t reslist_status(pool_status_t status);

/* ---- upkeep.c: what maintains, and ends ---- */

/* Constructs what is missing to min idle ones, or else destructs what is too old above smax. Not always: the caller
 * goes on if another thread is at it, and looks for old ones only if there may be some. */
apr_status_t reslist_upkeep(apr_reslist_t *list, pool_t *pool, bool always);
/* Gives a resource back that is not to be lent again; the destructor's answer. */
apr_status_t reslist_discard(apr_reslist_t *list, pool_t *pool, void *resource);
/* Destructs what is idle, and lends nothing any more. */
apr_status_t reslist_end(apr_reslist_t *list);

#endif

/*
 * The resources: connections to nowhere, which only count their jobs. In an extension of yours
 * this is a socket, and after so many jobs the other side hangs up.
 */
#include "connection.h"

#include <stdlib.h>

enum { JOBS_OF_A_CONNECTION = 1000 };

static int open_now;

static bool connect_it(pool_t *pool, void **resource)
{
    (void)pool;
    connection_t *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    __atomic_add_fetch(&open_now, 1, __ATOMIC_RELAXED);
    *resource = c;
    return true;
}

static void disconnect(pool_t *pool, void *resource)
{
    (void)pool;
    free(resource);
    __atomic_sub_fetch(&open_now, 1, __ATOMIC_RELAXED);
}

/* May it be lent again? false: the pool ends it and makes another. */
static bool still_good(pool_t *pool, void *resource)
{
    (void)pool;
    return ((connection_t *)resource)->jobs < JOBS_OF_A_CONNECTION;
}

pool_t *connection_pool(uint32_t places)
{
    return POOL_NEW(connect_it, disconnect, NULL, still_good, NULL, 0, places, 0);
}

int connection_count(void) { return __atomic_load_n(&open_now, __ATOMIC_RELAXED); }

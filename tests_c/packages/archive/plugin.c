/* A plugin that has libasyncpool.a inside: lends once, and answers 42. */
#include <asyncpool/pool.h>

int plugin_lend(void);

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

int plugin_lend(void)
{
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    void *resource;
    bool lent = pool && pool_acquire(pool, &resource, 1000) == POOL_OK && pool_release(pool, resource) == POOL_OK;
    pool_unref(pool);
    return lent ? 42 : 1;
}

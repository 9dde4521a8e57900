/* What a file of an extension does with the macros of the header, in C and in C++. */
#include <asyncpool/pool_api.h>

pool_status_t uses_macros(pool_factory_fn factory);

pool_status_t uses_macros(pool_factory_fn factory)
{
    void *resource = NULL;
    pool_status_t status = pool_api_load(NULL);
    pool_t *pool = POOL_NEW(factory, NULL, NULL, NULL, NULL, 0, 1, 0);
    if (status == POOL_OK && pool && POOL_NEW_OBJ(pool))
        status = POOL_ACQUIRE(pool, &resource, 0);
    if (status == POOL_EMPTY)
        status = POOL_TRY_ACQUIRE(pool, &resource);
    if (status == POOL_OK)
        status = POOL_RELEASE(pool, resource);
    if (status == POOL_OK)
        status = POOL_CLOSE(pool);
    POOL_UNREF(pool);
    return status;
}

/* A program outside the project: borrows from a pool of one number, and checks what it is linked with. */
#include <asyncpool/pool.h>
#include <stdio.h>
#include <string.h>

static int number = 42;

static bool make_number(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &number;
    return true;
}

int main(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    void *resource;

    if (strcmp(pool_version(), POOL_VERSION) != 0) {
        fprintf(stderr, "the library is %s, the header %s\n", pool_version(), POOL_VERSION);
        return 1;
    }
    config.factory = make_number;
    if (pool_create_ex(&config, &pool) != POOL_OK)
        return 2;
    if (pool_acquire(pool, &resource, 1000) != POOL_OK)
        return 3;
    if (resource != &number || pool_release(pool, resource) != POOL_OK)
        return 4;
    pool_unref(pool);
    printf("borrowed %d from asyncpool %s\n", number, pool_version());
    return 0;
}

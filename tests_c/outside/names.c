/* An extension with an event loop, or coroutines, that does not link the library: the adapters go through the table. */
#define _GNU_SOURCE
#define POOL_API_NAMES
#include <asyncpool/pool_api.h>

#include <asyncpool/epoll.h>
#include <asyncpool/ucontext.h>

int uses_epoll(pool_epoll_t *watch, int set, pool_t *pool, pool_reactor_t *reactor);
bool uses_coroutines(pool_ucontext_t *s, void (*body)(void *), pool_t **pool);
uint32_t uses_names(pool_t *pool);

int uses_epoll(pool_epoll_t *watch, int set, pool_t *pool, pool_reactor_t *reactor)
{
    epoll_data_t data = {.ptr = watch};
    int error = pool_epoll_add(watch, set, pool, data) | pool_epoll_add_reactor(watch, set, reactor, data);
    pool_epoll_dispatch(watch);
    error |= pool_epoll_timeout(watch, 10);
    pool_epoll_remove(watch);
    return error;
}

bool uses_coroutines(pool_ucontext_t *s, void (*body)(void *), pool_t **pool)
{
    pool_config_t config = POOL_CONFIG_INIT;
    if (!pool_ucontext_init(s, 0) || !pool_ucontext_spawn(s, body, NULL))
        return false;
    config.scheduler = &s->scheduler;
    if (pool_create_ex(&config, pool) != POOL_OK)
        return false;
    pool_ucontext_sleep(s, 1);
    return pool_ucontext_run(s) && pool_ucontext_destroy(s);
}

uint32_t uses_names(pool_t *pool)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    if (pool_api_load(NULL) != POOL_OK)
        return 0;
    if (pool_op_acquire(pool, &op, 0) == POOL_OK && pool_op_next(&op, NULL, &ask) == POOL_ASK_WAIT)
        pool_op_cancel(&op);
    pool_unref(pool);
    return pool_abi_version() + pool_count(pool) + (pool_version() == pool_status_name(ask.status));
}

/* The configuration of a pool: callers of any version, and what makes no pool. */
#include "internal.h"
#include "sizes.h"

/* The configuration of a caller of any version: what it does not have is zero, what is unknown here must
 * be. NULL: ok; otherwise what is wrong. */
const char *ap__config_read(const pool_config_t *given, pool_config_t *config)
{
    enum { FIRST = offsetof(pool_config_t, healthcheck_interval_ms) };
    if (!given)
        return "config is NULL";
    size_t size = given->struct_size;
    if (!ap__size_is_one(size, FIRST))
        return "config.struct_size is too small or no size at all: start from POOL_CONFIG_INIT";
    if (!ap__size_in(given, size, config, sizeof *config))
        return "config is from a newer version of the header and uses what this library lacks";
    return NULL;
}

/* Bits of the handlers that are set, by POOL_F_..._INTERNAL number: as C functions or as callables. */
uint8_t ap__config_functions(const pool_config_t *c)
{
    return (uint8_t)((c->factory ? POOL_F_FACTORY_INTERNAL : 0) |
                     (c->destructor ? POOL_F_DESTRUCTOR_INTERNAL : 0) |
                     (c->healthcheck ? POOL_F_HEALTHCHECK_INTERNAL : 0) |
                     (c->before_acquire ? POOL_F_BEFORE_ACQUIRE_INTERNAL : 0) |
                     (c->before_release ? POOL_F_BEFORE_RELEASE_INTERNAL : 0));
}

static uint8_t callables(const pool_config_t *c)
{
    return (uint8_t)((c->factory_fcall ? POOL_F_FACTORY_INTERNAL : 0) |
                     (c->destructor_fcall ? POOL_F_DESTRUCTOR_INTERNAL : 0) |
                     (c->healthcheck_fcall ? POOL_F_HEALTHCHECK_INTERNAL : 0) |
                     (c->before_acquire_fcall ? POOL_F_BEFORE_ACQUIRE_INTERNAL : 0) |
                     (c->before_release_fcall ? POOL_F_BEFORE_RELEASE_INTERNAL : 0));
}

static bool invocable(const pool_config_t *c)
{
    pool_fcall_t *const all[] = {c->factory_fcall, c->destructor_fcall, c->healthcheck_fcall,
                                 c->before_acquire_fcall, c->before_release_fcall};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && !all[i]->invoke)
            return false;
    return true;
}

/* NULL: ok; otherwise what is wrong. */
const char *ap__config_check(const pool_config_t *config)
{
    const uint32_t all_asks = POOL_ASKS_DESTROY | POOL_ASKS_HEALTHCHECK | POOL_ASKS_BEFORE_ACQUIRE |
                              POOL_ASKS_BEFORE_RELEASE | POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER;
    bool host_driven = config->flags & POOL_F_HOST_DRIVEN;
    uint8_t handlers = ap__config_functions(config) | callables(config);
    if (config->flags & ~(POOL_F_HOST_DRIVEN | POOL_F_REACTOR))
        return "config.flags has an unknown bit";
    if (!invocable(config))
        return "invoke of a callable is NULL";
    if (ap__config_functions(config) & callables(config))
        return "a handler is given both as a C function and as a callable";
    if (host_driven && handlers)
        return "a host-driven pool has no handlers: its host answers the asks of ops";
    if (!host_driven && !(handlers & POOL_F_FACTORY_INTERNAL))
        return "factory is NULL: a pool cannot make resources without one";
    if (config->asks & ~(host_driven ? all_asks : 0))
        return "config.asks has an unknown bit, or the pool is not host-driven";
    if (config->scheduler && (!config->scheduler->suspend || !config->scheduler->resume))
        return "a function of the scheduler is NULL";
    if (config->scheduler && host_driven)
        return "a host-driven pool needs no scheduler: its host answers POOL_ASK_WAIT";
    if (config->max_size == 0)
        return "max_size is 0: a pool has at least one place";
    if (config->min_size > config->max_size)
        return "min_size is above max_size";
    if (config->healthcheck_interval_ms && host_driven)
        return "healthcheck_interval_ms is for pools with handlers: the host of this one begins pool_op_sweep() itself";
    if (config->healthcheck_interval_ms && !(handlers & POOL_F_HEALTHCHECK_INTERNAL) && config->min_size == 0)
        return "healthcheck_interval_ms without healthcheck and min_size: a pass would have nothing to do, leave it out";
    return NULL;
}

const char *ap__config_remark(const pool_config_t *config)
{
    if ((config->healthcheck || config->healthcheck_fcall) && config->healthcheck_interval_ms == 0)
        return "healthcheck is never called: give healthcheck_interval_ms, or leave it out";
    return NULL;
}

/* Handlers and asks have numbers of their own. A creation is always asked for. */
uint32_t ap__config_asks(const pool_config_t *c)
{
    if (c->flags & POOL_F_HOST_DRIVEN)
        return c->asks;
    return (c->destructor || c->destructor_fcall ? POOL_ASKS_DESTROY : 0) |
           (c->healthcheck || c->healthcheck_fcall ? POOL_ASKS_HEALTHCHECK : 0) |
           (c->before_acquire || c->before_acquire_fcall ? POOL_ASKS_BEFORE_ACQUIRE : 0) |
           (c->before_release || c->before_release_fcall ? POOL_ASKS_BEFORE_RELEASE : 0);
}

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

const char *ap__sizes_check(uint32_t min_size, uint32_t max_size)
{
    if (max_size == 0)
        return "max_size is 0: a pool has at least one place";
    return min_size > max_size ? "min_size is above max_size" : NULL;
}

/* The shortest limit that a pass looks after; 0: there is none. */
static uint32_t shortest_limit(const pool_config_t *config)
{
    const uint32_t limits[] = {config->max_lifetime_ms, config->idle_timeout_ms, config->leak_after_ms};
    uint32_t shortest = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i] != 0 && (shortest == 0 || limits[i] < shortest))
            shortest = limits[i];
    return shortest;
}

/* NULL: ok; otherwise what is wrong. */
const char *ap__config_check(const pool_config_t *config)
{
    const uint32_t all_asks =
        POOL_ASKS_DESTROY | POOL_ASKS_HEALTHCHECK | POOL_ASKS_BEFORE_ACQUIRE | POOL_ASKS_BEFORE_RELEASE |
        POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER | POOL_ASKS_LEAKED;
    bool host_driven = config->flags & POOL_F_HOST_DRIVEN;
    uint8_t functions = ap__hooks_functions(config), callables = ap__hooks_callables(config);
    uint8_t handlers = functions | callables;
    const uint32_t all_flags =
        POOL_F_HOST_DRIVEN | POOL_F_REACTOR | POOL_F_LIFO | POOL_F_CREATE_BEHIND | POOL_F_LAZY_MIN | POOL_F_TIMED;
    if (config->flags & ~all_flags)
        return "config.flags has an unknown bit";
    if (!ap__hooks_invocable(config))
        return "invoke of a callable is NULL";
    if (functions & callables || (config->leaked && config->leaked_fcall))
        return "a handler is given both as a C function and as a callable";
    if (host_driven && config->flags & POOL_F_REACTOR)
        return "POOL_F_HOST_DRIVEN and POOL_F_REACTOR exclude each other: no loop serves a host-driven pool, leave "
               "POOL_F_REACTOR out";
    if (host_driven && config->flags & POOL_F_LAZY_MIN)
        return "POOL_F_LAZY_MIN is for pools with handlers: the host of this one begins pool_op_fill() when it likes, "
               "leave it out";
    bool hears = config->leaked || config->leaked_fcall;
    if (host_driven && (handlers || hears))
        return "a host-driven pool has no handlers: its host answers the asks of ops";
    if (!host_driven && !(handlers & POOL_F_FACTORY_INTERNAL))
        return "factory is NULL: a pool cannot make resources without one";
    if (config->asks & ~(host_driven ? all_asks : 0))
        return "config.asks has an unknown bit, or the pool is not host-driven";
    if (config->scheduler && (!config->scheduler->suspend || !config->scheduler->resume))
        return "a function of the scheduler is NULL";
    if (config->scheduler && host_driven)
        return "a host-driven pool needs no scheduler: its host answers POOL_ASK_WAIT";
    if (ap__sizes_check(config->min_size, config->max_size))
        return ap__sizes_check(config->min_size, config->max_size);
    if (config->create_retry_max_ms && config->create_retry_max_ms < config->create_retry_ms)
        return "create_retry_max_ms is below create_retry_ms";
    if (config->create_retry_max_ms && !config->create_retry_ms)
        return "create_retry_max_ms without create_retry_ms: there are no pauses, give both or leave it out";
    if (config->healthcheck_interval_ms && host_driven)
        return "healthcheck_interval_ms is for pools with handlers: the host of this one begins pool_op_sweep() itself";
    bool checks = host_driven ? config->asks & POOL_ASKS_BEFORE_ACQUIRE : handlers & POOL_F_BEFORE_ACQUIRE_INTERNAL;
    if (config->check_after_ms && !checks)
        return "check_after_ms without before_acquire: there is nothing to be asked, leave it out";
    if (hears && !config->leak_after_ms)
        return "leaked without leak_after_ms: nothing would ever be told, give both or leave it out";
    if (config->lifetime_jitter_ms > config->max_lifetime_ms)
        return "lifetime_jitter_ms is above max_lifetime_ms: it is the part of it that is random";
    if (config->min_idle > config->max_size)
        return "min_idle is above max_size";
    bool has_work = handlers & POOL_F_HEALTHCHECK_INTERNAL || config->min_size > 0 || config->min_idle > 0 ||
                    shortest_limit(config) > 0;
    if (config->healthcheck_interval_ms && !has_work)
        return "healthcheck_interval_ms without healthcheck, min_size, min_idle and a limit of time: a pass would have "
               "nothing to do, leave it out";
    return NULL;
}

uint32_t ap__config_interval(const pool_config_t *config)
{
    enum { PARTS = 8, LEAST = 100, MOST = 30000, IDLE = 1000 };
    uint32_t limit = shortest_limit(config), part = limit / PARTS;
    if (config->healthcheck_interval_ms || config->flags & POOL_F_HOST_DRIVEN)
        return config->healthcheck_interval_ms;
    if (limit == 0)
        return config->min_idle || config->flags & POOL_F_LAZY_MIN ? IDLE : 0;
    return part < LEAST ? LEAST : part < MOST ? part : MOST;
}

const char *ap__config_remark(const pool_config_t *config)
{
    if ((config->healthcheck || config->healthcheck_fcall) && ap__config_interval(config) == 0)
        return "healthcheck is never called: give healthcheck_interval_ms, or leave it out";
    return NULL;
}

/* Handlers and asks have numbers of their own. */
uint32_t ap__config_asks(const pool_config_t *config)
{
    if (config->flags & POOL_F_HOST_DRIVEN)
        return config->asks;
    uint32_t leaks = config->leaked || config->leaked_fcall ? POOL_ASKS_LEAKED : 0;
    return leaks | ap__hooks_asks(ap__hooks_functions(config) | ap__hooks_callables(config));
}

/* Making a pool: reading the configuration, the core, the first resources. */
#include "internal.h"
#include "_cgo_export.h"

#include <string.h>
#include <sys/random.h>

void pool_config_init(pool_config_t *config)
{
    if (!config)
        return;
    memset(config, 0, sizeof *config);
    *config = (pool_config_t)POOL_CONFIG_INIT;
}

/* The configuration of a caller of any version: what it does not have is zero, what is unknown here must
 * be. NULL: ok; otherwise what is wrong. */
static const char *read_config(const pool_config_t *given, pool_config_t *config)
{
    enum { FIRST = offsetof(pool_config_t, healthcheck_interval_ms) };
    if (!given)
        return "config is NULL";
    size_t size = given->struct_size;
    if (size < FIRST)
        return "config.struct_size is too small: start from POOL_CONFIG_INIT";
    memset(config, 0, sizeof *config);
    memcpy(config, given, size < sizeof *config ? size : sizeof *config);
    for (size_t i = sizeof *config; i < size; i++)
        if (((const char *)given)[i] != 0)
            return "config is from a newer version of the header and uses what this library lacks";
    return NULL;
}

/* NULL: ok; otherwise what is wrong. */
static const char *check_config(const pool_config_t *config)
{
    const uint32_t all_asks = POOL_ASKS_DESTROY | POOL_ASKS_BEFORE_ACQUIRE | POOL_ASKS_BEFORE_RELEASE;
    bool host_driven = config->flags & POOL_F_HOST_DRIVEN;
    bool handlers = config->factory || config->destructor || config->healthcheck ||
                    config->before_acquire || config->before_release;
    if (config->flags & ~POOL_F_HOST_DRIVEN)
        return "config.flags has an unknown bit";
    if (config->reserved != 0)
        return "config.reserved must be 0";
    if (host_driven && handlers)
        return "a host-driven pool has no handlers: its host answers the asks of ops";
    if (!host_driven && !config->factory)
        return "factory is NULL: a pool cannot make resources without one";
    if (config->asks & ~(host_driven ? all_asks : 0))
        return "config.asks has an unknown bit, or the pool is not host-driven";
    if (config->max_size == 0)
        return "max_size is 0: a pool has at least one place";
    if (config->min_size > config->max_size)
        return "min_size is above max_size";
    return NULL;
}

static uint8_t handler_flags(const pool_config_t *config)
{
    return (uint8_t)((config->factory ? POOL_F_FACTORY_INTERNAL : 0) |
                     (config->destructor ? POOL_F_DESTRUCTOR_INTERNAL : 0) |
                     (config->healthcheck ? POOL_F_HEALTHCHECK_INTERNAL : 0) |
                     (config->before_acquire ? POOL_F_BEFORE_ACQUIRE_INTERNAL : 0) |
                     (config->before_release ? POOL_F_BEFORE_RELEASE_INTERNAL : 0));
}

static ap_pool_t *allocate(const pool_config_t *config)
{
    ap_pool_t *pool = ap__alloc(_Alignof(ap_pool_t), sizeof *pool);
    if (!pool)
        return NULL;
    pool->pub.event.ref_count = 1;
    pool->pub.handler_flags = handler_flags(config);
    pool->pub.min_size = config->min_size;
    pool->pub.max_size = config->max_size;
    pool->pub.factory.internal = config->factory;
    pool->pub.destructor.internal = config->destructor;
    pool->pub.healthcheck.internal = config->healthcheck;
    pool->pub.before_acquire.internal = config->before_acquire;
    pool->pub.before_release.internal = config->before_release;
    pool->pub.user_data = config->user_data;
    pool->flags = config->flags;
    pool->state.min_size = config->min_size;
    pool->state.max_size = config->max_size;
    /* Handler bits and asks bits are the same numbers. */
    pool->state.asks = config->flags & POOL_F_HOST_DRIVEN
                           ? config->asks
                           : pool->pub.handler_flags & (POOL_ASKS_DESTROY | POOL_ASKS_BEFORE_ACQUIRE |
                                                        POOL_ASKS_BEFORE_RELEASE);
    if (config->name)
        strncat(pool->name, config->name, sizeof pool->name - 1);
    /* Without the kernel's randomness the seed is weaker, and lookups still right. */
    if (getrandom(pool->state.registry.seed, sizeof pool->state.registry.seed, GRND_NONBLOCK) < 0)
        pool->state.registry.seed[0] = (uint64_t)ap__now() ^ (uintptr_t)pool;
    pthread_mutex_init(&pool->lock, NULL);
    pool->core = apgoNew(&pool->state);
    if (!pool->core) {
        pthread_mutex_destroy(&pool->lock);
        ap__dealloc(pool);
        return NULL;
    }
    pool->guard = AP_POOL_GUARD;
    ap__born();
    return pool;
}

static pool_status_t create(const char *function, const pool_config_t *given, pool_t **out)
{
    pool_config_t config;
    *out = NULL;
    AP_REFUSE_FORKED(function);
    const char *wrong = read_config(given, &config);
    if (!wrong)
        wrong = check_config(&config);
    if (wrong)
        return ap__fail(POOL_ERR_INVALID, function, wrong);
    ap_pool_t *pool = allocate(&config);
    if (!pool)
        return ap__fail(POOL_ERR_NOMEM, function, pool_strerror(POOL_ERR_NOMEM));
    if (config.min_size > 0 && !(config.flags & POOL_F_HOST_DRIVEN)) {
        ap_error_t error = {.set = false};
        ap_op_t op;
        ap__op_init(&op, pool, AP_KIND_FILL, NULL, AP_NEVER);
        pool_status_t status = ap__drive(&op, NULL, &error);
        if (status != POOL_OK) {
            char name[sizeof pool->name];
            memcpy(name, pool->name, sizeof name);
            pool_unref(&pool->pub);
            return ap__fail_op(status, name, &error);
        }
    }
    *out = &pool->pub;
    return POOL_OK;
}

pool_status_t pool_create_ex(const pool_config_t *config, pool_t **out)
{
    if (!out)
        return ap__fail(POOL_ERR_INVALID, "pool_create_ex", "out is NULL");
    return create("pool_create_ex", config, out);
}

pool_t *pool_create_internal(pool_factory_fn factory, pool_destructor_fn destructor,
                             pool_healthcheck_fn healthcheck, pool_before_acquire_fn before_acquire,
                             pool_before_release_fn before_release, uint32_t min_size,
                             uint32_t max_size, uint32_t healthcheck_interval_ms)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.factory = factory;
    config.destructor = destructor;
    config.healthcheck = healthcheck;
    config.before_acquire = before_acquire;
    config.before_release = before_release;
    config.min_size = min_size;
    config.max_size = max_size;
    config.healthcheck_interval_ms = healthcheck_interval_ms;
    create("pool_create_internal", &config, &pool);
    return pool;
}

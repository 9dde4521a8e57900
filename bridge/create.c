/* Making a pool: memory, the core, the first resources. */
#include "ages.h"
#include "go.h"
#include "reactor.h"

#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As far as it fits, without what is left of a character of UTF-8 at the end. What does not fit is not read. */
static void copy_name(char *to, size_t size, const char *name)
{
    size_t n = strnlen(name, size - 1), begins = n;
    while (n == size - 1 && begins > 0 && n - begins < 4 && (name[--begins] & 0xc0) == 0x80)
        ;
    unsigned char first = n == size - 1 ? (unsigned char)name[begins] : 0;
    size_t needs = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    memcpy(to, name, needs > n - begins && needs > 1 ? begins : n);
}

static ap_pool_t *allocate(const pool_config_t *config)
{
    ap_pool_t *pool = ap__alloc(_Alignof(ap_pool_t), sizeof *pool);
    if (!pool)
        return NULL;
    ap__lock_init(&pool->lock);
    pool->pub.event.ref_count = 1;
    ap__event_handlers(pool);
    ap__hooks_set(&pool->pub, config);
    pool->pub.min_size = config->min_size;
    pool->pub.max_size = config->max_size;
    pool->pub.user_data = config->user_data;
    pool->flags = config->flags;
    pool->functions = pool->pub.handler_flags;
    pool->state.min_size = config->min_size;
    pool->state.max_size = config->max_size;
    pool->state.options = config->flags & POOL_F_LIFO ? AP_OPTION_LIFO : 0;
    pool->state.ages.lifetime = ap__ticks(config->max_lifetime_ms);
    pool->state.ages.jitter = ap__jitter_ticks(config->lifetime_jitter_ms);
    pool->state.ages.max_uses = config->max_uses;
    pool->state.ages.idle_timeout = ap__ticks(config->idle_timeout_ms);
    pool->state.ages.check_after = ap__ticks(config->check_after_ms);
    /* Who acquires is dated by a clock that may be so much behind, and nothing shall be told too early. */
    enum { BEHIND_MS = 10 };
    pool->state.ages.leak_after = config->leak_after_ms ? ap__ticks(config->leak_after_ms) + ap__ticks(BEHIND_MS) : 0;
    pool->state.ages.timed = config->flags & POOL_F_TIMED || config->leak_after_ms;
    pool->state.min_idle = config->min_idle;
    ap__tick(&pool->state, ap__now());
    pool->state.breaker.limit = config->recovering_limit;
    pool->state.max_waiting = config->max_waiting;
    pool->state.behind = config->flags & POOL_F_CREATE_BEHIND ? 1 : 0;
    pool->state.patience.retry = (int64_t)config->create_retry_ms * 1000000;
    pool->state.patience.longest =
        config->create_retry_max_ms ? (int64_t)config->create_retry_max_ms * 1000000 : 32 * pool->state.patience.retry;
    if (config->scheduler)
        pool->scheduler = *config->scheduler;
    pool->state.asks = ap__config_asks(config);
    pool->sweep.interval_ns = (int64_t)ap__config_interval(config) * 1000000;
    if (config->name)
        copy_name(pool->name, sizeof pool->name, config->name);
    /* Without the kernel's randomness the seed is weaker, and lookups still right. */
    uint64_t *seed = pool->state.registry.seed;
    /* Not getrandom(), which is a cancellation point. */
    if (syscall(SYS_getrandom, seed, 2 * sizeof *seed, GRND_NONBLOCK) != 2 * sizeof *seed) {
        seed[0] = (uint64_t)ap__now();
        seed[1] = (uintptr_t)pool * 0x9e3779b97f4a7c15u;
    }
    memcpy(pool->seed, seed, sizeof pool->seed);
    pool->state.patience.random = (seed[0] ^ seed[1]) | 1;
    if (!ap__go_new(pool)) {
        ap__dealloc(pool);
        return NULL;
    }
    pool->noted = pool->state.gate & AP_GATE_AGES;
    pool->state.prompt = 0; /* the first pass is at once anyhow */
    pool->magic = ap__magic(AP_POOL_MAGIC, pool);
    ap__born();
    ap__pools_add(pool);
    return pool;
}

static void drop(ap_pool_t **unfinished)
{
    if (*unfinished)
        pool_unref(&(*unfinished)->pub);
}

/* A loop that is to make what callers wait for is there from the beginning: nothing fails then for want of it. */
static bool has_loop(ap_pool_t *pool)
{
    const uint32_t both = POOL_F_REACTOR | POOL_F_CREATE_BEHIND;
    pool_reactor_t *reactor = (pool->flags & both) == both ? ap__reactor_of(pool) : NULL;
    if (reactor)
        ap__reactor_unref(reactor);
    return (pool->flags & both) != both || reactor;
}

/* Creates the first resources and starts the healthchecks. */
static pool_status_t fill(ap_pool_t *pool, ap_error_t *error)
{
    if (!has_loop(pool))
        return POOL_ERR_NOMEM;
    bool lazy = pool->flags & POOL_F_LAZY_MIN;
    if (pool->pub.min_size > 0 && !lazy && !(pool->flags & POOL_F_HOST_DRIVEN)) {
        ap_op_t op;
        ap__op_init(&op, pool, AP_KIND_FILL, NULL, AP_NEVER);
        pool_status_t status = ap__drive(&op, NULL, error);
        if (status != POOL_OK)
            return status;
    }
    if (pool->sweep.interval_ns == 0)
        return POOL_OK;
    return ap__sweeper_start(pool) ? POOL_OK : POOL_ERR_NOMEM; /* a pass may have freed it since */
}

static pool_status_t create_pool(const char *function, const pool_config_t *config, pool_t **out)
{
    const char *wrong = ap__config_check(config);
    ap_pool_t *pool = wrong || ap__forked ? NULL : allocate(config);
    if (!pool) {
        ap__hooks_dispose_given(config);
        AP_REFUSE_FORKED(function);
        return wrong ? ap__fail(POOL_ERR_INVALID, function, wrong)
                     : ap__fail(POOL_ERR_NOMEM, function, pool_strerror(POOL_ERR_NOMEM));
    }
    /* Also if the thread is unwound out of the factory: nobody else has the handle then. */
    ap_pool_t *unfinished __attribute__((cleanup(drop))) = pool;
    ap_error_t error = {.set = false};
    pool_status_t status = fill(pool, &error);
    if (status != POOL_OK)
        return ap__fail_op(status, config->name ? config->name : "", &error);
    unfinished = NULL;
    *out = &pool->pub;
    ap__remark(function, ap__config_remark(config));
    return POOL_OK;
}

static pool_status_t create(const char *function, const pool_config_t *given, pool_t **out)
{
    pool_config_t config;
    *out = NULL;
    const char *wrong = ap__config_read(given, &config);
    if (wrong)
        return ap__fail(POOL_ERR_INVALID, function, wrong);
    return create_pool(function, &config, out);
}

pool_status_t pool_create_ex(const pool_config_t *config, pool_t **out)
{
    pool_config_t copy;
    if (out)
        return create("pool_create_ex", config, out);
    if (!ap__config_read(config, &copy))
        ap__hooks_dispose_given(&copy);
    return ap__fail(POOL_ERR_INVALID, "pool_create_ex", "out is NULL");
}

pool_t *pool_create_internal(pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck,
                             pool_before_acquire_fn before_acquire, pool_before_release_fn before_release,
                             uint32_t min_size, uint32_t max_size, uint32_t healthcheck_interval_ms)
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

pool_t *pool_create(pool_fcall_t *factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck,
                    pool_fcall_t *before_acquire, pool_fcall_t *before_release, uint32_t min_size, uint32_t max_size,
                    uint32_t healthcheck_interval_ms)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.factory_fcall = factory;
    config.destructor_fcall = destructor;
    config.healthcheck_fcall = healthcheck;
    config.before_acquire_fcall = before_acquire;
    config.before_release_fcall = before_release;
    config.min_size = min_size;
    config.max_size = max_size;
    config.healthcheck_interval_ms = healthcheck_interval_ms;
    create("pool_create", &config, &pool);
    return pool;
}

/* This library by lease: pool_acquire_lease() and pool_release_lease(), whose lease a thread keeps for what it holds. */
#include <asyncpool/pool.h>

static const char bench_name[] = "asyncpool by lease";
typedef pool_t bench_pool;
static __thread pool_lease_t held;

static bool make_resource(pool_t *p, void **out)
{
    resource **next = p->user_data;
    *out = (*next)++;
    return true;
}
static bench_pool *bench_new(int max, resource *r)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *p;
    config.factory = make_resource;
    config.user_data = &r; /* all resources are made before pool_create_ex() returns */
    config.min_size = config.max_size = (uint32_t)max;
    if (pool_create_ex(&config, &p))
        DIE("pool setup failed");
    return p;
}
static inline resource *bench_acquire(bench_pool *p)
{
    if (pool_acquire_lease(p, &held, 0))
        DIE("acquire failed");
    return held.resource;
}
static inline void bench_release(bench_pool *p, resource *r)
{
    (void)r;
    if (pool_release_lease(p, &held))
        DIE("release failed");
}

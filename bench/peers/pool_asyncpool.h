/* This library: strict order, ownership checked, one pool_acquire() and one pool_release() a cycle, as a user writes them. */
#include <asyncpool/pool.h>

static const char bench_name[] = "asyncpool";
typedef pool_t bench_pool;

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
    void *r;
    if (pool_acquire(p, &r, 0))
        DIE("acquire failed");
    return r;
}
static inline void bench_release(bench_pool *p, resource *r)
{
    if (pool_release(p, r))
        DIE("release failed");
}

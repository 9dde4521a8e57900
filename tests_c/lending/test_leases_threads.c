/*
 * Leases of many threads (P46): whoever keeps one that has ended never ends the lend of somebody else with it, however it
 * is tried and whatever else goes on.
 */
#include "fixture.h"

enum { THREADS = 8, PLACES = 3, CYCLES = 24000 / CHECK_SLOWDOWN, FAR_MS = 3600000 };

static pool_t *pool;
static atomic_int left;

static void stale(const pool_lease_t *lease)
{
    CHECK_STATUS(pool_release_lease(pool, lease), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_discard_lease(pool, lease), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_detach_lease(pool, lease), POOL_ERR_NOT_OWNED);
}

static void *cycle(void *arg)
{
    pool_lease_t old = {NULL, 0};
    for (unsigned i = (unsigned)(intptr_t)arg; atomic_fetch_sub(&left, 1) > 0; i++) {
        pool_lease_t lease;
        CHECK_STATUS(pool_acquire_lease(pool, &lease, i % 2 ? FAR_MS : 0), POOL_OK);
        fx_resource *r = lease.resource;
        if (atomic_exchange(&r->owned, 1))
            check_fail(__FILE__, __LINE__, "resource %d is lent twice", r->id);
        stale(&old);
        atomic_store(&r->owned, 0);
        if (i % 7 == 0)
            CHECK_STATUS(pool_discard_lease(pool, &lease), POOL_OK);
        else if (i % 3 == 0)
            CHECK_STATUS(pool_release(pool, r), POOL_OK);
        else
            CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
        stale(&lease);
        old = lease;
    }
    return NULL;
}

static void play(void)
{
    pthread_t threads[THREADS];
    atomic_store(&left, CYCLES);
    for (intptr_t i = 0; i < THREADS; i++)
        threads[i] = check_thread(cycle, (void *)i);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_COUNTS(pool, s.idle, 0, 0);
    CHECK_INT(s.idle, fx_live());
    CHECK(fx.peak > 0 && fx.peak <= PLACES); /* the last ones may all have been discarded, or worn out */
    fx_finish(pool);
}

TEST(p46_threads_end_nothing_by_leases_that_have_ended)
{
    fx.quiet = true;
    pool = fx_pool(0, 0, PLACES);
    play();
}

TEST(p46_threads_end_nothing_by_leases_that_have_ended_with_hooks)
{
    fx.quiet = true;
    pool = fx_pool(FX_WITH_ALL, 0, PLACES);
    play();
}

TEST(p46_threads_end_nothing_by_leases_that_have_ended_while_resources_wear_out)
{
    pool_config_t config = POOL_CONFIG_INIT;
    fx.quiet = true;
    pool_t *model = fx_pool(0, 0, 1); /* which has the hooks */
    config.factory = model->factory.internal;
    config.destructor = model->destructor.internal;
    config.max_size = PLACES;
    config.max_uses = 20;
    config.max_lifetime_ms = config.idle_timeout_ms = config.healthcheck_interval_ms = FAR_MS;
    config.flags = POOL_F_LIFO;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_unref(model);
    play();
}

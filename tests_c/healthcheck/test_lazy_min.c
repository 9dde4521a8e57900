/* A pool whose creation makes nothing (POOL_F_LAZY_MIN, P87): a pass does, at once. */
#include "loop.h"

static pthread_t creator;
static atomic_int by_creator;
static atomic_bool up; /* the service */

static pool_t *lazy(uint32_t min, uint32_t flags)
{
    pool_config_t config = loop_config(0, min, 3);
    config.flags = POOL_F_LAZY_MIN | flags;
    creator = pthread_self();
    return loop_pool_of(&config);
}

static bool look_who(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    atomic_fetch_add(&by_creator, pthread_equal(pthread_self(), creator) != 0);
    return true;
}

static bool when_up(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    return up;
}

/* Shows P87. */
TEST(the_minimum_is_made_by_a_thread_of_the_library)
{
    fx.script[FX_FACTORY] = look_who;
    pool_t *pool = lazy(2, 0);
    WAIT_FOR(pool_idle_count(pool) == 2);
    CHECK_INT(by_creator, 0);
    fx_finish(pool);
}

/* Shows P87. */
TEST(a_service_that_is_down_does_not_fail_the_creation)
{
    fx.script[FX_FACTORY] = when_up;
    pool_t *pool = lazy(2, 0);
    WAIT_FOR(fx.calls[FX_FACTORY] == 1);
    CHECK_INT(pool_idle_count(pool), 0);
    atomic_store(&up, true);
    WAIT_FOR(pool_idle_count(pool) == 2); /* by a later pass */
    fx_finish(pool);
}

/* Shows P87. */
TEST(the_loop_makes_the_minimum)
{
    pool_t *pool = lazy(2, POOL_F_REACTOR);
    CHECK_INT(fx_calls(), 0);
    CHECK(loop_readable(pool_fd(pool)));
    loop_drain(pool);
    CHECK_COUNTS(pool, 2, 0, 0);
    fx_finish(pool);
}

/* Shows P87. */
TEST(a_raised_minimum_is_made_though_there_was_none)
{
    pool_t *pool = lazy(0, 0);
    CHECK_STATUS(pool_resize(pool, 1, 3), POOL_OK);
    WAIT_FOR(pool_idle_count(pool) == 1);
    fx_finish(pool);
}

/* Shows P87, P07. */
TEST(a_host_fills_its_pool_itself)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = NULL;
    config.flags = POOL_F_HOST_DRIVEN | POOL_F_LAZY_MIN;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool_op_fill()");
    CHECK_PTR(pool, NULL);
}

/* pool_time_left_ms(): what is left, inside a hook, of the time of its caller. Each case shows P64. */
#include "loop.h"

enum { HOUR_MS = 3600000 };

#define NO_END INT64_MAX

static int64_t seen[FX_HOOKS][8]; /* by hook and call */

static void look(pool_t *pool, fx_hook hook, int call)
{
    CHECK(call >= 1 && call <= 8);
    seen[hook][call - 1] = pool_time_left_ms(pool);
}

#define LOOK(name, hook)                                     \
    static bool name(pool_t *pool, fx_resource *r, int call) \
    {                                                        \
        (void)r;                                             \
        look(pool, hook, call);                              \
        return true;                                         \
    }
LOOK(factory, FX_FACTORY)
LOOK(destructor, FX_DESTRUCTOR)
LOOK(healthcheck, FX_HEALTHCHECK)
LOOK(before_release, FX_BEFORE_RELEASE)

/* Refuses the first. */
static bool before_acquire(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    look(pool, FX_BEFORE_ACQUIRE, call);
    return call > 1;
}

static pool_t *looking_pool(uint32_t min, uint32_t max)
{
    static const fx_script scripts[FX_HOOKS] = {factory, destructor, healthcheck, before_acquire, before_release};
    memcpy(fx.script, scripts, sizeof scripts);
    return loop_pool(FX_WITH_ALL, min, max);
}

#define CHECK_WITHIN(ms) CHECK((ms) > 0 && (ms) <= HOUR_MS)

TEST(hooks_of_an_acquire_see_its_deadline)
{
    pool_t *pool = looking_pool(1, 2);
    pool_status_t status;
    CHECK(seen[FX_FACTORY][0] == NO_END); /* of the first resources */
    fx_resource *r = fx_acquire(pool, HOUR_MS, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1) factory(2)");
    CHECK_WITHIN(seen[FX_BEFORE_ACQUIRE][0]);
    CHECK_WITHIN(seen[FX_DESTRUCTOR][0]);
    CHECK_WITHIN(seen[FX_FACTORY][1]);
    CHECK(seen[FX_FACTORY][1] <= seen[FX_DESTRUCTOR][0] && seen[FX_DESTRUCTOR][0] <= seen[FX_BEFORE_ACQUIRE][0]);
    CHECK(pool_time_left_ms(pool) == NO_END); /* outside */
    fx_give(pool, r);
    CHECK(seen[FX_BEFORE_RELEASE][0] == NO_END);
    fx_finish(pool);
    CHECK(seen[FX_DESTRUCTOR][1] == NO_END);
}

TEST(who_waits_for_ever_or_not_at_all_has_no_end)
{
    pool_t *pool = looking_pool(0, 2);
    pool_status_t status;
    fx_resource *r = fx_take(pool), *other = fx_try(pool, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK(seen[FX_FACTORY][0] == NO_END && seen[FX_FACTORY][1] == NO_END);
    fx_give(pool, r);
    fx_give(pool, other);
    fx_give(pool, fx_take(pool));
    CHECK(seen[FX_BEFORE_ACQUIRE][0] == NO_END && seen[FX_BEFORE_ACQUIRE][1] == NO_END);
    CHECK(seen[FX_BEFORE_RELEASE][2] == NO_END);
    fx_finish(pool);
}

TEST(a_pass_has_no_end)
{
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 1, 1);
    config.healthcheck_interval_ms = 1;
    fx.quiet = true;
    fx.script[FX_HEALTHCHECK] = fx_refuse;
    fx.script[FX_FACTORY] = factory;
    pool_t *pool = loop_pool_of(&config);
    WAIT_FOR(fx.calls[FX_FACTORY] > 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK(seen[FX_FACTORY][1] == NO_END);
    pool_unref(pool);
}

static bool until_it_is_over(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    int64_t left = pool_time_left_ms(pool);
    CHECK(left >= 0 && left <= 20);
    while (left > 0) {
        int64_t later = pool_time_left_ms(pool);
        CHECK(later <= left);
        left = later;
    }
    return call > 1;
}

TEST(it_is_0_once_the_deadline_has_passed)
{
    pool_t *pool = fx_pool(0, 0, 1);
    pool_status_t status;
    fx.script[FX_FACTORY] = until_it_is_over;
    CHECK(fx_acquire(pool, 20, &status) == NULL);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    fx_resource *r = fx_acquire(pool, 20, &status);
    CHECK_STATUS(status, POOL_OK); /* late, and lent all the same */
    fx_give(pool, r);
    fx_finish(pool);
}

static pool_t *inner;
static int64_t of_outer_in_inner, of_inner_in_outer;

static bool nested(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    pool_t *outer = inner->wrapper;
    if (pool == inner) {
        CHECK(pool_time_left_ms(inner) == NO_END);
        of_outer_in_inner = pool_time_left_ms(outer);
        return true;
    }
    fx_give(inner, fx_take(inner));
    of_inner_in_outer = pool_time_left_ms(inner);
    CHECK_WITHIN(pool_time_left_ms(outer));
    return true;
}

TEST(each_pool_has_the_deadline_of_its_own_hook)
{
    pool_t *outer = fx_pool(0, 0, 1);
    pool_status_t status;
    inner = fx_pool(0, 0, 1);
    inner->wrapper = outer;
    fx.script[FX_FACTORY] = nested;
    fx_resource *r = fx_acquire(outer, HOUR_MS, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_WITHIN(of_outer_in_inner);
    CHECK(of_inner_in_outer == NO_END);
    fx_give(outer, r);
    pool_unref(inner);
    fx_finish(outer);
}

TEST(a_loop_that_runs_the_hooks_has_the_deadline_of_the_op)
{
    pool_t *pool = looking_pool(0, 2);
    told a = {0}, b = {0};
    loop_acquire(pool, &a, HOUR_MS);
    loop_acquire(pool, &b, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    CHECK_WITHIN(seen[FX_FACTORY][0]);
    CHECK(seen[FX_FACTORY][1] == NO_END);
    loop_give(&a);
    loop_give(&b);
    fx_finish(pool);
}

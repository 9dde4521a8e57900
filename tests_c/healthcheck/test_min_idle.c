/*
 * So many are kept idle (min_idle), beyond what is lent. The interval of these pools is longer than any test, so each
 * pass but the first one is one that was prompted.
 */
#include "fixture.h"

static pool_config_t keeping(uint32_t min_idle, uint32_t max)
{
    pool_t *model = fx_pool(0, 0, 1); /* which has the hooks */
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = model->factory.internal;
    config.destructor = model->destructor.internal;
    config.healthcheck_interval_ms = UINT32_MAX;
    config.min_idle = min_idle;
    config.max_size = max;
    pool_unref(model);
    return config;
}

static pool_t *created(const pool_config_t *config)
{
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(config, &pool), POOL_OK);
    return pool;
}

static bool looped; /* the passes of the pool run on a loop, which is this thread's */

/* Waits until so many are idle. */
#define IDLE(pool, n) WAIT_FOR((looped ? (void)pool_dispatch(pool) : (void)0, pool_idle_count(pool) == (n)))

static void kept(uint32_t flags)
{
    pool_config_t config = keeping(2, 5);
    config.flags |= flags;
    looped = flags & POOL_F_REACTOR;
    pool_t *pool = created(&config);
    fx_resource *r[5];
    IDLE(pool, 2); /* made by the first pass, which is at once */
    r[0] = fx_take(pool);
    IDLE(pool, 2);
    CHECK_COUNTS(pool, 2, 1, 0);
    r[1] = fx_take(pool);
    r[2] = fx_take(pool);
    IDLE(pool, 2);
    CHECK_COUNTS(pool, 2, 3, 0);
    r[3] = fx_take(pool);
    r[4] = fx_take(pool);
    CHECK_COUNTS(pool, 0, 5, 0); /* max_size allows no more */
    CHECK_STATUS(pool_discard(pool, r[4]), POOL_OK);
    IDLE(pool, 1);
    CHECK_COUNTS(pool, 1, 4, 0);
    for (int i = 0; i < 4; i++)
        fx_give(pool, r[i]);
    CHECK_COUNTS(pool, 5, 0, 0);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    IDLE(pool, 2);
    CHECK_STATUS(pool_resize(pool, 0, 1), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_resize(pool, 0, 3), POOL_OK);
    IDLE(pool, 2);
    fx_finish(pool);
}

TEST(p45_so_many_are_kept_idle) { kept(0); }
TEST(p45_so_many_are_kept_idle_by_a_loop) { kept(POOL_F_REACTOR); }
TEST(p45_so_many_are_kept_idle_where_what_came_back_last_is_lent_first) { kept(POOL_F_LIFO); }

TEST(p45_so_many_are_kept_idle_where_what_is_waited_for_is_made_behind) { kept(POOL_F_CREATE_BEHIND); }
TEST(p45_so_many_are_kept_idle_where_a_loop_makes_both) { kept(POOL_F_CREATE_BEHIND | POOL_F_REACTOR); }

TEST(p45_every_way_of_lending_prompts_a_pass)
{
    pool_config_t config = keeping(1, 20);
    pool_t *pool = created(&config);
    void *r[4];
    IDLE(pool, 1);
    CHECK_STATUS(pool_try_acquire(pool, &r[0]), POOL_OK);
    IDLE(pool, 1);
    CHECK_STATUS(pool_acquire(pool, &r[1], 1000), POOL_OK);
    IDLE(pool, 1);
    r[2] = pool_take(pool);
    IDLE(pool, 1);
    CHECK_STATUS(pool_acquire(pool, &r[3], 0), POOL_OK);
    IDLE(pool, 1);
    CHECK_COUNTS(pool, 1, 4, 0);
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(pool_release(pool, r[i]), POOL_OK);
    fx_finish(pool);
}

TEST(p45_without_another_interval_the_first_pass_is_at_once)
{
    pool_config_t config = keeping(3, 3);
    config.healthcheck_interval_ms = 0;
    config.min_size = 1;
    pool_t *pool = created(&config);
    CHECK(fx.created >= 1); /* min_size is there before anybody has the pool */
    IDLE(pool, 3);
    fx_finish(pool);
}

/* A pass whose factory fails prompts none. */
TEST(p45_after_a_factory_has_failed_a_pass_comes_when_fewer_are_idle_again)
{
    pool_config_t config = keeping(1, 4);
    fx.script[FX_FACTORY] = fx_refuse_first;
    pool_t *pool = created(&config);
    WAIT_FOR(fx.calls[FX_FACTORY] > 0);
    fx_resource *r = fx_take(pool); /* it makes its own */
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    fx_give(pool, r);
    r = fx_take(pool);
    IDLE(pool, 1);
    fx_give(pool, r);
    fx_finish(pool);
}

/* ---- passes of a host ---- */

static pool_t *hosted(pool_config_t config)
{
    config.flags |= POOL_F_HOST_DRIVEN;
    config.factory = NULL;
    config.destructor = NULL;
    config.healthcheck_interval_ms = 0;
    config.asks = POOL_ASKS_DESTROY;
    return created(&config);
}

/* Runs a pass; how many it made, and destroyed. */
static int pass(pool_t *pool, int64_t now_ns, int *destroyed)
{
    static uintptr_t words = 1;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    int made = *destroyed = 0;
    answer.ok = true;
    answer.now_ns = now_ns;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    while (pool_op_next(&op, &answer, &ask) != POOL_ASK_DONE) {
        made += ask.kind == POOL_ASK_CREATE;
        *destroyed += ask.kind == POOL_ASK_DESTROY;
        answer.resource = (void *)words++;
    }
    CHECK_STATUS(ask.status, POOL_OK);
    return made;
}

TEST(p45_a_host_has_its_own_passes_make_them)
{
    pool_t *pool = hosted(keeping(2, 4));
    void *r[3];
    int destroyed;
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(pass(pool, 0, &destroyed), 2);
    r[0] = pool_take(pool);
    CHECK_INT(pass(pool, 0, &destroyed), 1);
    r[1] = pool_take(pool);
    r[2] = pool_take(pool);
    CHECK_INT(pass(pool, 0, &destroyed), 1); /* max_size allows no more */
    CHECK_COUNTS(pool, 1, 3, 0);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(pool_release(pool, r[i]), POOL_OK);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(p45_what_is_idle_for_long_goes_but_not_below_it)
{
    enum { SECOND = 1000000000 };
    pool_config_t config = keeping(2, 6);
    config.idle_timeout_ms = 1000;
    pool_t *pool = hosted(config);
    void *r[6];
    int destroyed;
    for (int i = 0; i < 6; i++) {
        CHECK_INT(pass(pool, 0, &destroyed), i == 0 ? 2 : i < 5 ? 1 : 0);
        r[i] = pool_take(pool);
    }
    for (int i = 0; i < 6; i++)
        CHECK_STATUS(pool_release(pool, r[i]), POOL_OK);
    CHECK_INT(pass(pool, SECOND, &destroyed), 0);
    CHECK_INT(destroyed, 0);
    CHECK_INT(pass(pool, (int64_t)3 * SECOND, &destroyed), 0); /* or it would make them again */
    CHECK_INT(destroyed, 4);
    CHECK_COUNTS(pool, 2, 0, 0);
    r[0] = pool_take(pool);
    CHECK_INT(pass(pool, (int64_t)9 * SECOND, &destroyed), 1);
    CHECK_INT(destroyed, 0);
    CHECK_STATUS(pool_release(pool, r[0]), POOL_OK);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* ---- what makes no pool ---- */

static void refused(const pool_config_t *config, const char *words)
{
    pool_t *pool;
    char text[200];
    CHECK_STATUS(pool_create_ex(config, &pool), POOL_ERR_INVALID);
    CHECK_PTR(pool, NULL);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_INVALID);
    if (!strstr(text, words))
        CHECK_STR(text, words);
}

TEST(p45_more_than_there_are_places_makes_no_pool)
{
    pool_config_t config = keeping(3, 2);
    refused(&config, "min_idle is above max_size");
    config.min_idle = UINT32_MAX;
    refused(&config, "min_idle is above max_size");
    config.struct_size = offsetof(pool_config_t, min_idle); /* of a caller that knows none */
    pool_t *pool;
    config.healthcheck_interval_ms = 0;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    fx_finish(pool);
}

/*
 * How long resources live: max_lifetime_ms, lifetime_jitter_ms, max_uses, pool_resource_info(). The clock of a pool is
 * set by whoever answers an op with a time, so the tests say what time it is, in steps that no test takes.
 */
#include "fixture.h"

#include <time.h>

enum { LIFETIME_MS = 100000, SLACK_MS = LIFETIME_MS / 10 }; /* which is more than a test takes */

static int64_t now_ns; /* what the pool was told last */

static pool_config_t limited(uint32_t lifetime_ms, uint32_t jitter_ms, uint32_t uses)
{
    pool_config_t config = POOL_CONFIG_INIT;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    now_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    config.max_lifetime_ms = lifetime_ms;
    config.lifetime_jitter_ms = jitter_ms;
    config.max_uses = uses;
    return config;
}

/* A pool of fixture resources with these limits. */
static pool_t *aging(unsigned hooks, uint32_t max, uint32_t lifetime_ms, uint32_t uses)
{
    pool_t *model = fx_pool(hooks, 0, max), *pool; /* which has the hooks */
    pool_config_t config = limited(lifetime_ms, 0, uses);
    config.max_size = max;
    config.healthcheck_interval_ms = lifetime_ms ? UINT32_MAX : 0; /* no pass of its own */
    config.factory = model->factory.internal;
    config.destructor = model->destructor.internal;
    config.before_acquire = model->before_acquire.internal;
    config.before_release = model->before_release.internal;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_unref(model);
    return pool;
}

/* Answers an op that needs nothing, at this time later. */
static void time_passes(pool_t *pool, int64_t ms)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.now_ns = now_ns += ms * 1000000;
    CHECK_STATUS(pool_op_fill(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
}

static pool_resource_info_t info_of(pool_t *pool, void *resource)
{
    pool_resource_info_t info = {.struct_size = sizeof info, .age_ms = 77, .idle_ms = 77, .uses = 77};
    CHECK_STATUS(pool_resource_info(pool, resource, &info), POOL_OK);
    CHECK_PTR(info.tag, NULL);
    return info;
}

/* So many were destroyed for each of these reasons, and for no other. */
static void check_gone(pool_t *pool, uint64_t lifetime, uint64_t idle, uint64_t uses)
{
    pool_stats_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_stats(pool, &s), POOL_OK);
    CHECK_INT(s.destroyed_lifetime, lifetime);
    CHECK_INT(s.destroyed_idle, idle);
    CHECK_INT(s.destroyed_uses, uses);
    CHECK_INT(s.destroyed, lifetime + idle + uses);
    CHECK_INT(s.created, s.destroyed + s.count);
}

/* ---- uses ---- */

TEST(p43_what_was_lent_so_often_is_destroyed_when_it_comes_back)
{
    pool_t *pool = aging(0, 2, 0, 3);
    for (int id = 1; id <= 3; id++) {
        for (int use = 1; use <= 3; use++) {
            fx_resource *r = fx_take(pool);
            CHECK_INT(r->id, id);
            CHECK_INT(info_of(pool, r).uses, use);
            CHECK_INT(fx.destroyed, id - 1);
            fx_give(pool, r);
        }
        CHECK_INT(fx.destroyed, id);
        CHECK_COUNTS(pool, 0, 0, 0);
    }
    check_gone(pool, 0, 0, 3);
    char text[8192];
    CHECK(pool_metrics(text, sizeof text) < sizeof text);
    CHECK(strstr(text, "reason=\"uses\"} 3\n") != NULL);
    fx_finish(pool);
}

TEST(p43_each_is_lent_once_where_that_is_the_limit)
{
    pool_t *pool = aging(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 1, 0, 1);
    fx_give(pool, fx_take(pool));
    fx_give(pool, fx_take(pool));
    CHECK_STR(fx_log(), "factory(1) before_release(1) destructor(1) factory(2) before_release(2) destructor(2)");
    fx_finish(pool);
}

TEST(p43_who_waits_gets_the_place_of_what_is_used_up)
{
    pool_t *pool = aging(0, 1, 0, 1);
    fx_caller caller;
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&caller, pool, 0);
    fx_give(pool, r);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_OK);
    CHECK_INT(caller.got->id, 2);
    fx_give(pool, caller.got);
    CHECK_INT(fx.destroyed, 2);
    fx_finish(pool);
}

/* ---- age ---- */

TEST(p43_what_is_too_old_is_destroyed_by_who_meets_it_and_nobody_is_asked_about_it)
{
    pool_t *pool = aging(FX_WITH_ACQUIRE, 3, LIFETIME_MS, 0);
    fx_resource *r[3] = {fx_take(pool), fx_take(pool)};
    time_passes(pool, LIFETIME_MS / 2);
    r[2] = fx_take(pool);
    for (int i = 0; i < 3; i++)
        fx_give(pool, r[i]);
    fx_log_clear();
    fx_give(pool, fx_take(pool)); /* 1 is young enough */
    CHECK_STR(fx_log(), "before_acquire(1)");
    time_passes(pool, LIFETIME_MS / 2 + SLACK_MS);
    fx_log_clear();
    fx_resource *young = fx_take(pool);
    CHECK_INT(young->id, 3);
    CHECK_STR(fx_log(), "destructor(2) before_acquire(3)");
    fx_log_clear();
    fx_resource *made = fx_take(pool); /* 1 is too old as well */
    CHECK_INT(made->id, 4);
    CHECK_STR(fx_log(), "destructor(1) factory(4)");
    fx_give(pool, young);
    fx_give(pool, made);
    CHECK_COUNTS(pool, 2, 0, 0);
    check_gone(pool, 2, 0, 0);
    fx_finish(pool);
}

TEST(p43_a_lend_that_lasts_is_not_ended_and_what_comes_back_is_asked_about_and_destroyed)
{
    pool_t *pool = aging(FX_WITH_RELEASE, 1, LIFETIME_MS, 0);
    fx_resource *r = fx_take(pool);
    time_passes(pool, 2 * LIFETIME_MS);
    CHECK_INT(r->destroyed, 0);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_log_clear();
    fx_give(pool, r);
    CHECK_STR(fx_log(), "before_release(1) destructor(1)");
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(p43_a_promised_resource_that_grows_too_old_is_replaced_by_who_comes_for_it)
{
    pool_config_t config = limited(LIFETIME_MS, 0, 0);
    pool_t *pool;
    pool_op_t op, waits;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_DESTROY;
    config.max_size = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    answer.ok = true;
    answer.resource = (void *)1;
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(pool_op_acquire(pool, &waits, 0), POOL_OK);
    CHECK_INT(pool_op_next(&waits, NULL, &ask), POOL_ASK_WAIT);
    CHECK_PTR(pool_hand_on(pool, (void *)1), &waits);
    time_passes(pool, LIFETIME_MS + SLACK_MS);
    CHECK_PTR(pool_op_take(&waits), NULL); /* it takes a step */
    CHECK_INT(pool_op_next(&waits, &answer, &ask), POOL_ASK_DESTROY);
    CHECK_PTR(ask.resource, (void *)1);
    CHECK_INT(pool_op_next(&waits, &answer, &ask), POOL_ASK_CREATE);
    answer.resource = (void *)2;
    CHECK_INT(pool_op_next(&waits, &answer, &ask), POOL_ASK_DONE);
    CHECK_PTR(ask.resource, (void *)2);
    CHECK_STATUS(pool_release(pool, (void *)2), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* ---- passes ---- */

/* A pass of a pool whose host makes words; how many were destroyed, and how many made. */
static int pass(pool_t *pool, int64_t ms_later, int *made)
{
    static uintptr_t words = 1000000;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    int destroyed = 0;
    *made = 0;
    answer.ok = true;
    answer.now_ns = now_ns += ms_later * 1000000;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    while (pool_op_next(&op, &answer, &ask) != POOL_ASK_DONE) {
        destroyed += ask.kind == POOL_ASK_DESTROY;
        *made += ask.kind == POOL_ASK_CREATE;
        answer.resource = (void *)words++;
    }
    CHECK_STATUS(ask.status, POOL_OK);
    return destroyed;
}

/* A host-driven pool with so many idle ones. */
static pool_t *stocked(pool_config_t config, int n)
{
    pool_t *pool;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    config.flags |= POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_DESTROY;
    config.max_size = (uint32_t)n;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    answer.ok = true;
    for (int i = 1; i <= n; i++) {
        CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
        answer.resource = (void *)(uintptr_t)i;
        CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    }
    for (int i = 1; i <= n; i++)
        CHECK_STATUS(pool_release(pool, (void *)(uintptr_t)i), POOL_OK);
    return pool;
}

TEST(p43_a_pass_destroys_all_that_is_too_old_and_makes_what_is_missing_again)
{
    for (uint32_t flags = 0; flags <= POOL_F_LIFO; flags += POOL_F_LIFO) {
        enum { MANY = 1000 };
        int made;
        pool_config_t config = limited(LIFETIME_MS, 0, 0);
        config.flags = flags;
        config.min_size = 10;
        pool_t *pool = stocked(config, MANY);
        CHECK_INT(pass(pool, LIFETIME_MS / 2, &made), 0);
        CHECK_INT(made, 0);
        void *held = pool_take(pool);
        CHECK_INT((uintptr_t)held, flags ? MANY : 1); /* the order is as it was */
        CHECK_INT(pass(pool, LIFETIME_MS / 2 + SLACK_MS, &made), MANY - 1);
        CHECK_INT(made, 9);
        CHECK_COUNTS(pool, 9, 1, 0);
        check_gone(pool, MANY - 1, 0, 0);
        CHECK_STATUS(pool_release(pool, held), POOL_PENDING); /* it is to be destroyed */
        pool_op_t op;
        pool_ask_t ask = POOL_ASK_INIT;
        CHECK_STATUS(pool_op_release(pool, &op, held), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DESTROY);
        CHECK_PTR(ask.resource, held);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
        check_gone(pool, MANY, 0, 0);
        pool_unref(pool);
        CHECK_INT(pool_debug_live(), 0);
    }
}

/* Of a thousand that were made at once, no tenth of the time loses more than a fifth. */
TEST(p43_what_was_made_at_once_does_not_go_at_once)
{
    enum { MANY = 1000, TENTHS = 10 };
    int made, gone = 0;
    pool_t *pool = stocked(limited(LIFETIME_MS, LIFETIME_MS, 0), MANY);
    for (int tenth = 1; tenth <= TENTHS; tenth++) {
        int now = pass(pool, LIFETIME_MS / TENTHS, &made);
        CHECK(now > MANY / TENTHS / 3 && now < MANY / 5);
        gone += now;
    }
    gone += pass(pool, SLACK_MS, &made);
    CHECK_INT(gone, MANY);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* One step of an op of a host that says what time it is. */
static pool_ask_kind_t next_at(pool_op_t *op, int64_t at_ns, void *made)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = made != NULL;
    answer.resource = made;
    answer.now_ns = at_ns;
    return pool_op_next(op, &answer, &ask);
}

/* The random part of a lifetime makes it no shorter than that: a tick is 4 ms, and such a part less. */
TEST(p43_none_is_too_old_before_its_time_for_a_small_random_part)
{
    int word = 0;
    for (uint32_t lifetime_ms = 100; lifetime_ms < 110; lifetime_ms++)
        for (int i = 0; i < 32; i++) {
            pool_config_t config = limited(lifetime_ms, 1, 0);
            pool_t *pool;
            pool_op_t op;
            int64_t born = (int64_t)(1000 + i) << 32;
            born -= 1; /* the end of a tick */
            config.flags = POOL_F_HOST_DRIVEN;
            CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
            CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
            CHECK_INT(next_at(&op, born, NULL), POOL_ASK_CREATE);
            CHECK_INT(next_at(&op, born, &word), POOL_ASK_DONE);
            CHECK_STATUS(pool_op_release(pool, &op, &word), POOL_OK);
            CHECK_INT(next_at(&op, born, NULL), POOL_ASK_DONE);
            CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
            CHECK_INT(next_at(&op, born + (lifetime_ms - 1) * INT64_C(1000000) - 1, NULL), POOL_ASK_DONE);
            CHECK_STATUS(pool_op_discard(pool, &op, &word), POOL_OK);
            CHECK_INT(next_at(&op, born, NULL), POOL_ASK_DONE);
            pool_unref(pool);
        }
}

/* The library's own threads have passes for it, without a healthcheck. */
TEST(p43_what_lies_idle_goes_by_itself_and_is_made_again)
{
    for (uint32_t flags = 0; flags <= POOL_F_REACTOR; flags += POOL_F_REACTOR) {
        pool_t *model = fx_pool(0, 0, 1), *pool;
        pool_config_t config = limited(1, 0, 0);
        config.factory = model->factory.internal;
        config.destructor = model->destructor.internal;
        config.min_size = 1;
        config.max_size = 2;
        config.flags = flags;
        CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
        pool_unref(model);
        WAIT_FOR(((flags ? (void)pool_dispatch(pool) : (void)0), fx.destroyed >= 2));
        fx_finish(pool);
    }
}

/* ---- idleness ---- */

TEST(p44_what_is_idle_for_long_goes_while_there_are_more_than_the_minimum)
{
    for (uint32_t flags = 0; flags <= POOL_F_LIFO; flags += POOL_F_LIFO) {
        enum { MANY = 200 };
        int made;
        pool_config_t config = limited(0, 0, 0);
        config.flags = flags;
        config.idle_timeout_ms = LIFETIME_MS;
        config.min_size = 3;
        pool_t *pool = stocked(config, MANY);
        CHECK_INT(pass(pool, 0, &made), 0); /* it notes since when they are idle */
        CHECK_INT(pass(pool, LIFETIME_MS / 2, &made), 0);
        void *held = pool_take(pool);
        CHECK_INT((uintptr_t)held, flags ? MANY : 1);
        CHECK_STATUS(pool_release(pool, held), POOL_OK);
        CHECK_INT(pass(pool, LIFETIME_MS / 2 + SLACK_MS, &made), MANY - 3);
        CHECK_INT(made, 0);
        CHECK_COUNTS(pool, 3, 0, 0);
        check_gone(pool, 0, MANY - 3, 0);
        pool_unref(pool);
        CHECK_INT(pool_debug_live(), 0);
    }
}

TEST(p44_what_came_back_after_the_last_pass_stays_until_the_one_after_the_next)
{
    int made;
    pool_config_t config = limited(0, 0, 0);
    config.idle_timeout_ms = LIFETIME_MS / 2;
    pool_t *pool = stocked(config, 1);
    CHECK_INT(pass(pool, LIFETIME_MS, &made), 0); /* when it came back, only the clock of before knew */
    CHECK_INT(pass(pool, LIFETIME_MS / 2 + SLACK_MS, &made), 1);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(p44_what_came_back_just_now_is_not_asked_about)
{
    pool_t *model = fx_pool(FX_WITH_ACQUIRE, 0, 1), *pool;
    pool_config_t config = limited(0, 0, 0);
    config.check_after_ms = LIFETIME_MS;
    config.max_size = 1;
    config.factory = model->factory.internal;
    config.destructor = model->destructor.internal;
    config.before_acquire = model->before_acquire.internal;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_unref(model);
    void *r;
    fx_give(pool, fx_take(pool));
    fx_log_clear();
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STR(fx_log(), "");
    time_passes(pool, LIFETIME_MS + SLACK_MS);
    fx_give(pool, fx_take(pool));
    CHECK_STR(fx_log(), "before_acquire(1)");
    fx_give(pool, fx_take(pool));
    CHECK_STR(fx_log(), "before_acquire(1)");
    fx_finish(pool);
}

/* ---- what is told ---- */

static pool_resource_info_t seen[3];

static bool look(pool_t *pool, fx_resource *r, int call)
{
    (void)call;
    seen[0] = info_of(pool, r);
    return true;
}

static bool look_back(pool_t *pool, fx_resource *r, int call)
{
    (void)call;
    seen[1] = info_of(pool, r);
    return true;
}

static bool look_last(pool_t *pool, fx_resource *r, int call)
{
    (void)call;
    seen[2] = info_of(pool, r);
    return true;
}

TEST(p43_hooks_and_holders_learn_age_idleness_and_uses)
{
    pool_t *pool = aging(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 2, LIFETIME_MS, 2);
    fx.script[FX_BEFORE_ACQUIRE] = look;
    fx.script[FX_BEFORE_RELEASE] = look_back;
    fx.script[FX_DESTRUCTOR] = look_last;
    fx_resource *r = fx_take(pool);
    uint64_t late_ms =
        (uint64_t)(check_now_ns() - now_ns) / 1000000; /* at most: from the time of the test until it was made */
    pool_resource_info_t info = info_of(pool, r);
    CHECK_INT(info.idle_ms, 0);
    CHECK_INT(info.uses, 1);
    CHECK(info.age_ms < LIFETIME_MS / 10);
    time_passes(pool, 10000);
    fx_give(pool, r);
    CHECK_INT(seen[1].uses, 1);
    CHECK(seen[1].age_ms + late_ms >= 9990 && seen[1].age_ms < 20000);
    CHECK_STATUS(pool_resource_info(pool, r, &info), POOL_ERR_NOT_OWNED); /* it is idle */
    time_passes(pool, 30000);
    CHECK_PTR(fx_take(pool), r);
    CHECK_INT(seen[0].uses, 1);
    CHECK(seen[0].idle_ms >= 29990 && seen[0].idle_ms < 40000);
    info = info_of(pool, r);
    CHECK_INT(info.uses, 2);
    CHECK(info.idle_ms >= 29990 && info.idle_ms < 40000);
    CHECK(info.age_ms + late_ms >= 39990 && info.age_ms < 50000);
    fx_give(pool, r);
    CHECK_INT(seen[2].uses, 2);
    CHECK_STATUS(pool_resource_info(pool, r, &info), POOL_ERR_NOT_OWNED); /* it is gone */
    CHECK_STATUS(pool_resource_info(pool, &info, &info), POOL_ERR_NOT_OWNED);
    fx_finish(pool);
}

TEST(p43_without_a_limit_nothing_is_kept)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_resource_info_t info = info_of(pool, r);
    CHECK(info.age_ms == 0 && info.idle_ms == 0 && info.uses == 0);
    info.struct_size = 8;
    CHECK_STATUS(pool_resource_info(pool, r, &info), POOL_ERR_INVALID);
    CHECK_STATUS(pool_resource_info(pool, r, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_resource_info(NULL, r, &info), POOL_ERR_INVALID);
    fx_give(pool, r);
    fx_finish(pool);
}

static bool make_one(pool_t *pool, void **resource)
{
    *resource = pool->user_data;
    return true;
}

TEST(p43_equal_words_are_worn_each_on_its_own)
{
    pool_config_t config = limited(0, 0, 2);
    pool_t *pool;
    void *r;
    config.factory = make_one;
    config.user_data = &config;
    config.max_size = 3;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_INT(info_of(pool, r).uses, 1);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_INT(info_of(pool, r).uses, 2);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_COUNTS(pool, 2, 0, 0);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* ---- configurations ---- */

static void refused(pool_config_t config, const char *words)
{
    pool_t *pool;
    char text[256];
    config.factory = make_one;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_INVALID);
    if (!strstr(text, words))
        CHECK_STR(text, words);
}

TEST(p43_limits_that_make_no_sense_make_no_pool)
{
    refused(limited(10, 11, 0), "lifetime_jitter_ms is above max_lifetime_ms");
    refused(limited(0, 1, 0), "lifetime_jitter_ms is above max_lifetime_ms");
    pool_config_t config = limited(0, 0, 0);
    config.check_after_ms = 1;
    refused(config, "check_after_ms without before_acquire");
    config = limited(0, 0, 5);
    config.healthcheck_interval_ms = 1000;
    refused(config, "a pass would have nothing to do"); /* what is used up needs none */
}

TEST(p43_limits_may_be_as_large_as_their_type)
{
    pool_config_t config = limited(UINT32_MAX, UINT32_MAX, UINT32_MAX);
    config.idle_timeout_ms = UINT32_MAX;
    pool_t *pool;
    void *r;
    config.factory = make_one;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

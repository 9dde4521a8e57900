/*
 * What a strategy hears of: pool_strategy_threshold_on() (P65), and report_create_failure of a strategy of the host's
 * (P66).
 */
#include "breaker.h"
#include "loop.h"

enum { FOR_EVER_MS = 3600 * 1000 };

static void fail_to_create(pool_t *pool)
{
    pool_status_t status;
    fx.script[FX_FACTORY] = fx_refuse;
    CHECK(fx_acquire(pool, 0, &status) == NULL);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    fx.script[FX_FACTORY] = NULL;
}

static void fail_to_release(pool_t *pool)
{
    fx_resource *r = fx_take(pool);
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx_give(pool, r);
    fx.script[FX_BEFORE_RELEASE] = NULL;
}

/* Shows P65. */
TEST(with_creations_alone_releases_may_refuse_what_they_like)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_CREATIONS, 2, FOR_EVER_MS, 1), POOL_OK);
    for (int i = 0; i < 8; i++)
        fail_to_release(pool);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    fail_to_create(pool);
    fx_give(pool, fx_take(pool)); /* a creation that succeeds */
    fail_to_release(pool);
    fail_to_create(pool);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    fail_to_create(pool);
    check_state(pool, POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

/* Shows P65. */
TEST(with_creations_alone_a_release_is_no_success_either)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_CREATIONS, 2, FOR_EVER_MS, 1), POOL_OK);
    fx_resource *r = fx_take(pool);
    fail_to_create(pool);
    fx_give(pool, r);
    fx_give(pool, fx_take(pool));
    r = fx_take(pool);
    fail_to_create(pool);
    check_state(pool, POOL_CIRCUIT_INACTIVE);
    fx_give(pool, r);
    fx_finish(pool);
}

/* Shows P65. */
TEST(with_releases_alone_factories_may_fail_as_they_like)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_RELEASES, 2, FOR_EVER_MS, 1), POOL_OK);
    for (int i = 0; i < 8; i++)
        fail_to_create(pool);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    fail_to_release(pool);
    fail_to_create(pool);
    fail_to_release(pool);
    check_state(pool, POOL_CIRCUIT_INACTIVE);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fail_to_create(pool);
    check_state(pool, POOL_CIRCUIT_RECOVERING); /* and the slot is free */
    fx_give(pool, fx_take(pool));
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

/* Shows P65. */
TEST(a_probe_of_creations_makes_its_own_and_room_for_it)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 2, 2);
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_CREATIONS, 1, FOR_EVER_MS, 2), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_log_clear();
    fx_resource *r = fx_take(pool);
    CHECK_STR(fx_log(), "destructor(1) factory(3)");
    CHECK_COUNTS(pool, 1, 1, 0);
    check_refused(pool);
    fx_give(pool, r);
    check_state(pool, POOL_CIRCUIT_RECOVERING); /* that was no success */
    fx_log_clear();
    r = fx_take(pool);
    CHECK_STR(fx_log(), "destructor(2) factory(4)");
    check_state(pool, POOL_CIRCUIT_ACTIVE); /* but the second creation was */
    fx_give(pool, r);
    fx_finish(pool);
}

/* Shows P65. */
TEST(a_probe_that_cannot_make_its_own_opens_again)
{
    pool_t *pool = fx_pool(0, 1, 2);
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_CREATIONS, 1, FOR_EVER_MS, 1), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fail_to_create(pool); /* although one is idle, and stays so */
    check_state(pool, POOL_CIRCUIT_INACTIVE);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* Shows P65, P07. */
TEST(what_cannot_be_counted_is_refused_and_changes_nothing)
{
    static const uint32_t bad[] = {0, 4, POOL_COUNT_CREATIONS | 8, UINT32_MAX};
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    char text[256];
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_RELEASES, 1, FOR_EVER_MS, 1), POOL_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STATUS(pool_strategy_threshold_on(pool, bad[i], 0, 0, 0), POOL_ERR_INVALID);
        pool_last_error(NULL, text, sizeof text);
        CHECK(strstr(text, "pool_strategy_threshold_on: ") == text && strstr(text, "POOL_COUNT_CREATIONS"));
    }
    fail_to_release(pool);
    check_state(pool, POOL_CIRCUIT_INACTIVE);
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_RELEASES, 0, 0, 0), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    fail_to_release(pool);
    check_state(pool, POOL_CIRCUIT_ACTIVE); /* there is no strategy any more */
    fx_finish(pool);
}

/* ---- a strategy of the host's ---- */

static int heard, code;
static char text[64];

static void ignore(pool_t *pool, void *ctx) { (void)pool, (void)ctx; }
static void ignore_error(pool_t *pool, const pool_error_t *error, void *ctx) { (void)pool, (void)error, (void)ctx; }

static void hear(pool_t *pool, const pool_error_t *error, void *ctx)
{
    CHECK_PTR(ctx, &heard);
    CHECK_INT(pool_active_count(pool), 1); /* the place is not free yet */
    heard++;
    code = error->code;
    snprintf(text, sizeof text, "%s", error->message);
}

static pool_circuit_breaker_strategy_t listening = {ignore, ignore_error, NULL, &heard, hear};
static pool_circuit_breaker_strategy_t deaf = {ignore, ignore_error, NULL, NULL, NULL};

static bool refuse_with_words(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_set_error(pool, 42, "no such host"), POOL_OK);
    return false;
}

/* Shows P66. */
TEST(a_strategy_hears_of_factories_that_fail_and_why)
{
    pool_t *pool = fx_pool(0, 0, 1);
    pool_status_t status;
    CHECK_STATUS(pool_set_strategy(pool, &listening), POOL_OK);
    fail_to_create(pool);
    CHECK_INT(heard, 1);
    CHECK_INT(code, 0);
    CHECK_STR(text, "Resource creation failed");
    fx.script[FX_FACTORY] = refuse_with_words;
    CHECK(fx_try(pool, &status) == NULL && status == POOL_ERR_FACTORY);
    CHECK_INT(heard, 2);
    CHECK_INT(code, 42);
    CHECK_STR(text, "no such host");
    CHECK_STATUS(pool_last_error(&code, NULL, 0), POOL_ERR_FACTORY);
    CHECK_INT(code, 42); /* the caller hears the same */
    fx.script[FX_FACTORY] = NULL;
    fx_give(pool, fx_take(pool));
    CHECK_INT(heard, 2);
    CHECK_STATUS(pool_set_strategy(pool, &deaf), POOL_OK);
    fx_finish(pool);
}

/* Shows P66. */
TEST(one_that_does_not_like_to_hear_is_not_told)
{
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool_set_strategy(pool, &deaf), POOL_OK);
    fail_to_create(pool);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    fail_to_create(pool);
    CHECK_INT(heard, 0);
    fx_finish(pool);
}

static void open_it(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)error, (void)ctx;
    heard++;
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
}

/* Shows P66. */
TEST(it_may_open_the_breaker_and_a_loop_tells_it_too)
{
    static pool_circuit_breaker_strategy_t opening = {ignore, ignore_error, NULL, NULL, open_it};
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    CHECK_STATUS(pool_set_strategy(pool, &opening), POOL_OK);
    fx.script[FX_FACTORY] = fx_refuse;
    loop_acquire(pool, &a, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_FACTORY);
    CHECK_INT(heard, 1);
    check_refused(pool);
    fx_finish(pool);
}

static bool first_alone(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call == 1;
}

/* Shows P66. */
TEST(first_resources_and_those_of_a_pass_are_not_told)
{
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 1, 1);
    config.healthcheck_interval_ms = 1;
    fx.quiet = true;
    fx.script[FX_FACTORY] = first_alone; /* before there is a thread that looks */
    fx.script[FX_HEALTHCHECK] = fx_refuse;
    pool_t *pool = loop_pool_of(&config);
    CHECK_STATUS(pool_set_strategy(pool, &listening), POOL_OK);
    int before = fx.calls[FX_FACTORY];
    WAIT_FOR(fx.calls[FX_FACTORY] > before + 2);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(heard, 0);
    pool_unref(pool);
}

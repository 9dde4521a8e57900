/* Creations that fail are waited out (create_retry_ms, P67), or put off by the factory (pool_try_later(), P68). */
#include "breaker.h"
#include "loop.h"
#include "refusing.h"

static pool_t *patient_pool(unsigned hooks, uint32_t max, uint32_t retry_ms, uint32_t most_ms)
{
    pool_config_t config = loop_config(hooks, 0, max);
    config.create_retry_ms = retry_ms;
    config.create_retry_max_ms = most_ms;
    return loop_pool_of(&config);
}

static bool put_off(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_try_later(pool, LONG_MS), POOL_OK);
    return false;
}

static bool put_off_with_words(pool_t *pool, fx_resource *r, int call)
{
    CHECK_STATUS(pool_set_error(pool, 7, "too many connections"), POOL_OK);
    return put_off(pool, r, call);
}

static void check_words(int code, const char *text)
{
    char message[256];
    int said;
    CHECK_STATUS(pool_last_error(&said, message, sizeof message), POOL_ERR_FACTORY);
    CHECK_INT(said, code);
    CHECK_STR(message, text);
}

/* Who runs out of time meanwhile is told why the factory fails, also if another has called it. Shows P67. */
TEST(who_runs_out_of_time_is_told_what_the_factory_said)
{
    pool_t *pool = patient_pool(0, 2, LONG_MS, 0);
    void *resource = pool;
    fx.script[FX_FACTORY] = refuse_with_words;
    CHECK_STATUS(pool_acquire(pool, &resource, 1), POOL_ERR_FACTORY);
    CHECK_PTR(resource, NULL);
    check_words(42, "no such host");
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    CHECK_STATUS(pool_acquire(pool, &resource, 1), POOL_ERR_FACTORY);
    check_words(42, "no such host");
    CHECK_INT(fx.calls[FX_FACTORY], 1); /* the pause is long */
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* Shows P67. */
TEST(a_caller_is_served_once_the_service_is_back)
{
    pool_t *pool = patient_pool(0, 2, 1, 2);
    pool_status_t status;
    fx.script[FX_FACTORY] = refuse_three;
    fx_resource *r = fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 4);
    fx_give(pool, r);
    fx_finish(pool);
}

/* Shows P67. */
TEST(a_try_in_a_pause_costs_no_way_into_go)
{
    pool_t *pool = patient_pool(0, 2, LONG_MS, 0);
    void *resource;
    fx.script[FX_FACTORY] = fx_refuse;
    CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_ERR_FACTORY); /* its own creation has failed */
    uint64_t before = pool_debug_crossings();
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_EMPTY);
    CHECK_INT(pool_debug_crossings() - before, 0);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_finish(pool);
}

/* Shows P68. */
TEST(what_the_factory_puts_off_is_nobodys_failure)
{
    pool_t *pool = fx_pool(0, 0, 1);
    void *resource;
    CHECK_STATUS(pool_strategy_threshold(pool, 1, LONG_MS, 1), POOL_OK);
    fx.script[FX_FACTORY] = put_off;
    CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_EMPTY);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_acquire(pool, &resource, 1), POOL_ERR_FACTORY);
    check_words(POOL_ERR_FACTORY, "put off by the factory");
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

/* Shows P68. */
TEST(the_words_of_a_factory_that_puts_it_off_are_its_own)
{
    pool_t *pool = fx_pool(0, 0, 1);
    void *resource;
    fx.script[FX_FACTORY] = put_off_with_words;
    CHECK_STATUS(pool_acquire(pool, &resource, 1), POOL_ERR_FACTORY);
    check_words(7, "too many connections");
    fx_finish(pool);
}

static atomic_int may_fail;

static bool refuse_when_told(pool_t *pool, fx_resource *r, int call)
{
    CHECK_INT(call <= 2, true); /* the time is long */
    if (call == 2)
        return put_off(pool, r, call);
    WAIT_FOR(may_fail);
    return false;
}

/* Also if a creation fails that had begun before. Shows P68. */
TEST(nothing_is_made_before_what_was_put_off)
{
    for (uint32_t retry_ms = 0; retry_ms < 2; retry_ms++) {
        pool_t *pool = patient_pool(0, 3, retry_ms, 0);
        void *resource;
        fx_caller first, second;
        fx.calls[FX_FACTORY] = 0;
        fx.script[FX_FACTORY] = refuse_when_told;
        may_fail = 0;
        fx_start(&first, pool, 0);
        WAIT_FOR(fx.calls[FX_FACTORY] == 1);
        fx_start_waiting(&second, pool, 0);
        may_fail = 1;
        if (retry_ms == 0)
            fx_join(&first);
        else
            WAIT_FOR(pool_waiting_count(pool) == 2);
        CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_EMPTY);
        CHECK_STATUS(pool_acquire(pool, &resource, 20), POOL_ERR_FACTORY);
        CHECK_STATUS(pool_close(pool), POOL_OK);
        if (retry_ms != 0)
            fx_join(&first);
        CHECK_STATUS(first.status, retry_ms == 0 ? POOL_ERR_FACTORY : POOL_ERR_CLOSED);
        fx_join(&second);
        CHECK_STATUS(second.status, POOL_ERR_CLOSED);
        CHECK_INT(fx.calls[FX_FACTORY], 2);
        fx_finish(pool);
    }
}

static bool put_off_in_a_check(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_try_later(pool, 1), POOL_ERR_INVALID);
    return true;
}

/* Shows P68. */
TEST(outside_of_a_factory_it_is_refused)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
    CHECK_STATUS(pool_try_later(pool, 1), POOL_ERR_INVALID);
    CHECK_STATUS(pool_try_later(NULL, 1), POOL_ERR_INVALID);
    fx.script[FX_BEFORE_RELEASE] = fx.script[FX_BEFORE_ACQUIRE] = put_off_in_a_check;
    fx_give(pool, fx_take(pool));
    fx_give(pool, fx_take(pool));
    fx_finish(pool);
}

/* What comes back is lent to who waits for a creation. Shows P67. */
TEST(who_waits_takes_what_comes_back)
{
    pool_t *pool = patient_pool(0, 2, LONG_MS, 0);
    fx_resource *r = fx_take(pool);
    fx.script[FX_FACTORY] = fx_refuse;
    fx_caller caller;
    fx_start_waiting(&caller, pool, 0);
    fx_give(pool, r);
    fx_join(&caller);
    CHECK_PTR(caller.got, r);
    fx_give(pool, r);
    fx_finish(pool);
}

/* Shows P67, P07. */
TEST(pauses_that_make_no_sense_are_refused)
{
    pool_config_t config = loop_config(0, 0, 1);
    pool_t *pool = NULL;
    config.create_retry_max_ms = 5;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    config.create_retry_ms = 6;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    CHECK_PTR(pool, NULL);
}

/*
 * Pools of callables: what a callable is given, when it is disposed of, and that its verdicts
 * and errors count as those of a C function do. Mixtures are in test_fcall_mixed.c.
 * Each case shows P36.
 */
#include "callables.h"

/* ---- pool_create ---------------------------------------------------------------------------- */

TEST(a_pool_of_callables_works_like_one_of_functions)
{
    fresh_all();
    traced = true;
    pool_t *pool = create(1, 2, 0);
    CHECK(pool != NULL);
    expected = pool;
    CHECK_INT(pool->handler_flags, 0);
    CHECK_INT(pool->min_size, 1);
    CHECK_INT(pool->max_size, 2);
    CHECK_PTR(pool->factory.fcall, &calls[FX_FACTORY].fcall);
    CHECK_PTR(pool->destructor.fcall, &calls[FX_DESTRUCTOR].fcall);
    CHECK_PTR(pool->healthcheck.fcall, &calls[FX_HEALTHCHECK].fcall);
    CHECK_PTR(pool->before_acquire.fcall, &calls[FX_BEFORE_ACQUIRE].fcall);
    CHECK_PTR(pool->before_release.fcall, &calls[FX_BEFORE_RELEASE].fcall);
    void *a = take(pool), *b = take(pool);
    give(pool, a);
    give(pool, b);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STR(trace, "FAFRRDD");
    check_disposed(0);
    pool_unref(pool);
    check_disposed(1);
    CHECK_INT(made, ended);
}

TEST(a_factory_alone_is_enough)
{
    fresh_all();
    pool_t *pool = pool_create(&calls[FX_FACTORY].fcall, NULL, NULL, NULL, NULL, 1, 1, 0);
    CHECK(pool != NULL);
    give(pool, take(pool));
    pool_unref(pool);
    CHECK_INT(calls[FX_FACTORY].disposed, 1);
    CHECK_INT(made, 1);
}

TEST(a_callable_needs_no_dispose)
{
    fresh_all();
    for (int i = 0; i < FX_HOOKS; i++)
        calls[i].fcall.dispose = NULL;
    pool_t *pool = create(1, 1, 0);
    give(pool, take(pool));
    pool_unref(pool);
    CHECK_PTR(create(2, 1, 0), NULL);
    CHECK_INT(made, ended);
}

TEST(callables_are_disposed_of_after_a_late_release)
{
    fresh_all();
    pool_t *pool = create(0, 2, 0);
    void *a = take(pool), *b = take(pool);
    give(pool, b);
    pool_unref(pool);
    CHECK_INT(calls[FX_DESTRUCTOR].invoked, 1);
    check_disposed(0);
    give(pool, a); /* invoke checks that it was not disposed of */
    CHECK_INT(calls[FX_DESTRUCTOR].invoked, 2);
    check_disposed(1);
    CHECK_INT(pool_debug_live(), 0);
}

static atomic_int shared_disposed;

static bool make_or_agree(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    (void)fcall;
    return is_thing(*resource) ? true : make(pool, resource);
}

static void count_dispose(pool_fcall_t *fcall)
{
    (void)fcall;
    shared_disposed++;
}

TEST(one_callable_in_several_places_is_disposed_of_once_for_each)
{
    pool_fcall_t f = {make_or_agree, count_dispose, NULL};
    pool_t *pool = pool_create(&f, &f, NULL, &f, &f, 1, 1, 0);
    CHECK(pool != NULL);
    void *r = NULL;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    give(pool, r);
    CHECK_INT(shared_disposed, 0);
    pool_unref(pool);
    CHECK_INT(shared_disposed, 4);
    CHECK_PTR(pool_create(&f, &f, &f, &f, &f, 2, 1, 0), NULL);
    CHECK_INT(shared_disposed, 9);
}

/* ---- Verdicts and errors -------------------------------------------------------------------- */

static bool refuse(pool_t *pool, int call)
{
    (void)pool, (void)call;
    return false;
}

static bool refuse_with_error(pool_t *pool, int call)
{
    CHECK_STATUS(pool_set_error(pool, 500 + call, "by a callable"), POOL_OK);
    return false;
}

TEST(verdicts_of_callables_count)
{
    fresh_all();
    calls[FX_BEFORE_ACQUIRE].script = refuse;
    pool_t *pool = create(1, 2, 0);
    void *r = take(pool); /* the idle one is refused and ended, another is made */
    CHECK_PTR(r, &things[1]);
    CHECK_INT(ended, 1);
    calls[FX_BEFORE_RELEASE].script = refuse;
    give(pool, r);
    CHECK_INT(ended, 2);
    CHECK_COUNTS(pool, 0, 0, 0);
    calls[FX_DESTRUCTOR].script = refuse; /* the answer of a destructor is ignored */
    give(pool, take(pool));
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(calls[FX_DESTRUCTOR].invoked, 3);
    pool_unref(pool);
    check_disposed(1);
}

TEST(a_callable_says_why_it_fails)
{
    int code;
    char text[64];
    void *r = &r;
    fresh_all();
    calls[FX_FACTORY].script = refuse_with_error;
    pool_t *pool = create(0, 1, 0);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_ERR_FACTORY);
    CHECK_PTR(r, NULL);
    CHECK_STATUS(pool_last_error(&code, text, sizeof text), POOL_ERR_FACTORY);
    CHECK_INT(code, 501);
    CHECK_STR(text, "by a callable");
    pool_unref(pool);
}

static int failures;

static void count_success(pool_t *pool, void *ctx) { (void)pool, (void)ctx; }

static void check_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)pool, (void)ctx;
    failures++;
    CHECK_INT(error->code, 501);
    CHECK_STR(error->message, "by a callable");
}

TEST(the_error_of_a_refusing_callable_reaches_the_strategy)
{
    pool_circuit_breaker_strategy_t strategy = {count_success, check_failure, NULL, NULL, NULL};
    fresh_all();
    calls[FX_BEFORE_RELEASE].script = refuse_with_error;
    pool_t *pool = create(0, 1, 0);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    give(pool, take(pool));
    CHECK_INT(failures, 1);
    pool_unref(pool);
}

TEST(a_healthcheck_callable_runs_in_the_background)
{
    fresh_all();
    calls[FX_HEALTHCHECK].script = refuse;
    pool_t *pool = create(1, 2, 1);
    CHECK(pool != NULL);
    WAIT_FOR(calls[FX_HEALTHCHECK].invoked >= 3); /* each time it is dead, ended and made again */
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(made, ended);
    CHECK(made >= 3);
    pool_unref(pool);
    check_disposed(1);
}

static bool come_back_in(pool_t *pool, int call)
{
    void *r;
    if (call > 1)
        return true;
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    return true;
}

TEST(a_callable_may_call_the_pool)
{
    for (int hook = 0; hook < FX_HOOKS; hook++) {
        if (hook == FX_HEALTHCHECK)
            continue;
        fresh_all();
        calls[FX_BEFORE_RELEASE].script = hook == FX_DESTRUCTOR ? refuse : NULL;
        calls[hook].script = come_back_in;
        pool_t *pool = create(0, 3, 0);
        give(pool, take(pool));
        if (hook != FX_DESTRUCTOR)
            give(pool, take(pool));
        CHECK(calls[hook].invoked >= 1);
        pool_unref(pool);
        check_disposed(1);
    }
    CHECK_INT(made, ended);
}

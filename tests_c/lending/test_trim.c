/*
 * Of what is idle, so many are kept (P91, P92).
 */
#include "breaker.h"

TEST(p91_of_what_is_idle_so_many_are_kept)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 5);
    fx_resource *r[5];
    for (int i = 0; i < 5; i++)
        r[i] = fx_take(pool);
    for (int i = 0; i < 4; i++)
        fx_give(pool, r[i]);
    fx_log_clear();
    CHECK_STATUS(pool_trim(pool, 2), POOL_OK);
    CHECK_STR(fx_log(), "destructor(1) destructor(2)");
    CHECK_COUNTS(pool, 2, 1, 0);
    CHECK_STATUS(pool_trim(pool, UINT32_MAX), POOL_OK);
    CHECK_COUNTS(pool, 2, 1, 0);
    CHECK_STATUS(pool_trim(pool, 0), POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r[4]);
    CHECK_COUNTS(pool, 1, 0, 0);
    pool_stats_t stats = {.struct_size = sizeof stats};
    CHECK_STATUS(pool_stats(pool, &stats), POOL_OK);
    CHECK_INT(stats.destroyed_shrunk, 4);
    fx_finish(pool);
}

TEST(p91_as_many_stay_as_there_are_to_be_at_least)
{
    pool_t *pool = fx_pool(0, 2, 4);
    fx_resource *lent = fx_take(pool);
    CHECK_STATUS(pool_trim(pool, 0), POOL_OK);
    CHECK_COUNTS(pool, 1, 1, 0);
    fx_give(pool, lent);
    CHECK_STATUS(pool_trim(pool, 0), POOL_OK);
    CHECK_COUNTS(pool, 2, 0, 0);
    fx_finish(pool);
}

static bool trim_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call < 4)
        CHECK_STATUS(pool_trim(pool, 0), pool_is_closed(pool) ? POOL_ERR_CLOSED : POOL_OK);
    return true;
}

TEST(p91_every_hook_may_trim)
{
    for (int hook = 0; hook < FX_HOOKS; hook++) {
        fx.script[hook] = trim_inside;
        fx.calls[hook] = 0;
        pool_t *pool = fx_pool(FX_WITH_ALL, 0, 3);
        fx_resource *a = fx_take(pool), *b = fx_take(pool);
        fx_give(pool, a);
        fx_give(pool, b);
        CHECK_STATUS(pool_trim(pool, 0), POOL_OK);
        CHECK_INT(pool_count(pool), 0);
        fx.script[hook] = NULL;
        fx_finish(pool);
    }
}

enum { ROUNDS = 2000 / CHECK_SLOWDOWN };

static void *borrow(void *pool)
{
    for (int i = 0; i < ROUNDS; i++)
        fx_give(pool, fx_take(pool));
    return NULL;
}

TEST(p92_threads_lend_while_the_pool_is_trimmed)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 3);
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(borrow, pool);
    for (int i = 0; i < ROUNDS; i++)
        CHECK_STATUS(pool_trim(pool, (uint32_t)i % 3), POOL_OK);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    CHECK(fx.peak <= 3);
    CHECK_STATUS(pool_trim(pool, 0), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

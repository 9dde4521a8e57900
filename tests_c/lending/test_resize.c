/*
 * Growing and shrinking (P53 to P56).
 */
#include "loop.h"
#include "watcher.h"

static void resize(pool_t *pool, uint32_t min, uint32_t max)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_resize(pool, min, max), POOL_OK);
    CHECK_INT(pool->min_size, min);
    CHECK_INT(pool->max_size, max);
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_INT(s.max, max);
}

TEST(p53_growing_serves_who_waits_in_order)
{
    fx_caller callers[3];
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < 3; i++)
        fx_start_waiting(&callers[i], pool, 0);
    resize(pool, 0, 3);
    fx_join(&callers[0]);
    fx_join(&callers[1]);
    CHECK_COUNTS(pool, 0, 3, 1);
    fx_give(pool, r);
    fx_join(&callers[2]);
    CHECK_PTR(callers[2].got, r);
    for (int i = 0; i < 3; i++)
        fx_give(pool, callers[i].got);
    CHECK_COUNTS(pool, 3, 0, 0);
    fx_finish(pool);
}

TEST(p54_shrinking_destroys_what_is_idle_the_oldest_first_and_what_comes_back)
{
    fx_resource *held[3];
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 6, 6);
    for (int i = 0; i < 3; i++)
        held[i] = fx_take(pool);
    fx_log_clear();
    resize(pool, 1, 2);
    CHECK_STR(fx_log(), "destructor(4) destructor(5) destructor(6)");
    CHECK_INT(pool_active_count(pool), 3);
    CHECK_INT(pool_count(pool), 3); /* above max_size for a while */
    fx_log_clear();
    fx_give(pool, held[1]); /* as ever, and it goes */
    CHECK_STR(fx_log(), "before_release(2) destructor(2)");
    fx_give(pool, held[0]);
    fx_give(pool, held[2]);
    CHECK_COUNTS(pool, 2, 0, 0);
    fx_finish(pool);
}

/* Shows P02. */
TEST(p54_a_pool_that_has_shrunk_lends_as_before)
{
    pool_t *pool = fx_pool(0, 3, 3);
    fx_resource *one = fx_take(pool), *two = fx_take(pool);
    resize(pool, 0, 1);
    fx_give(pool, one);
    CHECK_INT(fx_live(), 1);
    fx_give(pool, two);
    uint64_t before = pool_debug_crossings();
    for (int i = 0; i < 100; i++)
        fx_give(pool, fx_take(pool));
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_finish(pool);
}

static void *shrink(void *arg)
{
    pool_resize(arg, 0, 1);
    return NULL;
}

static fx_resource *left;

static bool end_thread(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    if (call > 1)
        return true;
    left = r;
    pthread_exit(NULL);
}

TEST(p54_a_destructor_that_never_returns_leaves_the_rest_to_be_destroyed)
{
    pool_t *pool = fx_pool(0, 4, 4);
    fx.script[FX_DESTRUCTOR] = end_thread;
    check_join(check_thread(shrink, pool));
    fx.destroyed++; /* what the destructor did not come to */
    free(left);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(pool->max_size, 1);
    fx_finish(pool);
}

TEST(p53_observers_are_told_of_more_places_and_not_of_fewer)
{
    watcher w = {.script = NULL};
    pool_t *pool = fx_pool(0, 0, 2);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *one = fx_take(pool), *two = fx_take(pool);
    resize(pool, 0, 1);
    fx_give(pool, one); /* there was one too many */
    CHECK_INT(w.told[POOL_EVENT_AVAILABLE], 0);
    resize(pool, 0, 2);
    CHECK_INT(w.told[POOL_EVENT_AVAILABLE], 1);
    fx_give(pool, two);
    CHECK_INT(w.told[POOL_EVENT_AVAILABLE], 2);
    fx_finish(pool);
}

/* ---- min_size ---- */

static pool_t *checked_pool(uint32_t flags)
{
    pool_t *model = fx_pool(FX_WITH_HEALTHCHECK, 0, 1), *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = model->factory.internal;
    config.destructor = model->destructor.internal;
    config.healthcheck = model->healthcheck.internal;
    config.max_size = 4;
    config.flags = flags;
    config.healthcheck_interval_ms = UINT32_MAX; /* no pass in a lifetime */
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_unref(model);
    return pool;
}

/* Shows B22. */
TEST(p53_a_raised_min_size_is_made_at_once)
{
    pool_t *pool = checked_pool(0);
    resize(pool, 3, 4);
    WAIT_FOR(pool_idle_count(pool) == 3);
    resize(pool, 1, 2);
    CHECK_COUNTS(pool, 2, 0, 0);
    resize(pool, 2, 4); /* it is there: the pass makes nothing */
    WAIT_FOR(fx.calls[FX_HEALTHCHECK] >= 2);
    CHECK_INT(fx.created, 3);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_finish(pool);
}

TEST(p53_on_a_loop_the_pass_is_due_at_the_next_dispatch)
{
    pool_t *pool = checked_pool(POOL_F_REACTOR);
    CHECK(pool_next_timeout(pool) > 0);
    resize(pool, 2, 4);
    CHECK_INT(pool_next_timeout(pool), 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_COUNTS(pool, 2, 0, 0);
    CHECK(pool_next_timeout(pool) > 0);
    fx_finish(pool);
}

/* ---- where it may be called, and how not ---- */

static bool resize_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (pool_is_closed(pool))
        CHECK_STATUS(pool_resize(pool, 0, 1), POOL_ERR_CLOSED);
    else
        resize(pool, 0, call % 2 ? 1 : 3);
    return true;
}

TEST(p54_every_hook_may_resize)
{
    for (int hook = 0; hook < FX_HOOKS; hook++) {
        fx.script[hook] = resize_inside;
        pool_t *pool = fx_pool(FX_WITH_ALL, 2, 2);
        fx_resource *one = fx_take(pool);
        fx_resource *two = fx_try(pool, NULL);
        fx_give(pool, one);
        if (two)
            fx_give(pool, two);
        fx_give(pool, fx_take(pool));
        CHECK_STATUS(pool_close(pool), POOL_OK);
        fx.script[hook] = NULL;
        fx_finish(pool);
    }
}

/* Shows P07. */
TEST(p56_what_makes_no_pool_is_refused_and_changes_nothing)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(0, 1, 2);
    CHECK_STATUS(pool_resize(pool, 0, 0), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "max_size is 0");
    CHECK_STATUS(pool_resize(pool, 3, 2), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "min_size is above max_size");
    CHECK_STATUS(pool_resize(NULL, 0, 1), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool is NULL or no pool");
    CHECK_STATUS(pool_op_resize(pool, &op, 3, 2), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "min_size is above max_size");
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    CHECK_INT(pool->max_size, 2);
    CHECK_INT(pool->min_size, 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_resize(pool, 0, 1), POOL_ERR_CLOSED);
    CHECK_INT(pool->max_size, 2);
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 1;
    pool_t *host;
    CHECK_STATUS(pool_create_ex(&config, &host), POOL_OK);
    CHECK_STATUS(pool_resize(host, 0, 2), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "use pool_op_resize()");
    CHECK_STATUS(pool_op_resize(host, &op, 1, 2), POOL_OK);
    CHECK_INT(host->max_size, 1); /* nothing has happened yet */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_INT(host->max_size, 2);
    pool_unref(host);
    fx_finish(pool);
}

/* ---- many at once ---- */

enum { MOST = 6, ROUNDS = 400 / CHECK_SLOWDOWN + 20 };

static void *borrow(void *arg)
{
    pool_status_t status;
    for (int i = 0; i < ROUNDS; i++) {
        fx_resource *r = i % 8 ? fx_acquire(arg, 0, &status) : fx_try(arg, &status);
        if (!r)
            continue;
        if (i % 16 == 1) {
            atomic_store(&r->owned, 0);
            CHECK_STATUS(pool_discard(arg, r), POOL_OK);
        } else {
            fx_give(arg, r);
        }
    }
    return NULL;
}

/* Shows P20. */
TEST(p54_threads_lend_while_the_pool_grows_and_shrinks)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 0, 2);
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(borrow, pool);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        pool_snapshot_t s = {.struct_size = sizeof s};
        uint32_t max = 1 + i * 7 % MOST;
        CHECK_STATUS(pool_resize(pool, 0, max), POOL_OK);
        CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
        CHECK(s.idle + s.active <= MOST && s.max == max);
    }
    resize(pool, 0, 1);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    CHECK(fx_live() <= 1 && fx.peak <= MOST);
    fx_give(pool, fx_take(pool));
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

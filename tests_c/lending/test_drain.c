/*
 * The end of a pool that serves who stands in line (P60 to P62); test_drain_inside.c has what else goes on.
 */
#include "fixture.h"
#include "watcher.h"

typedef struct drainer {
    pool_t *pool;
    int64_t timeout_ms;
    pool_status_t status;
    pthread_t thread;
    atomic_int done;
} drainer;

static void *drain(void *arg)
{
    drainer *d = arg;
    d->status = pool_drain(d->pool, d->timeout_ms);
    atomic_store(&d->done, 1);
    return NULL;
}

static void start(drainer *d, pool_t *pool, int64_t timeout_ms)
{
    *d = (drainer){.pool = pool, .timeout_ms = timeout_ms};
    d->thread = check_thread(drain, d);
    WAIT_FOR(pool_is_closed(pool));
}

static void join(drainer *d, pool_status_t expected)
{
    check_join(d->thread);
    CHECK_STATUS(d->status, expected);
}

TEST(p60_who_stands_in_line_is_served_and_newcomers_are_not)
{
    fx_caller callers[2];
    drainer d;
    watcher w = {.script = NULL};
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&callers[0], pool, 0);
    fx_start_waiting(&callers[1], pool, 0);
    start(&d, pool, 0);
    CHECK_PTR(fx_acquire(pool, 0, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_STATUS(pool_evict(pool), POOL_ERR_CLOSED);
    CHECK_STATUS(pool_resize(pool, 0, 2), POOL_ERR_CLOSED);
    fx_give(pool, r);
    fx_join(&callers[0]);
    CHECK_PTR(callers[0].got, r);
    atomic_store(&r->owned, 0);
    CHECK_STATUS(pool_discard(pool, r), POOL_OK);
    fx_join(&callers[1]);
    CHECK_INT(callers[1].got->id, 2); /* made for who was in line */
    CHECK_INT(d.done, 0);
    fx_give(pool, callers[1].got);
    join(&d, POOL_OK);
    CHECK_INT(fx_live(), 0);
    WAIT_FOR(w.told[POOL_EVENT_CLOSED] == 1);
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    fx_finish(pool);
}

TEST(p60_a_pool_that_is_empty_is_drained_at_once)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 3, 3);
    fx_log_clear();
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    CHECK_STR(fx_log(), "destructor(1) destructor(2) destructor(3)");
    CHECK(pool_is_closed(pool));
    fx_finish(pool);
}

TEST(p61_at_its_deadline_it_closes_the_pool)
{
    fx_caller caller;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&caller, pool, 0);
    CHECK_STATUS(pool_drain(pool, 1), POOL_ERR_TIMEOUT);
    FX_SAID(POOL_ERR_TIMEOUT, "what is lent did not come back in time");
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    fx_give(pool, r);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

TEST(p62_two_drains_and_a_close_all_end)
{
    drainer one, two;
    fx_caller caller;
    pool_t *pool = fx_pool(0, 2, 2);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    fx_start_waiting(&caller, pool, 0);
    start(&one, pool, 0);
    start(&two, pool, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    fx_give(pool, a);
    CHECK_INT(one.done + two.done, 0);
    fx_give(pool, b);
    join(&one, POOL_OK);
    join(&two, POOL_OK);
    fx_finish(pool);
}

TEST(p62_a_cancelled_drain_undoes_nothing)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_op_t op;
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_op_drain(pool, &op, 0), POOL_OK);
    CHECK(!pool_is_closed(pool)); /* nothing has happened yet */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    CHECK(ask.until_ns == INT64_MAX);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(p62_misuse_is_refused)
{
    pool_t *pool = fx_pool(0, 0, 1);
    pool_op_t op;
    CHECK_STATUS(pool_drain(NULL, 0), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool is NULL or no pool");
    CHECK_STATUS(pool_drain(pool, -1), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "0 waits for ever");
    CHECK_STATUS(pool_op_drain(pool, &op, -1), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_drain(pool, NULL, 0), POOL_ERR_INVALID);
    CHECK(!pool_is_closed(pool));
    fx_finish(pool);
}

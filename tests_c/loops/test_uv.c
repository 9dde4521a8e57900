/* The watch of asyncpool/uv.h. */
#include "fixture.h"

#include <asyncpool/uv.h>

typedef struct world {
    uv_loop_t loop;
    pool_uv_t watch;
    pool_t *pool;
    pool_op_t op;
    int calls, closed;
    pool_status_t status;
    void *resource;
    bool closes; /* the callback closes the watch */
} world;

static void closed(pool_uv_t *watch) { ((world *)watch->data)->closed++; }

static void tell(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    world *w = data;
    CHECK_PTR(op, &w->op);
    w->calls++;
    w->status = status;
    w->resource = resource;
    if (w->closes)
        pool_uv_close(&w->watch, closed);
}

static void begin(world *w)
{
    memset(w, 0, sizeof *w);
    CHECK_INT(uv_loop_init(&w->loop), 0);
    w->pool = fx_pool(0, 0, 1);
    w->watch.data = w;
    CHECK_INT(pool_uv_init(&w->loop, &w->watch, w->pool), 0);
    CHECK_INT(pool_uv_start(&w->watch), 0);
}

static void finish(world *w)
{
    if (!w->closes)
        pool_uv_close(&w->watch, closed);
    CHECK_INT(uv_run(&w->loop, UV_RUN_DEFAULT), 0);
    CHECK_INT(w->closed, 1);
    CHECK_INT(uv_loop_close(&w->loop), 0);
    fx_finish(w->pool);
}

TEST(the_loop_tells_the_outcome)
{
    world w;
    begin(&w);
    CHECK_STATUS(pool_acquire_async(w.pool, &w.op, 0, tell, &w), POOL_PENDING);
    CHECK_INT(w.calls, 0);
    WAIT_FOR((uv_run(&w.loop, UV_RUN_ONCE), w.calls > 0));
    CHECK_STATUS(w.status, POOL_OK);
    CHECK_STATUS(pool_release(w.pool, w.resource), POOL_OK);
    finish(&w);
}

TEST(a_deadline_ends_the_sleep_of_the_loop)
{
    world w;
    begin(&w);
    fx_resource *r = fx_take(w.pool);
    CHECK_STATUS(pool_acquire_async(w.pool, &w.op, 20, tell, &w), POOL_PENDING);
    WAIT_FOR((uv_run(&w.loop, UV_RUN_ONCE), w.calls > 0));
    CHECK_STATUS(w.status, POOL_ERR_TIMEOUT);
    fx_give(w.pool, r);
    finish(&w);
}

TEST(a_started_watch_keeps_the_loop_until_it_is_unreferenced)
{
    world w;
    begin(&w);
    fx_resource *r = fx_take(w.pool);
    CHECK(uv_loop_alive(&w.loop));
    pool_uv_unref(&w.watch);
    CHECK_STATUS(pool_acquire_async(w.pool, &w.op, 60000, tell, &w), POOL_PENDING);
    CHECK_INT(uv_run(&w.loop, UV_RUN_DEFAULT), 0); /* the deadline does not keep it */
    CHECK_INT(w.calls, 0);
    pool_uv_ref(&w.watch);
    CHECK(uv_loop_alive(&w.loop));
    fx_give(w.pool, r);
    WAIT_FOR((uv_run(&w.loop, UV_RUN_ONCE), w.calls > 0));
    CHECK_STATUS(pool_release(w.pool, w.resource), POOL_OK);
    finish(&w);
}

TEST(a_stopped_watch_tells_nothing_until_it_is_started_again)
{
    world w;
    begin(&w);
    pool_uv_stop(&w.watch);
    CHECK_STATUS(pool_acquire_async(w.pool, &w.op, 0, tell, &w), POOL_PENDING);
    CHECK_INT(uv_run(&w.loop, UV_RUN_DEFAULT), 0);
    CHECK_INT(w.calls, 0);
    CHECK_INT(pool_uv_start(&w.watch), 0);
    WAIT_FOR((uv_run(&w.loop, UV_RUN_ONCE), w.calls > 0));
    CHECK_STATUS(pool_release(w.pool, w.resource), POOL_OK);
    finish(&w);
}

TEST(a_callback_may_close_the_watch)
{
    world w;
    begin(&w);
    w.closes = true;
    CHECK_STATUS(pool_acquire_async(w.pool, &w.op, 0, tell, &w), POOL_PENDING);
    CHECK_INT(uv_run(&w.loop, UV_RUN_DEFAULT), 0);
    CHECK_INT(w.calls, 1);
    CHECK_STATUS(pool_release(w.pool, w.resource), POOL_OK);
    finish(&w);
}

TEST(a_watch_keeps_its_pool_until_it_is_closed)
{
    world w;
    begin(&w);
    CHECK_STATUS(pool_release(w.pool, fx_take(w.pool)), POOL_OK);
    pool_unref(w.pool);
    CHECK(!pool_is_closed(w.pool));
    pool_uv_close(&w.watch, closed);
    CHECK_INT(fx.destroyed, 1);
    CHECK_INT(pool_debug_live(), 0);
    CHECK_INT(uv_run(&w.loop, UV_RUN_DEFAULT), 0);
    CHECK_INT(w.closed, 1);
    CHECK_INT(uv_loop_close(&w.loop), 0);
}

TEST(one_watch_serves_the_pools_of_a_reactor)
{
    world w;
    pool_uv_t watch;
    pool_reactor_t *reactor = pool_reactor_create();
    begin(&w);
    pool_uv_stop(&w.watch);
    CHECK_STATUS(pool_reactor_attach(reactor, w.pool), POOL_OK);
    CHECK_INT(pool_uv_init_reactor(&w.loop, &watch, reactor), 0);
    CHECK_INT(pool_uv_start(&watch), 0);
    CHECK_STATUS(pool_acquire_async(w.pool, &w.op, 0, tell, &w), POOL_PENDING);
    WAIT_FOR((uv_run(&w.loop, UV_RUN_ONCE), w.calls > 0));
    CHECK_STATUS(pool_release(w.pool, w.resource), POOL_OK);
    pool_uv_close(&watch, NULL);
    pool_reactor_unref(reactor);
    finish(&w);
}

TEST(what_cannot_be_watched_says_why)
{
    world w;
    pool_uv_t again;
    begin(&w);
    CHECK_INT(pool_uv_init(&w.loop, &again, NULL), UV_EINVAL);
    CHECK_INT(pool_uv_init(&w.loop, &again, w.pool), UV_EEXIST);
    finish(&w);
}

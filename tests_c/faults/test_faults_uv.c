/* Faults under the watch of asyncpool/uv.h. The watch itself takes nothing but what libuv has in place.
 * Each case shows P12. */
#include "async.h"

#include <asyncpool/uv.h>

enum { OPS = 3 };

static int closed;

static void on_close(pool_uv_t *watch)
{
    (void)watch;
    closed++;
}

static void watched(const void *by_reactor)
{
    uv_loop_t loop;
    pool_uv_t watch;
    told ops[OPS];
    pool_t *pool;
    int begun = 0;
    closed = 0;
    memset(ops, 0, sizeof ops);
    CHECK_INT(uv_loop_init(&loop), 0);
    pool_config_t config = loop_config(FX_WITH_ALL, 0, 2);
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    pool_reactor_t *reactor = by_reactor ? pool_reactor_create() : NULL;
    bool there = pool && (reactor || !by_reactor);
    if (there && by_reactor)
        CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    int added = !there       ? UV_EINVAL
                : by_reactor ? pool_uv_init_reactor(&loop, &watch, reactor)
                             : pool_uv_init(&loop, &watch, pool);
    CHECK(added == 0 || fault_injected(FAULT_ALLOC) + fault_injected(FAULT_DESCRIPTOR) > 0);
    if (added == 0) {
        CHECK_INT(pool_uv_start(&watch), 0);
        begun = fault_begin_all(pool, ops, OPS);
    }
    for (int i = 0; i < begun; i++) {
        while (!ops[i].times)
            uv_run(&loop, UV_RUN_ONCE);
        FAULT_EXPLAINS(ops[i].status);
    }
    fault_off();
    if (added == 0)
        pool_uv_close(&watch, on_close);
    CHECK_INT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_INT(closed, added == 0);
    CHECK_INT(uv_loop_close(&loop), 0); /* nothing of a watch that could not be made is in it */
    if (pool) {
        CHECK_INT(pool->event.ref_count, 1);
        fault_check_rest(pool);
        pool_unref(pool);
    }
    pool_reactor_unref(reactor);
}

TEST(watches)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("libuv", watched, NULL);
    fault_loop("libuv on a reactor", watched, "");
    fault_report();
}

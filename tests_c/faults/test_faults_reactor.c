/* Faults on event loops: reactors, async acquires, healthchecks in a dispatch. Each case shows P12. */
#include "async.h"

#include <errno.h>

enum { POOLS = 3, EACH = 4, OPS = POOLS * EACH };

/* Three pools: one on a reactor it is attached to, one on its own, one whose callers bring theirs. */
static void many_pools(const void *unused)
{
    (void)unused;
    pool_reactor_t *reactor = pool_reactor_create(), *other = pool_reactor_create();
    pool_t *pools[POOLS];
    told ops[OPS];
    bool begun[OPS] = {false};
    memset(ops, 0, sizeof ops);
    if (!reactor || !other)
        CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_NOMEM);
    for (int i = 0; i < POOLS; i++) {
        pool_config_t config = loop_config(FX_WITH_ALL, (uint32_t)i, 2);
        config.flags = POOL_F_REACTOR;
        config.healthcheck_interval_ms = 1;
        FAULT_EXPLAINS(pool_create_ex(&config, &pools[i]));
    }
    if (reactor && pools[0])
        CHECK_STATUS(pool_reactor_attach(reactor, pools[0]), POOL_OK);
    for (int i = 0; i < OPS; i++) {
        pool_t *pool = pools[i % POOLS];
        ops[i].then = fault_give_back;
        if (pool && (i % POOLS != 2 || other))
            begun[i] = fault_begin(i % POOLS == 2 ? other : NULL, pool, &ops[i]);
    }
    for (int i = 0; i < OPS; i++) {
        if (!begun[i])
            continue;
        if (i == OPS - 1)
            CHECK_STATUS(pool_op_cancel(&ops[i].op), POOL_OK);
        while (!ops[i].times) {
            check_here(__FILE__, __LINE__);
            if (other)
                CHECK_STATUS(pool_reactor_dispatch(other), POOL_OK);
            for (int p = 0; p < POOLS; p++)
                if (pools[p])
                    FAULT_EXPLAINS(pool_dispatch(pools[p]));
        }
        CHECK_INT(ops[i].times, 1);
        if (i < OPS - 1)
            FAULT_EXPLAINS(ops[i].status);
    }
    fault_off();
    for (int i = 0; i < POOLS; i++) {
        if (!pools[i])
            continue;
        fault_check_rest(pools[i]);
        CHECK_STATUS(pool_close(pools[i]), POOL_OK);
        pool_unref(pools[i]);
    }
    pool_reactor_unref(reactor);
    pool_reactor_unref(other);
}

TEST(many_pools_and_reactors)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("reactors", many_pools, NULL);
    fault_report();
}

/* What a loop asks for before anything else, when nothing is to be had. */
static void nothing_there(const void *unused)
{
    (void)unused;
    told t = {.times = 0};
    pool_t *pool = fx_try_pool(0, 0, 1);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    errno = 0;
    int fd = pool_fd(pool);
    if (fd < 0)
        CHECK(errno == ENOMEM || errno == EMFILE || FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0)) == POOL_ERR_NOMEM);
    if (pool_next_timeout(pool) != -1) /* nothing is due, or nothing can be */
        check_fail(__FILE__, __LINE__, "something is due");
    FAULT_EXPLAINS(pool_dispatch(pool));
    bool begun = fault_begin(NULL, pool, &t);
    fault_off();
    if (begun) {
        CHECK_INT(pool_next_timeout(pool), 0);
        CHECK(loop_readable(pool_fd(pool))); /* the descriptor is there now, and knows */
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        CHECK_INT(t.times, 1);
        FAULT_EXPLAINS(t.status);
        fault_give_back(&t);
    }
    fault_check_rest(pool);
    pool_unref(pool);
}

TEST(a_pool_without_a_reactor_or_a_descriptor)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("no reactor", nothing_there, NULL);
    fault_report();
}

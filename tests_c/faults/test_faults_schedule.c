/*
 * Faults in the schedule of healthchecks: pools that enter it, passes on threads of the library, and threads that
 * cannot be started. Each case shows E4, P12.
 */
#include "fault.h"
#include "loop.h"

/* ---- the schedule of healthchecks: it grows at the 17th pool ---- */

enum { POOLS = 20 };

static void scheduled(const void *unused)
{
    (void)unused;
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 1, 1);
    pool_t *pools[POOLS];
    config.healthcheck_interval_ms = 3600000;
    for (int i = 0; i < POOLS; i++)
        FAULT_EXPLAINS(pool_create_ex(&config, &pools[i]));
    fault_off();
    for (int i = 0; i < POOLS; i++)
        if (pools[i])
            fault_check_rest(pools[i]);
    for (int i = 0; i < POOLS; i++)
        pool_unref(pools[i]);
}

TEST(many_pools_with_healthchecks)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("many pools", scheduled, NULL);
    fault_report();
}

/* ---- passes on threads of the library ---- */

static void swept(const void *unused)
{
    (void)unused;
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 9, 12);
    pool_t *pool;
    config.healthcheck_interval_ms = 1;
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    if (!pool)
        return;
    int seen = atomic_load(&fx.calls[FX_HEALTHCHECK]);
    WAIT_FOR(atomic_load(&fx.calls[FX_HEALTHCHECK]) >= seen + 3 || pool_count(pool) == 0);
    fault_off();
    WAIT_FOR(pool_idle_count(pool) >= 9); /* a later pass makes up for what is missing */
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_unref(pool);
}

TEST(a_pass_makes_up_for_what_died)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("passes", swept, NULL);
    fault_report();
}

/* ---- no thread to be had; each in a process of its own, since threads stay for a while ---- */

static void one_pool(const void *unused)
{
    (void)unused;
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 3, 5);
    pool_t *pool;
    config.healthcheck_interval_ms = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_NOMEM);
    CHECK_PTR(pool, NULL);
    CHECK_INT(atomic_load(&fx.created), 3);
    CHECK_INT(fx_live(), 0);
    fault_off();
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK); /* the next has better luck */
    WAIT_FOR(atomic_load(&fx.calls[FX_HEALTHCHECK]) > 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_unref(pool);
}

TEST(the_first_thread_of_the_library_cannot_be_started)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_once("no thread", one_pool, NULL, FAULT_THREAD, 1, false);
    fault_report();
}

static check_gate gate = CHECK_GATE_INIT;
static pool_t *_Atomic held_up;
static atomic_int of_others;

static bool holds_up(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    pool_t *nobody = NULL;
    if (atomic_compare_exchange_strong(&held_up, &nobody, pool))
        check_gate_pass(&gate);
    else if (pool != held_up)
        of_others++;
    return true;
}

/* One healthcheck hangs, and there is no second thread. */
static void two_pools(const void *unused)
{
    (void)unused;
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 1, 1);
    pool_t *pools[2];
    config.healthcheck_interval_ms = 1;
    for (int i = 0; i < 2; i++)
        FAULT_EXPLAINS(pool_create_ex(&config, &pools[i]));
    CHECK(pools[0] != NULL); /* it had the one thread; if that hangs already, there is none for the second */
    WAIT_FOR(check_gate_waiting(&gate) == 1 && fault_injected(FAULT_THREAD) > 0);
    for (int i = 0; i < 2; i++) { /* the pools are of use meanwhile */
        fx_resource *r = !pools[i] || pools[i] == held_up ? NULL : fx_take(pools[i]);
        if (r)
            fx_give(pools[i], r);
    }
    check_gate_open(&gate);
    WAIT_FOR(pools[1] || pool_create_ex(&config, &pools[1]) == POOL_OK);
    int before = of_others;
    WAIT_FOR(of_others > before + 2);
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(pool_close(pools[i]), POOL_OK);
        pool_unref(pools[i]);
    }
}

TEST(the_other_threads_of_the_library_cannot_be_started)
{
    fault_hooks();
    fx.script[FX_HEALTHCHECK] = holds_up;
    loop_config(0, 0, 1);
    fault_once("one thread alone", two_pools, NULL, FAULT_THREAD, 2, true);
    fault_report();
}

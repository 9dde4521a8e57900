/* Faults while a pool grows and others wait: of those who may make a resource, each has luck or has not. */
#include "faults/fault.h"
#include "loop.h"

enum { MAX = 40, LENT = 7, PROBES = 1, WAITERS = 20 };

static pool_status_t note(pool_status_t status)
{
    return status == POOL_ERR_UNAVAILABLE ? status : FAULT_EXPLAINS(status);
}

static int borrow(pool_t *pool, fx_resource **got, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 0, &status);
        note(status);
        if (r)
            got[count++] = r;
    }
    return count;
}

/* Everybody is let in at once, and needs room that is not there. */
static void grows(const void *barging)
{
    fx_resource *got[LENT + PROBES];
    told waiters[WAITERS];
    pool_config_t config = loop_config(FX_WITH_ALL, 2, MAX);
    pool_t *pool;
    memset(waiters, 0, sizeof waiters);
    config.flags = barging ? POOL_F_BARGING : 0;
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    if (!pool)
        return;
    int lent = borrow(pool, got, LENT);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    lent += borrow(pool, got + lent, PROBES);
    int begun = 0;
    for (int i = 0; i < WAITERS; i++) {
        told *t = &waiters[begun];
        pool_status_t status = loop_begin(NULL, pool, t, 0);
        begun += status == POOL_PENDING;
        if (status != POOL_PENDING)
            note(status);
    }
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    while (lent > WAITERS % 3) /* some come back while they grow */
        fx_give(pool, got[--lent]);
    for (int i = 0; i < begun; i++) {
        if (!waiters[i].times)
            loop_until_told(pool, &waiters[i]);
        CHECK_INT(waiters[i].times, 1);
        note(waiters[i].status);
        if (i % 2 && waiters[i].got)
            loop_give(&waiters[i]);
    }
    while (lent > 0)
        fx_give(pool, got[--lent]);
    for (int i = 0; i < begun; i += 2)
        if (waiters[i].got)
            loop_give(&waiters[i]);
    fault_off();
    fault_check_rest(pool);
    CHECK(fx.peak <= MAX);
    pool_unref(pool);
}

TEST(with_loops_that_wait)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("growth", grows, NULL);
    fault_loop("growth with barging", grows, "");
    fault_report();
}

/* The same with threads, which run at the same time. */
static void grows_for_threads(const void *unused)
{
    (void)unused;
    enum { THREADS = 12 };
    fx_resource *got[LENT + PROBES];
    fx_caller callers[THREADS];
    pool_t *pool = fx_try_pool(FX_WITH_ALL, 0, MAX);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    int lent = borrow(pool, got, LENT);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    lent += borrow(pool, got + lent, PROBES);
    for (int i = 0; i < THREADS; i++)
        fx_start(&callers[i], pool, 0);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    while (lent > 0)
        fx_give(pool, got[--lent]);
    for (int i = 0; i < THREADS; i++) {
        fx_join(&callers[i]);
        note(callers[i].status);
        if (callers[i].got)
            fx_give(pool, callers[i].got);
    }
    fault_off();
    fault_check_rest(pool);
    CHECK(fx.peak <= MAX);
    pool_unref(pool);
}

TEST(with_threads_that_wait)
{
    fault_hooks();
    fault_loop("growth for threads", grows_for_threads, NULL);
    fault_report();
}

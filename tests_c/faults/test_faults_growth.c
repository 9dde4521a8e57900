/*
 * Faults while a pool grows: whoever finds no room is told so, and its place is free for the next.
 *
 * Nobody has to be told so who has waited. A line begins when all places are taken, so there is room for all of
 * them by then, and what room there is stays. Each case shows P12.
 */
#include "async.h"

enum { MAX = 20, LENT = 7, CALLERS = 26 }; /* six have to wait, if all goes well */

static int borrow(pool_t *pool, fx_resource **got, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 0, &status);
        FAULT_EXPLAINS(status);
        if (r)
            got[count++] = r;
    }
    return count;
}

static void grows(const void *unused)
{
    (void)unused;
    fx_resource *got[LENT];
    told callers[CALLERS];
    pool_config_t config = loop_config(FX_WITH_ALL, 2, MAX);
    pool_t *pool;
    memset(callers, 0, sizeof callers);
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    if (!pool)
        return;
    int lent = borrow(pool, got, LENT), begun = 0;
    for (int i = 0; i < CALLERS; i++)
        begun += fault_begin(NULL, pool, &callers[begun]);
    while (lent > 0)
        fx_give(pool, got[--lent]);
    for (int i = 0; i < begun; i++) {
        told *t = &callers[i];
        while (!t->times) {
            check_here(__FILE__, __LINE__);
            FAULT_EXPLAINS(pool_dispatch(pool));
        }
        CHECK_INT(t->times, 1);
        CHECK(t->status == POOL_OK || t->status == POOL_ERR_FACTORY); /* no longer NOMEM */
        FAULT_EXPLAINS(t->status);
        fault_give_back(t);
    }
    fault_off();
    fault_check_rest(pool);
    CHECK(fx.peak <= MAX);
    pool_unref(pool);
}

TEST(for_loops)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("growth", grows, NULL);
    fault_report();
}

/* The same with threads, which run at the same time. */
static void grows_for_threads(const void *unused)
{
    (void)unused;
    fx_resource *got[LENT];
    fx_caller callers[CALLERS];
    pool_t *pool = fx_try_pool(FX_WITH_ALL, 0, MAX);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    int lent = borrow(pool, got, LENT);
    for (int i = 0; i < CALLERS; i++)
        fx_start(&callers[i], pool, 0);
    while (lent > 0)
        fx_give(pool, got[--lent]);
    for (int done = 0; done < CALLERS;) { /* any of them may have to wait for any other */
        for (int i = 0; i < CALLERS; i++) {
            if (!callers[i].pool || !atomic_load(&callers[i].done))
                continue;
            fx_join(&callers[i]);
            FAULT_EXPLAINS(callers[i].status);
            if (callers[i].got)
                fx_give(pool, callers[i].got);
            callers[i].pool = NULL;
            done++;
        }
        check_here(__FILE__, __LINE__);
        sched_yield();
    }
    fault_off();
    fault_check_rest(pool);
    CHECK(fx.peak <= MAX);
    pool_unref(pool);
}

TEST(for_threads)
{
    fault_hooks();
    fault_loop("growth for threads", grows_for_threads, NULL);
    fault_report();
}

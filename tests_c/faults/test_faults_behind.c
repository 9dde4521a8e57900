/*
 * Faults where nobody in line makes what it waits for (POOL_F_CREATE_BEHIND), and where nothing is made at first
 * (POOL_F_LAZY_MIN). Each case shows P12.
 */
#include "async.h"

enum { PLACES = 3 };

static pool_t *made_behind(uint32_t flags, uint32_t min_idle)
{
    pool_config_t config = loop_config(FX_WITH_ACQUIRE, 0, PLACES);
    pool_t *pool;
    config.flags = POOL_F_CREATE_BEHIND | flags;
    config.min_idle = min_idle;
    config.healthcheck_interval_ms = min_idle;
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    return pool;
}

/* Borrows all there can be, or as much as faults let it. */
static void borrow_all(pool_t *pool)
{
    fx_resource *got[PLACES];
    int n = 0;
    for (int i = 0; i < PLACES; i++) {
        pool_status_t status;
        got[n] = fx_acquire(pool, 0, &status);
        n += FAULT_EXPLAINS(status) == POOL_OK;
    }
    while (n > 0)
        fx_give(pool, got[--n]);
}

/* The pool's last thread may have yet to let it go. */
static void end(pool_t *pool)
{
    CHECK_INT(pool_waiting_count(pool), 0);
    pool_unref(pool);
    WAIT_FOR(pool_debug_live() == 0);
}

static void all_of(pool_t *pool)
{
    if (!pool)
        return;
    borrow_all(pool);
    fault_off();
    borrow_all(pool);
    end(pool);
}

static void by_threads(const void *unused)
{
    (void)unused;
    all_of(made_behind(0, 0));
}

static void by_threads_and_passes(const void *unused)
{
    (void)unused;
    all_of(made_behind(0, 1));
}

static void loop_over(const char *name, fault_story story)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop(name, story, NULL);
    fault_report();
}

TEST(threads_make) { loop_over("behind", by_threads); }
TEST(threads_and_passes_make) { loop_over("behind and kept idle", by_threads_and_passes); }

static void by_a_loop(const void *unused)
{
    (void)unused;
    told ops[PLACES + 1];
    memset(ops, 0, sizeof ops);
    pool_t *pool = made_behind(POOL_F_REACTOR, 0);
    if (!pool)
        return;
    int begun = fault_begin_all(pool, ops, PLACES + 1);
    for (int i = 0; i < begun; i++) {
        while (!ops[i].times)
            FAULT_EXPLAINS(pool_dispatch(pool));
        FAULT_EXPLAINS(ops[i].status);
    }
    fault_off();
    memset(ops, 0, sizeof ops);
    CHECK_INT(fault_begin_all(pool, ops, PLACES), PLACES);
    for (int i = 0; i < PLACES; i++) {
        while (!ops[i].times)
            CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        CHECK_STATUS(ops[i].status, POOL_OK);
    }
    end(pool);
}

TEST(a_loop_makes) { loop_over("behind, by a loop", by_a_loop); }

static void lazily(const void *unused)
{
    (void)unused;
    pool_config_t config = loop_config(0, 2, PLACES);
    pool_t *pool;
    config.flags = POOL_F_LAZY_MIN;
    config.healthcheck_interval_ms = 1;
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    if (!pool)
        return;
    WAIT_FOR(fault_injected(FAULT_ALLOC) + fault_injected(FAULT_FACTORY) > 0 || pool_idle_count(pool) == 2);
    fault_off();
    WAIT_FOR(pool_idle_count(pool) == 2); /* a later pass makes up for what is missing */
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_unref(pool);
}

TEST(passes_make_the_minimum) { loop_over("lazy", lazily); }

/* ---- no thread to be had; each in a process of its own, since threads stay for a while ---- */

static void no_thread(const void *unused)
{
    (void)unused;
    pool_t *pool = made_behind(0, 0);
    void *resource;
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_ERR_NOMEM);
    CHECK_INT(atomic_load(&fx.created), 0);
    fault_off();
    borrow_all(pool); /* the next has better luck */
    CHECK_INT(atomic_load(&fx.created), PLACES);
    end(pool);
}

TEST(the_first_thread_cannot_be_started)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_once("no thread", no_thread, NULL, FAULT_THREAD, 1, true);
    fault_report();
}

static check_gate gate = CHECK_GATE_INIT;

static bool hold_up(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    if (call == 1)
        check_gate_pass(&gate);
    return true;
}

/* The one thread makes for all, when its factory returns. */
static void one_thread(const void *unused)
{
    (void)unused;
    pool_t *pool = made_behind(0, 0);
    fx_caller callers[PLACES];
    for (int i = 0; i < PLACES; i++)
        fx_start_waiting(&callers[i], pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1 && fault_injected(FAULT_THREAD) > 0);
    check_gate_open(&gate);
    for (int i = 0; i < PLACES; i++) {
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
    }
    for (int i = 0; i < PLACES; i++)
        fx_give(pool, callers[i].got);
    end(pool);
}

TEST(the_other_threads_cannot_be_started)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fx.script[FX_FACTORY] = hold_up;
    fault_once("one thread alone", one_thread, NULL, FAULT_THREAD, 2, true);
    fault_report();
}

/* Three wait more than there are places for: no further call of a thread is due. The first hangs in the factory. */
static void threads_again(const void *unused)
{
    (void)unused;
    enum { CALLERS = PLACES + 3 };
    pool_t *pool = made_behind(0, 0);
    fx_caller callers[CALLERS];
    for (int i = 0; i < CALLERS - 1; i++)
        fx_start_waiting(&callers[i], pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1 && fault_injected(FAULT_THREAD) > 0);
    fault_off();
    fx_start(&callers[CALLERS - 1], pool, 0);         /* its join has two threads tried for */
    WAIT_FOR(atomic_load(&fx.created) == PLACES - 1); /* by threads that can be had now */
    check_gate_open(&gate);
    for (int i = 0; i < CALLERS; i++) { /* in this order, but for what the scheduler makes of it */
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
        fx_give(pool, callers[i].got);
    }
    end(pool);
}

TEST(threads_are_tried_for_again_while_one_hangs)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fx.script[FX_FACTORY] = hold_up;
    fault_once("threads again", threads_again, NULL, FAULT_THREAD, 2, true);
    fault_report();
}

enum { CROWD = 3000 };

static told crowd[CROWD];
static fx_resource *lent;

static void *discard(void *pool)
{
    CHECK_STATUS(pool_discard(pool, lent), POOL_OK);
    return NULL;
}

/* Each that is denied has a thread called for the next one. */
static void many_are_denied(const void *unused)
{
    (void)unused;
    pool_config_t config = loop_config(0, 1, 1);
    pool_t *pool;
    config.flags = POOL_F_CREATE_BEHIND;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    lent = fx_take(pool);
    CHECK_INT(fault_begin_all(pool, crowd, CROWD), CROWD);
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 512 * 1024);
    CHECK_INT(pthread_create(&thread, &attr, discard, pool), 0);
    pthread_attr_destroy(&attr);
    check_join(thread);
    for (int i = 0; i < CROWD; i++) {
        while (!crowd[i].times)
            CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        CHECK_STATUS(crowd[i].status, POOL_ERR_NOMEM);
    }
    end(pool);
}

TEST(who_is_denied_for_want_of_a_thread_takes_no_stack_of_the_others)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_once("many denied", many_are_denied, NULL, FAULT_THREAD, 1, true);
    fault_report();
}

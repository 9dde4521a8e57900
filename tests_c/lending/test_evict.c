/*
 * Having nothing that exists lent again (P57 to P59).
 */
#include "breaker.h"
#include "watcher.h"

TEST(p57_idle_ones_are_destroyed_by_the_call_and_lent_ones_when_they_come_back)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 4, 4);
    fx_resource *lent = fx_take(pool);
    fx_log_clear();
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    CHECK_STR(fx_log(), "destructor(2) destructor(3) destructor(4)");
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_resource *made = fx_take(pool);
    CHECK_INT(made->id, 5);
    fx_log_clear();
    fx_give(pool, made);
    fx_give(pool, lent);
    CHECK_STR(fx_log(), "before_release(5) before_release(1) destructor(1)");
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(fx_take(pool), made);
    fx_give(pool, made);
    fx_finish(pool);
}

TEST(p57_of_many_evicts_what_outlives_them_is_known)
{
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 0, 3);
    fx_resource *old = fx_take(pool), *young = NULL;
    for (int i = 0; i < 600; i++) { /* labels come again */
        if (i % 100 == 50)
            young = fx_take(pool);
        CHECK_STATUS(pool_evict(pool), POOL_OK);
        if (i % 100 == 99)
            fx_give(pool, young);
        fx_resource *r = fx_take(pool);
        fx_give(pool, r);
        CHECK_PTR(fx_take(pool), r);
        fx_give(pool, r);
    }
    CHECK_COUNTS(pool, 1, 1, 0);
    fx_give(pool, old);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static bool one_word(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = NULL;
    return true;
}

/* Shows B10. */
TEST(p57_equal_words_are_evicted_one_by_one)
{
    void *r;
    pool_t *pool = pool_create_internal(one_word, NULL, NULL, NULL, NULL, 1, 3, 0);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_COUNTS(pool, 0, 2, 0);
    CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0); /* one of the two, whichever came back first */
    pool_unref(pool);
}

static bool evict_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call <= 2)
        CHECK_STATUS(pool_evict(pool), pool_is_closed(pool) ? POOL_ERR_CLOSED : POOL_OK);
    return true;
}

TEST(p57_every_hook_may_evict)
{
    for (int hook = 0; hook < FX_HOOKS; hook++) {
        fx.script[hook] = evict_inside;
        fx.calls[hook] = 0;
        pool_t *pool = fx_pool(FX_WITH_ALL, 2, 3);
        for (int i = 0; i < 3; i++)
            fx_give(pool, fx_take(pool));
        CHECK_STATUS(pool_close(pool), POOL_OK);
        fx.script[hook] = NULL;
        fx_finish(pool);
    }
}

TEST(p57_what_was_made_by_a_factory_that_evicts_is_lent_once)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx.script[FX_FACTORY] = evict_inside;
    fx_resource *r = fx_take(pool);
    CHECK_INT(r->id, 1);
    fx.script[FX_FACTORY] = NULL;
    fx_give(pool, r);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(p58_who_waits_gets_what_is_made_in_the_place_of_what_comes_back)
{
    fx_caller callers[2];
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&callers[0], pool, 0);
    fx_start_waiting(&callers[1], pool, 0);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 2);
    fx_give(pool, r);
    fx_join(&callers[0]);
    CHECK_INT(callers[0].got->id, 2);
    fx_give(pool, callers[0].got);
    fx_join(&callers[1]);
    CHECK_INT(callers[1].got->id, 2);
    fx_give(pool, callers[1].got);
    fx_finish(pool);
}

TEST(p58_a_probe_that_is_evicted_is_a_success_all_the_same)
{
    pool_t *pool = pool_with(0, 0, 2, 1, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 1, 1), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    fx_give(pool, r);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* Shows P02. */
TEST(p59_what_is_evicted_costs_the_others_no_way_into_go)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 2, 3);
    fx_resource *lent = fx_take(pool);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    uint64_t before = pool_debug_crossings();
    for (int i = 0; i < 100; i++)
        fx_give(pool, fx_take(pool));
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_give(pool, lent);
    fx_finish(pool);
    pool = fx_pool(0, 2, 3); /* and without hooks */
    lent = fx_take(pool);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    before = pool_debug_crossings();
    for (int i = 0; i < 100; i++)
        fx_give(pool, fx_take(pool));
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_give(pool, lent);
    fx_finish(pool);
}

static bool numbered(pool_t *pool, void **resource)
{
    static uintptr_t made;
    (void)pool;
    *resource = (void *)++made;
    return true;
}

/* A part at a time: each is a way into Go, and others have the lock in between. */
TEST(p59_many_that_nobody_destroys_go_in_parts)
{
    enum { MANY = 10000, PART = 65 };
    pool_t *pool = pool_create_internal(numbered, NULL, NULL, NULL, NULL, MANY, MANY, 0);
    uint64_t before = pool_debug_crossings();
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    CHECK(pool_debug_crossings() - before >= MANY / PART);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* The same: a host hears of none that it need not destroy. */
TEST(p59_a_host_that_destroys_nothing_is_not_asked_to)
{
    enum { MANY = 1000 };
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t made = POOL_ANSWER_INIT;
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = config.min_size = MANY;
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_op_fill(pool, &op), POOL_OK);
    made.ok = true;
    for (CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE); ask.kind == POOL_ASK_CREATE;) {
        made.resource = (char *)made.resource + 1;
        pool_op_next(&op, &made, &ask);
    }
    CHECK_COUNTS(pool, MANY, 0, 0);
    CHECK_STATUS(pool_op_evict(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* Shows P07. */
TEST(p57_where_nothing_can_be_evicted_it_says_so)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t destroyed = POOL_ANSWER_INIT;
    pool_t *pool = fx_pool(0, 1, 1), *host;
    CHECK_STATUS(pool_evict(NULL), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool is NULL or no pool");
    CHECK_STATUS(pool_op_evict(pool, &op), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0); /* nothing has happened yet */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DESTROY);
    pool->destructor.internal(pool, ask.resource);
    CHECK_INT(pool_op_next(&op, &destroyed, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_evict(pool), POOL_ERR_CLOSED);
    FX_SAID(POOL_ERR_CLOSED, "closed");
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 1;
    CHECK_STATUS(pool_create_ex(&config, &host), POOL_OK);
    CHECK_STATUS(pool_evict(host), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "use pool_op_evict()");
    pool_unref(host);
    fx_finish(pool);
}

enum { ROUNDS = 300 / CHECK_SLOWDOWN + 20 };

static void *borrow(void *arg)
{
    pool_status_t status;
    for (int i = 0; i < ROUNDS; i++) {
        fx_resource *r = i % 8 ? fx_acquire(arg, 0, &status) : fx_try(arg, &status);
        if (r)
            fx_give(arg, r);
    }
    return NULL;
}

/* Shows P20. */
TEST(p58_threads_lend_among_evicts)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 1, 3);
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(borrow, pool);
    for (int i = 0; i < ROUNDS; i++)
        CHECK_STATUS(pool_evict(pool), POOL_OK);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    CHECK(fx.peak <= 3);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/*
 * Field reports E and F: resources that come back twice, late or from elsewhere, and pools that go
 * away. The matrix of R42 is in test_reentrancy.c.
 */
#include "fixture.h"
#include "process.h"

static check_gate gate = CHECK_GATE_INIT;

static bool second_fails(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call != 2;
}

static bool every_other_fails(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call % 2;
}

static bool take_a_while(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    int64_t end = check_now_ns() + 5 * 1000000;
    WAIT_FOR(check_now_ns() >= end);
    return true;
}

typedef struct releaser {
    pool_t *pool;
    void *resource;
    pthread_barrier_t *together;
    pool_status_t status;
} releaser;

static void *release_it(void *arg)
{
    releaser *r = arg;
    if (r->together)
        pthread_barrier_wait(r->together);
    r->status = pool_release(r->pool, r->resource);
    return NULL;
}

TEST(r36_a_second_release_is_refused_without_effect)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_take(pool);
    fx_give(pool, r);
    CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED);
    CHECK_INT(fx.calls[FX_BEFORE_RELEASE], 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    CHECK(a != b);
    fx_give(pool, a);
    fx_give(pool, b);
    fx_finish(pool);
}

TEST(r36_of_two_simultaneous_releases_exactly_one_succeeds)
{
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    pthread_barrier_t together;
    pthread_barrier_init(&together, NULL, 2);
    for (int i = 0; i < 300; i++) {
        fx_resource *r = fx_take(pool);
        atomic_store(&r->owned, 0);
        releaser a = {pool, r, &together, POOL_OK}, b = a;
        pthread_t first = check_thread(release_it, &a), second = check_thread(release_it, &b);
        check_join(first);
        check_join(second);
        CHECK((a.status == POOL_OK) != (b.status == POOL_OK));
        CHECK_STATUS(a.status == POOL_OK ? b.status : a.status, POOL_ERR_NOT_OWNED);
        CHECK_COUNTS(pool, 1, 0, 0);
    }
    pthread_barrier_destroy(&together);
    CHECK_INT(fx.calls[FX_BEFORE_RELEASE], 300);
    fx_finish(pool);
}

/* Always the same word, as a factory that hands out one shared connection. */
static bool make_shared(pool_t *pool, void **resource)
{
    *resource = pool->user_data;
    return true;
}

TEST(r36_a_word_lent_twice_may_come_back_twice_and_no_more)
{
    int shared;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make_shared;
    config.user_data = &shared;
    config.max_size = 2;
    pool_t *pool;
    void *a, *b;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &a, 0), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &b, 0), POOL_OK);
    CHECK_PTR(a, b);
    CHECK_STATUS(pool_release(pool, &shared), POOL_OK);
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_STATUS(pool_release(pool, &shared), POOL_OK);
    CHECK_STATUS(pool_release(pool, &shared), POOL_ERR_NOT_OWNED);
    CHECK_COUNTS(pool, 2, 0, 0);
    pool_unref(pool);
}

TEST(r37_what_the_pool_does_not_lend_is_refused_and_no_hook_sees_it)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 3), *other = fx_pool(0, 0, 1);
    fx_resource *lent = fx_take(pool), *idle = fx_take(pool), *broken = fx_take(pool);
    fx_resource *foreign = fx_take(other);
    void *destroyed = broken;
    fx_give(pool, idle);
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx_give(pool, broken);
    fx_log_clear();
    int on_stack;
    void *strangers[] = {NULL, (void *)0x2a, &on_stack, foreign, idle, destroyed, lent + 1};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        CHECK_STATUS(pool_release(pool, strangers[i]), POOL_ERR_NOT_OWNED);
    CHECK_STR(fx_log(), "");
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_COUNTS(other, 0, 1, 0);
    fx_give(pool, lent);
    fx_give(other, foreign);
    pool_unref(other);
    fx_finish(pool);
}

static bool make_null(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = NULL;
    return true;
}

TEST(r37_null_from_a_factory_that_succeeds_is_a_resource)
{
    pool_t *pool = pool_create_internal(make_null, NULL, NULL, NULL, NULL, 0, 1, 0);
    CHECK(pool != NULL);
    void *resource = &pool;
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
    CHECK_PTR(resource, NULL);
    CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_EMPTY);
    CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    CHECK_STATUS(pool_release(pool, NULL), POOL_ERR_NOT_OWNED);
    CHECK_COUNTS(pool, 1, 0, 0);
    pool_unref(pool);
}

TEST(r38_a_lease_belongs_to_the_resource_not_to_a_thread)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_caller borrower;
    fx_start(&borrower, pool, 0);
    fx_join(&borrower);
    CHECK_STATUS(borrower.status, POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0); /* though the thread that borrowed it is gone */
    atomic_store(&borrower.got->owned, 0);
    releaser r = {pool, borrower.got, NULL, POOL_ERR_INTERNAL};
    check_join(check_thread(release_it, &r));
    CHECK_STATUS(r.status, POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_release(pool, borrower.got), POOL_ERR_NOT_OWNED);
    fx_finish(pool);
}

TEST(r39_acquire_after_close_answers_at_once_and_makes_nothing)
{
    pool_t *pool = fx_pool(0, 0, 2);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_status_t status;
    CHECK_PTR(fx_acquire(pool, 3600000, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_INT(fx.calls[FX_FACTORY], 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_finish(pool);
}

TEST(r40_a_release_into_a_closed_pool_destroys_once)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    void *gone = r;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 0);
    fx_give(pool, r);
    CHECK_INT(fx.destroyed, 1);
    CHECK_STATUS(pool_release(pool, gone), POOL_ERR_NOT_OWNED);
    CHECK_INT(fx.destroyed, 1);
    fx_finish(pool);
}

static void *drop_it(void *pool)
{
    pool_unref(pool);
    return NULL;
}

TEST(r40_the_last_unref_and_the_last_release_may_cross)
{
    fx.quiet = true;
    for (int round = 0; round < 200; round++) {
        pool_t *pool = fx_pool(0, 0, 1);
        fx_resource *r = fx_take(pool);
        releaser late = {pool, r, NULL, POOL_ERR_INTERNAL};
        pthread_t release = check_thread(release_it, &late), drop = check_thread(drop_it, pool);
        check_join(release);
        check_join(drop);
        CHECK_STATUS(late.status, POOL_OK);
        CHECK_INT(fx_live(), 0);
        CHECK_INT(pool_debug_live(), 0);
    }
}

enum { DROPS = 20000 / CHECK_SLOWDOWN };
static pool_t *dropped[DROPS];
static atomic_int arrived;

/* Drops one of the two references to each pool, side by side with the other thread as long as there
 * is time, and the rest without waiting for it. */
static void *drop_all(void *unused)
{
    for (int i = 0; i < DROPS; i++) {
        atomic_fetch_add(&arrived, 1);
        WAIT_FOR(atomic_load(&arrived) >= 2 * (i + 1) || !check_time_left());
        pool_unref(dropped[i]);
    }
    return unused;
}

TEST(r40_two_threads_that_drop_the_last_references_close_the_pool)
{
    fx.quiet = true;
    for (int i = 0; i < DROPS; i++)
        dropped[i] = pool_ref(fx_pool(0, 1, 1));
    pthread_t a = check_thread(drop_all, NULL), b = check_thread(drop_all, NULL);
    check_join(a);
    check_join(b);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(r43_close_returns_when_all_destructors_have_returned)
{
    fx.script[FX_DESTRUCTOR] = take_a_while;
    pool_t *pool = fx_pool(0, 5, 5);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 5);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

static bool complains(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 2) {
        void *resource;
        CHECK_STATUS(pool_set_error(pool, 5, "the peer has hung up"), POOL_OK);
        CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_ERR_CLOSED);
    }
    return true;
}

TEST(r43_trouble_in_one_destructor_does_not_stop_close)
{
    fx.script[FX_DESTRUCTOR] = complains;
    pool_t *pool = fx_pool(0, 5, 5);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 5);
    fx_finish(pool);
}

static void *borrow_until_closed(void *arg)
{
    pool_status_t status;
    for (;;) {
        fx_resource *r = fx_acquire(arg, 0, &status);
        if (!r)
            break;
        fx_give(arg, r);
    }
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    return NULL;
}

TEST(r43_close_may_race_with_creations_and_releases)
{
    fx.quiet = true;
    fx.script[FX_BEFORE_RELEASE] = every_other_fails;
    for (int round = 0; round < 40; round++) {
        pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
        int before = fx.created;
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            threads[i] = check_thread(borrow_until_closed, pool);
        WAIT_FOR(fx.created > before + round % 2);
        CHECK_STATUS(pool_close(pool), POOL_OK);
        for (int i = 0; i < 4; i++)
            check_join(threads[i]);
        CHECK_INT(fx_live(), 0);
        CHECK_COUNTS(pool, 0, 0, 0);
        fx_finish(pool);
    }
}

static void live_shortly(int pools)
{
    for (int i = 0; i < pools; i++) {
        fx.calls[FX_FACTORY] = 0;
        fx.script[FX_FACTORY] = i % 4 == 0 ? second_fails : NULL;
        pool_t *pool = fx_try_pool(FX_WITH_ALL, 2, 4);
        CHECK((pool == NULL) == (i % 4 == 0));
        if (pool) {
            fx_give(pool, fx_take(pool));
            pool_unref(pool);
        }
    }
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(r45_ten_thousand_pools_leave_no_thread_and_no_memory)
{
    fx.quiet = true;
    live_shortly(2000);
    int threads = process_threads();
    long kilobytes = process_resident_kb();
    live_shortly(10000 / CHECK_SLOWDOWN);
    CHECK(process_threads() <= threads + 2); /* the Go runtime may start one of its own */
    if (CHECK_SLOWDOWN == 1)                 /* sanitizers keep freed memory */
        CHECK(process_resident_kb() < kilobytes + 8192);
}

TEST(r49_a_nested_acquire_times_out_and_leaves_no_trace)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    int64_t start = check_now_ns();
    pool_status_t status;
    CHECK_PTR(fx_acquire(pool, 100, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    CHECK(check_now_ns() - start >= 100 * 1000000ll);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(fx_try(pool, NULL), r);
    fx_give(pool, r);
    fx_finish(pool);
}

static void *borrow_at_gate(void *arg)
{
    fx_resource *r = fx_take(arg);
    check_gate_pass(&gate);
    fx_resource *nested = fx_acquire(arg, 30, NULL);
    if (nested)
        fx_give(arg, nested);
    fx_give(arg, r);
    return NULL;
}

TEST(r49_as_many_nested_acquires_as_places_all_come_back)
{
    pool_t *pool = fx_pool(0, 0, 4);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = check_thread(borrow_at_gate, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 4);
    check_gate_open(&gate);
    for (int i = 0; i < 4; i++)
        check_join(threads[i]);
    CHECK_COUNTS(pool, 4, 0, 0);
    fx_finish(pool);
}

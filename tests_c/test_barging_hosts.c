/*
 * Bounded barging for those who wait as coroutines, in loops and as threads; its configuration; and all
 * of it at once. Who may overtake whom is in test_barging.c.
 */
#include "loop.h"
#include "scheduler.h"

enum { FOREVER_US = 1000000000 };

static pool_t *barging_pool(uint32_t limit_us, uint32_t max, const pool_scheduler_t *scheduler)
{
    pool_config_t config = loop_config(0, 0, max);
    config.flags = POOL_F_BARGING;
    config.barging_limit_us = limit_us;
    config.scheduler = scheduler;
    return loop_pool_of(&config);
}

/* ---- the configuration ---- */

static void check_refused(const pool_config_t *config, const char *why)
{
    char text[128];
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(config, &pool), POOL_ERR_INVALID);
    CHECK_PTR(pool, NULL);
    pool_last_error(NULL, text, sizeof text);
    CHECK(strstr(text, why) != NULL);
}

TEST(a_limit_needs_the_flag_and_has_a_limit_of_its_own)
{
    pool_config_t config = loop_config(0, 0, 1);
    config.barging_limit_us = 1;
    check_refused(&config, "barging_limit_us");
    config.flags = POOL_F_BARGING;
    config.barging_limit_us = FOREVER_US + 1;
    check_refused(&config, "barging_limit_us");
    config.barging_limit_us = FOREVER_US;
    fx_finish(loop_pool_of(&config));
    config.barging_limit_us = 0;
    fx_finish(loop_pool_of(&config));
    config.unused = 1;
    check_refused(&config, "unused");
}

/* It knows the flag's number but not the limit: the memory behind its struct is not read. */
TEST(a_caller_of_before_the_limit_is_served)
{
    size_t size = offsetof(pool_config_t, barging_limit_us);
    pool_config_t *old = malloc(size), now = loop_config(0, 0, 1);
    CHECK(old != NULL);
    now.struct_size = size;
    memcpy(old, &now, size);
    fx_finish(loop_pool_of(old));
    old->flags = POOL_F_BARGING;
    fx_finish(loop_pool_of(old));
    free(old);
}

/* ---- coroutines ---- */

static scheduler sched;

typedef struct borrower {
    pool_t *pool;
    int64_t timeout_ms;
    fx_resource *got;
    pool_status_t status;
} borrower;

static void borrow(void *arg)
{
    borrower *b = arg;
    b->got = fx_acquire(b->pool, b->timeout_ms, &b->status);
}

TEST(a_coroutine_is_overtaken_until_the_limit)
{
    for (int i = 0; i < 2; i++) {
        bool limited = i == 1;
        scheduler_init(&sched);
        pool_t *pool = barging_pool(limited ? 1 : FOREVER_US, 1, &sched.hooks);
        borrower a = {.pool = pool}, b = {.pool = pool};
        fx_resource *r = fx_take(pool);
        sched.others_resume = true;
        scheduler_start(&sched, borrow, &a);
        scheduler_start(&sched, borrow, &b);
        scheduler_settle(&sched);
        int64_t joined = check_now_ns();
        WAIT_FOR(check_now_ns() >= joined + 2000);
        fx_give(pool, r);
        pool_status_t status;
        r = fx_try(pool, &status); /* before a runs */
        CHECK_STATUS(status, limited ? POOL_EMPTY : POOL_OK);
        if (r) {
            CHECK_INT(pool_waiting_count(pool), 2);
            scheduler_settle(&sched);
            CHECK_PTR(a.got, NULL);
            CHECK_INT(pool_waiting_count(pool), 2);
            fx_give(pool, r);
        }
        scheduler_settle(&sched);
        CHECK_STATUS(a.status, POOL_OK);
        CHECK_PTR(b.got, NULL);
        fx_give(pool, a.got);
        scheduler_run(&sched);
        CHECK_STATUS(b.status, POOL_OK);
        fx_give(pool, b.got);
        fx_finish(pool);
    }
}

/* ---- loops ---- */

TEST(a_loop_is_overtaken_and_its_deadline_is_set_again)
{
    pool_t *pool = barging_pool(FOREVER_US, 1, NULL);
    told a = {0};
    fx_resource *r = fx_take(pool);
    loop_acquire(pool, &a, 3600 * 1000);
    fx_give(pool, r);
    r = fx_take(pool); /* before the loop dispatches */
    CHECK_INT(pool_waiting_count(pool), 1);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_STATUS(pool_dispatch(pool), POOL_OK); /* there is nothing any more */
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(a.times, 0);
    CHECK_INT(pool_waiting_count(pool), 1);
    CHECK(pool_next_timeout(pool) > 0);
    fx_give(pool, r);
    CHECK(loop_drain(pool) > 0);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_give(&a);
    fx_finish(pool);
}

TEST(a_loop_that_is_overtaken_is_told_when_its_time_is_up)
{
    pool_t *pool = barging_pool(FOREVER_US, 1, NULL);
    told a = {0}, b = {0};
    fx_resource *r = fx_take(pool);
    loop_acquire(pool, &a, 5);
    loop_acquire(pool, &b, 0);
    fx_give(pool, r);
    r = fx_take(pool);
    loop_until_told(pool, &a);
    CHECK_TOLD_ONCE(&a, POOL_ERR_TIMEOUT);
    fx_give(pool, r);
    CHECK(loop_drain(pool) > 0);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    fx_finish(pool);
}

TEST(a_loop_that_was_called_cancels_or_closes)
{
    pool_t *pool = barging_pool(FOREVER_US, 1, NULL);
    told a = {0}, b = {0}, c = {0};
    fx_resource *r = fx_take(pool);
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    loop_acquire(pool, &c, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_op_cancel(&a.op), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool_waiting_count(pool), 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK_TOLD_ONCE(&b, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&c, POOL_ERR_CLOSED);
    fx_finish(pool);
}

/* ---- all at once ---- */

enum { THREADS = 16, CYCLES = 1500 };

typedef struct worker {
    pool_t *pool;
    int number, served, missed;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    for (int i = 0; i < CYCLES; i++) {
        bool patient = w->number % 4 != 3; /* the others try, or wait a little */
        pool_status_t status = POOL_OK;
        fx_resource *r = patient      ? fx_acquire(w->pool, 0, &status)
                         : i % 2 == 0 ? fx_try(w->pool, &status)
                                      : fx_acquire(w->pool, 1, &status);
        if (!r) {
            CHECK(!patient && (status == POOL_EMPTY || status == POOL_ERR_TIMEOUT));
            w->missed++;
            continue;
        }
        if (i % 8 == w->number % 8)
            sched_yield();
        fx_give(w->pool, r);
        w->served++;
    }
    return NULL;
}

/* Nothing is lent twice (fixture.h), and everybody who waits without a deadline is served. */
static void stress(uint32_t limit_us, uint32_t max)
{
    fx.quiet = true;
    pool_t *pool = barging_pool(limit_us, max, NULL);
    worker workers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.pool = pool, .number = i};
        threads[i] = check_thread(work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        check_join(threads[i]);
        CHECK_INT(workers[i].served + workers[i].missed, CYCLES);
    }
    CHECK_INT(pool_waiting_count(pool), 0);
    CHECK_INT(pool_active_count(pool), 0);
    CHECK(fx.peak <= (int)max);
    fx_finish(pool);
}

TEST(sixteen_threads_at_one_place_are_all_served) { stress(0, 1); }
TEST(sixteen_threads_at_three_places_are_all_served) { stress(0, 3); }
TEST(sixteen_threads_that_are_overdue_at_once_are_all_served) { stress(1, 2); }
TEST(sixteen_threads_that_are_never_overdue_are_all_served) { stress(FOREVER_US, 2); }

static atomic_int walking;

static void walk(void *arg)
{
    worker *w = arg;
    for (; w->served < CYCLES / 10; w->served++) {
        fx_resource *r = fx_take(w->pool);
        scheduler_yield();
        fx_give(w->pool, r);
    }
    walking--;
}

/* Never waits, and gives to those who do. */
static void *overtake(void *pool)
{
    while (walking) {
        pool_status_t status;
        fx_resource *r = fx_try(pool, &status);
        if (r)
            fx_give(pool, r);
        else
            sched_yield();
    }
    return NULL;
}

TEST(sixteen_coroutines_that_threads_overtake_are_all_served)
{
    scheduler_init(&sched);
    sched.others_resume = true;
    fx.quiet = true;
    pool_t *pool = barging_pool(100, 2, &sched.hooks);
    static worker workers[THREADS];
    walking = THREADS;
    for (int i = 0; i < THREADS; i++) {
        workers[i].pool = pool;
        scheduler_start(&sched, walk, &workers[i]);
    }
    pthread_t threads[2] = {check_thread(overtake, pool), check_thread(overtake, pool)};
    scheduler_run(&sched);
    check_join(threads[0]);
    check_join(threads[1]);
    CHECK_INT(pool_waiting_count(pool), 0);
    fx_finish(pool);
}

/*
 * Ordinary traffic never enters Go: acquiring, giving back, waiting, being served, timing out and leaving, whatever
 * hooks say yes, reports and observers are told. Each goes round very often, or as often as a busy machine or a checker lets
 * it, on a pool that has everything; pool_debug_crossings() counts. Each case shows P02.
 */
#include "breaker.h"
#include "loop.h"
#include "scheduler.h"
#include "watcher.h"

enum { ROUNDS = 100000, MANY_ROUNDS = 1000000, LEAST = 200 };

/* How often a round is made: often, and at least often enough to show something. */
#define ROUNDS_OF(most, n) for (long n = 0; n < (most) && (n < LEAST || n % 64 != 0 || check_time_left()); n++)
#define ROUND_AND_ROUND(n) ROUNDS_OF(ROUNDS, n)

static void heard(pool_t *pool, void *ctx) { (void)pool, (void)ctx; }

static void heard_error(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)pool, (void)error, (void)ctx;
    CHECK(false); /* everything goes well here */
}

static bool never(pool_t *pool, void *ctx)
{
    (void)pool, (void)ctx;
    return false;
}

static pool_circuit_breaker_strategy_t strategy = {
    .report_success = heard, .report_failure = heard_error, .should_recover = never};

static watcher observer;

/* A pool with hooks, an observer and a strategy of the host's or the built-in one, its resources made. */
static pool_t *everything(pool_t *pool, bool built_in)
{
    fx.quiet = true;
    CHECK_STATUS(watcher_add(&observer, pool), POOL_OK);
    CHECK_STATUS(built_in ? pool_strategy_threshold(pool, 3, 1000, 1) : pool_set_strategy(pool, &strategy), POOL_OK);
    return pool;
}

static void finish(pool_t *pool)
{
    CHECK(observer.told[POOL_EVENT_AVAILABLE] > 0);
    CHECK(fx.calls[FX_BEFORE_ACQUIRE] >= LEAST && fx.calls[FX_BEFORE_RELEASE] >= LEAST);
    CHECK_STATUS(watcher_del(&observer), POOL_OK);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    fx_finish(pool);
}

/* ---- threads ---- */

static void lend_and_try(bool built_in)
{
    pool_t *pool = everything(fx_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 1, 1), built_in);
    uint64_t before = pool_debug_crossings();
    ROUNDS_OF(MANY_ROUNDS, n)
    {
        pool_status_t status;
        fx_resource *r = n % 2 ? fx_take(pool) : fx_try(pool, &status);
        CHECK(r && fx_try(pool, &status) == NULL && status == POOL_EMPTY);
        fx_give(pool, r);
    }
    CHECK_INT(pool_debug_crossings() - before, 0);
    finish(pool);
}

TEST(a_thread_takes_tries_and_gives_back) { lend_and_try(false); }
TEST(a_thread_takes_tries_and_gives_back_under_the_built_in_strategy) { lend_and_try(true); }

typedef struct passer {
    pool_t *pool;
    pthread_t thread;
    uint64_t crossings;
    long served;
} passer;

static atomic_bool over;

static void *pass_on(void *arg)
{
    passer *p = arg;
    for (; !over || p->served < LEAST; p->served++)
        fx_give(p->pool, fx_take(p->pool));
    p->crossings = pool_debug_crossings();
    return NULL;
}

TEST(threads_wait_and_are_served)
{
    pool_t *pool = everything(fx_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 1, 1), false);
    passer passers[3];
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < 3; i++) {
        passers[i] = (passer){.pool = pool};
        passers[i].thread = check_thread(pass_on, &passers[i]);
    }
    WAIT_FOR(pool_waiting_count(pool) == 3);
    uint64_t before = pool_debug_crossings();
    fx_give(pool, r);
    ROUND_AND_ROUND(n)
    fx_give(pool, fx_take(pool));
    CHECK_INT(pool_debug_crossings() - before, 0);
    over = true;
    for (int i = 0; i < 3; i++) {
        check_join(passers[i].thread);
        CHECK_INT(passers[i].crossings, 0); /* not even a first time */
    }
    finish(pool);
}

static void *run_out_of_time(void *arg)
{
    passer *p = arg;
    pool_status_t status;
    for (; p->served < LEAST; p->served++)
        CHECK(fx_acquire(p->pool, 1, &status) == NULL && status == POOL_ERR_TIMEOUT);
    p->crossings = pool_debug_crossings();
    return NULL;
}

TEST(threads_run_out_of_time)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    fx_resource *r = fx_take(pool);
    passer p = {.pool = pool};
    check_join(check_thread(run_out_of_time, &p));
    CHECK_INT(p.crossings, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

/* ---- loops ---- */

TEST(a_loop_waits_is_served_and_leaves)
{
    pool_t *pool = everything(loop_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 1, 1), false);
    uint64_t before = pool_debug_crossings();
    ROUND_AND_ROUND(n)
    {
        told first = {0}, second = {0}, third = {0};
        loop_acquire(pool, &first, 0);      /* finds it idle */
        loop_acquire(pool, &second, 60000); /* waits, and is served */
        loop_acquire(pool, &third, 60000);  /* waits, and leaves */
        loop_drain(pool);
        CHECK_TOLD_ONCE(&first, POOL_OK);
        CHECK_STATUS(pool_op_cancel(&third.op), POOL_OK);
        loop_give(&first);
        loop_drain(pool);
        CHECK_TOLD_ONCE(&second, POOL_OK);
        CHECK_TOLD_ONCE(&third, POOL_ERR_CANCELLED);
        loop_give(&second);
    }
    CHECK_INT(pool_debug_crossings() - before, 0);
    finish(pool);
}

TEST(a_loop_leaves_a_place_that_it_was_promised)
{
    pool_t *pool = everything(loop_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 1, 1), false);
    uint64_t before = pool_debug_crossings();
    ROUND_AND_ROUND(n)
    {
        told first = {0}, second = {0};
        fx_resource *r = fx_take(pool);
        loop_acquire(pool, &first, 0);
        loop_acquire(pool, &second, 0);
        fx_give(pool, r);
        CHECK_STATUS(pool_op_cancel(&first.op), POOL_OK); /* it goes to the second */
        loop_drain(pool);
        CHECK_TOLD_ONCE(&first, POOL_ERR_CANCELLED);
        CHECK_TOLD_ONCE(&second, POOL_OK);
        loop_give(&second);
    }
    CHECK_INT(pool_debug_crossings() - before, 0);
    finish(pool);
}

/* ---- coroutines ---- */

static scheduler sched;

static void rounds_of_a_coroutine(void *arg)
{
    pool_t *pool = arg;
    ROUND_AND_ROUND(n)
    {
        fx_resource *r = fx_take(pool);
        scheduler_yield();
        fx_give(pool, r);
    }
}

TEST(coroutines_wait_and_are_served)
{
    scheduler_init(&sched);
    pool_config_t config = loop_config(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 1, 1);
    config.scheduler = &sched.hooks;
    pool_t *pool = everything(loop_pool_of(&config), false);
    uint64_t before = pool_debug_crossings();
    for (int i = 0; i < 3; i++)
        scheduler_start(&sched, rounds_of_a_coroutine, pool);
    scheduler_run(&sched);
    CHECK_INT(pool_debug_crossings() - before, 0);
    CHECK(sched.suspends >= LEAST);
    finish(pool);
}

/* ---- hosts that drive ops themselves ---- */

static pool_ask_kind_t next(pool_op_t *op, pool_ask_t *ask)
{
    const pool_answer_t yes = {sizeof yes, true, NULL, 0, 0};
    *ask = (pool_ask_t)POOL_ASK_INIT;
    return pool_op_next(op, &yes, ask);
}

/* Says yes to all that is asked, until the op waits or is done. */
static pool_ask_kind_t go_on(pool_op_t *op, pool_ask_t *ask, int *asked)
{
    pool_ask_kind_t kind;
    while ((kind = next(op, ask)) != POOL_ASK_WAIT && kind != POOL_ASK_DONE)
        ++*asked;
    return kind;
}

TEST(a_host_says_yes)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_BEFORE_ACQUIRE | POOL_ASKS_BEFORE_RELEASE;
    config.max_size = 1;
    pool_t *pool = NULL;
    pool_op_t a, b;
    pool_ask_t ask;
    int asked = 0;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_set_asks(pool, POOL_ASKS_REPORTS), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &a, 0), POOL_OK);
    CHECK_INT(next(&a, &ask), POOL_ASK_CREATE);
    const pool_answer_t made = {sizeof made, true, &config, 0, 0};
    CHECK_INT(pool_op_next(&a, &made, &ask), POOL_ASK_DONE);
    uint64_t before = pool_debug_crossings();
    long rounds = 0;
    ROUND_AND_ROUND(n)
    { /* a has it */
        rounds++;
        CHECK_STATUS(pool_op_acquire(pool, &b, 60000), POOL_OK);
        CHECK_INT(go_on(&b, &ask, &asked), POOL_ASK_WAIT);
        CHECK_STATUS(pool_op_release(pool, &a, &config), POOL_OK);
        CHECK_INT(go_on(&a, &ask, &asked), POOL_ASK_DONE); /* before_release, report */
        CHECK_PTR(pool_op_woken(pool), &b);
        CHECK_INT(go_on(&b, &ask, &asked), POOL_ASK_DONE); /* before_acquire */
        CHECK_PTR(ask.resource, &config);
        CHECK_STATUS(pool_op_release(pool, &b, &config), POOL_OK);
        CHECK_INT(go_on(&b, &ask, &asked), POOL_ASK_DONE);
        CHECK_STATUS(pool_op_acquire(pool, &a, 0), POOL_OK);
        CHECK_INT(go_on(&a, &ask, &asked), POOL_ASK_DONE);
    }
    CHECK_INT(pool_debug_crossings() - before, 0);
    CHECK_INT(asked, 6 * rounds);
    CHECK_STATUS(pool_op_release(pool, &a, &config), POOL_OK);
    CHECK_INT(go_on(&a, &ask, &asked), POOL_ASK_DONE);
    CHECK_STATUS(pool_op_close(pool, &a), POOL_OK);
    CHECK_INT(go_on(&a, &ask, &asked), POOL_ASK_DONE);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/*
 * pool_scheduler_t: callers that are coroutines are suspended instead of their thread.
 */
#include "loop.h"
#include "scheduler.h"
#include "timed.h"

static scheduler sched;

static pool_t *coroutine_pool(unsigned hooks, uint32_t min, uint32_t max)
{
    scheduler_init(&sched);
    pool_config_t config = loop_config(hooks, min, max);
    config.scheduler = &sched.hooks;
    return loop_pool_of(&config);
}

/* A coroutine that borrows once and keeps what it got. */
typedef struct borrower {
    pool_t *pool;
    int64_t timeout_ms;
    fx_resource *got;
    pool_status_t status, error;
    int order;
} borrower;

static int ended;

static void borrow(void *arg)
{
    borrower *b = arg;
    b->got = fx_acquire(b->pool, b->timeout_ms, &b->status);
    b->error = b->status == POOL_OK ? POOL_OK : pool_last_error(NULL, NULL, 0);
    b->order = ++ended;
}

static void borrow_and_give(void *arg)
{
    borrower *b = arg;
    borrow(b);
    scheduler_yield();
    if (b->got)
        fx_give(b->pool, b->got);
}

/* Shows P03. */
TEST(a_coroutine_waits_and_the_thread_goes_on)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    CHECK_INT(sched.suspends, 0); /* nothing to wait for */
    borrower a = {.pool = pool}, b = {.pool = pool};
    scheduler_start(&sched, borrow_and_give, &a);
    scheduler_start(&sched, borrow_and_give, &b);
    scheduler_settle(&sched);
    CHECK_COUNTS(pool, 0, 1, 2);
    CHECK_INT(sched.suspends, 2);
    fx_give(pool, r);
    CHECK_INT(sched.resumes, 1); /* one place, one coroutine */
    CHECK_INT(ended, 0);         /* resume does not run it */
    scheduler_run(&sched);
    CHECK_STATUS(a.status, POOL_OK);
    CHECK_STATUS(b.status, POOL_OK);
    CHECK(a.order < b.order);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* Shows B80, P03. */
TEST(a_hundred_coroutines_are_served_in_order_of_arrival)
{
    enum { COROUTINES = 100 };
    static borrower b[COROUTINES];
    pool_t *pool = coroutine_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 0, 3);
    for (int i = 0; i < COROUTINES; i++) {
        b[i].pool = pool;
        scheduler_start(&sched, borrow_and_give, &b[i]);
    }
    scheduler_run(&sched);
    for (int i = 0; i < COROUTINES; i++) {
        CHECK_STATUS(b[i].status, POOL_OK);
        CHECK_INT(b[i].order, i + 1);
    }
    CHECK_INT(fx.created, 3);
    CHECK(sched.suspends >= COROUTINES - 3);
    fx_finish(pool);
}

/* Shows B99, P03. */
TEST(a_deadline_ends_the_wait_and_only_that)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    borrower soon = {.pool = pool, .timeout_ms = 20}, later = {.pool = pool, .timeout_ms = 3600000};
    int64_t start = check_now_ns();
    scheduler_start(&sched, borrow_and_give, &later);
    scheduler_start(&sched, borrow_and_give, &soon);
    while (!soon.order)
        scheduler_turn(&sched);
    CHECK_STATUS(soon.status, POOL_ERR_TIMEOUT);
    CHECK_STATUS(soon.error, POOL_ERR_TIMEOUT);
    CHECK(check_now_ns() - start >= 20000000);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    scheduler_run(&sched);
    CHECK_STATUS(later.status, POOL_OK);
    fx_finish(pool);
}

/* Shows B107, P03. */
TEST(close_wakes_them)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    borrower a = {.pool = pool}, b = {.pool = pool, .timeout_ms = 3600000};
    scheduler_start(&sched, borrow, &a);
    scheduler_start(&sched, borrow, &b);
    scheduler_settle(&sched);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(sched.resumes, 2);
    scheduler_run(&sched);
    CHECK_STATUS(a.error, POOL_ERR_CLOSED);
    CHECK_STATUS(b.error, POOL_ERR_CLOSED);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(the_last_unref_wakes_them)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    borrower a = {.pool = pool};
    scheduler_start(&sched, borrow, &a);
    scheduler_settle(&sched);
    pool_unref(pool);
    scheduler_run(&sched);
    CHECK_STATUS(a.status, POOL_ERR_CLOSED);
    fx_give(pool, r);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(the_breaker_wakes_them)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    borrower a = {.pool = pool}, b = {.pool = pool};
    scheduler_start(&sched, borrow, &a);
    scheduler_start(&sched, borrow, &b);
    scheduler_settle(&sched);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    scheduler_run(&sched);
    CHECK_STATUS(a.error, POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(b.error, POOL_ERR_UNAVAILABLE);
    fx_give(pool, r);
    fx_finish(pool);
}

/* ---- hooks that suspend ---- */

static pool_t *side;

/* Waits in another pool, as a factory does that needs a permit. */
static bool wait_aside(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    (void)call;
    void *permit;
    CHECK_STATUS(pool_acquire(side, &permit, 0), POOL_OK);
    scheduler_yield();
    CHECK_STATUS(pool_release(side, permit), POOL_OK);
    return true;
}

static bool make_permit(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = NULL;
    return true;
}

static pool_t *permits(uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make_permit;
    config.max_size = max;
    config.scheduler = &sched.hooks;
    return loop_pool_of(&config);
}

static void hooks_suspend(fx_hook hook, unsigned hooks, uint32_t min)
{
    enum { COROUTINES = 12 };
    borrower b[COROUTINES];
    pool_t *pool = coroutine_pool(hooks, min, 4);
    side = permits(1);
    fx.script[hook] = wait_aside;
    memset(b, 0, sizeof b);
    for (int i = 0; i < COROUTINES; i++) {
        b[i].pool = pool;
        scheduler_start(&sched, borrow_and_give, &b[i]);
    }
    scheduler_run(&sched);
    for (int i = 0; i < COROUTINES; i++)
        CHECK_STATUS(b[i].status, POOL_OK);
    CHECK(fx.calls[hook] >= 4);
    CHECK_INT(pool_active_count(pool), 0);
    fx.script[hook] = NULL; /* the last destructors run outside of coroutines */
    pool_unref(side);
    fx_finish(pool);
}

TEST(factories_suspend) { hooks_suspend(FX_FACTORY, 0, 0); }
TEST(before_acquire_suspends) { hooks_suspend(FX_BEFORE_ACQUIRE, FX_WITH_ACQUIRE, 4); }
TEST(before_release_suspends) { hooks_suspend(FX_BEFORE_RELEASE, FX_WITH_RELEASE, 0); }

static bool yield_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    (void)call;
    if (co_current)
        scheduler_yield();
    return true;
}

TEST(destructors_suspend)
{
    enum { COROUTINES = 6 };
    borrower b[COROUTINES];
    pool_t *pool = coroutine_pool(FX_WITH_RELEASE, 0, 2);
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx.script[FX_DESTRUCTOR] = yield_inside;
    memset(b, 0, sizeof b);
    for (int i = 0; i < COROUTINES; i++) {
        b[i].pool = pool;
        scheduler_start(&sched, borrow_and_give, &b[i]);
    }
    scheduler_run(&sched);
    CHECK_INT(fx.created, COROUTINES);
    CHECK_INT(fx.destroyed, COROUTINES);
    CHECK(fx.peak <= 2);
    fx_finish(pool);
}

/* ---- loops that are coroutines ---- */

static void dispatch(void *reactor) { CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK); }

/* Both are inside a hook of their dispatch; the one that entered first leaves first. */
static void both_dispatch(pool_reactor_t *one, pool_reactor_t *two)
{
    co first, second;
    co_start(&first, dispatch, one);
    co_start(&second, dispatch, two);
    co_resume(&first);
    co_resume(&second);
    CHECK(!first.done && !second.done);
    co_resume(&first);
    CHECK(first.done);
    co_resume(&second);
    CHECK(second.done);
}

TEST(dispatches_suspend_inside_factories)
{
    pool_t *pool = loop_pool(0, 0, 2);
    pool_reactor_t *one = pool_reactor_create(), *two = pool_reactor_create();
    told a = {0}, b = {0};
    fx.script[FX_FACTORY] = yield_inside;
    loop_acquire_on(one, pool, &a, 0);
    loop_acquire_on(two, pool, &b, 0);
    both_dispatch(one, two);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    CHECK(a.order < b.order);
    loop_give(&a);
    loop_give(&b);
    pool_reactor_unref(one);
    pool_reactor_unref(two);
    fx_finish(pool);
}

static bool yield_in_check(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    (void)state;
    (void)r;
    (void)call;
    scheduler_yield();
    return true;
}

TEST(dispatches_suspend_inside_healthchecks)
{
    timed states[2] = {TIMED_INIT, TIMED_INIT};
    pool_reactor_t *reactors[2];
    pool_t *pools[2];
    for (int i = 0; i < 2; i++) {
        states[i].healthcheck = yield_in_check;
        reactors[i] = pool_reactor_create();
        pools[i] = timed_pool(&states[i], 1, 1, 1, POOL_F_REACTOR);
        CHECK_STATUS(pool_reactor_attach(reactors[i], pools[i]), POOL_OK);
        WAIT_FOR(pool_reactor_next_timeout(reactors[i]) == 0);
    }
    both_dispatch(reactors[0], reactors[1]);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(states[i].checks, 1);
        timed_end(&states[i], pools[i]);
        pool_reactor_unref(reactors[i]);
    }
}

/* ---- deadlock ---- */

/* Shows B103. */
TEST(a_deadlock_is_told_and_the_pool_stays_usable)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool); /* and nobody will give it back */
    borrower a = {.pool = pool}, b = {.pool = pool};
    scheduler_start(&sched, borrow, &a);
    scheduler_start(&sched, borrow, &b);
    scheduler_run(&sched);
    CHECK_STATUS(a.status, POOL_ERR_DEADLOCK);
    CHECK_STATUS(a.error, POOL_ERR_DEADLOCK);
    CHECK_STATUS(b.status, POOL_ERR_DEADLOCK);
    CHECK_COUNTS(pool, 0, 1, 0); /* they left the line */
    fx_give(pool, r);
    borrower again = {.pool = pool};
    scheduler_start(&sched, borrow_and_give, &again);
    scheduler_run(&sched);
    CHECK_STATUS(again.status, POOL_OK);
    fx_finish(pool);
}

/* The one that is told gives up what it holds, and the others go on. */
static void hold_two(void *arg)
{
    borrower *b = arg;
    fx_resource *first = fx_take(b->pool);
    scheduler_yield();
    borrow(b);
    fx_give(b->pool, first);
    if (b->got)
        fx_give(b->pool, b->got);
}

/* Shows B103. */
TEST(a_deadlock_of_two_that_hold_one_each_ends_with_one_victim)
{
    pool_t *pool = coroutine_pool(0, 0, 2);
    borrower a = {.pool = pool}, b = {.pool = pool};
    scheduler_start(&sched, hold_two, &a);
    scheduler_start(&sched, hold_two, &b);
    scheduler_run(&sched);
    CHECK_STATUS(a.status, POOL_ERR_DEADLOCK);
    CHECK_STATUS(b.status, POOL_OK);
    CHECK_COUNTS(pool, 2, 0, 0);
    fx_finish(pool);
}

static void no_resume(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

static pool_t *hasty;
static fx_resource *held;

static bool give_then_false(void *ctx, pool_op_t *op)
{
    (void)ctx;
    (void)op;
    if (held)
        fx_give(hasty, held);
    held = NULL;
    return false;
}

/* suspend is wrong: a place was promised meanwhile. Whatever the answer, the place is not lost. Shows B103. */
TEST(a_deadlock_that_crosses_a_grant_loses_no_place)
{
    pool_scheduler_t hooks = {give_then_false, no_resume, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &hooks;
    hasty = loop_pool_of(&config);
    held = fx_take(hasty);
    pool_status_t status;
    fx_resource *r = fx_acquire(hasty, 0, &status);
    CHECK(status == POOL_OK || status == POOL_ERR_DEADLOCK);
    if (r)
        fx_give(hasty, r);
    CHECK_COUNTS(hasty, 1, 0, 0);
    fx_give(hasty, fx_take(hasty));
    fx_finish(hasty);
}

/* ---- what suspend and resume may do ---- */

static int hasty_returns;

static bool return_early(void *ctx, pool_op_t *op)
{
    (void)ctx;
    CHECK(pool_op_until_ns(op) == INT64_MAX);
    if (++hasty_returns == 50) {
        fx_give(hasty, held);
        held = NULL;
    }
    return true;
}

TEST(suspend_may_return_for_any_reason_and_is_asked_again)
{
    pool_scheduler_t hooks = {return_early, no_resume, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &hooks;
    hasty = loop_pool_of(&config);
    held = fx_take(hasty);
    fx_resource *r = fx_take(hasty);
    CHECK_INT(hasty_returns, 50);
    fx_give(hasty, r);
    fx_finish(hasty);
}

TEST(a_scheduler_with_a_function_missing_is_refused)
{
    pool_config_t config = loop_config(0, 1, 1);
    pool_scheduler_t half = {scheduler_suspend, NULL, NULL};
    pool_scheduler_t other_half = {NULL, scheduler_resume, NULL};
    pool_t *pool = (pool_t *)&config;
    config.scheduler = &half;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    CHECK_PTR(pool, NULL);
    config.scheduler = &other_half;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    CHECK_INT(fx.calls[FX_FACTORY], 0);
}

TEST(the_scheduler_is_copied)
{
    scheduler_init(&sched);
    pool_scheduler_t *hooks = malloc(sizeof *hooks);
    *hooks = sched.hooks;
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = hooks;
    pool_t *pool = loop_pool_of(&config);
    memset(hooks, 0, sizeof *hooks);
    free(hooks);
    borrower a = {.pool = pool}, b = {.pool = pool};
    scheduler_start(&sched, borrow_and_give, &a);
    scheduler_start(&sched, borrow_and_give, &b);
    scheduler_run(&sched);
    CHECK_STATUS(b.status, POOL_OK);
    CHECK_INT(sched.suspends, 1);
    fx_finish(pool);
}

/* Try-acquire never waits; async ops and coroutines stand in one line. */
TEST(coroutines_async_ops_and_try_share_one_line)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_status_t status;
    told first = {0}, third = {0};
    borrower second = {.pool = pool};
    loop_acquire(pool, &first, 0);
    scheduler_start(&sched, borrow_and_give, &second);
    scheduler_settle(&sched);
    loop_acquire(pool, &third, 0);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_INT(sched.suspends, 1);
    fx_give(pool, r);
    CHECK_INT(loop_drain(pool), 1);
    CHECK_INT(sched.resumes, 0);
    loop_give(&first);
    CHECK_INT(sched.resumes, 1);
    CHECK_INT(loop_drain(pool), 0);
    scheduler_run(&sched);
    CHECK_STATUS(second.status, POOL_OK);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&third, POOL_OK);
    loop_give(&third);
    fx_finish(pool);
}

static pool_op_t *gone_on_with;
static int refused;

/* Wrong: it may only make somebody else go on. */
static void go_on_inside(void *ctx, pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    char text[256];
    (void)ctx;
    CHECK_PTR(op, gone_on_with);
    CHECK_INT(pool_op_next(op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_INVALID);
    CHECK_STR(text, "pool_op_next: resume() is called for the op, and must return before anybody goes on with it");
    CHECK_PTR(pool_op_take(op), NULL);
    CHECK_STATUS(pool_op_wait(op, INT64_MAX), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_cancel(op), POOL_ERR_INVALID);
    refused++;
}

TEST(to_go_on_with_an_op_inside_its_resume_is_refused_and_does_not_hang)
{
    pool_scheduler_t hooks = {return_early, go_on_inside, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    pool_op_t op = {.data = NULL};
    pool_ask_t ask = POOL_ASK_INIT;
    config.scheduler = &hooks;
    pool_t *pool = loop_pool_of(&config);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    gone_on_with = &op;
    fx_give(pool, r);
    CHECK_INT(refused, 1);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE); /* nothing was changed */
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, r);
    fx_give(pool, r);
    fx_finish(pool);
}

/* A host may drive the ops of such a pool itself, as language bindings do: it is told by resume, too. Shows P03. */
TEST(an_op_that_the_host_drives_is_told_by_resume)
{
    pool_t *pool = coroutine_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_op_t op = {.data = NULL}, joined = {.data = NULL};
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    CHECK(pool_op_join(pool, &joined, 0));
    fx_give(pool, r);
    CHECK_INT(sched.resumes, 1);
    CHECK(op.data == SCHEDULER_RESUMED && !joined.data);
    CHECK_STATUS(pool_op_wait(&op, 0), POOL_OK); /* a thread that would rather sleep may */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK(ask.resource == r);
    fx_give(pool, r);
    CHECK_INT(sched.resumes, 2);
    CHECK(joined.data == SCHEDULER_RESUMED);
    CHECK(pool_op_take(&joined) == r);
    fx_give(pool, r);
    CHECK_INT(sched.suspends, 0);
    fx_finish(pool);
}

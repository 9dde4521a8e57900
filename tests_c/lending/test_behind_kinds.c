/* Created behind (P86), by a loop, for coroutines, and by a host. */
#include "loop.h"
#include "scheduler.h"

static scheduler sched;

static pool_t *behind(uint32_t max, uint32_t flags, const pool_scheduler_t *scheduler)
{
    pool_config_t config = loop_config(0, 0, max);
    config.flags = POOL_F_CREATE_BEHIND | flags;
    config.scheduler = scheduler;
    return loop_pool_of(&config);
}

/* ---- event loops ---- */

/* Shows P86. */
TEST(a_loop_makes_what_it_waits_for)
{
    told a = {.pool = NULL}, b = {.pool = NULL};
    pool_t *pool = behind(2, POOL_F_REACTOR, NULL);
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    CHECK_INT(fx.calls[FX_FACTORY], 0);
    loop_until_told(pool, &a);
    loop_until_told(pool, &b);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    loop_give(&a);
    loop_give(&b);
    fx_finish(pool);
}

static bool refuse_with_words(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_set_error(pool, 42, "no such host"), POOL_OK);
    return false;
}

/* Shows P86. */
TEST(a_failure_on_the_loop_is_that_of_the_first_in_line)
{
    told t = {.pool = NULL};
    pool_t *pool = behind(1, POOL_F_REACTOR, NULL);
    fx.script[FX_FACTORY] = refuse_with_words;
    loop_acquire(pool, &t, 0);
    loop_until_told(pool, &t);
    CHECK_TOLD_ONCE(&t, POOL_ERR_FACTORY);
    CHECK_INT(t.code, 42);
    CHECK_STR(t.text, "no such host");
    fx_finish(pool);
}

/* Shows P86. */
TEST(a_pool_that_is_closed_before_its_loop_comes_is_not_kept)
{
    told t = {.pool = NULL};
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = behind(1, POOL_F_REACTOR, NULL);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    loop_acquire_on(reactor, pool, &t, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    loop_until_told_of(reactor, &t);
    CHECK_TOLD_ONCE(&t, POOL_ERR_CLOSED);
    CHECK_INT(fx.calls[FX_FACTORY], 0);
    fx_finish(pool);
    pool_reactor_unref(reactor);
}

/* Shows P86. */
TEST(what_is_due_goes_to_another_loop)
{
    told t = {.pool = NULL};
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = behind(1, POOL_F_REACTOR, NULL);
    fx_caller caller;
    fx_start_waiting(&caller, pool, 0);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    while (!caller.done)
        CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_OK);
    fx_give(pool, caller.got);
    loop_acquire_on(reactor, pool, &t, 0);
    loop_until_told_of(reactor, &t);
    CHECK_TOLD_ONCE(&t, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    loop_give(&t);
    fx_finish(pool);
    pool_reactor_unref(reactor);
}

/* ---- coroutines ---- */

/* The pool's last thread may have yet to let it go. */
static void end(pool_t *pool)
{
    pool_unref(pool);
    WAIT_FOR(pool_debug_live() == 0);
    CHECK_INT(fx_live(), 0);
}

typedef struct borrower {
    pool_t *pool;
    pool_status_t status;
} borrower;

static void borrow(void *arg)
{
    borrower *b = arg;
    fx_resource *got = fx_acquire(b->pool, 0, &b->status);
    if (got)
        fx_give(b->pool, got);
}

/* Shows P86. */
TEST(coroutines_are_lent_what_threads_have_made)
{
    scheduler_init(&sched);
    sched.others_resume = true;
    pool_t *pool = behind(1, 0, &sched.hooks);
    borrower a = {.pool = pool}, b = {.pool = pool};
    scheduler_start(&sched, borrow, &a);
    scheduler_start(&sched, borrow, &b);
    scheduler_run(&sched);
    CHECK_STATUS(a.status, POOL_OK);
    CHECK_STATUS(b.status, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    end(pool);
}

/* ---- hosts ---- */

static pool_t *host_pool(uint32_t flags)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = NULL;
    config.flags = POOL_F_HOST_DRIVEN | flags;
    config.max_size = 2;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static pool_ask_kind_t reply(pool_op_t *op, pool_ask_t *ask, void *made)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = made != NULL;
    answer.resource = made;
    return pool_op_next(op, &answer, ask);
}

/* Shows P86. */
TEST(a_host_makes_what_is_due)
{
    pool_t *pool = host_pool(POOL_F_CREATE_BEHIND);
    pool_op_t a, b, make, another;
    pool_ask_t ask = POOL_ASK_INIT;
    void *resource;
    CHECK_INT(pool_creations_due(pool), 0);
    CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_EMPTY);
    CHECK_STATUS(pool_op_acquire(pool, &a, 0), POOL_OK);
    CHECK_INT(pool_op_next(&a, NULL, &ask), POOL_ASK_WAIT);
    CHECK_STATUS(pool_op_acquire(pool, &b, 0), POOL_OK);
    CHECK_INT(pool_op_next(&b, NULL, &ask), POOL_ASK_WAIT);
    CHECK_INT(pool_creations_due(pool), 2);
    CHECK_STATUS(pool_op_create_behind(pool, &make), POOL_OK);
    CHECK_INT(pool_op_next(&make, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_creations_due(pool), 1);
    CHECK_STATUS(pool_op_create_behind(pool, &another), POOL_OK);
    CHECK_INT(pool_op_next(&another, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_creations_due(pool), 0);
    CHECK_INT(reply(&make, &ask, (void *)1), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(pool_op_woken(pool), &a);
    CHECK_INT(pool_op_next(&a, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, (void *)1);
    CHECK_INT(reply(&another, &ask, NULL), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_FACTORY);
    CHECK_PTR(pool_op_woken(pool), &b);
    CHECK_INT(pool_op_next(&b, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_FACTORY);
    CHECK_INT(pool_creations_due(pool), 0);
    CHECK_STATUS(pool_op_create_behind(pool, &make), POOL_OK); /* too late */
    CHECK_INT(pool_op_next(&make, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_EMPTY);
    CHECK_STATUS(pool_release(pool, (void *)1), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_close(pool, &make), POOL_OK);
    while (pool_op_next(&make, NULL, &ask) != POOL_ASK_DONE)
        ;
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* Shows P86. */
TEST(where_callers_make_their_own_nothing_is_due)
{
    pool_t *pool = host_pool(0);
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_create_behind(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_EMPTY);
    CHECK_INT(pool_creations_due(pool), 0);
    CHECK_INT(pool_creations_due(NULL), 0);
    CHECK_STATUS(pool_op_create_behind(NULL, &op), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_create_behind(pool, NULL), POOL_ERR_INVALID);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* Creations that are waited out by those who do not sleep: event loops, coroutines, and hosts (later_ns). */
#include "loop.h"
#include "refusing.h"
#include "scheduler.h"

static scheduler sched;

static pool_t *patient_pool(uint32_t max, uint32_t retry_ms, const pool_scheduler_t *scheduler)
{
    pool_config_t config = loop_config(0, 0, max);
    config.create_retry_ms = config.create_retry_max_ms = retry_ms;
    config.scheduler = scheduler;
    return loop_pool_of(&config);
}

static bool put_off_once(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 1)
        CHECK_STATUS(pool_try_later(pool, 1), POOL_OK);
    return call > 1;
}

/* ---- event loops ---- */

static void check_loop(pool_t *pool, int calls)
{
    told t = {.pool = NULL};
    loop_acquire(pool, &t, 0);
    loop_until_told(pool, &t);
    CHECK_TOLD_ONCE(&t, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], calls);
    loop_give(&t);
    fx_finish(pool);
}

/* Shows P67. */
TEST(a_loop_is_served_once_the_service_is_back)
{
    fx.script[FX_FACTORY] = refuse_three;
    check_loop(patient_pool(2, 1, NULL), 4);
}

/* Shows P68. */
TEST(a_loop_waits_for_a_factory_that_puts_it_off)
{
    fx.script[FX_FACTORY] = put_off_once;
    check_loop(patient_pool(2, 0, NULL), 2);
}

/* Shows P67. */
TEST(a_loop_that_is_out_of_time_is_told_what_the_factory_said)
{
    told first = {.pool = NULL}, second = {.pool = NULL};
    pool_t *pool = patient_pool(2, LONG_MS, NULL);
    fx.script[FX_FACTORY] = refuse_with_words;
    loop_acquire(pool, &first, 1);
    loop_until_told(pool, &first);
    loop_acquire(pool, &second, 1); /* it calls no factory */
    loop_until_told(pool, &second);
    CHECK_TOLD_ONCE(&first, POOL_ERR_FACTORY);
    CHECK_TOLD_ONCE(&second, POOL_ERR_FACTORY);
    CHECK_INT(first.code, 42);
    CHECK_INT(second.code, 42);
    CHECK_STR(second.text, "no such host");
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_finish(pool);
}

/* ---- coroutines ---- */

typedef struct borrower {
    pool_t *pool;
    int64_t timeout_ms;
    fx_resource *got;
    pool_status_t status;
    int code;
} borrower;

static void borrow(void *arg)
{
    borrower *b = arg;
    b->got = fx_acquire(b->pool, b->timeout_ms, &b->status);
    if (b->status != POOL_OK)
        pool_last_error(&b->code, NULL, 0);
    else
        fx_give(b->pool, b->got);
}

/* Shows P67. */
TEST(coroutines_are_served_once_the_service_is_back)
{
    scheduler_init(&sched);
    pool_t *pool = patient_pool(1, 1, &sched.hooks);
    borrower a = {.pool = pool}, b = {.pool = pool};
    fx.script[FX_FACTORY] = refuse_three;
    scheduler_start(&sched, borrow, &a);
    scheduler_start(&sched, borrow, &b);
    scheduler_run(&sched);
    CHECK_STATUS(a.status, POOL_OK);
    CHECK_STATUS(b.status, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 4);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* Shows P67. */
TEST(a_coroutine_that_is_out_of_time_is_told_what_the_factory_said)
{
    scheduler_init(&sched);
    pool_t *pool = patient_pool(1, LONG_MS, &sched.hooks);
    borrower a = {.pool = pool, .timeout_ms = 1}, b = {.pool = pool, .timeout_ms = 1};
    fx.script[FX_FACTORY] = refuse_with_words;
    scheduler_start(&sched, borrow, &a);
    scheduler_start(&sched, borrow, &b);
    scheduler_run(&sched);
    CHECK_STATUS(a.status, POOL_ERR_FACTORY);
    CHECK_STATUS(b.status, POOL_ERR_FACTORY);
    CHECK_INT(a.code, 42);
    CHECK_INT(b.code, 42);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* ---- hosts ---- */

static pool_ask_kind_t reply(pool_op_t *op, pool_ask_t *ask, size_t size, bool ok, int64_t now_ns, int64_t later_ns)
{
    pool_answer_t answer = {size, ok, ok ? (void *)1 : NULL, now_ns, later_ns};
    return pool_op_next(op, &answer, ask);
}

/* Shows P68. */
TEST(a_host_puts_a_creation_off)
{
    enum { NOW = 1000, LATER = 50 };
    const size_t size = sizeof(pool_answer_t);
    pool_config_t config = POOL_CONFIG_INIT;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = NULL;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(reply(&op, &ask, size, false, NOW, LATER), POOL_ASK_WAIT);
    CHECK_INT(ask.until_ns, NOW + LATER);
    CHECK_INT(reply(&op, &ask, size, true, NOW + LATER - 1, 0), POOL_ASK_WAIT);
    CHECK_INT(reply(&op, &ask, size, true, NOW + LATER, 0), POOL_ASK_CREATE);
    /* One that was built before there was later_ns has a shorter answer: what is behind it is not read. */
    CHECK_INT(reply(&op, &ask, offsetof(pool_answer_t, later_ns), false, NOW + LATER, LATER), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_FACTORY);
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* A line that is full: with max_waiting callers in it, one more is told so at once. Each case shows P63. */
#include "loop.h"

/* A pool of one place. */
static pool_t *limited_pool(unsigned hooks, uint32_t max_waiting)
{
    pool_config_t config = loop_config(hooks, 0, 1);
    config.name = "limited";
    config.max_waiting = max_waiting;
    return loop_pool_of(&config);
}

TEST(one_more_than_may_wait_is_told_at_once_and_why)
{
    pool_t *pool = limited_pool(0, 2);
    fx_caller callers[2];
    pool_status_t status;
    char text[256];
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&callers[0], pool, 0);
    fx_start_waiting(&callers[1], pool, 0);
    for (int64_t timeout_ms = 0; timeout_ms < 2; timeout_ms++) {
        CHECK(fx_acquire(pool, timeout_ms, &status) == NULL);
        CHECK_STATUS(status, POOL_ERR_OVERLOADED);
        CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_OVERLOADED);
        CHECK_STR(text, "limited: too many callers are waiting");
    }
    CHECK(fx_try(pool, &status) == NULL);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_COUNTS(pool, 0, 1, 2);
    fx_give(pool, r);
    for (int i = 0; i < 2; i++) {
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
        CHECK_INT(callers[i].order, i + 1);
        fx_give(pool, callers[i].got);
    }
    fx_finish(pool);
}

TEST(it_never_enters_go)
{
    pool_t *pool = limited_pool(0, 1);
    fx_caller caller;
    pool_status_t status;
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&caller, pool, 0);
    uint64_t before = pool_debug_crossings();
    for (int i = 0; i < 1000; i++)
        CHECK(fx_acquire(pool, 0, &status) == NULL && status == POOL_ERR_OVERLOADED);
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_give(pool, r);
    fx_join(&caller);
    fx_give(pool, caller.got);
    fx_finish(pool);
}

TEST(a_loop_is_told_when_it_asks_and_hears_no_more_of_it)
{
    pool_t *pool = limited_pool(0, 1);
    told a = {0}, b = {0}, c = {0};
    loop_acquire(pool, &a, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_acquire(pool, &b, 0);
    CHECK_STATUS(loop_begin(NULL, pool, &c, 0), POOL_ERR_OVERLOADED);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_OVERLOADED);
    loop_drain(pool);
    CHECK_INT(c.times, 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    loop_give(&a);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    fx_finish(pool);
}

TEST(a_host_that_joins_the_line_is_told_by_its_first_step)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    pool_op_t ops[3];
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = config.max_waiting = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK(!pool_op_join(pool, &ops[0], 0)); /* one is to be made */
    CHECK_INT(pool_op_next(&ops[0], NULL, &ask), POOL_ASK_CREATE);
    answer.ok = true;
    CHECK_INT(pool_op_next(&ops[0], &answer, &ask), POOL_ASK_DONE);
    CHECK(pool_op_join(pool, &ops[1], 0));
    CHECK(!pool_op_join(pool, &ops[2], 0));
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK_INT(pool_op_next(&ops[2], NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_OVERLOADED);
    CHECK_INT(ask.ticket, 0);
    CHECK_PTR(ask.resource, NULL);
    CHECK_PTR(pool_hand_on(pool, NULL), &ops[1]);
    CHECK_INT(pool_op_next(&ops[1], NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

static bool refuse_when_another_waits(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call > 1)
        return true;
    pool_status_t status;
    fx_caller *next = pool->wrapper;
    fx_start_waiting(next, pool, 0);
    CHECK(fx_acquire(pool, 1, &status) == NULL);
    CHECK_STATUS(status, POOL_ERR_OVERLOADED); /* inside of a hook, too */
    return false;
}

TEST(who_has_been_in_line_is_never_told_so)
{
    pool_t *pool = limited_pool(FX_WITH_ACQUIRE, 1);
    fx_caller first, second;
    pool->wrapper = &second;
    fx.script[FX_BEFORE_ACQUIRE] = refuse_when_another_waits;
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&first, pool, 0);
    fx_give(pool, r);
    fx_join(&first);
    CHECK_STATUS(first.status, POOL_OK);
    fx_give(pool, first.got);
    fx_join(&second);
    CHECK_STATUS(second.status, POOL_OK);
    fx_give(pool, second.got);
    fx_finish(pool);
}

/*
 * What a host-driven pool answers in one call: taking, standing in line, taking what was granted, handing
 * on. Each does what the ops it stands for would do, or nothing.
 */
#include "check.h"

#define WORD(n) ((void *)(uintptr_t)(n))

static pool_t *host_pool(uint32_t asks, uint32_t flags)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN | flags;
    config.asks = asks;
    config.max_size = 1;
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

/* Makes resource 1, which is lent then. */
static void lend(pool_t *pool)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t made = {sizeof made, true, WORD(1), 0, 0};
    CHECK(!pool_op_join(pool, &op, 0)); /* there is a place: nothing to wait for */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_op_next(&op, &made, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
}

/* Goes on with an op to its end, which must come at once. */
static void check_end(pool_op_t *op, pool_status_t status)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, status);
}

static void finish(pool_t *pool)
{
    pool_op_t op;
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    check_end(&op, POOL_OK);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* A place was promised when nothing was idle: what comes back is for who was promised it, whoever asks before. */
TEST(what_comes_back_is_for_who_was_promised_a_place)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_BEFORE_RELEASE;
    config.max_size = 2;
    pool_t *pool;
    pool_op_t first, release;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t no = POOL_ANSWER_INIT, yes = {sizeof yes, true, NULL, 0, 0},
                  made = {sizeof made, true, WORD(1), 0, 0};
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    for (uintptr_t i = 1; i <= 2; i++) {
        made.resource = WORD(i);
        CHECK_STATUS(pool_op_acquire(pool, &first, 0), POOL_OK);
        CHECK_INT(pool_op_next(&first, NULL, &ask), POOL_ASK_CREATE);
        CHECK_INT(pool_op_next(&first, &made, &ask), POOL_ASK_DONE);
    }
    CHECK(pool_op_join(pool, &first, 0));
    CHECK_STATUS(pool_op_release(pool, &release, WORD(1)), POOL_OK);
    CHECK_INT(pool_op_next(&release, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
    CHECK_INT(pool_op_next(&release, &no, &ask), POOL_ASK_DONE); /* it is gone */
    CHECK_PTR(pool_op_woken(pool), &first);
    CHECK_PTR(pool_op_take(&first), NULL); /* nothing is idle yet, and it may wait for that */
    CHECK_STATUS(pool_op_release(pool, &release, WORD(2)), POOL_OK);
    CHECK_INT(pool_op_next(&release, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
    CHECK_INT(pool_op_next(&release, &yes, &ask), POOL_ASK_DONE);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(pool_take(pool), NULL);
    CHECK_STATUS(pool_try_acquire(pool, &(void *){NULL}), POOL_PENDING); /* there is a place to make one */
    CHECK_PTR(pool_op_take(&first), WORD(2));
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_STATUS(pool_op_release(pool, &release, WORD(2)), POOL_OK);
    CHECK_INT(pool_op_next(&release, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
    CHECK_INT(pool_op_next(&release, &no, &ask), POOL_ASK_DONE);
    finish(pool);
}

/* Two are promised a place each when the breaker opens and closes again, and the pool shrinks: one promise ends by that. */
TEST(who_loses_a_promise_after_an_opening_is_told_by_woken)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 2;
    pool_t *pool;
    pool_op_t op, first, second;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    for (uintptr_t i = 1; i <= 2; i++) {
        pool_answer_t made = {sizeof made, true, WORD(i), 0, 0};
        CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
        CHECK_INT(pool_op_next(&op, &made, &ask), POOL_ASK_DONE);
    }
    CHECK(pool_op_join(pool, &first, 0));
    CHECK(pool_op_join(pool, &second, 0));
    for (uintptr_t i = 1; i <= 2; i++) {
        CHECK_STATUS(pool_op_detach(pool, &op, WORD(i)), POOL_OK);
        check_end(&op, POOL_OK);
    }
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_STATUS(pool_op_resize(pool, &op, 0, 1), POOL_OK);
    check_end(&op, POOL_OK);
    CHECK_PTR(pool_op_woken(pool), &first);
    CHECK_PTR(pool_op_woken(pool), &second);
    check_end(&second, POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_op_cancel(&first), POOL_OK);
    finish(pool);
}

TEST(a_place_goes_down_the_line_in_one_call_each)
{
    pool_t *pool = host_pool(0, 0);
    pool_op_t first, second;
    lend(pool);
    CHECK_PTR(pool_hand_on(pool, WORD(1)), NULL); /* nobody waits */
    CHECK(pool_op_join(pool, &first, 0));
    CHECK(pool_op_join(pool, &second, 60000));
    CHECK_COUNTS(pool, 0, 1, 2);
    CHECK_PTR(pool_op_take(&first), NULL);
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_PENDING);
    CHECK_PTR(pool_hand_on(pool, WORD(2)), NULL); /* not lent */
    CHECK_PTR(pool_hand_on(pool, WORD(1)), &first);
    CHECK_PTR(pool_op_woken(pool), NULL); /* it was told */
    CHECK_PTR(pool_take(pool), NULL);     /* it is promised */
    CHECK_PTR(pool_op_take(&second), NULL);
    CHECK_PTR(pool_op_take(&first), WORD(1));
    CHECK_PTR(pool_op_take(&first), NULL); /* it is done */
    check_end(&first, POOL_OK);
    CHECK_PTR(pool_hand_on(pool, WORD(1)), &second);
    CHECK_PTR(pool_op_take(&second), WORD(1));
    CHECK_PTR(pool_hand_on(pool, WORD(1)), NULL);
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    finish(pool);
}

TEST(where_a_hook_is_asked_for_the_ops_go_on)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = {sizeof yes, true, NULL, 0, 0};
    pool_t *pool = host_pool(POOL_ASKS_BEFORE_ACQUIRE, 0);
    pool_op_t waits;
    lend(pool);
    CHECK(pool_op_join(pool, &waits, 0));           /* to stand in line needs none */
    CHECK_PTR(pool_hand_on(pool, WORD(1)), &waits); /* giving back has none */
    CHECK_PTR(pool_op_take(&waits), NULL);
    CHECK_INT(pool_op_next(&waits, NULL, &ask), POOL_ASK_BEFORE_ACQUIRE);
    CHECK_INT(pool_op_next(&waits, &yes, &ask), POOL_ASK_DONE);
    CHECK_PTR(ask.resource, WORD(1));
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_OK);
    finish(pool);
}

TEST(a_release_that_is_judged_is_not_handed_on_in_one_call)
{
    pool_t *pool = host_pool(POOL_ASKS_BEFORE_RELEASE, 0);
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = {sizeof yes, true, NULL, 0, 0};
    pool_op_t waits, back;
    lend(pool);
    CHECK(pool_op_join(pool, &waits, 0));
    CHECK_PTR(pool_hand_on(pool, WORD(1)), NULL);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK_STATUS(pool_op_release(pool, &back, WORD(1)), POOL_OK);
    CHECK_INT(pool_op_next(&back, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
    CHECK_INT(pool_op_next(&back, &yes, &ask), POOL_ASK_DONE);
    CHECK_PTR(pool_op_woken(pool), &waits);
    CHECK_PTR(pool_op_take(&waits), WORD(1));
    CHECK_STATUS(pool_op_cancel(&waits), POOL_OK);
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_PENDING);
    CHECK_STATUS(pool_op_release(pool, &back, WORD(1)), POOL_OK);
    CHECK_INT(pool_op_next(&back, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
    CHECK_INT(pool_op_next(&back, &yes, &ask), POOL_ASK_DONE);
    finish(pool);
}

TEST(who_was_granted_a_place_and_leaves_hands_it_on)
{
    pool_t *pool = host_pool(0, 0);
    pool_op_t first, second;
    lend(pool);
    CHECK(pool_op_join(pool, &first, 0));
    CHECK(pool_op_join(pool, &second, 0));
    CHECK_PTR(pool_hand_on(pool, WORD(1)), &first);
    CHECK_STATUS(pool_op_cancel(&first), POOL_OK);
    CHECK_PTR(pool_op_woken(pool), &second);
    CHECK_PTR(pool_op_take(&second), WORD(1));
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_OK);
    finish(pool);
}

TEST(what_waits_too_long_or_on_a_closed_pool_takes_nothing)
{
    pool_t *pool = host_pool(0, 0);
    pool_op_t late, closed, close;
    lend(pool);
    CHECK(pool_op_join(pool, &late, 1));
    CHECK(pool_op_join(pool, &closed, 0));
    CHECK_PTR(pool_hand_on(pool, WORD(1)), &late);
    WAIT_FOR(check_now_ns() > pool_op_until_ns(&late));
    CHECK_PTR(pool_op_take(&late), NULL);
    check_end(&late, POOL_ERR_TIMEOUT);
    CHECK_PTR(pool_op_woken(pool), &closed);
    CHECK_STATUS(pool_op_close(pool, &close), POOL_OK);
    check_end(&close, POOL_OK);
    CHECK_PTR(pool_op_take(&closed), NULL);
    check_end(&closed, POOL_ERR_CLOSED);
    CHECK(!pool_op_join(pool, &late, 0));
    check_end(&late, POOL_ERR_CLOSED);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(arguments_that_are_none)
{
    pool_t *pool = host_pool(0, 0);
    pool_op_t op;
    CHECK(!pool_op_join(NULL, &op, 0));
    check_end(&op, POOL_ERR_INVALID);
    CHECK(!pool_op_join(pool, NULL, 0));
    CHECK(!pool_op_join(pool, &op, -1));
    CHECK_PTR(pool_op_take(NULL), NULL);
    CHECK_PTR(pool_op_take(&op), NULL);
    CHECK_PTR(pool_hand_on(NULL, WORD(1)), NULL);
    CHECK_PTR(pool_hand_on(pool, NULL), NULL);
    CHECK_STATUS(pool_set_asks(NULL, 0), POOL_ERR_INVALID);
    CHECK_STATUS(pool_set_asks(pool, POOL_ASKS_DESTROY), POOL_ERR_INVALID);
    finish(pool);
}

TEST(the_asks_of_a_strategy_come_and_go)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = host_pool(0, 0);
    pool_op_t op;
    lend(pool); /* before there is a strategy */
    CHECK_STATUS(pool_set_asks(pool, POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER), POOL_OK);
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_PENDING);
    CHECK_STATUS(pool_op_release(pool, &op, WORD(1)), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_REPORT_SUCCESS);
    CHECK_PTR(ask.resource, WORD(1));
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK(!pool_op_join(pool, &op, 0));
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_SHOULD_RECOVER);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_set_asks(pool, 0), POOL_OK);
    CHECK(!pool_op_join(pool, &op, 0));
    check_end(&op, POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_PTR(pool_take(pool), WORD(1));
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_OK);
    finish(pool);
}

/*
 * Ops in states that they should not be used in: a copy, one that is done, one of a pool that could not be used,
 * one that a loop drives. None of them moves anything. Each case shows P07.
 */
#include "loop.h"

typedef struct line {
    pool_t *pool;
    fx_resource *lent;
    pool_op_t op; /* waits for it */
} line;

static line new_line(void)
{
    line l = {fx_pool(0, 0, 1), NULL, {{0}, NULL}};
    l.lent = fx_take(l.pool);
    return l;
}

static void stand_in(line *l)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(l->pool, &l->op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&l->op, NULL, &ask), POOL_ASK_WAIT);
    CHECK_COUNTS(l->pool, 0, 1, 1);
}

/* It is served as if nothing had been. */
static void serve(line *l)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_COUNTS(l->pool, 0, 1, 1);
    fx_give(l->pool, l->lent);
    CHECK_STATUS(pool_op_wait(&l->op, INT64_MAX), POOL_OK);
    CHECK_INT(pool_op_next(&l->op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, l->lent);
    fx_give(l->pool, l->lent);
    fx_finish(l->pool);
}

static void refused(pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_wait(op, INT64_MAX), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_cancel(op), POOL_ERR_INVALID);
    CHECK_PTR(pool_op_take(op), NULL);
    CHECK_INT(pool_op_until_ns(op), INT64_MAX);
}

TEST(the_copy_of_an_op_that_waits_is_none)
{
    line l = new_line();
    stand_in(&l);
    pool_op_t copy = l.op;
    refused(&copy);
    serve(&l);
}

/* Others stand before and behind it, so that its links lead somewhere. */
TEST(copies_in_the_middle_of_a_line_leave_the_line_whole)
{
    enum { N = 5 };
    line l = new_line();
    pool_op_t ops[N], copies[N];
    pool_ask_t ask = POOL_ASK_INIT;
    for (int i = 0; i < N; i++) {
        CHECK_STATUS(pool_op_acquire(l.pool, &ops[i], 0), POOL_OK);
        CHECK_INT(pool_op_next(&ops[i], NULL, &ask), POOL_ASK_WAIT);
    }
    memcpy(copies, ops, sizeof copies);
    for (int i = 0; i < N; i++)
        refused(&copies[i]);
    CHECK_COUNTS(l.pool, 0, 1, N);
    fx_resource *r = l.lent;
    for (int i = 0; i < N; i++) {
        fx_give(l.pool, r);
        memcpy(copies, ops, sizeof copies); /* now one of them was granted */
        refused(&copies[i]);
        CHECK_INT(pool_op_next(&ops[i], NULL, &ask), POOL_ASK_DONE);
        CHECK_STATUS(ask.status, POOL_OK);
        CHECK_INT(ask.ticket, i + 1);
        r = ask.resource;
    }
    fx_give(l.pool, r);
    fx_finish(l.pool);
}

TEST(the_copy_of_an_op_whose_ask_is_out_answers_nothing)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    int word;
    pool_t *pool = fx_pool(0, 0, 1);
    answer.ok = true;
    answer.resource = &word;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    pool_op_t copy = op;
    CHECK_INT(pool_op_next(&copy, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* What is in the memory of a new op does not matter: another op that is done, or anything. */
TEST(the_memory_of_an_op_may_hold_anything_before_it_is_begun)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    for (int fill = 0; fill <= 0xff; fill += 0x33) {
        line l = new_line();
        memset(&op, fill, sizeof op);
        CHECK_STATUS(pool_op_acquire(l.pool, &op, 0), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
        CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
        l.op = op; /* moved when it is done, and begun again there */
        stand_in(&l);
        serve(&l);
    }
}

TEST(an_op_that_is_done_tells_it_again_and_waits_for_nothing)
{
    line l = new_line();
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    stand_in(&l);
    CHECK_STATUS(pool_op_try_acquire(l.pool, &op), POOL_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
        CHECK_STATUS(ask.status, POOL_EMPTY);
        CHECK_STATUS(pool_op_wait(&op, INT64_MAX), POOL_ERR_INVALID);
        CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
        CHECK_PTR(pool_op_take(&op), NULL);
    }
    serve(&l);
}

/* The op of a loop is its reactor's to drive: the functions for hosts that drive ops themselves leave it alone. */
TEST(an_op_that_a_loop_drives_is_not_driven_by_others)
{
    told t = {0};
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    loop_acquire(pool, &t, 0);
    CHECK_INT(pool_op_next(&t.op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_wait(&t.op, INT64_MAX), POOL_ERR_INVALID);
    CHECK_PTR(pool_op_take(&t.op), NULL);
    pool_op_t copy = t.op;
    refused(&copy);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    loop_until_told(pool, &t);
    CHECK_TOLD_ONCE(&t, POOL_OK);
    loop_give(&t);
    fx_finish(pool);
}

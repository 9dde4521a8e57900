/*
 * Bounded barging: who may overtake whom, and for how long. The pools here are driven by the test, which
 * says what time it is and in which order things happen. Every story is told twice: where the driver's line
 * in C decides, and where a hook leaves all of it to the core.
 */
#include "check.h"

#define WORD(n) ((void *)(uintptr_t)(n))
#define TOLD_TWICE(story)                                                                          \
    do {                                                                                           \
        story(0);                                                                                  \
        story(POOL_ASKS_BEFORE_ACQUIRE);                                                           \
    } while (0)

enum { LIMIT_US = 500 };

/* The test's clock, in ns: when everybody comes; the last moment at which who came then may be overtaken; the
 * first at which it may not. */
static const int64_t start = 1000000000;
static const int64_t in_time = start + LIMIT_US * 1000 - 1000;
static const int64_t overdue = start + LIMIT_US * 1000;

typedef struct talk {
    pool_op_t op;
    pool_ask_t ask;
} talk;

static pool_t *host_pool(uint32_t asks, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN | POOL_F_BARGING;
    config.asks = asks;
    config.max_size = max;
    config.barging_limit_us = LIMIT_US;
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

/* Every resource passes before_acquire. */
static pool_ask_kind_t reply_at(talk *t, int64_t now_ns, void *made)
{
    const pool_answer_t answer = {sizeof answer, true, made, now_ns};
    pool_ask_kind_t kind = pool_op_next(&t->op, &answer, &t->ask);
    return kind == POOL_ASK_BEFORE_ACQUIRE ? pool_op_next(&t->op, &answer, &t->ask) : kind;
}

static pool_ask_kind_t come_back(talk *t, int64_t now_ns) { return reply_at(t, now_ns, NULL); }

static pool_ask_kind_t come_within(talk *t, pool_t *pool, int64_t timeout_ms)
{
    t->ask = (pool_ask_t)POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &t->op, timeout_ms), POOL_OK);
    return reply_at(t, start, NULL);
}

static pool_ask_kind_t come(talk *t, pool_t *pool) { return come_within(t, pool, 0); }

static pool_ask_kind_t try(talk *t, pool_t *pool)
{
    t->ask = (pool_ask_t)POOL_ASK_INIT;
    CHECK_STATUS(pool_op_try_acquire(pool, &t->op), POOL_OK);
    return reply_at(t, start, NULL);
}

static void check_lent(int line, pool_ask_kind_t kind, const talk *t, void *resource)
{
    check_int(__FILE__, line, "kind of ask", kind, POOL_ASK_DONE);
    check_status(__FILE__, line, "ask.status", t->ask.status, POOL_OK);
    check_ptr(__FILE__, line, "ask.resource", t->ask.resource, resource);
}
#define CHECK_LENT(kind, t, n) check_lent(__LINE__, kind, t, WORD(n))
#define CHECK_WAITS(kind) CHECK_INT(kind, POOL_ASK_WAIT)
#define CHECK_ENDS(kind, t, code)                                                                  \
    do {                                                                                           \
        CHECK_INT(kind, POOL_ASK_DONE);                                                            \
        CHECK_STATUS((t)->ask.status, code);                                                       \
    } while (0)
/* What pool_snapshot() says. */
#define CHECK_PLACES(pool, i, a, r, w)                                                             \
    do {                                                                                           \
        pool_snapshot_t s = {.struct_size = sizeof s};                                             \
        CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);                                            \
        CHECK_INT(s.idle, i);                                                                      \
        CHECK_INT(s.active, a);                                                                    \
        CHECK_INT(s.reserved, r);                                                                  \
        CHECK_INT(s.waiting, w);                                                                   \
    } while (0)

/* Makes and lends resource n. */
static void lend(pool_t *pool, uintptr_t n)
{
    talk t;
    CHECK_INT(come(&t, pool), POOL_ASK_CREATE);
    CHECK_LENT(reply_at(&t, start, WORD(n)), &t, n);
}

static void give_at(pool_t *pool, uintptr_t n, int64_t now_ns)
{
    talk t = {.ask = POOL_ASK_INIT};
    CHECK_STATUS(pool_op_release(pool, &t.op, WORD(n)), POOL_OK);
    CHECK_ENDS(come_back(&t, now_ns), &t, POOL_OK);
}

static void give(pool_t *pool, uintptr_t n) { give_at(pool, n, start); }

static void check_woken(pool_t *pool, talk *first)
{
    CHECK_PTR(pool_op_woken(pool), first ? &first->op : NULL);
    if (first)
        CHECK_PTR(pool_op_woken(pool), NULL);
}

/* Closes by op and lets go. */
static void finish(pool_t *pool)
{
    talk t = {.ask = POOL_ASK_INIT};
    CHECK_STATUS(pool_op_close(pool, &t.op), POOL_OK);
    while (come_back(&t, start) != POOL_ASK_DONE)
        ;
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* A pool of one, whose place is free and for which a was called and has not come yet; b stands behind it. */
static pool_t *called(uint32_t asks, talk *a, talk *b)
{
    pool_t *pool = host_pool(asks, 1);
    lend(pool, 1);
    CHECK_WAITS(come(a, pool));
    CHECK_WAITS(come(b, pool));
    CHECK_PLACES(pool, 0, 1, 0, 2);
    give(pool, 1);
    CHECK_PLACES(pool, 1, 0, 0, 2);
    return pool;
}

/* The same after n took the place, and a came too late. */
static pool_t *overtaken(uint32_t asks, talk *a, talk *b, talk *n, int64_t now_ns)
{
    pool_t *pool = called(asks, a, b);
    CHECK_LENT(come(n, pool), n, 1);
    CHECK_PLACES(pool, 0, 1, 0, 2);
    CHECK_WAITS(come_back(a, now_ns));
    CHECK_PLACES(pool, 0, 1, 0, 2);
    check_woken(pool, NULL);
    return pool;
}

static void who_is_called_takes_the_place(uint32_t asks)
{
    talk a, b, n;
    pool_t *pool = called(asks, &a, &b);
    check_woken(pool, &a);
    CHECK_LENT(come_back(&a, start), &a, 1);
    CHECK_INT(a.ask.turn, 1); /* the first of those who waited and were served */
    CHECK_PLACES(pool, 0, 1, 0, 1);
    CHECK_ENDS(try(&n, pool), &n, POOL_EMPTY);
    give(pool, 1);
    check_woken(pool, &b);
    CHECK_LENT(come_back(&b, overdue), &b, 1); /* overdue or not, it is there */
    give(pool, 1);
    finish(pool);
}
TEST(who_is_called_takes_the_place_and_counts_as_waiting_until_then)
{
    TOLD_TWICE(who_is_called_takes_the_place);
}

static void who_comes_too_late_is_first_again(uint32_t asks)
{
    talk a, b, n;
    pool_t *pool = overtaken(asks, &a, &b, &n, in_time);
    CHECK_WAITS(come_back(&b, in_time));
    give(pool, 1);
    check_woken(pool, &a);
    CHECK_LENT(try(&n, pool), &n, 1); /* a try is a newcomer, too */
    CHECK_WAITS(come_back(&a, in_time));
    give(pool, 1);
    check_woken(pool, &a);
    CHECK_LENT(come_back(&a, in_time), &a, 1);
    CHECK(a.ask.ticket < b.ask.ticket);
    give(pool, 1);
    check_woken(pool, &b);
    CHECK_LENT(come_back(&b, start), &b, 1);
    give(pool, 1);
    finish(pool);
}
TEST(a_newcomer_takes_the_place_and_who_comes_too_late_is_first_again)
{
    TOLD_TWICE(who_comes_too_late_is_first_again);
}

static void who_is_overdue_is_promised_the_next_place(uint32_t asks)
{
    talk a, b, n, m;
    pool_t *pool = overtaken(asks, &a, &b, &n, in_time);
    give_at(pool, 1, in_time);
    CHECK_PLACES(pool, 1, 0, 0, 2); /* not yet */
    CHECK_LENT(try(&n, pool), &n, 1);
    check_woken(pool, &a);
    CHECK_WAITS(come_back(&a, overdue));
    give_at(pool, 1, overdue);
    CHECK_PLACES(pool, 1, 0, 1, 1);
    CHECK_ENDS(try(&m, pool), &m, POOL_EMPTY);
    void *r;
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_EMPTY);
    CHECK_PTR(pool_take(pool), NULL);
    CHECK_WAITS(come(&m, pool));
    check_woken(pool, &a);
    CHECK_LENT(come_back(&a, overdue), &a, 1);
    CHECK_INT(a.ask.turn, 1);
    give_at(pool, 1, overdue);
    CHECK_PLACES(pool, 1, 0, 1, 1);
    CHECK_LENT(come_back(&b, overdue), &b, 1);
    CHECK_INT(b.ask.turn, 2);
    CHECK_STATUS(pool_op_cancel(&m.op), POOL_OK);
    give_at(pool, 1, overdue);
    finish(pool);
}
TEST(after_the_limit_the_next_place_is_promised_and_newcomers_wait)
{
    TOLD_TWICE(who_is_overdue_is_promised_the_next_place);
}

static void two_places_for_two_in_line(uint32_t asks)
{
    talk a, b;
    pool_t *pool = host_pool(asks, 2);
    lend(pool, 1);
    lend(pool, 2);
    CHECK_WAITS(come(&a, pool));
    CHECK_WAITS(come(&b, pool));
    give(pool, 1);
    give(pool, 2);
    CHECK_PTR(pool_op_woken(pool), &a.op);
    check_woken(pool, &b); /* whether or not the first moves */
    CHECK_PLACES(pool, 2, 0, 1, 1);
    CHECK_LENT(come_back(&a, start), &a, 1);
    CHECK_PLACES(pool, 1, 1, 0, 1);
    CHECK_LENT(come_back(&b, start), &b, 2);
    give(pool, 1);
    give(pool, 2);
    finish(pool);
}
TEST(of_two_places_one_is_promised_and_the_next_is_called_for_the_other)
{
    TOLD_TWICE(two_places_for_two_in_line);
}

static void one_in_line_comes_before_its_turn(uint32_t asks)
{
    talk a, b;
    pool_t *pool = called(asks, &a, &b);
    CHECK_WAITS(come_back(&b, overdue)); /* woken by nobody */
    CHECK_PLACES(pool, 1, 0, 0, 2);
    CHECK_LENT(come_back(&a, start), &a, 1);
    give(pool, 1);
    CHECK_LENT(come_back(&b, start), &b, 1);
    give(pool, 1);
    finish(pool);
}
TEST(one_in_line_does_not_take_the_place_that_the_first_was_called_for)
{
    TOLD_TWICE(one_in_line_comes_before_its_turn);
}

static void not_looked_up(uint32_t asks)
{
    talk a, b, n;
    pool_t *pool = overtaken(asks, &a, &b, &n, in_time); /* nobody asked pool_op_woken() before */
    give(pool, 1);
    check_woken(pool, &a);
    CHECK_LENT(come_back(&a, start), &a, 1);
    give(pool, 1);
    CHECK_LENT(come_back(&b, start), &b, 1);
    check_woken(pool, NULL);
    give(pool, 1);
    finish(pool);
}
TEST(one_who_was_called_and_never_looked_up_stands_in_one_list_only) { TOLD_TWICE(not_looked_up); }

static void cancelled(uint32_t asks)
{
    talk a, b;
    pool_t *pool = called(asks, &a, &b);
    CHECK_STATUS(pool_op_cancel(&a.op), POOL_OK);
    CHECK_ENDS(come_back(&a, start), &a, POOL_ERR_CANCELLED);
    check_woken(pool, &b); /* called or promised: a cancel looks at the real time */
    CHECK_STATUS(pool_op_cancel(&b.op), POOL_OK);
    CHECK_PLACES(pool, 1, 0, 0, 0);
    finish(pool);
}
TEST(a_cancel_of_who_was_called_calls_the_next) { TOLD_TWICE(cancelled); }

static void timed_out(uint32_t asks)
{
    talk a, b;
    pool_t *pool = host_pool(asks, 1);
    lend(pool, 1);
    CHECK_WAITS(come_within(&a, pool, 1000));
    CHECK_WAITS(come(&b, pool));
    give(pool, 1);
    CHECK_ENDS(come_back(&a, a.ask.until_ns), &a, POOL_ERR_TIMEOUT);
    check_woken(pool, &b);
    CHECK_LENT(come_back(&b, start), &b, 1);
    give(pool, 1);
    finish(pool);
}
TEST(a_deadline_of_who_was_called_calls_the_next) { TOLD_TWICE(timed_out); }

static void closed(uint32_t asks)
{
    talk a, b, c = {.ask = POOL_ASK_INIT};
    pool_t *pool = called(asks, &a, &b);
    CHECK_STATUS(pool_op_close(pool, &c.op), POOL_OK);
    CHECK_ENDS(come_back(&c, start), &c, POOL_OK);
    CHECK_PLACES(pool, 0, 0, 0, 0);
    CHECK_ENDS(come_back(&a, start), &a, POOL_ERR_CLOSED);
    CHECK_ENDS(come_back(&b, start), &b, POOL_ERR_CLOSED);
    finish(pool);
}
TEST(a_close_tells_who_was_called) { TOLD_TWICE(closed); }

static void breaker_opened(uint32_t asks)
{
    talk a, b;
    pool_t *pool = called(asks, &a, &b);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_PLACES(pool, 1, 0, 0, 0);
    CHECK_STATUS(pool_activate(pool), POOL_OK); /* the verdict stands */
    CHECK_ENDS(come_back(&a, start), &a, POOL_ERR_UNAVAILABLE);
    CHECK_ENDS(come_back(&b, start), &b, POOL_ERR_UNAVAILABLE);
    finish(pool);
}
TEST(an_opening_breaker_sends_who_was_called_away) { TOLD_TWICE(breaker_opened); }

static void breaker_recovers(uint32_t asks)
{
    talk a, b, n;
    pool_t *pool = called(asks, &a, &b);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_PLACES(pool, 1, 0, 1, 1); /* the call has become a promise: probes go in order */
    CHECK_ENDS(try(&n, pool), &n, POOL_ERR_UNAVAILABLE);
    CHECK_LENT(come_back(&a, start), &a, 1);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    give(pool, 1);
    CHECK_LENT(come_back(&b, start), &b, 1);
    give(pool, 1);
    finish(pool);
}
TEST(a_breaker_that_recovers_makes_a_promise_of_the_call) { TOLD_TWICE(breaker_recovers); }

/*
 * Bounded barging: who may overtake whom, and for how long. Most of it on pools whose host answers
 * everything, so that the test says what time it is and in which order things happen.
 */
#include "fixture.h"

#define WORD(n) ((void *)(uintptr_t)(n))
#define US 1000ll

enum { LIMIT_US = 500 };

typedef struct talk {
    pool_op_t op;
    pool_ask_t ask;
} talk;

static const int64_t start = 1000000000; /* the test's clock, in ns */

static pool_t *host_pool(uint32_t flags, uint32_t asks, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN | flags;
    config.asks = asks;
    config.max_size = max;
    config.barging_limit_us = flags & POOL_F_BARGING ? LIMIT_US : 0;
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static pool_ask_kind_t reply_at(talk *t, int64_t now_ns, bool ok, void *made)
{
    pool_answer_t answer = {sizeof answer, ok, made, now_ns};
    return pool_op_next(&t->op, &answer, &t->ask);
}

static pool_ask_kind_t go_on(talk *t, int64_t now_ns) { return reply_at(t, now_ns, true, NULL); }

static pool_ask_kind_t acquire_within(talk *t, pool_t *pool, int64_t timeout_ms, int64_t now_ns)
{
    t->ask = (pool_ask_t)POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &t->op, timeout_ms), POOL_OK);
    return go_on(t, now_ns);
}

static pool_ask_kind_t acquire(talk *t, pool_t *pool, int64_t now_ns)
{
    return acquire_within(t, pool, 0, now_ns);
}

static void check_lent(int line, pool_ask_kind_t kind, const talk *t, void *resource)
{
    check_int(__FILE__, line, "kind of ask", kind, POOL_ASK_DONE);
    check_status(__FILE__, line, "ask.status", t->ask.status, POOL_OK);
    check_ptr(__FILE__, line, "ask.resource", t->ask.resource, resource);
}
#define CHECK_LENT(kind, t, resource) check_lent(__LINE__, kind, t, resource)
#define CHECK_WAITS(kind) CHECK_INT(kind, POOL_ASK_WAIT)
#define CHECK_FAILS(kind, t, code)                                                                 \
    do {                                                                                           \
        CHECK_INT(kind, POOL_ASK_DONE);                                                            \
        CHECK_STATUS((t)->ask.status, code);                                                       \
    } while (0)

/* Makes and lends resource n. */
static void lend(pool_t *pool, uintptr_t n)
{
    talk t;
    CHECK_INT(acquire(&t, pool, start), POOL_ASK_CREATE);
    CHECK_LENT(reply_at(&t, start, true, WORD(n)), &t, WORD(n));
}

static void give(pool_t *pool, uintptr_t n) { CHECK_STATUS(pool_release(pool, WORD(n)), POOL_OK); }

/* Closes by op and lets go. */
static void finish(pool_t *pool)
{
    talk t = {.ask = POOL_ASK_INIT};
    CHECK_STATUS(pool_op_close(pool, &t.op), POOL_OK);
    while (go_on(&t, start) != POOL_ASK_DONE)
        ;
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(one_in_line_does_not_take_the_place_that_its_head_was_called_for)
{
    pool_t *pool = host_pool(POOL_F_BARGING, 0, 1);
    talk a, b;
    lend(pool, 1);
    CHECK_WAITS(acquire(&a, pool, start));
    CHECK_WAITS(acquire(&b, pool, start));
    give(pool, 1);
    CHECK_WAITS(go_on(&b, start)); /* woken by nobody */
    CHECK_COUNTS(pool, 1, 0, 2);
    CHECK_LENT(go_on(&a, start), &a, WORD(1));
    give(pool, 1);
    CHECK_LENT(go_on(&b, start), &b, WORD(1));
    give(pool, 1);
    finish(pool);
}

TEST(one_who_was_called_and_never_looked_up_stands_in_one_list_only)
{
    pool_t *pool = host_pool(POOL_F_BARGING, 0, 1);
    talk a, b, n;
    lend(pool, 1);
    CHECK_WAITS(acquire(&a, pool, start));
    CHECK_WAITS(acquire(&b, pool, start));
    give(pool, 1);
    CHECK_LENT(acquire(&n, pool, start), &n, WORD(1));
    CHECK_WAITS(go_on(&a, start)); /* it did not come out of pool_op_woken() */
    CHECK_PTR(pool_op_woken(pool), NULL);
    give(pool, 1);
    CHECK_PTR(pool_op_woken(pool), &a.op);
    CHECK_PTR(pool_op_woken(pool), NULL);
    CHECK_LENT(go_on(&a, start), &a, WORD(1));
    give(pool, 1);
    CHECK_LENT(go_on(&b, start), &b, WORD(1));
    give(pool, 1);
    finish(pool);
}

/*
 * The op protocol, one ask at a time, on pools whose host answers everything. Resources are plain
 * numbers here: the pool never looks at them. Each case shows P01.
 */
#include "check.h"

#define WORD(n) ((void *)(uintptr_t)(n))
#define ASKS_ALL (POOL_ASKS_DESTROY | POOL_ASKS_BEFORE_ACQUIRE | POOL_ASKS_BEFORE_RELEASE)
#define MS 1000000ll

_Static_assert(sizeof(pool_op_t) == 256, "hosts lay out ops themselves: the size is ABI");

typedef struct talk {
    pool_op_t op;
    pool_ask_t ask;
} talk;

static pool_t *host_pool(uint32_t asks, uint32_t min, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = asks;
    config.min_size = min;
    config.max_size = max;
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static pool_ask_kind_t first(talk *t)
{
    t->ask = (pool_ask_t)POOL_ASK_INIT;
    return pool_op_next(&t->op, NULL, &t->ask);
}

static pool_ask_kind_t acquire(talk *t, pool_t *pool, int64_t timeout_ms)
{
    CHECK_STATUS(pool_op_acquire(pool, &t->op, timeout_ms), POOL_OK);
    return first(t);
}

static pool_ask_kind_t release(talk *t, pool_t *pool, void *resource)
{
    CHECK_STATUS(pool_op_release(pool, &t->op, resource), POOL_OK);
    return first(t);
}

static pool_ask_kind_t reply_at(talk *t, bool ok, void *made, int64_t now_ns)
{
    pool_answer_t answer = {sizeof answer, ok, made, now_ns, 0};
    return pool_op_next(&t->op, &answer, &t->ask);
}

static pool_ask_kind_t reply(talk *t, bool ok) { return reply_at(t, ok, NULL, 0); }
static pool_ask_kind_t made(talk *t, uintptr_t n) { return reply_at(t, true, WORD(n), 0); }

/* What pool_op_next() said: an ask, or the end of an acquire, with a resource or without. */
static void check_ask(int line, pool_ask_kind_t got, const talk *t, pool_ask_kind_t kind, pool_status_t status,
                      void *resource)
{
    check_int(__FILE__, line, "kind of ask", got, kind);
    check_int(__FILE__, line, "ask.kind", t->ask.kind, kind);
    if (kind == POOL_ASK_DONE)
        check_status(__FILE__, line, "ask.status", t->ask.status, status);
    check_ptr(__FILE__, line, "ask.resource", t->ask.resource, resource);
}
#define CHECK_ASKS(got, t, kind, r) check_ask(__LINE__, got, t, POOL_ASK_##kind, POOL_OK, r)
#define CHECK_LENT(got, t, r) check_ask(__LINE__, got, t, POOL_ASK_DONE, POOL_OK, r)
#define CHECK_FAILS(got, t, status) check_ask(__LINE__, got, t, POOL_ASK_DONE, status, NULL)

/* The end of any other op. */
static void check_ok(int line, pool_ask_kind_t got, const talk *t)
{
    check_int(__FILE__, line, "kind of ask", got, POOL_ASK_DONE);
    check_status(__FILE__, line, "ask.status", t->ask.status, POOL_OK);
}
#define CHECK_OK(got, t) check_ok(__LINE__, got, t)

/* Makes and lends resource n. */
static void *lend(pool_t *pool, uintptr_t n)
{
    talk t;
    CHECK_ASKS(acquire(&t, pool, 0), &t, CREATE, NULL);
    CHECK_LENT(made(&t, n), &t, WORD(n));
    return t.ask.resource;
}

static void lend_many(pool_t *pool, uintptr_t n)
{
    for (uintptr_t i = 1; i <= n; i++)
        lend(pool, i);
}

/* Gives back, letting before_release pass. */
static void give(pool_t *pool, void *resource)
{
    talk t;
    pool_ask_kind_t kind = release(&t, pool, resource);
    CHECK_OK(kind == POOL_ASK_BEFORE_RELEASE ? reply(&t, true) : kind, &t);
}

/* Closes by op and lets go; answers how many resources had to be destroyed. */
static int finish(pool_t *pool)
{
    talk t;
    int destroyed = 0;
    CHECK_STATUS(pool_op_close(pool, &t.op), POOL_OK);
    pool_ask_kind_t kind = first(&t);
    for (; kind == POOL_ASK_DESTROY; kind = reply(&t, true))
        destroyed++;
    CHECK_OK(kind, &t);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
    return destroyed;
}

TEST(nothing_happens_before_the_first_next)
{
    pool_t *pool = host_pool(0, 0, 1);
    talk a, c;
    CHECK_STATUS(pool_op_acquire(pool, &a.op, 0), POOL_OK);
    CHECK_STATUS(pool_op_close(pool, &c.op), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK(!pool_is_closed(pool));
    CHECK_ASKS(first(&a), &a, CREATE, NULL);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_LENT(made(&a, 1), &a, WORD(1));
    CHECK_STATUS(pool_op_cancel(&c.op), POOL_OK);
    give(pool, WORD(1));
    CHECK_INT(finish(pool), 0);
}

TEST(a_finished_op_tells_its_end_again_whatever_it_is_answered)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 2);
    talk t;
    CHECK_ASKS(acquire(&t, pool, 0), &t, CREATE, NULL);
    CHECK_LENT(made(&t, 1), &t, WORD(1));
    CHECK(t.ask.ticket == 0 && t.ask.turn == 0);
    for (int i = 0; i < 3; i++)
        CHECK_LENT(made(&t, 2), &t, WORD(1));
    CHECK_STATUS(pool_op_cancel(&t.op), POOL_OK);
    CHECK_LENT(made(&t, 2), &t, WORD(1));
    CHECK_COUNTS(pool, 0, 1, 0);
    give(pool, WORD(1));
    CHECK_INT(finish(pool), 1);
}

TEST(a_creation_that_fails_or_is_answered_with_null_ends_the_op)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 1);
    talk t;
    CHECK_ASKS(acquire(&t, pool, 0), &t, CREATE, NULL);
    CHECK_FAILS(reply_at(&t, false, WORD(9), 0), &t, POOL_ERR_FACTORY);
    CHECK_ASKS(acquire(&t, pool, 0), &t, CREATE, NULL);
    CHECK_FAILS(pool_op_next(&t.op, NULL, &t.ask), &t, POOL_ERR_FACTORY);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(finish(pool), 0);
}

TEST(before_acquire_is_asked_for_each_idle_resource_and_not_for_a_new_one)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 3);
    lend_many(pool, 3);
    for (uintptr_t n = 1; n <= 3; n++)
        give(pool, WORD(n));
    talk t;
    CHECK_ASKS(acquire(&t, pool, 0), &t, BEFORE_ACQUIRE, WORD(1));
    CHECK_COUNTS(pool, 2, 1, 0);
    CHECK_ASKS(reply(&t, false), &t, DESTROY, WORD(1));
    CHECK_COUNTS(pool, 2, 1, 0);
    CHECK_ASKS(reply(&t, true), &t, BEFORE_ACQUIRE, WORD(2));
    CHECK_ASKS(pool_op_next(&t.op, NULL, &t.ask), &t, DESTROY, WORD(2)); /* NULL: no */
    CHECK_ASKS(pool_op_next(&t.op, NULL, &t.ask), &t, BEFORE_ACQUIRE, WORD(3));
    CHECK_LENT(reply(&t, true), &t, WORD(3));
    CHECK_COUNTS(pool, 0, 1, 0);
    give(pool, WORD(3));
    CHECK_ASKS(acquire(&t, pool, 0), &t, BEFORE_ACQUIRE, WORD(3));
    CHECK_ASKS(reply(&t, false), &t, DESTROY, WORD(3));
    CHECK_ASKS(reply(&t, true), &t, CREATE, NULL);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_LENT(made(&t, 4), &t, WORD(4));
    give(pool, WORD(4));
    CHECK_INT(finish(pool), 1);
}

TEST(before_release_decides_and_the_place_is_kept_until_the_destruction_is_answered)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 2);
    lend_many(pool, 2);
    talk t, w;
    CHECK_ASKS(acquire(&w, pool, 0), &w, WAIT, NULL);
    CHECK_ASKS(release(&t, pool, WORD(1)), &t, BEFORE_RELEASE, WORD(1));
    CHECK_COUNTS(pool, 0, 2, 1);
    CHECK_ASKS(reply(&t, false), &t, DESTROY, WORD(1));
    CHECK_COUNTS(pool, 0, 2, 1);
    CHECK_ASKS(reply(&w, true), &w, WAIT, NULL);
    CHECK_OK(reply(&t, true), &t);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_ASKS(reply(&w, true), &w, CREATE, NULL);
    CHECK_LENT(made(&w, 3), &w, WORD(3));
    give(pool, WORD(2));
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_ASKS(release(&t, pool, WORD(3)), &t, BEFORE_RELEASE, WORD(3));
    CHECK_ASKS(pool_op_next(&t.op, NULL, &t.ask), &t, DESTROY, WORD(3)); /* NULL: no */
    CHECK_OK(reply(&t, true), &t);
    CHECK_INT(finish(pool), 1);
}

TEST(a_resource_in_its_hook_or_never_lent_cannot_be_released)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 1);
    lend(pool, 1);
    talk t, again;
    CHECK_INT(release(&t, pool, WORD(1)), POOL_ASK_BEFORE_RELEASE);
    CHECK_FAILS(release(&again, pool, WORD(1)), &again, POOL_ERR_NOT_OWNED);
    CHECK_FAILS(release(&again, pool, WORD(7)), &again, POOL_ERR_NOT_OWNED);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_OK(reply(&t, true), &t);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(finish(pool), 1);
}

TEST(a_try_ends_empty_where_an_acquire_would_wait)
{
    pool_t *pool = host_pool(0, 0, 1);
    talk t;
    CHECK_STATUS(pool_op_try_acquire(pool, &t.op), POOL_OK);
    CHECK_ASKS(first(&t), &t, CREATE, NULL);
    CHECK_LENT(made(&t, 1), &t, WORD(1));
    CHECK_STATUS(pool_op_try_acquire(pool, &t.op), POOL_OK);
    CHECK_FAILS(first(&t), &t, POOL_EMPTY);
    give(pool, WORD(1));
    CHECK_STATUS(pool_op_try_acquire(pool, &t.op), POOL_OK);
    CHECK_LENT(first(&t), &t, WORD(1));
    give(pool, WORD(1));
    CHECK_INT(finish(pool), 0);
}

TEST(filling_creates_up_to_min_and_stops_at_the_first_failure)
{
    pool_t *pool = host_pool(POOL_ASKS_DESTROY, 3, 4);
    talk t;
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_STATUS(pool_op_fill(pool, &t.op), POOL_OK);
    CHECK_ASKS(first(&t), &t, CREATE, NULL);
    CHECK_ASKS(made(&t, 1), &t, CREATE, NULL);
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_FAILS(reply(&t, false), &t, POOL_ERR_FACTORY);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_op_fill(pool, &t.op), POOL_OK);
    CHECK_ASKS(first(&t), &t, CREATE, NULL);
    CHECK_ASKS(made(&t, 2), &t, CREATE, NULL);
    CHECK_OK(made(&t, 3), &t);
    CHECK_COUNTS(pool, 3, 0, 0);
    CHECK_INT(finish(pool), 3);
}

TEST(closing_asks_for_each_idle_resource_oldest_first)
{
    pool_t *pool = host_pool(POOL_ASKS_DESTROY, 0, 3);
    lend_many(pool, 3);
    give(pool, WORD(2));
    give(pool, WORD(1));
    talk c, again, t;
    CHECK_STATUS(pool_op_close(pool, &c.op), POOL_OK);
    CHECK_ASKS(first(&c), &c, DESTROY, WORD(2));
    CHECK(pool_is_closed(pool));
    CHECK_ASKS(reply(&c, true), &c, DESTROY, WORD(1));
    CHECK_OK(reply(&c, true), &c);
    CHECK_STATUS(pool_op_close(pool, &again.op), POOL_OK);
    CHECK_OK(first(&again), &again);
    CHECK_FAILS(acquire(&t, pool, 0), &t, POOL_ERR_CLOSED);
    CHECK_ASKS(release(&t, pool, WORD(3)), &t, DESTROY, WORD(3));
    CHECK_OK(reply(&t, true), &t);
    CHECK_INT(finish(pool), 0);
}

TEST(waking_early_is_harmless_and_grants_follow_tickets)
{
    pool_t *pool = host_pool(0, 0, 1);
    lend(pool, 1);
    talk a, b;
    CHECK_ASKS(acquire(&a, pool, 0), &a, WAIT, NULL);
    CHECK_ASKS(acquire(&b, pool, 60000), &b, WAIT, NULL);
    CHECK(a.ask.ticket == 1 && b.ask.ticket == 2);
    CHECK(a.ask.until_ns == INT64_MAX);
    int64_t until = b.ask.until_ns;
    CHECK_ASKS(reply_at(&b, true, NULL, until - 1), &b, WAIT, NULL);
    CHECK_ASKS(pool_op_next(&b.op, NULL, &b.ask), &b, WAIT, NULL); /* a wait cannot fail */
    CHECK(b.ask.ticket == 2 && b.ask.until_ns == until);
    give(pool, WORD(1));
    CHECK_LENT(reply(&a, true), &a, WORD(1));
    give(pool, WORD(1));
    CHECK_LENT(reply(&b, true), &b, WORD(1));
    CHECK(a.ask.ticket == 1 && b.ask.ticket == 2);
    CHECK(0 < a.ask.turn && a.ask.turn < b.ask.turn);
    give(pool, WORD(1));
    CHECK_INT(finish(pool), 0);
}

TEST(a_wait_ends_at_its_deadline_by_the_hosts_clock)
{
    pool_t *pool = host_pool(0, 0, 1);
    lend(pool, 1);
    talk t;
    int64_t before = check_now_ns();
    CHECK_ASKS(acquire(&t, pool, 1000), &t, WAIT, NULL);
    CHECK(t.ask.until_ns >= before + 1000 * MS && t.ask.until_ns <= check_now_ns() + 1000 * MS);
    CHECK_FAILS(reply_at(&t, true, NULL, t.ask.until_ns), &t, POOL_ERR_TIMEOUT);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_ASKS(acquire(&t, pool, INT64_MAX), &t, WAIT, NULL);
    CHECK_ASKS(reply_at(&t, true, NULL, before + INT64_MAX / 2), &t, WAIT, NULL);
    CHECK_STATUS(pool_op_cancel(&t.op), POOL_OK);
    give(pool, WORD(1));
    CHECK_INT(finish(pool), 0);
}

TEST(a_deadline_does_not_interrupt_hooks_but_allows_no_further_step)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 1);
    int64_t late = check_now_ns() + 3600 * 1000 * MS;
    talk t;
    CHECK_ASKS(acquire(&t, pool, 1), &t, CREATE, NULL);
    CHECK_FAILS(reply_at(&t, false, NULL, late), &t, POOL_ERR_FACTORY);
    CHECK_ASKS(acquire(&t, pool, 1), &t, CREATE, NULL);
    CHECK_LENT(reply_at(&t, true, WORD(1), late), &t, WORD(1));
    give(pool, WORD(1));
    CHECK_ASKS(acquire(&t, pool, 1), &t, BEFORE_ACQUIRE, WORD(1));
    CHECK_LENT(reply_at(&t, true, NULL, late), &t, WORD(1));
    give(pool, WORD(1));
    CHECK_ASKS(acquire(&t, pool, 1), &t, BEFORE_ACQUIRE, WORD(1));
    CHECK_ASKS(reply_at(&t, false, NULL, late), &t, DESTROY, WORD(1));
    CHECK_FAILS(reply_at(&t, true, NULL, late), &t, POOL_ERR_TIMEOUT);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(finish(pool), 0);
}

/* Leaves t while an ask is out; destroy is what must be ended afterwards, if anything. */
static void cancel(talk *t, void *destroy)
{
    CHECK_STATUS(pool_op_cancel(&t->op), destroy ? POOL_PENDING : POOL_OK);
    if (destroy)
        CHECK_ASKS(pool_op_next(&t->op, NULL, &t->ask), t, DESTROY, destroy);
    CHECK_FAILS(pool_op_next(&t->op, NULL, &t->ask), t, POOL_ERR_CANCELLED);
    CHECK_STATUS(pool_op_cancel(&t->op), POOL_OK);
}

TEST(cancel_before_the_first_next_while_waiting_and_when_granted)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 1);
    talk t = {.ask = POOL_ASK_INIT};
    CHECK_STATUS(pool_op_acquire(pool, &t.op, 0), POOL_OK);
    cancel(&t, NULL);
    lend(pool, 1);
    CHECK_ASKS(acquire(&t, pool, 0), &t, WAIT, NULL);
    cancel(&t, NULL);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_ASKS(acquire(&t, pool, 0), &t, WAIT, NULL);
    give(pool, WORD(1));
    cancel(&t, NULL);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(finish(pool), 1);
}

/* Shows S9. */
TEST(cancel_while_creating_or_checking_hands_the_place_on)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 1);
    talk t, w;
    CHECK_ASKS(acquire(&t, pool, 0), &t, CREATE, NULL);
    CHECK_ASKS(acquire(&w, pool, 0), &w, WAIT, NULL);
    cancel(&t, NULL);
    CHECK_ASKS(reply(&w, true), &w, CREATE, NULL);
    CHECK_LENT(made(&w, 1), &w, WORD(1));
    give(pool, WORD(1));
    CHECK_ASKS(acquire(&t, pool, 0), &t, BEFORE_ACQUIRE, WORD(1));
    CHECK_ASKS(acquire(&w, pool, 0), &w, WAIT, NULL);
    cancel(&t, WORD(1));
    CHECK_ASKS(reply(&w, true), &w, CREATE, NULL);
    cancel(&w, NULL);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(finish(pool), 0);
}

/* Shows S9. */
TEST(cancel_in_a_release_destroys_and_hands_the_place_on)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 1);
    talk t, w;
    lend(pool, 1);
    CHECK_ASKS(acquire(&w, pool, 0), &w, WAIT, NULL);
    CHECK_ASKS(release(&t, pool, WORD(1)), &t, BEFORE_RELEASE, WORD(1));
    cancel(&t, WORD(1));
    CHECK_ASKS(reply(&w, true), &w, CREATE, NULL);
    CHECK_LENT(made(&w, 2), &w, WORD(2));
    CHECK_ASKS(release(&t, pool, WORD(2)), &t, BEFORE_RELEASE, WORD(2));
    CHECK_ASKS(reply(&t, false), &t, DESTROY, WORD(2));
    cancel(&t, NULL); /* the destruction that was asked for counts as done */
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(finish(pool), 0);
}

TEST(cancel_in_a_close_still_destroys_the_rest)
{
    pool_t *pool = host_pool(ASKS_ALL, 0, 2);
    lend_many(pool, 2);
    give(pool, WORD(1));
    give(pool, WORD(2));
    talk c;
    CHECK_STATUS(pool_op_close(pool, &c.op), POOL_OK);
    CHECK_ASKS(first(&c), &c, DESTROY, WORD(1));
    cancel(&c, WORD(2));
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(finish(pool), 0);
}

static void *give_one(void *pool)
{
    give(pool, WORD(1));
    return NULL;
}

TEST(op_wait_blocks_until_the_op_can_go_on)
{
    pool_t *pool = host_pool(0, 0, 1);
    talk t;
    CHECK_ASKS(acquire(&t, pool, 0), &t, CREATE, NULL);
    CHECK_STATUS(pool_op_wait(&t.op, INT64_MAX), POOL_ERR_INVALID);
    CHECK_LENT(made(&t, 1), &t, WORD(1));
    CHECK_ASKS(acquire(&t, pool, 0), &t, WAIT, NULL);
    CHECK_STATUS(pool_op_wait(&t.op, check_now_ns() + 5 * MS), POOL_ERR_TIMEOUT);
    CHECK_ASKS(reply(&t, true), &t, WAIT, NULL);
    pthread_t thread = check_thread(give_one, pool);
    CHECK_STATUS(pool_op_wait(&t.op, t.ask.until_ns), POOL_OK);
    check_join(thread);
    CHECK_LENT(reply(&t, true), &t, WORD(1));
    give(pool, WORD(1));
    CHECK_INT(finish(pool), 0);
}

TEST(one_call_forms_serve_the_trivial_case_of_a_host_driven_pool)
{
    pool_t *pool = host_pool(0, 0, 1), *asking = host_pool(ASKS_ALL, 0, 1);
    void *r = WORD(9);
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_PENDING);
    CHECK_PTR(r, NULL);
    lend(pool, 1);
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_EMPTY);
    CHECK_STATUS(pool_release(pool, WORD(7)), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_release(pool, WORD(1)), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_OK);
    CHECK_PTR(r, WORD(1));
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 1), POOL_ERR_INVALID);
    CHECK_PTR(r, NULL);
    CHECK_STATUS(pool_close(pool), POOL_ERR_INVALID);
    CHECK(!pool_is_closed(pool));
    pool_unref(pool);
    lend(asking, 1);
    CHECK_STATUS(pool_release(asking, WORD(1)), POOL_PENDING);
    CHECK_COUNTS(asking, 0, 1, 0);
    give(asking, WORD(1));
    CHECK_STATUS(pool_try_acquire(asking, &r), POOL_PENDING);
    CHECK_COUNTS(asking, 1, 0, 0);
    CHECK_INT(finish(asking), 1);
}

TEST(an_op_keeps_its_pool_until_it_is_done)
{
    pool_t *pool = host_pool(POOL_ASKS_DESTROY, 0, 1);
    talk t;
    CHECK_ASKS(acquire(&t, pool, 0), &t, CREATE, NULL);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 1);
    CHECK_ASKS(made(&t, 1), &t, DESTROY, WORD(1));
    CHECK_FAILS(reply(&t, true), &t, POOL_ERR_CLOSED);
    CHECK_INT(pool_debug_live(), 0);
    CHECK_FAILS(reply(&t, true), &t, POOL_ERR_CLOSED); /* the pool is gone, the answer is not */
}

/* Shows P07. */
TEST(what_is_no_op_or_has_bad_arguments_is_done_at_once)
{
    pool_t *pool = host_pool(0, 0, 1);
    talk t;
    CHECK_STATUS(pool_op_acquire(pool, &t.op, -1), POOL_ERR_INVALID);
    CHECK_FAILS(first(&t), &t, POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_release(NULL, &t.op, WORD(1)), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_acquire(pool, NULL, 0), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_cancel(NULL), POOL_OK);
    for (int byte = 0; byte <= 0xff; byte += 0x33) {
        memset(&t.op, byte, sizeof t.op);
        CHECK_FAILS(first(&t), &t, POOL_ERR_INVALID);
        CHECK_STATUS(pool_op_cancel(&t.op), POOL_ERR_INVALID);
        CHECK_STATUS(pool_op_wait(&t.op, 0), POOL_ERR_INVALID);
    }
    CHECK_STATUS(pool_op_acquire(pool, &t.op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&t.op, NULL, NULL), POOL_ASK_DONE);
    CHECK_STATUS(pool_op_cancel(&t.op), POOL_OK);
    CHECK_INT(finish(pool), 0);
}

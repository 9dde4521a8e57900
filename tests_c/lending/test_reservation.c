/*
 * Reservations: what holds between the moment a waiter is promised a place and the moment it takes
 * one. The waiters here are ops on the test's own thread, so that moment lasts as long as the test
 * wants it to.
 */
#include "fixture.h"

typedef struct waiter {
    pool_t *pool;
    pool_op_t op;
    pool_ask_t ask;
} waiter;

static bool only_first(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call == 1;
}

static bool second_fails(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call != 2;
}

static bool two_only(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call <= 2;
}

static void park(waiter *w, pool_t *pool, int64_t timeout_ms)
{
    w->pool = pool;
    w->ask = (pool_ask_t)POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &w->op, timeout_ms), POOL_OK);
    CHECK_INT(pool_op_next(&w->op, NULL, &w->ask), POOL_ASK_WAIT);
}

/* The waiter's first step after a wake-up; it sees the clock at now_ns (0: as it is). */
static pool_ask_kind_t step_at(waiter *w, int64_t now_ns)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.now_ns = now_ns;
    return pool_op_next(&w->op, &answer, &w->ask);
}

/* Steps on until it waits or is done, with the pool's own hooks. */
static pool_ask_kind_t run(waiter *w)
{
    pool_t *pool = w->pool;
    pool_answer_t answer = POOL_ANSWER_INIT;
    for (;;) {
        pool_ask_kind_t kind = pool_op_next(&w->op, &answer, &w->ask);
        if (kind == POOL_ASK_CREATE)
            answer.ok = pool->factory.internal(pool, &answer.resource);
        else if (kind == POOL_ASK_BEFORE_ACQUIRE)
            answer.ok = pool->before_acquire.internal(pool, w->ask.resource);
        else if (kind == POOL_ASK_DESTROY)
            pool->destructor.internal(pool, w->ask.resource);
        else
            return kind;
    }
}

static void check_outcome(int line, waiter *w, pool_status_t status, void *resource)
{
    check_int(__FILE__, line, "run(w)", run(w), POOL_ASK_DONE);
    check_status(__FILE__, line, "w->ask.status", w->ask.status, status);
    check_ptr(__FILE__, line, "w->ask.resource", w->ask.resource, resource);
}
#define CHECK_GETS(w, resource) check_outcome(__LINE__, (w), POOL_OK, (resource))
#define CHECK_FAILS(w, status) check_outcome(__LINE__, (w), (status), NULL)

static uint32_t reserved(pool_t *pool)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    return s.reserved;
}

static void check_busy(pool_t *pool)
{
    pool_status_t status;
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_EMPTY);
}

TEST(b85_each_freed_place_is_reserved_for_the_oldest_waiter_without_one)
{
    pool_t *pool = fx_pool(0, 0, 3);
    fx_resource *r[3];
    waiter w[4];
    for (int i = 0; i < 3; i++)
        r[i] = fx_take(pool);
    for (int i = 0; i < 4; i++)
        park(&w[i], pool, 0);
    CHECK_COUNTS(pool, 0, 3, 4);

    fx_give(pool, r[0]);
    fx_give(pool, r[1]);
    CHECK_COUNTS(pool, 2, 1, 2);
    CHECK_INT(reserved(pool), 2);
    CHECK_INT(step_at(&w[2], 0), POOL_ASK_WAIT);
    CHECK_INT(step_at(&w[3], 0), POOL_ASK_WAIT);

    /* And what is idle with it: who was promised first has the oldest, whoever moves first. */
    CHECK_GETS(&w[1], r[1]);
    CHECK_GETS(&w[0], r[0]);
    CHECK_INT(reserved(pool), 0);
    CHECK_COUNTS(pool, 0, 3, 2);

    fx_give(pool, r[2]);
    CHECK_GETS(&w[2], r[2]);
    fx_give(pool, r[0]);
    CHECK_GETS(&w[3], r[0]);
    for (int i = 0; i < 3; i++)
        fx_give(pool, r[i]);
    fx_finish(pool);
}

TEST(b85_when_every_waiter_has_a_place_the_next_one_is_free_for_anybody)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *first = fx_take(pool), *second = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, first);
    check_busy(pool);
    fx_give(pool, second);
    CHECK_COUNTS(pool, 2, 0, 0);
    CHECK_INT(reserved(pool), 1);
    fx_resource *surplus = fx_try(pool, NULL);
    CHECK(surplus != NULL);
    check_busy(pool);
    CHECK_GETS(&w, surplus == first ? second : first);
    fx_give(pool, first);
    fx_give(pool, second);
    fx_finish(pool);
}

TEST(b86_try_acquire_respects_a_reservation)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r);
    check_busy(pool);
    CHECK_GETS(&w, r);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(fx.created, 1);
    fx_finish(pool);
}

TEST(b86_nobody_creates_in_a_place_that_is_reserved)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(reserved(pool), 1);
    check_busy(pool);
    CHECK_INT(fx.created, 1);
    CHECK_INT(run(&w), POOL_ASK_DONE);
    CHECK_STATUS(w.ask.status, POOL_OK);
    CHECK_INT(fx.created, 2);
    CHECK_INT(reserved(pool), 0);
    fx_give(pool, w.ask.resource);
    fx_finish(pool);
}

TEST(b87_a_newcomer_that_would_wait_lines_up_behind_the_reservation)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r);
    fx_caller newcomer;
    fx_start_waiting(&newcomer, pool, 0);
    CHECK_COUNTS(pool, 1, 0, 1);
    CHECK_GETS(&w, r);
    CHECK(!atomic_load(&newcomer.done));
    fx_give(pool, r);
    fx_join(&newcomer);
    CHECK_PTR(newcomer.got, r);
    fx_give(pool, newcomer.got);
    fx_finish(pool);
}

TEST(b88_a_reserved_idle_resource_still_counts_as_idle)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    CHECK_INT(reserved(pool), 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    CHECK_INT(reserved(pool), 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(pool_count(pool), 1);
    CHECK_INT(pool_idle_count(pool), 1);
    CHECK_GETS(&w, r);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b89_surplus_stays_available_while_a_waiter_has_yet_to_run)
{
    pool_t *pool = fx_pool(0, 0, 3);
    fx_resource *r[3];
    for (int i = 0; i < 3; i++)
        r[i] = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    for (int i = 0; i < 3; i++)
        fx_give(pool, r[i]);
    CHECK_INT(pool_idle_count(pool), 3);
    fx_resource *one = fx_try(pool, NULL), *two = fx_try(pool, NULL);
    CHECK(one && two);
    check_busy(pool);
    fx_give(pool, one);
    fx_give(pool, two);
    CHECK_INT(run(&w), POOL_ASK_DONE);
    CHECK_STATUS(w.ask.status, POOL_OK);
    CHECK_STATUS(pool_release(pool, w.ask.resource), POOL_OK);
    CHECK_INT(fx.created, 3);
    CHECK_COUNTS(pool, 3, 0, 0);
    fx_finish(pool);
}

/* A place was promised when nothing was idle. What becomes idle after that is kept for it: a newcomer makes its own,
 * and a factory that fails by then is not the waiter's trouble. */
TEST(what_becomes_idle_is_kept_for_who_was_promised_a_place)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse_first;
    fx.script[FX_FACTORY] = two_only;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_take(pool), *other = fx_take(pool);
    pool_status_t status;
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r); /* refused, and gone: the place is promised */
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, other);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_PTR(fx_acquire(pool, 0, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_GETS(&w, other);
    fx_give(pool, other);
    fx_finish(pool);
}

TEST(b90_a_reservation_is_used_up_by_taking_an_idle_resource)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *r = fx_take(pool), *other = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r);
    CHECK_GETS(&w, r);
    CHECK_INT(reserved(pool), 0);
    CHECK_INT(step_at(&w, 0), POOL_ASK_DONE); /* going on with it does not take a second one */
    CHECK_COUNTS(pool, 0, 2, 0);
    fx_give(pool, other);
    CHECK_PTR(fx_try(pool, NULL), other);
    fx_give(pool, other);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b90_a_reservation_is_used_up_when_a_creation_starts)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r);
    CHECK_INT(step_at(&w, 0), POOL_ASK_CREATE);
    CHECK_INT(reserved(pool), 0);
    CHECK_COUNTS(pool, 0, 1, 0);
    check_busy(pool);
    CHECK_STATUS(pool_op_cancel(&w.op), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b92_cancelled_after_the_wake_up_the_next_waiter_gets_the_place)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter first, second;
    park(&first, pool, 0);
    park(&second, pool, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_op_cancel(&first.op), POOL_OK);
    CHECK_INT(reserved(pool), 1);
    CHECK_FAILS(&first, POOL_ERR_CANCELLED);
    CHECK_GETS(&second, r);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(b92_a_thread_next_in_line_is_woken_when_the_woken_op_leaves)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter first;
    fx_caller second;
    park(&first, pool, 0);
    fx_start_waiting(&second, pool, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_op_cancel(&first.op), POOL_OK);
    fx_join(&second);
    CHECK_PTR(second.got, r);
    fx_give(pool, second.got);
    fx_finish(pool);
}

TEST(b93_without_a_successor_the_resource_is_available_again)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_op_cancel(&w.op), POOL_OK);
    CHECK_FAILS(&w, POOL_ERR_CANCELLED);
    CHECK_INT(reserved(pool), 0);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(fx_take(pool), r);
    CHECK_INT(fx.created, 1);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b94_the_right_to_create_is_handed_on_too)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter first, second;
    park(&first, pool, 0);
    park(&second, pool, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_op_cancel(&first.op), POOL_OK);
    CHECK_FAILS(&first, POOL_ERR_CANCELLED);
    CHECK_INT(run(&second), POOL_ASK_DONE);
    CHECK_STATUS(second.ask.status, POOL_OK);
    CHECK_INT(fx.created, 2);
    fx_give(pool, second.ask.resource);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b95_a_deadline_that_passes_after_the_wake_up_hands_the_place_on)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter first, second;
    park(&first, pool, 60000);
    park(&second, pool, 0);
    fx_give(pool, r);
    CHECK_INT(step_at(&first, first.ask.until_ns), POOL_ASK_DONE);
    CHECK_STATUS(first.ask.status, POOL_ERR_TIMEOUT);
    CHECK_PTR(first.ask.resource, NULL);
    CHECK_INT(reserved(pool), 1);
    CHECK_GETS(&second, r);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(two_that_leave_after_the_wake_up_hand_on_to_the_next_two)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *r = fx_take(pool), *other = fx_take(pool);
    waiter w[4];
    for (int i = 0; i < 4; i++)
        park(&w[i], pool, 0);
    fx_give(pool, r);
    fx_give(pool, other);
    CHECK_STATUS(pool_op_cancel(&w[1].op), POOL_OK);
    CHECK_STATUS(pool_op_cancel(&w[0].op), POOL_OK);
    CHECK_INT(reserved(pool), 2);
    CHECK_GETS(&w[2], other); /* which was kept for who left first */
    CHECK_GETS(&w[3], r);
    fx_give(pool, r);
    fx_give(pool, other);
    fx_finish(pool);
}

TEST(b98_on_close_nothing_is_handed_on)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter first, second;
    park(&first, pool, 0);
    park(&second, pool, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(reserved(pool), 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(fx.destroyed, 1);
    CHECK_FAILS(&first, POOL_ERR_CLOSED);
    CHECK_FAILS(&second, POOL_ERR_CLOSED);
    CHECK_INT(fx.created, 1);
    fx_finish(pool);
}

TEST(the_last_unref_leaves_the_memory_to_a_woken_waiter_that_has_yet_to_run)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w;
    park(&w, pool, 0);
    fx_give(pool, r);
    pool_unref(pool);
    CHECK_INT(fx.destroyed, 1);
    CHECK_INT(pool_debug_live(), 1);
    CHECK_FAILS(&w, POOL_ERR_CLOSED);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(b69_a_woken_waiter_whose_resource_is_refused_keeps_its_place)
{
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter first, second;
    park(&first, pool, 0);
    park(&second, pool, 0);
    fx_give(pool, r);
    CHECK_INT(run(&first), POOL_ASK_DONE);
    CHECK_STATUS(first.ask.status, POOL_OK);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1) factory(2)");
    CHECK_INT(reserved(pool), 0);
    CHECK_INT(step_at(&second, 0), POOL_ASK_WAIT);

    fx.script[FX_BEFORE_ACQUIRE] = NULL;
    fx_give(pool, first.ask.resource);
    CHECK_GETS(&second, first.ask.resource);
    fx_give(pool, second.ask.resource);
    fx_finish(pool);
}

TEST(b69_a_woken_waiter_whose_creation_fails_hands_its_place_on)
{
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse_first;
    fx.script[FX_FACTORY] = second_fails;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter first, second;
    park(&first, pool, 0);
    park(&second, pool, 0);
    fx_give(pool, r);
    CHECK_FAILS(&first, POOL_ERR_FACTORY);
    CHECK_INT(reserved(pool), 1);
    CHECK_INT(run(&second), POOL_ASK_DONE);
    CHECK_STATUS(second.ask.status, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 3);
    fx_give(pool, second.ask.resource);
    fx_finish(pool);
}

TEST(b69_a_line_of_failing_creations_ends_with_one_attempt_each)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx.script[FX_FACTORY] = only_first;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w[5];
    for (int i = 0; i < 5; i++)
        park(&w[i], pool, 0);
    fx_give(pool, r);
    for (int i = 0; i < 5; i++)
        CHECK_FAILS(&w[i], POOL_ERR_FACTORY);
    CHECK_INT(fx.calls[FX_FACTORY], 6);
    CHECK_INT(reserved(pool), 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

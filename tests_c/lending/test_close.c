/*
 * Closing a pool and letting go of it: what is destroyed and when, what callers in every phase get,
 * and how long the memory stays.
 */
#include "fixture.h"

static check_gate gate = CHECK_GATE_INIT;

static bool at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

static bool refused_at_gate(pool_t *pool, fx_resource *r, int call)
{
    at_gate(pool, r, call);
    return false;
}

static bool closes(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return true;
}

static bool closes_and_refuses(pool_t *pool, fx_resource *r, int call)
{
    closes(pool, r, call);
    return false;
}

typedef struct giver {
    pool_t *pool;
    fx_resource *r;
} giver;

static void *give_it(void *arg)
{
    giver *g = arg;
    fx_give(g->pool, g->r);
    return NULL;
}

/* Shows B154. */
TEST(b104_close_destroys_idle_resources_oldest_first)
{
    pool_t *pool = fx_pool(0, 3, 5);
    fx_resource *one = fx_take(pool), *two = fx_take(pool);
    fx_give(pool, two);
    fx_give(pool, one);
    fx_log_clear();
    CHECK(!pool_is_closed(pool));
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STR(fx_log(), "destructor(3) destructor(2) destructor(1)");
    CHECK(pool_is_closed(pool));
    CHECK(pool->event.flags & POOL_EVENT_F_CLOSED);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b105_a_second_close_does_nothing)
{
    pool_t *pool = fx_pool(0, 1, 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 1);
    CHECK(pool_is_closed(pool));
    fx_finish(pool);
}

TEST(b105_close_from_a_destructor_of_close_does_nothing)
{
    fx.script[FX_DESTRUCTOR] = closes;
    pool_t *pool = fx_pool(0, 3, 3);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 3);
    CHECK_STR(fx_log(), "factory(1) factory(2) factory(3) destructor(1) destructor(2) destructor(3)");
    fx_finish(pool);
}

static bool looks_closed(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK(pool_is_closed(pool));
    CHECK_INT(pool_waiting_count(pool), 0);
    return true;
}

TEST(b109_the_pool_is_closed_before_the_first_destructor_runs)
{
    fx.script[FX_DESTRUCTOR] = looks_closed;
    pool_t *pool = fx_pool(0, 2, 2);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 2);
    fx_finish(pool);
}

TEST(b106_a_closed_pool_lends_nothing_and_still_answers)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_log_clear();
    pool_status_t status;
    CHECK_PTR(fx_acquire(pool, 0, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_PTR(fx_acquire(pool, 10000, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_STR(fx_log(), "");
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(pool_count(pool), 1);
    fx_give(pool, r);
    CHECK_STR(fx_log(), "before_release(1) destructor(1)");
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

static void check_parked_get_closed(int n)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller callers[3];
    for (int i = 0; i < n; i++)
        fx_start_waiting(&callers[i], pool, i == 1 ? 60000 : 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool_waiting_count(pool), 0);
    for (int i = 0; i < n; i++) {
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_ERR_CLOSED);
        CHECK_PTR(callers[i].got, NULL);
    }
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b107_a_parked_caller_gets_closed) { check_parked_get_closed(1); }
TEST(b107_all_parked_callers_get_closed) { check_parked_get_closed(3); }

TEST(b108_close_has_destroyed_the_idle_when_it_returns_though_the_waiter_did_not_run)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_CLOSED);
    fx_finish(pool);
}

static fx_caller parked;

static bool after_the_waiter(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    WAIT_FOR(atomic_load(&parked.done));
    return true;
}

TEST(b109_waiters_need_not_wait_for_the_destructors_of_close)
{
    fx.script[FX_DESTRUCTOR] = after_the_waiter;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_op_t first; /* is promised the resource, so that it stays idle while parked waits */
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &first, 0), POOL_OK);
    CHECK_INT(pool_op_next(&first, NULL, &ask), POOL_ASK_WAIT);
    fx_start_waiting(&parked, pool, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_join(&parked);
    CHECK_STATUS(parked.status, POOL_ERR_CLOSED);
    CHECK_INT(pool_op_next(&first, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_CLOSED);
    fx_finish(pool);
}

/* Shows R58. */
TEST(b110_a_lent_resource_is_untouched_by_close)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *r = fx_take(pool), *idle = fx_take(pool);
    fx_give(pool, idle);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 1);
    CHECK(!atomic_load(&r->destroyed));
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    CHECK_INT(fx.destroyed, 2);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b111_a_resource_given_back_right_before_close_is_destroyed_once)
{
    for (int round = 1; round <= 100; round++) {
        pool_t *pool = fx_pool(0, 0, 1);
        fx_resource *r = fx_take(pool);
        fx_caller caller;
        fx_start_waiting(&caller, pool, 0);
        fx_give(pool, r); /* the caller may have taken it before the close, or not yet */
        CHECK_STATUS(pool_close(pool), POOL_OK);
        fx_join(&caller);
        if (caller.status == POOL_OK)
            fx_give(pool, caller.got);
        else
            CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
        CHECK_INT(fx.created, round);
        CHECK_INT(fx.destroyed, round);
        fx_finish(pool);
    }
}

TEST(b116_close_while_before_release_runs_ends_in_destruction)
{
    fx.script[FX_BEFORE_RELEASE] = at_gate;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    giver g = {pool, fx_take(pool)};
    pthread_t thread = check_thread(give_it, &g);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 0);
    CHECK_COUNTS(pool, 0, 1, 0);
    check_gate_open(&gate);
    check_join(thread);
    CHECK_INT(fx.destroyed, 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* A caller stands in a hook, the pool closes, the hook returns. */
static void check_close_in_flight(fx_hook hook, fx_script script, pool_status_t want)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, hook == FX_BEFORE_ACQUIRE, 1);
    fx.script[hook] = script;
    fx_caller caller;
    fx_start(&caller, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(fx.destroyed, 0);
    check_gate_open(&gate);
    fx_join(&caller);
    CHECK_STATUS(caller.status, want);
    if (want == POOL_OK) {
        CHECK_COUNTS(pool, 0, 1, 0);
        fx_give(pool, caller.got);
    }
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    CHECK_INT(fx.destroyed, fx.created);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(a_creation_in_flight_when_closed_is_destroyed_and_its_caller_gets_closed)
{
    check_close_in_flight(FX_FACTORY, at_gate, POOL_ERR_CLOSED);
}

TEST(a_before_acquire_in_flight_when_closed_that_passes_is_still_lent)
{
    check_close_in_flight(FX_BEFORE_ACQUIRE, at_gate, POOL_OK);
}

TEST(a_before_acquire_in_flight_when_closed_that_refuses_ends_in_closed)
{
    check_close_in_flight(FX_BEFORE_ACQUIRE, refused_at_gate, POOL_ERR_CLOSED);
}

/* The caller's own hook closes the pool. */
static void check_close_inside(fx_hook hook, fx_script script, pool_status_t want)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, hook == FX_BEFORE_ACQUIRE ? 2 : 0, 2);
    fx.script[hook] = script;
    pool_status_t status;
    fx_resource *r = fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, want);
    CHECK(pool_is_closed(pool));
    if (want == POOL_OK)
        fx_give(pool, r);
    CHECK_INT(fx.calls[hook], 1);
    CHECK_INT(fx.destroyed, fx.created);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(close_from_the_factory_fails_its_own_caller) { check_close_inside(FX_FACTORY, closes, POOL_ERR_CLOSED); }

TEST(close_from_before_acquire_that_passes_still_lends) { check_close_inside(FX_BEFORE_ACQUIRE, closes, POOL_OK); }

TEST(close_from_before_acquire_that_refuses_tries_no_other)
{
    check_close_inside(FX_BEFORE_ACQUIRE, closes_and_refuses, POOL_ERR_CLOSED);
}

static void check_close_in_release(fx_script before_release, fx_script destructor)
{
    fx.script[FX_BEFORE_RELEASE] = before_release;
    fx.script[FX_DESTRUCTOR] = destructor;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 2, 2);
    fx_resource *r = fx_take(pool);
    fx_give(pool, r);
    CHECK(pool_is_closed(pool));
    CHECK_INT(fx.destroyed, 2);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(close_from_before_release_destroys_what_is_released) { check_close_in_release(closes, NULL); }

TEST(close_from_the_destructor_of_a_refused_release_destroys_each_once) { check_close_in_release(fx_refuse, closes); }

TEST(close_inside_a_filling_factory_fails_the_creation)
{
    fx.script[FX_FACTORY] = closes;
    CHECK_PTR(fx_try_pool(0, 3, 3), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_CLOSED);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    CHECK_INT(fx.destroyed, 1);
    CHECK_INT(pool_debug_live(), 0);
}

static void *close_it(void *pool)
{
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return NULL;
}

TEST(threads_that_close_together_destroy_each_resource_once)
{
    fx.quiet = true;
    for (int round = 0; round < 50; round++) {
        pool_t *pool = fx_pool(0, 8, 8);
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            threads[i] = check_thread(close_it, pool);
        for (int i = 0; i < 4; i++)
            check_join(threads[i]);
        CHECK_INT(fx_live(), 0);
        fx_finish(pool);
    }
}

/* Shows B113. */
TEST(closing_leaves_the_last_error_of_the_thread_alone)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_status_t status;
    CHECK_PTR(fx_acquire(pool, 1, &status), NULL);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_give(pool, r);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_TIMEOUT);
    fx_finish(pool);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_TIMEOUT);
}

/* Shows B155. */
TEST(b112_the_last_unref_closes)
{
    pool_t *pool = fx_pool(0, 2, 2);
    CHECK_INT(pool->event.ref_count, 1);
    CHECK_PTR(pool_ref(pool), pool);
    CHECK_INT(pool->event.ref_count, 2);
    pool_unref(pool);
    CHECK(!pool_is_closed(pool));
    CHECK_INT(fx.destroyed, 0);
    pool_unref(pool);
    CHECK_STR(fx_log(), "factory(1) factory(2) destructor(1) destructor(2)");
    CHECK_INT(pool_debug_live(), 0);
}

TEST(close_does_not_give_the_reference_back)
{
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool->event.ref_count, 1);
    CHECK_INT(pool_debug_live(), 1);
    fx_finish(pool);
}

/* Shows B155. */
TEST(a_release_after_the_last_unref_destroys_and_frees_the_pool)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 3);
    giver last = {pool, fx_take(pool)};
    fx_resource *r = fx_take(pool), *idle = fx_take(pool);
    fx_give(pool, idle);
    pool_unref(pool);
    CHECK_INT(fx.destroyed, 1);
    CHECK_INT(pool_debug_live(), 1);
    fx_give(pool, r);
    CHECK_INT(fx.destroyed, 2);
    CHECK_INT(pool_debug_live(), 1);
    check_join(check_thread(give_it, &last));
    CHECK_INT(fx.destroyed, 3);
    CHECK_INT(pool_debug_live(), 0);
}

/* Shows B155. */
TEST(the_last_unref_sends_parked_callers_away)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller caller;
    fx_start_waiting(&caller, pool, 0);
    pool_unref(pool);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    CHECK_INT(pool_debug_live(), 1);
    fx_give(pool, r);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

/* Shows B155. */
TEST(the_last_unref_during_a_creation_leaves_the_memory_to_its_caller)
{
    fx.script[FX_FACTORY] = at_gate;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_caller caller;
    fx_start(&caller, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 1);
    check_gate_open(&gate);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

static bool lets_go(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    pool_unref(pool);
    return true;
}

/* Shows B155. */
TEST(the_last_unref_inside_before_release_is_safe)
{
    fx.script[FX_BEFORE_RELEASE] = lets_go;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_give(pool, fx_take(pool));
    CHECK_INT(fx.destroyed, 1);
    CHECK_INT(pool_debug_live(), 0);
}

/* Shows B155. */
TEST(the_last_unref_inside_a_destructor_of_close_is_safe)
{
    fx.script[FX_DESTRUCTOR] = lets_go;
    pool_t *pool = fx_pool(0, 1, 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.destroyed, 1);
    CHECK_INT(pool_debug_live(), 0);
}

/* Shows P07. */
TEST(no_pool_is_refused_or_ignored)
{
    CHECK_STATUS(pool_close(NULL), POOL_ERR_INVALID);
    CHECK(pool_is_closed(NULL));
    CHECK_PTR(pool_ref(NULL), NULL);
    pool_unref(NULL);
}

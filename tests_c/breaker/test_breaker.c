/*
 * The circuit breaker by hand (B54, B96, B117 to B122, B131, B132, S10): what each state lends, who
 * is sent away when it opens, and who may change the state.
 */
#include "breaker.h"

static uint32_t reserved(pool_t *pool)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    return s.reserved;
}

/* ---- The three states ------------------------------------------------------------------------ */

TEST(b117_starts_active_and_any_state_follows_any_other)
{
    pool_t *pool = fx_pool(0, 0, 1);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    for (int from = POOL_CIRCUIT_ACTIVE; from <= POOL_CIRCUIT_RECOVERING; from++)
        for (int to = POOL_CIRCUIT_ACTIVE; to <= POOL_CIRCUIT_RECOVERING; to++) {
            CHECK_STATUS(go_to(pool, from), POOL_OK);
            CHECK_STATUS(go_to(pool, to), POOL_OK);
            check_state(pool, to);
            CHECK_INT(pool->circuit_state, to); /* in the table too */
        }
    fx_finish(pool);
}

/* Shows P07. */
TEST(state_calls_without_a_pool_are_refused)
{
    CHECK_INT(pool_state(NULL), POOL_CIRCUIT_INACTIVE);
    for (int state = POOL_CIRCUIT_ACTIVE; state <= POOL_CIRCUIT_RECOVERING; state++)
        CHECK_STATUS(go_to(NULL, state), POOL_ERR_INVALID);
}

/* Shows B32. */
TEST(b118_b119_an_open_breaker_lends_nothing_and_calls_no_hook)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 2, 4);
    fx_give(pool, fx_try(pool, NULL));
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    fx_log_clear();
    check_refused(pool);
    CHECK_STR(fx_log(), "");
    CHECK_COUNTS(pool, 2, 0, 0);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    fx_finish(pool);
}

TEST(b120_recovering_lends_as_many_probes_as_its_limit)
{
    static const struct {
        uint32_t configured, want;
    } cases[] = {{0, 1}, {1, 1}, {3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fx_resource *probes[3];
        pool_status_t status;
        pool_t *pool = pool_with(0, 2, 5, cases[i].configured, 0); /* idle ones and new ones */
        CHECK_STATUS(pool_recover(pool), POOL_OK);
        for (int round = 0; round < 2; round++) {
            for (uint32_t n = 0; n < cases[i].want; n++) {
                probes[n] = fx_try(pool, &status);
                CHECK_STATUS(status, POOL_OK);
            }
            check_refused(pool);
            for (uint32_t n = 0; n < cases[i].want; n++)
                fx_give(pool, probes[n]);
            check_state(pool, POOL_CIRCUIT_RECOVERING);
        }
        fx_finish(pool);
    }
}

TEST(b120_a_limit_above_the_places_leaves_the_places_as_limit)
{
    pool_status_t status;
    pool_t *pool = pool_with(0, 0, 2, UINT32_MAX, 0);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    fx_acquire(pool, 1, &status);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    fx_give(pool, a);
    fx_give(pool, b);
    fx_finish(pool);
}

/* Shows B31. */
TEST(b121_busy_unavailable_and_closed_are_three_answers)
{
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    fx_give(pool, r);
    fx_finish(pool);
}

static atomic_int cyclers;

/* B122: each ends with pool_activate(), so whoever is last leaves the pool ACTIVE. */
static void *cycle_states(void *pool)
{
    for (int i = 0; i < 2000 / CHECK_SLOWDOWN; i++) {
        pool_snapshot_t s = {.struct_size = sizeof s};
        CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
        CHECK(s.state <= POOL_CIRCUIT_RECOVERING && pool_state(pool) <= POOL_CIRCUIT_RECOVERING);
        CHECK_STATUS(pool_deactivate(pool), POOL_OK);
        CHECK_STATUS(pool_recover(pool), POOL_OK);
        CHECK_STATUS(pool_activate(pool), POOL_OK);
    }
    atomic_fetch_sub(&cyclers, 1);
    return NULL;
}

static void *borrow_meanwhile(void *pool)
{
    while (atomic_load(&cyclers) > 0) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 0, &status);
        if (r)
            fx_give(pool, r);
        else
            CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
    }
    return NULL;
}

TEST(b122_threads_that_cycle_the_states_at_once_end_active_and_lose_nothing)
{
    pthread_t threads[7];
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    atomic_store(&cyclers, 3);
    for (int i = 0; i < 7; i++)
        threads[i] = check_thread(i < 3 ? cycle_states : borrow_meanwhile, pool);
    for (int i = 0; i < 7; i++)
        check_join(threads[i]);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    CHECK_COUNTS(pool, (uint32_t)fx_live(), 0, 0);
    CHECK_INT(reserved(pool), 0);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    fx_give(pool, a);
    fx_give(pool, b);
    fx_finish(pool);
}

/* ---- What the breaker does not gate ---------------------------------------------------------- */

static bool deactivate(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    return true;
}

TEST(b132_an_open_breaker_does_not_stop_the_prewarm)
{
    fx.script[FX_FACTORY] = deactivate;
    pool_t *pool = fx_pool(0, 3, 3);
    check_state(pool, POOL_CIRCUIT_INACTIVE);
    CHECK_COUNTS(pool, 3, 0, 0);
    fx_finish(pool);
}

TEST(b132_an_open_breaker_stops_neither_sweep_nor_refill)
{
    fx.script[FX_FACTORY] = deactivate; /* open from the first creation on, before any sweep */
    fx.script[FX_HEALTHCHECK] = fx_refuse_first;
    pool_t *pool = pool_with(FX_WITH_HEALTHCHECK, 2, 2, 0, 1);
    WAIT_FOR(fx.calls[FX_HEALTHCHECK] > 4 && fx.created == 3); /* the dead one is replaced */
    check_state(pool, POOL_CIRCUIT_INACTIVE);
    CHECK_INT(pool_count(pool), 2);
    fx_finish(pool);
}

TEST(b54_b132_release_and_close_work_in_every_state)
{
    for (int state = POOL_CIRCUIT_ACTIVE; state <= POOL_CIRCUIT_RECOVERING; state++) {
        pool_t *pool = fx_pool(0, 0, 2);
        fx_resource *a = fx_take(pool), *b = fx_take(pool);
        CHECK_STATUS(go_to(pool, state), POOL_OK);
        fx_give(pool, a);
        CHECK_COUNTS(pool, 1, 1, 0);
        CHECK_STATUS(pool_close(pool), POOL_OK);
        CHECK_COUNTS(pool, 0, 1, 0);
        fx_give(pool, b);
        CHECK_COUNTS(pool, 0, 0, 0);
        fx_finish(pool);
    }
}

/* Shows P09. */
TEST(a_closed_pool_keeps_its_state)
{
    for (int at = POOL_CIRCUIT_ACTIVE; at <= POOL_CIRCUIT_RECOVERING; at++) {
        pool_t *pool = fx_pool(0, 0, 1);
        CHECK_STATUS(go_to(pool, at), POOL_OK);
        CHECK_STATUS(pool_close(pool), POOL_OK);
        for (int to = POOL_CIRCUIT_ACTIVE; to <= POOL_CIRCUIT_RECOVERING; to++) {
            CHECK_STATUS(go_to(pool, to), POOL_ERR_CLOSED);
            check_state(pool, at);
        }
        fx_finish(pool);
    }
}

/* ---- Callers in line when it opens ----------------------------------------------------------- */

/* Shows R55. */
TEST(b131_s10_parked_callers_fail_at_once_when_it_opens)
{
    for (int again = 0; again < 3; again++) { /* left open; then at once ACTIVE; RECOVERING */
        fx_caller callers[8];
        pool_t *pool = fx_pool(0, 0, 1);
        fx_resource *r = fx_take(pool);
        for (int i = 0; i < 8; i++)
            fx_start_waiting(&callers[i], pool, i % 2 ? 0 : 3600 * 1000);
        CHECK_STATUS(pool_deactivate(pool), POOL_OK);
        if (again)
            CHECK_STATUS(go_to(pool, again == 1 ? POOL_CIRCUIT_ACTIVE : POOL_CIRCUIT_RECOVERING), POOL_OK);
        CHECK_INT(pool_waiting_count(pool), 0);
        for (int i = 0; i < 8; i++) {
            fx_join(&callers[i]); /* nothing was released: the breaker ended the wait */
            CHECK_STATUS(callers[i].status, POOL_ERR_UNAVAILABLE);
        }
        fx_give(pool, r);
        CHECK_COUNTS(pool, 1, 0, 0);
        fx_finish(pool);
    }
}

/* Shows R55. */
TEST(b131_a_parked_op_is_done_when_it_opens_even_if_it_runs_only_after_the_next_activation)
{
    pool_op_t op;
    void *resource;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    park_op(pool, &op);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_STATUS(pool_op_wait(&op, INT64_MAX), POOL_OK); /* woken, it does not block */
    fx_give(pool, r);
    CHECK_STATUS(finish_op(&op, &resource), POOL_ERR_UNAVAILABLE);
    CHECK_PTR(resource, NULL);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(b96_a_promised_place_is_not_lost_when_it_opens)
{
    pool_op_t op;
    fx_caller second;
    void *resource;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    park_op(pool, &op);
    fx_start_waiting(&second, pool, 0);
    fx_give(pool, r);
    CHECK_INT(reserved(pool), 1);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    fx_join(&second); /* at once, though the first has not run */
    CHECK_STATUS(second.status, POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(finish_op(&op, &resource), POOL_ERR_UNAVAILABLE);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(reserved(pool), 0);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    fx_finish(pool);
}

static bool deactivate_and_refuse(pool_t *pool, fx_resource *r, int call) { return !deactivate(pool, r, call); }

/* Shows B117. */
TEST(a_caller_whose_hook_refuses_while_it_opens_goes_no_further)
{
    pool_status_t status;
    fx.script[FX_BEFORE_ACQUIRE] = deactivate_and_refuse;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 2, 3);
    fx_log_clear();
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
    CHECK_STR(fx_log(), "before_acquire(1) destructor(1)");
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* ---- State calls from hooks and observers ---------------------------------------------------- */

static atomic_int visits;

static void visit_states(pool_t *pool)
{
    pool_status_t want = pool_is_closed(pool) ? POOL_ERR_CLOSED : POOL_OK;
    CHECK_STATUS(pool_deactivate(pool), want);
    CHECK_STATUS(pool_recover(pool), want);
    CHECK_STATUS(pool_activate(pool), want);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    atomic_fetch_add(&visits, 1);
}

/* Twice is enough: later calls of a sweep may run beside the test's own state calls. */
static bool visit(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    if (atomic_load(&visits) < 2)
        visit_states(pool);
    return true;
}

/* Shows B117. */
TEST(every_hook_may_change_the_state)
{
    for (int hook = 0; hook < FX_HOOKS; hook++) {
        memset(fx.script, 0, sizeof fx.script);
        fx.script[hook] = visit;
        pool_t *pool = pool_with(FX_WITH_ALL, 1, 2, 0, hook == FX_HEALTHCHECK ? 1 : 0);
        if (hook == FX_HEALTHCHECK)
            WAIT_FOR(visits == 2); /* on a thread of the library */
        else
            fx_give(pool, fx_take(pool));
        CHECK_STATUS(pool_close(pool), POOL_OK);
        CHECK(visits >= 1);
        visits = 0;
        fx_finish(pool);
    }
}

/* Shows B117. */
TEST(what_a_factory_delivers_although_it_opened_the_breaker_is_lent)
{
    fx.script[FX_FACTORY] = deactivate;
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *r = fx_take(pool);
    check_refused(pool);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static atomic_int kinds[2];

static void observe(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)self;
    atomic_fetch_add(&kinds[kind], 1);
    if (atomic_load(&kinds[kind]) == 1) /* a change may tell it again: once is enough */
        visit_states((pool_t *)event);
}

/* Shows B117. */
TEST(every_observer_may_change_the_state)
{
    pool_event_callback_t observer = {.callback = observe};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool->event.add_callback(&pool->event, &observer), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK(kinds[POOL_EVENT_AVAILABLE] >= 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(kinds[POOL_EVENT_CLOSED], 1);
    CHECK_INT(visits, 2);
    fx_finish(pool);
}

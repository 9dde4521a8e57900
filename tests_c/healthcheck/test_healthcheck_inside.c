/*
 * What a check of the library's own pass may do: call every function, close its pool and others,
 * drop the last reference, end its thread (R42, B143).
 */
#include "timed.h"

static timed clock_state = TIMED_INIT;

/* ---- Every function ------------------------------------------------------------------------ */

static void observe(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event, (void)self, (void)kind;
}

static void report(pool_t *pool, void *ctx) { (void)pool, (void)ctx; }

static void report_error(pool_t *pool, const pool_error_t *error, void *ctx) { (void)pool, (void)error, (void)ctx; }

static void move_breaker(pool_t *pool)
{
    static pool_circuit_breaker_strategy_t strategy = {.report_success = report, .report_failure = report_error};
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    CHECK_STATUS(pool_strategy_threshold(pool, 3, 1000, 1), POOL_OK);
}

static void make_another(void)
{
    static timed nested;
    nested = (timed)TIMED_INIT;
    /* An hour: close on a thread of the library does not wait for a pass on another. */
    timed_end(&nested, timed_pool(&nested, 1, 1, 3600000, 0));
}

/* A pass inside the pass, whose checks it answers itself. */
static void sweep_inside(pool_t *pool)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = POOL_ANSWER_INIT;
    yes.ok = true;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    for (pool_op_next(&op, NULL, &ask); ask.kind != POOL_ASK_DONE; pool_op_next(&op, &yes, &ask))
        CHECK_INT(ask.kind, POOL_ASK_HEALTHCHECK);
    CHECK_STATUS(ask.status, POOL_OK);
}

static bool call_everything(pool_t *pool, timed *state, timed_resource *r, int call)
{
    static pool_event_callback_t observer = {.callback = observe};
    char text[256];
    if (call != 1)
        return true;
    CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED);
    timed_resource *two = timed_take(pool), *three = timed_take(pool);
    void *none;
    CHECK_STATUS(pool_try_acquire(pool, &none), POOL_EMPTY);
    CHECK_STATUS(pool_acquire(pool, &none, 1), POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_TIMEOUT);
    CHECK_COUNTS(pool, 0, 3, 0);
    timed_give(pool, two);
    timed_give(pool, three);
    sweep_inside(pool);
    CHECK_INT(pool_count(pool) + pool_idle_count(pool) + pool_active_count(pool), 3 + 2 + 1);
    CHECK_INT(pool_waiting_count(pool), 0);
    pool_unref(pool_ref(pool));
    move_breaker(pool);
    CHECK_STATUS(pool->event.add_callback(&pool->event, &observer), POOL_OK);
    CHECK_STATUS(pool->event.del_callback(&pool->event, &observer), POOL_OK);
    CHECK(pool->event.info(&pool->event, text, sizeof text) > 0);
    make_another();
    CHECK_STATUS(pool_set_error(pool, 7, "not heard by anybody"), POOL_OK);
    CHECK(!pool_is_closed(pool));
    atomic_store(&state->mark, 1);
    return false;
}

TEST(r42_a_check_may_call_every_function)
{
    timed state = TIMED_INIT;
    state.healthcheck = call_everything;
    pool_t *pool = timed_pool(&state, 3, 3, 1, 0);
    WAIT_FOR(state.ended == 1 && pool_idle_count(pool) == 3);
    CHECK_INT(state.mark, 1);
    CHECK_INT(state.made, 4);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_OK); /* what failed there is not ours */
    timed_end(&state, pool);
}

/* ---- close and unref ----------------------------------------------------------------------- */

static bool close_here(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r;
    if (call > 2)
        CHECK_INT(state->mark, 0); /* no check begins after the close */
    if (call == 2) {
        CHECK_STATUS(pool_close(pool), POOL_OK);
        CHECK_STATUS(pool_close(pool), POOL_OK);
        atomic_store(&state->mark, 1);
        timed_passes(&clock_state, 3);
        atomic_store(&state->mark, 2);
    }
    return true;
}

static bool close_at_refill(pool_t *pool, timed *state, timed_resource *r, int call)
{
    return close_here(pool, state, r, call == 4 ? 2 : 1);
}

static bool close_at_first(pool_t *pool, timed *state, timed_resource *r, int call)
{
    return close_here(pool, state, r, call == 1 ? 2 : 1);
}

static bool sick(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)call;
    return r->id > 3;
}

static void close_inside(timed *state)
{
    pool_t *ticks = timed_clock(&clock_state), *pool = timed_pool(state, 3, 3, 1, 0);
    WAIT_FOR(state->mark > 0);
    CHECK_STATUS(pool_close(pool), POOL_OK); /* the second, and it waits for the hook */
    CHECK_INT(state->mark, 2);
    timed_end(state, pool);
    timed_end(&clock_state, ticks);
}

TEST(close_from_the_check_itself_does_not_wait)
{
    timed state = TIMED_INIT;
    state.healthcheck = close_here;
    close_inside(&state);
    CHECK_INT(state.checks, 2);
    CHECK_INT(state.made, 3);
}

TEST(close_from_the_destructor_of_a_pass_does_not_wait)
{
    timed state = TIMED_INIT;
    state.healthcheck = sick;
    state.destructor = close_at_first;
    close_inside(&state);
    CHECK_INT(state.checks, 1);
    CHECK_INT(state.made, 3);
}

TEST(close_from_the_factory_of_a_pass_does_not_wait)
{
    timed state = TIMED_INIT;
    state.healthcheck = sick;
    state.factory = close_at_refill;
    close_inside(&state);
    CHECK_INT(state.creations, 4);
    CHECK_INT(state.made, 4); /* what it made in a closed pool was ended */
}

static bool unref_at(pool_t *pool, timed *state, int call, int when)
{
    if (call == when) {
        atomic_store(&state->mark, 1);
        pool_unref(pool);
    }
    return true;
}

static bool unref_here(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r;
    return unref_at(pool, state, call, 1);
}

static bool unref_at_refill(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r;
    return unref_at(pool, state, call, 4);
}

static void unref_inside(timed *state, int made)
{
    timed_pool(state, 3, 3, 1, 0); /* the hook drops the one reference */
    WAIT_FOR(pool_debug_live() == 0);
    WAIT_FOR(state->ended == made);
    CHECK_INT(state->mark, 1);
    CHECK_INT(state->made, made);
    CHECK_INT(state->checks, 1);
}

TEST(the_last_unref_from_a_check)
{
    static timed state = TIMED_INIT;
    state.healthcheck = unref_here;
    unref_inside(&state, 3);
}

TEST(the_last_unref_from_the_destructor_of_a_pass)
{
    static timed state = TIMED_INIT;
    state.healthcheck = sick;
    state.destructor = unref_here;
    unref_inside(&state, 3);
}

TEST(the_last_unref_from_the_factory_of_a_pass)
{
    static timed state = TIMED_INIT;
    state.healthcheck = sick;
    state.factory = unref_at_refill;
    unref_inside(&state, 4);
}

static pool_t *couple[2];
static timed couple_state[2];

/* Both are inside their checks when each closes the other's pool. */
static bool close_the_other(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r;
    if (call > 1)
        return true;
    check_gate_pass(&state->gate);
    CHECK_STATUS(pool_close(couple[pool == couple[0]]), POOL_OK);
    atomic_store(&state->mark, 1);
    return true;
}

TEST(two_checks_that_close_each_others_pools_do_not_wait_for_each_other)
{
    for (int i = 0; i < 2; i++) {
        couple_state[i] = (timed)TIMED_INIT;
        couple_state[i].healthcheck = close_the_other;
        couple[i] = timed_pool(&couple_state[i], 1, 1, 1, 0);
    }
    for (int i = 0; i < 2; i++)
        WAIT_FOR(check_gate_waiting(&couple_state[i].gate) == 1);
    for (int i = 0; i < 2; i++)
        check_gate_open(&couple_state[i].gate);
    WAIT_FOR(couple_state[0].mark == 1 && couple_state[1].mark == 1);
    for (int i = 0; i < 2; i++)
        timed_end(&couple_state[i], couple[i]);
}

/* ---- A check that ends its thread ---------------------------------------------------------- */

static pthread_key_t at_exit;
static atomic_int threads_gone;
static void thread_gone(void *value)
{
    (void)value;
    atomic_fetch_add(&threads_gone, 1);
}

static bool exit_thread(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    if (call == 1) {
        atomic_store(&r->used, 0);
        atomic_fetch_sub(&state->in_hook, 1);
        pthread_setspecific(at_exit, &at_exit);
        pthread_exit(NULL);
    }
    return true;
}

static void check_goes_on_without_the_thread(timed *state)
{
    state->healthcheck = exit_thread;
    CHECK_INT(pthread_key_create(&at_exit, thread_gone), 0);
    pool_t *pool = timed_pool(state, 2, 2, 1, 0);
    WAIT_FOR(threads_gone == 1);
    WAIT_FOR(state->ended == 1); /* what it was about is destroyed, as after a cancel */
    WAIT_FOR(state->checks > 5 && pool_idle_count(pool) == 2);
    timed_end(state, pool);
}

/* Shows B136. */
TEST(a_check_that_ends_its_thread_stops_neither_its_pool_nor_others)
{
    timed state = TIMED_INIT;
    pool_t *ticks = timed_clock(&clock_state);
    check_goes_on_without_the_thread(&state);
    timed_passes(&clock_state, 5);
    timed_end(&clock_state, ticks);
}

TEST(a_check_that_ends_the_only_thread_is_followed_by_passes)
{
    timed state = TIMED_INIT;
    check_goes_on_without_the_thread(&state);
}

TEST(close_after_a_check_that_ended_its_thread)
{
    timed state = TIMED_INIT;
    state.healthcheck = exit_thread;
    CHECK_INT(pthread_key_create(&at_exit, thread_gone), 0);
    pool_t *pool = timed_pool(&state, 2, 2, 1, 0);
    WAIT_FOR(state.checks >= 1);
    timed_close(&state, pool); /* perhaps while it is being unwound */
    timed_end(&state, pool);
}

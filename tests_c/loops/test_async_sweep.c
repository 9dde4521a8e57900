/*
 * POOL_F_REACTOR: healthchecks run in pool_dispatch() alone, on the thread that calls it.
 * Each case shows E12.
 */
#include "loop.h"
#include "process.h"
#include "timed.h"

#include <fcntl.h>

static pthread_t loop_thread;
static bool in_dispatch;

static bool on_the_loop(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    (void)state;
    (void)r;
    (void)call;
    CHECK(in_dispatch);
    CHECK(pthread_equal(pthread_self(), loop_thread));
    return true;
}

static void dispatch(pool_t *pool)
{
    in_dispatch = true;
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    in_dispatch = false;
}

static pool_t *reactor_pool(timed *state, uint32_t min, uint32_t max, uint32_t interval_ms)
{
    loop_thread = pthread_self();
    if (!state->healthcheck)
        state->healthcheck = on_the_loop;
    return timed_pool(state, min, max, interval_ms, POOL_F_REACTOR);
}

TEST(healthchecks_run_in_dispatch_on_its_thread)
{
    timed state = TIMED_INIT;
    pool_t *pool = reactor_pool(&state, 2, 2, 3);
    while (state.checks < 10) {
        int64_t timeout = pool_next_timeout(pool);
        CHECK(timeout >= 0 && timeout <= 4);
        dispatch(pool);
    }
    timed_end(&state, pool);
}

/* Another pool has 20 passes of the same interval meanwhile. */
TEST(without_a_dispatch_nothing_is_checked)
{
    timed state = TIMED_INIT, clock = TIMED_INIT;
    pool_t *pool = reactor_pool(&state, 1, 1, 1), *other = timed_clock(&clock);
    timed_passes(&clock, 20);
    CHECK_INT(state.checks, 0);
    CHECK_INT(pool_next_timeout(pool), 0);
    dispatch(pool);
    CHECK_INT(state.checks, 1); /* one pass for all that were missed */
    timed_end(&state, pool);
    timed_end(&clock, other);
}

TEST(there_is_no_further_thread)
{
    timed state = TIMED_INIT;
    pool_t *plain = loop_pool(0, 1, 1);
    fx_give(plain, fx_take(plain));
    for (int i = 0; i < 20; i++) { /* the Go runtime has its threads by now */
        pool_t *warm = timed_pool(&state, 1, 1, 1000, POOL_F_REACTOR);
        timed_end(&state, warm);
        memset(&state, 0, sizeof state);
    }
    int before = process_threads();
    pool_t *pools[20];
    for (int i = 0; i < 20; i++)
        pools[i] = reactor_pool(&state, 1, 1, 1);
    while (state.checks < 200)
        for (int i = 0; i < 20; i++)
            dispatch(pools[i]);
    CHECK_INT(process_threads(), before);
    for (int i = 0; i < 20; i++)
        pool_unref(pools[i]);
    fx_finish(plain);
}

static bool close_in_check(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r;
    CHECK_INT(call, 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    atomic_store(&state->mark, 1);
    return true;
}

TEST(a_healthcheck_closes_the_pool)
{
    timed state = TIMED_INIT;
    state.healthcheck = close_in_check;
    pool_t *pool = reactor_pool(&state, 3, 3, 1);
    while (!state.mark)
        dispatch(pool);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(state.ended, 3);
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK(!loop_readable(pool_fd(pool)));
    dispatch(pool);
    timed_end(&state, pool);
}

static bool drop_in_check(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r;
    CHECK_INT(call, 1);
    pool_unref(pool);
    atomic_store(&state->mark, 1);
    return true;
}

TEST(a_healthcheck_drops_the_last_reference)
{
    timed state = TIMED_INIT;
    state.healthcheck = drop_in_check;
    pool_t *pool = reactor_pool(&state, 2, 2, 1);
    while (!state.mark)
        dispatch(pool);
    CHECK_INT(state.ended, 2);
    CHECK_INT(pool_debug_live(), 0);
}

static bool unhealthy(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)state;
    (void)r;
    CHECK(pthread_equal(pthread_self(), loop_thread));
    CHECK(pool_active_count(pool) >= 1); /* it counts while it is checked */
    return call > 2;
}

TEST(dead_ones_are_replaced_on_the_loop)
{
    timed state = TIMED_INIT;
    state.healthcheck = unhealthy;
    pool_t *pool = reactor_pool(&state, 2, 2, 1);
    while (state.checks < 4)
        dispatch(pool);
    CHECK_INT(state.ended, 2);
    CHECK_INT(state.made, 4);
    CHECK_COUNTS(pool, 2, 0, 0);
    timed_end(&state, pool);
}

typedef struct {
    pool_t *pool;
    pool_op_t op;
    pool_status_t status;
    timed_resource *got;
    int times;
} waiter;

static void got_one(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    waiter *w = data;
    CHECK_PTR(op, &w->op);
    w->status = status;
    w->got = resource;
    w->times++;
}

TEST(the_timeout_covers_deadlines_and_passes)
{
    timed state = TIMED_INIT;
    pool_t *pool = reactor_pool(&state, 1, 1, 3600000);
    int64_t timeout = pool_next_timeout(pool);
    CHECK(timeout > 0 && timeout <= 3600001);
    timed_resource *r = timed_take(pool);
    waiter w = {.pool = pool};
    CHECK_STATUS(pool_acquire_async(pool, &w.op, 20, got_one, &w), POOL_PENDING);
    timeout = pool_next_timeout(pool);
    CHECK(timeout >= 0 && timeout <= 21);
    while (!w.times)
        dispatch(pool);
    CHECK_STATUS(w.status, POOL_ERR_TIMEOUT);
    CHECK_INT(state.checks, 0);
    timeout = pool_next_timeout(pool);
    CHECK(timeout > 0 && timeout <= 3600001);
    timed_give(pool, r);
    timed_end(&state, pool);
}

TEST(a_pass_is_due_although_a_deadline_is_far)
{
    timed state = TIMED_INIT;
    pool_t *pool = reactor_pool(&state, 2, 2, 10);
    timed_resource *r = timed_take(pool), *other = timed_take(pool);
    waiter w = {.pool = pool};
    CHECK_STATUS(pool_acquire_async(pool, &w.op, 3600000, got_one, &w), POOL_PENDING);
    int64_t timeout = pool_next_timeout(pool);
    CHECK(timeout >= 0 && timeout <= 11);
    timed_give(pool, r);
    timed_give(pool, other);
    while (state.checks < 1)
        dispatch(pool);
    CHECK_INT(w.times, 1);
    CHECK_STATUS(w.status, POOL_OK);
    CHECK_STATUS(pool_release(pool, w.got), POOL_OK);
    timed_end(&state, pool);
}

/* What a waiter is owed is not taken for a check. */
TEST(a_pass_leaves_what_a_waiter_is_owed)
{
    timed state = TIMED_INIT;
    pool_t *pool = reactor_pool(&state, 1, 1, 1);
    timed_resource *r = timed_take(pool);
    waiter w = {.pool = pool};
    CHECK_STATUS(pool_acquire_async(pool, &w.op, 0, got_one, &w), POOL_PENDING);
    timed_give(pool, r);
    WAIT_FOR(pool_next_timeout(pool) == 0);
    dispatch(pool);
    CHECK_INT(w.times, 1);
    CHECK_STATUS(w.status, POOL_OK);
    CHECK_INT(state.checks, 0);
    CHECK_STATUS(pool_release(pool, w.got), POOL_OK);
    timed_end(&state, pool);
}

/* ---- other threads ---- */

static check_gate gate = CHECK_GATE_INIT;
static atomic_bool close_returned;

static bool hold_the_loop(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    (void)state;
    (void)r;
    (void)call;
    check_gate_pass(&gate);
    CHECK(!close_returned);
    return true;
}

static void *dispatch_until_checked(void *arg)
{
    pool_t *pool = arg;
    timed *state = pool->user_data;
    while (state->checks == 0)
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    return NULL;
}

static void *close_it(void *arg)
{
    timed_close(((pool_t *)arg)->user_data, arg);
    close_returned = true;
    return NULL;
}

/* No hook runs after a close has returned: it waits for the loop's healthcheck as for any other. */
TEST(close_waits_for_a_healthcheck_on_the_loop)
{
    static timed state = TIMED_INIT;
    timed clock = TIMED_INIT;
    state.healthcheck = hold_the_loop;
    pool_t *pool = reactor_pool(&state, 1, 1, 1), *other = timed_clock(&clock);
    pthread_t loop = check_thread(dispatch_until_checked, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    pthread_t closer = check_thread(close_it, pool);
    WAIT_FOR(pool_is_closed(pool));
    timed_passes(&clock, 20);
    CHECK(!close_returned);
    check_gate_open(&gate);
    check_join(closer);
    check_join(loop);
    timed_end(&state, pool);
    timed_end(&clock, other);
}

static bool end_thread(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    if (call == 1) {
        state->in_hook = 0; /* it does not come back */
        atomic_store(&r->used, 0);
        pthread_exit(NULL);
    }
    return true;
}

TEST(a_healthcheck_that_ends_the_thread_leaves_the_pool_to_the_next_dispatch)
{
    static timed state = TIMED_INIT;
    state.healthcheck = end_thread;
    pool_t *pool = reactor_pool(&state, 2, 2, 1);
    int fd = pool_fd(pool);
    check_join(check_thread(dispatch_until_checked, pool));
    CHECK_INT(state.checks, 1);
    while (state.checks < 4)
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_INT(pool_active_count(pool), 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_unref(pool);
    CHECK_INT(state.ended, state.made);
    CHECK_INT(fcntl(fd, F_GETFD), -1);
}

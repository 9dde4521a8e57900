/*
 * One dispatch runs a bounded number of hooks, also where one pass of healthchecks, or one op, would call for any
 * number of them. It goes on at the next dispatch, and between two of them everything may happen.
 */
#include "loop.h"
#include "timed.h"

enum { MANY = 3000, MOST = 300 }; /* hooks of all; and of one dispatch, with what ends the last of them */

/* ---- healthchecks ---- */

static int hooks_of(const timed *state) { return state->checks + state->creations + state->destructions; }

/* One dispatch, which calls no more hooks than it may. */
static int part(timed *state, pool_t *pool)
{
    int before = hooks_of(state);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    int done = hooks_of(state) - before;
    CHECK(done <= MOST);
    return done;
}

static bool seen[MANY + 1];

/* The first pass: each is checked once. */
static bool once(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    (void)state;
    if (call <= MANY) {
        CHECK(!seen[r->id]);
        seen[r->id] = true;
    }
    return true;
}

static pool_t *many_are_due(timed *state, uint32_t min)
{
    pool_t *pool = timed_pool(state, min, MANY, 1, POOL_F_REACTOR);
    WAIT_FOR(pool_next_timeout(pool) == 0);
    return pool;
}

TEST(a_pass_is_run_in_parts_and_checks_each_once)
{
    static timed state = TIMED_INIT;
    state.healthcheck = once;
    pool_t *pool = many_are_due(&state, MANY);
    int parts = 0;
    while (state.checks < MANY) {
        part(&state, pool);
        parts++;
        CHECK(state.checks >= MANY || loop_readable(pool_fd(pool)));
        CHECK(state.checks >= MANY || pool_next_timeout(pool) == 0);
        CHECK_COUNTS(pool, MANY, 0, 0); /* nothing is kept from anybody between two parts */
    }
    CHECK(parts >= MANY / MOST);
    timed_end(&state, pool);
}

static void got(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op;
    CHECK_STATUS(status, POOL_OK);
    *(void **)data = resource;
}

TEST(ops_are_served_between_the_parts_of_a_pass)
{
    static timed state = TIMED_INIT;
    pool_t *pool = many_are_due(&state, MANY);
    for (int before = 0; part(&state, pool) > 0 && state.checks < MANY - MOST; before = state.checks) {
        void *resource = NULL;
        pool_op_t op;
        CHECK_STATUS(pool_acquire_async(pool, &op, 0, got, &resource), POOL_PENDING);
        part(&state, pool);
        CHECK(resource != NULL);
        CHECK(state.checks > before); /* and the pass goes on */
        CHECK_STATUS(pool_release(pool, resource), POOL_OK);
    }
    timed_end(&state, pool);
}

/* What is lent in between is left out; what is idle by then is looked at. */
TEST(a_pass_goes_on_with_what_is_idle_then)
{
    enum { LENT = MANY / 2 };
    static timed state = TIMED_INIT;
    static timed_resource *lent[LENT];
    pool_t *pool = many_are_due(&state, MANY);
    part(&state, pool);
    for (int i = 0; i < LENT; i++)
        lent[i] = timed_take(pool);
    while (loop_readable(pool_fd(pool)) && state.checks < MANY)
        part(&state, pool);
    CHECK(state.checks >= MANY - LENT);
    for (int i = 0; i < LENT; i++)
        timed_give(pool, lent[i]);
    timed_end(&state, pool);
}

static bool dead(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    (void)state;
    (void)call;
    return r->id > MANY;
}

TEST(dead_ones_are_replaced_in_parts)
{
    static timed state = TIMED_INIT;
    state.healthcheck = dead;
    pool_t *pool = many_are_due(&state, MANY);
    while (state.made < 2 * MANY)
        part(&state, pool);
    CHECK_INT(state.ended, MANY);
    CHECK_COUNTS(pool, MANY, 0, 0);
    timed_end(&state, pool);
}

static bool fails_later(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    (void)state;
    (void)r;
    return call <= MANY;
}

/* A factory that failed is not asked again in the same pass, in whatever part. */
TEST(a_factory_that_failed_is_asked_again_in_the_next_pass)
{
    static timed state = TIMED_INIT;
    state.factory = fails_later;
    state.healthcheck = dead;
    pool_t *pool = many_are_due(&state, MANY);
    while (state.ended < MANY)
        part(&state, pool);
    CHECK_INT(state.creations, MANY + 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    while (state.creations < MANY + 4)
        part(&state, pool);
    timed_end(&state, pool);
}

static bool not_kept(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    (void)call;
    return false;
}

/* Nothing is idle, everything is to be made: that is done in parts, too. */
TEST(a_pool_that_has_lost_all_is_filled_in_parts)
{
    static fx_resource *lent[MANY];
    fx.quiet = true;
    pool_config_t config = loop_config(FX_WITH_RELEASE, MANY, MANY);
    config.flags = POOL_F_REACTOR;
    config.healthcheck_interval_ms = 1;
    pool_t *pool = loop_pool_of(&config);
    for (int i = 0; i < MANY; i++)
        lent[i] = fx_take(pool);
    fx.script[FX_BEFORE_RELEASE] = not_kept;
    for (int i = 0; i < MANY; i++)
        fx_give(pool, lent[i]);
    CHECK_INT(pool_count(pool), 0);
    while (pool_count(pool) < MANY) {
        int before = loop_work();
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        CHECK(loop_work() - before <= MOST);
    }
    CHECK_INT(fx.created, 2 * MANY);
    fx_finish(pool);
}

static void *close_pool(void *pool)
{
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return NULL;
}

/* timed_close() checks that no hook runs after it has returned. Nobody dispatches any more. */
TEST(closed_between_two_parts)
{
    static timed state = TIMED_INIT;
    pool_t *pool = many_are_due(&state, MANY);
    part(&state, pool);
    int checks = state.checks;
    timed_close(&state, pool);
    CHECK_INT(state.checks, checks);
    CHECK_INT(state.ended, MANY);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(closed_by_another_thread_between_two_parts_that_are_dispatched_all_the_same)
{
    static timed state = TIMED_INIT;
    pool_t *pool = many_are_due(&state, MANY);
    part(&state, pool);
    int checks = state.checks;
    check_join(check_thread(close_pool, pool));
    state.over = true;
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_INT(state.checks, checks);
    CHECK_INT(state.ended, MANY);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(the_last_reference_goes_between_two_parts)
{
    static timed state = TIMED_INIT;
    pool_t *pool = many_are_due(&state, MANY);
    part(&state, pool);
    pool_unref(pool);
    CHECK_INT(state.ended, MANY);
    CHECK_INT(pool_debug_live(), 0);
}

static check_gate gate = CHECK_GATE_INIT;
static atomic_bool closed;

static bool stop_in_the_middle(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    (void)state;
    (void)r;
    CHECK(!closed);
    if (call == MANY / 2)
        check_gate_pass(&gate);
    return true;
}

static void *dispatch_until_closed(void *arg)
{
    pool_t *pool = arg;
    while (!pool_is_closed(pool))
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    return NULL;
}

static void *close_then(void *pool)
{
    close_pool(pool);
    closed = true;
    return NULL;
}

TEST(closed_in_a_check_in_the_middle_of_a_later_part)
{
    static timed state = TIMED_INIT;
    state.healthcheck = stop_in_the_middle;
    pool_t *pool = many_are_due(&state, MANY);
    pthread_t loop = check_thread(dispatch_until_closed, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    pthread_t closer = check_thread(close_then, pool);
    WAIT_FOR(pool_is_closed(pool));
    check_gate_open(&gate);
    check_join(closer);
    check_join(loop);
    CHECK_INT(state.checks, MANY / 2);
    CHECK_INT(state.ended, MANY);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* Parts and closes cross on two threads. */
TEST(closes_cross_the_parts_of_passes)
{
    for (int round = 0; round < 60 && check_time_left(); round++) {
        timed state = TIMED_INIT;
        pool_t *pool = timed_pool(&state, 200, 200, 1, POOL_F_REACTOR);
        pthread_t loop = check_thread(dispatch_until_closed, pool_ref(pool));
        WAIT_FOR(state.checks > round * 7);
        timed_close(&state, pool);
        check_join(loop);
        pool_unref(pool);
        pool_unref(pool);
        CHECK_INT(state.ended, state.made);
        CHECK_INT(pool_debug_live(), 0);
    }
}

TEST(a_pass_goes_on_where_its_pool_is_attached_between_two_parts)
{
    static timed state = TIMED_INIT;
    state.healthcheck = once;
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = many_are_due(&state, MANY);
    part(&state, pool);
    CHECK(state.checks > 0 && state.checks < MANY);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    CHECK(loop_poll(pool_reactor_fd(reactor), -1));
    while (state.checks < MANY) {
        int before = state.checks;
        CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
        CHECK(state.checks - before <= MOST);
    }
    timed_end(&state, pool);
    pool_reactor_unref(reactor);
}

static bool end_thread(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool;
    if (call == MANY / 2) {
        state->in_hook = 0; /* it does not come back */
        atomic_store(&r->used, 0);
        pthread_exit(NULL);
    }
    return true;
}

static void *dispatch_for_ever(void *pool)
{
    for (;;)
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    return NULL;
}

TEST(a_check_of_a_later_part_that_ends_the_thread_ends_the_pass)
{
    static timed state = TIMED_INIT;
    state.healthcheck = end_thread;
    pool_t *pool = many_are_due(&state, MANY);
    check_join(check_thread(dispatch_for_ever, pool));
    CHECK_INT(state.checks, MANY / 2);
    CHECK_INT(pool_active_count(pool), 0);
    while (state.checks < MANY) /* the next pass */
        part(&state, pool);
    timed_end(&state, pool);
}

/* ---- refusals in a row ---- */

static bool refuse(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)call;
    return r->id > MANY;
}

static int refusals(pool_t *pool)
{
    int before = loop_work();
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK(loop_work() - before <= MOST);
    return loop_work() - before;
}

static pool_t *all_are_refused(told *a)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, MANY, MANY);
    fx.quiet = true;
    fx.script[FX_BEFORE_ACQUIRE] = refuse;
    loop_acquire(pool, a, 0);
    refusals(pool);
    CHECK_INT(a->times, 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_INT(pool_active_count(pool), 1); /* it keeps its place */
    return pool;
}

TEST(an_op_that_is_refused_many_goes_on_at_the_next_dispatch)
{
    told a = {0};
    pool_t *pool = all_are_refused(&a);
    while (loop_readable(pool_fd(pool)))
        CHECK(refusals(pool) > 0);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_INT(fx.destroyed, MANY);
    loop_give(&a);
    fx_finish(pool);
}

TEST(others_are_served_between_two_refusals)
{
    told a = {0}, b = {0};
    pool_t *pool = all_are_refused(&a), *other = loop_pool(0, 0, 1);
    pool_reactor_t *reactor = pool_reactor_create();
    told refused = {0};
    loop_acquire_on(reactor, pool, &refused, 0);
    CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    loop_acquire_on(reactor, other, &b, 0);
    CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    CHECK_INT(refused.times, 0);
    while (!refused.times)
        CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    CHECK_TOLD_ONCE(&refused, POOL_OK);
    loop_give(&refused);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_give(&a);
    pool_reactor_unref(reactor);
    pool_unref(other);
    fx_finish(pool);
}

static void ends_between_refusals(pool_status_t (*end)(pool_t *pool, told *a), pool_status_t wanted)
{
    told a = {0};
    pool_t *pool = all_are_refused(&a);
    int asked = fx.calls[FX_BEFORE_ACQUIRE];
    CHECK_STATUS(end(pool, &a), POOL_OK);
    CHECK_INT(a.times, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, wanted);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], asked);
    CHECK_INT(pool_active_count(pool), 0);
    fx_finish(pool);
}

static pool_status_t cancel(pool_t *pool, told *a)
{
    (void)pool;
    return pool_op_cancel(&a->op);
}

static pool_status_t close_it(pool_t *pool, told *a)
{
    (void)a;
    return pool_close(pool);
}

static pool_status_t open_breaker(pool_t *pool, told *a)
{
    (void)a;
    return pool_deactivate(pool);
}

TEST(cancelled_between_two_refusals) { ends_between_refusals(cancel, POOL_ERR_CANCELLED); }
TEST(closed_between_two_refusals) { ends_between_refusals(close_it, POOL_ERR_CLOSED); }
TEST(sent_away_by_the_breaker_between_two_refusals) { ends_between_refusals(open_breaker, POOL_ERR_UNAVAILABLE); }

TEST(the_last_reference_goes_between_two_refusals)
{
    told a = {0};
    pool_t *pool = all_are_refused(&a);
    pool_ref(pool);
    pool_unref(pool);
    int fd = pool_fd(pool);
    pool_unref(pool); /* the op keeps pool and reactor */
    CHECK(loop_readable(fd));
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CLOSED);
    CHECK_INT(pool_debug_live(), 0);
    CHECK_INT(fx_live(), 0);
}

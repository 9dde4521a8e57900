/*
 * Async ops when the pool is closed, dropped, or its breaker opens: each is told once, by a
 * dispatch.
 */
#include "loop.h"

static check_gate gate = CHECK_GATE_INIT;

static bool stop_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    (void)call;
    check_gate_pass(&gate);
    return true;
}

static void *dispatch_once(void *pool)
{
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    return NULL;
}

TEST(close_tells_nobody_itself_and_dispatch_everybody)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 0, 2);
    fx_resource *r = fx_take(pool), *other = fx_take(pool);
    told granted = {0}, waits = {0}, timed = {0}, cancelled = {0};
    loop_acquire(pool, &granted, 0);
    loop_acquire(pool, &waits, 0);
    loop_acquire(pool, &timed, 3600000);
    loop_acquire(pool, &cancelled, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_op_cancel(&cancelled.op), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(granted.times + waits.times + timed.times + cancelled.times, 0);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_INT(loop_drain(pool), 4);
    CHECK_TOLD_ONCE(&granted, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&waits, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&timed, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&cancelled, POOL_ERR_CANCELLED);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 0);
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK(!loop_readable(pool_fd(pool)));
    fx_give(pool, other);
    fx_finish(pool);
}

TEST(closed_before_anything_had_begun)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 1, 2);
    told checked = {0}, made = {0};
    loop_acquire(pool, &checked, 0);
    loop_acquire(pool, &made, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool_idle_count(pool), 0);
    CHECK_INT(checked.times + made.times, 0);
    loop_drain(pool);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 0);
    CHECK_INT(fx.calls[FX_FACTORY], 1); /* the one that was made up front */
    CHECK_INT(fx_live(), 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_TOLD_ONCE(&checked, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&made, POOL_ERR_CLOSED);
    fx_finish(pool);
}

TEST(closed_while_a_factory_runs_on_the_loop)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    fx.script[FX_FACTORY] = stop_at_gate;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    pthread_t loop = check_thread(dispatch_once, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_STATUS(pool_close(pool), POOL_OK); /* does not wait for it */
    CHECK_INT(a.times + b.times, 0);
    check_gate_open(&gate);
    check_join(loop);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&b, POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(closed_while_before_acquire_runs_on_the_loop)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 1, 1);
    told a = {0};
    fx.script[FX_BEFORE_ACQUIRE] = stop_at_gate;
    loop_acquire(pool, &a, 0);
    pthread_t loop = check_thread(dispatch_once, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    check_gate_open(&gate);
    check_join(loop);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* The op keeps the pool alive until it is told. */
TEST(the_last_unref_with_ops_outstanding)
{
    pool_t *pool = loop_pool(0, 1, 1);
    told begun = {0}, waits = {0};
    loop_acquire(pool, &begun, 0);
    loop_acquire(pool, &waits, 3600000);
    pool_unref(pool);
    CHECK_INT(begun.times + waits.times, 0);
    CHECK_INT(pool_debug_live(), 1);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_INT(fx_live(), 0);
    CHECK_TOLD_ONCE(&begun, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&waits, POOL_ERR_CLOSED);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(the_last_unref_with_a_granted_op)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire(pool, &a, 0);
    fx_give(pool, r);
    pool_unref(pool);
    CHECK_INT(a.times, 0);
    CHECK_STATUS(pool_op_cancel(&a.op), POOL_OK);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(the_last_unref_while_a_factory_runs_on_the_loop)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    fx.script[FX_FACTORY] = stop_at_gate;
    loop_acquire(pool, &a, 0);
    pthread_t loop = check_thread(dispatch_once, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    pool_unref(pool);
    check_gate_open(&gate);
    check_join(loop);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

/* ---- the breaker ---- */

TEST(the_breaker_opens_and_everybody_in_line_is_sent_away)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 0, 1);
    fx_resource *r = fx_take(pool);
    told granted = {0}, a = {0}, b = {0};
    loop_acquire(pool, &granted, 0);
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 3600000);
    fx_give(pool, r);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_INT(granted.times + a.times + b.times, 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_INT(loop_drain(pool), 3);
    CHECK_TOLD_ONCE(&granted, POOL_ERR_UNAVAILABLE);
    CHECK_TOLD_ONCE(&a, POOL_ERR_UNAVAILABLE);
    CHECK_TOLD_ONCE(&b, POOL_ERR_UNAVAILABLE);
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(the_breaker_opens_before_an_op_has_begun)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    loop_acquire(pool, &a, 0);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_UNAVAILABLE);
    CHECK_INT(fx.calls[FX_FACTORY], 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(the_breaker_opens_while_a_factory_runs_and_the_resource_is_lent)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    fx.script[FX_FACTORY] = stop_at_gate;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    pthread_t loop = check_thread(dispatch_once, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    check_gate_open(&gate);
    check_join(loop);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_ERR_UNAVAILABLE);
    loop_give(&a);
    fx_finish(pool);
}

TEST(while_recovering_one_op_is_the_probe)
{
    pool_t *pool = loop_pool(0, 2, 2);
    told probe = {0}, early = {0}, next = {0};
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    loop_acquire(pool, &probe, 0);
    CHECK_STATUS(loop_begin(NULL, pool, &early, 0), POOL_ERR_UNAVAILABLE);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&probe, POOL_OK);
    CHECK_STATUS(loop_begin(NULL, pool, &early, 0), POOL_ERR_UNAVAILABLE);
    loop_give(&probe);
    loop_acquire(pool, &next, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&next, POOL_OK);
    CHECK_INT(early.times, 0);
    loop_give(&next);
    fx_finish(pool);
}

/* A probe that ends in any way makes room for the next. */
TEST(a_cancelled_probe_frees_its_slot)
{
    pool_t *pool = loop_pool(0, 1, 1);
    told probe = {0}, next = {0};
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    loop_acquire(pool, &probe, 0);
    CHECK_STATUS(pool_op_cancel(&probe.op), POOL_OK);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&probe, POOL_ERR_CANCELLED);
    loop_acquire(pool, &next, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&next, POOL_OK);
    loop_give(&next);
    fx_finish(pool);
}

TEST(waiting_ops_stay_in_line_when_it_goes_to_recovering_and_are_probes_one_by_one)
{
    pool_t *pool = loop_pool(0, 0, 2);
    fx_resource *r = fx_take(pool), *other = fx_take(pool);
    told a = {0}, b = {0};
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_COUNTS(pool, 0, 2, 2);
    CHECK(!loop_readable(pool_fd(pool)));
    fx_give(pool, r);
    fx_give(pool, other);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_INT(b.times, 0);
    loop_give(&a);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    fx_finish(pool);
}

static bool yes_recover(pool_t *pool, void *ctx)
{
    (void)pool;
    ++*(int *)ctx;
    return true;
}

static void no_success(pool_t *pool, void *ctx) { (void)pool, (void)ctx; }
static void no_failure(pool_t *pool, const pool_error_t *error, void *ctx) { (void)pool, (void)error, (void)ctx; }

/* should_recover is user code: it runs where hooks run, in dispatch. */
TEST(should_recover_is_not_asked_inside_the_acquire)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    int asked = 0;
    pool_circuit_breaker_strategy_t strategy = {no_success, no_failure, yes_recover, &asked, NULL};
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    loop_acquire(pool, &a, 0);
    CHECK_INT(asked, 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_INT(asked, 1);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    loop_give(&a);
    fx_finish(pool);
}

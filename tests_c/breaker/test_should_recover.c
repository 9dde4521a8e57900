/*
 * should_recover (R55, B130): who asks it and what its answer does; and a pool whose host is asked
 * instead of a strategy.
 */
#include "recorder.h"

static check_gate gate = CHECK_GATE_INIT;

/* ---- should_recover -------------------------------------------------------------------------- */

TEST(b130_should_recover_decides_and_is_asked_only_when_the_breaker_is_open)
{
    recorder recorder;
    pool_status_t status;
    pool_t *pool = fx_pool(0, 2, 2);
    attach(pool, &recorder, NULL);
    recorder.yes = true;
    CHECK_STATUS(try_and_give(pool), POOL_OK);
    check_told(&recorder, 1, 0, 0); /* not while ACTIVE */
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    recorder.yes = false;
    CHECK_STATUS(try_and_give(pool), POOL_ERR_UNAVAILABLE);
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
    check_told(&recorder, 1, 0, 2);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    recorder.yes = true;
    fx_resource *probe = fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    CHECK_STATUS(try_and_give(pool), POOL_ERR_UNAVAILABLE);
    check_told(&recorder, 1, 0, 3); /* not while RECOVERING */
    fx_give(pool, probe);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    fx_finish(pool);
}

TEST(b130_without_should_recover_the_breaker_stays_open)
{
    recorder recorder;
    pool_t *pool = fx_pool(0, 1, 1);
    attach(pool, &recorder, NULL);
    recorder.strategy.should_recover = NULL;
    CHECK_STATUS(pool_set_strategy(pool, &recorder.strategy), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(try_and_give(pool), POOL_ERR_UNAVAILABLE);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

TEST(should_recover_is_asked_of_newcomers_only)
{
    recorder recorder;
    fx_caller waiting[4];
    pool_t *pool = fx_pool(0, 0, 1);
    attach(pool, &recorder, NULL);
    recorder.yes = true;
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < 4; i++)
        fx_start_waiting(&waiting[i], pool, 0);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    for (int i = 0; i < 4; i++) {
        fx_join(&waiting[i]);
        CHECK_STATUS(waiting[i].status, POOL_ERR_UNAVAILABLE);
    }
    fx_give(pool, r);
    check_told(&recorder, 1, 0, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

TEST(should_recover_is_not_asked_of_one_who_was_promised_a_place)
{
    recorder recorder;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(0, 0, 1);
    attach(pool, &recorder, NULL);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0); /* promised: nobody is in line any more */
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_UNAVAILABLE);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static void activate_when_asked(pool_t *pool, recorder *self)
{
    if (self->successes == 0)
        CHECK_STATUS(pool_activate(pool), POOL_OK);
}

TEST(a_yes_that_comes_after_the_activation_does_not_undo_it)
{
    recorder recorder;
    pool_t *pool = fx_pool(0, 0, 1);
    attach(pool, &recorder, activate_when_asked);
    recorder.yes = true;
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(try_and_give(pool), POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

static check_gate question_gate = CHECK_GATE_INIT;

static void ask_together(pool_t *pool, recorder *self)
{
    (void)pool, (void)self;
    check_gate_pass(&question_gate);
}

static bool wait_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

TEST(r55_of_fifty_callers_who_all_hear_yes_one_is_the_probe)
{
    enum { CALLERS = 50 };
    recorder recorder;
    fx_caller callers[CALLERS];
    int done = 0, unavailable = 0;
    fx.script[FX_FACTORY] = wait_at_gate;
    pool_t *pool = fx_pool(0, 0, CALLERS);
    attach(pool, &recorder, ask_together);
    recorder.yes = true;
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    for (int i = 0; i < CALLERS; i++)
        fx_start(&callers[i], pool, 0);
    WAIT_FOR(check_gate_waiting(&question_gate) == CALLERS);
    check_gate_open(&question_gate);
    for (; done < CALLERS - 1; sched_yield()) {
        done = 0;
        for (int i = 0; i < CALLERS; i++)
            done += atomic_load(&callers[i].done);
    }
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    check_gate_open(&gate);
    for (int i = 0; i < CALLERS; i++) {
        fx_join(&callers[i]);
        unavailable += callers[i].status == POOL_ERR_UNAVAILABLE;
    }
    CHECK_INT(unavailable, CALLERS - 1);
    for (int i = 0; i < CALLERS; i++)
        if (callers[i].status == POOL_OK)
            fx_give(pool, callers[i].got);
    check_told(&recorder, 1, 0, CALLERS);
    fx_finish(pool);
}

/* ---- A pool whose host answers --------------------------------------------------------------- */

static pool_t *host_driven(uint32_t asks)
{
    pool_t *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = asks;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void check_ask(pool_op_t *op, bool ok, pool_ask_t *ask, pool_ask_kind_t want, void *resource)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = ok;
    answer.resource = ok ? &gate : NULL;
    CHECK_INT(pool_op_next(op, &answer, ask), want);
    CHECK_PTR(ask->resource, resource);
}

TEST(a_host_driven_pool_takes_no_strategy)
{
    recorder recorder = {0};
    recorder.strategy.report_success = record_success;
    recorder.strategy.report_failure = record_failure;
    pool_t *pool = host_driven(POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER);
    CHECK_STATUS(pool_set_strategy(pool, &recorder.strategy), POOL_ERR_INVALID);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_ERR_INVALID);
    fx_finish(pool);
}

TEST(a_host_is_asked_to_report_and_whether_to_recover)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool =
        host_driven(POOL_ASKS_BEFORE_RELEASE | POOL_ASKS_REPORTS | POOL_ASKS_DESTROY | POOL_ASKS_SHOULD_RECOVER);
    for (int kept = 1; kept >= 0; kept--) {
        CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), kept ? POOL_ASK_CREATE : POOL_ASK_DONE);
        if (kept)
            check_ask(&op, true, &ask, POOL_ASK_DONE, &gate);
        CHECK_STATUS(ask.status, POOL_OK);
        CHECK_STATUS(pool_release(pool, &gate), POOL_PENDING);
        CHECK_STATUS(pool_op_release(pool, &op, &gate), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
        check_ask(&op, kept, &ask, kept ? POOL_ASK_REPORT_SUCCESS : POOL_ASK_REPORT_FAILURE, &gate);
        CHECK_COUNTS(pool, 0, 1, 0);
        if (!kept)
            check_ask(&op, false, &ask, POOL_ASK_DESTROY, &gate);
        check_ask(&op, false, &ask, POOL_ASK_DONE, NULL);
        CHECK_STATUS(ask.status, POOL_OK);
        CHECK_COUNTS(pool, kept, 0, 0);
    }
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    for (int yes = 0; yes < 2; yes++) {
        CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_SHOULD_RECOVER);
        check_ask(&op, yes, &ask, yes ? POOL_ASK_CREATE : POOL_ASK_DONE, NULL);
        CHECK_STATUS(ask.status, yes ? POOL_OK : POOL_ERR_UNAVAILABLE);
        CHECK_INT(pool_state(pool), yes ? POOL_CIRCUIT_RECOVERING : POOL_CIRCUIT_INACTIVE);
    }
    check_ask(&op, false, &ask, POOL_ASK_DONE, NULL);
    CHECK_STATUS(ask.status, POOL_ERR_FACTORY);
    fx_finish(pool);
}

TEST(a_host_that_wants_no_reports_is_not_asked)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = host_driven(0);
    CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    check_ask(&op, true, &ask, POOL_ASK_DONE, &gate);
    CHECK_STATUS(pool_release(pool, &gate), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_UNAVAILABLE);
    fx_finish(pool);
}

/*
 * RECOVERING: who is a probe, and that a probe's slot is free again however the probe ends.
 * Each case shows R55.
 */
#include "breaker.h"

#define MS INT64_C(1000000)

static check_gate gate = CHECK_GATE_INIT;

static bool wait_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

static bool end_thread(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    pthread_exit(NULL);
}

/* ---- Who is a probe -------------------------------------------------------------------------- */

TEST(leases_from_before_are_no_probes)
{
    pool_t *pool = fx_pool(0, 0, 4);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_resource *probe = fx_take(pool);
    check_refused(pool);
    fx_give(pool, a); /* frees a place, but no slot */
    check_refused(pool);
    fx_give(pool, probe);
    check_slot_free(pool);
    fx_give(pool, b);
    fx_finish(pool);
}

TEST(leases_from_before_still_take_their_places)
{
    pool_status_t status;
    fx_caller caller;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY); /* no probe is out: busy, not unavailable */
    fx_start_waiting(&caller, pool, 0);
    fx_give(pool, r);
    fx_join(&caller);
    CHECK_PTR(caller.got, r);
    check_refused(pool);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(callers_parked_before_recovering_become_probes_one_after_the_other)
{
    fx_caller callers[3];
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    for (int i = 0; i < 3; i++)
        fx_start_waiting(&callers[i], pool, 0);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_COUNTS(pool, 0, 2, 3);
    fx_give(pool, a);
    fx_join(&callers[0]);
    fx_give(pool, b); /* a place is free, but not for a second probe */
    CHECK_COUNTS(pool, 1, 1, 2);
    check_refused(pool);
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
        CHECK_COUNTS(pool, 1, 1, 2 - (uint32_t)i);
        fx_give(pool, callers[i].got);
    }
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(with_a_limit_of_two_parked_callers_become_probes_in_pairs)
{
    fx_caller callers[4];
    fx_resource *held[4];
    pool_t *pool = pool_with(0, 0, 4, 2, 0);
    for (int i = 0; i < 4; i++)
        held[i] = fx_take(pool);
    for (int i = 0; i < 4; i++)
        fx_start_waiting(&callers[i], pool, 0);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    for (int i = 0; i < 4; i++)
        fx_give(pool, held[i]);
    for (int i = 0; i < 4; i += 2) {
        fx_join(&callers[i]);
        fx_join(&callers[i + 1]);
        CHECK_COUNTS(pool, 2, 2, 2 - (uint32_t)i);
        check_refused(pool);
        fx_give(pool, callers[i].got);
        if (i == 0) /* one slot is free: one more caller */
            WAIT_FOR(pool_active_count(pool) == 2 && pool_waiting_count(pool) == 1);
        fx_give(pool, callers[i + 1].got);
    }
    CHECK_COUNTS(pool, 4, 0, 0);
    fx_finish(pool);
}

TEST(a_caller_promised_a_place_before_recovering_is_not_overtaken)
{
    pool_op_t op;
    void *resource;
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    park_op(pool, &op);
    fx_give(pool, a); /* promised to the op while ACTIVE */
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_give(pool, b);
    fx_resource *newcomer = fx_try(pool, &status); /* whatever it gets, it is not the op's */
    CHECK_STATUS(finish_op(&op, &resource), POOL_OK);
    CHECK_STATUS(pool_release(pool, resource), POOL_OK);
    if (newcomer)
        fx_give(pool, newcomer);
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(a_promise_made_before_it_opened_is_no_second_probe)
{
    pool_op_t op;
    void *resource;
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    park_op(pool, &op);
    fx_give(pool, a);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_give(pool, b);
    fx_resource *probe = fx_take(pool);
    CHECK_STATUS(finish_op(&op, &resource), POOL_ERR_UNAVAILABLE);
    CHECK_COUNTS(pool, 1, 1, 0);
    fx_give(pool, probe);
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(activating_serves_those_who_waited_for_a_slot)
{
    fx_caller callers[3];
    pool_t *pool = fx_pool(0, 0, 3);
    fx_resource *held[3];
    for (int i = 0; i < 3; i++)
        held[i] = fx_take(pool);
    for (int i = 0; i < 3; i++)
        fx_start_waiting(&callers[i], pool, 0);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    for (int i = 0; i < 3; i++)
        fx_give(pool, held[i]);
    fx_join(&callers[0]);
    CHECK_COUNTS(pool, 2, 1, 2);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
    }
    CHECK_COUNTS(pool, 0, 3, 0);
    for (int i = 0; i < 3; i++)
        fx_give(pool, callers[i].got);
    fx_finish(pool);
}

TEST(every_change_to_recovering_begins_with_free_slots)
{
    for (int between = POOL_CIRCUIT_ACTIVE; between <= POOL_CIRCUIT_INACTIVE; between++) {
        pool_t *pool = fx_pool(0, 0, 3);
        CHECK_STATUS(pool_recover(pool), POOL_OK);
        fx_resource *hung = fx_take(pool);
        check_refused(pool);
        CHECK_STATUS(go_to(pool, between), POOL_OK);
        CHECK_STATUS(pool_recover(pool), POOL_OK);
        fx_resource *probe = fx_take(pool);
        check_refused(pool);
        fx_give(pool, hung); /* its slot went with the first recovering */
        check_refused(pool);
        fx_give(pool, probe);
        check_slot_free(pool);
        fx_finish(pool);
    }
}

/* The first call of the factory waits at the gate, then fails if fail_late is set. */
static bool fail_late;

static bool first_hangs(pool_t *pool, fx_resource *r, int call)
{
    if (call == 1)
        wait_at_gate(pool, r, call);
    return call != 1 || !fail_late;
}

static void check_hung_creation(void)
{
    fx_caller hung;
    fx.script[FX_FACTORY] = first_hangs;
    pool_t *pool = fx_pool(0, 0, 3);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_start(&hung, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    check_refused(pool);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_resource *probe = fx_take(pool);
    check_gate_open(&gate);
    fx_join(&hung);
    CHECK_STATUS(hung.status, fail_late ? POOL_ERR_FACTORY : POOL_OK);
    check_state(pool, POOL_CIRCUIT_RECOVERING);
    check_refused(pool);
    if (hung.got)
        fx_give(pool, hung.got);
    check_refused(pool);
    fx_give(pool, probe);
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(a_probe_hung_in_its_factory_makes_room_and_its_late_success_changes_nothing) { check_hung_creation(); }

TEST(a_probe_hung_in_its_factory_makes_room_and_its_late_failure_changes_nothing)
{
    fail_late = true;
    check_hung_creation();
}

/* ---- A probe ends ---------------------------------------------------------------------------- */

TEST(a_probe_that_is_released_frees_its_slot_kept_or_refused)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 3);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    check_slot_free(pool);
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx_give(pool, fx_take(pool));
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(a_probe_whose_factory_fails_frees_its_slot)
{
    pool_status_t status;
    fx.script[FX_FACTORY] = fx_refuse_first;
    pool_t *pool = fx_pool(0, 0, 3);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(a_probe_that_is_refused_one_resource_and_gets_another_has_one_slot)
{
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse_first;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 2, 4);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    CHECK_INT(r->id, 2);
    check_refused(pool);
    fx_give(pool, r);
    check_slot_free(pool);
    fx_finish(pool);
}

/* Shows S9. */
TEST(a_probe_that_is_cancelled_frees_its_slot_wherever_it_is)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 0, 2);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    check_refused(pool);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    check_slot_free(pool); /* and leaves one resource idle */
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_ACQUIRE);
    check_refused(pool);
    CHECK_STATUS(pool_op_cancel(&op), POOL_PENDING);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DESTROY);
    pool->destructor.internal(pool, ask.resource);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_CANCELLED);
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(a_promised_probe_has_its_slot_and_a_cancel_hands_it_on)
{
    pool_op_t op;
    fx_caller second;
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    park_op(pool, &op);
    fx_start_waiting(&second, pool, 0);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_give(pool, a); /* promised to the op */
    fx_give(pool, b);
    CHECK_COUNTS(pool, 2, 0, 1);
    check_refused(pool);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    fx_join(&second);
    CHECK_STATUS(second.status, POOL_OK);
    check_refused(pool);
    fx_give(pool, second.got);
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(a_probe_whose_time_is_up_frees_its_slot)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 2);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &op, 60 * 1000), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_ACQUIRE);
    answer.now_ns = check_now_ns() + 3600 * 1000 * MS; /* refused, and too late for another */
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DESTROY);
    pool->destructor.internal(pool, ask.resource);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_TIMEOUT);
    check_slot_free(pool);
    fx_finish(pool);
}

TEST(a_probe_in_line_whose_time_is_up_takes_no_slot_with_it)
{
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_acquire(pool, 1, &status);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    fx_give(pool, r);
    check_slot_free(pool);
    fx_finish(pool);
}

static void *acquire_and_unwind(void *pool)
{
    fx_take(pool);
    check_fail(__FILE__, __LINE__, "the hook did not end this thread");
}

TEST(a_probe_whose_thread_ends_inside_a_hook_frees_its_slot)
{
    fx.script[FX_FACTORY] = end_thread;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 0, 2);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    check_join(check_thread(acquire_and_unwind, pool));
    fx.script[FX_FACTORY] = NULL;
    check_slot_free(pool); /* and leaves one resource idle */
    fx.script[FX_BEFORE_ACQUIRE] = end_thread;
    check_join(check_thread(acquire_and_unwind, pool));
    fx.script[FX_BEFORE_ACQUIRE] = NULL;
    check_slot_free(pool);
    CHECK_INT(pool_active_count(pool), 0);
    fx_finish(pool);
}

TEST(a_probe_that_outlives_a_close_is_destroyed_by_its_release)
{
    fx_caller creating;
    fx.script[FX_FACTORY] = wait_at_gate;
    pool_t *pool = pool_with(0, 0, 3, 2, 0);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_start(&creating, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx.script[FX_FACTORY] = NULL;
    fx_resource *probe = fx_take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    check_gate_open(&gate);
    fx_join(&creating);
    CHECK_STATUS(creating.status, POOL_ERR_CLOSED);
    fx_give(pool, probe);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

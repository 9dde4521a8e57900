/*
 * pool_strategy_threshold(): when it opens, probes and closes, what counts and what does not, and
 * that it gives way to a strategy in C and back.
 *
 * Most cases use a host-driven pool, whose host says what time it is: "opened ten seconds ago"
 * takes no ten seconds. Each case shows P37.
 */
#include "fixture.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

enum { LONG_MS = 10 * 1000, FOR_EVER_MS = 3600 * 1000 };

static int words[64], made;

/* A host-driven pool without hooks, but for before_release. */
static pool_t *host_pool(uint32_t max, uint32_t probes)
{
    pool_t *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_BEFORE_RELEASE;
    config.max_size = max;
    config.recovering_limit = probes;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

/* One try; a creation, if it comes to one, ends as told, ago_ns before now. */
static pool_status_t try_at(pool_t *pool, bool ok, int64_t ago_ns, void **resource)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
    if (pool_op_next(&op, NULL, &ask) == POOL_ASK_CREATE) {
        answer.ok = ok;
        answer.resource = ok ? &words[made++ % 64] : NULL;
        answer.now_ns = check_now_ns() - ago_ns;
        pool_op_next(&op, &answer, &ask);
    }
    CHECK_INT(ask.kind, POOL_ASK_DONE);
    *resource = ask.resource;
    return ask.status;
}

static void *lend(pool_t *pool)
{
    void *resource;
    CHECK_STATUS(try_at(pool, true, 0, &resource), POOL_OK);
    return resource;
}

static void check_refused(pool_t *pool)
{
    void *resource;
    CHECK_STATUS(try_at(pool, true, 0, &resource), POOL_ERR_UNAVAILABLE);
}

static void give_at(pool_t *pool, void *resource, bool kept, int64_t ago_ns)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_release(pool, &op, resource), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
    answer.ok = kept;
    answer.now_ns = check_now_ns() - ago_ns;
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
}

static void succeed(pool_t *pool) { give_at(pool, lend(pool), true, 0); }
static void fail(pool_t *pool) { give_at(pool, lend(pool), false, 0); }

static void fail_to_create(pool_t *pool)
{
    void *resource;
    CHECK_STATUS(try_at(pool, false, 0, &resource), POOL_ERR_FACTORY);
}

/* Opens a pool whose threshold is one failure, so that its open_ms of LONG_MS have just passed. */
static void open_long_ago(pool_t *pool)
{
    give_at(pool, lend(pool), false, 11 * SECOND);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
}

/* ---- Opening --------------------------------------------------------------------------------- */

TEST(opens_after_exactly_so_many_failures_in_a_row)
{
    for (uint32_t failures = 1; failures <= 5; failures++) {
        pool_t *pool = host_pool(4, 0);
        CHECK_STATUS(pool_strategy_threshold(pool, failures, FOR_EVER_MS, 1), POOL_OK);
        for (uint32_t i = 0; i < failures; i++) {
            CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
            fail(pool);
        }
        CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
        check_refused(pool);
        fx_finish(pool);
    }
}

TEST(a_success_in_between_starts_the_count_again)
{
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 3, FOR_EVER_MS, 1), POOL_OK);
    for (int i = 0; i < 4; i++) {
        fail(pool);
        fail(pool);
        succeed(pool);
        CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    }
    fail(pool);
    fail(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fail(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

TEST(creations_that_fail_count_and_add_to_refused_releases)
{
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 3, FOR_EVER_MS, 1), POOL_OK);
    fail_to_create(pool);
    fail(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fail_to_create(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

/* Shows B62. */
TEST(resources_refused_while_idle_or_before_lending_do_not_count)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 3);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, FOR_EVER_MS, 1), POOL_OK);
    fx_resource *r = fx_take(pool);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 1);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_give(pool, r);
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_HEALTHCHECK);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DESTROY);
    pool->destructor.internal(pool, ask.resource);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    fx_finish(pool);
}

/* ---- Probing and closing --------------------------------------------------------------------- */

TEST(it_stays_open_for_open_ms_and_then_lets_one_probe_through)
{
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, LONG_MS, 1), POOL_OK);
    give_at(pool, lend(pool), false, 5 * SECOND);
    check_refused(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    open_long_ago(pool);
    void *probe = lend(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    check_refused(pool);
    give_at(pool, probe, true, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

TEST(it_closes_after_so_many_successes)
{
    for (uint32_t successes = 0; successes <= 4; successes++) { /* 0 is taken as 1 */
        pool_t *pool = host_pool(4, 0);
        CHECK_STATUS(pool_strategy_threshold(pool, 1, LONG_MS, successes), POOL_OK);
        open_long_ago(pool);
        for (uint32_t i = 1; i < successes; i++) {
            succeed(pool);
            CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
        }
        succeed(pool);
        CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
        void *a = lend(pool), *b = lend(pool);
        give_at(pool, a, true, 0);
        give_at(pool, b, true, 0);
        fx_finish(pool);
    }
}

TEST(the_first_failure_of_a_probe_opens_it_again_for_open_ms)
{
    void *resource;
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 3, LONG_MS, 3), POOL_OK);
    fail(pool);
    fail(pool);
    open_long_ago(pool); /* the third one */
    succeed(pool);
    succeed(pool);
    give_at(pool, lend(pool), false, 11 * SECOND); /* one is enough now */
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    CHECK_STATUS(try_at(pool, false, 11 * SECOND, &resource), POOL_ERR_FACTORY); /* so is this */
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    for (int i = 0; i < 3; i++) { /* the successes of the first recovering do not count */
        succeed(pool);
        CHECK_INT(pool_state(pool), i < 2 ? POOL_CIRCUIT_RECOVERING : POOL_CIRCUIT_ACTIVE);
    }
    fail(pool);
    fail(pool);
    open_long_ago(pool);
    CHECK_STATUS(try_at(pool, false, 5 * SECOND, &resource), POOL_ERR_FACTORY);
    check_refused(pool);
    fx_finish(pool);
}

TEST(after_it_closed_the_failures_are_counted_from_zero)
{
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 3, LONG_MS, 1), POOL_OK);
    fail(pool);
    fail(pool);
    open_long_ago(pool);
    succeed(pool);
    fail(pool);
    fail(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fail(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

/* ---- Leases from before ---------------------------------------------------------------------- */

/* Shows R55. */
TEST(resources_lent_before_it_opened_count_for_nothing)
{
    pool_t *pool = host_pool(16, 2);
    void *old[8];
    CHECK_STATUS(pool_strategy_threshold(pool, 2, LONG_MS, 2), POOL_OK);
    for (int i = 0; i < 8; i++)
        old[i] = lend(pool);
    fail(pool);
    open_long_ago(pool);
    give_at(pool, old[0], true, 0); /* while it is open: neither closes it nor prolongs it */
    give_at(pool, old[1], false, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    void *probe = lend(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    give_at(pool, old[2], true, 0); /* while it recovers: neither closes it nor opens it */
    give_at(pool, old[3], true, 0);
    give_at(pool, old[4], false, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    give_at(pool, probe, true, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    succeed(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    give_at(pool, old[5], false, 0); /* ACTIVE again: neither failures nor successes in a row */
    give_at(pool, old[6], false, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fail(pool);
    give_at(pool, old[7], true, 0);
    fail(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

/* Shows R55. */
TEST(a_probe_of_an_earlier_recovering_counts_for_nothing_in_a_later_one)
{
    pool_t *pool = host_pool(8, 2);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, LONG_MS, 1), POOL_OK);
    open_long_ago(pool);
    void *slow = lend(pool), *bad = lend(pool);
    give_at(pool, bad, false, 11 * SECOND); /* opens it again; the slow one is from before now */
    void *probe = lend(pool);
    give_at(pool, slow, true, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    give_at(pool, probe, true, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

TEST(a_creation_that_began_before_it_opened_and_fails_counts_for_nothing)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, LONG_MS, 1), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    open_long_ago(pool);
    void *probe = lend(pool);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_FACTORY);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    give_at(pool, probe, true, 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

/* ---- Replacing, turning off, extremes -------------------------------------------------------- */

static int reports;

static void count_success(pool_t *pool, void *ctx)
{
    (void)pool, (void)ctx;
    reports++;
}

static void count_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)error;
    count_success(pool, ctx);
}

static pool_circuit_breaker_strategy_t counting = {count_success, count_failure, NULL, NULL, NULL};

/* Who waits is told when to look, beside its deadline, and looks for itself: nobody else comes. */
TEST(who_waits_looks_when_the_probes_must_be_back)
{
    pool_t *pool = host_pool(2, 1);
    int64_t start = check_now_ns(), thirty = 30 * SECOND;
    pool_ask_t first_ask = POOL_ASK_INIT, ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_op_t first, second, timed;
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 1, 100), POOL_OK);
    void *a = lend(pool), *b = lend(pool);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    int64_t end = check_now_ns();
    CHECK_STATUS(pool_op_acquire(pool, &first, 0), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &second, 0), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &timed, 20000), POOL_OK);
    CHECK_INT(pool_op_next(&first, NULL, &first_ask), POOL_ASK_WAIT);
    CHECK_INT(pool_op_next(&second, NULL, &ask), POOL_ASK_WAIT);
    CHECK(ask.until_ns >= start + thirty && ask.until_ns <= end + thirty);
    CHECK(ask.until_ns == first_ask.until_ns && ask.until_ns == pool_op_until_ns(&second));
    int64_t due = ask.until_ns;
    CHECK_INT(pool_op_next(&timed, NULL, &ask), POOL_ASK_WAIT);
    CHECK(ask.until_ns < due); /* its deadline is nearer */
    CHECK_STATUS(pool_op_cancel(&timed), POOL_OK);
    give_at(pool, a, true, 0);
    CHECK_INT(pool_op_next(&first, NULL, &ask), POOL_ASK_DONE); /* the probe, which is lost */
    CHECK_STATUS(ask.status, POOL_OK);
    void *probe = ask.resource;
    give_at(pool, b, true, 0);
    answer.now_ns = due - 1;
    CHECK_INT(pool_op_next(&second, &answer, &ask), POOL_ASK_WAIT);
    CHECK(ask.until_ns == due);
    answer.now_ns = due;
    CHECK_INT(pool_op_next(&second, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    give_at(pool, ask.resource, true, 0);
    give_at(pool, probe, true, 0);
    fx_finish(pool);
}

/* While it is active a look would change nothing, and who waits for ever is told so: a scheduler may want to know. */
TEST(who_waits_while_it_is_active_looks_at_its_deadline_only)
{
    pool_t *pool = host_pool(1, 1);
    pool_ask_t ask = POOL_ASK_INIT;
    pool_op_t op;
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 1, 1), POOL_OK);
    void *lent = lend(pool);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    CHECK(ask.until_ns == INT64_MAX && pool_op_until_ns(&op) == INT64_MAX);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    give_at(pool, lent, true, 0);
    fx_finish(pool);
}

TEST(a_strategy_in_c_replaces_it_and_is_replaced_by_it)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    CHECK_STATUS(pool_strategy_threshold(pool, 2, FOR_EVER_MS, 1), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_set_strategy(pool, &counting), POOL_OK);
    CHECK_PTR(pool->strategy.internal, &counting);
    for (int i = 0; i < 3; i++)
        fx_give(pool, fx_take(pool));
    CHECK_INT(reports, 3);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_strategy_threshold(pool, 2, FOR_EVER_MS, 1), POOL_OK);
    CHECK(pool->strategy.internal != &counting);
    fx_give(pool, fx_take(pool));
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE); /* the failure of before is forgotten */
    fx_give(pool, fx_take(pool));
    CHECK_INT(reports, 3);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

TEST(no_strategy_and_zero_failures_turn_it_off)
{
    for (int how = 0; how < 2; how++) {
        pool_status_t status;
        fx.script[FX_BEFORE_RELEASE] = fx_refuse;
        pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
        CHECK_STATUS(pool_strategy_threshold(pool, 1, 0, 1), POOL_OK);
        fx_resource *r = fx_take(pool);
        fx_give(pool, fx_take(pool));
        CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
        CHECK_STATUS(how ? pool_set_strategy(pool, NULL) : pool_strategy_threshold(pool, 0, 0, 0), POOL_OK);
        fx_try(pool, &status); /* open_ms is 0, but nobody is there to let a probe through */
        CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
        CHECK_STATUS(pool_activate(pool), POOL_OK);
        fx_give(pool, r);
        fx_give(pool, fx_take(pool));
        CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
        fx_finish(pool);
    }
}

TEST(zero_failures_remove_a_strategy_in_c_too)
{
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool_set_strategy(pool, &counting), POOL_OK);
    CHECK_STATUS(pool_strategy_threshold(pool, 0, 5, 5), POOL_OK);
    CHECK_PTR(pool->strategy.internal, NULL);
    CHECK_INT(pool->handler_flags & POOL_F_STRATEGY_INTERNAL, 0);
    fx_give(pool, fx_take(pool));
    CHECK_INT(reports, 0);
    fx_finish(pool);
}

/* Shows R56. */
TEST(the_largest_values_do_not_overflow)
{
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, UINT32_MAX, UINT32_MAX, UINT32_MAX), POOL_OK);
    for (int i = 0; i < 1000; i++)
        fail(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, UINT32_MAX, UINT32_MAX), POOL_OK);
    open_long_ago(pool);
    check_refused(pool);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    for (int i = 0; i < 1000; i++)
        succeed(pool);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    fx_finish(pool);
}

TEST(opening_at_the_end_of_time_does_not_overflow)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = host_pool(4, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, UINT32_MAX, 1), POOL_OK);
    CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    answer.now_ns = INT64_MAX;
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    check_refused(pool);
    fx_finish(pool);
}

/* Shows P07. */
TEST(without_a_pool_it_is_refused)
{
    CHECK_STATUS(pool_strategy_threshold(NULL, 1, 1, 1), POOL_ERR_INVALID);
    CHECK_STATUS(pool_strategy_threshold(NULL, 0, 0, 0), POOL_ERR_INVALID);
}

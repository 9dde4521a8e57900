/*
 * The strategy (B123 to B129, B133, B134): what it is told, when and how often, and what it may do
 * meanwhile.
 */
#include "recorder.h"

/* Two releases: the first is kept and the second refused, by refuse_every_second. */
static void release_both_ways(pool_t *pool)
{
    fx_give(pool, fx_take(pool));
    fx_give(pool, fx_take(pool));
}

/* ---- What it is told ------------------------------------------------------------------------- */

TEST(b123_attaching_and_detaching_calls_nothing_and_shows_in_the_table)
{
    recorder first, second;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_INT(pool->handler_flags & POOL_F_STRATEGY_INTERNAL, 0);
    attach(pool, &first, NULL);
    CHECK_INT(pool->handler_flags & POOL_F_STRATEGY_INTERNAL, POOL_F_STRATEGY_INTERNAL);
    CHECK_PTR(pool->strategy.internal, &first.strategy);
    attach(pool, &second, NULL);
    CHECK_PTR(pool->strategy.internal, &second.strategy);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    CHECK_INT(pool->handler_flags & POOL_F_STRATEGY_INTERNAL, 0);
    CHECK_PTR(pool->strategy.internal, NULL);
    fx_give(pool, fx_take(pool));
    check_told(&first, 0, 0, 0);
    check_told(&second, 0, 0, 0);
    fx_finish(pool);
}

static pthread_t want_thread;
static pool_t *want_pool;
static fx_resource *in_report;

/* On the caller's thread, while the resource is active, neither idle nor destroyed. */
static void check_moment(pool_t *pool, recorder *self)
{
    (void)self;
    CHECK_PTR(pool, want_pool);
    CHECK(pthread_equal(pthread_self(), want_thread));
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 0);
    CHECK_STATUS(pool_release(pool, in_report), POOL_ERR_NOT_OWNED); /* it is not lent any more */
}

/* Shows S7. */
TEST(b124_each_accepted_release_is_a_success_told_while_the_resource_is_active)
{
    recorder recorder;
    want_thread = pthread_self();
    for (int hooks = 0; hooks < 2; hooks++) { /* with before_release and without */
        pool_t *pool = want_pool = fx_pool(hooks ? FX_WITH_RELEASE : 0, 1, 4);
        attach(pool, &recorder, check_moment);
        for (int i = 1; i <= 3; i++) {
            in_report = fx_take(pool);
            check_told(&recorder, i - 1, 0, 0);
            fx_give(pool, in_report);
            check_told(&recorder, i, 0, 0);
        }
        fx.calls[FX_DESTRUCTOR] = 0;
        CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
        fx_finish(pool);
        fx.calls[FX_DESTRUCTOR] = 0;
    }
}

/* Shows S7. */
TEST(b125_each_refused_release_is_a_failure_told_before_the_destructor)
{
    recorder recorder;
    fx.script[FX_BEFORE_RELEASE] = refuse;
    want_thread = pthread_self();
    pool_t *pool = want_pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    attach(pool, &recorder, check_moment);
    for (int i = 1; i <= 2; i++) {
        in_report = fx_take(pool);
        fx_give(pool, in_report);
        check_told(&recorder, 0, i, 0);
        CHECK_INT(recorder.code, 0);
        CHECK_STR(recorder.message, "Resource validation failed");
        CHECK_INT(fx.calls[FX_DESTRUCTOR], 1);
        fx.calls[FX_DESTRUCTOR] = 0;
    }
    fx_finish(pool);
}

static bool refuse_with_reason_first(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 1)
        CHECK_STATUS(pool_set_error(pool, 1040, "too many connections"), POOL_OK);
    return false;
}

/* Shows B153. */
TEST(b126_the_hooks_own_code_and_text_reach_the_report_and_only_that_one)
{
    recorder recorder;
    fx.script[FX_BEFORE_RELEASE] = refuse_with_reason_first;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    attach(pool, &recorder, NULL);
    fx_give(pool, fx_take(pool));
    CHECK_INT(recorder.code, 1040);
    CHECK_STR(recorder.message, "too many connections");
    fx_give(pool, fx_take(pool));
    CHECK_INT(recorder.code, 0);
    CHECK_STR(recorder.message, "Resource validation failed");
    fx_finish(pool);
}

/* Shows B62. */
TEST(b127_what_never_becomes_a_release_is_not_told)
{
    recorder recorder;
    pool_status_t status;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    attach(pool, &recorder, NULL);
    fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_FACTORY] = refuse;
    fx_acquire(pool, 0, &status); /* a rejected resource, then a failed creation */
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1) factory(2)");
    fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_FACTORY] = NULL;
    fx_resource *r = fx_take(pool);
    fx_acquire(pool, 1, &status);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    check_told(&recorder, 0, 0, 0);
    fx_give(pool, r);
    check_told(&recorder, 1, 0, 0);
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK); /* a healthcheck that fails */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_HEALTHCHECK);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DESTROY);
    pool->destructor.internal(pool, ask.resource);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_CREATE); /* min_size is 1 */
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    check_told(&recorder, 1, 0, 0);
    fx_finish(pool);
}

static void complain(pool_t *pool, recorder *self)
{
    (void)self;
    CHECK_STATUS(pool_set_error(pool, 77, "from the report"), POOL_OK);
}

TEST(b128_an_error_that_a_report_sets_is_dropped)
{
    recorder recorder;
    int code = 0;
    fx.script[FX_BEFORE_RELEASE] = refuse_every_second;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    CHECK_STATUS(pool_release(NULL, NULL), POOL_ERR_INVALID);
    attach(pool, &recorder, complain);
    release_both_ways(pool);
    check_told(&recorder, 1, 1, 0);
    CHECK_STR(recorder.message, "Resource validation failed");
    CHECK_STATUS(pool_last_error(&code, NULL, 0), POOL_ERR_INVALID);
    CHECK_INT(code, POOL_ERR_INVALID);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b133_releases_into_a_closed_pool_are_told_before_the_destructor)
{
    recorder recorder;
    fx.script[FX_BEFORE_RELEASE] = refuse_every_second;
    pool_t *pool = want_pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    want_thread = pthread_self();
    fx_resource *kept = fx_take(pool), *refused = fx_take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    attach(pool, &recorder, NULL); /* a closed pool takes a strategy as well */
    fx_give(pool, kept);
    check_told(&recorder, 1, 0, 0);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 1);
    fx.calls[FX_DESTRUCTOR] = 0;
    recorder.during = check_moment;
    in_report = refused;
    fx_give(pool, refused);
    check_told(&recorder, 1, 1, 0);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 1);
    fx_finish(pool);
}

TEST(b134_the_source_is_the_pool_whether_it_has_a_wrapper_or_not)
{
    recorder recorder;
    fx.script[FX_BEFORE_RELEASE] = refuse_every_second;
    want_thread = pthread_self();
    pool_t *pool = want_pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    attach(pool, &recorder, check_moment);
    for (int wrapped = 0; wrapped < 2; wrapped++) {
        CHECK_PTR(pool->wrapper, wrapped ? &recorder : NULL);
        in_report = fx_take(pool);
        fx_give(pool, in_report);
        fx_give(pool, fx_take(pool));
        fx.calls[FX_DESTRUCTOR] = 0;
        pool->wrapper = &recorder;
    }
    check_told(&recorder, 2, 2, 0);
    fx_finish(pool);
}

/* ---- What it may do meanwhile ---------------------------------------------------------------- */

static void open_after_five(pool_t *pool, recorder *self)
{
    if (self->failures == 5)
        CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    if (self->successes > 0)
        CHECK_STATUS(pool_activate(pool), POOL_OK);
}

TEST(b129_a_strategy_switches_the_state_from_inside_its_reports)
{
    recorder recorder;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    attach(pool, &recorder, open_after_five);
    fx_resource *lent = fx_take(pool);
    fx.script[FX_BEFORE_RELEASE] = refuse;
    for (int i = 0; i < 5; i++) {
        CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
        fx_give(pool, fx_take(pool));
    }
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    CHECK_STATUS(try_and_give(pool), POOL_ERR_UNAVAILABLE);
    fx.script[FX_BEFORE_RELEASE] = NULL;
    fx_give(pool, lent);
    CHECK_STATUS(try_and_give(pool), POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

static void ignore_event(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event, (void)self, (void)kind;
}

/* Every function that returns by itself; with the lock held the first one would hang. */
static void call_everything(pool_t *pool, recorder *self)
{
    static bool inside;
    if (inside)
        return;
    inside = true;
    pool_event_callback_t observer = {.callback = ignore_event};
    pool_snapshot_t s = {.struct_size = sizeof s};
    char text[128];
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_INT(pool_count(pool), s.idle + s.active);
    CHECK_INT(pool_idle_count(pool) + pool_active_count(pool), pool_count(pool));
    CHECK_INT(pool_waiting_count(pool), 0);
    CHECK(!pool_is_closed(pool));
    pool_unref(pool_ref(pool));
    CHECK(pool->event.info(&pool->event, text, sizeof text) > 0);
    CHECK_STATUS(pool->event.add_callback(&pool->event, &observer), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_resource *a = fx_take(pool), *b = fx_try(pool, NULL);
    fx_give(pool, a); /* told to this strategy as well: calls of a strategy nest */
    fx_give(pool, b);
    CHECK_STATUS(pool->event.del_callback(&pool->event, &observer), POOL_OK);
    CHECK_STATUS(pool_set_error(pool, 1, "dropped"), POOL_OK);
    pool_last_error(NULL, NULL, 0);
    pool_unref(fx_pool(0, 1, 1));
    CHECK_STATUS(pool_strategy_threshold(pool, 3, 1000, 1), POOL_OK);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    CHECK_STATUS(pool_set_strategy(pool, &self->strategy), POOL_OK);
    inside = false;
}

TEST(a_strategy_may_call_every_function_of_the_pool)
{
    recorder recorder;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 4);
    attach(pool, &recorder, call_everything);
    fx_give(pool, fx_take(pool));
    check_told(&recorder, 3, 0, 0);
    fx.script[FX_BEFORE_RELEASE] = refuse;
    fx_give(pool, fx_take(pool));
    check_told(&recorder, 3, 3, 0);
    fx.script[FX_BEFORE_RELEASE] = NULL;
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(try_and_give(pool), POOL_OK); /* activated from inside should_recover */
    check_told(&recorder, 8, 3, 1);            /* the question and the release: two nested ones each */
    fx_finish(pool);
}

static void close_pool(pool_t *pool, recorder *self)
{
    (void)self;
    CHECK_STATUS(pool_close(pool), POOL_OK);
}

static void drop_reference(pool_t *pool, recorder *self)
{
    if (self->successes + self->failures == 1)
        pool_unref(pool);
}

/* Shows P08. */
TEST(a_strategy_may_close_the_pool_from_a_report)
{
    for (int refused = 0; refused < 2; refused++) {
        recorder recorder;
        fx.script[FX_BEFORE_RELEASE] = refused ? refuse : NULL;
        pool_t *pool = fx_pool(FX_WITH_RELEASE, 2, 2);
        attach(pool, &recorder, close_pool);
        fx_give(pool, fx_take(pool));
        check_told(&recorder, !refused, refused, 0);
        CHECK(pool_is_closed(pool));
        CHECK_COUNTS(pool, 0, 0, 0);
        CHECK_INT(fx_live(), 0);
        fx_finish(pool);
    }
}

TEST(a_strategy_may_drop_the_last_reference_from_a_report)
{
    for (int refused = 0; refused < 2; refused++) {
        recorder recorder;
        fx.script[FX_BEFORE_RELEASE] = refused ? refuse : NULL;
        pool_t *pool = fx_pool(FX_WITH_RELEASE, 2, 2);
        attach(pool, &recorder, drop_reference);
        fx_give(pool, fx_take(pool));
        check_told(&recorder, !refused, refused, 0);
        CHECK_INT(fx_live(), 0);
        CHECK_INT(pool_debug_live(), 0);
    }
}

/* Shows P08. */
TEST(a_strategy_may_close_the_pool_from_should_recover)
{
    recorder recorder;
    pool_t *pool = fx_pool(0, 1, 2);
    attach(pool, &recorder, close_pool);
    recorder.yes = true;
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(try_and_give(pool), POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx_finish(pool);
}

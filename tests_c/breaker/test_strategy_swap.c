/*
 * A strategy that is replaced or cleared (S8), under load or from inside its own calls, and one
 * that does not return from a call.
 */
#include "recorder.h"

#include <setjmp.h>
#include <unistd.h>

static check_gate gate = CHECK_GATE_INIT;

/* Two releases: the first is kept and the second refused, by refuse_every_second. */
static void release_both_ways(pool_t *pool)
{
    fx_give(pool, fx_take(pool));
    fx_give(pool, fx_take(pool));
}

/* ---- A strategy that does not return --------------------------------------------------------- */

static jmp_buf jump;

static void jump_away(pool_t *pool, recorder *self)
{
    (void)pool, (void)self;
    longjmp(jump, 1);
}

/* Shows P08. */
TEST(a_report_that_jumps_away_costs_its_place_and_no_more)
{
    static recorder recorder; /* not on the stack that is jumped over */
    pool_status_t status;
    pool_t *volatile pool = fx_pool(FX_WITH_RELEASE, 0, 3);
    attach(pool, &recorder, jump_away);
    if (setjmp(jump) == 0) {
        fx_give(pool, fx_take(pool));
        check_fail(__FILE__, __LINE__, "the report returned");
    }
    recorder.during = NULL;
    fx.script[FX_BEFORE_RELEASE] = refuse_every_second;
    release_both_ways(pool);
    CHECK_INT(recorder.successes + recorder.failures, 3);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    CHECK(a != b);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_give(pool, a);
    fx_give(pool, b);
    CHECK_INT(fx_live(), 1);
    CHECK_COUNTS(pool, 0, 1, 0); /* the lost place */
    pool_unref(pool);
    exit(0); /* it keeps the pool alive, so the check at the end of a case cannot hold */
}

/* Shows P08. */
TEST(a_report_that_jumped_away_is_not_waited_for_on_its_own_thread)
{
    static recorder recorder, next;
    pool_t *volatile pool = fx_pool(0, 0, 2);
    attach(pool, &recorder, jump_away);
    if (setjmp(jump) == 0)
        fx_give(pool, fx_take(pool));
    attach(pool, &next, NULL);
    CHECK_STATUS(try_and_give(pool), POOL_OK);
    check_told(&next, 1, 0, 0);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    _exit(0); /* the call that never returns keeps its pool and its strategy's record for ever */
}

static void end_thread(pool_t *pool, recorder *self)
{
    (void)pool, (void)self;
    pthread_exit(NULL);
}

static void *try_and_unwind(void *pool)
{
    try_and_give(pool);
    check_fail(__FILE__, __LINE__, "the strategy did not end this thread");
}

TEST(a_thread_that_ends_inside_a_report_or_question_leaves_its_place)
{
    for (int i = 0; i < 3; i++) { /* report_success, report_failure, should_recover */
        recorder recorder;
        fx.script[FX_BEFORE_RELEASE] = i == 1 ? refuse : NULL;
        pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
        attach(pool, &recorder, end_thread);
        if (i == 2)
            CHECK_STATUS(pool_deactivate(pool), POOL_OK);
        check_join(check_thread(try_and_unwind, pool));
        check_told(&recorder, i == 0, i == 1, i == 2);
        CHECK_INT(pool_active_count(pool), 0);
        CHECK_INT(pool_idle_count(pool), fx_live());
        CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK); /* no report is running any more */
        CHECK_STATUS(pool_activate(pool), POOL_OK);
        CHECK_STATUS(try_and_give(pool), POOL_OK);
        fx_finish(pool);
    }
}

/* ---- Replaced and cleared -------------------------------------------------------------------- */

/* Shows P07. */
TEST(a_strategy_without_both_reports_is_refused_and_changes_nothing)
{
    recorder recorder;
    pool_t *pool = fx_pool(0, 0, 1);
    attach(pool, &recorder, NULL);
    pool_circuit_breaker_strategy_t bad[3] = {recorder.strategy, recorder.strategy, {0}};
    bad[0].report_success = NULL;
    bad[1].report_failure = NULL;
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(pool_set_strategy(pool, &bad[i]), POOL_ERR_INVALID);
    CHECK_STATUS(pool_set_strategy(NULL, &recorder.strategy), POOL_ERR_INVALID);
    CHECK_STATUS(pool_set_strategy(NULL, NULL), POOL_ERR_INVALID);
    CHECK_PTR(pool->strategy.internal, &recorder.strategy);
    fx_give(pool, fx_take(pool));
    check_told(&recorder, 1, 0, 0);
    fx_finish(pool);
}

/* A strategy on the heap that can tell when it is called after its end. */
typedef struct mortal {
    pool_circuit_breaker_strategy_t strategy;
    unsigned alive; /* ALIVE until it is freed */
    atomic_int told;
} mortal;

enum { ALIVE = 0x600d600d };

static void tell_mortal(void *ctx)
{
    mortal *self = ctx;
    CHECK_INT(self->alive, ALIVE);
    atomic_fetch_add(&self->told, 1);
    sched_yield(); /* invite the replacement */
    CHECK_INT(self->alive, ALIVE);
}

static void mortal_success(pool_t *pool, void *ctx)
{
    tell_mortal(ctx);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
}

static void mortal_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    CHECK_STR(error->message, "Resource validation failed");
    tell_mortal(ctx);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
}

static bool mortal_question(pool_t *pool, void *ctx)
{
    (void)pool;
    CHECK_INT(((mortal *)ctx)->alive, ALIVE);
    sched_yield();
    CHECK_INT(((mortal *)ctx)->alive, ALIVE);
    return true;
}

static mortal *mortal_new(void)
{
    mortal *self = calloc(1, sizeof *self);
    self->strategy = (pool_circuit_breaker_strategy_t){mortal_success, mortal_failure, mortal_question, self, NULL};
    self->alive = ALIVE;
    return self;
}

/* Ends one that was replaced; answers how many reports it got. */
static int mortal_free(mortal *self)
{
    int told = atomic_load(&self->told);
    memset(&self->alive, 0xdd, sizeof self->alive);
    free(self);
    return told;
}

static atomic_int stop, releases;

static void *borrow_until_stopped(void *pool)
{
    while (!atomic_load(&stop)) {
        if (try_and_give(pool) == POOL_OK)
            atomic_fetch_add(&releases, 1);
        else
            sched_yield(); /* let the one who can go on run */
    }
    return NULL;
}

static bool refuse_one_in_16(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call % 16 != 0;
}

/* Replaces it again and again under load, cleared in between or not; answers the reports heard. */
static int replace_under_load(pool_t *pool, bool clear)
{
    enum { WORKERS = 4, ROUNDS = 400 / CHECK_SLOWDOWN };
    pthread_t workers[WORKERS];
    int told = 0;
    fx.quiet = true;
    fx.script[FX_BEFORE_RELEASE] = refuse_one_in_16;
    mortal *now = mortal_new();
    CHECK_STATUS(pool_set_strategy(pool, &now->strategy), POOL_OK);
    for (int i = 0; i < WORKERS; i++)
        workers[i] = check_thread(borrow_until_stopped, pool);
    for (int i = 0; i < ROUNDS && check_time_left(); i++) {
        WAIT_FOR(atomic_load(&now->told) > 0);
        mortal *next = mortal_new();
        if (clear)
            CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
        CHECK_STATUS(pool_set_strategy(pool, &next->strategy), POOL_OK);
        told += mortal_free(now);
        now = next;
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < WORKERS; i++)
        check_join(workers[i]);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    told += mortal_free(now);
    CHECK_COUNTS(pool, (uint32_t)fx_live(), 0, 0);
    return told;
}

TEST(s8_replaced_under_load_each_release_is_told_to_exactly_one_strategy)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 3);
    int told = replace_under_load(pool, false);
    CHECK_INT(told, releases);
    fx_finish(pool);
}

TEST(s8_cleared_under_load_no_report_comes_after_the_call_returned)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 3);
    int told = replace_under_load(pool, true);
    CHECK(told <= releases);
    fx_finish(pool);
}

static recorder successor;

/* Ends its own strategy from inside: set_strategy() must not wait for this very call. */
static void suicide_report(pool_t *pool, void *ctx)
{
    attach(pool, &successor, NULL);
    mortal_free(ctx);
}

static void suicide_success(pool_t *pool, void *ctx) { suicide_report(pool, ctx); }

static void suicide_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    suicide_report(pool, ctx);
    CHECK_STR(error->message, "Resource validation failed"); /* the error is not the strategy's */
}

static bool suicide_question(pool_t *pool, void *ctx)
{
    suicide_report(pool, ctx);
    return true;
}

/* Shows P08. */
TEST(a_strategy_may_replace_and_free_itself_from_inside_its_own_calls)
{
    for (int i = 0; i < 3; i++) { /* report_success, report_failure, should_recover */
        fx.script[FX_BEFORE_RELEASE] = i == 1 ? refuse : NULL;
        pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
        mortal *self = mortal_new();
        self->strategy =
            (pool_circuit_breaker_strategy_t){suicide_success, suicide_failure, suicide_question, self, NULL};
        CHECK_STATUS(pool_set_strategy(pool, &self->strategy), POOL_OK);
        if (i == 2)
            CHECK_STATUS(pool_deactivate(pool), POOL_OK);
        CHECK_STATUS(try_and_give(pool), POOL_OK);
        CHECK_INT(pool_state(pool), i == 2 ? POOL_CIRCUIT_RECOVERING : POOL_CIRCUIT_ACTIVE);
        check_told(&successor, i == 2, 0, 0); /* the release after should_recover is its first */
        fx.script[FX_BEFORE_RELEASE] = NULL;
        CHECK_STATUS(try_and_give(pool), POOL_OK);
        check_told(&successor, 1 + (i == 2), 0, 0);
        fx_finish(pool);
    }
}

static void clear(pool_t *pool, recorder *self)
{
    (void)self;
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
}

TEST(a_strategy_may_clear_itself_from_inside_its_own_calls)
{
    for (int i = 0; i < 3; i++) { /* report_success, report_failure, should_recover */
        recorder recorder;
        fx.script[FX_BEFORE_RELEASE] = i == 1 ? refuse : NULL;
        pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
        attach(pool, &recorder, clear);
        if (i == 2)
            CHECK_STATUS(pool_deactivate(pool), POOL_OK);
        CHECK_STATUS(try_and_give(pool), i == 2 ? POOL_ERR_UNAVAILABLE : POOL_OK);
        CHECK_STATUS(pool_activate(pool), POOL_OK);
        CHECK_STATUS(try_and_give(pool), POOL_OK);
        check_told(&recorder, i == 0, i == 1, i == 2);
        fx_finish(pool);
    }
}

enum { DEEP = 40 };

static fx_resource *deep[DEEP];

/* Releases the next one, whose report releases the next one, and so on; the last one clears. */
static void go_deeper(pool_t *pool, recorder *self)
{
    if (self->successes < DEEP)
        fx_give(pool, deep[self->successes]);
    else
        CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
}

TEST(a_strategy_may_clear_itself_from_a_report_within_many_of_its_reports)
{
    recorder recorder;
    pool_t *pool = fx_pool(0, 0, DEEP);
    attach(pool, &recorder, go_deeper);
    for (int i = 0; i < DEEP; i++)
        deep[i] = fx_take(pool);
    fx_give(pool, deep[0]);
    check_told(&recorder, DEEP, 0, 0);
    CHECK_COUNTS(pool, DEEP, 0, 0);
    fx_finish(pool);
}

/* The first report hangs. */
static void hang_at_gate(pool_t *pool, recorder *self)
{
    (void)pool;
    if (self->successes == 1)
        check_gate_pass(&gate);
}

static atomic_int cleared;

static void *clear_strategy(void *pool)
{
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    atomic_store(&cleared, 1);
    return NULL;
}

static void *give_one(void *pool)
{
    CHECK_STATUS(try_and_give(pool), POOL_OK);
    return NULL;
}

TEST(clearing_waits_for_a_report_on_another_thread_and_the_pool_goes_on_meanwhile)
{
    recorder recorder;
    pool_t *pool = fx_pool(0, 0, 2);
    attach(pool, &recorder, hang_at_gate);
    pthread_t giver = check_thread(give_one, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    pthread_t clearer = check_thread(clear_strategy, pool);
    int told = 0;
    while (told != recorder.successes) { /* until a release is not told: it is cleared */
        told = recorder.successes;
        CHECK_STATUS(try_and_give(pool), POOL_OK);
        sched_yield();
    }
    for (int i = 0; i < 1000; i++) {
        CHECK_STATUS(try_and_give(pool), POOL_OK);
        CHECK_INT(atomic_load(&cleared), 0);
    }
    check_told(&recorder, told, 0, 0);
    check_gate_open(&gate);
    check_join(clearer);
    check_join(giver);
    check_told(&recorder, told, 0, 0);
    fx_finish(pool);
}

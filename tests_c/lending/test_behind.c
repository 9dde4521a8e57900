/* Created behind (POOL_F_CREATE_BEHIND, P86): no caller runs the factory, threads of the library do. */
#include "breaker.h"
#include "loop.h"

static atomic_int inside; /* factories at work */
static atomic_bool open_gate;
static pthread_t caller_thread;
static atomic_int by_caller;

static pool_t *behind(unsigned hooks, uint32_t max, uint32_t retry_ms)
{
    pool_config_t config = loop_config(hooks, 0, max);
    config.flags = POOL_F_CREATE_BEHIND;
    config.create_retry_ms = retry_ms;
    caller_thread = pthread_self();
    return loop_pool_of(&config);
}

static void pass_gate(void)
{
    atomic_fetch_add(&inside, 1);
    if (pthread_equal(pthread_self(), caller_thread))
        atomic_fetch_add(&by_caller, 1);
    WAIT_FOR(open_gate);
    atomic_fetch_sub(&inside, 1);
}

static bool slow(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK(pool_time_left_ms(pool) == INT64_MAX); /* it is nobody's */
    pass_gate();
    return true;
}

static bool slow_but_the_first(pool_t *pool, fx_resource *r, int call) { return call == 1 || slow(pool, r, call); }

static bool slow_refusal(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    pass_gate();
    CHECK_STATUS(pool_set_error(pool, 42, "no such host"), POOL_OK);
    return false;
}

static bool refuse_three(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call > 3;
}

/* The pool's last thread may have yet to let it go. */
static void end(pool_t *pool)
{
    pool_unref(pool);
    WAIT_FOR(pool_debug_live() == 0);
    CHECK_INT(fx_live(), 0);
}

/* Shows P86. */
TEST(the_factory_runs_on_a_thread_of_the_library)
{
    pool_t *pool = behind(0, 2, 0);
    atomic_store(&open_gate, true);
    fx.script[FX_FACTORY] = slow;
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    CHECK_INT(by_caller, 0);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    fx_give(pool, a);
    fx_give(pool, b);
    end(pool);
}

/* Shows P86. */
TEST(who_waits_for_a_factory_takes_what_comes_back)
{
    pool_t *pool = behind(0, 2, 0);
    fx.script[FX_FACTORY] = slow_but_the_first;
    fx_resource *r = fx_take(pool);
    fx_caller caller;
    fx_start_waiting(&caller, pool, 0);
    WAIT_FOR(inside == 1);
    fx_give(pool, r);
    fx_join(&caller);
    CHECK_PTR(caller.got, r);
    CHECK_INT(inside, 1);
    atomic_store(&open_gate, true);
    WAIT_FOR(pool_idle_count(pool) == 1); /* nothing of it is lost */
    fx_give(pool, r);
    end(pool);
}

/* Shows P86. */
TEST(a_deadline_is_kept_while_the_factory_blocks)
{
    pool_t *pool = behind(0, 2, 0);
    void *resource;
    fx.script[FX_FACTORY] = slow;
    do /* a thread may come too late for it: nothing is due any more then */
        CHECK_STATUS(pool_acquire(pool, &resource, 1), POOL_ERR_TIMEOUT);
    while (inside == 0);
    CHECK_STATUS(pool_acquire(pool, &resource, 1), POOL_ERR_TIMEOUT); /* its creation is under way */
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    atomic_store(&open_gate, true);
    WAIT_FOR(pool_idle_count(pool) == 1);
    fx_give(pool, fx_take(pool));
    end(pool);
}

/* Shows P86. */
TEST(as_many_creations_run_as_callers_wait_and_as_there_are_places)
{
    enum { CALLERS = 5, PLACES = 3 };
    pool_t *pool = behind(0, PLACES, 0);
    fx_caller callers[CALLERS];
    fx.script[FX_FACTORY] = slow;
    for (int i = 0; i < CALLERS; i++) {
        fx_start_waiting(&callers[i], pool, 0);
        WAIT_FOR(inside == (i < PLACES ? i + 1 : PLACES));
    }
    CHECK_COUNTS(pool, 0, PLACES, CALLERS);
    atomic_store(&open_gate, true);
    for (int i = 0; i < CALLERS; i++) { /* in their order, but for those that are served at once */
        WAIT_FOR(callers[i].done);
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
        fx_give(pool, callers[i].got);
    }
    CHECK_INT(fx.calls[FX_FACTORY], PLACES);
    end(pool);
}

/* Shows P86. */
TEST(a_failure_is_that_of_the_first_in_line)
{
    pool_t *pool = behind(0, 1, 0);
    fx_caller first, second;
    fx.script[FX_FACTORY] = slow_refusal;
    fx_start_waiting(&first, pool, 0);
    fx_start_waiting(&second, pool, 0);
    atomic_store(&open_gate, true);
    fx_join(&first);
    fx_join(&second);
    CHECK_STATUS(first.status, POOL_ERR_FACTORY);
    CHECK_STATUS(second.status, POOL_ERR_FACTORY);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    CHECK_COUNTS(pool, 0, 0, 0);
    void *resource;
    int code;
    char message[64];
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_ERR_FACTORY);
    CHECK_STATUS(pool_last_error(&code, message, sizeof message), POOL_ERR_FACTORY);
    CHECK_INT(code, 42);
    CHECK_STR(message, "no such host");
    end(pool);
}

/* Shows P67, P86. */
TEST(with_pauses_the_line_waits_for_a_service_that_comes_back)
{
    pool_t *pool = behind(0, 2, 1);
    fx.script[FX_FACTORY] = refuse_three;
    fx_give(pool, fx_take(pool));
    CHECK_INT(fx.calls[FX_FACTORY], 4);
    end(pool);
}

/* Shows P86. */
TEST(a_try_has_nothing_made_and_costs_no_way_into_go)
{
    pool_t *pool = behind(0, 2, 0);
    void *resource;
    uint64_t before = pool_debug_crossings();
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_EMPTY);
    CHECK_INT(pool_debug_crossings() - before, 0);
    CHECK_INT(fx_calls(), 0);
    end(pool);
}

/* Shows P86. */
TEST(what_was_made_is_lent_unseen)
{
    pool_t *pool = behind(FX_WITH_ACQUIRE, 1, 0);
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    fx_give(pool, fx_take(pool));
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 0);
    fx_give(pool, fx_take(pool)); /* the idle one is refused, and another is made */
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 1);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    end(pool);
}

/* Shows P86. */
TEST(close_waits_for_no_creation_and_what_it_makes_is_destroyed)
{
    pool_t *pool = behind(0, 1, 0);
    fx_caller caller;
    fx.script[FX_FACTORY] = slow;
    fx_start_waiting(&caller, pool, 0);
    WAIT_FOR(inside == 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    CHECK_INT(inside, 1);
    pool_unref(pool); /* the creation keeps it */
    atomic_store(&open_gate, true);
    WAIT_FOR(pool_debug_live() == 0);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(fx.created, 1);
}

static bool leave_thread(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    if (call == 1)
        pthread_exit(NULL);
    return true;
}

/* Shows P86. */
TEST(a_thread_that_ends_in_the_factory_fails_the_first_in_line)
{
    pool_t *pool = behind(0, 1, 1); /* with pauses, too: the next would end there as well */
    void *resource;
    fx.script[FX_FACTORY] = leave_thread;
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_ERR_FACTORY);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_give(pool, fx_take(pool));
    end(pool);
}

static bool close_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return true;
}

/* Shows P86. */
TEST(a_factory_behind_may_close_the_pool)
{
    pool_t *pool = behind(0, 1, 0);
    void *resource;
    fx.script[FX_FACTORY] = close_inside;
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_ERR_CLOSED);
    WAIT_FOR(fx_live() == 0 && pool_active_count(pool) == 0);
    end(pool);
}

/* Shows P86. */
TEST(a_drain_serves_who_waits_for_a_creation)
{
    pool_t *pool = behind(0, 1, 0);
    fx_caller caller;
    fx.script[FX_FACTORY] = slow;
    fx_start_waiting(&caller, pool, 0);
    WAIT_FOR(inside == 1);
    CHECK_STATUS(pool_drain(pool, 1), POOL_ERR_TIMEOUT); /* which closes it */
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    atomic_store(&open_gate, true);
    WAIT_FOR(fx_live() == 0 && pool_active_count(pool) == 0);
    end(pool);
}

/* Shows P65, P86. */
TEST(failures_behind_open_the_breaker)
{
    pool_t *pool = behind(0, 1, 0);
    void *resource;
    CHECK_STATUS(pool_strategy_threshold(pool, 2, 3600 * 1000, 1), POOL_OK);
    atomic_store(&open_gate, true);
    fx.script[FX_FACTORY] = slow_refusal;
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_ERR_FACTORY);
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_ERR_FACTORY);
    WAIT_FOR(pool_state(pool) == POOL_CIRCUIT_INACTIVE);
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_ERR_UNAVAILABLE);
    end(pool);
}

static pool_t *keeping_one(uint32_t max)
{
    pool_config_t config = loop_config(0, 0, max);
    config.flags = POOL_F_CREATE_BEHIND;
    config.min_idle = 1;
    config.healthcheck_interval_ms = UINT32_MAX;
    return loop_pool_of(&config);
}

/* Shows P45, P86. */
TEST(a_pass_makes_what_is_kept_idle_and_threads_what_is_waited_for)
{
    enum { PLACES = 3 };
    fx.script[FX_FACTORY] = slow;
    pool_t *pool = keeping_one(PLACES);
    fx_caller callers[PLACES];
    WAIT_FOR(inside == 1); /* the first pass */
    for (int i = 0; i < PLACES; i++) {
        fx_start_waiting(&callers[i], pool, 0);
        WAIT_FOR(inside == (i + 2 < PLACES ? i + 2 : PLACES));
    }
    CHECK_COUNTS(pool, 0, PLACES, PLACES);
    atomic_store(&open_gate, true);
    for (int i = 0; i < PLACES; i++) {
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
    }
    CHECK_INT(fx.calls[FX_FACTORY], PLACES);
    for (int i = 0; i < PLACES; i++)
        fx_give(pool, callers[i].got);
    end(pool);
}

enum { CALLERS = 8, CYCLES = 200 };

static bool fail_sometimes(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call % 7 != 0;
}

static void *borrow_and_discard(void *arg)
{
    pool_t *pool = arg;
    for (int i = 0; i < CYCLES; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, i % 5 == 0 ? 1 : 0, &status);
        if (!r) {
            CHECK(status == POOL_ERR_FACTORY || status == POOL_ERR_TIMEOUT);
            continue;
        }
        if (i % 3 == 0) {
            atomic_store(&r->owned, 0);
            CHECK_STATUS(pool_discard(pool, r), POOL_OK);
        } else {
            fx_give(pool, r);
        }
    }
    return NULL;
}

static void many_callers(bool keeps_one)
{
    pthread_t threads[CALLERS];
    fx.quiet = true;
    fx.script[FX_FACTORY] = fail_sometimes;
    pool_t *pool = keeps_one ? keeping_one(3) : behind(0, 3, 0);
    for (int i = 0; i < CALLERS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, borrow_and_discard, pool), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    WAIT_FOR(pool_active_count(pool) == 0);
    CHECK_INT(pool_waiting_count(pool), 0);
    CHECK(keeps_one || fx_live() == (int)pool_count(pool)); /* a pass may have just begun */
    CHECK(fx.peak <= 3);
    end(pool);
}

/* However callers come, leave and fail, none is left in line, and nothing is lost. Shows P86. */
TEST(many_callers_wait_for_what_threads_make) { many_callers(false); }

/* Shows P45, P86. */
TEST(many_callers_wait_for_what_threads_and_passes_make) { many_callers(true); }

/*
 * pool_strategy_threshold() with real threads and the real clock (R55).
 */
#include "fixture.h"

#define MS INT64_C(1000000)

enum { FOR_EVER_MS = 3600 * 1000 };

static check_gate gate = CHECK_GATE_INIT;

static bool wait_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

TEST(callers_in_line_are_sent_away_when_it_opens)
{
    fx_caller waiting[3];
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, FOR_EVER_MS, 1), POOL_OK);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    for (int i = 0; i < 3; i++)
        fx_start_waiting(&waiting[i], pool, 0);
    fx_give(pool, a);
    for (int i = 0; i < 3; i++) {
        fx_join(&waiting[i]);
        CHECK_STATUS(waiting[i].status, POOL_ERR_UNAVAILABLE);
    }
    fx_give(pool, b);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(open_ms_is_measured_on_the_real_clock_too)
{
    pool_status_t status;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 50, 1), POOL_OK);
    fx_resource *r = fx_take(pool);
    int64_t begin = check_now_ns();
    fx_give(pool, r);
    fx.script[FX_BEFORE_RELEASE] = NULL;
    do
        r = fx_try(pool, &status);
    while (status == POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(status, POOL_OK);
    CHECK(check_now_ns() - begin >= 50 * MS);
    fx_give(pool, r);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

/* Shows R14. */
TEST(r55_fifty_callers_at_the_moment_of_the_probe_are_one_probe)
{
    enum { CALLERS = 50 };
    fx_caller callers[CALLERS];
    pool_status_t status;
    int unavailable = 0;
    pool_t *pool = fx_pool(0, 0, CALLERS);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 0, 1), POOL_OK); /* open_ms 0: probe at once */
    fx.script[FX_FACTORY] = fx_refuse;
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    fx.script[FX_FACTORY] = wait_at_gate;
    for (int i = 0; i < CALLERS; i++)
        fx_start(&callers[i], pool, 0);
    for (int done = 0; done < CALLERS - 1; sched_yield()) {
        done = 0;
        for (int i = 0; i < CALLERS; i++)
            done += atomic_load(&callers[i].done);
    }
    CHECK_COUNTS(pool, 0, 1, 0);
    check_gate_open(&gate);
    for (int i = 0; i < CALLERS; i++) {
        fx_join(&callers[i]);
        unavailable += callers[i].status == POOL_ERR_UNAVAILABLE;
        if (callers[i].got)
            fx_give(pool, callers[i].got);
    }
    CHECK_INT(unavailable, CALLERS - 1);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

/* ---- Under load ------------------------------------------------------------------------------ */

static atomic_bool up = true;
static atomic_int stop, served;

static bool while_up(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    return atomic_load(&up);
}

static void *borrow(void *pool)
{
    while (!atomic_load(&stop)) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 20, &status);
        if (r) {
            fx_give(pool, r);
            atomic_fetch_add(&served, 1);
        } else if (status != POOL_ERR_UNAVAILABLE && status != POOL_ERR_FACTORY) {
            CHECK_STATUS(status, POOL_ERR_TIMEOUT);
        }
        sched_yield(); /* let the one who can go on run */
    }
    return NULL;
}

TEST(a_service_that_goes_down_and_up_ends_active_and_nothing_is_lost)
{
    enum { THREADS = 16, PLACES = 4, OUTAGES = 10 / CHECK_SLOWDOWN };
    pthread_t threads[THREADS];
    fx_resource *all[PLACES];
    pool_snapshot_t s = {.struct_size = sizeof s};
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, PLACES);
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_RELEASE] = while_up;
    CHECK_STATUS(pool_strategy_threshold(pool, 3, 2, 2), POOL_OK);
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(borrow, pool);
    for (int i = 0; i < OUTAGES; i++) {
        int before = atomic_load(&served);
        WAIT_FOR(atomic_load(&served) > before + 100);
        atomic_store(&up, false);
        WAIT_FOR(pool_state(pool) == POOL_CIRCUIT_INACTIVE);
        atomic_store(&up, true);
        WAIT_FOR(pool_state(pool) == POOL_CIRCUIT_ACTIVE);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_INT(s.state, POOL_CIRCUIT_ACTIVE);
    CHECK_INT(s.active + s.reserved + s.waiting, 0);
    CHECK_INT(s.idle, fx_live());
    CHECK(fx.peak <= PLACES);
    for (int i = 0; i < PLACES; i++)
        all[i] = fx_take(pool);
    for (int i = 0; i < PLACES; i++)
        fx_give(pool, all[i]);
    fx_finish(pool);
}

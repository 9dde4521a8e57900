/*
 * A drain beside everything else: inside of hooks, of passes and of schedulers, cut short by its thread's end, by the
 * last reference, and among many (P60 to P62).
 */
#include "loop.h"
#include "watcher.h"

/* ---- inside ---- */

static atomic_int drains;

/* What the hook is called for is not back, so only the deadline ends it. */
static bool drain_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_drain(pool, 1), POOL_ERR_TIMEOUT);
    CHECK(pool_is_closed(pool));
    drains++;
    return true;
}

TEST(p61_inside_the_factory_it_fails_its_own_caller)
{
    pool_status_t status;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    fx.script[FX_FACTORY] = drain_inside;
    CHECK_PTR(fx_acquire(pool, 0, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

TEST(p61_inside_before_acquire_that_passes_it_is_still_lent)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 2, 2);
    fx.script[FX_BEFORE_ACQUIRE] = drain_inside;
    fx_resource *r = fx_take(pool);
    CHECK_INT(fx_live(), 1); /* the other one was idle */
    fx_give(pool, r);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

TEST(p61_inside_before_release_what_is_released_is_destroyed)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    fx.script[FX_BEFORE_RELEASE] = drain_inside;
    fx_give(pool, fx_take(pool));
    CHECK_INT(drains, 1);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

TEST(p61_inside_a_destructor_others_are_destroyed_within)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 3, 3);
    fx.script[FX_DESTRUCTOR] = drain_inside;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(drains, 3);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

/* Its own destructor drains: the outer one goes on, and ends well. */
TEST(p62_inside_its_own_destructor_both_end)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 3, 3);
    fx.script[FX_DESTRUCTOR] = drain_inside;
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    CHECK_INT(drains, 3);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

static pool_t *checked_pool(uint32_t interval_ms)
{
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 2, 2);
    config.flags = 0;
    config.healthcheck_interval_ms = interval_ms;
    return loop_pool_of(&config);
}

TEST(p61_inside_a_healthcheck_it_waits_for_no_pass)
{
    fx.script[FX_HEALTHCHECK] = drain_inside;
    pool_t *pool = checked_pool(1);
    WAIT_FOR(drains == 1);
    WAIT_FOR(fx_live() == 0);
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    fx_finish(pool);
}

static void drain_observed(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self;
    if (kind == POOL_EVENT_CLOSED)
        drain_inside(pool, NULL, 0);
}

/* It is told while what is idle is about to be destroyed, one after the other. */
TEST(p61_inside_an_observer_that_hears_of_it_both_end)
{
    watcher w = {.script = drain_observed};
    pool_t *pool = fx_pool(0, 2, 2);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    CHECK_INT(drains, 1);
    CHECK_INT(w.told[POOL_EVENT_CLOSED], 1);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

static check_gate gate = CHECK_GATE_INIT;

static bool at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

typedef struct drainer {
    pool_t *pool;
    pool_status_t status;
    pthread_t thread;
    atomic_int done;
} drainer;

static void *drain(void *arg)
{
    drainer *d = arg;
    d->status = pool_drain(d->pool, 0);
    atomic_store(&d->done, 1);
    return NULL;
}

static void start(drainer *d, pool_t *pool)
{
    *d = (drainer){.pool = pool};
    d->thread = check_thread(drain, d);
    WAIT_FOR(pool_is_closed(pool));
}

TEST(p60_a_pass_that_runs_is_waited_for_and_none_begins)
{
    drainer d;
    fx.script[FX_HEALTHCHECK] = at_gate;
    pool_t *pool = checked_pool(1);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    start(&d, pool);
    WAIT_FOR(fx_live() == 1); /* the one that is not in the pass */
    CHECK_INT(d.done, 0);
    check_gate_open(&gate);
    check_join(d.thread);
    CHECK_STATUS(d.status, POOL_OK);
    CHECK_INT(fx.calls[FX_HEALTHCHECK], 1);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(fx.created, 2); /* min_size is not made again */
    fx_finish(pool);
}

/* ---- cut short ---- */

TEST(p62_a_thread_that_is_cancelled_undoes_nothing)
{
    drainer d;
    pool_status_t status;
    fx_caller caller;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&caller, pool, 0);
    start(&d, pool);
    CHECK_INT(pthread_cancel(d.thread), 0);
    check_join(d.thread);
    CHECK_INT(d.done, 0);
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    fx_give(pool, r);
    fx_join(&caller);
    CHECK_PTR(caller.got, r); /* who stands in line is served all the same */
    fx_give(pool, r);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

static fx_resource *left;

static bool end_thread(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    if (call > 1)
        return true;
    left = r;
    pthread_exit(NULL);
}

TEST(p62_a_destructor_that_never_returns_leaves_the_rest_to_be_destroyed)
{
    drainer d;
    pool_t *pool = fx_pool(0, 3, 3);
    fx_resource *held = fx_take(pool); /* 1; 2 is what its destructor does not come back from */
    fx.script[FX_DESTRUCTOR] = end_thread;
    start(&d, pool);
    check_join(d.thread);
    CHECK_INT(d.done, 0);
    fx.destroyed++; /* what the destructor did not come to */
    free(left);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, held);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 3);
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    fx_finish(pool);
}

/* The last reference goes while it waits: that is a close. */
TEST(p62_the_last_unref_does_not_free_it_under_its_feet)
{
    drainer d;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    start(&d, pool);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 1);
    fx_give(pool, r);
    check_join(d.thread);
    CHECK_STATUS(d.status, POOL_OK);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

static bool cannot_wait(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    return false;
}

static void not_to_be_resumed(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    CHECK(false);
}

TEST(p62_where_nothing_can_wait_it_says_so_and_undoes_nothing)
{
    const pool_scheduler_t scheduler = {cannot_wait, not_to_be_resumed, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &scheduler;
    pool_t *pool = loop_pool_of(&config);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_drain(pool, 0), POOL_ERR_DEADLOCK);
    CHECK(pool_is_closed(pool));
    fx_give(pool, r);
    CHECK_INT(fx_live(), 0);
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    fx_finish(pool);
}

/* ---- hosts ---- */

TEST(p60_a_host_is_told_when_to_go_on)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_ask_t ask = POOL_ASK_INIT, waits = POOL_ASK_INIT;
    pool_answer_t made = POOL_ANSWER_INIT;
    pool_op_t op, drain;
    pool_t *host;
    int resource;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_DESTROY;
    config.max_size = 1;
    CHECK_STATUS(pool_create_ex(&config, &host), POOL_OK);
    CHECK_STATUS(pool_drain(host, 0), POOL_ERR_INVALID);
    CHECK(!pool_is_closed(host));
    CHECK_STATUS(pool_op_acquire(host, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    made.ok = true;
    made.resource = &resource;
    CHECK_INT(pool_op_next(&op, &made, &ask), POOL_ASK_DONE);
    CHECK_STATUS(pool_op_drain(host, &drain, 0), POOL_OK);
    CHECK_INT(pool_op_next(&drain, NULL, &waits), POOL_ASK_WAIT);
    CHECK_STATUS(pool_try_acquire(host, &(void *){NULL}), POOL_ERR_CLOSED);
    CHECK_PTR(pool_op_woken(host), NULL);
    CHECK_STATUS(pool_op_release(host, &op, &resource), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DESTROY);
    CHECK_PTR(pool_op_woken(host), NULL);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_PTR(pool_op_woken(host), &drain);
    CHECK_INT(pool_op_next(&drain, NULL, &waits), POOL_ASK_DONE);
    CHECK_STATUS(waits.status, POOL_OK);
    pool_unref(host);
    CHECK_INT(pool_debug_live(), 0);
}

/* What the loop got while the pool was drained it keeps: it was in line before. */
TEST(p60_a_loop_that_stands_in_line_is_served)
{
    told waits = {.times = 0}, comes = {.times = 0};
    drainer d;
    pool_t *pool = loop_pool(FX_WITH_ALL, 0, 1);
    fx_resource *r = fx_take(pool);
    loop_acquire(pool, &waits, 0);
    start(&d, pool);
    CHECK_STATUS(loop_begin(NULL, pool, &comes, 0), POOL_ERR_CLOSED);
    fx_give(pool, r);
    loop_until_told(pool, &waits);
    CHECK_STATUS(waits.status, POOL_OK);
    CHECK_PTR(waits.got, r);
    CHECK_INT(d.done, 0);
    fx_give(pool, r);
    check_join(d.thread);
    CHECK_STATUS(d.status, POOL_OK);
    fx_finish(pool);
}

/* ---- the breaker ---- */

TEST(p60_the_breaker_is_moved_while_it_goes_on)
{
    fx_caller caller;
    drainer d;
    watcher w = {.script = NULL};
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&caller, pool, 0);
    start(&d, pool);
    CHECK_STATUS(watcher_add(&w, pool), POOL_ERR_CLOSED);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_UNAVAILABLE);
    CHECK_INT(d.done, 0);
    fx_give(pool, r);
    check_join(d.thread);
    CHECK_STATUS(d.status, POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_ERR_CLOSED); /* it is closed now */
    fx_finish(pool);
}

/* ---- many at once ---- */

enum { THREADS = 6, DRAINERS = 2 };

static atomic_int lent;

static void *borrow(void *arg)
{
    pool_status_t status;
    for (int i = 0;; i++) {
        fx_resource *r = fx_acquire(arg, 0, &status);
        if (!r)
            break;
        lent++;
        if (i % 8 == 1) {
            atomic_store(&r->owned, 0);
            CHECK_STATUS(pool_discard(arg, r), POOL_OK);
        } else {
            fx_give(arg, r);
        }
    }
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    return NULL;
}

/* Shows P20. */
TEST(p62_threads_lend_while_others_drain)
{
    fx.quiet = true;
    for (int round = 0; round < 30 && check_time_left(); round++) {
        pthread_t threads[THREADS];
        drainer all[DRAINERS];
        pool_t *pool = fx_pool(round % 2 ? FX_WITH_ALL : 0, 2, 2);
        lent = 0;
        for (int i = 0; i < THREADS; i++)
            threads[i] = check_thread(borrow, pool);
        WAIT_FOR(lent > 20);
        for (int i = 0; i < DRAINERS; i++)
            start(&all[i], pool);
        if (round % 3 == 2)
            CHECK_STATUS(pool_close(pool), POOL_OK);
        for (int i = 0; i < DRAINERS; i++) {
            check_join(all[i].thread);
            CHECK_STATUS(all[i].status, POOL_OK);
        }
        CHECK_INT(fx_live(), 0);
        for (int i = 0; i < THREADS; i++)
            check_join(threads[i]);
        CHECK_COUNTS(pool, 0, 0, 0);
        fx_finish(pool);
    }
}

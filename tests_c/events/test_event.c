/*
 * What the observers of a pool are told, exactly when, on which thread and with no lock held. Their
 * life, and the rest of the event, is tested in test_observers.c. Each case shows P35.
 */
#include "watcher.h"

/* ---- Available ------------------------------------------------------------------------------ */

TEST(a_release_that_nobody_waits_for_is_told_once)
{
    for (unsigned hooks = 0; hooks <= FX_WITH_ALL; hooks += FX_WITH_ALL) { /* the fast path, the core */
        watcher w = {0};
        pool_t *pool = fx_pool(hooks, 0, 1);
        CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
        for (int i = 0; i < 3; i++) {
            fx_resource *r = i % 2 ? fx_try(pool, NULL) : fx_take(pool);
            CHECK_TOLD(&w, 0, 0);
            fx_give(pool, r);
            CHECK_TOLD(&w, 1, 0);
            CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED);
            CHECK_TOLD(&w, 0, 0);
        }
        fx_finish(pool);
        CHECK_TOLD(&w, 0, 1);
        CHECK_INT(w.disposed, 1);
    }
}

TEST(every_release_is_told_also_while_other_places_are_free)
{
    for (unsigned hooks = 0; hooks <= FX_WITH_ALL; hooks += FX_WITH_ALL) {
        watcher w = {0};
        pool_t *pool = fx_pool(hooks, 0, 3);
        CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
        fx_resource *a = fx_take(pool), *b = fx_take(pool);
        fx_give(pool, a);
        CHECK_TOLD(&w, 1, 0);
        fx_give(pool, b);
        CHECK_TOLD(&w, 1, 0);
        fx_give(pool, fx_take(pool));
        CHECK_TOLD(&w, 1, 0);
        fx_finish(pool);
    }
}

static watcher *seen;

static bool see_nothing_told_yet(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    CHECK_INT(seen->told[POOL_EVENT_AVAILABLE], 0);
    return true;
}

TEST(a_refused_release_is_told_once_after_the_destructor)
{
    watcher w = {0};
    seen = &w;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx.script[FX_DESTRUCTOR] = see_nothing_told_yet;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 1, 0);
    CHECK_INT(fx.destroyed, 1);
    fx_finish(pool);
}

TEST(a_failed_factory_is_told_once)
{
    watcher w = {0};
    pool_status_t status;
    fx.script[FX_FACTORY] = fx_refuse;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_TOLD(&w, 1, 0);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

TEST(a_place_that_its_caller_keeps_is_not_told)
{
    watcher w = {0};
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool); /* refuses the idle one, creates another in its place */
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1) factory(2)");
    CHECK_TOLD(&w, 0, 0);
    fx.script[FX_FACTORY] = fx_refuse;
    fx_give(pool, r);
    CHECK_TOLD(&w, 1, 0);
    pool_status_t status;
    fx_acquire(pool, 0, &status); /* refuses again, but then the factory fails */
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

TEST(a_place_that_a_waiter_is_owed_is_not_told)
{
    watcher w = {0};
    fx_caller waiter;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&waiter, pool, 0);
    fx_give(pool, r); /* kept: it goes to the waiter */
    fx_join(&waiter);
    CHECK_TOLD(&w, 0, 0);
    fx_caller second;
    fx_start_waiting(&second, pool, 0);
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx_give(pool, waiter.got); /* destroyed: the waiter may create */
    fx_join(&second);
    CHECK_TOLD(&w, 0, 0);
    fx_give(pool, second.got);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

static bool refuse_second(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call != 2;
}

TEST(a_waiter_whose_factory_fails_tells_the_place_it_was_owed)
{
    watcher w = {0};
    fx_caller waiter;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx.script[FX_FACTORY] = refuse_second;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&waiter, pool, 0);
    fx_give(pool, r);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_ERR_FACTORY);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

/* Parks an op and has the only place promised to it. */
static fx_resource *promise(pool_t *pool, pool_op_t *op, pool_ask_t *ask, int64_t timeout_ms)
{
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_op_acquire(pool, op, timeout_ms), POOL_OK);
    CHECK_INT(pool_op_next(op, NULL, ask), POOL_ASK_WAIT);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    return r;
}

TEST(a_cancelled_waiter_tells_only_the_place_it_was_promised)
{
    watcher w = {0};
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    promise(pool, &op, &ask, 0);
    CHECK_TOLD(&w, 0, 0);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    CHECK_TOLD(&w, 1, 0);

    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK); /* nothing was promised */
    CHECK_TOLD(&w, 0, 0);
    fx_give(pool, r);
    CHECK_TOLD(&w, 1, 0);

    pool_op_t next;
    promise(pool, &op, &ask, 0);
    CHECK_STATUS(pool_op_acquire(pool, &next, 0), POOL_OK);
    CHECK_INT(pool_op_next(&next, NULL, &ask), POOL_ASK_WAIT);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK); /* the place goes to the next in line */
    CHECK_TOLD(&w, 0, 0);
    CHECK_STATUS(pool_op_cancel(&next), POOL_OK);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

TEST(a_promised_waiter_that_times_out_tells_the_place)
{
    watcher w = {0};
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = promise(pool, &op, &ask, 60000);
    answer.now_ns = check_now_ns();
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_BEFORE_ACQUIRE);
    CHECK_PTR(ask.resource, r);
    answer.now_ns += INT64_C(120) * 1000000000; /* the hook refuses, after the deadline */
    answer.ok = false;
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DESTROY);
    CHECK_TOLD(&w, 0, 0);
    fx.destroyed++; /* this test is the host */
    free(r);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_TIMEOUT);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

TEST(a_plain_timeout_is_not_told)
{
    watcher w = {0};
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    fx_acquire(pool, 1, &status);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_TOLD(&w, 0, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

/* Drives a sweep of one idle resource, answers its healthcheck, and returns the next ask. */
static pool_ask_kind_t sweep_one(pool_t *pool, pool_op_t *op, pool_ask_t *ask, bool ok)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_sweep(pool, op), POOL_OK);
    CHECK_INT(pool_op_next(op, NULL, ask), POOL_ASK_HEALTHCHECK);
    answer.ok = ok;
    return pool_op_next(op, &answer, ask);
}

TEST(a_sweep_tells_the_places_it_frees)
{
    watcher w = {0};
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(FX_WITH_HEALTHCHECK, 0, 1);
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    CHECK_INT(sweep_one(pool, &op, &ask, false), POOL_ASK_DESTROY);
    CHECK_TOLD(&w, 0, 0);
    fx.destroyed++;
    free(ask.resource);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

/* Who finds the pool empty while the only resource is being checked waits for exactly this. */
TEST(a_resource_that_was_checked_and_is_back_is_told)
{
    watcher w = {0};
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t good = POOL_ANSWER_INIT;
    pool_status_t status;
    good.ok = true;
    pool_t *pool = fx_pool(FX_WITH_HEALTHCHECK, 1, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_HEALTHCHECK);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_INT(pool_op_next(&op, &good, &ask), POOL_ASK_DONE);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

/* ---- Closed --------------------------------------------------------------------------------- */

TEST(closing_is_told_once_and_nothing_after_it)
{
    watcher w = {0};
    pool_t *pool = fx_pool(0, 2, 3);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    CHECK_INT(pool->event.flags, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_TOLD(&w, 0, 1);
    CHECK_INT(pool->event.flags, POOL_EVENT_F_CLOSED);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_give(pool, r); /* its place is of use to nobody */
    CHECK_TOLD(&w, 0, 0);
    fx_finish(pool);
    CHECK_TOLD(&w, 0, 0);
    CHECK_INT(w.disposed, 1);
}

TEST(the_last_reference_closes_and_tells)
{
    watcher w = {0};
    pool_t *pool = fx_pool(0, 1, 2);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    pool_unref(pool);
    CHECK_TOLD(&w, 0, 1);
    atomic_store(&r->owned, 0);
    CHECK_STATUS(pool_release(pool, r), POOL_OK); /* the late release frees the pool */
    CHECK_TOLD(&w, 0, 0);
    CHECK_INT(w.disposed, 1);
    CHECK_INT(fx_live(), 0);
}

TEST(closing_is_told_with_waiters_in_line)
{
    watcher w = {0};
    fx_caller waiter;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&waiter, pool, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_ERR_CLOSED);
    CHECK_TOLD(&w, 0, 1);
    fx_give(pool, r);
    fx_finish(pool);
}

/* ---- No lock, the right thread -------------------------------------------------------------- */

static pthread_t changer;
static int scripts_run;

/* Calls everything that returns by itself. What it causes is counted only. */
static void call_everything(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    static _Thread_local bool inside;
    if (inside)
        return;
    inside = true;
    char text[128];
    pool_status_t status, usual = kind == POOL_EVENT_CLOSED ? POOL_ERR_CLOSED : POOL_OK;
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK(pthread_equal(pthread_self(), changer));
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_INT(pool_count(pool), s.idle + s.active);
    CHECK_INT(pool_idle_count(pool) + pool_active_count(pool), pool_count(pool));
    CHECK_INT(pool_waiting_count(pool), 0);
    CHECK_INT(pool_is_closed(pool), kind == POOL_EVENT_CLOSED);
    CHECK(pool->event.info(&pool->event, text, sizeof text) > 0);
    for (int i = 0; i < 2; i++) {
        fx_resource *r = i ? fx_acquire(pool, 3600000, &status) : fx_try(pool, &status);
        CHECK_STATUS(status, usual);
        if (r)
            fx_give(pool, r);
    }
    CHECK_STATUS(pool_deactivate(pool), usual);
    CHECK_STATUS(pool_recover(pool), usual);
    CHECK_STATUS(pool_activate(pool), usual);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    watcher extra = {0};
    CHECK_STATUS(watcher_add(&extra, pool), usual);
    CHECK_STATUS(watcher_del(&extra), usual == POOL_OK ? POOL_OK : POOL_ERR_INVALID);
    CHECK_STATUS(watcher_add(self, pool), usual == POOL_OK ? POOL_ERR_INVALID : POOL_ERR_CLOSED);
    CHECK_PTR(pool_ref(pool), pool);
    pool->event.dispose(&pool->event);
    pool_unref(fx_pool(0, 1, 1));
    if (kind == POOL_EVENT_CLOSED)
        CHECK_STATUS(pool_close(pool), POOL_OK);
    scripts_run++;
    inside = false;
}

static void *close_it(void *pool)
{
    changer = pthread_self();
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return NULL;
}

TEST(an_observer_may_call_everything_and_runs_on_the_thread_of_the_change)
{
    changer = pthread_self();
    for (unsigned hooks = 0; hooks <= FX_WITH_ALL; hooks += FX_WITH_ALL) {
        watcher w = {.script = call_everything};
        changer = pthread_self();
        pool_t *pool = fx_pool(hooks, 1, 1);
        CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
        scripts_run = 0;
        fx_give(pool, fx_take(pool));
        CHECK_INT(scripts_run, 1);
        check_join(check_thread(close_it, pool));
        CHECK_INT(scripts_run, 2);
        fx_finish(pool);
    }
}

static void close_at_once(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self;
    if (kind == POOL_EVENT_AVAILABLE)
        CHECK_STATUS(pool_close(pool), POOL_OK);
}

TEST(an_observer_may_close_the_pool)
{
    watcher w = {.script = close_at_once};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 1, 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

static void drop_reference(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self;
    if (kind == POOL_EVENT_AVAILABLE)
        pool->event.dispose(&pool->event);
}

TEST(an_observer_may_drop_the_last_reference)
{
    watcher w = {.script = drop_reference};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 1, 1);
    CHECK_INT(w.disposed, 1);
    CHECK_INT(fx_live(), 0);
}

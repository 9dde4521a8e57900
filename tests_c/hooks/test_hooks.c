/*
 * Hooks (B58 to B76): what their verdicts do, what is counted while they run, who is served when
 * they free a place, when the destructor runs, and that a hook may call the pool.
 */
#include "fixture.h"

static check_gate gate = CHECK_GATE_INIT;

static bool wait_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

/* The first call waits at the gate and refuses; later ones accept. */
static bool refuse_first_after_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    if (call == 1)
        check_gate_pass(&gate);
    return call != 1;
}

static void *release(void *arg)
{
    fx_caller *self = arg;
    self->status = pool_release(self->pool, self->got);
    return NULL;
}

/* A thread that gives r back. */
static void start_release(fx_caller *self, pool_t *pool, fx_resource *r)
{
    memset(self, 0, sizeof *self);
    self->pool = pool;
    self->got = r;
    atomic_store(&r->owned, 0);
    self->thread = check_thread(release, self);
}

static void join_release(fx_caller *self)
{
    fx_join(self);
    CHECK_STATUS(self->status, POOL_OK);
}

TEST(b11_hooks_run_in_the_canonical_order)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 2);
    CHECK_STR(fx_log(), "factory(1)");
    fx_resource *r = fx_try(pool, NULL);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1)");
    fx_give(pool, r);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) before_release(1)");
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) before_release(1) destructor(1)");
    fx_finish(pool);
}

static pool_t *want_pool;
static pthread_t want_thread;

static bool check_place(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_PTR(pool, want_pool);
    CHECK(pthread_equal(pthread_self(), want_thread));
    return call != 2;
}

/* Shows E4. */
TEST(b16_hooks_get_their_pool_and_run_on_the_callers_thread)
{
    for (int i = 0; i < FX_HOOKS; i++)
        fx.script[i] = check_place;
    want_pool = fx_pool(FX_WITH_ALL, 0, 3);
    want_thread = pthread_self();
    fx_give(want_pool, fx_take(want_pool));
    fx_give(want_pool, fx_take(want_pool)); /* this release is refused */
    CHECK_STR(fx_log(), "factory(1) before_release(1) before_acquire(1) before_release(1) "
                        "destructor(1)");
    fx_finish(want_pool);
}

/* ---- before_acquire ------------------------------------------------------------------------- */

TEST(b34_a_fresh_resource_skips_before_acquire)
{
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 0, 2);
    fx_resource *r = fx_take(pool);
    CHECK_STR(fx_log(), "factory(1)");
    fx_give(pool, r);
    fx_finish(pool);
}

/* Shows B61. */
TEST(b58_a_rejected_resource_is_destroyed_and_the_caller_gets_another)
{
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse_first;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 5);
    fx_resource *r = fx_try(pool, NULL);
    CHECK_INT(r->id, 2);
    fx_give(pool, r);
    CHECK_PTR(fx_try(pool, NULL), r);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1) factory(2) before_acquire(2)");
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b59_when_all_idle_are_rejected_the_factory_makes_one)
{
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    for (uint32_t max = 3; max <= 4; max++) { /* with a spare place, and in a place just freed */
        pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 3, max);
        fx_log_clear();
        fx_resource *r = fx_take(pool);
        const char *want = "before_acquire(1) destructor(1) before_acquire(2) destructor(2) "
                           "before_acquire(3) destructor(3) factory(4)";
        if (max == 4)
            want = "before_acquire(5) destructor(5) before_acquire(6) destructor(6) "
                   "before_acquire(7) destructor(7) factory(8)";
        CHECK_STR(fx_log(), want);
        CHECK_COUNTS(pool, 0, 1, 0);
        fx_give(pool, r);
        fx_finish(pool);
    }
}

/* ---- before_release ------------------------------------------------------------------------- */

TEST(b63_a_rejected_release_destroys)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 5);
    fx_give(pool, fx_take(pool));
    CHECK_STR(fx_log(), "factory(1) before_release(1) destructor(1)");
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b65_an_accepted_resource_is_destroyed_only_at_close)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 1, 2);
    fx_give(pool, fx_try(pool, NULL));
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 1);
    fx_finish(pool);
}

/* ---- Counted throughout --------------------------------------------------------------------- */

TEST(b67_b68_a_resource_inside_before_acquire_keeps_its_place)
{
    fx_caller first, second;
    pool_status_t status;
    fx.script[FX_BEFORE_ACQUIRE] = wait_at_gate;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    fx_start(&first, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    fx_start_waiting(&second, pool, 0);
    check_gate_open(&gate);
    fx_join(&first);
    fx_give(pool, first.got);
    fx_join(&second);
    CHECK_PTR(second.got, first.got);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_give(pool, second.got);
    fx_finish(pool);
}

TEST(b67_b68_a_resource_inside_before_release_keeps_its_place)
{
    fx_caller giver, waiter;
    fx.script[FX_BEFORE_RELEASE] = wait_at_gate;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 1, 1);
    start_release(&giver, pool, fx_take(pool));
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx_start_waiting(&waiter, pool, 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    check_gate_open(&gate);
    join_release(&giver);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

/* Shows S7. */
TEST(b71_a_resource_inside_its_destructor_keeps_its_place)
{
    fx_caller giver, waiter;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse_first;
    fx.script[FX_DESTRUCTOR] = wait_at_gate;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 1, 1);
    start_release(&giver, pool, fx_take(pool));
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx_start_waiting(&waiter, pool, 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    check_gate_open(&gate);
    join_release(&giver);
    fx_join(&waiter);
    CHECK_INT(waiter.got->id, 2);
    CHECK_INT(fx.peak, 1);
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

/* ---- Every exit that frees a place serves a waiter ------------------------------------------ */

TEST(b69_a_rejected_release_lets_the_waiter_create)
{
    fx_caller giver, waiter;
    fx.script[FX_BEFORE_RELEASE] = refuse_first_after_gate;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 1, 1);
    start_release(&giver, pool, fx_take(pool));
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx_start_waiting(&waiter, pool, 0);
    check_gate_open(&gate);
    join_release(&giver);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_INT(waiter.got->id, 2);
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

TEST(b69_a_rejected_acquire_uses_its_place_again_and_wakes_nobody)
{
    fx_caller first, waiter;
    fx.script[FX_BEFORE_ACQUIRE] = refuse_first_after_gate;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    fx_start(&first, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx_start_waiting(&waiter, pool, 0);
    check_gate_open(&gate);
    fx_join(&first);
    CHECK_STATUS(first.status, POOL_OK);
    CHECK_INT(first.got->id, 2);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK_INT(fx.peak, 1);
    fx_give(pool, first.got);
    fx_join(&waiter);
    CHECK_PTR(waiter.got, first.got);
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

static bool refuse_second(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call != 2;
}

TEST(b69_when_the_factory_then_fails_the_waiter_is_served)
{
    fx_caller first, waiter;
    fx.script[FX_BEFORE_ACQUIRE] = refuse_first_after_gate;
    fx.script[FX_FACTORY] = refuse_second;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    fx_start(&first, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx_start_waiting(&waiter, pool, 0);
    check_gate_open(&gate);
    fx_join(&first);
    fx_join(&waiter);
    CHECK_STATUS(first.status, POOL_ERR_FACTORY);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1) factory(2) factory(3)");
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

/* ---- Hooks that call the pool --------------------------------------------------------------- */

static atomic_int visits;

/* Calls everything that returns by itself. What it causes runs the plain hooks. */
static bool call_everything(pool_t *pool, fx_resource *r, int call)
{
    static _Thread_local bool inside;
    (void)call;
    if (inside)
        return true;
    inside = true;
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK(s.active >= 1);
    CHECK_INT(pool_count(pool), s.idle + s.active);
    CHECK_INT(pool_idle_count(pool), s.idle);
    CHECK_INT(pool_active_count(pool), s.active);
    CHECK_INT(pool_waiting_count(pool), 0);
    CHECK_INT(pool_is_closed(pool), s.closed);
    CHECK_PTR(pool_ref(pool), pool);
    pool_unref(pool);
    if (r) /* a resource inside its own hook is not lent */
        CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED);
    pool_status_t status;
    for (int i = 0; i < 2; i++) {
        fx_resource *other = i ? fx_acquire(pool, 1000, &status) : fx_try(pool, &status);
        CHECK_STATUS(status, s.closed ? POOL_ERR_CLOSED : POOL_OK);
        CHECK(!other || other != r);
        if (other)
            fx_give(pool, other);
    }
    pool_unref(fx_pool(0, 1, 1)); /* a pool made and freed inside a hook */
    if (s.closed)
        CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_set_error(pool, 1, "dropped: this hook returns true"), POOL_OK);
    visits++;
    inside = false;
    return true;
}

/* Shows R42. */
TEST(b72_every_hook_may_call_the_pool)
{
    for (int hook = 0; hook < FX_HOOKS; hook++) {
        if (hook == FX_HEALTHCHECK)
            continue;
        visits = 0;
        memset(fx.script, 0, sizeof fx.script);
        fx.script[hook] = call_everything;
        pool_t *pool = fx_pool(FX_WITH_ALL, 0, 4);
        fx_resource *a = fx_take(pool), *b = fx_take(pool);
        fx_give(pool, a);
        fx_give(pool, b);
        fx_give(pool, fx_take(pool));
        CHECK_STATUS(pool_close(pool), POOL_OK);
        CHECK(visits >= 1);
        fx_finish(pool);
    }
}

static fx_resource *companion;

static bool release_companion(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 1)
        fx_give(pool, companion);
    return true;
}

/* Shows R42. */
TEST(b72_a_release_hook_may_release_another_resource)
{
    fx.script[FX_BEFORE_RELEASE] = release_companion;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_take(pool);
    companion = fx_take(pool);
    fx_give(pool, r);
    CHECK_STR(fx_log(), "factory(1) factory(2) before_release(1) before_release(2)");
    CHECK_COUNTS(pool, 2, 0, 0);
    fx_finish(pool);
}

static bool close_pool(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return true;
}

TEST(b44_b72_a_hook_may_close_the_pool)
{
    static const struct {
        fx_hook hook;
        uint32_t min;
        pool_status_t want;
        const char *log;
    } cases[] = {
        {FX_FACTORY, 0, POOL_ERR_CLOSED, "factory(1) destructor(1)"},
        {FX_BEFORE_ACQUIRE, 1, POOL_OK, "before_acquire(2) before_release(2) destructor(2)"},
        {FX_BEFORE_RELEASE, 1, POOL_OK, "before_acquire(3) before_release(3) destructor(3)"},
        {FX_DESTRUCTOR, 1, POOL_OK, "before_acquire(4) before_release(4)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pool_status_t status;
        memset(fx.script, 0, sizeof fx.script);
        pool_t *pool = fx_pool(FX_WITH_ALL, cases[i].min, 2);
        fx_log_clear();
        fx.script[cases[i].hook] = close_pool;
        fx_resource *r = fx_acquire(pool, 0, &status);
        CHECK_STATUS(status, cases[i].want);
        if (r) /* a good resource is lent; its release destroys it */
            fx_give(pool, r);
        CHECK_STR(fx_log(), cases[i].log);
        CHECK_STATUS(pool_close(pool), POOL_OK); /* the last case: from inside this close */
        CHECK(pool_is_closed(pool));
        CHECK_COUNTS(pool, 0, 0, 0);
        fx_finish(pool);
    }
}

static bool close_at_second(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 2)
        CHECK_STATUS(pool_close(pool), POOL_OK);
    return true;
}

TEST(b20_a_factory_that_closes_the_pool_fails_the_creation)
{
    fx.script[FX_FACTORY] = close_at_second;
    CHECK_PTR(fx_try_pool(0, 3, 3), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_CLOSED);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

static bool drop_reference(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    pool_unref(pool);
    return true;
}

/* Shows B155, R42. */
TEST(b72_a_hook_may_drop_the_last_reference)
{
    fx.script[FX_BEFORE_RELEASE] = drop_reference;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 2, 2);
    fx_give(pool, fx_take(pool)); /* POOL_OK: the memory outlives the call */
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

/* ---- The destructor ------------------------------------------------------------------------- */

TEST(b73_the_destructor_runs_exactly_when_a_resource_is_removed)
{
    fx.script[FX_BEFORE_RELEASE] = refuse_second;
    fx.script[FX_BEFORE_ACQUIRE] = refuse_second;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    fx_give(pool, fx_take(pool));
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 0); /* a plain release destroys nothing */
    fx_give(pool, fx_take(pool));
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 1); /* the second before_release rejects */
    fx_give(pool, fx_take(pool));
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 1);
    fx_resource *r = fx_take(pool);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 2); /* the second before_acquire rejects */
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 3); /* close: the idle one */
    fx_give(pool, r);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 4); /* the lent one, at its release */
    fx_finish(pool);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 4);
    pool_unref(fx_pool(0, 2, 2));
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 6); /* the last unref */
}

static int plain_calls, plain_resource;

static bool make_plain(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &plain_resource;
    return true;
}

static bool refuse_plain_second(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return ++plain_calls != 2;
}

TEST(b74_without_a_destructor_the_counts_change_the_same_way)
{
    void *r;
    pool_t *pool = pool_create_internal(make_plain, NULL, NULL, NULL, refuse_plain_second, 0, 1, 0);
    CHECK(pool != NULL);
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_COUNTS(pool, 0, 1, 0);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
        CHECK_COUNTS(pool, i == 1 ? 0 : 1, 0, 0); /* the second one is rejected */
    }
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    pool_unref(pool);
}

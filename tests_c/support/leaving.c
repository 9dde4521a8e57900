#include "leaving.h"

#include "watcher.h"

static const leaving *way;
static pool_t *pool;
static fx_resource *lent;
static fx_caller waiter;
static atomic_int left;

/* The first call leaves, after somebody has got in line behind it. */
static void leave_once(void)
{
    if (left++)
        return;
    fx_start_waiting(&waiter, pool, 0);
    way->leave();
    check_fail(__FILE__, __LINE__, "it did not leave");
}

static bool leave_hook(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)r, (void)call;
    leave_once();
    return true;
}

static bool refuse(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)r, (void)call;
    return false;
}

static void take(void)
{
    void *r;
    pool_acquire(pool, &r, 0);
    check_fail(__FILE__, __LINE__, "pool_acquire() returned");
}

static void give(void)
{
    atomic_store(&lent->owned, 0);
    pool_release(pool, lent);
    check_fail(__FILE__, __LINE__, "pool_release() returned");
}

/* After longjmp: a pool whose only place may be lost can be closed, and others work. Ends the
 * process, because what is lost keeps the pool alive. */
static void end_with_a_loss(void)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK(s.idle + s.active <= s.max);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool_waiting_count(pool), 0);
    CHECK_INT(pool_idle_count(pool), 0);
    fx_join(&waiter); /* not lost: it was told, or served before */
    if (waiter.got)
        fx_give(pool, waiter.got);
    else
        CHECK_STATUS(waiter.status, POOL_ERR_CLOSED);
    CHECK(pool_active_count(pool) <= 1);
    pool_unref(pool);
    CHECK(pool_debug_live() <= 1);
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = fx.script[FX_DESTRUCTOR] =
        NULL;
    pool_t *fine = fx_pool(FX_WITH_ALL, 1, 1);
    fx_give(fine, fx_take(fine));
    pool_unref(fine);
    exit(0);
}

/* The waiter got the place; the pool is as before, and nothing is left at its end. */
static void end_without_loss(void)
{
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, waiter.got);
    fx_give(pool, fx_take(pool));
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static void finish(void)
{
    CHECK_INT(left >= 1, 1);
    if (way->loses_place)
        end_with_a_loss();
    end_without_loss();
}

static void begin(const leaving *by, uint32_t min)
{
    way = by;
    pool = fx_pool(FX_WITH_ALL, min, 1);
}

/* ---- Hooks ---------------------------------------------------------------------------------- */

void leaving_factory(const leaving *by)
{
    begin(by, 0);
    fx.script[FX_FACTORY] = leave_hook;
    way->run(take);
    finish();
}

void leaving_before_acquire(const leaving *by)
{
    begin(by, 1);
    fx.script[FX_BEFORE_ACQUIRE] = leave_hook;
    way->run(take);
    if (!way->loses_place) {
        WAIT_FOR(atomic_load(&waiter.done));
        CHECK_INT(waiter.got->id, 2); /* the other counted as refused */
        CHECK_INT(fx.destroyed, 1);
    }
    finish();
}

void leaving_before_release(const leaving *by)
{
    begin(by, 1);
    lent = fx_take(pool);
    fx.script[FX_BEFORE_RELEASE] = leave_hook;
    way->run(give);
    finish();
    CHECK_INT(fx.created, 2); /* the one whose hook was left counted as refused */
}

/* The fixture counts and frees after its script; who leaves does it itself. */
static bool leave_destructor(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)call;
    if (left == 0) {
        fx.destroyed++;
        free(r);
    }
    leave_once();
    return true;
}

void leaving_destructor(const leaving *by)
{
    begin(by, 1);
    lent = fx_take(pool);
    fx.script[FX_BEFORE_RELEASE] = refuse;
    fx.script[FX_DESTRUCTOR] = leave_destructor;
    way->run(give);
    fx.script[FX_BEFORE_RELEASE] = NULL;
    finish();
}

static bool leave_destructor_alone(pool_t *self, fx_resource *r, int call)
{
    (void)self;
    if (call == 1) {
        fx.destroyed++;
        free(r);
        way->leave();
    }
    return true;
}

static void close_pool(void)
{
    pool_close(pool);
    check_fail(__FILE__, __LINE__, "pool_close() returned");
}

void leaving_destructor_of_close(const leaving *by)
{
    way = by;
    pool = fx_pool(FX_WITH_ALL, 3, 3);
    fx.script[FX_DESTRUCTOR] = leave_destructor_alone;
    way->run(close_pool);
    CHECK(pool_is_closed(pool));
    CHECK_STATUS(pool_close(pool), POOL_OK); /* ends the others */
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 3);
    CHECK_INT(pool_idle_count(pool), 0);
    CHECK_INT(fx_live(), 0);
    pool_unref(pool);
    CHECK(pool_debug_live() <= (way->loses_place ? 1u : 0u));
    if (way->loses_place)
        exit(0);
}

static bool leave_second(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)r;
    if (call == 2)
        way->leave();
    return true;
}

static void create(void)
{
    fx_try_pool(FX_WITH_ALL, 3, 3);
    check_fail(__FILE__, __LINE__, "the creation returned");
}

void leaving_factory_of_a_creation(const leaving *by)
{
    way = by;
    fx.script[FX_FACTORY] = leave_second;
    way->run(create);
    if (!way->loses_place) {
        CHECK_INT(pool_debug_live(), 0);
        CHECK_INT(fx_live(), 0);
    }
    uint32_t lost = pool_debug_live();
    CHECK(lost <= 1);
    fx.script[FX_FACTORY] = NULL;
    pool = fx_pool(FX_WITH_ALL, 1, 2);
    fx_give(pool, fx_take(pool));
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), lost);
    if (way->loses_place)
        _Exit(0); /* nobody knows the half-made pool */
}

/* ---- Reports -------------------------------------------------------------------------------- */

static void leave_report(pool_t *self, void *ctx)
{
    (void)self, (void)ctx;
    leave_once();
}

static void leave_failure(pool_t *self, const pool_error_t *error, void *ctx)
{
    (void)self, (void)error, (void)ctx;
    leave_once();
}

static bool leave_question(pool_t *self, void *ctx)
{
    (void)self, (void)ctx;
    way->leave();
    return true;
}

static void *clear_strategy(void *arg)
{
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    return arg;
}

static pool_circuit_breaker_strategy_t strategy = {leave_report, leave_failure, leave_question, NULL, NULL};

void leaving_report_success(const leaving *by)
{
    begin(by, 1);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    lent = fx_take(pool);
    way->run(give);
    if (!way->loses_place) /* nobody waits for the report that was left */
        check_join(check_thread(clear_strategy, NULL));
    finish();
}

void leaving_report_failure(const leaving *by)
{
    begin(by, 1);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    lent = fx_take(pool);
    fx.script[FX_BEFORE_RELEASE] = refuse;
    way->run(give);
    fx.script[FX_BEFORE_RELEASE] = NULL;
    if (!way->loses_place)
        check_join(check_thread(clear_strategy, NULL));
    finish();
}

/* It holds no place yet, so even longjmp loses none. */
void leaving_should_recover(const leaving *by)
{
    begin(by, 1);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    way->run(take);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_INACTIVE);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    if (!way->loses_place) {
        check_join(check_thread(clear_strategy, NULL));
        fx_give(pool, fx_take(pool));
        fx_finish(pool);
        return;
    }
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    exit(0);
}

/* ---- Observers ------------------------------------------------------------------------------ */

static void leave_observer(watcher *self, pool_t *own, pool_event_kind_t kind)
{
    (void)self, (void)own, (void)kind;
    if (left++ == 0)
        way->leave();
}

static void *remove_observer(void *arg)
{
    CHECK_STATUS(watcher_del(arg), POOL_OK);
    return NULL;
}

/* The release was done before, so nothing is lost, by whichever way. */
void leaving_observer(const leaving *by)
{
    static watcher w = {.script = leave_observer};
    begin(by, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    lent = fx_take(pool);
    way->run(give);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_give(pool, fx_take(pool));
    CHECK_INT(w.told[POOL_EVENT_AVAILABLE], 2);
    if (way->loses_place) { /* a call that never returns is waited for by who removes it */
        CHECK_STATUS(pool_close(pool), POOL_OK);
        CHECK_INT(fx_live(), 0);
        exit(0);
    }
    check_join(check_thread(remove_observer, &w));
    CHECK_INT(w.disposed, 1);
    fx_finish(pool);
}

/* The first step of the close is done when its observers are told: what is idle must still be ended. */
void leaving_observer_of_close(const leaving *by)
{
    static watcher w = {.script = leave_observer};
    begin(by, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    way->run(close_pool);
    CHECK_INT(w.told[POOL_EVENT_CLOSED], 1);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* ---- Often ---------------------------------------------------------------------------------- */

static bool leave_always(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)r, (void)call;
    way->leave();
    return true;
}

/* Go below the hook would break after some tens of thousands of longjmps; here nothing is below. */
void leaving_often(const leaving *by)
{
    uint32_t times = by->loses_place ? 50000 : 2000;
    way = by;
    fx.quiet = true;
    pool = fx_pool(0, 0, times + 1);
    fx.script[FX_FACTORY] = leave_always;
    for (uint32_t i = 0; i < times; i++)
        way->run(take);
    fx.script[FX_FACTORY] = NULL;
    CHECK(pool_active_count(pool) <= (way->loses_place ? times : 0));
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx_live(), 0);
    pool_unref(pool);
    if (way->loses_place)
        exit(0);
}

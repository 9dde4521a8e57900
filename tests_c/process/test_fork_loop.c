/* A fork inside what a dispatch or a coroutine's scheduler calls: hooks, callbacks, suspend and resume.
 * Each case shows E1, E12. */
#include "loop.h"
#include "split.h"
#include "watcher.h"

static pool_t *pool;

static void begin(const pool_config_t *config)
{
    pool = loop_pool_of(config);
    split_begin(pool);
}

/* ---- dispatch ---- */

static void split_when_told(told *t)
{
    (void)t;
    split();
}

/* Two ops; the one that comes second must not be told in the child. */
static void dispatch_two(void (*then)(told *))
{
    told a = {.then = then}, b = {.then = then};
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    while (!a.times || !b.times) {
        pool_status_t status = pool_dispatch(pool);
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
    }
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&a);
    loop_give(&b);
}

TEST(in_a_callback)
{
    pool_config_t config = loop_config(0, 0, 2);
    begin(&config);
    while (split_again())
        dispatch_two(split_when_told);
    split_finish();
}

static bool refuse(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)r, (void)call;
    return false;
}

TEST(in_the_factory_of_a_dispatch)
{
    pool_config_t config = loop_config(FX_WITH_RELEASE, 0, 2);
    begin(&config);
    fx.script[FX_FACTORY] = split_in_hook;
    fx.script[FX_BEFORE_RELEASE] = refuse;
    while (split_again())
        dispatch_two(NULL);
    split_finish();
}

TEST(in_before_acquire_of_a_dispatch)
{
    pool_config_t config = loop_config(FX_WITH_ACQUIRE, 2, 2);
    begin(&config);
    fx.script[FX_BEFORE_ACQUIRE] = split_in_hook;
    while (split_again())
        dispatch_two(NULL);
    split_finish();
}

static void split_in_observer(watcher *self, pool_t *own, pool_event_kind_t kind)
{
    (void)self, (void)own, (void)kind;
    split();
}

/* A factory that fails frees the place, of which an observer hears before the owner of the op does. */
TEST(in_an_observer_of_a_dispatch)
{
    watcher w = {.script = split_in_observer};
    pool_config_t config = loop_config(0, 0, 1);
    begin(&config);
    fx.script[FX_FACTORY] = refuse;
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    while (split_again()) {
        told a = {0};
        loop_acquire(pool, &a, 0);
        while (!a.times) {
            pool_status_t status = pool_dispatch(pool);
            split_end_child_late(status);
            CHECK_STATUS(status, POOL_OK);
        }
        CHECK_TOLD_ONCE(&a, POOL_ERR_FACTORY);
    }
    CHECK_STATUS(watcher_del(&w), POOL_OK);
    split_finish();
}

TEST(in_a_healthcheck_of_a_dispatch)
{
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 2, 2);
    config.healthcheck_interval_ms = 1;
    config.flags = POOL_F_REACTOR;
    begin(&config);
    fx.script[FX_HEALTHCHECK] = split_in_hook;
    while (split_again()) {
        pool_status_t status = pool_dispatch(pool);
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
    }
    split_finish();
}

/* ---- coroutines: here a coroutine is a thread that waits for its scheduler ---- */

static fx_resource *held;

static bool split_in_suspend(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    split();
    if (!splitting.child && held) {
        fx_give(pool, held);
        held = NULL;
    }
    return true;
}

static void ignore(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

TEST(in_suspend)
{
    pool_scheduler_t scheduler = {split_in_suspend, ignore, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &scheduler;
    begin(&config);
    while (split_again()) {
        void *r;
        held = fx_take(pool);
        pool_status_t status = pool_acquire(pool, &r, 0);
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    split_finish();
}

static bool yield_once(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    sched_yield();
    return true;
}

static void split_in_resume(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    split();
}

/* A close that tells two of them: the second is not resumed in the child. */
TEST(in_resume)
{
    pool_scheduler_t scheduler = {yield_once, split_in_resume, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    fx_caller waiters[2];
    config.scheduler = &scheduler;
    begin(&config);
    held = fx_take(pool);
    fx_start_waiting(&waiters[0], pool, 0);
    fx_start_waiting(&waiters[1], pool, 0);
    pool_status_t status = pool_close(pool);
    split_end_child_late(status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_INT(splitting.forks, 2);
    for (int i = 0; i < 2; i++) {
        fx_join(&waiters[i]);
        CHECK_STATUS(waiters[i].status, POOL_ERR_CLOSED);
    }
    fx_give(pool, held);
    split_finish();
}

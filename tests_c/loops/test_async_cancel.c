/*
 * pool_op_cancel() of an async op in every state. Each time: one callback, with POOL_ERR_CANCELLED,
 * from a dispatch; the place goes to the next, and what the op got goes back to the pool.
 * Each case shows E12.
 */
#include "loop.h"

static void cancel(told *t)
{
    int before = t->times;
    CHECK_STATUS(pool_op_cancel(&t->op), POOL_OK);
    CHECK_INT(t->times, before);
}

/* The op is told that it was cancelled, and a place that it had went to next. */
static void ends_cancelled(told *t, told *next)
{
    pool_t *pool = t->pool;
    CHECK(loop_readable(pool_fd(pool)));
    loop_drain(pool);
    CHECK_TOLD_ONCE(t, POOL_ERR_CANCELLED);
    if (next) {
        CHECK_TOLD_ONCE(next, POOL_OK);
        loop_give(next);
    }
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK_INT(loop_turn(pool), 0);
    CHECK_INT(pool_active_count(pool), 0);
    fx_finish(pool);
}

TEST(waiting)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told first = {0}, a = {0}, last = {0};
    loop_acquire(pool, &first, 0);
    loop_acquire(pool, &a, 3600000);
    loop_acquire(pool, &last, 0);
    cancel(&a);
    CHECK_COUNTS(pool, 0, 1, 2);
    CHECK_INT(loop_turn(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(pool_next_timeout(pool), -1); /* its deadline went with it */
    fx_give(pool, r);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&first, POOL_OK);
    CHECK_INT(last.times, 0);
    loop_give(&first);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&last, POOL_OK);
    loop_give(&last);
    fx_finish(pool);
}

TEST(granted)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0}, b = {0};
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 1);
    cancel(&a);
    CHECK_COUNTS(pool, 1, 0, 0); /* b is granted now */
    ends_cancelled(&a, &b);
}

TEST(granted_without_a_successor)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    pool_status_t status;
    loop_acquire(pool, &a, 0);
    fx_give(pool, r);
    cancel(&a);
    r = fx_try(pool, &status); /* free at once, before any dispatch */
    CHECK_STATUS(status, POOL_OK);
    fx_give(pool, r);
    ends_cancelled(&a, NULL);
}

/* A place is free, a resource is to be made: nobody has begun yet. */
TEST(about_to_create)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    cancel(&a);
    CHECK_INT(fx.calls[FX_FACTORY], 0);
    loop_drain(pool);
    CHECK_INT(fx.calls[FX_FACTORY], 1); /* for b alone */
    CHECK(loop_work() == 3);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    fx_finish(pool);
}

/* An idle resource is to be checked: it must not be lost, nor checked for nothing. */
TEST(about_to_be_checked)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 1, 1);
    told a = {0};
    loop_acquire(pool, &a, 0);
    cancel(&a);
    CHECK_INT(pool_count(pool), 1);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 0);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 0);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* ---- while a hook runs ---- */

static check_gate gate = CHECK_GATE_INIT;
static bool hook_result = true;

static bool stop_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    if (call > 1)
        return true;
    check_gate_pass(&gate);
    return hook_result;
}

static void *dispatch_once(void *pool)
{
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    return NULL;
}

/* The loop is in a hook of a, b is in line behind it; a is cancelled from here. */
static void while_a_hook_runs(fx_hook hook, unsigned hooks, uint32_t min, int destroyed)
{
    pool_t *pool = loop_pool(hooks, min, 1);
    told a = {0}, b = {0};
    fx.script[hook] = stop_at_gate;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    pthread_t loop = check_thread(dispatch_once, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    cancel(&a);
    cancel(&a);
    CHECK_INT(a.times + b.times, 0);
    CHECK_INT(pool_count(pool), 1);
    check_gate_open(&gate);
    check_join(loop);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    CHECK_INT(fx.destroyed, destroyed);
    loop_give(&b);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(while_its_factory_runs) { while_a_hook_runs(FX_FACTORY, 0, 0, 0); }

TEST(while_its_factory_runs_and_fails)
{
    hook_result = false;
    while_a_hook_runs(FX_FACTORY, 0, 0, 0);
}

TEST(while_before_acquire_runs) { while_a_hook_runs(FX_BEFORE_ACQUIRE, FX_WITH_ACQUIRE, 1, 0); }

TEST(while_before_acquire_runs_and_refuses)
{
    hook_result = false;
    while_a_hook_runs(FX_BEFORE_ACQUIRE, FX_WITH_ACQUIRE, 1, 1);
}

/* A creation whose op was cancelled is not for nothing: with nobody waiting it becomes idle. */
TEST(what_its_factory_made_is_idle_then)
{
    pool_t *pool = loop_pool(FX_WITH_RELEASE, 0, 1);
    told a = {0};
    fx.script[FX_FACTORY] = stop_at_gate;
    loop_acquire(pool, &a, 0);
    pthread_t loop = check_thread(dispatch_once, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    cancel(&a);
    check_gate_open(&gate);
    check_join(loop);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(fx.destroyed, 0);
    fx_finish(pool);
}

static told *victim;

static bool cancel_from_hook(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    if (call == 1)
        cancel(victim);
    return true;
}

TEST(from_inside_its_own_hook)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    victim = &a;
    fx.script[FX_FACTORY] = cancel_from_hook;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    ends_cancelled(&a, &b);
}

/* ---- done but not told, told, never begun ---- */

TEST(closed_but_not_told)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire(pool, &a, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    cancel(&a);
    CHECK_INT(loop_drain(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(sent_away_by_the_breaker_but_not_told)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire(pool, &a, 0);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    cancel(&a);
    CHECK_INT(loop_drain(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(its_deadline_has_passed_but_it_was_not_told)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire(pool, &a, 1);
    WAIT_FOR(check_now_ns() > pool_op_until_ns(&a.op) + 1000000);
    cancel(&a);
    CHECK_INT(loop_drain(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(told)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    loop_acquire(pool, &a, 0);
    loop_drain(pool);
    cancel(&a);
    cancel(&a);
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(loop_turn(pool), 0);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0); /* it keeps what it got */
    loop_give(&a);
    fx_finish(pool);
}

static void cancel_self(told *t) { CHECK_STATUS(pool_op_cancel(&t->op), POOL_OK); }

TEST(from_its_own_callback)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    a.then = cancel_self;
    loop_acquire(pool, &a, 0);
    CHECK_INT(loop_drain(pool), 2);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0);
    loop_give(&a);
    fx_finish(pool);
}

TEST(twice)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire(pool, &a, 0);
    for (int i = 0; i < 3; i++)
        cancel(&a);
    CHECK_INT(loop_drain(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    for (int i = 0; i < 3; i++)
        cancel(&a);
    CHECK_INT(loop_drain(pool), 0);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(never_begun)
{
    pool_op_t op;
    memset(&op, 0, sizeof op);
    CHECK_STATUS(pool_op_cancel(&op), POOL_ERR_INVALID);
    CHECK_STATUS(pool_op_cancel(NULL), POOL_OK);
}

/* ---- across threads ---- */

enum { OPS = 64, ROUNDS = 400 };
static told race[OPS];
static atomic_int race_go, race_gone;

static void *cancel_all(void *arg)
{
    (void)arg;
    for (int round = 1; round <= ROUNDS; round++) {
        WAIT_FOR(race_go >= round);
        for (int i = 0; i < OPS; i++)
            CHECK_STATUS(pool_op_cancel(&race[(i * 29 + round) % OPS].op), POOL_OK);
        race_gone = round;
    }
    return NULL;
}

static void give_at_once(told *t)
{
    if (t->status == POOL_OK)
        fx_give(t->pool, t->got);
}

TEST(another_thread_cancels_while_the_loop_tells)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 0, 2);
    fx.quiet = true;
    int won = 0, lost = 0;
    pthread_t thread = check_thread(cancel_all, NULL);
    for (int round = 1; round <= ROUNDS; round++) {
        memset(race, 0, sizeof race);
        for (int i = 0; i < OPS; i++) {
            race[i].then = give_at_once;
            loop_acquire(pool, &race[i], i % 2 ? 3600000 : 0);
        }
        race_go = round;
        /* The ops live until the other thread has let go of them. */
        while (race_gone < round || loop_readable(pool_fd(pool)))
            CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        for (int i = 0; i < OPS; i++) {
            CHECK_INT(race[i].times, 1);
            CHECK(race[i].status == POOL_OK || race[i].status == POOL_ERR_CANCELLED);
            *(race[i].status == POOL_OK ? &won : &lost) += 1;
        }
        CHECK_INT(pool_active_count(pool), 0);
        CHECK_INT(pool_waiting_count(pool), 0);
    }
    check_join(thread);
    printf("%d were told that they got one, %d that they were cancelled\n", won, lost);
    fx_finish(pool);
}

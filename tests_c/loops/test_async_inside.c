/*
 * What a callback or hook may do while it runs inside pool_dispatch(): free its op, end the pool,
 * begin and cancel ops, dispatch again, unwind.
 */
#include "loop.h"

#include <fcntl.h>

static void free_self(told *t)
{
    CHECK_STATUS(t->status, POOL_OK);
    fx_give(t->pool, t->got);
    free(t);
}

TEST(a_callback_frees_its_op)
{
    pool_t *pool = loop_pool(0, 0, 1);
    for (int i = 0; i < 3; i++) {
        told *t = calloc(1, sizeof *t);
        t->then = free_self;
        loop_acquire(pool, t, 3600000);
    }
    CHECK_INT(loop_drain(pool), 4); /* one creation, three callbacks */
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(pool_next_timeout(pool), -1);
    fx_finish(pool);
}

static void close_pool(told *t)
{
    CHECK_STATUS(pool_close(t->pool), POOL_OK);
    CHECK_INT(t->other->times, 0); /* never from inside pool_close() */
}

TEST(a_callback_closes_the_pool)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    a.then = close_pool;
    a.other = &b;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_ERR_CLOSED);
    loop_give(&a);
    fx_finish(pool);
}

static void drop_pool(told *t)
{
    CHECK_STATUS(t->status, POOL_OK);
    fx_give(t->pool, t->got);
    pool_unref(t->pool);
}

TEST(a_callback_drops_the_last_reference)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    a.then = drop_pool;
    loop_acquire(pool, &a, 0);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_INT(a.times, 1);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

static void acquire_again(told *t)
{
    loop_acquire(t->pool, t->other, 0);
    CHECK_INT(t->other->times, 0);
    fx_give(t->pool, t->got);
    CHECK_INT(t->other->times, 0);
}

TEST(a_callback_acquires_again)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    a.then = acquire_again;
    a.other = &b;
    loop_acquire(pool, &a, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    fx_finish(pool);
}

static int again_left;

static void reuse_self(told *t)
{
    fx_give(t->pool, t->got);
    if (--again_left == 0)
        return;
    void (*then)(told *) = t->then;
    pool_t *pool = t->pool;
    memset(t, 0, sizeof *t);
    t->then = then;
    loop_acquire(pool, t, 3600000);
}

TEST(a_callback_uses_its_own_op_again)
{
    enum { ROUNDS = 2000 };
    pool_t *pool = loop_pool(0, 0, 1);
    static told a;
    a.then = reuse_self;
    again_left = ROUNDS;
    loop_acquire(pool, &a, 3600000);
    int turns = 0;
    while (loop_readable(pool_fd(pool))) {
        loop_turn(pool);
        turns++;
    }
    CHECK_INT(again_left, 0);
    CHECK(turns > 1); /* one dispatch does not go on for ever */
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static void cancel_other(told *t)
{
    CHECK_STATUS(pool_op_cancel(&t->other->op), POOL_OK);
    CHECK_INT(t->other->times, 0);
    fx_give(t->pool, t->got);
}

/* The other one waits, then: was granted a place as well. */
TEST(a_callback_cancels_another_op)
{
    for (uint32_t max = 1; max <= 2; max++) {
        pool_t *pool = loop_pool(0, 0, max);
        told a = {0}, b = {0};
        a.then = cancel_other;
        a.other = &b;
        loop_acquire(pool, &a, 0);
        loop_acquire(pool, &b, 0);
        loop_drain(pool);
        CHECK_TOLD_ONCE(&a, POOL_OK);
        CHECK_TOLD_ONCE(&b, POOL_ERR_CANCELLED);
        CHECK_COUNTS(pool, 1, 0, 0);
        fx_finish(pool);
    }
}

static void dispatch_again(told *t)
{
    fx_give(t->pool, t->got);
    CHECK_STATUS(pool_dispatch(t->pool), POOL_OK);
    CHECK_STATUS(pool_dispatch(t->pool), POOL_OK);
    CHECK_INT(t->other->times, 1);
}

TEST(a_callback_dispatches)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    a.then = dispatch_again;
    a.other = &b;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    fx_finish(pool);
}

static told *inner;

static bool dispatch_in_factory(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 1) {
        loop_acquire(pool, inner, 0);
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        CHECK_TOLD_ONCE(inner, POOL_OK);
    }
    return true;
}

TEST(a_hook_acquires_and_dispatches)
{
    pool_t *pool = loop_pool(0, 0, 2);
    told a = {0}, b = {0};
    inner = &b;
    fx.script[FX_FACTORY] = dispatch_in_factory;
    loop_acquire(pool, &a, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK(b.order < a.order);
    loop_give(&a);
    loop_give(&b);
    fx_finish(pool);
}

static bool close_in_factory(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    (void)call;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return true;
}

TEST(a_factory_closes_the_pool_and_what_it_made_is_destroyed)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    fx.script[FX_FACTORY] = close_in_factory;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&b, POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    fx_finish(pool);
}

static bool drop_in_factory(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    (void)call;
    pool_unref(pool);
    return true;
}

TEST(a_factory_drops_the_last_reference)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    fx.script[FX_FACTORY] = drop_in_factory;
    loop_acquire(pool, &a, 0);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CLOSED);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

/* ---- unwinding ---- */

static bool end_thread(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    if (call == 1)
        pthread_exit(NULL);
    return true;
}

static void *dispatch_once(void *arg)
{
    pool_dispatch(arg);
    return NULL;
}

/* Nothing is left of the pool, its descriptor included. */
static void nothing_is_left(pool_t *pool)
{
    int fd = pool_fd(pool);
    fx_finish(pool);
    CHECK_INT(fcntl(fd, F_GETFD), -1);
}

/* The op of the hook fails, or is tried once more; the others are as before, and so is the pool. */
static void a_hook_ends_the_thread(fx_hook hook, unsigned hooks, uint32_t min)
{
    pool_t *pool = loop_pool(hooks, min, 2);
    told a = {0}, b = {0};
    fx.script[hook] = end_thread;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    check_join(check_thread(dispatch_once, pool));
    CHECK_INT(fx.calls[hook], 1);
    CHECK(a.times + b.times <= 1);
    loop_drain(pool);
    CHECK_INT(a.times, 1);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    CHECK(a.status == POOL_OK || a.got == NULL);
    loop_give(&b);
    if (a.got)
        loop_give(&a);
    CHECK_INT(pool_active_count(pool), 0);
    for (int i = 0; i < 3; i++) { /* both places are usable */
        fx_resource *r = fx_take(pool), *other = fx_take(pool);
        fx_give(pool, r);
        fx_give(pool, other);
    }
    nothing_is_left(pool);
}

TEST(a_factory_that_ends_the_thread) { a_hook_ends_the_thread(FX_FACTORY, 0, 0); }

TEST(a_before_acquire_that_ends_the_thread) { a_hook_ends_the_thread(FX_BEFORE_ACQUIRE, FX_WITH_ACQUIRE, 2); }

static void exit_thread(told *t)
{
    (void)t;
    pthread_exit(NULL);
}

TEST(a_callback_that_ends_the_thread_leaves_the_rest_to_the_next_dispatch)
{
    pool_t *pool = loop_pool(0, 2, 2);
    told a = {0}, b = {0};
    a.then = exit_thread;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    check_join(check_thread(dispatch_once, pool));
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_INT(b.times, 0);
    CHECK(loop_readable(pool_fd(pool)));
    loop_drain(pool);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&a);
    loop_give(&b);
    nothing_is_left(pool);
}

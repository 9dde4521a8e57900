/*
 * Reactors: one descriptor, one timeout, one dispatch for many pools.
 */
#include "loop.h"
#include "process.h"
#include "timed.h"

#include <fcntl.h>

TEST(one_reactor_serves_two_pools_through_one_descriptor)
{
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *one = loop_pool(0, 0, 1), *two = loop_pool(0, 0, 1);
    int fd = pool_reactor_fd(reactor);
    CHECK(fd >= 0);
    CHECK_STATUS(pool_reactor_attach(reactor, one), POOL_OK);
    CHECK_STATUS(pool_reactor_attach(reactor, two), POOL_OK);
    CHECK_INT(pool_fd(one), fd);
    CHECK_INT(pool_fd(two), fd);
    CHECK(!loop_readable(fd));
    told a = {0}, b = {0};
    loop_acquire(one, &a, 0);
    CHECK(loop_readable(fd));
    loop_acquire(two, &b, 0);
    CHECK_INT(loop_turn_of(reactor), 4);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    CHECK(!loop_readable(fd));
    loop_give(&a);
    loop_give(&b);
    pool_unref(one);
    pool_unref(two);
    pool_reactor_unref(reactor);
    CHECK_INT(fx_live(), 0);
}

/* The pool's own functions go to the reactor it is attached to, which serves all its pools. */
TEST(dispatch_of_one_pool_serves_the_whole_reactor)
{
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *one = loop_pool(0, 0, 1), *two = loop_pool(0, 0, 1);
    pool_reactor_attach(reactor, one);
    pool_reactor_attach(reactor, two);
    told a = {0}, timed_out = {0};
    loop_acquire(one, &a, 0);
    CHECK_STATUS(pool_dispatch(two), POOL_OK);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_acquire(one, &timed_out, 3600000);
    int64_t timeout = pool_next_timeout(two);
    CHECK(timeout > 0 && timeout <= 3600001);
    loop_give(&a);
    loop_drain_of(reactor);
    CHECK_TOLD_ONCE(&timed_out, POOL_OK);
    loop_give(&timed_out);
    pool_unref(one);
    pool_unref(two);
    pool_reactor_unref(reactor);
}

TEST(null_is_refused)
{
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    CHECK_STATUS(pool_reactor_attach(NULL, pool), POOL_ERR_INVALID);
    CHECK_STATUS(pool_reactor_attach(reactor, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_reactor_dispatch(NULL), POOL_ERR_INVALID);
    CHECK_INT(pool_reactor_fd(NULL), -1);
    CHECK_INT(pool_reactor_next_timeout(NULL), -1);
    CHECK_STATUS(loop_begin(reactor, NULL, &a, 0), POOL_ERR_INVALID);
    CHECK_STATUS(pool_reactor_acquire(NULL, pool, &a.op, 0, NULL, NULL), POOL_ERR_INVALID);
    pool_reactor_unref(NULL);
    pool_reactor_unref(reactor);
    fx_finish(pool);
}

/* An op keeps the reactor that it waits on, a pool the one that it is attached to. */
TEST(a_reactor_stays_while_ops_wait_on_it)
{
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire_on(reactor, pool, &a, 3600000);
    pool_reactor_unref(reactor);
    CHECK(!loop_readable(pool_reactor_fd(reactor)));
    fx_give(pool, r);
    CHECK(loop_readable(pool_reactor_fd(reactor)));
    CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK); /* the reactor may go here */
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_give(&a);
    fx_finish(pool);
}

TEST(a_reactor_stays_while_a_pool_is_attached)
{
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = loop_pool(0, 0, 1);
    pool_reactor_attach(reactor, pool);
    pool_reactor_unref(reactor);
    told a = {0};
    loop_acquire(pool, &a, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_give(&a);
    fx_finish(pool);
}

TEST(the_last_unref_of_pool_and_reactor_with_ops_outstanding)
{
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = loop_pool(0, 1, 1);
    told a = {0}, b = {0}, c = {0};
    loop_acquire_on(reactor, pool, &a, 0);
    loop_acquire_on(reactor, pool, &b, 3600000);
    loop_acquire_on(reactor, pool, &c, 0);
    CHECK_STATUS(pool_op_cancel(&c.op), POOL_OK);
    pool_unref(pool);
    pool_reactor_unref(reactor);
    CHECK_INT(a.times + b.times + c.times, 0);
    CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&b, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&c, POOL_ERR_CANCELLED);
    CHECK_INT(pool_debug_live(), 0);
    CHECK_INT(fx_live(), 0);
}

static pool_reactor_t *dropped;

static void drop_reactor(told *t)
{
    fx_give(t->pool, t->got);
    pool_reactor_unref(dropped);
}

TEST(a_callback_drops_the_reactor)
{
    dropped = pool_reactor_create();
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    a.then = drop_reactor;
    loop_acquire_on(dropped, pool, &a, 0);
    CHECK_STATUS(pool_reactor_dispatch(dropped), POOL_OK);
    CHECK_INT(a.times, 1);
    fx_finish(pool);
}

/* "Ops begun before stay where they were." */
TEST(attaching_leaves_ops_where_they_were)
{
    pool_reactor_t *old = pool_reactor_create(), *new = pool_reactor_create();
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_reactor_attach(old, pool);
    told before = {0}, after = {0};
    loop_acquire(pool, &before, 0);
    CHECK_STATUS(pool_reactor_attach(new, pool), POOL_OK);
    CHECK_INT(pool_fd(pool), pool_reactor_fd(new));
    loop_acquire(pool, &after, 0);
    fx_give(pool, r);
    CHECK(loop_readable(pool_reactor_fd(old)));
    CHECK(!loop_readable(pool_reactor_fd(new)));
    loop_drain_of(old);
    CHECK_TOLD_ONCE(&before, POOL_OK);
    loop_give(&before);
    CHECK(!loop_readable(pool_reactor_fd(old)));
    CHECK(loop_readable(pool_reactor_fd(new)));
    loop_drain_of(new);
    CHECK_TOLD_ONCE(&after, POOL_OK);
    loop_give(&after);
    fx_finish(pool);
    pool_reactor_unref(old);
    pool_reactor_unref(new);
}

TEST(attaching_twice_is_attaching_once)
{
    pool_reactor_t *reactor = pool_reactor_create();
    timed state = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 1, 1, 1, POOL_F_REACTOR);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    int fd = pool_reactor_fd(reactor);
    while (state.checks < 3)
        CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    timed_end(&state, pool);
    CHECK(fcntl(fd, F_GETFD) >= 0);
    pool_reactor_unref(reactor);
    CHECK_INT(fcntl(fd, F_GETFD), -1);
}

static pool_reactor_t *elsewhere;

static bool attach_elsewhere(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)state;
    (void)r;
    if (call == 1)
        CHECK_STATUS(pool_reactor_attach(elsewhere, pool), POOL_OK);
    return true;
}

TEST(a_healthcheck_attaches_its_pool_to_another_reactor)
{
    pool_reactor_t *reactor = pool_reactor_create();
    elsewhere = pool_reactor_create();
    timed state = TIMED_INIT;
    state.healthcheck = attach_elsewhere;
    pool_t *pool = timed_pool(&state, 1, 1, 1, POOL_F_REACTOR);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    while (state.checks == 0)
        CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    CHECK_INT(pool_reactor_next_timeout(reactor), -1);
    while (state.checks < 3)
        CHECK_STATUS(pool_reactor_dispatch(elsewhere), POOL_OK);
    timed_end(&state, pool);
    pool_reactor_unref(reactor);
    pool_reactor_unref(elsewhere);
}

TEST(attaching_moves_the_healthchecks)
{
    timed state = TIMED_INIT;
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *pool = timed_pool(&state, 1, 1, 1, POOL_F_REACTOR);
    CHECK_INT(pool_reactor_next_timeout(reactor), -1);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    WAIT_FOR(pool_reactor_next_timeout(reactor) == 0);
    while (state.checks < 3)
        CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    timed_end(&state, pool);
    CHECK_INT(pool_reactor_next_timeout(reactor), -1);
    pool_reactor_unref(reactor);
}

/* ---- a loop that sleeps ---- */

typedef struct other_thread {
    pool_reactor_t *reactor;
    pool_t *pool;
    told op;
    int64_t timeout_ms;
    timed state;
} other_thread;

static void *begin_op(void *arg)
{
    other_thread *o = arg;
    loop_acquire_on(o->reactor, o->pool, &o->op, o->timeout_ms);
    return NULL;
}

/* The loop was told to sleep for ever; then another thread begins an op with a deadline. */
TEST(an_earlier_deadline_from_another_thread_wakes_the_loop)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    other_thread later = {.reactor = pool_reactor_create(), .pool = pool, .timeout_ms = 3600000};
    other_thread soon = {.reactor = later.reactor, .pool = pool, .timeout_ms = 50};
    int fd = pool_reactor_fd(later.reactor);
    CHECK_INT(pool_reactor_next_timeout(later.reactor), -1);
    check_join(check_thread(begin_op, &later));
    CHECK(!loop_readable(fd));
    CHECK(pool_reactor_next_timeout(later.reactor) > 50);
    check_join(check_thread(begin_op, &soon));
    while (!soon.op.times) {
        CHECK(loop_poll(fd, -1));
        CHECK_STATUS(pool_reactor_dispatch(later.reactor), POOL_OK);
    }
    CHECK_TOLD_ONCE(&soon.op, POOL_ERR_TIMEOUT);
    CHECK_INT(later.op.times, 0);
    CHECK(!loop_readable(fd));
    fx_give(pool, r);
    loop_drain_of(later.reactor);
    CHECK_TOLD_ONCE(&later.op, POOL_OK);
    loop_give(&later.op);
    pool_reactor_unref(later.reactor);
    fx_finish(pool);
}

TEST(a_later_deadline_from_another_thread_lets_it_sleep)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    other_thread later = {.reactor = pool_reactor_create(), .pool = pool, .timeout_ms = 7200000};
    told first = {0};
    loop_acquire_on(later.reactor, pool, &first, 3600000);
    CHECK(pool_reactor_next_timeout(later.reactor) > 0);
    check_join(check_thread(begin_op, &later));
    CHECK(!loop_readable(pool_reactor_fd(later.reactor)));
    CHECK_STATUS(pool_close(pool), POOL_OK);
    loop_drain_of(later.reactor);
    CHECK_TOLD_ONCE(&first, POOL_ERR_CLOSED);
    CHECK_TOLD_ONCE(&later.op, POOL_ERR_CLOSED);
    pool_reactor_unref(later.reactor);
    fx_give(pool, r);
    fx_finish(pool);
}

static void *attach_pool(void *arg)
{
    other_thread *o = arg;
    o->pool = timed_pool(&o->state, 1, 1, 5, POOL_F_REACTOR);
    CHECK_STATUS(pool_reactor_attach(o->reactor, o->pool), POOL_OK);
    return NULL;
}

TEST(a_pool_attached_by_another_thread_is_checked_by_a_loop_that_slept)
{
    other_thread o = {.reactor = pool_reactor_create(), .state = TIMED_INIT};
    CHECK_INT(pool_reactor_next_timeout(o.reactor), -1);
    int fd = pool_reactor_fd(o.reactor);
    check_join(check_thread(attach_pool, &o));
    int64_t timeout = pool_reactor_next_timeout(o.reactor);
    CHECK(timeout >= 0 && timeout <= 6);
    while (o.state.checks < 3) {
        CHECK(loop_poll(fd, -1));
        CHECK_STATUS(pool_reactor_dispatch(o.reactor), POOL_OK);
    }
    timed_end(&o.state, o.pool);
    pool_reactor_unref(o.reactor);
}

TEST(two_hundred_pools_one_descriptor)
{
    enum { POOLS = 200 };
    static pool_t *pools[POOLS];
    static told holds[POOLS], waits[POOLS], late[POOLS];
    pool_reactor_t *reactor = pool_reactor_create();
    fx.quiet = true;
    pools[0] = loop_pool(0, 0, 1);
    pool_reactor_attach(reactor, pools[0]);
    int fd = pool_reactor_fd(reactor), fds = process_descriptors();
    for (int i = 0; i < POOLS; i++) {
        if (i > 0)
            pools[i] = loop_pool(0, 0, 1);
        CHECK_STATUS(pool_reactor_attach(reactor, pools[i]), POOL_OK);
        loop_acquire(pools[i], &holds[i], 0);
        loop_acquire(pools[i], &waits[i], 3600000);
        loop_acquire(pools[i], &late[i], 1 + i % 50);
        CHECK_INT(pool_fd(pools[i]), fd);
    }
    CHECK_INT(process_descriptors(), fds);
    loop_drain_of(reactor);
    for (int i = 0; i < POOLS; i++) {
        CHECK_TOLD_ONCE(&holds[i], POOL_OK);
        loop_until_told_of(reactor, &late[i]);
        CHECK_TOLD_ONCE(&late[i], POOL_ERR_TIMEOUT);
        CHECK_INT(waits[i].times, 0);
    }
    for (int i = 0; i < POOLS; i++) {
        loop_give(&holds[i]);
        CHECK_INT(loop_turn_of(reactor), 1);
        CHECK_TOLD_ONCE(&waits[i], POOL_OK);
        loop_give(&waits[i]);
        pool_unref(pools[i]);
    }
    CHECK_INT(pool_reactor_next_timeout(reactor), -1);
    CHECK(!loop_readable(fd));
    pool_reactor_unref(reactor);
    CHECK_INT(fx_live(), 0);
}

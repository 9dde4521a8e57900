/*
 * A loop that sleeps hears of every deadline, whoever has asked, dispatched or acquired meanwhile: the descriptor
 * shows time. The loops here sleep until it is readable, for ever if need be; the watchdog finds one that is not
 * woken. What is far is minutes away, what is near a few milliseconds.
 */
#include "loop.h"
#include "process.h"
#include "timed.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/select.h>

enum { FAR = 3600000, NEAR = 30 };

/* ---- a loop on a thread of its own ---- */

typedef struct sleeper {
    pool_t *pool;
    told *until; /* it ends when this was told */
    _Atomic int64_t asked;
    atomic_bool sleeps;
} sleeper;

static void *sleep_for_ever(void *arg)
{
    sleeper *s = arg;
    int fd = pool_fd(s->pool);
    s->asked = pool_next_timeout(s->pool);
    while (!s->until->times) {
        s->sleeps = true;
        CHECK(loop_poll(fd, -1));
        CHECK_STATUS(pool_dispatch(s->pool), POOL_OK);
    }
    return NULL;
}

/* As many threads do as there are calls; each ends before the next begins. */
static void *ask(void *pool)
{
    CHECK(pool_fd(pool) >= 0);
    CHECK(pool_next_timeout(pool) >= -1);
    return NULL;
}

static void *dispatch(void *pool)
{
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    return NULL;
}

static void *ask_and_dispatch(void *pool)
{
    ask(pool);
    dispatch(pool);
    ask(pool);
    return NULL;
}

/* A loop sleeps: for ever, or for hours because of a far deadline. Others do what they do, here or on another thread;
 * then a near deadline is set here. */
static void hears_of_a_nearer_deadline(void *(*here)(void *), void *(*there)(void *), bool far)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told near = {0}, later = {0};
    sleeper s = {.pool = pool, .until = &near};
    if (far)
        loop_acquire(pool, &later, FAR);
    pthread_t loop = check_thread(sleep_for_ever, &s);
    WAIT_FOR(s.sleeps);
    CHECK(far ? s.asked > NEAR : s.asked == -1);
    if (here)
        here(pool);
    if (there)
        check_join(check_thread(there, pool));
    loop_acquire(pool, &near, NEAR);
    check_join(loop);
    CHECK_TOLD_ONCE(&near, POOL_ERR_TIMEOUT);
    CHECK(pthread_equal(near.thread, loop));
    fx_give(pool, r);
    loop_drain(pool);
    if (far)
        loop_give(&later);
    fx_finish(pool);
}

TEST(after_nobody_else_has_asked) { hears_of_a_nearer_deadline(NULL, NULL, false); }
TEST(after_who_acquires_has_asked) { hears_of_a_nearer_deadline(ask, NULL, false); }
TEST(after_another_thread_has_asked) { hears_of_a_nearer_deadline(NULL, ask, false); }
TEST(after_who_acquires_has_dispatched) { hears_of_a_nearer_deadline(dispatch, NULL, false); }
TEST(after_another_thread_has_dispatched) { hears_of_a_nearer_deadline(NULL, dispatch, false); }
TEST(after_both_have_done_both) { hears_of_a_nearer_deadline(ask_and_dispatch, ask_and_dispatch, false); }
TEST(before_a_far_one_after_who_acquires_has_asked) { hears_of_a_nearer_deadline(ask, NULL, true); }
TEST(before_a_far_one_after_another_thread_has_dispatched) { hears_of_a_nearer_deadline(NULL, dispatch, true); }
TEST(before_a_far_one_after_both_have_done_both)
{
    hears_of_a_nearer_deadline(ask_and_dispatch, ask_and_dispatch, true);
}

/* A pool is attached to the reactor on whose answer the loop sleeps. */
TEST(a_loop_that_sleeps_for_ever_hears_of_the_healthchecks_of_a_pool_that_is_attached)
{
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *first = loop_pool(0, 0, 1);
    CHECK_STATUS(pool_reactor_attach(reactor, first), POOL_OK);
    told near = {0};
    sleeper s = {.pool = first, .until = &near};
    pthread_t loop = check_thread(sleep_for_ever, &s);
    WAIT_FOR(s.sleeps);
    timed state = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 1, 1, 1, POOL_F_REACTOR);
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    WAIT_FOR(state.checks >= 3);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    loop_acquire(first, &near, 0);
    check_join(loop);
    CHECK_TOLD_ONCE(&near, POOL_OK);
    loop_give(&near);
    pool_unref(pool);
    fx_finish(first);
    pool_reactor_unref(reactor);
}

/* ---- several loops on one reactor ---- */

static atomic_int served; /* loops that have ended */

static void *serve(void *arg)
{
    sleep_for_ever(arg);
    served++;
    return NULL;
}

TEST(many_deadlines_are_heard_of_by_loops_that_share_a_reactor_and_look_at_nothing_but_the_descriptor)
{
    enum { OPS = 300, LOOPS = 3 };
    static told ops[OPS], last;
    pthread_t loops[LOOPS];
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx.quiet = true;
    sleeper s = {.pool = pool, .until = &last};
    for (int i = 0; i < LOOPS; i++)
        loops[i] = check_thread(serve, &s);
    for (int i = 0; i < OPS; i++) {
        if (i % 7 == 0)
            ask_and_dispatch(pool);
        loop_acquire(pool, &ops[i], 1 + (i * 37) % 60);
    }
    for (int i = 0; i < OPS; i++)
        WAIT_FOR(ops[i].times);
    for (int i = 0; i < OPS; i++)
        CHECK_TOLD_ONCE(&ops[i], POOL_ERR_TIMEOUT);
    loop_acquire(pool, &last, 1);
    WAIT_FOR(last.times);
    fx_give(pool, r);
    while (atomic_load(&served) < LOOPS) { /* whoever serves one sees that it is over */
        told more = {0};
        loop_acquire(pool, &more, 0);
        WAIT_FOR(more.times || served == LOOPS);
        if (!more.times)
            loop_drain(pool);
        loop_give(&more);
    }
    for (int i = 0; i < LOOPS; i++)
        check_join(loops[i]);
    fx_finish(pool);
}

/* ---- what the descriptor is ---- */

TEST(the_descriptor_shows_deadlines_that_were_set_before_it_was_asked_for)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told near = {0}, later = {0};
    loop_acquire(pool, &later, FAR);
    loop_acquire(pool, &near, NEAR);
    while (!near.times) {
        CHECK(loop_poll(pool_fd(pool), -1));
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    }
    CHECK_TOLD_ONCE(&near, POOL_ERR_TIMEOUT);
    CHECK(!loop_readable(pool_fd(pool)));
    fx_give(pool, r);
    loop_drain(pool);
    loop_give(&later);
    fx_finish(pool);
}

/* It was served before its deadline; that the time comes all the same is heard once, by a question or a dispatch. */
static void heard_once(void *(*hear)(void *))
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told near = {0}, later = {0};
    int fd = pool_fd(pool);
    loop_acquire(pool, &near, NEAR);
    loop_acquire(pool, &later, FAR);
    CHECK_STATUS(pool_op_cancel(&near.op), POOL_OK);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_INT(near.times, 1);
    CHECK(loop_poll(fd, -1));
    hear(pool);
    CHECK(!loop_readable(fd));
    fx_give(pool, r);
    loop_drain(pool);
    loop_give(&later);
    fx_finish(pool);
}

TEST(a_deadline_that_was_cleared_is_heard_once_by_who_asks) { heard_once(ask); }
TEST(a_deadline_that_was_cleared_is_heard_once_by_who_dispatches) { heard_once(dispatch); }

/* Whatever steps the wheel takes on the way there are not the loop's. */
TEST(a_loop_wakes_up_once_for_a_deadline)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *lent = fx_take(pool);
    int fd = pool_fd(pool);
    for (int timeout_ms = 70; timeout_ms <= 250; timeout_ms += 60) {
        told t = {0};
        int woken = 0;
        loop_acquire(pool, &t, timeout_ms);
        for (; !t.times; woken++) {
            CHECK(pool_next_timeout(pool) >= 0);
            CHECK(loop_poll(fd, -1));
            CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        }
        CHECK_TOLD_ONCE(&t, POOL_ERR_TIMEOUT);
        CHECK_INT(woken, 1);
    }
    fx_give(pool, lent);
    fx_finish(pool);
}

TEST(the_descriptor_works_inside_an_epoll_set_and_in_select)
{
    pool_t *pool = loop_pool(0, 0, 2);
    int fd = pool_fd(pool), set = epoll_create1(EPOLL_CLOEXEC), outer = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN}, seen;
    CHECK_INT(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event), 0);
    CHECK_INT(epoll_ctl(outer, EPOLL_CTL_ADD, set, &event), 0);
    CHECK_INT(epoll_wait(outer, &seen, 1, 0), 0);
    told a = {0}, b = {0}, near = {0};
    loop_acquire(pool, &a, 0);
    CHECK_INT(epoll_wait(outer, &seen, 1, 0), 1);
    CHECK_INT(epoll_wait(set, &seen, 1, 0), 1);
    loop_drain(pool);
    CHECK_INT(epoll_wait(outer, &seen, 1, 0), 0);
    loop_acquire(pool, &b, 0);
    fd_set read;
    FD_ZERO(&read);
    FD_SET(fd, &read);
    CHECK_INT(select(fd + 1, &read, NULL, NULL, NULL), 1);
    loop_drain(pool);
    loop_acquire(pool, &near, NEAR);
    while (!near.times) {
        CHECK_INT(epoll_wait(outer, &seen, 1, -1), 1);
        FD_SET(fd, &read);
        CHECK_INT(select(fd + 1, &read, NULL, NULL, NULL), 1);
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    }
    CHECK_TOLD_ONCE(&near, POOL_ERR_TIMEOUT);
    CHECK_INT(epoll_wait(outer, &seen, 1, 0), 0);
    loop_give(&a);
    loop_give(&b);
    fx_finish(pool);
    CHECK_INT(epoll_wait(outer, &seen, 1, 0), 0); /* its descriptors are closed, and gone from the set */
    close(set);
    close(outer);
}

TEST(all_that_it_takes_is_closed_by_exec_and_with_the_reactor)
{
    enum { MOST = 256 };
    bool there[MOST];
    fx_finish(fx_pool(0, 0, 1)); /* Go's runtime, which opens a file for a moment while it begins, has begun */
    int before = process_descriptors();
    for (int fd = 0; fd < MOST; fd++)
        there[fd] = fcntl(fd, F_GETFD) >= 0;
    pool_reactor_t *reactor = pool_reactor_create();
    CHECK_INT(process_descriptors(), before);
    CHECK(pool_reactor_fd(reactor) >= 0);
    CHECK(process_descriptors() > before);
    for (int fd = 0; fd < MOST; fd++)
        CHECK(there[fd] || fcntl(fd, F_GETFD) < 0 || fcntl(fd, F_GETFD) & FD_CLOEXEC);
    pool_reactor_unref(reactor);
    CHECK_INT(process_descriptors(), before);
}

/* ---- far times ---- */

TEST(deadlines_at_the_end_of_time_are_far_and_no_more)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    enum { OPS = 8 };
    told ops[OPS];
    memset(ops, 0, sizeof ops);
    for (int i = 0; i < OPS; i++) /* around the last millisecond of the clock */
        loop_acquire(pool, &ops[i], (INT64_MAX - check_now_ns()) / 1000000 - 4 + i);
    int64_t timeout = pool_next_timeout(pool);
    CHECK_INT(timeout, INT32_MAX);
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(loop_turn(pool), 0);
    CHECK(!loop_readable(pool_fd(pool)));
    told near = {0};
    loop_acquire(pool, &near, NEAR);
    loop_until_told(pool, &near);
    CHECK_TOLD_ONCE(&near, POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    loop_drain(pool);
    for (int i = 0; i < OPS; i++)
        CHECK_TOLD_ONCE(&ops[i], POOL_ERR_CLOSED);
    fx_give(pool, r);
    fx_finish(pool);
}

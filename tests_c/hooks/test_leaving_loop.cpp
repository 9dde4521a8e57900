/*
 * Leaving what a dispatch has called, by an exception, by cancellation and by longjmp. The op fails or is tried once
 * more; the others, and the loop, go on. longjmp loses the op and its place, and no more. The end of the thread is in
 * test_async_inside.c. Each case shows R26, E12, P11.
 */
#include "leaving.h"

#include <atomic>
#include <csetjmp>
#include <poll.h>
#include <stdatomic.h>

/* The C headers, in C++. */
#define _Noreturn [[noreturn]]
extern "C" {
#include "loop.h"
}

namespace
{

pool_t *pool;
int left;
const leaving *way;

/* ---- ways ---- */

struct out {
};

void run_and_catch(void (*body)())
{
    try {
        body();
        check_fail(__FILE__, __LINE__, "it did not leave");
    } catch (const out &) {
    }
}

void throw_it() { throw out(); }

void *run_body(void *body)
{
    (*static_cast<void (**)()>(body))();
    return nullptr;
}

void run_on_a_thread(void (*body)()) { check_join(check_thread(run_body, &body)); }

void cancel_thread()
{
    leaving_unmark_stack();
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

jmp_buf place;

void run_and_be_back(void (*body)())
{
    if (setjmp(place) == 0)
        body();
}

void jump() { longjmp(place, 1); }

const leaving by_exception = {run_and_catch, throw_it, false};
const leaving by_cancel = {run_on_a_thread, cancel_thread, false};
const leaving by_longjmp = {run_and_be_back, jump, true};

/* ---- places ---- */

void leave_once()
{
    if (left++ == 0)
        way->leave();
}

bool leave_hook(pool_t *, fx_resource *, int)
{
    leave_once();
    return true;
}

void leave_callback(told *) { leave_once(); }

void dispatch() { pool_dispatch(pool); }

/* Both places can be had, but for the one that is lost. */
void check_places()
{
    for (int i = 0; i < 3; i++) {
        fx_resource *r = fx_take(pool), *other = way->loses_place ? nullptr : fx_take(pool);
        fx_give(pool, r);
        if (other)
            fx_give(pool, other);
    }
}

void finish()
{
    check_places();
    if (!way->loses_place) {
        CHECK_INT(pool_active_count(pool), 0);
        fx_finish(pool);
        return;
    }
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool_idle_count(pool), 0);
    CHECK(fx_live() <= 1);
    exit(0); /* what is lost keeps the pool */
}

void out_of_a_hook(const leaving &by, fx_hook hook, unsigned hooks, uint32_t min)
{
    static told a, b;
    way = &by;
    pool = loop_pool(hooks, min, 2);
    fx.script[hook] = leave_hook;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    way->run(dispatch);
    CHECK_INT(left, 1);
    while (!b.times || (!way->loses_place && !a.times))
        dispatch();
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    if (a.got)
        loop_give(&a);
    finish();
}

void out_of_a_callback(const leaving &by)
{
    static told a, b;
    way = &by;
    pool = loop_pool(0, 2, 2);
    a.then = leave_callback;
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    way->run(dispatch);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_INT(b.times, 0);
    CHECK(loop_readable(pool_fd(pool)));
    dispatch();
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&a); /* it is the callback's already: nothing is lost */
    loop_give(&b);
    CHECK_COUNTS(pool, 2, 0, 0);
    finish();
}

void out_of_a_healthcheck(const leaving &by)
{
    way = &by;
    pool_config_t config = loop_config(FX_WITH_ALL, 2, 2);
    config.flags = POOL_F_REACTOR;
    config.healthcheck_interval_ms = 1;
    pool = loop_pool_of(&config);
    fx.script[FX_HEALTHCHECK] = leave_hook;
    WAIT_FOR(pool_next_timeout(pool) == 0);
    way->run(dispatch);
    CHECK_INT(left, 1);
    while (!way->loses_place && fx.calls[FX_HEALTHCHECK] < 5) /* other passes follow */
        dispatch();
    finish();
}

void *poll_for_ever(void *inside)
{
    static pollfd watched;
    watched = {pool_fd(pool), POLLIN, 0};
    leaving_unmark_stack();
    static_cast<std::atomic<bool> *>(inside)->store(true);
    while (poll(&watched, 1, -1) < 0)
        continue;
    check_fail(__FILE__, __LINE__, "there was nothing to do");
}

} // namespace

/* The loop is outside of the library then: its ops stay in line, and another thread may go on with it. */
TEST(a_loop_that_is_cancelled_in_its_poll_leaves_its_ops_in_line)
{
    std::atomic<bool> inside = false;
    told t = {};
    pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    loop_acquire(pool, &t, 0);
    pthread_t thread = check_thread(poll_for_ever, &inside);
    WAIT_FOR(inside);
    CHECK_INT(pthread_cancel(thread), 0);
    check_join(thread);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    loop_until_told(pool, &t);
    CHECK_TOLD_ONCE(&t, POOL_OK);
    loop_give(&t);
    fx_finish(pool);
}

TEST(an_exception_out_of_the_factory) { out_of_a_hook(by_exception, FX_FACTORY, 0, 0); }
TEST(an_exception_out_of_before_acquire) { out_of_a_hook(by_exception, FX_BEFORE_ACQUIRE, FX_WITH_ACQUIRE, 2); }
TEST(an_exception_out_of_a_callback) { out_of_a_callback(by_exception); }
TEST(an_exception_out_of_a_healthcheck) { out_of_a_healthcheck(by_exception); }

TEST(cancelled_in_the_factory) { out_of_a_hook(by_cancel, FX_FACTORY, 0, 0); }
TEST(cancelled_in_before_acquire) { out_of_a_hook(by_cancel, FX_BEFORE_ACQUIRE, FX_WITH_ACQUIRE, 2); }
TEST(cancelled_in_a_callback) { out_of_a_callback(by_cancel); }
TEST(cancelled_in_a_healthcheck) { out_of_a_healthcheck(by_cancel); }

TEST(longjmp_out_of_the_factory) { out_of_a_hook(by_longjmp, FX_FACTORY, 0, 0); }
TEST(longjmp_out_of_before_acquire) { out_of_a_hook(by_longjmp, FX_BEFORE_ACQUIRE, FX_WITH_ACQUIRE, 2); }
TEST(longjmp_out_of_a_callback) { out_of_a_callback(by_longjmp); }
TEST(longjmp_out_of_a_healthcheck) { out_of_a_healthcheck(by_longjmp); }

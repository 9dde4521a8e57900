/*
 * pool_acquire_async(), pool_fd(), pool_next_timeout(), pool_dispatch(): what is told, when, and
 * when the loop is woken for it. Each case shows E12.
 */
#include "loop.h"
#include "process.h"

#include <fcntl.h>

static bool refuse_with_reason(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    (void)call;
    pool_set_error(pool, 77, "no such host");
    return false;
}

TEST(a_resource_is_made_and_told_by_dispatch_alone)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK_INT(loop_turn(pool), 0);
    loop_acquire(pool, &a, 0);
    CHECK_INT(loop_work(), 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_INT(loop_turn(pool), 2);
    CHECK_STR(fx_log(), "factory(1)");
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(loop_turn(pool), 0);
    loop_give(&a);
    CHECK(!loop_readable(pool_fd(pool)));
    fx_finish(pool);
}

TEST(an_idle_resource_passes_before_acquire_in_dispatch)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 1, 1);
    told a = {0};
    int before = loop_work();
    loop_acquire(pool, &a, 0);
    CHECK_INT(loop_work(), before);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_INT(loop_turn(pool), 2);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 1);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK(!loop_readable(pool_fd(pool)));
    loop_give(&a);
    fx_finish(pool);
}

TEST(an_idle_resource_without_hooks_is_told_by_dispatch_too)
{
    pool_t *pool = loop_pool(0, 1, 1);
    told a = {0};
    loop_acquire(pool, &a, 0);
    CHECK_INT(a.times, 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK_INT(loop_turn(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_give(&a);
    fx_finish(pool);
}

/* The place is taken when the call returns, not when the loop comes round to it. */
TEST(the_place_is_taken_at_once)
{
    pool_t *pool = loop_pool(0, 1, 1);
    told a = {0};
    pool_status_t status;
    loop_acquire(pool, &a, 0);
    CHECK(fx_try(pool, &status) == NULL);
    CHECK_STATUS(status, POOL_EMPTY);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_give(&a);
    fx_finish(pool);
}

TEST(the_descriptor_is_quiet_while_an_op_waits_and_readable_when_a_place_is_free)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire(pool, &a, 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK_INT(loop_turn(pool), 0);
    fx_give(pool, r);
    CHECK_INT(a.times, 0);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK(loop_readable(pool_fd(pool)));
    CHECK(loop_readable(pool_fd(pool))); /* level-triggered */
    CHECK_INT(loop_turn(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_PTR(a.got, r);
    CHECK(!loop_readable(pool_fd(pool)));
    loop_give(&a);
    fx_finish(pool);
}

TEST(outcomes_come_in_order_of_arrival)
{
    enum { OPS = 20 };
    static told ops[OPS];
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < OPS; i++)
        loop_acquire(pool, &ops[i], 0);
    fx_give(pool, r);
    for (int i = 0; i < OPS; i++) {
        CHECK_COUNTS(pool, 1, 0, (uint32_t)(OPS - 1 - i));
        CHECK_INT(loop_turn(pool), 1);
        CHECK_TOLD_ONCE(&ops[i], POOL_OK);
        CHECK(!loop_readable(pool_fd(pool)));
        loop_give(&ops[i]);
    }
    CHECK(!loop_readable(pool_fd(pool)));
    fx_finish(pool);
}

TEST(ops_and_try_share_one_line_also_before_the_first_dispatch)
{
    pool_t *pool = loop_pool(0, 2, 2);
    told a = {0}, b = {0}, c = {0};
    pool_status_t status;
    loop_acquire(pool, &a, 0);
    fx_resource *r = fx_try(pool, &status);
    CHECK_STATUS(status, POOL_OK);
    loop_acquire(pool, &b, 0);
    loop_acquire(pool, &c, 0);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK_INT(b.times + c.times, 0);
    fx_give(pool, r);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&a);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&c, POOL_OK);
    loop_give(&b);
    loop_give(&c);
    fx_finish(pool);
}

TEST(a_deadline_ends_the_wait_not_before_it_has_come)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told soon = {0}, later = {0};
    int64_t start = check_now_ns();
    loop_acquire(pool, &later, 3600000);
    int64_t timeout = pool_next_timeout(pool);
    CHECK(timeout > 0 && timeout <= 3600001); /* it may be early */
    loop_acquire(pool, &soon, 20);
    timeout = pool_next_timeout(pool);
    CHECK(timeout >= 0 && timeout <= 21);
    int64_t until = pool_op_until_ns(&soon.op);
    CHECK(until >= start + 20000000);
    CHECK(!loop_readable(pool_fd(pool)));
    while (!soon.times) {
        loop_turn(pool);
        CHECK(!soon.times || check_now_ns() >= until);
        /* The loop is called in time: at the deadline at most a millisecond of sleep is left. */
        int64_t left = until - check_now_ns();
        CHECK(soon.times || pool_next_timeout(pool) * 1000000 <= (left > 0 ? left : 0) + 2000000);
    }
    CHECK_TOLD_ONCE(&soon, POOL_ERR_TIMEOUT);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK(pool_next_timeout(pool) > 0); /* the other deadline */
    fx_give(pool, r);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&later, POOL_OK);
    CHECK_INT(pool_next_timeout(pool), -1); /* no deadline is left behind */
    loop_give(&later);
    fx_finish(pool);
}

TEST(a_loop_that_sleeps_as_told_wakes_for_a_deadline)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    int64_t start = check_now_ns();
    loop_acquire(pool, &a, 30);
    loop_until_told(pool, &a);
    CHECK(check_now_ns() - start >= 30000000);
    CHECK_TOLD_ONCE(&a, POOL_ERR_TIMEOUT);
    fx_give(pool, r);
    fx_finish(pool);
}

/* Time is not shown by the descriptor. */
TEST(a_deadline_that_has_passed_needs_no_sleep)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0};
    loop_acquire(pool, &a, 1);
    WAIT_FOR(check_now_ns() >= pool_op_until_ns(&a.op) + 2000000);
    CHECK_INT(pool_next_timeout(pool), 0);
    CHECK_INT(loop_turn(pool), 1);
    CHECK_TOLD_ONCE(&a, POOL_ERR_TIMEOUT);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(no_deadline_and_a_huge_one_are_for_ever)
{
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told a = {0}, b = {0};
    loop_acquire(pool, &a, 0);
    CHECK(pool_op_until_ns(&a.op) == INT64_MAX);
    loop_acquire(pool, &b, INT64_MAX);
    int64_t timeout = pool_next_timeout(pool);
    CHECK(timeout == -1 || timeout > 3600000);
    CHECK_INT(loop_turn(pool), 0);
    fx_give(pool, r);
    loop_drain(pool);
    loop_give(&a);
    loop_drain(pool);
    loop_give(&b);
    fx_finish(pool);
}

TEST(a_failed_factory_is_told_with_its_reason_and_the_next_goes_on)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    fx.script[FX_FACTORY] = refuse_with_reason;
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_FACTORY);
    CHECK_TOLD_ONCE(&b, POOL_ERR_FACTORY);
    CHECK(a.order < b.order);
    CHECK_INT(a.code, 77);
    CHECK_STR(a.text, "no such host");
    CHECK_INT(b.code, 77);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(a_refused_resource_is_destroyed_and_another_is_made_in_the_same_dispatch)
{
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 2, 2);
    told a = {0};
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    fx_log_clear();
    loop_acquire(pool, &a, 0);
    CHECK_INT(loop_turn(pool), 6);
    CHECK_STR(fx_log(), "before_acquire(1) destructor(1) before_acquire(2) destructor(2) factory(3)");
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CHECK(!loop_readable(pool_fd(pool)));
    loop_give(&a);
    fx_finish(pool);
}

TEST(errors_that_come_at_once_are_not_told_again)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0};
    CHECK_STATUS(loop_begin(NULL, pool, &a, -1), POOL_ERR_INVALID);
    CHECK_STATUS(loop_begin(NULL, NULL, &a, 0), POOL_ERR_INVALID);
    CHECK_STATUS(pool_acquire_async(pool, NULL, 0, NULL, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_acquire_async(pool, &a.op, 0, NULL, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(loop_begin(NULL, pool, &a, 0), POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(loop_begin(NULL, pool, &a, 0), POOL_ERR_CLOSED);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_CLOSED);
    CHECK(!loop_readable(pool_fd(pool)));
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK_INT(loop_turn(pool), 0);
    CHECK_INT(a.times, 0);
    fx_finish(pool);
}

/* What no loop serves says so, and what to use instead. */
static void says_what_to_use(pool_status_t status)
{
    char text[256];
    CHECK_STATUS(status, POOL_ERR_INVALID);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_INVALID);
    CHECK(strstr(text, "host-driven") != NULL);
    CHECK(strstr(text, "pool_op_acquire()") != NULL);
}

TEST(host_driven_pools_are_refused_with_a_word_of_what_to_use)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    pool_t *pool = loop_pool_of(&config);
    pool_reactor_t *reactor = pool_reactor_create();
    told a = {0};
    int before = process_descriptors();
    says_what_to_use(loop_begin(NULL, pool, &a, 0));
    says_what_to_use(loop_begin(reactor, pool, &a, 0));
    says_what_to_use(pool_reactor_attach(reactor, pool));
    says_what_to_use(pool_dispatch(pool));
    CHECK_INT(pool_fd(pool), -1);
    says_what_to_use(pool_last_error(NULL, NULL, 0));
    CHECK_INT(pool_next_timeout(pool), -1);
    says_what_to_use(pool_last_error(NULL, NULL, 0));
    CHECK_INT(process_descriptors(), before);
    CHECK_INT(a.times, 0);
    pool_unref(pool);
    pool_reactor_unref(reactor);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(null_is_refused)
{
    told a = {0};
    CHECK_STATUS(loop_begin(NULL, NULL, &a, 0), POOL_ERR_INVALID);
    CHECK_STATUS(pool_dispatch(NULL), POOL_ERR_INVALID);
    CHECK_INT(pool_fd(NULL), -1);
    CHECK_INT(pool_next_timeout(NULL), -1);
    CHECK_INT(a.times, 0);
}

/* A burst is served in parts, so that the loop gets its turn in between. */
TEST(a_dispatch_returns_after_some_hundreds_and_leaves_the_descriptor_readable)
{
    enum { OPS = 3000 };
    static told ops[OPS];
    pool_t *pool = loop_pool(0, 0, OPS);
    fx.quiet = true;
    for (int i = 0; i < OPS; i++)
        loop_acquire(pool, &ops[i], 0);
    int parts = 0, done = 0;
    while (loop_readable(pool_fd(pool))) {
        int n = loop_turn(pool);
        CHECK(n < OPS);
        done += n;
        parts++;
    }
    CHECK_INT(done, 2 * OPS);
    CHECK(parts >= 3);
    for (int i = 0; i < OPS; i++) {
        CHECK_TOLD_ONCE(&ops[i], POOL_OK);
        CHECK(i == 0 || ops[i].order > ops[i - 1].order);
        loop_give(&ops[i]);
    }
    fx_finish(pool);
}

/* The host may also just call dispatch, and never ask for a descriptor. */
TEST(a_host_that_only_dispatches_needs_no_descriptor)
{
    pool_t *pool = loop_pool(0, 0, 1);
    told a = {0}, b = {0};
    loop_acquire(pool, &a, 0);
    loop_acquire(pool, &b, 0);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_TOLD_ONCE(&a, POOL_OK);
    loop_give(&a);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_TOLD_ONCE(&b, POOL_OK);
    loop_give(&b);
    fx_finish(pool);
}

TEST(the_descriptor_is_closed_with_the_pool)
{
    pool_t *pool = loop_pool(0, 0, 1);
    int fd = pool_fd(pool);
    CHECK(fd >= 0);
    CHECK_INT(pool_fd(pool), fd);
    fx_finish(pool);
    CHECK_INT(fcntl(fd, F_GETFD), -1);
}

TEST(an_op_may_be_used_again_once_it_is_told)
{
    pool_t *pool = loop_pool(0, 0, 1);
    static told a;
    for (int i = 0; i < 100; i++) {
        memset(&a, 0, sizeof a);
        loop_acquire(pool, &a, i % 2 ? 3600000 : 0);
        CHECK(loop_drain(pool) > 0);
        CHECK_TOLD_ONCE(&a, POOL_OK);
        loop_give(&a);
    }
    fx_finish(pool);
}

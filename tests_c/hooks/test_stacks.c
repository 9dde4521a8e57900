/*
 * Hooks that leave their stack and come back later, in another order than they left. This is what a
 * fiber that suspends inside a hook does; with a Go frame below the hook the process would abort.
 * Each case shows E2, I6.
 */
#include "coroutine.h"
#include "fixture.h"

#include <dlfcn.h>

static bool leave_and_return(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    (void)call;
    if (co_current)
        co_yield ();
    return true;
}

static bool leave_and_refuse(pool_t *pool, fx_resource *r, int call)
{
    leave_and_return(pool, r, call);
    return false;
}

typedef struct {
    pool_t *pool;
    fx_resource *got;
    pool_status_t status;
} borrower;

static void borrow(void *arg)
{
    borrower *b = arg;
    b->got = fx_acquire(b->pool, 0, &b->status);
}

static void give_back(void *arg)
{
    borrower *b = arg;
    fx_give(b->pool, b->got);
}

static void use_the_pool_meanwhile(pool_t *pool)
{
    for (int i = 0; i < 1000; i++)
        fx_give(pool, fx_take(pool));
}

/* Two coroutines are inside a hook; the one that entered first leaves first. */
static void both_leave_in_order_of_entry(void (*body)(void *), borrower *a, borrower *b)
{
    co first, second;
    co_start(&first, body, a);
    co_start(&second, body, b);
    co_resume(&first);
    co_resume(&second);
    CHECK(!first.done && !second.done);
    while (!first.done)
        co_resume(&first);
    while (!second.done)
        co_resume(&second);
}

/* Shows S5. */
TEST(factories_end_in_another_order_than_they_began)
{
    pool_t *pool = fx_pool(0, 0, 4);
    fx.script[FX_FACTORY] = leave_and_return;
    borrower a = {pool, NULL, 0}, b = {pool, NULL, 0};
    both_leave_in_order_of_entry(borrow, &a, &b);
    CHECK_STATUS(a.status, POOL_OK);
    CHECK_STATUS(b.status, POOL_OK);
    use_the_pool_meanwhile(pool);
    fx_give(pool, a.got);
    fx_give(pool, b.got);
    fx_finish(pool);
}

TEST(before_acquire_hooks_end_in_another_order_than_they_began)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 2, 4);
    fx.script[FX_BEFORE_ACQUIRE] = leave_and_return;
    borrower a = {pool, NULL, 0}, b = {pool, NULL, 0};
    both_leave_in_order_of_entry(borrow, &a, &b);
    CHECK_INT(a.got->id, 1);
    CHECK_INT(b.got->id, 2);
    fx_give(pool, a.got);
    fx_give(pool, b.got);
    fx_finish(pool);
}

TEST(before_release_hooks_end_in_another_order_than_they_began)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    borrower a = {pool, fx_take(pool), 0}, b = {pool, fx_take(pool), 0};
    fx.script[FX_BEFORE_RELEASE] = leave_and_return;
    both_leave_in_order_of_entry(give_back, &a, &b);
    CHECK_COUNTS(pool, 2, 0, 0);
    fx_finish(pool);
}

TEST(destructors_end_in_another_order_than_they_began)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    borrower a = {pool, fx_take(pool), 0}, b = {pool, fx_take(pool), 0};
    fx.script[FX_BEFORE_RELEASE] = leave_and_refuse; /* each is left twice: here and in the destructor */
    fx.script[FX_DESTRUCTOR] = leave_and_return;
    both_leave_in_order_of_entry(give_back, &a, &b);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* Shows S5. */
TEST(a_third_coroutine_borrows_while_two_are_inside_hooks)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 2, 4);
    fx_resource *idle = fx_take(pool), *other = fx_take(pool);
    fx_give(pool, idle);
    fx_give(pool, other);
    fx.script[FX_BEFORE_ACQUIRE] = leave_and_return;
    borrower a = {pool, NULL, 0}, b = {pool, NULL, 0}, c = {pool, NULL, 0};
    co first, second, third;
    co_start(&first, borrow, &a);
    co_start(&second, borrow, &b);
    co_start(&third, borrow, &c);
    co_resume(&first);
    co_resume(&second);
    co_resume(&third); /* nothing idle is left: it creates, which does not leave the stack */
    CHECK(third.done);
    CHECK_COUNTS(pool, 0, 3, 0);
    co_resume(&second);
    co_resume(&first);
    fx_give(pool, a.got);
    fx_give(pool, b.got);
    fx_give(pool, c.got);
    fx_finish(pool);
}

/* While a coroutine stays away inside a hook, its place is taken; the pool goes on with the others. */
TEST(a_coroutine_that_stays_in_a_hook_costs_its_place_and_no_more)
{
    static co lost;
    static borrower a;
    pool_t *pool = fx_pool(0, 0, 2);
    fx.script[FX_FACTORY] = leave_and_return;
    a.pool = pool;
    co_start(&lost, borrow, &a);
    co_resume(&lost);
    use_the_pool_meanwhile(pool);
    CHECK_COUNTS(pool, 1, 1, 0);
    pool_status_t status;
    fx_resource *r = fx_take(pool);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    fx_give(pool, r);
    co_resume(&lost); /* it does come back in the end, so that nothing is left */
    fx_give(pool, a.got);
    fx_finish(pool);
}

/* Each call runs on a stack that Go has not seen before. */
static void cycle(void *arg)
{
    pool_t *pool = arg;
    fx_give(pool, fx_take(pool));
}

TEST(a_thousand_stacks_enter_go)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    for (int i = 0; i < 1000; i++) {
        co one;
        co_start(&one, cycle, pool);
        co_resume(&one);
        CHECK(one.done);
    }
    fx_finish(pool);
}

/* In place of the C library's. For the main thread it reads /proc/self/maps, which is a thousand times what a call into
 * Go costs; so the library asks it once for each thread, see bridge/stack.c. A checker's runtime asks on each thread that
 * begins, one of Go's as well: this counts what its own thread asks. */
static _Thread_local int maps_read;

__attribute__((no_sanitize("thread"))) int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    int (*real)(pthread_t, pthread_attr_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_getattr_np");
    maps_read++;
    return real(thread, attr);
}

TEST(entering_go_from_a_coroutine_costs_what_it_costs_from_the_thread)
{
    enum { CALLS = 1000 };
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    fx.quiet = true;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse; /* so that there is something to decide */
    cycle(pool);
    int before = maps_read;
    uint64_t crossings = pool_debug_crossings();
    cycle(pool);
    crossings = pool_debug_crossings() - crossings;
    CHECK(crossings > 0);
    for (int i = 0; i < CALLS; i++) {
        uint64_t start = pool_debug_crossings();
        co one;
        co_start(&one, cycle, pool);
        co_resume(&one);
        CHECK_INT(pool_debug_crossings() - start, crossings);
    }
    CHECK_INT(maps_read, before);
    fx_finish(pool);
}

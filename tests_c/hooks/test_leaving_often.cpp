/*
 * Leaving by exceptions out of every place in turn, ten thousand times: nothing grows, and the pool is as it was.
 * Out of what holds no place, by longjmp as well. Each case shows R26, P11.
 */
#include <csetjmp>
#include <atomic>
#include <cstdio>
#include <stdatomic.h>

/* The C headers, in C++. */
#define _Noreturn [[noreturn]]
extern "C" {
#include "loop.h"
#include "process.h"
#include "watcher.h"
}

namespace
{

enum { TIMES = 10000 / CHECK_SLOWDOWN, WARM = TIMES / 10 };

pool_t *pool;
int left;
bool done;

struct out {
    char text[100] = "out of here";
};

[[noreturn]] void leave()
{
    left++;
    throw out();
}

/* Each call of body leaves once. */
template <typename Body> void often(Body body)
{
    long kb = 0;
    int i = 0;
    fx.quiet = true;
    for (; i < TIMES && (i <= WARM || check_time_left()); i++) {
        if (i == WARM)
            kb = process_resident_kb();
        try {
            body();
            check_fail(__FILE__, __LINE__, "it did not leave");
        } catch (const out &) {
        }
        CHECK_INT(left, i + 1);
    }
    done = true;
    long grown = process_resident_kb() - kb;
    printf("%d times, %ld KB more\n", i, grown);
    CHECK(!PROCESS_MEMORY_TELLS || grown < 1024);
    memset(fx.script, 0, sizeof fx.script);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK); /* what an op that was left has to be told */
    CHECK_STATUS(pool_set_strategy(pool, nullptr), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    fx_resource *one = fx_take(pool), *two = fx_take(pool);
    fx_give(pool, one);
    fx_give(pool, two);
    fx_finish(pool);
}

bool leave_hook(pool_t *, fx_resource *, int) { leave(); }
bool refuse(pool_t *, fx_resource *, int) { return false; }

bool leave_destructor(pool_t *, fx_resource *r, int)
{
    fx.destroyed++;
    free(r);
    leave();
}

void give_what_is_taken()
{
    fx_resource *r = fx_take(pool);
    atomic_store(&r->owned, 0);
    pool_release(pool, r);
}

void take()
{
    void *r;
    pool_acquire(pool, &r, 0);
}

void leave_report(pool_t *, void *) { leave(); }
void leave_failure(pool_t *, const pool_error_t *, void *) { leave(); }
bool leave_question(pool_t *, void *) { leave(); }

pool_circuit_breaker_strategy_t strategy = {leave_report, leave_failure, leave_question, nullptr, nullptr};

void leave_observer(watcher *, pool_t *, pool_event_kind_t)
{
    if (!done)
        leave();
}

void leave_callback(told *t)
{
    loop_give(t);
    leave();
}

} // namespace

TEST(out_of_the_factory)
{
    pool = fx_pool(0, 0, 2);
    fx.script[FX_FACTORY] = leave_hook;
    often(take);
}

TEST(out_of_the_factory_of_a_creation)
{
    pool = fx_pool(0, 0, 2);
    fx.script[FX_FACTORY] = leave_hook;
    often([] { fx_try_pool(FX_WITH_ALL, 1, 1); });
}

TEST(out_of_before_acquire)
{
    pool = fx_pool(FX_WITH_ACQUIRE, 0, 2);
    fx.script[FX_BEFORE_ACQUIRE] = leave_hook;
    often([] {
        give_what_is_taken(); /* a new one, which is not asked about */
        take();
    });
}

TEST(out_of_before_release)
{
    pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx.script[FX_BEFORE_RELEASE] = leave_hook;
    often(give_what_is_taken);
}

TEST(out_of_the_destructor)
{
    pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx.script[FX_BEFORE_RELEASE] = refuse;
    fx.script[FX_DESTRUCTOR] = leave_destructor;
    often(give_what_is_taken);
}

TEST(out_of_a_destructor_of_close)
{
    pool = fx_pool(0, 0, 2);
    often([] {
        pool_t *other = fx_pool(0, 1, 1);
        fx.script[FX_DESTRUCTOR] = leave_destructor;
        struct drop {
            ~drop()
            {
                fx.script[FX_DESTRUCTOR] = nullptr;
                pool_unref(own);
            }
            pool_t *own;
        } own = {other};
        pool_close(other);
    });
}

TEST(out_of_report_success)
{
    pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    often(give_what_is_taken);
}

TEST(out_of_report_failure)
{
    pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    fx.script[FX_BEFORE_RELEASE] = refuse;
    often(give_what_is_taken);
}

TEST(out_of_should_recover)
{
    pool = fx_pool(0, 0, 2);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    often(take);
}

TEST(out_of_an_observer)
{
    watcher w = {};
    w.script = leave_observer;
    pool = fx_pool(0, 0, 2);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    often(give_what_is_taken);
}

TEST(out_of_a_callback)
{
    pool = loop_pool(0, 0, 2);
    often([] {
        static told t;
        t.times = 0;
        t.then = leave_callback;
        loop_acquire(pool, &t, 0);
        pool_dispatch(pool);
    });
}

TEST(out_of_the_factory_of_a_dispatch)
{
    static told t;
    pool = loop_pool(0, 0, 2);
    fx.script[FX_FACTORY] = leave_hook;
    often([] {
        while (left > 0 && !t.times) /* the one before is told by another dispatch */
            pool_dispatch(pool);
        t.times = 0;
        loop_acquire(pool, &t, 0);
        pool_dispatch(pool);
    });
}

/*
 * The end of a thread: what its thread-local objects and keys do with pools then, also as the thread's first call,
 * and after the Go runtime has let the thread go. Leaves no thread, no runtime thread and no memory behind.
 * Each case shows P19.
 */
#include <atomic>
#include <cstdio>
#include <limits.h>
#include <stdatomic.h>

/* The C headers, in C++. */
#define _Noreturn [[noreturn]]
extern "C" {
#include "fixture.h"
#include "process.h"
}

namespace
{

pool_t *pool;
std::atomic<int> ends;

void use()
{
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_activate(pool), POOL_OK); /* enters Go, whatever the fast path does */
}

/* A pool's whole life. */
void use_another()
{
    pool_t *other = fx_pool(FX_WITH_ALL, 1, 2);
    fx_resource *r = fx_take(other);
    CHECK_STATUS(pool_close(other), POOL_OK);
    fx_give(other, r);
    pool_unref(other);
}

void begin()
{
    fx.quiet = true;
    pool = fx_pool(FX_WITH_ALL, 0, 4);
}

void run(void *(*body)(void *)) { check_join(check_thread(body, nullptr)); }

/* A thousand threads that each end in this way, or fewer on a machine that is busy. */
void leaves_nothing(void *(*body)(void *))
{
    enum { THREADS = 1000, WARM = 100 };
    int threads = 0, done = 0;
    long kb = 0;
    begin();
    for (; done < THREADS && (done <= WARM || check_time_left()); done++) {
        if (done == WARM) {
            threads = process_threads();
            kb = process_resident_kb();
        }
        run(body);
    }
    long grown = process_resident_kb() - kb;
    printf("%d threads, %d and %d at once, %ld KB more\n", done, threads, process_threads(), grown);
    CHECK(process_threads() <= threads + 16);     /* Go may have started some, one for each right to run */
    CHECK(!PROCESS_MEMORY_TELLS || grown < 2048); /* what the runtime keeps for a thread is more than 2 KB */
    fx_finish(pool);
}

/* ---- thread_local ---- */

struct lease {
    lease() : held(fx_take(pool)) {}
    ~lease()
    {
        fx_give(pool, held);
        ends++;
    }
    fx_resource *held;
};

void *hold_for_life(void *arg)
{
    thread_local lease one, two;
    return one.held == two.held ? arg : nullptr;
}

struct at_the_end {
    ~at_the_end()
    {
        use();
        use_another();
        ends++;
    }
    int touched = 0;
};

void *call_at_the_end_only(void *arg)
{
    thread_local at_the_end object;
    object.touched++;
    return arg;
}

/* ---- keys ---- */

pthread_key_t key;

/* After the key of the Go runtime, whose destructor lets the thread go: in a round this one comes later. */
void make_key(void (*destructor)(void *))
{
    pool_unref(fx_pool(FX_WITH_ALL, 0, 1));
    CHECK_INT(pthread_key_create(&key, destructor), 0);
}

/* Comes back in every round that there is; the runtime lets the thread go in between. */
void use_in_each_round(void *rounds)
{
    use();
    use_another();
    ends++;
    if (intptr_t left = (intptr_t)rounds - 1)
        CHECK_INT(pthread_setspecific(key, (void *)left), 0);
}

template <int rounds, bool before> void *with_a_key(void *arg)
{
    if (before)
        use();
    CHECK_INT(pthread_setspecific(key, (void *)(intptr_t)rounds), 0);
    return arg;
}

void wait_in_line(void *)
{
    pool_status_t status;
    CHECK(fx_acquire(pool, 20, &status) == nullptr);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    ends++;
    fx_resource *r = fx_acquire(pool, 0, &status); /* until the other thread gives it back */
    CHECK_STATUS(status, POOL_OK);
    fx_give(pool, r);
    ends++;
}

void *only_wait_at_the_end(void *arg)
{
    CHECK_INT(pthread_setspecific(key, &key), 0);
    return arg;
}

fx_resource *left_behind;

void *end_while_holding(void *arg)
{
    left_behind = fx_take(pool);
    return arg;
}

} // namespace

TEST(leases_are_given_back_by_thread_local_destructors) { leaves_nothing(hold_for_life); }
TEST(the_only_call_is_in_a_thread_local_destructor) { leaves_nothing(call_at_the_end_only); }

TEST(a_key_destructor_uses_pools)
{
    make_key(use_in_each_round);
    leaves_nothing(with_a_key<1, true>);
}

TEST(a_key_destructor_that_comes_before_the_runtimes_uses_pools)
{
    CHECK_INT(pthread_key_create(&key, use_in_each_round), 0);
    leaves_nothing(with_a_key<2, true>);
}

TEST(the_only_call_is_in_a_key_destructor)
{
    make_key(use_in_each_round);
    leaves_nothing(with_a_key<1, false>);
}

TEST(a_key_destructor_uses_pools_in_all_rounds_but_the_last)
{
    make_key(use_in_each_round);
    leaves_nothing(with_a_key<PTHREAD_DESTRUCTOR_ITERATIONS - 1, true>);
}

/* It works. What the runtime keeps for the thread, some 12 KB, stays: its own destructor is not called again. */
TEST(a_key_destructor_uses_pools_in_the_last_round)
{
    make_key(use_in_each_round);
    begin();
    for (int i = 0; i < 100; i++)
        run(with_a_key<PTHREAD_DESTRUCTOR_ITERATIONS, true>);
    CHECK_INT(ends.load(), 100 * PTHREAD_DESTRUCTOR_ITERATIONS);
    fx_finish(pool);
}

TEST(a_key_destructor_waits_in_line)
{
    begin();
    pool_t *wide = pool;
    pool = fx_pool(0, 0, 1);
    make_key(wait_in_line);
    fx_resource *r = fx_take(pool);
    pthread_t thread = check_thread(only_wait_at_the_end, nullptr);
    WAIT_FOR(ends == 1 && pool_waiting_count(pool) == 1);
    fx_give(pool, r);
    check_join(thread);
    CHECK_INT(ends.load(), 2);
    pool_unref(wide);
    fx_finish(pool);
}

TEST(a_thread_that_ends_while_it_holds_leaves_the_resource_lent)
{
    begin();
    for (int i = 0; i < 100; i++) {
        run(end_while_holding);
        CHECK_COUNTS(pool, 0, 1, 0);
        fx_give(pool, left_behind);
        CHECK_COUNTS(pool, 1, 0, 0);
    }
    CHECK_INT(fx.created, 1);
    fx_finish(pool);
}

/*
 * Who gives the processor up, and when: nobody whose call does not block; of those who wait, one that has just handed a
 * place on, a few times; and nobody any more for a while once that has cost a time slice. What is counted is the calls
 * of sched_yield(), which this program has in place of the C library's, and so is the clock.
 */
#include "loop.h"

#include <sys/syscall.h>
#include <unistd.h>

static __thread bool watched;               /* this thread is inside of a call of the library */
static atomic_int yields;                   /* of such threads */
static _Atomic int64_t frozen_ns, slice_ns; /* the time, if it stands still; and how much of it a yield takes */
static _Atomic int64_t lock_ns;             /* how much of it the lock takes, after a yield */
static atomic_int cycles, wanted;           /* so many are done in a yield; and are yet to be done */
static __thread bool yielded;

int sched_yield(void)
{
    if (watched) {
        watched = false;
        yields++;
        frozen_ns += slice_ns;
        wanted = cycles;
        WAIT_FOR(wanted == 0);
        watched = yielded = true;
    }
    return (int)syscall(SYS_sched_yield);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int64_t now = frozen_ns;
    if (now == 0 || clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, t);
    t->tv_sec = now / 1000000000;
    t->tv_nsec = now % 1000000000;
    if (yielded)
        frozen_ns += lock_ns;
    yielded = false;
    return 0;
}

#define WATCHED(call)    \
    do {                 \
        watched = true;  \
        call;            \
        watched = false; \
    } while (0)

enum { THREADS = 8, START_NS = 1000000000 };

static pool_t *pool;

static void *take_and_give(void *unused)
{
    fx_give(pool, fx_take(pool));
    return unused;
}

/* All hand-overs come at the same time, so at the pace of a crowd. */
static void begin(unsigned hooks, uint32_t max)
{
    fx.quiet = true;
    pool = fx_pool(hooks, max, max);
    frozen_ns = START_NS;
}

static void gives_back_in_a_row(unsigned hooks)
{
    fx_resource *held[THREADS];
    pthread_t threads[THREADS];
    begin(hooks, THREADS);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < THREADS; i++)
            held[i] = fx_take(pool);
        for (int i = 0; i < THREADS; i++)
            threads[i] = check_thread(take_and_give, NULL);
        WAIT_FOR(pool_waiting_count(pool) == THREADS);
        for (int i = 0; i < THREADS; i++) {
            pool_status_t status;
            WATCHED(fx_give(pool, held[i]));
            WATCHED(held[i] = fx_try(pool, &status));
            if (held[i])
                fx_give(pool, held[i]);
        }
        for (int i = 0; i < THREADS; i++)
            check_join(threads[i]);
    }
    CHECK_INT(yields, 0);
    fx_finish(pool);
}

TEST(a_release_and_a_try_never_yield) { gives_back_in_a_row(0); }

TEST(a_release_and_a_try_never_yield_with_hooks) { gives_back_in_a_row(FX_WITH_ACQUIRE | FX_WITH_RELEASE); }

/* Inside of the dispatch: hands the place on to a thread. */
static void give_back(told *self) { fx_give(pool, self->got); }

TEST(a_loop_never_yields)
{
    enum { PLACES = 4 };
    fx_resource *held[PLACES];
    told asked[PLACES];
    pthread_t threads[THREADS];
    begin(0, PLACES);
    for (int round = 0; round < 20; round++) {
        memset(asked, 0, sizeof asked);
        for (int i = 0; i < PLACES; i++)
            held[i] = fx_take(pool);
        for (int i = 0; i < PLACES; i++) {
            asked[i].then = give_back;
            WATCHED(loop_acquire(pool, &asked[i], 0));
        }
        for (int i = 0; i < THREADS; i++)
            threads[i] = check_thread(take_and_give, NULL);
        WAIT_FOR(pool_waiting_count(pool) == PLACES + THREADS);
        for (int i = 0; i < PLACES; i++)
            WATCHED(fx_give(pool, held[i]));
        WATCHED(CHECK_STATUS(pool_dispatch(pool), POOL_OK));
        for (int i = 0; i < PLACES; i++)
            CHECK_INT(asked[i].times, 1);
        for (int i = 0; i < THREADS; i++)
            check_join(threads[i]);
    }
    CHECK_INT(yields, 0);
    fx_finish(pool);
}

/* ---- one that waits ---- */

/* Has the place until this program's thread waits for it; in a yield of that one it gives it back and takes it again. */
static void *take_and_give_to_who_waits(void *unused)
{
    fx_resource *r = fx_take(pool);
    do {
        WAIT_FOR(pool_waiting_count(pool) == 1 || wanted > 0);
        for (; wanted > 0; wanted--) {
            fx_give(pool, r);
            r = fx_take(pool);
        }
    } while (pool_waiting_count(pool) == 0);
    fx_give(pool, r);
    return unused;
}

/* Hands the only place to another thread and waits for it; answers how often it yielded. */
static int hand_over_and_wait(fx_resource **held)
{
    int before = yields;
    pthread_t thread = check_thread(take_and_give_to_who_waits, NULL);
    WAIT_FOR(pool_waiting_count(pool) == 1);
    WATCHED(fx_give(pool, *held));
    CHECK_INT(yields, before);
    WATCHED(*held = fx_take(pool));
    check_join(thread);
    return yields - before;
}

/* The only place, after the first hand-over: from there on there is a pace. */
static fx_resource *begin_handing_over(unsigned hooks)
{
    begin(hooks, 1);
    fx_resource *held = fx_take(pool);
    CHECK_INT(hand_over_and_wait(&held), 0);
    return held;
}

static void yields_before_it_stands_in_line(unsigned hooks)
{
    fx_resource *held = begin_handing_over(hooks);
    for (int i = 0; i < 50; i++)
        CHECK_INT(hand_over_and_wait(&held), 4);
    fx_give(pool, held);
    fx_finish(pool);
}

TEST(a_thread_that_has_handed_over_yields_a_few_times_before_it_stands_in_line) { yields_before_it_stands_in_line(0); }
TEST(so_does_one_whose_release_is_asked_for_a_hook) { yields_before_it_stands_in_line(FX_WITH_RELEASE); }
TEST(so_does_one_at_a_pool_with_all_hooks) { yields_before_it_stands_in_line(FX_WITH_ALL); }

TEST(a_thread_that_runs_a_loop_does_not_even_where_it_waits)
{
    fx_resource *held = begin_handing_over(0);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    for (int i = 0; i < 50; i++)
        CHECK_INT(hand_over_and_wait(&held), 0);
    fx_give(pool, held);
    fx_finish(pool);
}

TEST(nobody_yields_where_places_change_hands_seldom)
{
    fx_resource *held = begin_handing_over(0);
    for (int i = 0; i < 50; i++) {
        frozen_ns += 1000000;
        CHECK_INT(hand_over_and_wait(&held), 0);
    }
    fx_give(pool, held);
    fx_finish(pool);
}

TEST(a_yield_that_cost_a_time_slice_is_the_last_for_a_while_and_then_for_twice_as_long)
{
    const int64_t ms = 1000000;
    fx_resource *held = begin_handing_over(0);
    slice_ns = 3 * ms;
    for (int64_t pause = 4 * ms; pause <= 4096 * ms; pause *= 2) {
        CHECK_INT(hand_over_and_wait(&held), 1);
        for (int i = 0; i < 10; i++)
            CHECK_INT(hand_over_and_wait(&held), 0);
        frozen_ns += pause - 1; /* the time is the same in both hand-overs of a round */
        hand_over_and_wait(&held);
        CHECK_INT(hand_over_and_wait(&held), 0);
        frozen_ns += 1;
    }
    CHECK_INT(hand_over_and_wait(&held), 1);
    frozen_ns += 4096 * ms; /* it is the longest */
    slice_ns = 0;
    hand_over_and_wait(&held);
    CHECK_INT(hand_over_and_wait(&held), 4); /* they cost nothing any more */
    slice_ns = 3 * ms;
    CHECK_INT(hand_over_and_wait(&held), 1);
    frozen_ns += 4 * ms; /* and it begins anew */
    hand_over_and_wait(&held);
    fx_give(pool, held);
    fx_finish(pool);
}

TEST(a_long_yield_has_paid_if_the_pool_has_lent_meanwhile)
{
    fx_resource *held = begin_handing_over(0);
    slice_ns = 2000000;
    cycles = 100;
    for (int i = 0; i < 50; i++)
        CHECK_INT(hand_over_and_wait(&held), 4);
    cycles = 90; /* and one lend more, of who was handed the place */
    CHECK_INT(hand_over_and_wait(&held), 1);
    cycles = 0;
    fx_give(pool, held);
    fx_finish(pool);
}

TEST(the_wait_for_the_lock_after_a_yield_is_no_part_of_it)
{
    fx_resource *held = begin_handing_over(0);
    lock_ns = 3000000;
    for (int i = 0; i < 50; i++)
        CHECK_INT(hand_over_and_wait(&held), 4);
    fx_give(pool, held);
    fx_finish(pool);
}

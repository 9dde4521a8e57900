/*
 * 100,000 parked ops: joining, leaving from the middle and a grant cost what they cost among 100,
 * and a burst of 100,000 deadlines does not hold up the loop.
 */
#include "loop.h"

enum { FEW = 100, MANY = 100000, SAMPLES = 50, ROUNDS = 9, WIDE = 4 };

typedef struct costs {
    double join, leave, grant; /* ns each */
} costs;

static told *parked;
static told *granted[SAMPLES];
static int granted_count;
static fx_resource *held;

static void give(told *t)
{
    if (t->status == POOL_OK)
        fx_give(t->pool, t->got);
}

static void pass_on(told *t)
{
    if (t->status != POOL_OK)
        return;
    CHECK(granted_count < SAMPLES);
    granted[granted_count++] = t;
    if (granted_count < SAMPLES)
        fx_give(t->pool, t->got);
    else
        held = t->got;
}

static void park(pool_t *pool, told *t)
{
    memset(t, 0, sizeof *t);
    t->then = pass_on;
    loop_acquire(pool, t, 3600000);
}

/* The best of all rounds: what else a busy machine does meanwhile, to the caches for one, only
 * adds. */
static double best(const double *values)
{
    double least = values[0];
    for (int i = 1; i < ROUNDS; i++)
        least = values[i] < least ? values[i] : least;
    return least;
}

static double each(int64_t start) { return (double)(check_thread_ns() - start) / SAMPLES; }

/* One round at n parked ops; the deadlines are spread, as in life. */
static costs measure_round(pool_t *pool, int n, int round)
{
    static told fresh[SAMPLES];
    costs c;
    memset(fresh, 0, sizeof fresh);
    int64_t start = check_thread_ns();
    for (int i = 0; i < SAMPLES; i++)
        loop_acquire(pool, &fresh[i], 3600000 + i);
    c.join = each(start);

    /* Others each round; what leaves comes back at the end. */
    int first = (n / 2 + round * 7919) % (n - SAMPLES);
    start = check_thread_ns();
    for (int i = 0; i < SAMPLES; i++)
        CHECK_STATUS(pool_op_cancel(&parked[first + i].op), POOL_OK);
    c.leave = each(start);
    for (int i = 0; i < SAMPLES; i++)
        CHECK_STATUS(pool_op_cancel(&fresh[i].op), POOL_OK);
    CHECK_INT(loop_drain(pool), 2 * SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        CHECK_TOLD_ONCE(&parked[first + i], POOL_ERR_CANCELLED);
        park(pool, &parked[first + i]);
    }
    return c;
}

/* A release grants the first in line, which gives back in its callback, and so on; the last keeps
 * it. All go to the end of the line again. */
static double measure_grants(pool_t *pool)
{
    granted_count = 0;
    int64_t start = check_thread_ns();
    fx_give(pool, held);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    double grant = each(start);
    CHECK_INT(granted_count, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        CHECK_TOLD_ONCE(granted[i], POOL_OK);
        park(pool, granted[i]);
    }
    return grant;
}

static costs measure(int n)
{
    double join[ROUNDS], leave[ROUNDS], grant[ROUNDS];
    pool_t *pool = loop_pool(0, 0, 1);
    held = fx_take(pool);
    parked = calloc((size_t)n, sizeof *parked);
    for (int i = 0; i < n; i++)
        park(pool, &parked[i]);
    CHECK_COUNTS(pool, 0, 1, (uint32_t)n);
    for (int round = -1; round < ROUNDS; round++) { /* the first is for warmth */
        int slot = round < 0 ? 0 : round;
        grant[slot] = measure_grants(pool);
        costs c = measure_round(pool, n, slot);
        join[slot] = c.join;
        leave[slot] = c.leave;
    }
    CHECK_COUNTS(pool, 0, 1, (uint32_t)n);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    loop_drain(pool);
    for (int i = 0; i < n; i++)
        CHECK_TOLD_ONCE(&parked[i], POOL_ERR_CLOSED);
    fx_give(pool, held);
    free(parked);
    pool_unref(pool);
    return (costs){best(join), best(leave), best(grant)};
}

TEST(join_leave_and_grant_cost_the_same_at_100_and_at_100000)
{
    fx.quiet = true;
    costs few = measure(FEW), many = measure(MANY);
    printf("ns each at %d / %d parked ops: "
           "join %.0f / %.0f, leave %.0f / %.0f, grant %.0f / %.0f\n",
           FEW, MANY, few.join, many.join, few.leave, many.leave, few.grant, many.grant);
    CHECK(many.join < WIDE * few.join);
    CHECK(many.leave < WIDE * few.leave);
    CHECK(many.grant < WIDE * few.grant);
}

/* ---- a burst of deadlines ---- */

enum { GRANTED = 10000, LATENCY_MS = 5 * (CHECK_SLOWDOWN > 1 ? 10 : 1) };

/* All deadlines have passed when the loop comes round, and 10,000 ops without one are granted one
 * after the other meanwhile. The time of a dispatch is that of its thread: what else a busy machine
 * runs in between is nothing the library can help. */
TEST(a_burst_of_100000_deadlines_is_expired_in_slices_while_10000_ops_are_granted)
{
    fx.quiet = true;
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told *late = calloc(MANY, sizeof *late), *given = calloc(GRANTED, sizeof *given);
    for (int i = 0; i < MANY; i++) {
        loop_acquire(pool, &late[i], 1);
        if (i % (MANY / GRANTED) == 0) {
            told *t = &given[i / (MANY / GRANTED)];
            t->then = give;
            loop_acquire(pool, t, 0);
        }
    }
    WAIT_FOR(check_now_ns() > pool_op_until_ns(&late[MANY - 1].op) + 2000000);
    CHECK_COUNTS(pool, 0, 1, MANY + GRANTED);
    int64_t longest = 0, longest_wall = 0, begin = check_now_ns();
    int turns = 0, most = 0;
    while (pool_waiting_count(pool) > 0 || loop_readable(pool_fd(pool))) {
        if (turns == 20) { /* in the middle of the burst */
            CHECK(pool_waiting_count(pool) > GRANTED);
            fx_give(pool, r);
        }
        int64_t start = check_thread_ns(), start_wall = check_now_ns();
        int before = loop_work();
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        int64_t took = check_thread_ns() - start, took_wall = check_now_ns() - start_wall;
        longest = took > longest ? took : longest;
        longest_wall = took_wall > longest_wall ? took_wall : longest_wall;
        most = loop_work() - before > most ? loop_work() - before : most;
        turns++;
    }
    int64_t all = check_now_ns() - begin;
    for (int i = 0; i < MANY; i++)
        CHECK_TOLD_ONCE(&late[i], POOL_ERR_TIMEOUT);
    for (int i = 0; i < GRANTED; i++)
        CHECK_TOLD_ONCE(&given[i], POOL_OK);
    CHECK(most < MANY / 100);
    printf("%d deadlines and %d grants in %d dispatches of at most %d callbacks, %.1f ms in all; "
           "the longest took %.3f ms of its thread, %.3f ms by the clock\n",
           MANY, GRANTED, turns, most, (double)all / 1e6, (double)longest / 1e6,
           (double)longest_wall / 1e6);
    CHECK(longest <= LATENCY_MS * INT64_C(1000000));
    free(late);
    free(given);
    fx_finish(pool);
}

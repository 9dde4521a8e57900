/*
 * Hundreds of thousands of parked ops. What a join, a leave or a grant costs does not depend on how many wait: one that
 * looked at all of them would take minutes here, and meet the watchdog. What each costs is measured by `make bench`. And
 * a burst of 100,000 deadlines does not hold up the loop: each dispatch runs a bounded number of callbacks.
 * Each case shows E12.
 */
#include "loop.h"

enum { WAITING = 400000 / CHECK_SLOWDOWN };

static told *parked;
static int granted_count;
static fx_resource *held;

static void give(told *t)
{
    if (t->status == POOL_OK)
        fx_give(t->pool, t->got);
}

/* Each gives back in its callback what it got, which goes to the next in line; the last keeps it. */
static void pass_on(told *t)
{
    if (t->status != POOL_OK)
        return;
    CHECK_PTR(t, &parked[2 * granted_count + 1]); /* the others have left */
    if (++granted_count < WAITING / 2)
        fx_give(t->pool, t->got);
    else
        held = t->got;
}

TEST(join_leave_and_grant_do_not_look_at_the_400000_that_wait)
{
    fx.quiet = true;
    pool_t *pool = loop_pool(0, 0, 1);
    held = fx_take(pool);
    parked = calloc(WAITING, sizeof *parked);
    for (int i = 0; i < WAITING; i++) {
        parked[i].then = pass_on;
        loop_acquire(pool, &parked[i], 3600000 + i % 1000); /* the deadlines are spread, as in life */
    }
    CHECK_COUNTS(pool, 0, 1, WAITING);
    /* Every other one leaves, from the middle to the ends, and is waited around. */
    for (int i = 0; i < WAITING / 2; i++) {
        int which = WAITING / 4 + (i % 2 ? i / 2 : -1 - i / 2);
        CHECK_STATUS(pool_op_cancel(&parked[2 * which].op), POOL_OK);
    }
    CHECK_COUNTS(pool, 0, 1, WAITING / 2);
    loop_drain(pool);
    fx_give(pool, held);
    held = NULL;
    loop_drain(pool);
    CHECK(held != NULL);
    CHECK_COUNTS(pool, 0, 1, 0);
    for (int i = 0; i < WAITING; i++)
        CHECK_TOLD_ONCE(&parked[i], i % 2 ? POOL_OK : POOL_ERR_CANCELLED);
    fx_give(pool, held);
    free(parked);
    fx_finish(pool);
}

/* ---- a burst of deadlines ---- */

enum { MANY = 100000, GRANTED = 10000 };

/* All deadlines have passed when the loop comes round, and 10,000 ops without one are granted one
 * after the other meanwhile. */
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
    int turns = 0, most = 0;
    while (pool_waiting_count(pool) > 0 || loop_readable(pool_fd(pool))) {
        if (turns == 20) { /* in the middle of the burst */
            CHECK(pool_waiting_count(pool) > GRANTED);
            fx_give(pool, r);
        }
        int before = loop_work();
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        most = loop_work() - before > most ? loop_work() - before : most;
        turns++;
    }
    for (int i = 0; i < MANY; i++)
        CHECK_TOLD_ONCE(&late[i], POOL_ERR_TIMEOUT);
    for (int i = 0; i < GRANTED; i++)
        CHECK_TOLD_ONCE(&given[i], POOL_OK);
    printf("%d deadlines and %d grants in %d dispatches of at most %d callbacks\n", MANY, GRANTED, turns, most);
    CHECK(most < MANY / 100);
    free(late);
    free(given);
    fx_finish(pool);
}

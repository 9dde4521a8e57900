/*
 * Healthchecks and what seldom happens to them: a pool that is closed before its creation has come back, or while
 * its pass stands in a loop's queue; a thread of the library that ends in a pass while another has nothing to do.
 */
#include "timed.h"
#include "watcher.h"

/* Pools in which nothing may be checked are watched while another one has so many passes of the same interval. */
enum { PASSES = 20 };

/* ---- closed within the creation ---- */

static watcher closers[2]; /* one for each pool */
static int closing;

static void close_pool(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self;
    if (kind == POOL_EVENT_AVAILABLE)
        CHECK_STATUS(pool_close(pool), POOL_OK);
}

/* The creation's last step tells this observer that a place is free. */
static bool bring_closer(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)state, (void)r, (void)call;
    closers[closing].script = close_pool;
    CHECK_STATUS(watcher_add(&closers[closing], pool), POOL_OK);
    return true;
}

static pool_t *closed_within_its_creation(timed *state, uint32_t interval_ms, uint32_t flags)
{
    state->factory = bring_closer;
    pool_t *pool = timed_pool(state, 1, 1, interval_ms, flags);
    CHECK(pool_is_closed(pool));
    CHECK_TOLD(&closers[closing], 1, 1);
    closing++;
    if (flags & POOL_F_REACTOR)
        CHECK_INT(pool_next_timeout(pool), -1);
    return pool;
}

static void check_closed_within_the_creation(uint32_t flags)
{
    timed state = TIMED_INIT, ended = TIMED_INIT, clock = TIMED_INIT;
    pool_t *pool = closed_within_its_creation(&state, 1, flags);
    timed_end(&ended, closed_within_its_creation(&ended, 1000, flags)); /* long before a pass of it could be due */
    pool_t *other = timed_clock(&clock);
    timed_passes(&clock, PASSES);
    CHECK_INT(state.checks, 0);
    timed_end(&state, pool);
    CHECK_INT(pool_debug_live(), 1);
    timed_end(&clock, other);
}

TEST(a_pool_that_is_closed_within_its_creation_is_not_checked) { check_closed_within_the_creation(0); }

TEST(a_pool_that_is_closed_within_its_creation_is_not_checked_by_its_loop)
{
    check_closed_within_the_creation(POOL_F_REACTOR);
}

/* ---- closed while the pass is in the queue ---- */

static int told;

static void close_then_release(pool_op_t *op, pool_status_t status, void *resource, void *pool)
{
    (void)op;
    told++;
    CHECK_STATUS(status, POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool_next_timeout(pool), -1); /* nothing is in the queue any more */
    CHECK_STATUS(pool_release(pool, resource), POOL_OK);
}

TEST(a_pass_that_stands_in_the_queue_is_forgotten_when_the_pool_is_closed)
{
    timed state = TIMED_INIT, clock = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 1, 1, 1, POOL_F_REACTOR), *other = timed_clock(&clock);
    pool_op_t op;
    CHECK_STATUS(pool_acquire_async(pool, &op, 0, close_then_release, pool), POOL_PENDING);
    timed_passes(&clock, PASSES);               /* now a pass is due, too: */
    CHECK_STATUS(pool_dispatch(pool), POOL_OK); /* this one queues it behind the op */
    CHECK_INT(told, 1);
    CHECK_INT(pool_next_timeout(pool), -1);
    CHECK_INT(state.checks, 0);
    timed_end(&state, pool);
    CHECK_INT(pool_debug_live(), 1);
    timed_end(&clock, other);
}

/* ---- a thread that ends in a pass ---- */

static check_gate leaving = CHECK_GATE_INIT, staying = CHECK_GATE_INIT;
static atomic_int left_checks;

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

static bool leave_once(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    if (atomic_fetch_add(&left_checks, 1) == 0) {
        check_gate_pass(&leaving);
        pthread_exit(NULL);
    }
    return true;
}

static bool stay(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    check_gate_pass(&staying);
    return true;
}

static void *close_it(void *pool)
{
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return NULL;
}

/* Two threads have a pass each. The second one's pool is closed, so that it has nothing to do when the first ends. */
TEST(who_has_nothing_to_do_goes_on_for_a_thread_that_ends_in_a_healthcheck)
{
    pool_t *left = pool_create_internal(make, NULL, leave_once, NULL, NULL, 1, 1, 1);
    WAIT_FOR(check_gate_waiting(&leaving) == 1);
    pool_t *stays = pool_create_internal(make, NULL, stay, NULL, NULL, 1, 1, 1);
    WAIT_FOR(check_gate_waiting(&staying) == 1);
    pthread_t thread = check_thread(close_it, stays);
    WAIT_FOR(pool_is_closed(stays));
    check_gate_open(&staying);
    check_join(thread);
    check_gate_open(&leaving);
    WAIT_FOR(left_checks > 2);
    pool_unref(stays);
    pool_unref(left);
    CHECK_INT(pool_debug_live(), 0);
}

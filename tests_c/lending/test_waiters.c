/*
 * Waiting in line: who parks, in which order the line is served, how a caller leaves it early and
 * what a deadline means. What happens between a wake-up and the woken caller's first step is in
 * test_reservation.c.
 */
#include "fixture.h"

/* Still running when a limit of 1 ms is long over. */
static bool slow(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    int64_t end = check_now_ns() + 5 * 1000000;
    WAIT_FOR(check_now_ns() >= end);
    return true;
}

static int finished(fx_caller *callers, int n)
{
    int done = 0;
    for (int i = 0; i < n; i++)
        done += atomic_load(&callers[i].done);
    return done;
}

/* Passes r down the line: each caller in turn must be the one that gets what is given back. */
static void serve_in_order(pool_t *pool, fx_resource *r, fx_caller *callers, int n)
{
    for (int i = 0; i < n; i++) {
        fx_give(pool, r);
        WAIT_FOR(finished(callers, n) > i);
        if (!atomic_load(&callers[i].done))
            check_fail(__FILE__, __LINE__, "caller %d was overtaken", i + 1);
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_OK);
        r = callers[i].got;
    }
    fx_give(pool, r);
}

TEST(b77_acquire_parks_at_max_and_resumes_on_release)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller caller;
    fx_start_waiting(&caller, pool, 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK(!atomic_load(&caller.done));

    fx_give(pool, r);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_OK);
    CHECK_PTR(caller.got, r);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(fx.created, 1);
    fx_give(pool, caller.got);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(b78_every_waiter_is_served_by_the_one_resource)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller callers[3];
    for (int i = 0; i < 3; i++)
        fx_start_waiting(&callers[i], pool, 0);
    CHECK_COUNTS(pool, 0, 1, 3);
    serve_in_order(pool, r, callers, 3);
    for (int i = 0; i < 3; i++)
        CHECK_PTR(callers[i].got, r);
    CHECK_INT(fx.created, 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

typedef struct crowd {
    pool_t *pool;
    int width; /* holders that must be seen at once before anybody gives back */
    atomic_int inside, peak, processed;
} crowd;

static void *hold_together(void *arg)
{
    crowd *c = arg;
    fx_resource *r = fx_take(c->pool);
    int inside = atomic_fetch_add(&c->inside, 1) + 1, peak = atomic_load(&c->peak);
    while (inside > peak && !atomic_compare_exchange_weak(&c->peak, &peak, inside))
        ;
    WAIT_FOR(atomic_load(&c->peak) >= c->width);
    atomic_fetch_sub(&c->inside, 1);
    fx_give(c->pool, r);
    atomic_fetch_add(&c->processed, 1);
    return NULL;
}

static void check_crowd(int workers, int max)
{
    crowd c = {.pool = fx_pool(0, 0, (uint32_t)max), .width = max};
    pthread_t threads[16];
    for (int i = 0; i < workers; i++)
        threads[i] = check_thread(hold_together, &c);
    for (int i = 0; i < workers; i++)
        check_join(threads[i]);
    CHECK_INT(c.peak, max);
    CHECK_INT(c.processed, workers);
    CHECK_INT(fx.created, max);
    CHECK_INT(fx.peak, max);
    CHECK_COUNTS(c.pool, (uint32_t)max, 0, 0);
    fx_finish(c.pool);
}

TEST(b79_five_workers_hold_two_resources_at_most) { check_crowd(5, 2); }
TEST(b79_ten_tasks_share_three_resources) { check_crowd(10, 3); }

TEST(b80_threads_are_served_in_order_of_arrival)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller callers[6];
    for (int i = 0; i < 6; i++)
        fx_start_waiting(&callers[i], pool, 0);
    serve_in_order(pool, r, callers, 6);
    fx_finish(pool);
}

/* A waiter that moves only when the test lets it: an op on the test's own thread. */
typedef struct waiter {
    pool_op_t op;
    pool_ask_t ask;
} waiter;

static pool_ask_kind_t begin(waiter *w, pool_t *pool)
{
    w->ask = (pool_ask_t)POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &w->op, 0), POOL_OK);
    return pool_op_next(&w->op, NULL, &w->ask);
}

static pool_ask_kind_t go_on(waiter *w)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    return pool_op_next(&w->op, &answer, &w->ask);
}

TEST(b80_six_that_come_back_three_times_keep_their_order)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w[6];
    uint64_t ticket = 0;
    for (int i = 0; i < 6; i++) {
        CHECK_INT(begin(&w[i], pool), POOL_ASK_WAIT);
        CHECK(w[i].ask.ticket > ticket);
        ticket = w[i].ask.ticket;
    }
    fx_give(pool, r);
    for (int turn = 0; turn < 18; turn++) {
        for (int i = 0; i < 6; i++)
            CHECK_INT(go_on(&w[i]), i == turn % 6 ? POOL_ASK_DONE : POOL_ASK_WAIT);
        waiter *mine = &w[turn % 6];
        CHECK_STATUS(mine->ask.status, POOL_OK);
        CHECK_PTR(mine->ask.resource, r);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
        CHECK_INT(begin(mine, pool), POOL_ASK_WAIT);
    }
    for (int i = 0; i < 6; i++)
        CHECK_STATUS(pool_op_cancel(&w[i].op), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static int turns[8];
static int turn_count; /* only touched by who holds the one resource */
static atomic_int looped;

typedef struct looper {
    pool_t *pool;
    int name;
} looper;

/* Gives back only when the other stands in line, then asks again at once. */
static void *take_turns(void *arg)
{
    looper *me = arg;
    for (int i = 0; i < 3; i++) {
        fx_resource *r = fx_take(me->pool);
        turns[turn_count++] = me->name;
        WAIT_FOR(pool_waiting_count(me->pool) == 1 || atomic_load(&looped));
        fx_give(me->pool, r);
    }
    atomic_store(&looped, 1);
    return NULL;
}

static void check_alternation(unsigned hooks, int created)
{
    pool_t *pool = fx_pool(hooks, 0, 1);
    fx_resource *r = fx_take(pool);
    looper loopers[2] = {{pool, 0}, {pool, 1}};
    pthread_t threads[2];
    for (uint32_t i = 0; i < 2; i++) {
        threads[i] = check_thread(take_turns, &loopers[i]);
        WAIT_FOR(pool_waiting_count(pool) == i + 1);
    }
    fx_give(pool, r);
    for (int i = 0; i < 2; i++)
        check_join(threads[i]);
    CHECK_INT(turn_count, 6);
    for (int i = 0; i < 6; i++)
        CHECK_INT(turns[i], i % 2);
    CHECK_INT(fx.created, created);
    CHECK_INT(fx.peak, 1);
    fx_finish(pool);
}

TEST(b81_the_releaser_cannot_take_its_own_place_back) { check_alternation(0, 1); }

TEST(b82_a_freed_place_for_a_new_resource_alternates_too)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    check_alternation(FX_WITH_RELEASE, 7); /* the test's own first one, then one a turn */
}

TEST(b83_a_refused_release_wakes_a_waiter_which_creates)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse_first;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller callers[2];
    fx_start_waiting(&callers[0], pool, 0);
    fx_start_waiting(&callers[1], pool, 0);
    serve_in_order(pool, r, callers, 2);
    CHECK_PTR(callers[1].got, callers[0].got);
    CHECK_STR(fx_log(), "factory(1) before_release(1) destructor(1) factory(2) before_release(2) "
                        "before_release(2)");
    fx_finish(pool);
}

#define CYCLES (240 / CHECK_SLOWDOWN)
static _Atomic uint64_t turn_of[16 * CYCLES + 1]; /* by ticket */

/* pool_acquire() written out, so that ticket and turn can be read. */
static void *cycle(void *arg)
{
    pool_t *pool = arg;
    for (int i = 0; i < CYCLES; i++) {
        pool_op_t op;
        pool_ask_t ask = POOL_ASK_INIT;
        pool_answer_t answer = POOL_ANSWER_INIT;
        CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
        for (pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask); kind != POOL_ASK_DONE;
             kind = pool_op_next(&op, &answer, &ask)) {
            if (kind == POOL_ASK_CREATE)
                answer.ok = pool->factory.internal(pool, &answer.resource);
            else
                CHECK_STATUS(pool_op_wait(&op, ask.until_ns), POOL_OK);
        }
        CHECK_STATUS(ask.status, POOL_OK);
        CHECK(ask.ticket <= 16 * CYCLES);
        CHECK((ask.ticket == 0) == (ask.turn == 0));
        atomic_store(&turn_of[ask.ticket], ask.turn);
        sched_yield();
        CHECK_STATUS(pool_release(pool, ask.resource), POOL_OK);
    }
    return NULL;
}

TEST(b84_sixteen_threads_over_five_places_are_granted_strictly_by_ticket)
{
    pool_t *pool = fx_pool(0, 0, 5);
    fx_resource *held[5];
    pthread_t threads[16];
    for (int i = 0; i < 5; i++)
        held[i] = fx_take(pool);
    for (int i = 0; i < 16; i++)
        threads[i] = check_thread(cycle, pool);
    WAIT_FOR(pool_waiting_count(pool) == 16);
    for (int i = 0; i < 5; i++)
        fx_give(pool, held[i]);
    for (int i = 0; i < 16; i++)
        check_join(threads[i]);

    uint64_t last = 0;
    int waited = 0;
    for (int ticket = 1; ticket <= 16 * CYCLES; ticket++) {
        uint64_t turn = atomic_load(&turn_of[ticket]);
        if (turn == 0)
            continue; /* fewer waited than came */
        if (turn <= last)
            check_fail(__FILE__, __LINE__, "ticket %d had turn %" PRIu64 " after turn %" PRIu64, ticket, turn, last);
        last = turn;
        waited++;
    }
    CHECK(waited >= 16);
    CHECK_INT(fx.created, 5);
    CHECK_COUNTS(pool, 5, 0, 0);
    fx_finish(pool);
}

TEST(b97_leaving_the_middle_of_the_line_changes_nothing_for_the_others)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller first[1], third[1];
    waiter second;
    fx_start_waiting(first, pool, 0);
    CHECK_INT(begin(&second, pool), POOL_ASK_WAIT);
    fx_start_waiting(third, pool, 0);
    CHECK_COUNTS(pool, 0, 1, 3);

    CHECK_STATUS(pool_op_cancel(&second.op), POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 2);
    CHECK_INT(go_on(&second), POOL_ASK_DONE);
    CHECK_STATUS(second.ask.status, POOL_ERR_CANCELLED);
    CHECK_PTR(second.ask.resource, NULL);
    CHECK(!atomic_load(&first->done) && !atomic_load(&third->done));

    fx_give(pool, r);
    fx_join(first);
    CHECK_PTR(first->got, r);
    CHECK(!atomic_load(&third->done));
    fx_give(pool, first->got);
    fx_join(third);
    CHECK_PTR(third->got, r);
    fx_give(pool, third->got);
    fx_finish(pool);
}

TEST(a_thread_cancelled_in_line_leaves_it)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller gone, next;
    fx_start_waiting(&gone, pool, 0);
    fx_start_waiting(&next, pool, 0);
    CHECK_INT(pthread_cancel(gone.thread), 0);
    fx_join(&gone);
    CHECK(!atomic_load(&gone.done));
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    fx_join(&next);
    CHECK_PTR(next.got, r);
    fx_give(pool, next.got);
    fx_finish(pool);
}

/* Shows R58. */
TEST(b99_a_deadline_ends_the_wait_with_timeout)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_status_t status;
    int64_t start = check_now_ns();
    CHECK_PTR(fx_acquire(pool, 50, &status), NULL);
    int64_t took = check_now_ns() - start;
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    CHECK(took >= 50 * 1000000ll);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b100_busy_and_unusable_are_told_apart)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_status_t busy, unusable;
    fx_acquire(pool, 10, &busy);
    CHECK_STATUS(busy, POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_acquire(pool, 10, &unusable);
    CHECK_STATUS(unusable, POOL_ERR_CLOSED);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b101_the_pool_is_unharmed_by_timeouts)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < 20; i++) {
        pool_status_t status;
        CHECK_PTR(fx_acquire(pool, 1, &status), NULL);
        CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    }
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(fx_try(pool, NULL), r);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b102_an_idle_resource_needs_no_wait_and_so_no_timeout)
{
    fx.script[FX_BEFORE_ACQUIRE] = slow;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    pool_status_t status;
    fx_resource *r = fx_acquire(pool, 1, &status);
    CHECK_STATUS(status, POOL_OK);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b102_a_factory_slower_than_the_limit_still_delivers)
{
    fx.script[FX_FACTORY] = slow;
    pool_t *pool = fx_pool(0, 0, 1);
    pool_status_t status;
    fx_resource *r = fx_acquire(pool, 1, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

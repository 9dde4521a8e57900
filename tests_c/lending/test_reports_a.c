/*
 * Field reports A and B: a place became free but nobody was told, and callers that overtake.
 */
#include "fixture.h"

static check_gate gate = CHECK_GATE_INIT;

static bool fail_first_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    check_gate_pass(&gate);
    return call > 1;
}

static bool at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

static bool slowly_fail(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    int64_t end = check_now_ns() + 2 * 1000000;
    WAIT_FOR(check_now_ns() >= end);
    return false;
}

enum { HOUR_MS = 3600000 };

/* A client that borrows, works and gives back, and must not be left waiting. */
static void *serve_client(void *arg)
{
    pool_t *pool = arg;
    pool_status_t status;
    fx_resource *r = fx_acquire(pool, HOUR_MS, &status);
    CHECK_STATUS(status, POOL_OK);
    fx_give(pool, r);
    return NULL;
}

/* n clients line up behind the holders of all max places, then all is given back broken. */
static void check_broken_chain(uint32_t max, int n)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, max);
    fx_resource *held[2];
    pthread_t threads[20];
    for (uint32_t i = 0; i < max; i++)
        held[i] = fx_take(pool);
    for (int i = 0; i < n; i++)
        threads[i] = check_thread(serve_client, pool);
    WAIT_FOR(pool_waiting_count(pool) == (uint32_t)n);
    for (uint32_t i = 0; i < max; i++)
        fx_give(pool, held[i]);
    for (int i = 0; i < n; i++)
        check_join(threads[i]);
    CHECK_INT(fx.created, (int)max + n);
    CHECK_INT(fx_live(), 0);
    CHECK(fx.peak <= (int)max);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(r01_a_discarded_resource_wakes_the_next_waiter) { check_broken_chain(1, 5); }
TEST(r04_each_of_twenty_discards_serves_the_next_waiter) { check_broken_chain(1, 20); }
TEST(r05_five_clients_that_all_report_broken_are_all_served) { check_broken_chain(2, 5); }

TEST(r01_when_the_new_creation_fails_too_the_next_waiter_is_told)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller callers[5];
    for (int i = 0; i < 5; i++)
        fx_start_waiting(&callers[i], pool, 0);
    fx.script[FX_FACTORY] = fx_refuse;
    fx_give(pool, r);
    for (int i = 0; i < 5; i++) {
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_ERR_FACTORY);
    }
    CHECK_INT(fx.calls[FX_FACTORY], 6);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(r02_a_failed_creation_gives_the_next_waiter_its_own_attempt)
{
    fx.script[FX_FACTORY] = fail_first_at_gate;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_caller a, b;
    fx_start(&a, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx_start_waiting(&b, pool, 0);
    check_gate_open(&gate);
    fx_join(&a);
    fx_join(&b);
    CHECK_STATUS(a.status, POOL_ERR_FACTORY);
    CHECK_STATUS(b.status, POOL_OK);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    fx_give(pool, b.got);
    fx_finish(pool);
}

TEST(r03_every_request_to_an_unreachable_backend_ends_with_its_error)
{
    fx.script[FX_FACTORY] = slowly_fail;
    pool_t *pool = fx_pool(0, 0, 2);
    static fx_caller callers[50];
    for (int i = 0; i < 50; i++)
        fx_start(&callers[i], pool, 0);
    for (int i = 0; i < 50; i++) {
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_ERR_FACTORY);
    }
    CHECK_INT(fx.calls[FX_FACTORY], 50);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(r03_closing_tells_requests_that_queue_for_a_stuck_factory)
{
    fx.script[FX_FACTORY] = at_gate;
    pool_t *pool = fx_pool(0, 0, 2);
    fx_caller stuck[2], queued[10];
    for (int i = 0; i < 2; i++) {
        fx_start(&stuck[i], pool, 0);
        WAIT_FOR(check_gate_waiting(&gate) == i + 1);
    }
    for (int i = 0; i < 10; i++)
        fx_start_waiting(&queued[i], pool, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    for (int i = 0; i < 10; i++) {
        fx_join(&queued[i]);
        CHECK_STATUS(queued[i].status, POOL_ERR_CLOSED);
    }
    check_gate_open(&gate);
    for (int i = 0; i < 2; i++) {
        fx_join(&stuck[i]);
        CHECK_STATUS(stuck[i].status, POOL_ERR_CLOSED);
    }
    CHECK_INT(fx.destroyed, 2);
    fx_finish(pool);
}

TEST(r06_a_destroyed_lease_serves_the_queue_without_another_call)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller caller;
    fx_start_waiting(&caller, pool, 0);
    fx_give(pool, r);
    fx_join(&caller); /* nobody calls the pool in between */
    CHECK_STATUS(caller.status, POOL_OK);
    CHECK_INT(fx.created, 2);
    fx_give(pool, caller.got);
    fx_finish(pool);
}

#define ROUNDS (20000 / CHECK_SLOWDOWN)
static pthread_barrier_t round_begins;

/* Both stop at the same round, so no later traffic can make up for a missed wake-up. */
static void *meet_each_round(void *arg)
{
    pool_t *pool = arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&round_begins);
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, HOUR_MS, &status);
        CHECK_STATUS(status, POOL_OK);
        fx_give(pool, r);
    }
    return NULL;
}

TEST(r07_nothing_falls_between_finding_nothing_and_standing_in_line)
{
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 0, 1);
    pthread_barrier_init(&round_begins, NULL, 2);
    pthread_t a = check_thread(meet_each_round, pool), b = check_thread(meet_each_round, pool);
    check_join(a);
    check_join(b);
    pthread_barrier_destroy(&round_begins);
    CHECK_INT(fx.created, 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(r09_a_client_that_releases_and_asks_again_comes_after_the_waiter)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < 100; i++) {
        fx_caller waiter;
        fx_start_waiting(&waiter, pool, 0);
        fx_give(pool, r);
        pool_status_t status;
        CHECK_PTR(fx_try(pool, &status), NULL); /* whether the waiter has run yet or not */
        CHECK_STATUS(status, POOL_EMPTY);
        fx_join(&waiter);
        CHECK_PTR(waiter.got, r);
    }
    fx_give(pool, r);
    fx_finish(pool);
}

static atomic_int served, stop;

/* A newcomer that asks all the time and may win only after all who stood in line. */
static void *hammer(void *arg)
{
    pool_t *pool = arg;
    while (!atomic_load(&stop)) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 1, &status);
        if (!r) {
            CHECK_STATUS(status, POOL_ERR_TIMEOUT);
            continue;
        }
        CHECK_INT(served, 50);
        fx_give(pool, r);
    }
    return NULL;
}

static void check_fifty_in_order(bool hammered)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    static fx_caller callers[50];
    for (int i = 0; i < 50; i++)
        fx_start_waiting(&callers[i], pool, 0);
    pthread_t newcomer;
    if (hammered) {
        newcomer = check_thread(hammer, pool);
        WAIT_FOR(pool_waiting_count(pool) == 51);
    }
    for (int i = 0; i < 50; i++) {
        fx_give(pool, r);
        fx_join(&callers[i]);
        CHECK_INT(callers[i].order, i + 1);
        CHECK_PTR(callers[i].got, r);
        atomic_store(&served, i + 1);
    }
    fx_give(pool, r);
    if (hammered) {
        atomic_store(&stop, 1);
        check_join(newcomer);
    }
    CHECK_INT(fx.created, 1);
    fx_finish(pool);
}

TEST(r10_fifty_waiters_are_served_in_order) { check_fifty_in_order(false); }
TEST(r10_a_hammering_newcomer_overtakes_nobody) { check_fifty_in_order(true); }

TEST(r11_waiters_that_time_out_leave_the_order_of_the_others)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller callers[10];
    struct {
        pool_op_t op;
        pool_ask_t ask;
    } leaving[10];
    for (int i = 0; i < 10; i++) {
        if (i != 0 && i != 3 && i != 8) {
            fx_start_waiting(&callers[i], pool, 0);
            continue;
        }
        leaving[i].ask = (pool_ask_t)POOL_ASK_INIT;
        CHECK_STATUS(pool_op_acquire(pool, &leaving[i].op, 60000), POOL_OK);
        CHECK_INT(pool_op_next(&leaving[i].op, NULL, &leaving[i].ask), POOL_ASK_WAIT);
    }
    CHECK_COUNTS(pool, 0, 1, 10);
    for (int i = 0; i < 10; i++) {
        if (i != 0 && i != 3 && i != 8)
            continue;
        pool_answer_t answer = POOL_ANSWER_INIT;
        answer.now_ns = leaving[i].ask.until_ns;
        CHECK_INT(pool_op_next(&leaving[i].op, &answer, &leaving[i].ask), POOL_ASK_DONE);
        CHECK_STATUS(leaving[i].ask.status, POOL_ERR_TIMEOUT);
    }
    CHECK_COUNTS(pool, 0, 1, 7);
    for (int i = 0, order = 1; i < 10; i++) {
        if (i == 0 || i == 3 || i == 8)
            continue;
        fx_give(pool, r);
        fx_join(&callers[i]);
        CHECK_INT(callers[i].order, order++);
        CHECK_PTR(callers[i].got, r);
    }
    fx_give(pool, r);
    fx_finish(pool);
}

static void *time_out_once(void *arg)
{
    int64_t start = check_now_ns();
    pool_status_t status;
    CHECK_PTR(fx_acquire(arg, 100, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    int64_t took = check_now_ns() - start;
    CHECK(took >= 100 * 1000000ll);
    return NULL;
}

TEST(r12_two_hundred_waiters_each_leave_at_their_own_deadline)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    static pthread_t threads[200];
    for (int i = 0; i < 200; i++)
        threads[i] = check_thread(time_out_once, pool);
    for (int i = 0; i < 200; i++)
        check_join(threads[i]);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

#define CREATORS 8

/* Returns only when all are in the factory at once. */
static bool together(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    WAIT_FOR(atomic_load(&fx.calls[FX_FACTORY]) == CREATORS);
    return true;
}

static bool together_in_destructor(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    WAIT_FOR(atomic_load(&fx.calls[FX_DESTRUCTOR]) == CREATORS);
    return true;
}

TEST(r15_factories_and_destructors_run_side_by_side)
{
    fx.script[FX_FACTORY] = together;
    fx.script[FX_DESTRUCTOR] = together_in_destructor;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, CREATORS);
    pthread_t threads[CREATORS];
    for (int i = 0; i < CREATORS; i++)
        threads[i] = check_thread(serve_client, pool);
    for (int i = 0; i < CREATORS; i++)
        check_join(threads[i]);
    CHECK_INT(fx.created, CREATORS);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

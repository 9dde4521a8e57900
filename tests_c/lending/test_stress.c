/*
 * Many threads, few places, hooks that fail at random: nothing is lost, lent twice, or out of order.
 * Each case shows B154.
 */
#include "fixture.h"

enum { THREADS = 64, PLACES = 8, CYCLES = 1000000 / CHECK_SLOWDOWN };

static __thread uint64_t random_state;

static uint64_t random_below(uint64_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % n;
}

static bool fail_one_in_50(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    (void)call;
    return random_below(50) != 0;
}

static struct {
    pool_t *pool;
    atomic_int left;       /* cycles still to do */
    atomic_int ok, failed; /* outcomes of acquires */
    atomic_int timed_out;
    atomic_int waited; /* acquires that were in line */
    atomic_int holders, most_holders;
} run;

static void hold(fx_resource *r)
{
    int holders = atomic_fetch_add(&run.holders, 1) + 1, most = atomic_load(&run.most_holders);
    while (holders > most && !atomic_compare_exchange_weak(&run.most_holders, &most, holders))
        ;
    if (atomic_exchange(&r->owned, 1))
        check_fail(__FILE__, __LINE__, "resource %d is lent twice", r->id);
    atomic_fetch_sub(&run.holders, 1);
}

/* pool_acquire() written out over the op protocol, so that each acquire shows its number in line. */
static pool_status_t acquire(pool_op_t *op, int64_t timeout_ms, fx_resource **got, pool_ask_t *ask)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_acquire(run.pool, op, timeout_ms), POOL_OK);
    for (pool_op_next(op, NULL, ask); ask->kind != POOL_ASK_DONE; pool_op_next(op, &answer, ask)) {
        if (ask->kind == POOL_ASK_CREATE)
            answer.ok = run.pool->factory.internal(run.pool, &answer.resource);
        else if (ask->kind == POOL_ASK_BEFORE_ACQUIRE)
            answer.ok = run.pool->before_acquire.internal(run.pool, ask->resource);
        else if (ask->kind == POOL_ASK_DESTROY)
            run.pool->destructor.internal(run.pool, ask->resource);
        else
            pool_op_wait(op, ask->until_ns);
    }
    *got = ask->resource;
    return ask->status;
}

static void *cycle_in_order(void *arg)
{
    random_state = 88172645463325252u + 7919u * (uint64_t)(intptr_t)arg;
    while (atomic_fetch_sub(&run.left, 1) > 0) {
        pool_op_t op;
        pool_ask_t ask = POOL_ASK_INIT;
        fx_resource *r;
        pool_status_t status = acquire(&op, 0, &r, &ask);
        if (ask.ticket != 0) {
            atomic_fetch_add(&run.waited, 1);
            /* Nobody leaves the line in this test, so the n-th in line gets the n-th grant. */
            if (ask.turn != ask.ticket)
                check_fail(__FILE__, __LINE__, "number %" PRIu64 " in line got grant %" PRIu64, ask.ticket, ask.turn);
        }
        if (status != POOL_OK) {
            CHECK_STATUS(status, POOL_ERR_FACTORY);
            atomic_fetch_add(&run.failed, 1);
            continue;
        }
        atomic_fetch_add(&run.ok, 1);
        hold(r);
        fx_give(run.pool, r);
    }
    return NULL;
}

static void begin_run(unsigned hooks)
{
    fx.quiet = true;
    random_state = 1;
    run.pool = fx_pool(hooks, 0, PLACES);
    fx.script[FX_FACTORY] = fail_one_in_50;
    fx.script[FX_BEFORE_ACQUIRE] = fail_one_in_50;
    fx.script[FX_BEFORE_RELEASE] = fail_one_in_50;
    atomic_store(&run.left, CYCLES);
}

static void run_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        threads[i] = check_thread(body, (void *)i);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
}

/* All threads are done: what was created and not destroyed is exactly what is idle. */
static void end_run(void)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(run.pool, &s), POOL_OK);
    printf("%d lent, %d factory failures, %d timeouts, %d waited; %d created, %d destroyed, peak %d\n", run.ok,
           run.failed, run.timed_out, run.waited, fx.created, fx.destroyed, fx.peak);
    CHECK_INT(s.active, 0);
    CHECK_INT(s.waiting, 0);
    CHECK_INT(s.reserved, 0);
    CHECK_INT(s.idle, fx_live());
    CHECK(fx.peak <= PLACES && run.most_holders <= PLACES);
    /* Quiet again: exactly max can be borrowed. */
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = NULL;
    fx_resource *all[PLACES];
    pool_status_t status;
    for (int i = 0; i < PLACES; i++)
        all[i] = fx_try(run.pool, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK(fx_try(run.pool, &status) == NULL);
    CHECK_STATUS(status, POOL_EMPTY);
    for (int i = 0; i < PLACES; i++)
        fx_give(run.pool, all[i]);
    fx_finish(run.pool);
}

/* Shows B46. */
TEST(a_million_cycles_in_strict_order_lose_nothing)
{
    begin_run(FX_WITH_ACQUIRE | FX_WITH_RELEASE);
    run_threads(cycle_in_order);
    CHECK_INT(run.ok + run.failed, CYCLES);
    CHECK(run.waited > 0 && run.failed > 0 && fx.destroyed > 0);
    end_run();
}

/* Short deadlines and hooks that fail: a timeout, a refusal and a grant meet all the time. */
static void *cycle_with_deadlines(void *arg)
{
    random_state = 99172645463325252u + 7919u * (uint64_t)(intptr_t)arg;
    while (atomic_fetch_sub(&run.left, 8) > 0) {
        pool_status_t status;
        fx_resource *r = random_below(4) == 0 ? fx_try(run.pool, &status)
                                              : fx_acquire(run.pool, 1 + (int64_t)random_below(2), &status);
        if (status == POOL_OK) {
            atomic_fetch_add(&run.ok, 1);
            for (uint64_t i = random_below(20); i > 0; i--)
                sched_yield(); /* hold it about as long as the others would wait */
            fx_give(run.pool, r);
        } else if (status == POOL_ERR_FACTORY) {
            atomic_fetch_add(&run.failed, 1);
        } else if (status == POOL_ERR_TIMEOUT) {
            atomic_fetch_add(&run.timed_out, 1);
        } else {
            CHECK_STATUS(status, POOL_EMPTY);
        }
    }
    return NULL;
}

TEST(deadlines_that_cross_grants_lose_nothing)
{
    begin_run(FX_WITH_ACQUIRE | FX_WITH_RELEASE);
    run_threads(cycle_with_deadlines);
    CHECK(run.timed_out > 0 && run.ok > 0);
    end_run();
}

/* The fast path: no hook, so most cycles never enter Go, and some must. */
static void *cycle_on_the_fast_path(void *arg)
{
    random_state = 77172645463325252u + 7919u * (uint64_t)(intptr_t)arg;
    while (atomic_fetch_sub(&run.left, 1) > 0) {
        pool_status_t status;
        fx_resource *r = fx_acquire(run.pool, 0, &status);
        if (!r) {
            CHECK_STATUS(status, POOL_ERR_FACTORY);
            atomic_fetch_add(&run.failed, 1);
            continue;
        }
        atomic_fetch_add(&run.ok, 1);
        fx_give(run.pool, r);
    }
    return NULL;
}

TEST(the_fast_path_and_the_core_keep_one_account)
{
    begin_run(0);
    run_threads(cycle_on_the_fast_path);
    CHECK_INT(run.ok + run.failed, CYCLES);
    CHECK(fx.peak <= PLACES);
    fx.script[FX_FACTORY] = NULL;
    CHECK_COUNTS(run.pool, (uint32_t)fx_live(), 0, 0);
    fx_finish(run.pool);
}

/* Waiters and holders on a pool that closes under them; again and again. */
static atomic_int refused;

static void *cycle_until_closed(void *arg)
{
    pool_t *pool = arg;
    for (;;) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 0, &status);
        if (status == POOL_ERR_CLOSED)
            break;
        CHECK_STATUS(status, POOL_OK);
        fx_give(pool, r);
    }
    atomic_fetch_add(&refused, 1);
    pool_unref(pool);
    return NULL;
}

TEST(pools_closed_and_dropped_under_load_leave_nothing)
{
    enum { ROUNDS = 200 / CHECK_SLOWDOWN, USERS = 8 };
    int round = 0;
    fx.quiet = true;
    for (; round < ROUNDS && check_time_left(); round++) {
        pthread_t users[USERS];
        pool_t *pool = fx_pool(round % 2 ? FX_WITH_ALL : 0, 1, 2);
        for (int i = 0; i < USERS; i++)
            users[i] = check_thread(cycle_until_closed, pool_ref(pool));
        WAIT_FOR(fx.calls[FX_FACTORY] > 2 * round || pool_waiting_count(pool) > 0);
        CHECK_STATUS(pool_close(pool), POOL_OK);
        if (round % 3 == 0)
            pool_unref(pool); /* the last user frees it */
        for (int i = 0; i < USERS; i++)
            check_join(users[i]);
        if (round % 3 != 0)
            pool_unref(pool);
        CHECK_INT(fx_live(), 0);
        CHECK_INT(pool_debug_live(), 0);
    }
    CHECK_INT(refused, round * USERS);
}

/*
 * Borrowing (B25 to B47): what acquire and try_acquire do in which order, creation on demand,
 * deadlines, closing in between, and many threads that take and give.
 */
#include "fixture.h"

#define MS INT64_C(1000000)

static check_gate gate = CHECK_GATE_INIT;
static atomic_int stop; /* tells observers to end */

static bool wait_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

/* A waiter that this thread drives, so that it is woken but does not run until told to. */
static void park_op(pool_t *pool, pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, op, 0), POOL_OK);
    CHECK_INT(pool_op_next(op, NULL, &ask), POOL_ASK_WAIT);
}

static pool_status_t run_op(pool_op_t *op, void **resource)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_INT(pool_op_next(op, &answer, &ask), POOL_ASK_DONE);
    *resource = ask.resource;
    return ask.status;
}

/* A thread that borrows and gives back, with pauses of random length. */
typedef struct worker {
    pool_t *pool;
    pthread_t thread;
    unsigned seed;
    int cycles;
} worker;

static void dawdle(worker *self)
{
    for (int n = rand_r(&self->seed) % 4; n > 0; n--)
        sched_yield();
}

static void *take_and_give(void *arg)
{
    worker *self = arg;
    for (int i = 0; i < self->cycles; i++) {
        fx_resource *r = fx_take(self->pool);
        dawdle(self);
        fx_give(self->pool, r);
        dawdle(self);
    }
    return NULL;
}

/* ---- On demand, up to max -------------------------------------------------------------------- */

TEST(b25_creates_up_to_max_then_answers_empty)
{
    fx_resource *held[3];
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 3);
    for (int i = 0; i < 3; i++) {
        held[i] = fx_try(pool, &status);
        CHECK_STATUS(status, POOL_OK);
        CHECK_INT(held[i]->id, i + 1);
        CHECK_COUNTS(pool, 0, i + 1, 0);
    }
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_INT(fx.calls[FX_FACTORY], 3);
    for (int i = 0; i < 3; i++)
        fx_give(pool, held[i]);
    fx_finish(pool);
}

TEST(b26_when_all_are_lent_one_release_makes_it_work_again)
{
    pool_status_t status;
    pool_t *pool = fx_pool(0, 2, 2);
    CHECK_COUNTS(pool, 2, 0, 0);
    fx_resource *a = fx_try(pool, NULL);
    CHECK_COUNTS(pool, 1, 1, 0);
    fx_resource *b = fx_try(pool, NULL);
    CHECK_COUNTS(pool, 0, 2, 0);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    fx_give(pool, a);
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_PTR(fx_try(pool, NULL), a);
    fx_give(pool, a);
    fx_give(pool, b);
    fx_finish(pool);
}

TEST(b27_idle_is_preferred_over_creating)
{
    pool_t *pool = fx_pool(0, 0, 2);
    for (int i = 0; i < 3; i++) {
        fx_resource *r = fx_take(pool);
        CHECK_INT(r->id, 1);
        fx_give(pool, r);
    }
    for (int i = 0; i < 3; i++) { /* the same from one thread after another */
        fx_caller caller;
        fx_start(&caller, pool, 0);
        fx_join(&caller);
        CHECK_STATUS(caller.status, POOL_OK);
        CHECK_INT(caller.got->id, 1);
        fx_give(pool, caller.got);
    }
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_finish(pool);
}

TEST(b30_acquire_works_on_any_thread_and_parks_it)
{
    fx_caller first, second;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_start(&first, pool, 0);
    fx_join(&first);
    CHECK_STR(fx_log(), "factory(1)"); /* b29: made on demand, by that thread */
    CHECK_STATUS(first.status, POOL_OK);
    fx_start_waiting(&second, pool, 0);
    fx_give(pool, first.got); /* this thread gives back what another took */
    fx_join(&second);
    CHECK_PTR(second.got, first.got);
    fx_give(pool, second.got);
    fx_finish(pool);
}

/* Shows B29. */
TEST(b31_idle_comes_before_creating_and_creating_before_waiting)
{
    fx_caller caller;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 2);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) factory(2)");
    fx_start_waiting(&caller, pool, 0);
    CHECK_COUNTS(pool, 0, 2, 1);
    fx_give(pool, b);
    fx_join(&caller);
    CHECK_PTR(caller.got, b);
    fx_give(pool, a);
    fx_give(pool, b);
    fx_finish(pool);
}

TEST(b31_a_woken_waiter_starts_again_from_is_it_closed)
{
    pool_op_t op;
    void *got;
    pool_t *pool = fx_pool(0, 1, 1);
    fx_resource *r = fx_take(pool);
    park_op(pool, &op);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0); /* promised to the op, which has not run */
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(run_op(&op, &got), POOL_ERR_CLOSED);
    CHECK_PTR(got, NULL);
    CHECK_INT(fx.destroyed, 1);
    fx_finish(pool);
}

TEST(b32_try_acquire_leaves_a_promised_resource_alone)
{
    pool_op_t op;
    void *got;
    pool_status_t status;
    pool_t *pool = fx_pool(0, 1, 1);
    fx_resource *r = fx_take(pool);
    park_op(pool, &op);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_STATUS(run_op(&op, &got), POOL_OK);
    CHECK_PTR(got, r);
    fx_give(pool, r);
    CHECK_PTR(fx_try(pool, NULL), r); /* and nobody is promised anything now */
    fx_give(pool, r);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    fx_finish(pool);
}

static void *try_once(void *arg)
{
    fx_caller *caller = arg;
    caller->got = fx_try(caller->pool, &caller->status);
    atomic_store(&caller->done, 1);
    return NULL;
}

static void start_try(fx_caller *caller, pool_t *pool)
{
    memset(caller, 0, sizeof *caller);
    caller->pool = pool;
    caller->thread = check_thread(try_once, caller);
}

TEST(b33_b36_try_acquire_takes_as_long_as_its_factory_whose_place_counts)
{
    fx_caller caller;
    pool_status_t status;
    fx.script[FX_FACTORY] = wait_at_gate;
    pool_t *pool = fx_pool(0, 0, 1);
    start_try(&caller, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_INT(caller.done, 0);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_try(pool, &status); /* the place is taken meanwhile */
    CHECK_STATUS(status, POOL_EMPTY);
    check_gate_open(&gate);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_OK);
    fx_give(pool, caller.got);
    fx_finish(pool);
}

/* ---- Creation under contention and its failures ---------------------------------------------- */

TEST(b35_max_holds_while_factories_are_slow)
{
    enum { N = 10 };
    worker all[N];
    fx.script[FX_FACTORY] = wait_at_gate;
    pool_t *pool = fx_pool(0, 0, 3);
    for (int i = 0; i < N; i++) {
        all[i] = (worker){.pool = pool, .seed = (unsigned)i, .cycles = 1};
        all[i].thread = check_thread(take_and_give, &all[i]);
    }
    WAIT_FOR(check_gate_waiting(&gate) == 3 && pool_waiting_count(pool) == N - 3);
    CHECK_COUNTS(pool, 0, 3, N - 3);
    check_gate_open(&gate);
    for (int i = 0; i < N; i++)
        check_join(all[i].thread);
    CHECK_INT(fx.calls[FX_FACTORY], 3);
    CHECK_COUNTS(pool, 3, 0, 0);
    fx_finish(pool);
}

static bool refuse_after_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    check_gate_pass(&gate);
    return call != 1;
}

TEST(b39_a_failed_try_acquire_lets_the_next_waiter_try_as_well)
{
    fx_caller trier, waiter;
    fx.script[FX_FACTORY] = refuse_after_gate;
    pool_t *pool = fx_pool(0, 0, 1);
    start_try(&trier, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    fx_start_waiting(&waiter, pool, 0);
    check_gate_open(&gate);
    fx_join(&trier);
    fx_join(&waiter);
    CHECK_STATUS(trier.status, POOL_ERR_FACTORY);
    CHECK_STATUS(waiter.status, POOL_OK);
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

TEST(b41_cancelling_during_a_creation_gives_the_place_to_the_next_waiter)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    fx_caller waiter;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    fx_start_waiting(&waiter, pool, 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_CANCELLED);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

/* ---- Deadlines and closing ------------------------------------------------------------------- */

TEST(b43_the_deadline_ends_a_wait_and_leaves_the_pool_unharmed)
{
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    int64_t start = check_now_ns();
    fx_acquire(pool, 50, &status);
    int64_t took = check_now_ns() - start;
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    CHECK(took >= 50 * MS);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    CHECK_PTR(fx_take(pool), r);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(b43_huge_timeouts_wait)
{
    static const int64_t huge[] = {
        INT64_MAX, INT64_MAX - 1, INT64_MAX / 1000000, INT64_MAX / 1000000 + 1, INT64_MAX / 1000, INT64_MAX / 2 + 1};
    enum { N = sizeof huge / sizeof *huge };
    fx_caller callers[N];
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < N; i++)
        fx_start_waiting(&callers[i], pool, huge[i]);
    CHECK_COUNTS(pool, 0, 1, N);
    for (int i = 0; i < N; i++) {
        fx_give(pool, r);
        fx_join(&callers[i]);
        CHECK_PTR(callers[i].got, r);
    }
    fx_give(pool, r);
    fx_finish(pool);
}

/* Lasts longer than the 10 ms that the callers below allow; odd calls succeed, even ones fail. */
static bool late(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    int64_t until = check_now_ns() + 30 * MS;
    WAIT_FOR(check_now_ns() > until);
    return call % 2 == 1;
}

TEST(b43_hooks_are_not_cut_short_and_what_they_deliver_late_counts)
{
    pool_status_t status;
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_ACQUIRE] = late;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 0, 2);
    fx_give(pool, fx_take(pool));
    fx_log_clear();
    fx_resource *r = fx_acquire(pool, 10, &status); /* accepted late */
    CHECK_STATUS(status, POOL_OK);
    fx_acquire(pool, 10, &status); /* failed late: that is the answer, not TIMEOUT */
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    fx_resource *s = fx_acquire(pool, 10, &status); /* made late */
    CHECK_STATUS(status, POOL_OK);
    CHECK_STR(fx_log(), "before_acquire(1) factory(2) factory(3)");
    fx_give(pool, r);
    fx_give(pool, s);
    fx_finish(pool);
}

TEST(b43_a_deadline_that_passes_while_a_hook_rejects_ends_the_call_and_serves_the_next)
{
    fx_caller first, waiter;
    fx.script[FX_BEFORE_ACQUIRE] = refuse_after_gate;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    fx_start(&first, pool, 10);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    int64_t until = check_now_ns() + 10 * MS;
    fx_start_waiting(&waiter, pool, 0);
    WAIT_FOR(check_now_ns() > until);
    check_gate_open(&gate);
    fx_join(&first);
    fx_join(&waiter);
    CHECK_STATUS(first.status, POOL_ERR_TIMEOUT);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1) factory(2)");
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

TEST(b44_what_is_made_after_close_is_destroyed_and_its_caller_gets_closed)
{
    fx_caller caller;
    fx.script[FX_FACTORY] = wait_at_gate;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_start(&caller, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    check_gate_open(&gate);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    CHECK_STR(fx_log(), "factory(1) destructor(1)");
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b44_what_fails_before_acquire_after_close_is_destroyed_and_nothing_is_made)
{
    fx_caller caller;
    fx.script[FX_BEFORE_ACQUIRE] = refuse_after_gate;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    fx_start(&caller, pool, 0);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    check_gate_open(&gate);
    fx_join(&caller);
    CHECK_STATUS(caller.status, POOL_ERR_CLOSED);
    CHECK_STR(fx_log(), "factory(1) before_acquire(1) destructor(1)");
    fx_finish(pool);
}

/* ---- Many threads --------------------------------------------------------------------------- */

static void *try_and_give(void *arg)
{
    worker *self = arg;
    for (int i = 0; i < self->cycles; i++) {
        pool_status_t status;
        fx_resource *r = fx_try(self->pool, &status);
        if (!r) {
            CHECK_STATUS(status, POOL_EMPTY);
            CHECK(self->pool->max_size < 4); /* four threads never need more than four places */
        }
        dawdle(self);
        if (r)
            fx_give(self->pool, r);
    }
    return NULL;
}

static void run_workers(int n, void *(*body)(void *), pool_t *pool, int cycles)
{
    worker all[4];
    for (int i = 0; i < n; i++) {
        all[i] = (worker){.pool = pool, .seed = (unsigned)(i + 1), .cycles = cycles};
        all[i].thread = check_thread(body, &all[i]);
    }
    for (int i = 0; i < n; i++)
        check_join(all[i].thread);
}

TEST(b45_a_try_is_empty_only_when_all_places_are_taken)
{
    fx.quiet = true;
    for (uint32_t max = 1; max <= 4; max++) {
        pool_t *pool = fx_pool(FX_WITH_ALL, 0, max);
        fx.peak = 0;
        run_workers(4, try_and_give, pool, 500);
        CHECK_COUNTS(pool, fx_live(), 0, 0);
        CHECK(fx.peak <= (int)max);
        fx_finish(pool);
    }
}

TEST(b46_everything_acquired_by_many_threads_comes_back)
{
    static const struct {
        uint32_t min, max;
        int threads, cycles;
    } runs[] = {{0, 10, 1, 1}, {0, 4, 1, 5}, {2, 8, 1, 6}, {0, 2, 4, 3}, {0, 2, 4, 500}};
    fx.quiet = true;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        int total = runs[i].threads * runs[i].cycles;
        pool_t *pool = fx_pool(FX_WITH_ALL, runs[i].min, runs[i].max);
        fx.peak = fx.calls[FX_FACTORY] = fx.calls[FX_BEFORE_ACQUIRE] = 0;
        fx.calls[FX_BEFORE_RELEASE] = 0;
        run_workers(runs[i].threads, take_and_give, pool, runs[i].cycles);
        CHECK_INT(fx.calls[FX_FACTORY] + fx.calls[FX_BEFORE_ACQUIRE], total);
        CHECK_INT(fx.calls[FX_BEFORE_RELEASE], total);
        CHECK_COUNTS(pool, fx_live(), 0, 0);
        CHECK(fx.peak <= (int)runs[i].max);
        fx_finish(pool);
    }
}

static void *observe(void *arg)
{
    pool_t *pool = arg;
    do {
        pool_snapshot_t s = {.struct_size = sizeof s};
        CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
        CHECK(s.idle <= 6 && s.active <= 6 && s.idle + s.active <= 6);
        CHECK(s.idle + s.active >= 3); /* those made at the start never leave the books */
        CHECK(pool_count(pool) >= 3 && pool_count(pool) <= 6);
    } while (!atomic_load(&stop));
    return NULL;
}

/* Shows I1. */
TEST(b47_observers_always_see_counts_that_add_up)
{
    pthread_t observers[3];
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_ALL, 3, 6);
    for (int i = 0; i < 3; i++)
        observers[i] = check_thread(observe, pool);
    run_workers(4, take_and_give, pool, 50);
    atomic_store(&stop, 1);
    for (int i = 0; i < 3; i++)
        check_join(observers[i]);
    fx_finish(pool);
}

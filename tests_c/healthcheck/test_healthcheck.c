/*
 * The healthcheck that the library runs by itself, every healthcheck_interval_ms: when, on which
 * thread, and what it does to the pool and to others (B135 to B137, B142, B144, S1).
 * test_healthcheck_end.c has its end.
 */
#include "timed.h"

#include <signal.h>
#include <unistd.h>

static bool refuse_the_first(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)call;
    return r->id != 1;
}

/* ---- When ---------------------------------------------------------------------------------- */

TEST(b135_what_is_unhealthy_is_found_and_replaced)
{
    timed state = TIMED_INIT;
    state.healthcheck = refuse_the_first;
    pool_t *pool = timed_pool(&state, 2, 2, 2, 0);
    WAIT_FOR(state.ended == 1 && pool_idle_count(pool) == 2);
    timed_passes(&state, 10); /* checks go on */
    CHECK_INT(state.made, 3);
    timed_resource *r[2] = {timed_take(pool), timed_take(pool)};
    CHECK_INT(r[0]->id + r[1]->id, 2 + 3);
    timed_give(pool, r[0]);
    timed_give(pool, r[1]);
    timed_end(&state, pool);
}

static bool note_time(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)r;
    if (call == 1)
        atomic_store(&state->mark, (int)(check_now_ns() / 1000000 % 1000000000));
    return true;
}

/* Shows B24. */
TEST(b137_the_first_pass_comes_one_interval_after_the_creation)
{
    enum { INTERVAL_MS = 60 };
    timed state = TIMED_INIT;
    state.healthcheck = note_time;
    int before = (int)(check_now_ns() / 1000000 % 1000000000);
    pool_t *pool = timed_pool(&state, 1, 1, INTERVAL_MS, 0);
    WAIT_FOR(state.checks > 0);
    WAIT_FOR(state.mark != 0);
    CHECK((state.mark - before + 1000000000) % 1000000000 >= INTERVAL_MS - 1);
    timed_end(&state, pool);
}

TEST(b137_interval_zero_never_checks)
{
    timed state = TIMED_INIT, clock = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 1, 1, 0, 0), *ticks = timed_clock(&clock);
    timed_passes(&clock, 20);
    CHECK_INT(state.checks, 0);
    timed_end(&clock, ticks);
    timed_end(&state, pool);
}

static bool make_word(pool_t *pool, void **resource)
{
    timed *state = pool->user_data;
    *resource = NULL;
    return atomic_fetch_add(&state->creations, 1) < 2;
}

static void end_word(pool_t *pool, void *resource)
{
    (void)resource;
    atomic_fetch_add(&((timed *)pool->user_data)->ended, 1);
}

TEST(b137_without_a_healthcheck_what_is_idle_stays)
{
    timed state = TIMED_INIT, clock = TIMED_INIT;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make_word;
    config.destructor = end_word;
    config.user_data = &state;
    config.min_size = 2;
    config.healthcheck_interval_ms = 1;
    pool_t *pool, *ticks = timed_clock(&clock);
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    timed_passes(&clock, 20);
    CHECK_COUNTS(pool, 2, 0, 0);
    CHECK_INT(state.creations, 2);
    CHECK_INT(state.ended, 0);
    timed_end(&clock, ticks);
    pool_unref(pool);
}

/* Shows E4. */
TEST(a_pool_for_a_reactor_is_never_checked_by_the_library)
{
    timed state = TIMED_INIT, clock = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 1, 1, 1, POOL_F_REACTOR), *ticks = timed_clock(&clock);
    timed_passes(&clock, 20);
    CHECK_INT(state.checks, 0);
    CHECK_INT(state.creations, 1);
    timed_end(&clock, ticks);
    pool_unref(pool);
    CHECK_INT(state.ended, state.made);
}

/* Shows R56, P10. */
TEST(the_longest_interval_means_no_pass_in_a_lifetime)
{
    timed state = TIMED_INIT, clock = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 1, 1, UINT32_MAX, 0), *ticks = timed_clock(&clock);
    timed_passes(&clock, 20);
    CHECK_INT(state.checks, 0);
    timed_give(pool, timed_take(pool));
    timed_end(&state, pool);
    timed_end(&clock, ticks);
}

static timed other = TIMED_INIT;

static bool outlast_others(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    CHECK_INT(atomic_fetch_add(&state->mark, 1), 0);
    timed_passes(&other, 5);
    atomic_fetch_sub(&state->mark, 1);
    return true;
}

/* Shows B137. */
TEST(a_pass_that_takes_longer_than_the_interval_is_not_overtaken)
{
    timed state = TIMED_INIT;
    state.healthcheck = outlast_others;
    pool_t *ticks = timed_clock(&other), *pool = timed_pool(&state, 3, 3, 1, 0);
    WAIT_FOR(state.checks >= 7);
    timed_end(&state, pool);
    timed_end(&other, ticks);
}

/* ---- On which thread ----------------------------------------------------------------------- */

static pthread_t creator;

/* Uses the pool from a third thread: that would hang if the hook ran with the lock held. */
static void *use_pool(void *arg)
{
    pool_t *pool = arg;
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK(s.active >= 1);
    void *r;
    if (pool_acquire(pool, &r, 0) != POOL_ERR_CLOSED) /* the test may have come to its end */
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    return NULL;
}

static bool elsewhere(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)call;
    if (pthread_equal(pthread_self(), creator))
        return true;
    atomic_fetch_add(&state->mark, 1);
    check_join(check_thread(use_pool, pool));
    return !r || r->id != 1;
}

/* Shows E4. */
TEST(hooks_of_a_pass_run_on_another_thread_with_no_lock_held)
{
    timed state = TIMED_INIT;
    creator = pthread_self();
    state.factory = state.destructor = state.healthcheck = elsewhere;
    pool_t *pool = timed_pool(&state, 2, 3, 1, 0);
    WAIT_FOR(state.ended == 1 && state.checks >= 4);
    /* 1 was checked, ended and replaced there; others were checked. */
    CHECK(state.creations > 2 && state.mark >= 4);
    timed_end(&state, pool);
}

static bool hang_once(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)r;
    if (call == 1)
        check_gate_pass(&state->gate);
    return true;
}

/* Shows P40. */
TEST(a_check_that_hangs_does_not_hold_up_other_pools)
{
    enum { HUNG = 16 };
    static timed hung[HUNG], state = TIMED_INIT;
    pool_t *pools[HUNG];
    for (int i = 0; i < HUNG; i++) {
        hung[i] = (timed)TIMED_INIT;
        hung[i].healthcheck = hang_once;
        pools[i] = timed_pool(&hung[i], 1, 2, 1, 0);
    }
    for (int i = 0; i < HUNG; i++)
        WAIT_FOR(check_gate_waiting(&hung[i].gate) == 1); /* all at once */
    pool_t *pool = timed_clock(&state);
    timed_passes(&state, 20);
    timed_give(pools[0], timed_take(pools[0])); /* a second resource: the pool itself works too */
    for (int i = 0; i < HUNG; i++) {
        CHECK_INT(hung[i].checks, 1);
        check_gate_open(&hung[i].gate);
        timed_end(&hung[i], pools[i]);
    }
    timed_end(&state, pool);
}

/* Where a signal of the process was handled. */
static atomic_int handled, handled_in_pass, handled_elsewhere;
static _Thread_local bool runs_passes;

static void handle(int signal)
{
    (void)signal;
    atomic_fetch_add(runs_passes                              ? &handled_in_pass
                     : pthread_equal(pthread_self(), creator) ? &handled
                                                              : &handled_elsewhere,
                     1);
}

static bool mark_thread(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)r, (void)call;
    runs_passes = true;
    return true;
}

/* Sends the process signals that this thread, the only one of the host, blocks; then lets them
 * in. */
static void send_signals(void)
{
    static const int signals[] = {SIGUSR1, SIGALRM, SIGTERM, SIGHUP};
    timed clock = TIMED_INIT;
    clock.healthcheck = mark_thread;
    creator = pthread_self();
    pool_t *ticks = timed_clock(&clock);
    timed_passes(&clock, 2);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK}, before;
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, signals[i]);
        CHECK_INT(sigaction(signals[i], &action, &before), 0);
        CHECK_INT(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
        CHECK_INT(kill(getpid(), signals[i]), 0);
        timed_passes(&clock, 10);
        CHECK_INT(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
        WAIT_FOR(handled + handled_in_pass + handled_elsewhere == (int)i + 1);
        CHECK_INT(sigaction(signals[i], &before, NULL), 0);
    }
    timed_end(&clock, ticks);
}

/* Shows P17. */
TEST(signal_handlers_of_the_host_never_run_on_the_thread_of_a_pass)
{
    send_signals();
    CHECK_INT(handled_in_pass, 0);
}

/* Shows P17. */
TEST(signal_handlers_of_the_host_never_run_on_any_thread_of_the_library)
{
    send_signals();
    CHECK_INT(handled_in_pass + handled_elsewhere, 0);
}

/* ---- What it does to the pool -------------------------------------------------------------- */

static bool fail_some(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)r;
    return call <= 2 || call > 8;
}

/* Shows B141. */
TEST(a_refill_that_fails_is_tried_again_every_interval)
{
    timed state = TIMED_INIT;
    state.healthcheck = refuse_the_first;
    state.factory = fail_some;
    pool_t *pool = timed_pool(&state, 2, 2, 1, 0);
    WAIT_FOR(state.ended == 1 && pool_idle_count(pool) == 2); /* in this order: two were idle before */
    CHECK_INT(state.creations, 9);                            /* two, six that failed, the one that was missing */
    CHECK_INT(state.made, 3);
    timed_end(&state, pool);
}

typedef struct caller {
    pool_t *pool;
    timed_resource *got;
    atomic_int done;
} caller;

static void *acquire(void *arg)
{
    caller *self = arg;
    self->got = timed_take(self->pool);
    atomic_store(&self->done, 1);
    return NULL;
}

TEST(b144_a_waiter_gets_the_place_that_the_check_frees)
{
    timed state = TIMED_INIT;
    state.healthcheck = hang_once;
    pool_t *pool = timed_pool(&state, 1, 1, 1, 0);
    WAIT_FOR(check_gate_waiting(&state.gate) == 1);
    CHECK_COUNTS(pool, 0, 1, 0); /* B142 */
    caller c = {.pool = pool};
    pthread_t thread = check_thread(acquire, &c);
    WAIT_FOR(pool_waiting_count(pool) == 1);
    check_gate_open(&state.gate);
    check_join(thread);
    CHECK_INT(c.got->id, 1);
    timed_give(pool, c.got);
    timed_end(&state, pool);
}

TEST(s1_passes_neither_wake_waiters_nor_restart_their_deadlines)
{
    enum { WAITERS = 3, TIMEOUT_MS = 40 };
    timed state = TIMED_INIT, clock = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 1, 1, 1, 0), *ticks = timed_clock(&clock);
    timed_resource *held = timed_take(pool);
    pool_op_t op[WAITERS];
    pool_ask_t ask[WAITERS];
    for (int i = 0; i < WAITERS; i++) {
        ask[i] = (pool_ask_t)POOL_ASK_INIT;
        CHECK_STATUS(pool_op_acquire(pool, &op[i], 60000), POOL_OK);
        CHECK_INT(pool_op_next(&op[i], NULL, &ask[i]), POOL_ASK_WAIT);
    }
    int64_t begin = check_now_ns();
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, TIMEOUT_MS), POOL_ERR_TIMEOUT);
    int64_t took = check_now_ns() - begin;
    CHECK(took >= TIMEOUT_MS * INT64_C(1000000));
    timed_passes(&clock, 5);
    CHECK_COUNTS(pool, 0, 1, WAITERS);
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_INT(s.reserved, 0);
    for (int i = 0; i < WAITERS; i++) {
        int64_t until = ask[i].until_ns;
        CHECK_INT(pool_op_next(&op[i], NULL, &ask[i]), POOL_ASK_WAIT);
        CHECK_INT(ask[i].until_ns, until);
    }
    for (int i = 0; i < WAITERS; i++) { /* in order of arrival */
        timed_give(pool, held);
        CHECK_INT(pool_op_next(&op[i], NULL, &ask[i]), POOL_ASK_DONE);
        CHECK_STATUS(ask[i].status, POOL_OK);
        CHECK_INT(ask[i].turn, ask[i].ticket);
        held->used = 1;
    }
    timed_give(pool, held);
    timed_end(&clock, ticks);
    timed_end(&state, pool);
}

/* ---- Many ---------------------------------------------------------------------------------- */

enum { POOLS = 100, THREADS = 4, CYCLES = 200000 / CHECK_SLOWDOWN };

static struct {
    timed state[POOLS];
    pool_t *pool[POOLS];
    atomic_int left, lent;
} many;

static bool now_and_then(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)r;
    return call % 17 != 0;
}

static void *cycle(void *arg)
{
    unsigned i = (unsigned)(intptr_t)arg;
    while (atomic_fetch_sub(&many.left, 1) > 0) {
        void *r;
        pool_t *pool = many.pool[i = (i * 31 + 7) % POOLS];
        pool_status_t status = pool_acquire(pool, &r, 0);
        if (status != POOL_OK) {
            CHECK_STATUS(status, POOL_ERR_FACTORY);
            continue;
        }
        CHECK_INT(atomic_exchange(&((timed_resource *)r)->used, 1), 0);
        atomic_fetch_add(&many.lent, 1);
        timed_give(pool, r);
    }
    return NULL;
}

/* Shows P40. */
TEST(a_hundred_pools_are_checked_while_many_threads_use_them)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < POOLS; i++) {
        many.state[i] = (timed)TIMED_INIT;
        many.state[i].healthcheck = many.state[i].factory = now_and_then;
        many.pool[i] = timed_pool(&many.state[i], 2, 3, 1, 0);
    }
    many.left = CYCLES;
    for (intptr_t i = 0; i < THREADS; i++)
        threads[i] = check_thread(cycle, (void *)i);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    CHECK(many.lent > CYCLES / 2);
    for (int i = 0; i < POOLS; i++) {
        WAIT_FOR(many.state[i].checks >= 40 && many.state[i].ended > 0);
        WAIT_FOR(pool_idle_count(many.pool[i]) >= 2); /* min is back, whatever was refused */
        timed_end(&many.state[i], many.pool[i]);
    }
}

/*
 * min_size is a floor (B22, B23, R50, R53, R58): whatever destroys a resource, the next pass of the
 * healthcheck makes up for it; what is above stays, and nothing is rebuilt that is there.
 */
#include "timed.h"

static timed clock_state = TIMED_INIT;

static bool refuse(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return false;
}

static bool refuse_one(pool_t *pool, void *resource)
{
    timed *state = pool->user_data;
    (void)resource;
    return atomic_fetch_add(&state->mark, 1) != 0;
}

static bool make(pool_t *pool, void **resource)
{
    timed *state = pool->user_data;
    atomic_fetch_add(&state->creations, 1);
    *resource = (void *)(intptr_t)(atomic_fetch_add(&state->made, 1) + 1);
    return true;
}

static void end(pool_t *pool, void *resource)
{
    (void)resource;
    atomic_fetch_add(&((timed *)pool->user_data)->ended, 1);
}

static bool pass(pool_t *pool, void *resource)
{
    (void)resource;
    atomic_fetch_add(&((timed *)pool->user_data)->checks, 1);
    return true;
}

/* A pool of words that is checked every millisecond. */
static pool_t *pool_with(timed *state, pool_before_acquire_fn acquire, pool_before_release_fn release)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.destructor = end;
    config.healthcheck = pass;
    config.before_acquire = acquire;
    config.before_release = release;
    config.user_data = state;
    config.min_size = 2;
    config.max_size = 4;
    config.healthcheck_interval_ms = 1;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

/* It is back at min, and stays there without further creations. */
static void check_floor(timed *state, pool_t *pool, int creations)
{
    WAIT_FOR(pool_count(pool) == 2 && pool_idle_count(pool) == 2);
    int checks = state->checks;
    WAIT_FOR(state->checks >= checks + 20);
    CHECK_INT(pool_count(pool), 2); /* one of them may be inside its check */
    CHECK_INT(state->creations, creations);
    pool_unref(pool);
    CHECK_INT(state->ended, state->made);
}

/* ---- What destroys ------------------------------------------------------------------------- */

TEST(b22_what_a_release_refuses_is_made_up_for)
{
    timed state = TIMED_INIT;
    pool_t *pool = pool_with(&state, NULL, refuse_one);
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    WAIT_FOR(state.ended == 1);
    check_floor(&state, pool, 3);
}

TEST(b22_what_an_acquire_refuses_is_made_up_for)
{
    timed state = TIMED_INIT;
    pool_t *pool = pool_with(&state, refuse, NULL);
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK); /* refuses what is idle, then makes one */
    CHECK(state.ended >= 1);                          /* the other may have been inside its check */
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    WAIT_FOR(pool_idle_count(pool) == 2);
    int checks = state.checks, creations = state.creations;
    WAIT_FOR(state.checks >= checks + 20);
    CHECK_INT(state.creations, creations);
    CHECK_INT(pool_count(pool), 2);
    pool_unref(pool);
    CHECK_INT(state.ended, state.made);
}

static bool refuse_up_to_three(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)call;
    return r->id > 3;
}

TEST(r50_when_all_fail_the_check_all_are_replaced)
{
    timed state = TIMED_INIT;
    state.healthcheck = refuse_up_to_three;
    pool_t *pool = timed_pool(&state, 3, 5, 1, 0);
    WAIT_FOR(state.ended == 3 && pool_idle_count(pool) == 3);
    timed_passes(&state, 30); /* ten passes over three */
    CHECK_INT(pool_count(pool), 3);
    CHECK_INT(state.creations, 6);
    timed_end(&state, pool);
}

TEST(r50_one_pass_restores_the_minimum)
{
    timed state = TIMED_INIT;
    state.healthcheck = refuse_up_to_three;
    pool_t *pool = timed_pool(&state, 3, 5, 0, 0);
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    pool_op_next(&op, NULL, &ask);
    for (; ask.kind != POOL_ASK_DONE; pool_op_next(&op, &answer, &ask)) {
        CHECK(pool_count(pool) <= 5);
        if (ask.kind == POOL_ASK_HEALTHCHECK)
            answer.ok = pool->healthcheck.internal(pool, ask.resource);
        else if (ask.kind == POOL_ASK_CREATE)
            answer.ok = pool->factory.internal(pool, &answer.resource);
        else
            pool->destructor.internal(pool, ask.resource);
    }
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_COUNTS(pool, 3, 0, 0);
    CHECK_INT(state.ended, 3);
    timed_end(&state, pool);
}

/* ---- What stays ---------------------------------------------------------------------------- */

TEST(r50_a_healthy_minimum_is_never_rebuilt)
{
    timed state = TIMED_INIT;
    pool_t *pool = timed_pool(&state, 3, 3, 1, 0);
    timed_passes(&state, 60);
    CHECK_INT(pool_count(pool), 3);
    CHECK_INT(state.creations, 3);
    CHECK_INT(state.ended, 0);
    timed_end(&state, pool);
}

/* Makes n idle. */
static void grow(pool_t *pool, int n)
{
    timed_resource *r[8];
    for (int i = 0; i < n; i++)
        r[i] = timed_take(pool);
    for (int i = 0; i < n; i++)
        timed_give(pool, r[i]);
}

/* Once told to. */
static bool refuse_the_first_two(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)call;
    return r->id > 2 || !atomic_load(&state->mark);
}

TEST(b23_r53_what_is_above_the_minimum_is_neither_trimmed_nor_replaced)
{
    timed state = TIMED_INIT;
    state.healthcheck = refuse_the_first_two;
    pool_t *pool = timed_pool(&state, 1, 5, 1, 0);
    grow(pool, 5);
    timed_passes(&state, 25);
    CHECK_INT(pool_count(pool), 5);
    atomic_store(&state.mark, 1);
    WAIT_FOR(state.ended == 2);
    timed_passes(&state, 15);
    CHECK_INT(pool_count(pool), 3);
    CHECK_INT(state.ended, 2);
    CHECK_INT(state.creations, 5);
    timed_end(&state, pool);
}

TEST(a_minimum_of_zero_makes_nothing)
{
    timed state = TIMED_INIT;
    state.healthcheck = refuse_up_to_three;
    pool_t *ticks = timed_clock(&clock_state), *pool = timed_pool(&state, 0, 5, 1, 0);
    timed_passes(&clock_state, 10);
    CHECK_INT(state.creations, 0);
    grow(pool, 1);
    WAIT_FOR(state.ended == 1 && pool_count(pool) == 0);
    timed_passes(&clock_state, 10);
    CHECK_INT(state.creations, 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    timed_end(&state, pool);
    timed_end(&clock_state, ticks);
}

TEST(what_is_lent_counts_towards_the_minimum)
{
    enum { MOST = 9 };
    timed state = TIMED_INIT;
    pool_t *ticks = timed_clock(&clock_state), *pool = timed_pool(&state, 2, MOST, 1, 0);
    timed_resource *r[MOST];
    uint32_t n = 0;
    do /* two; or more, where one was inside its check when another was wanted */
        r[n++] = timed_take(pool);
    while (n < pool_count(pool));
    timed_passes(&clock_state, 20);
    CHECK_COUNTS(pool, 0, n, 0);
    CHECK_INT(state.creations, n);
    while (n > 0)
        timed_give(pool, r[--n]);
    timed_end(&state, pool);
    timed_end(&clock_state, ticks);
}

static void *take_and_die(void *pool) { return timed_take(pool); }

TEST(r58_a_lease_whose_holder_is_gone_counts_and_is_not_made_up_for)
{
    timed state = TIMED_INIT;
    void *lost, *r;
    pool_t *ticks = timed_clock(&clock_state), *pool = timed_pool(&state, 1, 1, 1, 0);
    CHECK_INT(pthread_join(check_thread(take_and_die, pool), &lost), 0);
    int checks = state.checks;
    timed_passes(&clock_state, 20);
    CHECK_STATUS(pool_acquire(pool, &r, 5), POOL_ERR_TIMEOUT);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(state.checks, checks);
    CHECK_INT(state.creations, 1);
    CHECK_STATUS(pool_close(pool), POOL_OK); /* does not wait for it */
    CHECK_COUNTS(pool, 0, 1, 0);
    timed_give(pool, lost);
    timed_end(&state, pool);
    timed_end(&clock_state, ticks);
}

/* ---- Under load ---------------------------------------------------------------------------- */

enum { THREADS = 4, CYCLES = 40000 / CHECK_SLOWDOWN, MAX = 3 };

static atomic_int cycles_left;

static bool refuse_some(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)r;
    return call % 5 != 0;
}

static bool count_alive(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r;
    CHECK(pool_count(pool) <= MAX);
    return refuse_some(pool, state, NULL, call);
}

static void *cycle(void *arg)
{
    pool_t *pool = arg;
    while (atomic_fetch_sub(&cycles_left, 1) > 0) {
        void *r;
        pool_status_t status = pool_acquire(pool, &r, 0);
        if (status == POOL_OK)
            status = pool_release(pool, r);
        else
            CHECK_STATUS(status, POOL_ERR_FACTORY);
    }
    return NULL;
}

TEST(refills_among_acquires_never_exceed_max_and_end_at_min)
{
    pthread_t threads[THREADS];
    timed state = TIMED_INIT;
    state.healthcheck = refuse_some;
    state.factory = count_alive;
    pool_t *pool = timed_pool(&state, MAX, MAX, 1, 0);
    cycles_left = CYCLES;
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(cycle, pool);
    for (int i = 0; i < THREADS; i++) {
        check_join(threads[i]);
        CHECK(state.made - state.ended <= MAX);
    }
    WAIT_FOR(state.ended >= 10);
    WAIT_FOR(pool_idle_count(pool) == MAX); /* in the end, however often a refill failed */
    timed_end(&state, pool);
}

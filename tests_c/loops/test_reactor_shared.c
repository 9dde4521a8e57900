/*
 * Pools that several loops and threads share: each outcome comes on the right thread, once, and the
 * order among all of them is the order of arrival.
 */
#include "loop.h"

typedef struct loop_thread {
    pool_reactor_t *reactor;
    pthread_t thread;
    atomic_bool stop;
} loop_thread;

static void *run_loop(void *arg)
{
    loop_thread *loop = arg;
    while (!loop->stop) {
        loop_poll(pool_reactor_fd(loop->reactor), 1);
        CHECK_STATUS(pool_reactor_dispatch(loop->reactor), POOL_OK);
    }
    return NULL;
}

static void start_loop(loop_thread *loop)
{
    loop->reactor = pool_reactor_create();
    loop->thread = check_thread(run_loop, loop);
}

static void end_loop(loop_thread *loop)
{
    loop->stop = true;
    check_join(loop->thread);
    pool_reactor_unref(loop->reactor);
}

static void give(told *t) { fx_give(t->pool, t->got); }

/* Shows E12. */
TEST(two_loops_share_a_pool_in_order_of_arrival)
{
    enum { OPS = 200 };
    static told ops[OPS];
    static loop_thread loops[2];
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    start_loop(&loops[0]);
    start_loop(&loops[1]);
    for (int i = 0; i < OPS; i++) {
        ops[i].then = give; /* one resource: the next is told only after this one gave it back */
        loop_acquire_on(loops[(i / 3) % 2].reactor, pool, &ops[i], 0);
    }
    CHECK_COUNTS(pool, 0, 1, OPS);
    fx_give(pool, r);
    WAIT_FOR(ops[OPS - 1].times == 1);
    for (int i = 0; i < OPS; i++) {
        CHECK_TOLD_ONCE(&ops[i], POOL_OK);
        CHECK_INT(ops[i].order, i + 1);
        CHECK(pthread_equal(ops[i].thread, loops[(i / 3) % 2].thread));
    }
    end_loop(&loops[0]);
    end_loop(&loops[1]);
    fx_finish(pool);
}

static atomic_int arrivals;

static void count_and_give(told *t)
{
    t->order = atomic_fetch_add(&arrivals, 1);
    fx_give(t->pool, t->got);
}

typedef struct blocking {
    pool_t *pool;
    pthread_t thread;
    int order;
} blocking;

static void *block(void *arg)
{
    blocking *b = arg;
    fx_resource *r = fx_take(b->pool);
    b->order = atomic_fetch_add(&arrivals, 1);
    fx_give(b->pool, r);
    return NULL;
}

/* Shows E12. */
TEST(a_blocking_thread_and_a_loop_share_a_pool_in_order_of_arrival)
{
    enum { PAIRS = 20 };
    static told ops[PAIRS];
    static blocking threads[PAIRS];
    static loop_thread loop;
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    start_loop(&loop);
    for (int i = 0; i < PAIRS; i++) {
        ops[i].then = count_and_give;
        loop_acquire_on(loop.reactor, pool, &ops[i], 0);
        threads[i].pool = pool;
        threads[i].thread = check_thread(block, &threads[i]);
        WAIT_FOR(pool_waiting_count(pool) == (uint32_t)(2 * i + 2));
    }
    fx_give(pool, r);
    for (int i = 0; i < PAIRS; i++) {
        check_join(threads[i].thread);
        CHECK_TOLD_ONCE(&ops[i], POOL_OK);
        CHECK_INT(ops[i].order, 2 * i);
        CHECK_INT(threads[i].order, 2 * i + 1);
    }
    end_loop(&loop);
    fx_finish(pool);
}

enum { CYCLES = 300, CHAINS = 8 };

/* An op that begins again in its callback, CYCLES times, always on one loop. */
typedef struct chain {
    told told; /* first: the callback hands this back */
    loop_thread *loop;
    int cycles;
} chain;

static atomic_int chains_left = CHAINS;

static void cycle_again(told *t)
{
    chain *c = (chain *)t;
    pool_t *pool = t->pool;
    CHECK_STATUS(t->status, POOL_OK);
    CHECK(pthread_equal(pthread_self(), c->loop->thread));
    fx_give(pool, t->got);
    if (++c->cycles == CYCLES) {
        chains_left--;
        return;
    }
    memset(t, 0, sizeof *t);
    t->then = cycle_again;
    loop_acquire_on(c->loop->reactor, pool, t, 3600000);
}

static void *cycle_blocking(void *pool)
{
    for (int i = 0; i < CYCLES; i++)
        fx_give(pool, fx_take(pool));
    return NULL;
}

TEST(two_loops_and_two_threads_use_a_pool_at_once)
{
    static chain chains[CHAINS];
    static loop_thread loops[2];
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 0, 2);
    fx.quiet = true;
    start_loop(&loops[0]);
    start_loop(&loops[1]);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        threads[i] = check_thread(cycle_blocking, pool);
    for (int i = 0; i < CHAINS; i++) {
        chains[i].told.then = cycle_again;
        chains[i].loop = &loops[i % 2];
        loop_acquire_on(chains[i].loop->reactor, pool, &chains[i].told, 3600000);
    }
    WAIT_FOR(chains_left == 0);
    for (int i = 0; i < 2; i++)
        check_join(threads[i]);
    end_loop(&loops[0]);
    end_loop(&loops[1]);
    CHECK_INT(pool_active_count(pool), 0);
    CHECK(fx.peak <= 2);
    fx_finish(pool);
}

/* Several threads may dispatch one reactor: each outcome is still told once. */
static void *dispatch_until_told(void *arg)
{
    told *last = arg;
    while (!last->times)
        CHECK_STATUS(pool_dispatch(last->pool), POOL_OK);
    return NULL;
}

TEST(two_threads_dispatch_one_pool)
{
    enum { OPS = 2000 };
    static told ops[OPS];
    pool_t *pool = loop_pool(FX_WITH_ACQUIRE, 0, 1);
    fx.quiet = true;
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < OPS; i++) {
        ops[i].then = give;
        loop_acquire(pool, &ops[i], i % 2 ? 3600000 : 0);
    }
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        threads[i] = check_thread(dispatch_until_told, &ops[OPS - 1]);
    fx_give(pool, r);
    for (int i = 0; i < 2; i++)
        check_join(threads[i]);
    for (int i = 0; i < OPS; i++)
        CHECK_TOLD_ONCE(&ops[i], POOL_OK);
    CHECK(!loop_readable(pool_fd(pool)));
    fx_finish(pool);
}

/* ---- completions that cross ---- */

enum { CROSSING = 128, CROSSINGS = 150 };

typedef struct crossing {
    pool_reactor_t *reactor[2];
    told ops[CROSSING];
    atomic_int round, ended, told;
} crossing;

static crossing cross;

static void count_told(told *t)
{
    if (t->got)
        fx_give(t->pool, t->got);
    cross.told++;
}

static void *dispatch_rounds(void *reactor)
{
    for (int round = 1; round <= CROSSINGS; round++) {
        WAIT_FOR(cross.round >= round);
        while (cross.told < CROSSING)
            CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
        cross.ended++;
        WAIT_FOR(cross.ended >= 2 * round);
    }
    return NULL;
}

/* All deadlines have passed when the place becomes free: each op times out on its loop, and hands
 * the place on to one of the other loop that may be timing out just now. */
TEST(deadlines_on_two_loops_cross_grants)
{
    pthread_t threads[2];
    pool_t *pool = loop_pool(0, 0, 1);
    fx.quiet = true;
    for (int i = 0; i < 2; i++) {
        cross.reactor[i] = pool_reactor_create();
        threads[i] = check_thread(dispatch_rounds, cross.reactor[i]);
    }
    for (int round = 1; round <= CROSSINGS; round++) {
        fx_resource *r = fx_take(pool);
        memset(cross.ops, 0, sizeof cross.ops);
        cross.told = 0;
        for (int i = 0; i < CROSSING; i++) {
            cross.ops[i].then = count_told;
            loop_acquire_on(cross.reactor[i % 2], pool, &cross.ops[i], 1);
        }
        WAIT_FOR(check_now_ns() > pool_op_until_ns(&cross.ops[CROSSING - 1].op));
        cross.round = round;
        fx_give(pool, r);
        WAIT_FOR(cross.ended == 2 * round);
        for (int i = 0; i < CROSSING; i++) {
            CHECK_INT(cross.ops[i].times, 1);
            CHECK(cross.ops[i].status == POOL_ERR_TIMEOUT || cross.ops[i].status == POOL_OK);
        }
        CHECK_COUNTS(pool, 1, 0, 0);
    }
    for (int i = 0; i < 2; i++) {
        check_join(threads[i]);
        CHECK(!loop_readable(pool_reactor_fd(cross.reactor[i])));
        pool_reactor_unref(cross.reactor[i]);
    }
    fx_finish(pool);
}

static void *close_or_open_breaker(void *arg)
{
    pool_t *pool = arg;
    WAIT_FOR(cross.round == 1);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return NULL;
}

/* Breaker and close send ops away that are timing out just now, or are cancelled. */
TEST(deadlines_cross_the_breaker_and_a_close)
{
    for (int round = 1; round <= 40; round++) {
        pool_t *pool = loop_pool(0, 0, 1);
        fx_resource *r = fx_take(pool);
        fx.quiet = true;
        memset(cross.ops, 0, sizeof cross.ops);
        cross.told = cross.round = 0;
        for (int i = 0; i < CROSSING; i++) {
            cross.ops[i].then = count_told;
            loop_acquire(pool, &cross.ops[i], 1);
        }
        pthread_t thread = check_thread(close_or_open_breaker, pool);
        WAIT_FOR(check_now_ns() > pool_op_until_ns(&cross.ops[CROSSING - 1].op) + 1000000);
        cross.round = 1;
        while (cross.told < CROSSING)
            CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        check_join(thread);
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        for (int i = 0; i < CROSSING; i++)
            CHECK_INT(cross.ops[i].times, 1);
        fx_give(pool, r);
        fx_finish(pool);
    }
}

/*
 * A thousand threads that pass a gate together and touch the library for the first time: the Go runtime sets
 * each of them up, and alone it would let them fight for that for seconds. See bridge/go.c, where they queue asleep;
 * that one at a time goes in and serves up to so many others is what test_go_call.c shows, with an order that the test
 * decides. Here is the real runtime: each call is answered, and nothing is lost. How long the slowest waits is a row of
 * `make bench`. Each case shows P15.
 */
#include "check.h"

enum { THREADS = 1000 };

typedef struct visitor {
    int number;
    pool_t *own, *lender;
    void *got;
} visitor;

static visitor visitors[THREADS];
static pthread_barrier_t gate, done;
static pool_t *shared[THREADS / 8], *driven;
static void (*touch)(visitor *);

static int word;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &word;
    return true;
}

static pool_t *new_pool(uint32_t min, uint32_t max, uint32_t flags)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = NULL;
    config.factory = flags & POOL_F_HOST_DRIVEN ? NULL : make;
    config.min_size = min;
    config.max_size = max;
    config.flags = flags;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void *visit(void *arg)
{
    visitor *v = arg;
    pthread_barrier_wait(&gate);
    touch(v);
    CHECK(pool_debug_crossings() > 0);
    pthread_barrier_wait(&done); /* nobody is served with what another one gives back */
    if (v->got)
        CHECK_STATUS(pool_release(v->lender, v->got), POOL_OK);
    pool_unref(v->own);
    return NULL;
}

/* No thread but the first has been inside Go. */
static void all_touch_at_once(void (*how)(visitor *))
{
    pthread_t threads[THREADS];
    touch = how;
    pthread_barrier_init(&gate, NULL, THREADS);
    pthread_barrier_init(&done, NULL, THREADS);
    for (int i = 0; i < THREADS / 8; i++)
        shared[i] = new_pool(0, THREADS, 0);
    driven = new_pool(0, THREADS, POOL_F_HOST_DRIVEN);
    for (int i = 0; i < THREADS; i++) {
        visitors[i] = (visitor){.number = i};
        threads[i] = check_thread(visit, &visitors[i]);
    }
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    for (int i = 0; i < THREADS / 8; i++) {
        CHECK_INT(pool_active_count(shared[i]), 0);
        pool_unref(shared[i]);
    }
    CHECK_COUNTS(driven, 0, 0, 0);
    pool_unref(driven);
}

static void borrow_from(pool_t *pool, visitor *v)
{
    v->lender = pool;
    CHECK_STATUS(pool_acquire(pool, &v->got, 0), POOL_OK);
}

/* Here they queue for the lock of the pool as well. */
static void borrow_from_the_same_one(visitor *v) { borrow_from(shared[0], v); }

TEST(a_thousand_threads_borrow_from_one_pool) { all_touch_at_once(borrow_from_the_same_one); }

static void make_a_pool(visitor *v) { v->own = new_pool(0, 1, 0); }

TEST(a_thousand_threads_make_a_pool_each) { all_touch_at_once(make_a_pool); }

static void make_use_and_close_a_pool(visitor *v)
{
    void *r;
    v->own = new_pool(1, 2, 0);
    CHECK_STATUS(pool_acquire(v->own, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(v->own, r), POOL_OK);
    CHECK_STATUS(pool_close(v->own), POOL_OK);
}

TEST(a_thousand_threads_make_use_and_close_a_pool_each) { all_touch_at_once(make_use_and_close_a_pool); }

/* Each function of the core, from some of the threads: see bridge/go.h. */
static void touch_in_one_of_eight_ways(visitor *v)
{
    pool_t *pool = shared[v->number / 8];
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    switch (v->number % 8) {
    case 0:
        borrow_from(pool, v);
        break;
    case 1:
        make_a_pool(v);
        break;
    case 2:
        CHECK_STATUS(pool_activate(pool), POOL_OK);
        break;
    case 3:
        CHECK_STATUS(pool_strategy_threshold(pool, 5, 5, 1), POOL_OK);
        break;
    case 4:
        CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
        break;
    case 5: /* an op that is dropped half-way */
        CHECK_STATUS(pool_op_try_acquire(driven, &op), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
        CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
        break;
    case 6:
        CHECK_STATUS(pool_set_asks(driven, POOL_ASKS_REPORTS), POOL_OK);
        break;
    case 7:
        make_use_and_close_a_pool(v);
        break;
    }
}

TEST(a_thousand_threads_touch_many_pools_in_every_way) { all_touch_at_once(touch_in_one_of_eight_ways); }

/*
 * A thousand threads that pass a gate together and touch the library for the first time: the Go runtime sets
 * each of them up, and alone it would let them fight for that for seconds. See bridge/door.c.
 *
 * Two bounds. What the threads compute together does not depend on what else the machine does: they queue
 * asleep, while a stampede polls. And the slowest call takes less than a tenth of a second. A busy machine spoils
 * that for a round, and a very busy one for all: then it is enough if it takes no more than a few times as long as
 * the same threads need, in the same round, to take turns at a plain mutex for as much work. Each round is a
 * process of its own, since the runtime keeps what it has made for threads that are gone.
 */
#include "check.h"
#include "process.h"

#define ROUND "FIRST_ENTRIES_ROUND" /* set in the environment of a process that is to make one round */

enum {
    THREADS = 1000,
    SLOWEST_US = 100000 * CHECK_SLOWDOWN,
    CPU_US_EACH = 1000 * CHECK_SLOWDOWN,
    TURN_US = 50 * CHECK_SLOWDOWN, /* of work for each turn at the plain mutex, what a first entry takes */
    FEW_TIMES = 4
};

typedef struct visitor {
    int number;
    pool_t *own, *lender;
    void *got;
    int64_t took_ns, cpu_ns, plain_ns;
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

/* What the machine allows at this time. */
static int64_t take_a_turn(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int64_t start = check_now_ns();
    pthread_mutex_lock(&mutex);
    int64_t until = check_thread_ns() + TURN_US * 1000;
    while (check_thread_ns() < until)
        ;
    pthread_mutex_unlock(&mutex);
    return check_now_ns() - start;
}

static void *visit(void *arg)
{
    visitor *v = arg;
    pthread_barrier_wait(&gate);
    int64_t cpu = check_thread_ns(), start = check_now_ns();
    touch(v);
    v->took_ns = check_now_ns() - start;
    v->cpu_ns = check_thread_ns() - cpu;
    pthread_barrier_wait(&done);
    v->plain_ns = take_a_turn();
    if (v->got)
        CHECK_STATUS(pool_release(v->lender, v->got), POOL_OK);
    pool_unref(v->own);
    return NULL;
}

typedef struct outcome {
    int64_t slowest_us, plain_us, cpu_us_each;
} outcome;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

/* All visits, in a process where no thread but the first has been inside Go. */
static outcome visit_at_once(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&gate, NULL, THREADS);
    pthread_barrier_init(&done, NULL, THREADS);
    for (int i = 0; i < THREADS / 8; i++)
        shared[i] = new_pool(0, THREADS, 0);
    driven = new_pool(0, THREADS, POOL_F_HOST_DRIVEN);
    for (int i = 0; i < THREADS; i++) {
        visitors[i] = (visitor){.number = i};
        threads[i] = check_thread(visit, &visitors[i]);
    }
    int64_t slowest = 0, plain = 0, cpu = 0;
    for (int i = 0; i < THREADS; i++) {
        check_join(threads[i]);
        slowest = later(slowest, visitors[i].took_ns);
        plain = later(plain, visitors[i].plain_ns);
        cpu += visitors[i].cpu_ns;
    }
    for (int i = 0; i < THREADS / 8; i++) {
        CHECK_INT(pool_active_count(shared[i]), 0);
        pool_unref(shared[i]);
    }
    CHECK_COUNTS(driven, 0, 0, 0);
    pool_unref(driven);
    return (outcome){slowest / 1000, plain / 1000, cpu / 1000 / THREADS};
}

/* The same in a process of its own, which calls this case again. */
static outcome visit_in_a_new_process(const char *name)
{
    outcome o;
    FILE *round = process_again(ROUND, name);
    CHECK_INT(fscanf(round, "%" SCNd64 " %" SCNd64 " %" SCNd64, &o.slowest_us, &o.plain_us, &o.cpu_us_each), 3);
    CHECK_INT(pclose(round), 0);
    return o;
}

static void all_touch_at_once(const char *name, void (*how)(visitor *))
{
    outcome o, best = {.slowest_us = INT64_MAX};
    int64_t most_cpu = 0;
    int rounds = 0;
    touch = how;
    if (getenv(ROUND)) {
        o = visit_at_once();
        printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", o.slowest_us, o.plain_us, o.cpu_us_each);
        return;
    }
    do {
        o = visit_in_a_new_process(name);
        best = o.slowest_us < best.slowest_us ? o : best;
        most_cpu = later(most_cpu, o.cpu_us_each);
        rounds++;
    } while (o.slowest_us > SLOWEST_US && o.slowest_us > FEW_TIMES * o.plain_us && check_time_left());
    printf("%d threads at once: the slowest call took %" PRId64 " us in the best of %d rounds, a turn at a mutex %" PRId64
           " us; %" PRId64 " us of processor time each in the worst\n",
           THREADS, best.slowest_us, rounds, best.plain_us, most_cpu);
    CHECK(most_cpu < CPU_US_EACH);
    CHECK(o.slowest_us <= SLOWEST_US || o.slowest_us <= FEW_TIMES * o.plain_us);
}

/* In a TEST, whose function is called test_ and the name of the case. */
#define ALL_TOUCH_AT_ONCE(how) all_touch_at_once(__func__ + strlen("test_"), how)

static void borrow_from(pool_t *pool, visitor *v)
{
    v->lender = pool;
    CHECK_STATUS(pool_acquire(pool, &v->got, 0), POOL_OK);
}

/* Here they queue for the lock of the pool as well. */
static void borrow_from_the_same_one(visitor *v) { borrow_from(shared[0], v); }

TEST(a_thousand_threads_borrow_from_one_pool) { ALL_TOUCH_AT_ONCE(borrow_from_the_same_one); }

static void make_a_pool(visitor *v) { v->own = new_pool(0, 1, 0); }

TEST(a_thousand_threads_make_a_pool_each) { ALL_TOUCH_AT_ONCE(make_a_pool); }

static void make_use_and_close_a_pool(visitor *v)
{
    void *r;
    v->own = new_pool(1, 2, 0);
    CHECK_STATUS(pool_acquire(v->own, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(v->own, r), POOL_OK);
    CHECK_STATUS(pool_close(v->own), POOL_OK);
}

TEST(a_thousand_threads_make_use_and_close_a_pool_each) { ALL_TOUCH_AT_ONCE(make_use_and_close_a_pool); }

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

TEST(a_thousand_threads_touch_many_pools_in_every_way) { ALL_TOUCH_AT_ONCE(touch_in_one_of_eight_ways); }

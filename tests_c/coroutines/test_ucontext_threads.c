/* Threads that wait at a pool of coroutines: a wake-up wakes the one whom it is for, and not the scheduler. */
#include "check.h"

/* The waits for a condition that the scheduler of this header has come back from. */
static atomic_int woken;
#define pthread_cond_wait(cond, mutex) (pthread_cond_wait)((cond), (mutex)), woken++
#define pthread_cond_timedwait(cond, mutex, until) (pthread_cond_timedwait)((cond), (mutex), (until)), woken++
#include <asyncpool/ucontext.h>

enum { THREADS = 40, CYCLES = 20 };

static pool_ucontext_t tasks;
static pool_t *shared, *other; /* of one place each */
static void *held, *kept;
static pool_scheduler_t counting;
static atomic_int suspensions, cycles;

static bool suspend(void *ctx, pool_op_t *op)
{
    suspensions++;
    return tasks.scheduler.suspend(ctx, op);
}

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

static pool_t *pool_of_one(void)
{
    pool_t *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.max_size = 1;
    config.scheduler = &counting;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void begin(void)
{
    CHECK(pool_ucontext_init(&tasks, 0));
    pool_ucontext_outside(&tasks, true);
    counting = (pool_scheduler_t){suspend, tasks.scheduler.resume, &tasks};
    shared = pool_of_one();
    other = pool_of_one();
    CHECK_STATUS(pool_acquire(shared, &held, 0), POOL_OK);
    CHECK_STATUS(pool_acquire(other, &kept, 0), POOL_OK);
}

static void finish(void)
{
    pool_unref(shared);
    pool_unref(other);
    CHECK(pool_ucontext_destroy(&tasks));
}

static void *cycle(void *unused)
{
    for (int i = 0; i < CYCLES; i++) {
        void *resource;
        CHECK_STATUS(pool_acquire(shared, &resource, i % 2 ? 3600000 : 0), POOL_OK);
        CHECK_STATUS(pool_release(shared, resource), POOL_OK);
        cycles++;
    }
    return unused;
}

/* They all stand in line, and then go round. */
static void *go_round(void *unused)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(cycle, NULL);
    WAIT_FOR(pool_waiting_count(shared) == THREADS);
    CHECK_STATUS(pool_release(shared, held), POOL_OK);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    return unused;
}

TEST(a_thread_is_woken_once_for_each_wait)
{
    begin();
    go_round(NULL);
    CHECK_INT(woken, 0);
    CHECK(suspensions <= THREADS * CYCLES); /* each of them was the last of its wait */
    CHECK_STATUS(pool_release(other, kept), POOL_OK);
    finish();
}

static void wait_for_the_other(void *unused)
{
    void *resource;
    (void)unused;
    CHECK_STATUS(pool_acquire(other, &resource, 0), POOL_OK);
    CHECK_STATUS(pool_release(other, resource), POOL_OK);
}

static void *go_round_then_release_the_other(void *unused)
{
    WAIT_FOR(pool_waiting_count(other) == 1);
    go_round(NULL);
    CHECK_STATUS(pool_release(other, kept), POOL_OK);
    return unused;
}

TEST(the_scheduler_sleeps_while_threads_hand_places_to_each_other)
{
    enum { SPURIOUS = 8 }; /* a signal may end a wait, and an announcement does */
    begin();
    pthread_t driver = check_thread(go_round_then_release_the_other, NULL);
    CHECK(pool_ucontext_spawn(&tasks, wait_for_the_other, NULL));
    CHECK(pool_ucontext_run(&tasks));
    check_join(driver);
    CHECK_INT(cycles, THREADS * CYCLES);
    CHECK(woken <= 1 + SPURIOUS);
    finish();
}

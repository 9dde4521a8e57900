/*
 * The built-in strategy gives probes up that have not come back after 30 seconds. Who stands in line by then is lent
 * what is free, though nobody comes, gives anything back, or looks: who waits looks itself.
 *
 * For the library it is 29.9 seconds ago while the breaker begins to recover, so that the 30 seconds are soon over.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#include "loop.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)

static _Atomic int64_t ago_ns; /* how far the library's clock is behind */

int clock_gettime(clockid_t id, struct timespec *t)
{
    int rc = (int)syscall(SYS_clock_gettime, id, t);
    int64_t ns = (int64_t)t->tv_sec * 1000000000 + t->tv_nsec - (id == CLOCK_MONOTONIC ? atomic_load(&ago_ns) : 0);
    *t = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    return rc;
}

/* All places are lent, and the breaker has been recovering for a while: no probe is out. */
static void recover(pool_t *pool, fx_resource *lent[2])
{
    CHECK_STATUS(pool_strategy_threshold(pool, 5, 1, 1), POOL_OK);
    lent[0] = fx_take(pool);
    lent[1] = fx_take(pool);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    atomic_store(&ago_ns, 29900 * MS);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    atomic_store(&ago_ns, 0);
}

TEST(a_thread_in_line)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *lent[2];
    fx_caller probe, next;
    recover(pool, lent);
    fx_start_waiting(&probe, pool, 0);
    fx_start_waiting(&next, pool, 0);
    fx_give(pool, lent[0]);
    fx_join(&probe); /* it has it, and never gives it back */
    fx_give(pool, lent[1]);
    fx_join(&next);
    CHECK_STATUS(next.status, POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    fx_give(pool, next.got);
    fx_give(pool, probe.got);
    fx_finish(pool);
}

TEST(a_loop)
{
    pool_t *pool = loop_pool(0, 0, 2);
    fx_resource *lent[2];
    told probe = {.times = 0}, next = {.times = 0};
    recover(pool, lent);
    loop_acquire(pool, &probe, 0);
    loop_acquire(pool, &next, 3600000);
    fx_give(pool, lent[0]);
    loop_until_told(pool, &probe);
    fx_give(pool, lent[1]);
    loop_until_told(pool, &next);
    CHECK_STATUS(next.status, POOL_OK);
    fx_give(pool, next.got);
    fx_give(pool, probe.got);
    fx_finish(pool);
}

/* A scheduler is told when the coroutine shall look. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static bool resumed;

static bool suspend(void *ctx, pool_op_t *op)
{
    (void)ctx;
    int64_t until = pool_op_until_ns(op);
    struct timespec t = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
    CHECK(until < INT64_MAX);
    pthread_mutex_lock(&mutex);
    while (!resumed && pthread_cond_clockwait(&change, &mutex, CLOCK_MONOTONIC, &t) == 0)
        ;
    pthread_mutex_unlock(&mutex);
    return true;
}

static void resume(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    pthread_mutex_lock(&mutex);
    resumed = true;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&mutex);
}

TEST(a_coroutine)
{
    const pool_scheduler_t scheduler = {suspend, resume, NULL};
    pool_config_t config = loop_config(0, 0, 2);
    config.scheduler = &scheduler;
    pool_t *pool = loop_pool_of(&config);
    fx_resource *lent[2];
    told probe = {.times = 0};
    recover(pool, lent);
    loop_acquire(pool, &probe, 0); /* first in line: the probe that is lost */
    fx_caller waits;
    fx_start_waiting(&waits, pool, 0);
    fx_give(pool, lent[0]);
    loop_until_told(pool, &probe);
    fx_give(pool, lent[1]);
    fx_join(&waits);
    CHECK_STATUS(waits.status, POOL_OK);
    fx_give(pool, waits.got);
    fx_give(pool, probe.got);
    fx_finish(pool);
}

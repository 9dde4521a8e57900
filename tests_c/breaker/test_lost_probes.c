/*
 * The built-in strategy gives probes up that have not come back after 30 seconds. Who stands in line by then is lent
 * what is free, though nobody comes, gives anything back, or looks: who waits looks itself, also one that lay down to
 * wait for ever, before there was anything to look for.
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

static void lend_all(pool_t *pool, fx_resource *lent[2])
{
    CHECK_STATUS(pool_strategy_threshold(pool, 5, 1, 9), POOL_OK);
    lent[0] = fx_take(pool);
    lent[1] = fx_take(pool);
}

static void have_recovered_for_a_while(pool_t *pool)
{
    atomic_store(&ago_ns, 29900 * MS);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    atomic_store(&ago_ns, 0);
}

/* All places are lent, and the breaker has been recovering for a while: no probe is out. */
static void recover(pool_t *pool, fx_resource *lent[2])
{
    lend_all(pool, lent);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    have_recovered_for_a_while(pool);
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
    pthread_mutex_lock(&mutex);
    while (!resumed && pthread_cond_clockwait(&change, &mutex, CLOCK_MONOTONIC, &t) == 0)
        ;
    resumed = false;
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

static pool_t *coroutine_pool(void)
{
    static pool_scheduler_t scheduler = {suspend, resume, NULL};
    pool_config_t config = loop_config(0, 0, 2);
    config.scheduler = &scheduler;
    return loop_pool_of(&config);
}

TEST(a_coroutine)
{
    pool_t *pool = coroutine_pool();
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

/* The same for those who stood in line before the breaker recovered: the first has the probe, the second looks. */
static void check_called(pool_t *pool, fx_resource *lent[2], told *probe, fx_caller *next)
{
    have_recovered_for_a_while(pool);
    fx_give(pool, lent[0]);
    loop_until_told(pool, probe);
    fx_give(pool, lent[1]);
    fx_join(next);
    CHECK_STATUS(next->status, POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    fx_give(pool, next->got);
    fx_give(pool, probe->got);
    fx_finish(pool);
}

TEST(a_thread_that_was_in_line_before)
{
    pool_t *pool = loop_pool(0, 0, 2);
    fx_resource *lent[2];
    told probe = {.times = 0};
    fx_caller next;
    lend_all(pool, lent);
    loop_acquire(pool, &probe, 0);
    fx_start_waiting(&next, pool, 0);
    check_called(pool, lent, &probe, &next);
}

TEST(a_coroutine_that_was_in_line_before)
{
    pool_t *pool = coroutine_pool();
    fx_resource *lent[2];
    told probe = {.times = 0};
    fx_caller next;
    lend_all(pool, lent);
    loop_acquire(pool, &probe, 0);
    fx_start_waiting(&next, pool, 0);
    check_called(pool, lent, &probe, &next);
}

/* The second is the first when the other one leaves, by a cancel or at its deadline, and looks in its place. */
TEST(a_loop_in_whose_line_the_first_leave)
{
    pool_t *pool = loop_pool(0, 0, 2);
    fx_resource *lent[2];
    told probe = {.times = 0}, leaves = {.times = 0}, late = {.times = 0}, next = {.times = 0};
    lend_all(pool, lent);
    loop_acquire(pool, &probe, 0);
    loop_acquire(pool, &leaves, 0);
    loop_acquire(pool, &late, 1);
    loop_acquire(pool, &next, 0);
    have_recovered_for_a_while(pool);
    CHECK_STATUS(pool_op_cancel(&leaves.op), POOL_OK);
    fx_give(pool, lent[0]);
    loop_until_told(pool, &probe);
    loop_until_told(pool, &late);
    fx_give(pool, lent[1]);
    loop_until_told(pool, &next);
    CHECK_TOLD_ONCE(&leaves, POOL_ERR_CANCELLED);
    CHECK_TOLD_ONCE(&late, POOL_ERR_TIMEOUT);
    CHECK_TOLD_ONCE(&next, POOL_OK);
    loop_give(&next);
    loop_give(&probe);
    fx_finish(pool);
}

/* The breaker recovers without a strategy, and the probe is lost: who is in line looks as soon as there is one. */
TEST(a_strategy_that_comes_late)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *lent[2];
    fx_caller probe, next;
    lend_all(pool, lent);
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    fx_start_waiting(&probe, pool, 0);
    fx_start_waiting(&next, pool, 3600000);
    have_recovered_for_a_while(pool);
    fx_give(pool, lent[0]);
    fx_join(&probe);
    fx_give(pool, lent[1]);
    CHECK_INT(pool_waiting_count(pool), 1);
    CHECK_STATUS(pool_strategy_threshold(pool, 5, 1, 9), POOL_OK);
    fx_join(&next);
    CHECK_STATUS(next.status, POOL_OK);
    fx_give(pool, next.got);
    fx_give(pool, probe.got);
    fx_finish(pool);
}

/* ---- a host that keeps its ops on one thread: its clock is its own ---- */

#define WORD(n) ((void *)(uintptr_t)(n))

typedef struct talk {
    pool_op_t op;
    pool_ask_t ask;
} talk;

static pool_ask_kind_t go_on(talk *t, void *made, int64_t now_ns)
{
    const pool_answer_t answer = {sizeof answer, true, made, now_ns, 0};
    return pool_op_next(&t->op, &answer, &t->ask);
}

static pool_ask_kind_t acquire(pool_t *pool, talk *t)
{
    *t = (talk){.ask = POOL_ASK_INIT};
    CHECK_STATUS(pool_op_acquire(pool, &t->op, 0), POOL_OK);
    return go_on(t, NULL, 0);
}

static void give(pool_t *pool, uintptr_t word)
{
    talk t = {.ask = POOL_ASK_INIT};
    CHECK_STATUS(pool_op_release(pool, &t.op, WORD(word)), POOL_OK);
    CHECK_INT(go_on(&t, NULL, 0), POOL_ASK_DONE);
    CHECK_STATUS(t.ask.status, POOL_OK);
}

/* It is told by pool_op_woken() who shall look, each once, and hears until when it may sleep then. */
TEST(a_host_that_asks_who_can_go_on)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 2;
    pool_t *pool = NULL;
    talk lent, probe, next;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_strategy_threshold(pool, 5, 1, 9), POOL_OK);
    for (uintptr_t word = 1; word <= 2; word++) {
        CHECK_INT(acquire(pool, &lent), POOL_ASK_CREATE);
        CHECK_INT(go_on(&lent, WORD(word), 0), POOL_ASK_DONE);
    }
    CHECK_INT(acquire(pool, &probe), POOL_ASK_WAIT);
    CHECK_INT(acquire(pool, &next), POOL_ASK_WAIT);
    CHECK(next.ask.until_ns == INT64_MAX);

    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_PTR(pool_op_woken(pool), &probe.op); /* and it may wait: it is told once, and again of its place */
    CHECK_PTR(pool_op_woken(pool), NULL);
    give(pool, 1);
    CHECK_PTR(pool_op_woken(pool), &probe.op);
    CHECK_PTR(pool_op_woken(pool), &next.op);
    CHECK_PTR(pool_op_woken(pool), NULL);
    CHECK_INT(go_on(&probe, NULL, 0), POOL_ASK_DONE);
    CHECK_INT(go_on(&next, NULL, 0), POOL_ASK_WAIT);
    CHECK(next.ask.until_ns < INT64_MAX);
    CHECK_INT(pool_op_until_ns(&next.op), next.ask.until_ns);
    CHECK_INT(pool_waiting_count(pool), 1);

    give(pool, 2);
    CHECK_PTR(pool_op_woken(pool), NULL);
    CHECK_INT(go_on(&next, NULL, next.ask.until_ns - 1), POOL_ASK_WAIT);
    CHECK_INT(go_on(&next, NULL, next.ask.until_ns), POOL_ASK_DONE);
    CHECK_STATUS(next.ask.status, POOL_OK);
    CHECK_PTR(next.ask.resource, WORD(2));
    give(pool, 1);
    give(pool, 2);
    CHECK_STATUS(pool_op_close(pool, &lent.op), POOL_OK);
    CHECK_INT(go_on(&lent, NULL, 0), POOL_ASK_DONE);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* The thread of a scheduler is cancelled while it sleeps: the flow it is in leaves the line, and others go on. */
#include "check.h"

#include <asyncpool/ucontext.h>

/* Not on a stack: the leak checker finds here what a coroutine that was unwound leaves behind. */
static struct {
    pool_ucontext_t s;
    pool_t *pool;
    void *lent; /* the only place */
    bool in_coroutine;
    int64_t timeout_ms;
    atomic_bool ready;
} w;

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

static void wait_until_cancelled(void *unused)
{
    void *resource;
    (void)unused;
    pool_acquire(w.pool, &resource, w.timeout_ms);
    CHECK(!"the wait came to an end");
}

static void *schedule(void *unused)
{
    pool_config_t config = POOL_CONFIG_INIT;
    CHECK(pool_ucontext_init(&w.s, 0));
    pool_ucontext_outside(&w.s, true);
    config.factory = make;
    config.max_size = 1;
    config.scheduler = &w.s.scheduler;
    CHECK_STATUS(pool_create_ex(&config, &w.pool), POOL_OK);
    CHECK_STATUS(pool_acquire(w.pool, &w.lent, 0), POOL_OK);
    atomic_store(&w.ready, true);
    if (w.in_coroutine)
        CHECK(pool_ucontext_spawn(&w.s, wait_until_cancelled, NULL) && pool_ucontext_run(&w.s));
    else
        wait_until_cancelled(NULL);
    return unused;
}

static void *borrow(void *unused)
{
    void *resource;
    CHECK_STATUS(pool_acquire(w.pool, &resource, 0), POOL_OK);
    CHECK_STATUS(pool_release(w.pool, resource), POOL_OK);
    return unused;
}

static void cancel_the_scheduler(bool in_coroutine, int64_t timeout_ms)
{
    pthread_t scheduler;
    void *outcome;
    w.in_coroutine = in_coroutine;
    w.timeout_ms = timeout_ms;
    CHECK_INT(pthread_create(&scheduler, NULL, schedule, NULL), 0);
    WAIT_FOR(atomic_load(&w.ready) && pool_waiting_count(w.pool) == 1);
    pthread_t other = check_thread(borrow, NULL);
    WAIT_FOR(pool_waiting_count(w.pool) == 2);

    CHECK_INT(pthread_cancel(scheduler), 0);
    CHECK_INT(pthread_join(scheduler, &outcome), 0);
    CHECK(outcome == PTHREAD_CANCELED);
    CHECK_INT(pool_waiting_count(w.pool), 1);
    CHECK_STATUS(pool_release(w.pool, w.lent), POOL_OK);
    check_join(other);
    pool_unref(w.pool);
    CHECK_INT(pool_debug_live(), 0);
    CHECK(pool_ucontext_destroy(&w.s) != in_coroutine);
}

TEST(the_main_flow_is_cancelled) { cancel_the_scheduler(false, 0); }

TEST(the_main_flow_is_cancelled_before_its_deadline) { cancel_the_scheduler(false, 1000000); }

TEST(a_coroutine_is_cancelled_with_its_thread) { cancel_the_scheduler(true, 0); }

TEST(a_coroutine_is_cancelled_with_its_thread_before_its_deadline) { cancel_the_scheduler(true, 1000000); }

/*
 * A thread that has disabled its cancellation waits in peace. pthread_cancel() decides to send its signal, and
 * sends it a little later; by then the thread may be in another wait, with cancellation disabled. glibc's handler
 * looks at the type of cancellation alone, so the type must not be asynchronous there.
 * Each case shows P11, P17.
 */
#include "fixture.h"
#include "process.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct sleeper {
    pool_t *pool;
    atomic_int tid;
    atomic_int ended; /* by itself */
    pool_status_t status;
    fx_resource *got;
} sleeper;

static void *wait_undisturbed(void *arg)
{
    sleeper *s = arg;
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    atomic_store(&s->tid, process_tid());
    s->got = fx_acquire(s->pool, 0, &s->status);
    atomic_store(&s->ended, 1);
    return NULL;
}

static void *be_cancelled(void *arg)
{
    for (;;)
        pause();
    return arg;
}

/* glibc installs its handler with the first cancellation of the process. */
static void cancel_the_first(void)
{
    pthread_t first = check_thread(be_cancelled, NULL);
    CHECK_INT(pthread_cancel(first), 0);
    check_join(first);
}

static void send_late(int tid)
{
    enum { SIGNAL_OF_CANCEL = 32 }; /* glibc's own */
    CHECK_INT(syscall(SYS_tgkill, getpid(), tid, SIGNAL_OF_CANCEL), 0);
}

TEST(a_late_signal_of_pthread_cancel_does_not_end_a_wait_with_cancellation_disabled)
{
    static sleeper s;
    cancel_the_first();
    s.pool = fx_pool(0, 0, 1);
    fx_resource *only = fx_take(s.pool);
    pthread_t thread = check_thread(wait_undisturbed, &s);
    WAIT_FOR(pool_waiting_count(s.pool) == 1 && process_sleeps(atomic_load(&s.tid)));
    send_late(atomic_load(&s.tid));
    /* It has been handled when the thread sleeps again, if it does; one that ends leaves the line. */
    WAIT_FOR(process_sleeps(atomic_load(&s.tid)) || pool_waiting_count(s.pool) == 0);
    fx_give(s.pool, only);
    check_join(thread);
    CHECK_INT(atomic_load(&s.ended), 1);
    CHECK_STATUS(s.status, POOL_OK);
    fx_give(s.pool, s.got);
    fx_finish(s.pool);
}

/* ---- the wait of a close for a healthcheck ---- */

static check_gate checking = CHECK_GATE_INIT;

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

static bool check_until_told(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    check_gate_pass(&checking);
    return true;
}

static void *close_undisturbed(void *arg)
{
    sleeper *s = arg;
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    atomic_store(&s->tid, process_tid());
    s->status = pool_close(s->pool);
    atomic_store(&s->ended, 1);
    return NULL;
}

TEST(a_late_signal_of_pthread_cancel_does_not_end_a_close_that_waits_for_a_healthcheck)
{
    static sleeper s;
    cancel_the_first();
    s.pool = pool_create_internal(make, NULL, check_until_told, NULL, NULL, 1, 1, 1);
    WAIT_FOR(check_gate_waiting(&checking) == 1);
    pthread_t thread = check_thread(close_undisturbed, &s);
    WAIT_FOR(pool_is_closed(s.pool) && process_sleeps(atomic_load(&s.tid)));
    send_late(atomic_load(&s.tid));
    check_gate_open(&checking);
    check_join(thread);
    CHECK_INT(atomic_load(&s.ended), 1);
    CHECK_STATUS(s.status, POOL_OK);
    pool_unref(s.pool);
    WAIT_FOR(pool_debug_live() == 0);
}

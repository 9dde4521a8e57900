/*
 * Hooks, reports and observers that do not return: longjmp, pthread_exit, a thread that is
 * cancelled; and threads that are cancelled elsewhere. Exceptions are in test_exceptions.cpp.
 * Each case shows R26, P11.
 */
#include "leaving.h"

#include "fixture.h"

#include <setjmp.h>
#include <unistd.h>

/* ---- longjmp -------------------------------------------------------------------------------- */

static jmp_buf place;

static void run_and_be_back(void (*body)(void))
{
    if (setjmp(place) == 0)
        body();
}

static void jump(void) { longjmp(place, 1); }

static const leaving by_longjmp = {run_and_be_back, jump, true};

TEST(longjmp_out_of_the_factory) { leaving_factory(&by_longjmp); }
TEST(longjmp_out_of_the_factory_of_a_creation) { leaving_factory_of_a_creation(&by_longjmp); }
TEST(longjmp_out_of_before_acquire) { leaving_before_acquire(&by_longjmp); }
TEST(longjmp_out_of_before_release) { leaving_before_release(&by_longjmp); }
TEST(longjmp_out_of_the_destructor) { leaving_destructor(&by_longjmp); }
TEST(longjmp_out_of_a_destructor_of_close) { leaving_destructor_of_close(&by_longjmp); }
/* Shows P08. */
TEST(longjmp_out_of_report_success) { leaving_report_success(&by_longjmp); }
/* Shows P08. */
TEST(longjmp_out_of_report_failure) { leaving_report_failure(&by_longjmp); }
TEST(longjmp_out_of_should_recover) { leaving_should_recover(&by_longjmp); }
TEST(longjmp_out_of_an_observer) { leaving_observer(&by_longjmp); }
TEST(longjmp_out_of_many_hooks) { leaving_often(&by_longjmp); }

/* ---- The end of the thread ------------------------------------------------------------------ */

static void *run_body(void *arg)
{
    (*(void (**)(void))arg)();
    return NULL;
}

static void run_on_a_thread(void (*body)(void)) { check_join(check_thread(run_body, &body)); }

static void end_thread(void) { pthread_exit(NULL); }

static void cancel_thread(void)
{
    leaving_unmark_stack();
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

static const leaving by_exit = {run_on_a_thread, end_thread, false};
static const leaving by_cancel = {run_on_a_thread, cancel_thread, false};

TEST(pthread_exit_out_of_the_factory) { leaving_factory(&by_exit); }
TEST(pthread_exit_out_of_the_factory_of_a_creation) { leaving_factory_of_a_creation(&by_exit); }
TEST(pthread_exit_out_of_before_acquire) { leaving_before_acquire(&by_exit); }
TEST(pthread_exit_out_of_before_release) { leaving_before_release(&by_exit); }
TEST(pthread_exit_out_of_the_destructor) { leaving_destructor(&by_exit); }
TEST(pthread_exit_out_of_a_destructor_of_close) { leaving_destructor_of_close(&by_exit); }
TEST(pthread_exit_out_of_report_success) { leaving_report_success(&by_exit); }
TEST(pthread_exit_out_of_report_failure) { leaving_report_failure(&by_exit); }
TEST(pthread_exit_out_of_should_recover) { leaving_should_recover(&by_exit); }
TEST(pthread_exit_out_of_an_observer) { leaving_observer(&by_exit); }
TEST(pthread_exit_out_of_an_observer_of_close) { leaving_observer_of_close(&by_exit); }
TEST(pthread_exit_out_of_resume) { leaving_resume(&by_exit); }
TEST(pthread_exit_out_of_many_hooks) { leaving_often(&by_exit); }

TEST(cancelled_in_the_factory) { leaving_factory(&by_cancel); }
TEST(cancelled_in_the_factory_of_a_creation) { leaving_factory_of_a_creation(&by_cancel); }
TEST(cancelled_in_before_acquire) { leaving_before_acquire(&by_cancel); }
TEST(cancelled_in_before_release) { leaving_before_release(&by_cancel); }
TEST(cancelled_in_the_destructor) { leaving_destructor(&by_cancel); }
TEST(cancelled_in_a_destructor_of_close) { leaving_destructor_of_close(&by_cancel); }
TEST(cancelled_in_report_success) { leaving_report_success(&by_cancel); }
TEST(cancelled_in_report_failure) { leaving_report_failure(&by_cancel); }
TEST(cancelled_in_should_recover) { leaving_should_recover(&by_cancel); }
TEST(cancelled_in_an_observer) { leaving_observer(&by_cancel); }
TEST(cancelled_in_an_observer_of_close) { leaving_observer_of_close(&by_cancel); }
TEST(cancelled_in_resume) { leaving_resume(&by_cancel); }

/* ---- Healthchecks, on a thread of the library ----------------------------------------------- */

static void (*leave_library_thread)(void);
static atomic_int checks, words[2];

static bool make_word(pool_t *pool, void **resource)
{
    (void)pool;
    words[0]++;
    *resource = words;
    return true;
}

static void end_word(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    words[1]++;
}

static bool leave_check(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    if (checks++ == 0)
        leave_library_thread();
    return true;
}

/* The pool stays usable and can be closed; the resource is ended once. */
static void leave_healthcheck(void (*leave)(void))
{
    void *r;
    leave_library_thread = leave;
    pool_t *pool = pool_create_internal(make_word, end_word, leave_check, NULL, NULL, 1, 1, 1);
    CHECK(pool != NULL);
    WAIT_FOR(checks >= 1);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    WAIT_FOR(checks >= 3); /* other passes follow */
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_unref(pool);
    CHECK_INT(words[0], words[1]);
}

TEST(pthread_exit_out_of_a_healthcheck) { leave_healthcheck(end_thread); }
TEST(cancelled_in_a_healthcheck) { leave_healthcheck(cancel_thread); }

/* ---- Cancelled elsewhere -------------------------------------------------------------------- */

static pool_t *pool;
static int pipe_ends[2];
static atomic_int inside;

/* Blocks in a system call, which is where threads are cancelled. */
static bool block(pool_t *self, fx_resource *r, int call)
{
    static char byte;
    (void)self, (void)r;
    if (call == 1) {
        leaving_unmark_stack();
        inside = 1;
        if (read(pipe_ends[0], &byte, 1) >= 0)
            check_fail(__FILE__, __LINE__, "read() returned");
    }
    return true;
}

static void cancel_and_join(pthread_t thread)
{
    void *result;
    CHECK_INT(pthread_cancel(thread), 0);
    CHECK_INT(pthread_join(thread, &result), 0);
    CHECK_PTR(result, PTHREAD_CANCELED);
}

static void *give_back(void *r)
{
    pool_release(pool, r);
    return NULL;
}

static void cancel_inside(fx_hook hook)
{
    fx_caller caller, waiter;
    pthread_t thread;
    CHECK_INT(pipe(pipe_ends), 0);
    pool = fx_pool(FX_WITH_ALL, hook == FX_FACTORY ? 0 : 1, 1);
    fx_resource *r = hook == FX_BEFORE_RELEASE ? fx_take(pool) : NULL;
    fx.script[hook] = block;
    if (r) {
        atomic_store(&r->owned, 0);
        thread = check_thread(give_back, r);
    } else {
        fx_start(&caller, pool, 0);
        thread = caller.thread;
    }
    WAIT_FOR(inside);
    fx_start_waiting(&waiter, pool, 0);
    cancel_and_join(thread);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_INT(fx_live(), 1);
    fx_give(pool, waiter.got);
    fx_finish(pool);
}

TEST(a_factory_that_blocks_is_cancelled_from_outside) { cancel_inside(FX_FACTORY); }
TEST(a_before_acquire_that_blocks_is_cancelled_from_outside) { cancel_inside(FX_BEFORE_ACQUIRE); }
TEST(a_before_release_that_blocks_is_cancelled_from_outside) { cancel_inside(FX_BEFORE_RELEASE); }

TEST(a_thread_that_is_cancelled_in_line_leaves_it)
{
    fx_caller first, second, third;
    pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&first, pool, 0);
    fx_start_waiting(&second, pool, 60000);
    fx_start_waiting(&third, pool, 0);
    cancel_and_join(second.thread);
    CHECK_COUNTS(pool, 0, 1, 2);
    cancel_and_join(first.thread);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    fx_join(&third);
    CHECK_STATUS(third.status, POOL_OK);
    fx_give(pool, third.got);
    fx_finish(pool);
}

/* A place that is granted to a thread that is cancelled at the same moment is lent or handed on. */
TEST(cancellations_that_cross_grants_lose_nothing)
{
    fx.quiet = true;
    pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    for (int i = 0; i < 300 && check_time_left(); i++) {
        fx_caller cancelled, next;
        void *result;
        fx_resource *r = fx_take(pool);
        fx_start_waiting(&cancelled, pool, 0);
        fx_start_waiting(&next, pool, 0);
        if (i % 2) {
            CHECK_INT(pthread_cancel(cancelled.thread), 0);
            fx_give(pool, r);
        } else {
            fx_give(pool, r);
            pthread_cancel(cancelled.thread);
        }
        CHECK_INT(pthread_join(cancelled.thread, &result), 0);
        if (result != PTHREAD_CANCELED || cancelled.got) { /* it was faster */
            CHECK_STATUS(cancelled.status, POOL_OK);
            fx_give(pool, cancelled.got);
        }
        fx_join(&next);
        CHECK_STATUS(next.status, POOL_OK);
        fx_give(pool, next.got);
        CHECK_COUNTS(pool, 1, 0, 0);
    }
    fx_finish(pool);
}

/* Only waiting is a place where a thread is cancelled; what never waits is finished. */
static void *work_while_condemned(void *arg)
{
    (void)arg;
    pthread_cancel(pthread_self());
    for (int i = 0; i < 100; i++) {
        pool_status_t status;
        fx_give(pool, fx_take(pool));
        fx_resource *r = fx_try(pool, &status);
        CHECK_STATUS(status, POOL_OK);
        fx_give(pool, r);
    }
    pool_t *own = fx_pool(FX_WITH_ALL, 2, 3);
    fx_give(own, fx_take(own));
    CHECK_STATUS(pool_close(own), POOL_OK);
    pool_unref(own);
    inside = 1;
    pthread_testcancel();
    return NULL;
}

TEST(a_cancellation_waits_until_a_call_that_does_not_wait_is_done)
{
    for (unsigned hooks = 0; hooks <= FX_WITH_ALL; hooks += FX_WITH_ALL) {
        void *result;
        pool = fx_pool(hooks, 0, 2);
        inside = 0;
        pthread_t thread = check_thread(work_while_condemned, NULL);
        CHECK_INT(pthread_join(thread, &result), 0);
        CHECK_PTR(result, PTHREAD_CANCELED);
        CHECK_INT(inside, 1);
        CHECK_COUNTS(pool, 1, 0, 0);
        fx_finish(pool);
    }
}

static void *wait_protected(void *arg)
{
    int old;
    fx_resource **got = arg;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    *got = fx_take(pool);
    pthread_setcancelstate(old, NULL);
    fx_give(pool, *got);
    pthread_testcancel();
    return NULL;
}

TEST(a_thread_that_forbids_it_is_not_cancelled_in_line)
{
    fx_resource *got = NULL;
    void *result;
    pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pthread_t thread = check_thread(wait_protected, &got);
    WAIT_FOR(pool_waiting_count(pool) == 1);
    CHECK_INT(pthread_cancel(thread), 0);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    CHECK_INT(pthread_join(thread, &result), 0);
    CHECK_PTR(got, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static void cancel_op(void *op) { CHECK_STATUS(pool_op_cancel(op), POOL_OK); }

static void *wait_with_an_op(void *arg)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    pthread_cleanup_push(cancel_op, &op);
    pool_op_wait(&op, ask.until_ns);
    check_fail(__FILE__, __LINE__, "pool_op_wait() returned");
    pthread_cleanup_pop(1);
    return arg;
}

TEST(a_host_that_waits_with_an_op_cancels_it_when_its_thread_is_cancelled)
{
    fx_caller next;
    pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pthread_t thread = check_thread(wait_with_an_op, NULL);
    WAIT_FOR(pool_waiting_count(pool) == 1);
    fx_start_waiting(&next, pool, 0);
    cancel_and_join(thread);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    fx_join(&next);
    fx_give(pool, next.got);
    fx_finish(pool);
}

/*
 * Signals without end at threads that wait, borrow, dispatch and sweep, with every kind of handler: deadlines hold,
 * no wake-up is lost, and no call answers anything but what it would have answered.
 * Each case shows P17.
 */
#include "loop.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { TARGETS = 4, STACK = 64 << 10 };

static pool_t *pool;
static pthread_t targets[TARGETS], storm;
static atomic_bool stop;
static atomic_int handled, ready, finished;

static void handle(int number)
{
    (void)number;
    handled++;
}

/* ---- the storm ---- */

/* At each target, and at the process: that one comes to whichever thread does not block it. */
static void *send_signals(void *arg)
{
    while (!atomic_load(&stop)) {
        for (int i = 0; i < TARGETS; i++)
            pthread_kill(targets[i], SIGUSR1);
        kill(getpid(), SIGUSR2);
        sched_yield();
    }
    return arg;
}

static void give_stack(void)
{
    static _Thread_local char stack[STACK];
    stack_t own = {.ss_sp = stack, .ss_size = STACK};
    CHECK_INT(sigaltstack(&own, NULL), 0);
}

static void take_stack(void)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    CHECK_INT(sigaltstack(&none, NULL), 0);
}

static void *(*work)(void *);

/* A target stays until all have finished, since signals go to a thread by its name. */
static void *run_target(void *arg)
{
    give_stack();
    ready++;
    work(arg);
    finished++;
    WAIT_FOR(stop);
    take_stack();
    return NULL;
}

/* Before there is a pool, since threads of the library may look. */
__attribute__((constructor)) static void be_quiet(void) { fx.quiet = true; }

static void begin(int flags, void *(*body)(void *))
{
    static const int numbers[] = {SIGUSR1, SIGUSR2, SIGPROF};
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    struct itimerval often = {{0, 1000}, {0, 1000}};
    work = body;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        CHECK_INT(sigaction(numbers[i], &action, NULL), 0);
    CHECK_INT(setitimer(ITIMER_PROF, &often, NULL), 0);
    for (int i = 0; i < TARGETS; i++)
        targets[i] = check_thread(run_target, (void *)(intptr_t)i);
    WAIT_FOR(ready == TARGETS);
    storm = check_thread(send_signals, NULL);
}

static void end(void)
{
    struct itimerval never = {{0, 0}, {0, 0}};
    WAIT_FOR(finished == TARGETS && handled > 1000);
    stop = true;
    check_join(storm);
    for (int i = 0; i < TARGETS; i++)
        check_join(targets[i]);
    CHECK_INT(setitimer(ITIMER_PROF, &never, NULL), 0);
    fx_finish(pool);
}

/* ---- waiting ---- */

static fx_resource *held;

/* Two wait with a deadline, which comes neither early nor never; two until they are served. */
static void *wait_in_line(void *arg)
{
    int64_t start = check_now_ns(), limit = (intptr_t)arg % 2 ? 200 : 0;
    pool_status_t status;
    fx_resource *r = fx_acquire(pool, limit, &status);
    CHECK_STATUS(status, limit ? POOL_ERR_TIMEOUT : POOL_OK);
    if (r)
        fx_give(pool, r);
    else
        CHECK(check_now_ns() - start >= limit * 1000000);
    return NULL;
}

static void at_threads_that_wait(int flags)
{
    pool = fx_pool(0, 0, 1);
    held = fx_take(pool);
    begin(flags, wait_in_line);
    WAIT_FOR(finished == 2 && handled > 1000 && pool_waiting_count(pool) == 2);
    CHECK_COUNTS(pool, 0, 1, 2);
    fx_give(pool, held);
    end();
}

TEST(at_threads_that_wait) { at_threads_that_wait(0); }
TEST(at_threads_that_wait_restarting) { at_threads_that_wait(SA_RESTART); }
TEST(at_threads_that_wait_on_their_stack) { at_threads_that_wait(SA_ONSTACK); }
TEST(at_threads_that_wait_on_their_stack_restarting) { at_threads_that_wait(SA_ONSTACK | SA_RESTART); }

/* ---- borrowing ---- */

static bool refuse_some(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)r;
    return call % 8 != 0;
}

static void *borrow(void *arg)
{
    for (int i = 0; i < 3000 / CHECK_SLOWDOWN && check_time_left(); i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, i % 4 ? 0 : 1, &status);
        if (r)
            fx_give(pool, r);
        else
            CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    }
    return arg;
}

static void at_threads_that_borrow(int flags)
{
    pool = fx_pool(FX_WITH_ALL, 0, 2);
    fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = refuse_some;
    begin(flags, borrow);
    end();
}

TEST(at_threads_that_borrow) { at_threads_that_borrow(0); }
TEST(at_threads_that_borrow_restarting) { at_threads_that_borrow(SA_RESTART); }
TEST(at_threads_that_borrow_on_their_stack) { at_threads_that_borrow(SA_ONSTACK); }

/* ---- loops, with healthchecks ---- */

static void *turn(void *arg)
{
    pool_reactor_t *reactor = pool_reactor_create();
    for (int i = 0; i < 500 / CHECK_SLOWDOWN && check_time_left(); i++) {
        told t = {0};
        loop_acquire_on(reactor, pool, &t, 5000);
        while (!t.times) {
            loop_poll(pool_reactor_fd(reactor), pool_reactor_next_timeout(reactor));
            CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
            CHECK_STATUS(pool_dispatch(pool), POOL_OK); /* its healthchecks are this one's */
        }
        if (t.status == POOL_OK)
            loop_give(&t);
        else
            CHECK_STATUS(t.status, POOL_ERR_TIMEOUT);
    }
    pool_reactor_unref(reactor);
    return arg;
}

static void at_loops(int flags)
{
    pool_config_t config = loop_config(FX_WITH_ALL, 1, 2);
    config.flags = POOL_F_REACTOR;
    config.healthcheck_interval_ms = 1;
    pool = loop_pool_of(&config);
    begin(flags, turn);
    end();
}

TEST(at_loops) { at_loops(0); }
TEST(at_loops_restarting_on_their_stack) { at_loops(SA_ONSTACK | SA_RESTART); }

/* ---- threads that are new, and healthchecks on threads of the library ---- */

static void *first_call(void *arg)
{
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    return arg;
}

static void *start_threads(void *arg)
{
    for (int i = 0; i < 100 / CHECK_SLOWDOWN && check_time_left(); i++) {
        pthread_t threads[2] = {check_thread(first_call, NULL), check_thread(first_call, NULL)};
        check_join(threads[0]);
        check_join(threads[1]);
    }
    return arg;
}

/* Shows P15. */
TEST(at_threads_that_call_for_the_first_time)
{
    pool_config_t config = loop_config(FX_WITH_ALL, 1, 2);
    config.healthcheck_interval_ms = 1;
    pool = loop_pool_of(&config);
    begin(0, start_threads);
    end();
}

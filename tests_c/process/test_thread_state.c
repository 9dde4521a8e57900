/*
 * What a hook leaves changed of its thread does not reach the library: neither its own threads, which run the hooks of
 * many pools and wait in between, nor the waits and locks of a caller's thread.
 */
#define _GNU_SOURCE
#include "fixture.h"
#include "process.h"
#include "recorder.h"
#include "watcher.h"

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- the library's threads ---- */

static atomic_int begun, ended, cancel_at, others;
static _Atomic pthread_t runner;

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

/* No point of cancellation is in here. */
static bool check_and_leave_a_cancellation(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    runner = pthread_self();
    if (++begun == cancel_at)
        pthread_cancel(pthread_self());
    ended++;
    return true;
}

/* Would be unwound by a cancellation that is not for it. */
static bool check_and_test_for_one(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    begun++;
    pthread_testcancel();
    ended++;
    others++;
    return true;
}

static pool_t *checked(pool_healthcheck_fn check)
{
    pool_t *pool = pool_create_internal(make, NULL, check, NULL, NULL, 1, 2, 1);
    CHECK(pool != NULL);
    return pool;
}

static void close_all(pool_t *one, pool_t *other)
{
    CHECK_STATUS(pool_close(one), POOL_OK);
    CHECK_STATUS(pool_close(other), POOL_OK);
    CHECK_INT(begun, ended); /* none was left half-way */
    pool_unref(one);
    pool_unref(other);
    WAIT_FOR(pool_debug_live() == 0);
}

TEST(a_cancellation_that_a_healthcheck_leaves_pending_ends_its_thread_and_the_schedule_goes_on)
{
    cancel_at = 3;
    pool_t *pool = checked(check_and_leave_a_cancellation), *other = checked(check_and_test_for_one);
    WAIT_FOR(begun > 3 && others > 3);
    for (int round = 0; round < 20; round++) {
        int seen = others;
        cancel_at = begun + 2;
        WAIT_FOR(begun > cancel_at + 2 && others > seen);
    }
    pool_unref(checked(check_and_test_for_one)); /* neither creation nor close waits for a thread that is gone */
    close_all(pool, other);
}

/* The only thread that the library has, and it stays while there is a pool in the schedule. */
TEST(a_cancellation_that_comes_between_two_passes_is_no_hooks)
{
    enum { ROUNDS = 50 };
    pool_t *pool = checked(check_and_leave_a_cancellation);
    for (int round = 0; round < ROUNDS; round++) {
        int seen = begun;
        WAIT_FOR(begun > seen);
        pthread_t before = runner;
        CHECK_INT(pthread_cancel(before), 0);
        seen = begun;
        WAIT_FOR(begun > seen + 2);
    }
    close_all(pool, checked(check_and_test_for_one));
}

static bool check_and_end_with_a_cancellation_disabled(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    begun++;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    if (begun % 4 == 0)
        pthread_cancel(pthread_self());
    ended++;
    return true;
}

TEST(a_healthcheck_that_leaves_cancellation_disabled_and_asynchronous_leaves_the_schedule_alone)
{
    pool_t *pool = checked(check_and_end_with_a_cancellation_disabled), *other = checked(check_and_test_for_one);
    WAIT_FOR(begun > 40 && others > 20);
    close_all(pool, other);
}

/* What a hook finds of its thread. */
typedef struct finding {
    sigset_t mask;
    locale_t locale;
    cpu_set_t processors;
    int nice, rounding, exceptions, state, type;
    char name[16];
} finding;

static finding first, found;
static atomic_int changes, looks;

static void look(finding *f)
{
    memset(f, 0, sizeof *f);
    pthread_sigmask(SIG_SETMASK, NULL, &f->mask);
    f->locale = uselocale((locale_t)0);
    sched_getaffinity(0, sizeof f->processors, &f->processors);
    f->nice = getpriority(PRIO_PROCESS, 0);
    f->rounding = fegetround();
    f->exceptions = fetestexcept(FE_ALL_EXCEPT);
    pthread_getname_np(pthread_self(), f->name, sizeof f->name);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &f->state);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &f->type);
}

static void compare(const finding *f, const finding *with)
{
    for (int signal = 1; signal < SIGRTMAX; signal++)
        CHECK_INT(sigismember(&f->mask, signal), sigismember(&with->mask, signal));
    CHECK(f->locale == with->locale);
    CHECK(CPU_EQUAL(&f->processors, &with->processors));
    CHECK_INT(f->nice, with->nice);
    CHECK_INT(f->rounding, with->rounding);
    CHECK_INT(f->exceptions, with->exceptions);
    CHECK_INT(f->state, with->state);
    CHECK_INT(f->type, with->type);
    CHECK_STR(f->name, with->name);
}

static locale_t other_locale;

/* Whatever a thread may change of itself and take back. */
static void change(void)
{
    sigset_t some;
    cpu_set_t one;
    sigemptyset(&some);
    sigaddset(&some, SIGSEGV);
    pthread_sigmask(SIG_BLOCK, &some, NULL);
    uselocale(other_locale);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &first.processors))
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    feraiseexcept(FE_DIVBYZERO);
    fesetround(FE_UPWARD);
    pthread_setname_np(pthread_self(), "the hook's");
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

static bool look_and_change(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    if (changes == 0)
        look(&first);
    look(&found);
    compare(&found, &first);
    change();
    changes++;
    return true;
}

static bool only_look(pool_t *pool, void *resource)
{
    finding here;
    (void)pool, (void)resource;
    if (changes > 0) {
        look(&here);
        compare(&here, &first);
        looks++;
    }
    return true;
}

static check_gate gate = CHECK_GATE_INIT;

static bool hang(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    check_gate_pass(&gate);
    return true;
}

TEST(what_a_healthcheck_leaves_of_its_thread_is_found_by_no_other_and_inherited_by_no_thread)
{
    other_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    pool_t *pool = checked(look_and_change);
    WAIT_FOR(changes > 3);
    pool_t *other = checked(only_look);
    WAIT_FOR(looks > 20);
    /* While one hangs, another thread is needed, which that one has started. */
    pool_t *hung = checked(hang);
    int seen = looks;
    WAIT_FOR(looks > seen + 20);
    check_gate_open(&gate);
    pool_unref(hung);
    close_all(pool, other);
    freelocale(other_locale);
}

/* ---- a caller's thread ---- */

/* Leaves the opposite of what was there. */
static void leave_changed(void)
{
    int state, type;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    if (state == PTHREAD_CANCEL_DISABLE)
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    CHECK_INT(type, PTHREAD_CANCEL_DEFERRED); /* no hook before has left it so */
    changes++;
}

static bool change_and_refuse_every_second(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    leave_changed();
    return call % 2;
}

static void change_in_report(pool_t *pool, recorder *self) { (void)pool, (void)self, leave_changed(); }

static void change_when_told(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self, (void)pool, (void)kind;
    leave_changed();
}

static void check_cancellation(int state)
{
    int now, type;
    pthread_setcancelstate(state, &now);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    CHECK_INT(now, state);
    CHECK_INT(type, PTHREAD_CANCEL_DEFERRED);
}

static void every_call(int state)
{
    recorder recorder;
    watcher watcher = {.script = change_when_told};
    pthread_setcancelstate(state, NULL);
    for (fx_hook hook = 0; hook < FX_HOOKS; hook++)
        fx.script[hook] = change_and_refuse_every_second;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 4);
    attach(pool, &recorder, change_in_report);
    CHECK_STATUS(watcher_add(&watcher, pool), POOL_OK);
    for (int i = 0; i < 40; i++) {
        pool_status_t status;
        fx_resource *r = i % 2 ? fx_acquire(pool, 0, &status) : fx_try(pool, &status);
        check_cancellation(state);
        if (r)
            fx_give(pool, r);
        check_cancellation(state);
    }
    CHECK(recorder.successes > 0 && recorder.failures > 0 && watcher.told[POOL_EVENT_AVAILABLE] > 0);
    for (fx_hook hook = 0; hook < FX_HOOKS; hook++)
        CHECK(fx.calls[hook] > 0 || hook == FX_HEALTHCHECK);
    fx_finish(pool);
    check_cancellation(state);
}

TEST(a_callers_cancellation_is_what_it_was_after_each_hook) { every_call(PTHREAD_CANCEL_ENABLE); }

TEST(a_callers_cancellation_stays_disabled_after_each_hook) { every_call(PTHREAD_CANCEL_DISABLE); }

/* A thread that is cancelled while its hooks leave the type asynchronous goes at a wait or in a hook, and never with
 * the pool's lock. */
static void *borrow_for_ever(void *pool)
{
    for (;;) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 0, &status);
        if (r)
            fx_give(pool, r);
    }
    return NULL;
}

static bool leave_it_asynchronous(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    begun++;
    pthread_testcancel(); /* here it may be cancelled */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    return true;
}

TEST(a_thread_is_not_cancelled_under_the_lock_after_a_hook_left_its_type_asynchronous)
{
    fx.quiet = true;
    fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = leave_it_asynchronous;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 0, 1);
    for (int i = 0; i < 100 / CHECK_SLOWDOWN && check_time_left(); i++) {
        int seen = begun;
        pthread_t thread = check_thread(borrow_for_ever, pool);
        WAIT_FOR(begun > seen + i % 7);
        CHECK_INT(pthread_cancel(thread), 0);
        check_join(thread);
        CHECK_INT(pool_active_count(pool), 0);
        fx_give(pool, fx_take(pool));
    }
    pool_unref(pool);
}

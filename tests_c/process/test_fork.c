/*
 * Children of fork(): every call answers POOL_ERR_FORKED at once, no hook and no destructor
 * runs, also not at exit, and the parent goes on as if nothing had happened. Workers that load
 * the library themselves are in unlinked/prefork.c. Each case shows E1.
 */
#define _GNU_SOURCE
#include "forked.h"

#include <asyncpool/pool_api.h>

#include <spawn.h>
#include <string.h>

static void nothing(void) {}

TEST(every_function_answers_forked_at_once)
{
    forked_prepare(0);
    for (int i = 0; i < 3; i++)
        forked_child(forked_call_everything);
    forked_finish();
}

static const char *library;

static void is_told_why_it_cannot_load(void)
{
    CHECK_STATUS(pool_api_load(library), POOL_ERR_FORKED);
    CHECK(strstr(pool_api_error(), "loaded before fork()") != NULL);
}

static void load_in_the_child(void)
{
    is_told_why_it_cannot_load();
    CHECK_PTR(pool_api_current(), NULL);
    CHECK(pool_api_register(pool_api(POOL_ABI_VERSION))); /* by its host */
    is_told_why_it_cannot_load();
    CHECK_STATUS(pool_api_close(forked.pool), POOL_ERR_FORKED);
}

TEST(what_loads_the_library_in_a_child_is_told_why_that_is_no_use)
{
    Dl_info info;
    CHECK(dladdr((void *)pool_version, &info) != 0);
    library = info.dli_fname;
    forked_prepare(0);
    forked_child(load_in_the_child);
    CHECK_STATUS(pool_api_load(library), POOL_OK);
    forked_finish();
}

static void take_a_reference(void) { CHECK_PTR(pool_ref(forked.pool), forked.pool); }

TEST(a_reference_is_answered_with_the_pool_as_ever)
{
    forked_prepare(0);
    forked_child(take_a_reference);
    forked_finish();
}

TEST(a_child_may_exit_without_calling_anything)
{
    forked_prepare(1);
    for (int i = 0; i < 5; i++)
        forked_child(nothing);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 0);
    forked_finish();
}

/* A program that cleans up at exit, as a language runtime does with its modules. */
static void clean_up(void)
{
    if (getpid() == forked.parent)
        return;
    int calls = fx.calls[FX_DESTRUCTOR];
    if (pool_release(forked.pool, forked.lent) != POOL_ERR_FORKED || pool_close(forked.pool) != POOL_ERR_FORKED)
        _exit(43);
    pool_unref(forked.pool);
    if (fx.calls[FX_DESTRUCTOR] != calls)
        _exit(44);
}

static bool never_in_a_child(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    if (getpid() != forked.parent)
        _exit(45);
    return true;
}

TEST(exit_handlers_in_a_child_run_no_destructor)
{
    fx.script[FX_DESTRUCTOR] = never_in_a_child;
    CHECK_INT(atexit(clean_up), 0);
    forked_prepare(1);
    forked_child(nothing);
    forked_child(forked_call_everything);
    forked_finish();
}

static void fork_again(void)
{
    forked_call_everything();
    forked_child(forked_call_everything);
}

TEST(a_grandchild_is_a_child_too)
{
    forked_prepare(0);
    forked_child(fork_again);
    forked_finish();
}

static void *call_everything_on_a_thread(void *arg)
{
    forked_call_everything();
    return arg;
}

static void start_a_thread(void) { check_join(check_thread(call_everything_on_a_thread, NULL)); }

TEST(threads_that_a_child_starts_are_answered_the_same)
{
    forked_prepare(0);
    forked_child(start_a_thread);
    forked_finish();
}

static bool make(pool_t *pool, void **resource)
{
    (void)pool, (void)resource;
    check_fail(__FILE__, __LINE__, "a factory ran in a worker");
}

static void create_in_a_worker(void)
{
    CHECK_PTR(pool_create_internal(make, NULL, NULL, NULL, NULL, 1, 1, 0), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_FORKED);
}

TEST(workers_of_a_master_that_only_loaded_the_library_are_refused)
{
#ifdef __SANITIZE_ADDRESS__
    /* Go's runtime tells the sanitizer of its globals when it starts, on a thread of its own; a child
     * that is forked meanwhile would wait at exit for a lock of the sanitizer. */
    pool_unref(fx_pool(0, 0, 1));
#endif
    for (int i = 0; i < 4; i++)
        forked_child(create_in_a_worker);
    pool_unref(fx_pool(0, 1, 1)); /* the master's first use comes after its forks */
}

/* ---- Other threads are busy ----------------------------------------------------------------- */

static atomic_bool stop;

static void *lend(void *arg)
{
    while (!atomic_load(&stop)) {
        pool_status_t status;
        fx_resource *r = fx_acquire(forked.pool, 1, &status);
        if (r)
            fx_give(forked.pool, r);
        CHECK_STATUS(pool_deactivate(arg), POOL_OK);
        CHECK_STATUS(pool_activate(arg), POOL_OK);
    }
    return NULL;
}

static bool refuse_some(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call % 16 != 0;
}

TEST(a_fork_while_others_hold_and_contend_the_pool)
{
    pthread_t threads[4];
    fx.quiet = true;
    fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = refuse_some;
    forked_prepare(1);
    pool_t *other = fx_pool(0, 0, 1);
    for (int i = 0; i < 4; i++)
        threads[i] = check_thread(lend, other);
    for (int i = 0; i < 20; i++)
        forked_child(forked_call_everything);
    stop = true;
    for (int i = 0; i < 4; i++)
        check_join(threads[i]);
    pool_unref(other);
    fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = NULL;
    forked_finish();
}

/* ---- Inside hooks --------------------------------------------------------------------------- */

static atomic_int forks;

/* Forks once; the child uses the pool and then returns from the hook, as its parent does. */
static void fork_once(void)
{
    if (forks++)
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child != 0) {
        forked_wait(child);
        return;
    }
    alarm(CHECK_WATCHDOG_S / 2);
    forked_call_everything();
}

static bool fork_in_hook(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    fork_once();
    return true;
}

/* In a child: the call that it came back into answers FORKED, and no more hook ran. */
static void end_child(pool_status_t status, int destroyed)
{
    if (getpid() == forked.parent)
        return;
    CHECK_STATUS(status, POOL_ERR_FORKED);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], destroyed);
    quick_exit(42);
}

TEST(a_fork_inside_the_factory)
{
    forked_prepare(0);
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
    fx.script[FX_FACTORY] = fork_in_hook;
    void *r = &r;
    pool_status_t status = pool_acquire(pool, &r, 0);
    if (getpid() != forked.parent)
        CHECK_PTR(r, NULL);
    end_child(status, 0);
    CHECK_STATUS(status, POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    pool_unref(pool);
    forked_finish();
    CHECK(forks >= 1);
}

TEST(a_fork_inside_the_factory_of_a_creation)
{
    forked_prepare(0);
    fx.script[FX_FACTORY] = fork_in_hook;
    pool_t *pool = fx_try_pool(0, 3, 3);
    if (getpid() != forked.parent) {
        CHECK_PTR(pool, NULL);
        end_child(pool_last_error(NULL, NULL, 0), 0);
    }
    CHECK_COUNTS(pool, 3, 0, 0);
    pool_unref(pool);
    forked_finish();
}

TEST(a_fork_inside_before_acquire)
{
    forked_prepare(0);
    fx.script[FX_BEFORE_ACQUIRE] = fork_in_hook;
    void *r = &r;
    pool_status_t status = pool_acquire(forked.pool, &r, 0);
    end_child(status, 0);
    CHECK_STATUS(status, POOL_OK);
    CHECK_STATUS(pool_release(forked.pool, r), POOL_OK);
    forked_finish();
}

TEST(a_fork_inside_before_release)
{
    forked_prepare(0);
    fx_resource *r = fx_take(forked.pool);
    fx.script[FX_BEFORE_RELEASE] = fork_in_hook;
    atomic_store(&r->owned, 0);
    pool_status_t status = pool_release(forked.pool, r);
    end_child(status, 0);
    CHECK_STATUS(status, POOL_OK);
    forked_finish();
}

TEST(a_fork_inside_a_destructor_of_close_runs_no_other_in_the_child)
{
    forked_prepare(0);
    pool_t *pool = fx_pool(0, 3, 3);
    fx.script[FX_DESTRUCTOR] = fork_in_hook;
    pool_status_t status = pool_close(pool);
    end_child(status, 1);
    CHECK_STATUS(status, POOL_OK);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 3);
    pool_unref(pool);
    forked_finish();
}

static bool fork_in_healthcheck(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    pid_t parent = forked.parent;
    fork_once();
    if (getpid() != parent)
        quick_exit(42); /* the thread belongs to the library, which is not there any more */
    return true;
}

static bool make_word(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

TEST(a_fork_inside_a_healthcheck)
{
    forked_prepare(0);
    pool_t *pool = pool_create_internal(make_word, NULL, fork_in_healthcheck, NULL, NULL, 1, 1, 1);
    CHECK(pool != NULL);
    WAIT_FOR(forks > 1); /* the first one has come back */
    pool_unref(pool);
    forked_finish();
}

static void fork_in_report(pool_t *pool, void *ctx)
{
    (void)pool, (void)ctx;
    fork_once();
}

static void fork_in_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)error;
    fork_in_report(pool, ctx);
}

TEST(a_fork_inside_a_report)
{
    pool_circuit_breaker_strategy_t strategy = {fork_in_report, fork_in_failure, NULL, NULL, NULL};
    forked_prepare(0);
    CHECK_STATUS(pool_set_strategy(forked.pool, &strategy), POOL_OK);
    fx_resource *r = fx_take(forked.pool);
    atomic_store(&r->owned, 0);
    pool_status_t status = pool_release(forked.pool, r);
    end_child(status, 0);
    CHECK_STATUS(status, POOL_OK);
    CHECK_STATUS(pool_set_strategy(forked.pool, NULL), POOL_OK);
    CHECK_INT(forks, 1);
    forked_finish();
}

static void fork_in_observer(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self, (void)pool, (void)kind;
    fork_once();
}

TEST(a_fork_inside_an_observer)
{
    watcher w = {.script = fork_in_observer};
    forked_prepare(0);
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = fx_take(pool);
    atomic_store(&r->owned, 0);
    pool_status_t status = pool_release(pool, r);
    if (getpid() != forked.parent) { /* the release was done before the observer was told */
        CHECK(status == POOL_OK || status == POOL_ERR_FORKED);
        quick_exit(42);
    }
    CHECK_STATUS(status, POOL_OK);
    CHECK_INT(forks, 1);
    pool_unref(pool);
    forked_finish();
}

/* ---- The parent ----------------------------------------------------------------------------- */

extern char **environ;

TEST(other_programs_can_be_started)
{
    forked_prepare(1);
    char *argv[] = {"true", NULL};
    for (int i = 0; i < 3; i++) {
        pid_t child;
        int status;
        CHECK_INT(posix_spawnp(&child, "true", NULL, NULL, argv, environ), 0);
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK_INT(status, 0);
        CHECK_INT(system("exit 3"), 3 << 8);
        fx_give(forked.pool, fx_take(forked.pool));
    }
    forked_finish();
}

TEST(the_parent_keeps_its_waiters_and_its_healthcheck)
{
    fx_caller waiter;
    forked_prepare(1);
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&waiter, pool, 0);
    forked_child(forked_call_everything);
    CHECK_COUNTS(pool, 0, 1, 1);
    fx_give(pool, r);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    fx_give(pool, waiter.got);
    pool_unref(pool);
    forked_finish();
}

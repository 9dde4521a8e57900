/*
 * The end of the healthcheck that the library runs: close and the last unref while a check runs,
 * creations that fail, ten thousand pools, and the end of the process (R43, R45, B115, B143,
 * B146, B147). Each case shows B147.
 */
#include "process.h"
#include "timed.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static timed clock_state = TIMED_INIT;

/* ---- close --------------------------------------------------------------------------------- */

/* Goes on for a while after the pool was closed, then says that it has come to its end. */
static bool linger(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)r, (void)call;
    check_gate_pass(&state->gate);
    WAIT_FOR(pool_is_closed(pool)); /* by the last unref, too */
    timed_passes(&clock_state, 5);
    atomic_store(&state->mark, 1);
    return true;
}

typedef struct closer {
    timed *state;
    pool_t *pool;
    atomic_int *begun;
    bool unref;
} closer;

static void *close_it(void *arg)
{
    closer *self = arg;
    atomic_fetch_add(self->begun, 1);
    if (self->unref)
        pool_unref(self->pool);
    else
        CHECK_STATUS(pool_close(self->pool), POOL_OK);
    CHECK_INT(self->state->mark, 1);
    CHECK_INT(self->state->in_hook, 0);
    return NULL;
}

/* n threads end a pool of one resource while its check hangs. */
static void end_while_checked(int n, bool unref)
{
    timed state = TIMED_INIT;
    pthread_t thread[4];
    atomic_int begun = 0;
    state.healthcheck = linger;
    pool_t *ticks = timed_clock(&clock_state), *pool = timed_pool(&state, 1, 1, 1, 0);
    WAIT_FOR(check_gate_waiting(&state.gate) == 1);
    closer c = {&state, pool, &begun, unref};
    for (int i = 0; i < n; i++)
        thread[i] = check_thread(close_it, &c);
    WAIT_FOR(begun == n && (unref || pool_is_closed(pool)));
    timed_passes(&clock_state, 5);
    check_gate_open(&state.gate);
    for (int i = 0; i < n; i++)
        check_join(thread[i]);
    CHECK_INT(state.checks, 1);
    CHECK_INT(state.ended, 1); /* B143: passed, and was destroyed all the same */
    if (!unref)
        timed_end(&state, pool);
    timed_end(&clock_state, ticks);
}

TEST(close_waits_for_a_check_on_another_thread) { end_while_checked(1, false); }

TEST(close_on_several_threads_waits_for_a_check_on_each) { end_while_checked(4, false); }

TEST(the_last_unref_waits_for_a_check_on_another_thread) { end_while_checked(1, true); }

static bool always_sick(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)r, (void)call;
    return false;
}

static bool close_at_once(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)state, (void)r, (void)call;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    return true;
}

TEST(the_last_unref_leaves_nothing_of_a_pass_that_was_running)
{
    for (int i = 0; i < 200; i++) {
        timed state = TIMED_INIT;
        pool_t *pool = timed_clock(&state);
        WAIT_FOR(state.in_hook > 0 || state.checks > 1);
        timed_end(&state, pool);
        CHECK_INT(pool_debug_live(), 0);
    }
}

/* Shows B115. */
TEST(nothing_runs_after_close_has_returned)
{
    enum { POOLS = 200 };
    static timed state[POOLS];
    static pool_t *pool[POOLS];
    pool_t *ticks = timed_clock(&clock_state);
    for (int i = 0; i < POOLS; i++) {
        state[i] = (timed)TIMED_INIT;
        state[i].healthcheck = always_sick; /* so that destructors and factories run as well */
        pool[i] = timed_pool(&state[i], 2, 2, 1, 0);
    }
    for (int i = 0; i < POOLS; i++) {
        if (i % 10 == 0)
            WAIT_FOR(state[i].checks > 2);
        timed_close(&state[i], pool[i]); /* from here on its hooks fail the test */
    }
    timed_passes(&clock_state, 10);
    for (int i = 0; i < POOLS; i++)
        timed_end(&state[i], pool[i]);
    timed_end(&clock_state, ticks);
}

/* Shows B24. */
TEST(a_creation_that_fails_leaves_no_passes)
{
    enum { POOLS = 100 };
    static timed state[POOLS];
    pool_t *ticks = timed_clock(&clock_state), *pool;
    for (int i = 0; i < POOLS; i++) {
        state[i] = (timed)TIMED_INIT;
        state[i].factory = i % 2 ? close_at_once : NULL;
        CHECK_STATUS(timed_try_pool(&state[i], i % 2 ? 2 : 4, 3, 1, 0, &pool),
                     i % 2 ? POOL_ERR_CLOSED : POOL_ERR_INVALID);
        atomic_store(&state[i].over, true);
    }
    timed_passes(&clock_state, 10);
    CHECK_INT(pool_debug_live(), 1);
    timed_end(&clock_state, ticks);
}

/* ---- Ten thousand pools -------------------------------------------------------------------- */

static bool fail_the_second(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)state, (void)r;
    return call < 2;
}

enum { ALIVE = 16 };
static timed ring_state[ALIVE];
static pool_t *ring[ALIVE];
static long passes;

/* Each lives while the next 16 are made; every eighth is not made at all. */
static void make_and_close(int n)
{
    for (int i = 0; i < n; i++) {
        int k = i % ALIVE;
        if (ring[k])
            timed_end(&ring_state[k], ring[k]);
        passes += ring_state[k].checks;
        ring_state[k] = (timed)TIMED_INIT;
        ring[k] = NULL;
        if (i % 8 == 5) {
            ring_state[k].factory = fail_the_second;
            CHECK_STATUS(timed_try_pool(&ring_state[k], 2, 2, 1, 0, &ring[k]), POOL_ERR_FACTORY);
        } else {
            ring[k] = timed_pool(&ring_state[k], 1, 2, 1, 0);
            if (i % 50 == 0)
                WAIT_FOR(ring_state[k].checks > 0);
        }
    }
    for (int k = 0; k < ALIVE; k++) {
        if (ring[k])
            timed_end(&ring_state[k], ring[k]);
        ring[k] = NULL;
    }
}

TEST(r45_ten_thousand_pools_leave_threads_descriptors_and_memory_flat)
{
    enum { POOLS = 10000 / CHECK_SLOWDOWN };
    make_and_close(POOLS / 5);
    int threads = process_threads(), files = process_descriptors();
    long memory = process_resident_kb();
    make_and_close(POOLS);
    printf("%ld passes; threads %d, then %d; files %d, then %d; memory %ld kB, then %ld kB\n", passes, threads,
           process_threads(), files, process_descriptors(), memory, process_resident_kb());
    CHECK(passes > POOLS / 50);
    /* At worst all that are alive were checked at once, each on a thread that is kept a while. */
    CHECK(process_threads() <= threads + ALIVE + 4);
    CHECK_INT(process_descriptors(), files);
    if (CHECK_SLOWDOWN == 1) /* a sanitizer keeps what was freed */
        CHECK(process_resident_kb() <= memory + 3000);
}

/* ---- The end of the process ---------------------------------------------------------------- */

static bool hang(pool_t *pool, timed *state, timed_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&state->gate);
    return true;
}

/* In a process of its own: the case again, which then takes the child's part; its exit code. */
static int run_child(const char *name)
{
    char path[4096] = "", *arguments[] = {path, (char *)name, NULL};
    /* To execute the link would be to execute valgrind, under valgrind. */
    CHECK(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
    pid_t child;
    int status;
    CHECK_INT(setenv("ASYNCPOOL_TEST_CHILD", "1", 1), 0);
    CHECK_INT(posix_spawn(&child, path, NULL, NULL, arguments, environ), 0);
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void exit_with_open_pools(const char *name, timed_script check, int code)
{
    enum { POOLS = 20 };
    static timed state[POOLS];
    static pool_t *pool[POOLS];
    if (!getenv("ASYNCPOOL_TEST_CHILD")) {
        CHECK_INT(run_child(name), code);
        return;
    }
    for (int i = 0; i < POOLS; i++) {
        state[i] = (timed)TIMED_INIT;
        state[i].healthcheck = check;
        pool[i] = timed_pool(&state[i], 2, 2, 1, 0);
        CHECK(pool[i] != NULL);
    }
    for (int i = 0; i < POOLS; i++)
        WAIT_FOR(state[i].checks > 0);
    exit(code); /* what a return from main does */
}

TEST(b146_a_process_ends_with_its_own_code_while_pools_are_open) { exit_with_open_pools(__func__ + 5, NULL, 7); }

TEST(b146_a_process_ends_with_its_own_code_while_checks_hang) { exit_with_open_pools(__func__ + 5, hang, 9); }

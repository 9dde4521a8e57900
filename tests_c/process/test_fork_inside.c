/* A fork inside hooks, reports and observers. Inside what a dispatch or a scheduler calls: test_fork_loop.c.
 * Each case shows E1. */
#include "split.h"

static pool_t *pool;

static void begin(pool_t *contended)
{
    pool = contended;
    split_begin(pool);
}

static bool refuse(pool_t *self, fx_resource *r, int call)
{
    (void)self, (void)r, (void)call;
    return false;
}

static pool_status_t give(fx_resource *r)
{
    atomic_store(&r->owned, 0);
    return pool_release(pool, r);
}

/* ---- hooks ---- */

TEST(in_the_factory)
{
    begin(fx_pool(FX_WITH_RELEASE, 0, 1));
    fx.script[FX_BEFORE_RELEASE] = refuse;
    fx.script[FX_FACTORY] = split_in_hook;
    while (split_again()) {
        void *r;
        pool_status_t status = pool_acquire(pool, &r, 0);
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    split_finish();
}

TEST(in_before_release)
{
    begin(fx_pool(FX_WITH_RELEASE, 0, 1));
    fx.script[FX_BEFORE_RELEASE] = split_in_hook;
    while (split_again()) {
        pool_status_t status = give(fx_take(pool));
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
    }
    split_finish();
}

TEST(in_the_destructor_of_a_release)
{
    begin(fx_pool(FX_WITH_RELEASE, 0, 1));
    fx.script[FX_BEFORE_RELEASE] = refuse;
    fx.script[FX_DESTRUCTOR] = split_in_hook;
    while (split_again()) {
        pool_status_t status = give(fx_take(pool));
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
    }
    split_finish();
}

/* ---- strategy ---- */

static void split_in_report(pool_t *self, void *ctx)
{
    (void)self, (void)ctx;
    split();
}

static void split_in_failure(pool_t *self, const pool_error_t *error, void *ctx)
{
    (void)self, (void)error, (void)ctx;
    split();
}

static bool split_in_question(pool_t *self, void *ctx)
{
    (void)self, (void)ctx;
    split();
    return true;
}

static pool_circuit_breaker_strategy_t strategy = {split_in_report, split_in_failure, split_in_question, NULL, NULL};

static void in_a_report(fx_script before_release)
{
    begin(fx_pool(FX_WITH_RELEASE, 0, 1));
    fx.script[FX_BEFORE_RELEASE] = before_release;
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    while (split_again()) {
        pool_status_t status = give(fx_take(pool));
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
    }
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    split_finish();
}

TEST(in_report_success) { in_a_report(NULL); }
TEST(in_report_failure) { in_a_report(refuse); }

TEST(in_should_recover)
{
    begin(fx_pool(0, 1, 1));
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    while (split_again()) {
        void *r;
        CHECK_STATUS(pool_deactivate(pool), POOL_OK);
        pool_status_t status = pool_acquire(pool, &r, 0);
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
        CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
        CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    }
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    split_finish();
}

/* ---- observers: two, of which the child is told nothing more ---- */

static void split_in_observer(watcher *self, pool_t *own, pool_event_kind_t kind)
{
    (void)self, (void)own, (void)kind;
    split();
}

static void no_child(watcher *self, pool_t *own, pool_event_kind_t kind)
{
    (void)self, (void)own, (void)kind;
    CHECK(!splitting.child);
}

TEST(in_an_observer)
{
    watcher first = {.script = split_in_observer}, second = {.script = no_child};
    begin(fx_pool(0, 0, 1));
    CHECK_STATUS(watcher_add(&first, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&second, pool), POOL_OK);
    while (split_again()) {
        pool_status_t status = give(fx_take(pool));
        split_end_child_late(status);
        CHECK_STATUS(status, POOL_OK);
    }
    CHECK_INT(second.told[POOL_EVENT_AVAILABLE], splitting.forks);
    CHECK_STATUS(watcher_del(&first), POOL_OK);
    CHECK_STATUS(watcher_del(&second), POOL_OK);
    split_finish();
}

TEST(in_an_observer_of_close)
{
    watcher first = {.script = split_in_observer}, second = {.script = no_child};
    begin(fx_pool(0, 1, 1));
    CHECK_STATUS(watcher_add(&first, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&second, pool), POOL_OK);
    pool_status_t status = pool_close(pool);
    split_end_child(status);
    CHECK_STATUS(status, POOL_OK);
    split_finish();
}

/* ---- close, while a healthcheck runs on a thread that the child does not have ---- */

static check_gate gate = CHECK_GATE_INIT;
static atomic_int words;

static bool make_word(pool_t *self, void **resource)
{
    (void)self;
    words++;
    *resource = &words;
    return true;
}

static void end_word(pool_t *self, void *resource)
{
    (void)self, (void)resource;
    if (check_gate_waiting(&gate) > 0) {
        split();
        if (!splitting.child)
            check_gate_open(&gate);
    }
    words--;
}

static bool check_word(pool_t *self, void *resource)
{
    (void)self, (void)resource;
    check_gate_pass(&gate);
    return true;
}

TEST(in_a_destructor_of_close_while_a_healthcheck_runs)
{
    begin(pool_create_internal(make_word, end_word, check_word, NULL, NULL, 2, 2, 1));
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    pool_status_t status = pool_close(pool);
    split_end_child(status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_INT(words, 0);
    split_finish();
}

static atomic_bool ready;

/* The thread is the library's and all that the child has: if it returns, the process ends with it. */
static bool split_in_check(pool_t *self, void *resource)
{
    static atomic_int checks;
    (void)self, (void)resource;
    if (!ready || atomic_fetch_add(&checks, 1) > 0)
        return true;
    splitting.forker = pthread_self();
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(CHECK_WATCHDOG_S / 2);
        forked_call_everything();
#ifdef __SANITIZE_ADDRESS__
        _exit(0); /* its runtime takes locks at the end of a thread that it does not mind at a fork */
#endif
        return true;
    }
    int status;
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
    splitting.forks++;
    return true;
}

/* Shows E4. */
TEST(in_a_healthcheck_that_returns_in_the_child)
{
    begin(pool_create_internal(make_word, end_word, split_in_check, NULL, NULL, 1, 1, 1));
    ready = true;
    WAIT_FOR(splitting.forks > 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    split_finish();
}

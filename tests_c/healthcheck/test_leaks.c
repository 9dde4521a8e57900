/*
 * What is lent for too long is told: leak_after_ms, leaked. The clock of a pool is set by whoever answers an op with a
 * time, so the tests say what time it is; passes are begun by them, too, but for those that show where they run.
 */
#include "fixture.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LEAK_MS = 1000, MOST = 64 };

static pool_lend_t told[MOST];
static atomic_int tolds;
static pthread_t teller;

static void hears(pool_t *pool, const pool_lend_t *lend)
{
    int n = atomic_load(&tolds);
    CHECK(pool != NULL && n < MOST);
    CHECK_INT(lend->struct_size, sizeof *lend);
    told[n] = *lend;
    teller = pthread_self();
    atomic_store(&tolds, n + 1);
}

static bool make_word(pool_t *pool, void **resource)
{
    atomic_int *last = pool->user_data;
    *resource = (void *)(uintptr_t)(atomic_fetch_add(last, 1) + 1);
    return true;
}

static atomic_int words;

static pool_config_t leaking(uint32_t leak_ms, uint32_t interval_ms)
{
    pool_config_t config = POOL_CONFIG_INIT;
    atomic_store(&words, 0);
    atomic_store(&tolds, 0);
    config.factory = make_word;
    config.user_data = &words;
    config.leak_after_ms = leak_ms;
    config.healthcheck_interval_ms = interval_ms;
    config.leaked = hears;
    return config;
}

static pool_t *make_pool(const pool_config_t *config)
{
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(config, &pool), POOL_OK);
    return pool;
}

/* One that has no pass of its own while a test runs. */
static pool_t *still_pool(void)
{
    pool_config_t config = leaking(LEAK_MS, UINT32_MAX);
    return make_pool(&config);
}

static void *take(pool_t *pool)
{
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    return r;
}

static void give(pool_t *pool, void *r) { CHECK_STATUS(pool_release(pool, r), POOL_OK); }

static void end(pool_t *pool)
{
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

static uint64_t leaked(pool_t *pool)
{
    pool_stats_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_stats(pool, &s), POOL_OK);
    return s.leaked;
}

/* A pass at this time from now, by the hooks of the pool. */
static void pass_at(pool_t *pool, int64_t ms)
{
    struct timespec t;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    clock_gettime(CLOCK_MONOTONIC, &t);
    answer.now_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + ms * 1000000;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    while (pool_op_next(&op, &answer, &ask) != POOL_ASK_DONE) {
        CHECK_INT(ask.kind, POOL_ASK_LEAKED);
        CHECK_PTR(ask.lend->resource, ask.resource);
        hears(pool, ask.lend);
    }
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.lend, NULL);
}

/* ---- what is told ---- */

TEST(p77_what_is_lent_for_too_long_is_told_once_for_each_lend)
{
    pool_t *pool = still_pool();
    void *r = take(pool);
    pass_at(pool, LEAK_MS / 2);
    CHECK_INT(tolds, 0);
    pass_at(pool, 2 * LEAK_MS);
    CHECK_INT(tolds, 1);
    CHECK_PTR(told[0].resource, r);
    CHECK_INT(told[0].uses, 1);
    CHECK_INT(told[0].thread, syscall(SYS_gettid));
    CHECK(told[0].ms >= 2 * LEAK_MS - 20 && told[0].ms < 3 * LEAK_MS + 60000);
    pass_at(pool, 4 * LEAK_MS);
    CHECK_INT(tolds, 1); /* once */
    CHECK_INT(leaked(pool), 1);
    CHECK_COUNTS(pool, 0, 1, 0); /* it is lent as ever */
    give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(take(pool), r);
    pass_at(pool, 4 * LEAK_MS);
    CHECK_INT(tolds, 1); /* another lend, which has just begun */
    pass_at(pool, 8 * LEAK_MS);
    CHECK_INT(tolds, 2);
    CHECK_INT(told[1].uses, 2);
    CHECK_INT(leaked(pool), 2);
    give(pool, r);
    end(pool);
}

TEST(p77_each_of_many_is_told_with_its_tag_and_what_came_back_in_time_is_not)
{
    enum { N = 20 };
    pool_config_t config = leaking(LEAK_MS, UINT32_MAX);
    config.max_size = N;
    pool_t *pool = make_pool(&config);
    void *r[N];
    bool seen[N + 1] = {false};
    for (int i = 0; i < N; i++) {
        pool_tag(i % 2 ? "odd" : "even");
        r[i] = take(pool);
    }
    pool_tag(NULL);
    for (int i = 0; i < N; i += 2)
        give(pool, r[i]);
    pass_at(pool, 2 * LEAK_MS);
    CHECK_INT(tolds, N / 2);
    for (int i = 0; i < N / 2; i++) {
        uintptr_t word = (uintptr_t)told[i].resource;
        CHECK(word <= N && !seen[word]);
        seen[word] = true;
        CHECK_STR(told[i].tag, "odd");
    }
    for (int i = 1; i < N; i += 2)
        give(pool, r[i]);
    end(pool);
}

TEST(p77_without_anybody_to_hear_it_is_counted)
{
    pool_config_t config = leaking(LEAK_MS, UINT32_MAX);
    config.leaked = NULL;
    config.max_size = 3000; /* more than is looked at in one piece */
    pool_t *pool = make_pool(&config);
    for (int i = 0; i < 3000; i++)
        take(pool);
    pass_at(pool, 2 * LEAK_MS);
    CHECK_INT(tolds, 0);
    CHECK_INT(leaked(pool), 3000);
    pass_at(pool, 4 * LEAK_MS);
    CHECK_INT(leaked(pool), 3000);
    for (uintptr_t word = 1; word <= 3000; word++)
        give(pool, (void *)word);
    end(pool);
}

TEST(p77_equal_words_are_told_each_on_its_own)
{
    pool_config_t config = leaking(LEAK_MS, UINT32_MAX);
    config.max_size = 3;
    pool_t *pool = make_pool(&config);
    for (int i = 0; i < 3; i++) {
        atomic_store(&words, 6);
        CHECK_PTR(take(pool), (void *)7);
    }
    pass_at(pool, 2 * LEAK_MS);
    CHECK_INT(tolds, 3);
    for (int i = 0; i < 3; i++)
        give(pool, (void *)7);
    end(pool);
}

TEST(p77_a_closed_pool_tells_of_no_leaks)
{
    pool_t *pool = still_pool();
    void *r = take(pool);
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_CLOSED);
    CHECK_INT(pool_lends(pool, NULL, 0), 1);
    give(pool, r);
    end(pool);
}

TEST(p77_a_pass_that_is_cancelled_tells_no_more_and_the_next_one_the_rest)
{
    pool_t *pool = still_pool();
    void *a = take(pool), *b = take(pool);
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    answer.now_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + 2000000000;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_LEAKED);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    pass_at(pool, 2 * LEAK_MS);
    CHECK_INT(tolds, 1);
    CHECK(told[0].resource != ask.resource);
    CHECK_INT(leaked(pool), 2);
    give(pool, a);
    give(pool, b);
    end(pool);
}

TEST(p77_the_lease_of_a_lend_ends_that_lend_or_none)
{
    pool_t *pool = still_pool();
    pool_lease_t lease;
    CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_OK);
    pass_at(pool, 2 * LEAK_MS);
    CHECK_INT(tolds, 1);
    CHECK_INT(told[0].lease, lease.id);
    const pool_lease_t found = {told[0].resource, told[0].lease};
    CHECK_STATUS(pool_release_lease(pool, &found), POOL_OK);
    CHECK_STATUS(pool_release_lease(pool, &lease), POOL_ERR_NOT_OWNED);
    CHECK_PTR(take(pool), found.resource);
    CHECK_STATUS(pool_discard_lease(pool, &found), POOL_ERR_NOT_OWNED);
    pass_at(pool, 4 * LEAK_MS);
    CHECK_INT(tolds, 2);
    CHECK_INT(told[1].lease, 0); /* by word */
    give(pool, found.resource);
    end(pool);
}

/* ---- where it is told ---- */

TEST(p77_it_is_told_on_a_thread_of_the_library_by_a_pass_that_comes_for_it)
{
    pool_config_t config = leaking(1, 0); /* a pass each 100 ms */
    pool_t *pool = make_pool(&config);
    void *r = take(pool);
    WAIT_FOR(atomic_load(&tolds) == 1);
    CHECK(!pthread_equal(teller, pthread_self()));
    CHECK_PTR(told[0].resource, r);
    give(pool, r);
    end(pool);
}

TEST(p77_on_a_loop_it_is_told_in_a_dispatch)
{
    pool_config_t config = leaking(1, 1);
    config.flags = POOL_F_REACTOR;
    config.max_size = 40; /* more than one dispatch calls hooks */
    pool_t *pool = make_pool(&config);
    for (int i = 0; i < 40; i++)
        take(pool);
    while (atomic_load(&tolds) < 40)
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK(pthread_equal(teller, pthread_self()));
    CHECK_INT(leaked(pool), 40);
    for (uintptr_t word = 1; word <= 40; word++)
        give(pool, (void *)word);
    end(pool);
}

TEST(p77_the_host_of_a_host_driven_pool_is_asked_if_it_wants)
{
    for (int wants = 0; wants < 2; wants++) {
        pool_config_t config = POOL_CONFIG_INIT;
        pool_op_t op;
        pool_ask_t ask = POOL_ASK_INIT;
        pool_answer_t answer = POOL_ANSWER_INIT;
        config.flags = POOL_F_HOST_DRIVEN;
        config.asks = wants ? POOL_ASKS_LEAKED : 0;
        config.leak_after_ms = LEAK_MS;
        pool_t *pool = make_pool(&config);
        atomic_store(&tolds, 0);
        CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
        answer.ok = true;
        answer.resource = &op;
        CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
        pass_at(pool, 2 * LEAK_MS);
        CHECK_INT(tolds, wants);
        CHECK_INT(leaked(pool), 1);
        give(pool, &op);
        CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
        end(pool);
    }
}

/* ---- in leaked ---- */

static atomic_int inside;

static void gives_back(pool_t *pool, const pool_lend_t *lend)
{
    hears(pool, lend);
    CHECK_INT(pool_lends(pool, NULL, 0), 1);
    CHECK_STATUS(pool_release(pool, lend->resource), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    atomic_store(&inside, 1);
}

TEST(p77_who_is_told_may_use_the_pool)
{
    pool_config_t config = leaking(1, 0);
    config.leaked = gives_back;
    pool_t *pool = make_pool(&config);
    take(pool);
    WAIT_FOR(atomic_load(&inside));
    CHECK_INT(tolds, 1);
    CHECK(pool_is_closed(pool));
    pool_unref(pool);
    WAIT_FOR(pool_debug_live() == 0);
}

static void leaves(pool_t *pool, const pool_lend_t *lend)
{
    hears(pool, lend);
    if (atomic_load(&tolds) == 1)
        pthread_exit(NULL);
}

TEST(p77_a_thread_that_is_lost_in_it_leaves_the_rest_to_the_next_pass)
{
    pool_config_t config = leaking(1, 0);
    config.leaked = leaves;
    pool_t *pool = make_pool(&config);
    void *a = take(pool), *b = take(pool);
    WAIT_FOR(atomic_load(&tolds) == 2);
    CHECK(told[0].resource != told[1].resource);
    give(pool, a);
    give(pool, b);
    end(pool);
}

static void *dispatches(void *pool)
{
    while (atomic_load(&tolds) == 0)
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    check_fail(__FILE__, __LINE__, "it was told, and came back");
}

TEST(p77_who_is_lost_in_it_in_a_dispatch_leaves_the_rest_to_the_next)
{
    pool_config_t config = leaking(1, 1);
    config.flags = POOL_F_REACTOR;
    config.leaked = leaves;
    pool_t *pool = make_pool(&config);
    void *a = take(pool), *b = take(pool);
    check_join(check_thread(dispatches, pool));
    CHECK_INT(tolds, 1);
    while (atomic_load(&tolds) < 2)
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK(told[0].resource != told[1].resource);
    CHECK_INT(leaked(pool), 2);
    give(pool, a);
    give(pool, b);
    end(pool);
}

typedef struct listener {
    pool_fcall_t fcall; /* first */
    int disposed;
} listener;

static bool invoked(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    (void)fcall;
    hears(pool, *resource);
    return false; /* which is ignored */
}

static void disposed(pool_fcall_t *fcall) { ((listener *)fcall)->disposed++; }

TEST(p77_a_callable_is_given_the_lend_and_disposed_of)
{
    listener l = {{.invoke = invoked, .dispose = disposed}, 0};
    pool_config_t config = leaking(1, 0);
    config.leaked = NULL;
    config.leaked_fcall = &l.fcall;
    pool_t *pool = make_pool(&config);
    void *r = take(pool);
    WAIT_FOR(atomic_load(&tolds) == 1);
    CHECK_PTR(told[0].resource, r);
    CHECK_INT(l.disposed, 0);
    give(pool, r);
    end(pool);
    CHECK_INT(l.disposed, 1);
    config.max_size = 0; /* makes no pool */
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    CHECK_INT(l.disposed, 2);
}

/* ---- configurations ---- */

static void refused(pool_config_t config, const char *words)
{
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, words);
}

TEST(p77_what_makes_no_sense_makes_no_pool)
{
    listener l = {{.invoke = invoked, .dispose = disposed}, 0};
    pool_config_t config = leaking(0, 0);
    refused(config, "leaked without leak_after_ms");
    config.leak_after_ms = LEAK_MS;
    config.leaked_fcall = &l.fcall;
    refused(config, "both as a C function and as a callable");
    l.fcall.invoke = NULL;
    config.leaked = NULL;
    refused(config, "invoke of a callable is NULL");
    CHECK_INT(l.disposed, 2);
    config = leaking(LEAK_MS, 0);
    config.factory = NULL;
    config.flags = POOL_F_HOST_DRIVEN;
    refused(config, "a host-driven pool has no handlers");
}

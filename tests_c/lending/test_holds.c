/*
 * For how long resources are lent: POOL_F_TIMED. Where it is about the times themselves a host says what time it is.
 */
#include "fixture.h"

#include <time.h>

enum { FIRST = 1024, ONE_OF = 64 }; /* as pool.h has it */

static atomic_int words;

static bool make_word(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = (void *)(uintptr_t)(atomic_fetch_add(&words, 1) + 1);
    return true;
}

static bool agrees(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return true;
}

static pool_t *make_pool(uint32_t flags, bool hooks)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.factory = make_word;
    config.before_acquire = hooks ? agrees : NULL;
    config.flags = flags;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static pool_stats_t stats_of(pool_t *pool)
{
    pool_stats_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_stats(pool, &s), POOL_OK);
    return s;
}

static uint64_t held(pool_t *pool)
{
    pool_stats_t s = stats_of(pool);
    uint64_t n = 0;
    for (int i = 0; i < 32; i++)
        n += s.hold_histogram[i];
    return n;
}

static void cycle(pool_t *pool, int n)
{
    for (int i = 0; i < n; i++) {
        void *r;
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
}

static void cycle_lease(pool_t *pool, int n)
{
    for (int i = 0; i < n; i++) {
        pool_lease_t lease;
        CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_OK);
        CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
        CHECK_STATUS(pool_release_lease(pool, &lease), POOL_ERR_NOT_OWNED); /* which is none */
    }
}

static void end(pool_t *pool)
{
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(p79_holds_are_not_timed_unless_that_is_wanted)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.factory = make_word;
    config.leak_after_ms = 100000;
    config.max_uses = 1000;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    cycle(pool, 10);
    CHECK_INT(held(pool), 0);
    CHECK_INT(stats_of(pool).hold_us, 0);
    end(pool);
}

/* A loop of acquire and release that makes no op but for the first, or one each time. */
TEST(p79_the_first_lends_count_one_by_one)
{
    for (int way = 0; way < 4; way++) {
        pool_t *pool = make_pool(POOL_F_TIMED, way & 1);
        if (way & 2)
            cycle_lease(pool, FIRST);
        else
            cycle(pool, FIRST);
        CHECK_INT(held(pool), FIRST); /* the very first one makes an op */
        end(pool);
    }
}

TEST(p79_of_the_lane_one_in_many_is_timed_and_counts_for_so_many)
{
    enum { N = 200000 };
    for (int by_lease = 0; by_lease < 2; by_lease++) {
        pool_t *pool = make_pool(POOL_F_TIMED, false);
        uint64_t before = pool_debug_crossings();
        if (by_lease)
            cycle_lease(pool, FIRST + N);
        else
            cycle(pool, FIRST + N);
        uint64_t n = held(pool);
        /* otherwise each lend is an op: a build in which the core makes every step */
        if (pool_debug_crossings() - before < N) {
            CHECK_INT((n - FIRST) % ONE_OF, 0);
            CHECK(n > FIRST + N * 8 / 10 && n < FIRST + N * 12 / 10);
        }
        end(pool);
    }
}

TEST(p79_with_a_hook_each_lend_is_timed)
{
    enum { N = 5000 };
    pool_t *pool = make_pool(POOL_F_TIMED, true);
    cycle(pool, N);
    CHECK_INT(held(pool), N);
    end(pool);
}

/* ---- the times themselves ---- */

static int64_t now_ns;

static pool_ask_kind_t step(pool_op_t *op, bool ok, void *resource, pool_ask_t *ask)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.now_ns = now_ns;
    answer.ok = ok;
    answer.resource = resource;
    return pool_op_next(op, &answer, ask);
}

static pool_t *host_driven(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    struct timespec t;
    config.flags = POOL_F_HOST_DRIVEN | POOL_F_TIMED;
    config.max_size = 2;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    clock_gettime(CLOCK_MONOTONIC, &t);
    now_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + INT64_C(100000000000);
    return pool;
}

static void *take(pool_t *pool)
{
    static int things[64], last;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    if (step(&op, false, NULL, &ask) == POOL_ASK_CREATE) {
        CHECK(last < 64);
        CHECK_INT(step(&op, true, &things[last++], &ask), POOL_ASK_DONE);
    }
    CHECK_STATUS(ask.status, POOL_OK);
    return ask.resource;
}

static void give(pool_t *pool, void *r, pool_status_t (*begin)(pool_t *, pool_op_t *, void *), pool_status_t status)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(begin(pool, &op, r), POOL_OK);
    CHECK_INT(step(&op, false, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, status);
}

static void close_driven(pool_t *pool)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    end(pool);
}

TEST(p79_a_hold_is_in_the_bucket_of_its_time_however_it_ends)
{
    static const struct {
        int64_t ns;
        int bucket;
        pool_status_t (*begin)(pool_t *, pool_op_t *, void *);
    } holds[] = {
        {500, 0, pool_op_release},
        {1500, 1, pool_op_release},
        {100000, 7, pool_op_discard},
        {INT64_C(5000000), 13, pool_op_release},
        {INT64_C(1500000000), 21, pool_op_detach},
        {INT64_C(86400000000000), 31, pool_op_release},
    };
    pool_t *pool = host_driven();
    pool_stats_t expected = {.struct_size = sizeof expected};
    int64_t sum = 0;
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++) {
        now_ns += 12345;
        void *r = take(pool);
        now_ns += holds[i].ns;
        give(pool, r, holds[i].begin, POOL_OK);
        give(pool, r, holds[i].begin, POOL_ERR_NOT_OWNED);
        expected.hold_histogram[holds[i].bucket]++;
        sum += holds[i].ns;
    }
    pool_stats_t s = stats_of(pool);
    for (int b = 0; b < 32; b++)
        CHECK_INT(s.hold_histogram[b], expected.hold_histogram[b]);
    CHECK(s.hold_us + 2 >= (uint64_t)sum / 1000 && s.hold_us <= (uint64_t)sum / 1000 + 2);
    close_driven(pool);
}

TEST(p79_a_hold_by_lease_is_timed_however_it_ends)
{
    static pool_status_t (*const ends[])(pool_t *, pool_op_t *, const pool_lease_t *) = {
        pool_op_release_lease, pool_op_discard_lease, pool_op_detach_lease};
    static int thing;
    pool_t *pool = host_driven();
    for (int i = 0; i < 3; i++) {
        pool_op_t op;
        pool_ask_t ask = POOL_ASK_INIT;
        CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
        if (step(&op, false, NULL, &ask) == POOL_ASK_CREATE)
            step(&op, true, &thing, &ask);
        CHECK_STATUS(ask.status, POOL_OK);
        const pool_lease_t lease = {NULL, ask.lease}; /* it is the id that counts */
        now_ns += 3000;
        for (int again = 0; again < 2; again++) {
            CHECK_STATUS(ends[i](pool, &op, &lease), POOL_OK);
            CHECK_INT(step(&op, false, NULL, &ask), POOL_ASK_DONE);
            CHECK_STATUS(ask.status, again ? POOL_ERR_NOT_OWNED : POOL_OK);
        }
        CHECK_INT(stats_of(pool).hold_histogram[2], i + 1);
    }
    CHECK_INT(held(pool), 3);
    close_driven(pool);
}

TEST(p79_a_tag_and_a_time_do_not_disturb_each_other)
{
    pool_t *pool = host_driven();
    pool_tag("mine");
    void *r = take(pool);
    pool_tag(NULL);
    pool_lend_t lend = {.struct_size = sizeof lend};
    CHECK_INT(pool_lends(pool, &lend, 1), 1);
    CHECK_STR(lend.tag, "mine");
    now_ns += 3000;
    give(pool, r, pool_op_release, POOL_OK);
    CHECK_INT(stats_of(pool).hold_histogram[2], 1);
    close_driven(pool);
}

TEST(p79_what_somebody_waited_for_is_timed_from_when_it_was_served)
{
    pool_t *pool = host_driven();
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    void *a = take(pool), *b = take(pool);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(step(&op, false, NULL, &ask), POOL_ASK_WAIT);
    now_ns += 1000000000;
    give(pool, a, pool_op_release, POOL_OK);
    CHECK_INT(step(&op, false, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    now_ns += 3000;
    give(pool, ask.resource, pool_op_release, POOL_OK);
    CHECK_INT(stats_of(pool).hold_histogram[20], 1);
    CHECK_INT(stats_of(pool).hold_histogram[2], 1);
    give(pool, b, pool_op_release, POOL_OK);
    close_driven(pool);
}

TEST(p79_a_timed_pool_knows_how_old_its_resources_are)
{
    pool_t *pool = host_driven();
    void *r = take(pool);
    now_ns += INT64_C(20000000000);
    give(pool, r, pool_op_release, POOL_OK);
    now_ns += INT64_C(10000000000);
    CHECK_PTR(take(pool), r);
    pool_resource_info_t info = {.struct_size = sizeof info};
    CHECK_STATUS(pool_resource_info(pool, r, &info), POOL_OK);
    CHECK(info.age_ms >= 29990 && info.age_ms <= 30000);
    CHECK(info.idle_ms >= 9990 && info.idle_ms <= 10000);
    CHECK_INT(info.uses, 2);
    give(pool, r, pool_op_release, POOL_OK);
    close_driven(pool);
}

TEST(p79_metrics_tell_the_holds_of_timed_pools_alone)
{
    static char text[1 << 17];
    pool_t *plain = make_pool(0, false);
    CHECK(pool_metrics(text, sizeof text) < sizeof text);
    CHECK(!strstr(text, "asyncpool_hold_seconds"));
    pool_t *timed = make_pool(POOL_F_TIMED, false);
    cycle(timed, 3);
    CHECK(pool_metrics(text, sizeof text) < sizeof text);
    const char *count = strstr(text, "asyncpool_hold_seconds_count{");
    CHECK(count && !strstr(count + 1, "asyncpool_hold_seconds_count{"));
    CHECK(strstr(count, "} 3\n") && strstr(text, "# TYPE asyncpool_hold_seconds histogram\n"));
    pool_unref(plain);
    end(timed);
}

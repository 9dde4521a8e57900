/*
 * What has happened in a pool: pool_stats() (P70 to P72). The clock of the host-driven pools here is the test's.
 */
#include "loop.h"

static pool_stats_t stats_of(pool_t *pool)
{
    pool_stats_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_stats(pool, &s), POOL_OK);
    return s;
}

static uint64_t sum(const uint64_t histogram[32])
{
    uint64_t n = 0;
    for (int i = 0; i < 32; i++)
        n += histogram[i];
    return n;
}

/* Do the counts agree with each other, and with those of the moment? */
static pool_stats_t sound(pool_t *pool)
{
    pool_stats_t s = stats_of(pool);
    CHECK_INT(s.created, s.destroyed + s.detached + s.count);
    CHECK_INT(s.destroyed, s.destroyed_rejected + s.destroyed_refused + s.destroyed_dead + s.destroyed_lifetime +
                               s.destroyed_idle + s.destroyed_uses + s.destroyed_evicted + s.destroyed_discarded +
                               s.destroyed_shrunk + s.destroyed_closed);
    CHECK_INT(s.count + s.making, pool_count(pool));
    CHECK_INT(sum(s.wait_histogram), s.waited);
    CHECK_INT(sum(s.create_histogram), s.created);
    CHECK_INT(s.struct_size, sizeof s);
    return s;
}

TEST(p70_a_new_pool_has_seen_nothing)
{
    pool_t *pool = fx_pool(0, 0, 1);
    static const pool_stats_t nothing = {.struct_size = sizeof nothing};
    pool_stats_t s = sound(pool);
    CHECK(memcmp(&s, &nothing, sizeof s) == 0);
    fx_finish(pool);
}

TEST(p70_every_end_of_a_resource_has_its_reason)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 0, 4);
    fx_resource *r[4];
    for (int i = 0; i < 4; i++)
        r[i] = fx_take(pool);
    CHECK_STATUS(pool_discard(pool, r[0]), POOL_OK);
    CHECK_STATUS(pool_detach(pool, r[1]), POOL_OK);
    free(r[1]);
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx_give(pool, r[2]);
    fx.script[FX_BEFORE_RELEASE] = NULL;
    fx_give(pool, r[3]);
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    r[0] = fx_take(pool); /* a new one, for the last is rejected */
    fx.script[FX_BEFORE_ACQUIRE] = NULL;
    pool_stats_t s = sound(pool);
    CHECK_INT(s.created, 5);
    CHECK_INT(s.count, 1);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    fx_give(pool, r[0]);
    for (int i = 0; i < 3; i++)
        r[i] = fx_take(pool);
    fx_give(pool, r[0]);
    CHECK_STATUS(pool_resize(pool, 0, 1), POOL_OK); /* the idle one now, another when it comes back */
    fx_give(pool, r[1]);
    fx_give(pool, r[2]);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    s = sound(pool);
    CHECK_INT(s.lends, 8);
    CHECK_INT(s.created, 8);
    CHECK_INT(s.count, 0);
    CHECK_INT(s.detached, 1);
    CHECK_INT(s.destroyed_discarded, 1);
    CHECK_INT(s.destroyed_refused, 1);
    CHECK_INT(s.destroyed_rejected, 1);
    CHECK_INT(s.destroyed_evicted, 1);
    CHECK_INT(s.destroyed_shrunk, 2);
    CHECK_INT(s.destroyed_closed, 1);
    CHECK_INT(s.peak_active, 4);
    pool_unref(pool);
}

/* What a drain destroys is destroyed because the pool is closed; what makes room for a probe has no place any more. */
TEST(p70_what_a_drain_and_a_probe_destroy_has_its_reason)
{
    pool_t *pool = fx_pool(0, 2, 2);
    CHECK_STATUS(pool_strategy_threshold_on(pool, POOL_COUNT_CREATIONS, 1, 3600 * 1000, 1), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    fx_resource *r = fx_take(pool); /* a probe, which makes its own */
    pool_stats_t s = sound(pool);
    CHECK_INT(s.destroyed_shrunk, 1);
    CHECK_INT(s.created, 3);
    CHECK_INT(s.lends, 1);
    fx_give(pool, r);
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    s = sound(pool);
    CHECK_INT(s.destroyed_closed, 2);
    CHECK_INT(s.destroyed, 3);
    pool_unref(pool);
}

TEST(p70_every_end_of_an_acquire_is_counted)
{
    pool_config_t config = loop_config(0, 0, 1);
    config.max_waiting = 1;
    pool_t *pool = loop_pool_of(&config);
    pool_status_t status;
    fx_caller caller;
    fx.script[FX_FACTORY] = fx_refuse;
    CHECK(!fx_acquire(pool, 0, &status));
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    fx.script[FX_FACTORY] = NULL;
    fx_resource *r = fx_take(pool);
    CHECK(!fx_acquire(pool, 1, &status));
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    fx_start_waiting(&caller, pool, 0);
    CHECK(!fx_acquire(pool, 0, &status));
    CHECK_STATUS(status, POOL_ERR_OVERLOADED);
    CHECK(!fx_try(pool, &status)); /* which is no end worth a count */
    fx_give(pool, r);
    fx_join(&caller);
    told a = {0};
    loop_acquire(pool, &a, 0);
    CHECK_STATUS(pool_op_cancel(&a.op), POOL_OK);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&a, POOL_ERR_CANCELLED);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK(!fx_acquire(pool, 0, &status));
    CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
    pool_stats_t s = sound(pool);
    CHECK_INT(s.failed, 1);
    CHECK_INT(s.timeouts, 1);
    CHECK_INT(s.overloaded, 1);
    CHECK_INT(s.cancelled, 1);
    CHECK_INT(s.unavailable, 1);
    CHECK_INT(s.lends, 2);
    CHECK_INT(s.waited, 1);
    CHECK_INT(s.peak_waiting, 1);
    fx_give(pool, caller.got);
    fx_finish(pool);
}

/* The fast path counts and compares nothing, and yet nothing is missed. */
TEST(p70_lends_and_peaks_of_the_lane_are_exact)
{
    fx_resource *held[8];
    pool_status_t status;
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 8, 8);
    uint64_t lends = 0;
    for (uint32_t depth = 0; depth < 8; depth++) {
        for (int round = 0; round < 1000; round++) {
            for (uint32_t i = 0; i <= depth; i++)
                held[i] = round % 2 ? fx_take(pool) : fx_try(pool, &status);
            lends += depth + 1;
            for (uint32_t i = 0; i <= depth; i++)
                fx_give(pool, held[i]);
        }
        pool_stats_t s = sound(pool);
        CHECK_INT(s.lends, lends);
        CHECK_INT(s.peak_active, depth + 1);
    }
    uint64_t before = pool_debug_crossings();
    stats_of(pool);
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_finish(pool);
}

/* ---- A host that drives its ops, and says what time it is ---- */

enum { US = 1000 };

static int words[4];

/* A step of an op, answered so at this time. */
static pool_ask_t step(pool_op_t *op, bool ok, void *made, int64_t now_ns)
{
    pool_ask_t ask = POOL_ASK_INIT;
    const pool_answer_t answer = {.struct_size = sizeof answer, .ok = ok, .resource = made, .now_ns = now_ns};
    pool_op_next(op, &answer, &ask);
    return ask;
}

static pool_t *driven_pool(uint32_t max_size)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_HEALTHCHECK | POOL_ASKS_DESTROY;
    config.max_size = max_size;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

/* Makes a resource in so much time, and lends it. */
static void *make(pool_t *pool, int *word, int64_t took_ns)
{
    pool_op_t op;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(step(&op, false, NULL, 1).kind, POOL_ASK_CREATE);
    CHECK_INT(stats_of(pool).making, 1);
    pool_ask_t ask = step(&op, true, word, 1 + took_ns);
    CHECK_INT(ask.kind, POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    return ask.resource;
}

static void end(pool_t *pool)
{
    pool_op_t op;
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    while (step(&op, true, NULL, 0).kind != POOL_ASK_DONE)
        ;
    sound(pool);
    pool_unref(pool);
}

TEST(p72_creations_are_timed_and_each_is_in_its_bucket)
{
    static const struct {
        int64_t ns;
        int bucket;
    } cases[] = {
        {0, 0},
        {999, 0},
        {US, 1},
        {1999, 1},
        {2 * US, 2},
        {4 * US - 1, 2},
        {4 * US, 3},
        {((int64_t)US << 30) - 1, 30},
        {(int64_t)US << 30, 31},
        {(int64_t)US << 40, 31},
        {-5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pool_op_t op;
        pool_t *pool = driven_pool(1);
        void *r = make(pool, &words[0], cases[i].ns);
        pool_stats_t s = sound(pool);
        CHECK_INT(s.create_histogram[cases[i].bucket], 1);
        CHECK_INT(s.create_us, cases[i].ns > 0 ? cases[i].ns / US : 0);
        CHECK_STATUS(pool_op_release(pool, &op, r), POOL_OK);
        CHECK_INT(step(&op, true, NULL, 0).kind, POOL_ASK_DONE);
        end(pool);
    }
}

TEST(p72_waits_are_timed_from_joining_the_line_to_leaving_it)
{
    pool_op_t give, a, b, c;
    pool_t *pool = driven_pool(1);
    void *r = make(pool, &words[0], 7 * US);
    CHECK_STATUS(pool_op_acquire(pool, &a, 0), POOL_OK);
    CHECK_INT(step(&a, false, NULL, 100 * US).kind, POOL_ASK_WAIT);
    CHECK_INT(step(&a, false, NULL, 200 * US).kind, POOL_ASK_WAIT); /* without having been woken */
    CHECK_STATUS(pool_op_acquire(pool, &b, 0), POOL_OK);
    CHECK_INT(step(&b, false, NULL, 300 * US).kind, POOL_ASK_WAIT);
    CHECK_STATUS(pool_op_acquire(pool, &c, 0), POOL_OK);
    CHECK_INT(step(&c, false, NULL, 300 * US).kind, POOL_ASK_WAIT);
    CHECK_STATUS(pool_op_release(pool, &give, r), POOL_OK);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DONE);
    pool_ask_t ask = step(&a, false, NULL, 150 * US);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_INT(sound(pool).wait_us, 50);
    CHECK_STATUS(pool_op_cancel(&c), POOL_OK); /* for nothing: its time is not counted */
    CHECK_STATUS(pool_op_discard(pool, &give, ask.resource), POOL_OK);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DESTROY);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DONE);
    CHECK_INT(step(&b, false, NULL, 320 * US).kind, POOL_ASK_CREATE); /* which is no wait any more */
    CHECK_STATUS(step(&b, true, &words[1], 330 * US).status, POOL_OK);
    pool_stats_t s = sound(pool);
    CHECK_INT(s.wait_us, 70);
    CHECK_INT(s.wait_histogram[6], 1); /* 32 to 64 */
    CHECK_INT(s.wait_histogram[5], 1); /* 16 to 32 */
    CHECK_INT(s.create_us, 17);
    CHECK_INT(s.waited, 2);
    CHECK_INT(s.cancelled, 1);
    CHECK_INT(s.peak_waiting, 3);
    CHECK_STATUS(pool_op_release(pool, &give, &words[1]), POOL_OK);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DONE);
    end(pool);
}

/* Whose creation was put off is in line a second time. */
TEST(p72_who_stands_in_line_twice_has_waited_both_times)
{
    pool_op_t give, a;
    pool_t *pool = driven_pool(1);
    void *r = make(pool, &words[0], 7 * US);
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t later = POOL_ANSWER_INIT;
    CHECK_STATUS(pool_op_acquire(pool, &a, 0), POOL_OK);
    CHECK_INT(step(&a, false, NULL, 100 * US).kind, POOL_ASK_WAIT);
    CHECK_STATUS(pool_op_discard(pool, &give, r), POOL_OK);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DESTROY);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DONE);
    CHECK_INT(step(&a, false, NULL, 140 * US).kind, POOL_ASK_CREATE);
    later.now_ns = 200 * US; /* what a creation takes is no wait */
    later.later_ns = 10 * US;
    CHECK_INT(pool_op_next(&a, &later, &ask), POOL_ASK_WAIT);
    CHECK_INT(step(&a, false, NULL, 230 * US).kind, POOL_ASK_CREATE);
    CHECK_STATUS(step(&a, true, &words[1], 231 * US).status, POOL_OK);
    pool_stats_t s = sound(pool);
    CHECK_INT(s.waited, 1);
    CHECK_INT(s.wait_us, 70);
    CHECK_INT(s.wait_histogram[7], 1); /* 64 to 128 */
    CHECK_STATUS(pool_op_release(pool, &give, &words[1]), POOL_OK);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DONE);
    end(pool);
}

/* A host that says no time has the library look at the clock. */
TEST(p72_calls_without_a_question_are_timed_as_well)
{
    pool_op_t a;
    pool_t *pool = driven_pool(1);
    void *r = make(pool, &words[0], 0);
    CHECK(pool_op_join(pool, &a, 0));
    CHECK_PTR(pool_hand_on(pool, r), &a);
    CHECK_PTR(pool_op_take(&a), r);
    pool_stats_t s = sound(pool);
    CHECK_INT(s.waited, 1);
    CHECK(s.wait_us < 3600u * 1000 * US);
    pool_op_t give;
    CHECK_STATUS(pool_op_release(pool, &give, r), POOL_OK);
    CHECK_INT(step(&give, true, NULL, 0).kind, POOL_ASK_DONE);
    end(pool);
}

TEST(p70_a_dead_one_is_counted_and_what_a_fill_makes_as_well)
{
    pool_op_t op;
    pool_t *pool = driven_pool(3);
    CHECK_STATUS(pool_op_resize(pool, &op, 2, 3), POOL_OK);
    CHECK_INT(step(&op, true, NULL, 0).kind, POOL_ASK_DONE);
    CHECK_STATUS(pool_op_fill(pool, &op), POOL_OK);
    CHECK_INT(step(&op, true, NULL, 1000 * US).kind, POOL_ASK_CREATE);
    CHECK_INT(step(&op, true, &words[0], 1001 * US).kind, POOL_ASK_CREATE);
    CHECK_INT(step(&op, true, &words[1], 1005 * US).kind, POOL_ASK_DONE);
    CHECK_INT(sound(pool).create_us, 5);
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    CHECK_INT(step(&op, true, NULL, 0).kind, POOL_ASK_HEALTHCHECK);
    CHECK_INT(step(&op, false, NULL, 0).kind, POOL_ASK_DESTROY);
    CHECK_INT(sound(pool).count, 2); /* still there */
    CHECK_INT(step(&op, true, NULL, 2000 * US).kind, POOL_ASK_CREATE);
    CHECK_INT(step(&op, false, NULL, 2001 * US).kind, POOL_ASK_HEALTHCHECK);
    CHECK_INT(step(&op, true, NULL, 0).kind, POOL_ASK_DONE);
    pool_stats_t s = sound(pool);
    CHECK_INT(s.destroyed_dead, 1);
    CHECK_INT(s.failed, 1);
    CHECK_INT(s.created, 2);
    CHECK_INT(s.lends, 0);
    CHECK_INT(s.peak_active, 1);
    end(pool);
}

TEST(p70_what_cannot_be_filled_is_refused_untouched)
{
    pool_t *pool = fx_pool(0, 1, 1);
    pool_stats_t s = {.struct_size = sizeof s, .lends = 77};
    CHECK_STATUS(pool_stats(pool, NULL), POOL_ERR_INVALID);
    for (size_t size = 0; size < sizeof s; size++) {
        s.struct_size = size;
        CHECK_STATUS(pool_stats(pool, &s), POOL_ERR_INVALID);
        CHECK_INT(s.lends, 77);
    }
    s.struct_size = sizeof s;
    CHECK_STATUS(pool_stats(NULL, &s), POOL_ERR_INVALID);
    CHECK_INT(s.lends, 77);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(sound(pool).destroyed_closed, 1);
    fx_finish(pool);
}

/* Shows P07. */
TEST(p70_every_size_is_filled_or_refused_and_not_written_behind)
{
    pool_t *pool = fx_pool(0, 1, 1);
    for (size_t size = 0; size <= 4096 + 8; size++) {
        struct {
            pool_stats_t known;
            unsigned char more[4096];
        } given;
        bool taken = size >= 984 && size <= 4096 && size % sizeof(void *) == 0;
        memset(&given, 0x5a, sizeof given);
        given.known.struct_size = size;
        CHECK_STATUS(pool_stats(pool, &given.known), taken ? POOL_OK : POOL_ERR_INVALID);
        const unsigned char *bytes = (const unsigned char *)&given;
        for (size_t i = sizeof size; i < sizeof given; i++)
            if (!taken || i >= size)
                CHECK_INT(bytes[i], 0x5a);
            else if (i >= sizeof(pool_stats_t))
                CHECK_INT(bytes[i], 0);
        if (taken)
            CHECK_INT(given.known.created, 1);
    }
    fx_finish(pool);
}

/* ---- Many threads ---- */

static atomic_bool stop;

static void *cycle(void *arg)
{
    for (int i = 0; i < 2000; i++) {
        fx_resource *r = fx_take(arg);
        if (i % 64 == 0)
            CHECK_STATUS(pool_discard(arg, r), POOL_OK);
        else
            fx_give(arg, r);
    }
    return NULL;
}

static void *watch(void *arg)
{
    uint64_t lends = 0;
    while (!atomic_load(&stop)) {
        pool_stats_t s = stats_of(arg);
        CHECK_INT(s.created, s.destroyed + s.detached + s.count);
        CHECK(s.count + s.making <= 3 && s.peak_active <= 3 && s.lends >= lends);
        CHECK(s.waited <= s.lends && sum(s.wait_histogram) == s.waited && sum(s.create_histogram) == s.created);
        lends = s.lends;
    }
    return NULL;
}

TEST(p70_the_counts_of_an_instant_agree_while_many_are_at_it)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS], watcher;
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 0, 3);
    CHECK_INT(pthread_create(&watcher, NULL, watch, pool), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, cycle, pool), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(watcher, NULL), 0);
    pool_stats_t s = sound(pool);
    CHECK_INT(s.lends, THREADS * 2000);
    CHECK_INT(s.destroyed_discarded, THREADS * 32);
    CHECK_INT(s.created, fx.created);
    fx_finish(pool);
}

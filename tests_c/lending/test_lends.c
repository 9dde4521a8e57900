/*
 * Who holds what: pool_lends(), pool_tag(). The clock of a pool is set by whoever answers an op with a time, so the
 * tests say what time it is.
 */
#include "fixture.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 3000 }; /* more than is looked at in one piece, and less than a page */

static bool make_word(pool_t *pool, void **resource)
{
    atomic_int *last = pool->user_data;
    *resource = (void *)(uintptr_t)(atomic_fetch_add(last, 1) + 1);
    return true;
}

static atomic_int words;

static pool_config_t plain(uint32_t flags)
{
    pool_config_t config = POOL_CONFIG_INIT;
    atomic_store(&words, 0);
    config.factory = make_word;
    config.user_data = &words;
    config.flags = flags;
    return config;
}

static pool_t *make_pool(const pool_config_t *config)
{
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(config, &pool), POOL_OK);
    return pool;
}

static pool_t *timed_pool(void)
{
    pool_config_t config = plain(POOL_F_TIMED);
    return make_pool(&config);
}

static void *take(pool_t *pool)
{
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    return r;
}

/* The one lend that there is. */
static pool_lend_t only_lend(pool_t *pool)
{
    pool_lend_t lend = {.struct_size = sizeof lend, .ms = 77, .uses = 77, .thread = 77, .tag = "none"};
    CHECK_INT(pool_lends(pool, &lend, 1), 1);
    CHECK_INT(lend.struct_size, sizeof lend);
    return lend;
}

static void end(pool_t *pool)
{
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

/* Answers an op that needs nothing, at this time from now. */
static void time_passes(pool_t *pool, int64_t ms)
{
    struct timespec t;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    clock_gettime(CLOCK_MONOTONIC, &t);
    answer.now_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + ms * 1000000;
    CHECK_STATUS(pool_op_fill(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
}

static uint64_t this_thread(void) { return (uint64_t)syscall(SYS_gettid); }

/* ---- pool_lends() ---- */

TEST(p75_a_pool_without_records_tells_what_is_lent_and_nothing_more)
{
    pool_config_t config = plain(0);
    pool_t *pool = make_pool(&config);
    CHECK_INT(pool_lends(pool, NULL, 0), 0);
    pool_tag("tag");
    void *a = take(pool), *b = take(pool);
    CHECK_STATUS(pool_release(pool, a), POOL_OK);
    pool_lend_t lend = only_lend(pool);
    CHECK_PTR(lend.resource, b);
    CHECK_INT(lend.ms, 0);
    CHECK_INT(lend.uses, 0);
    CHECK_INT(lend.thread, 0);
    CHECK_PTR(lend.tag, NULL);
    CHECK_STATUS(pool_release(pool, b), POOL_OK);
    CHECK_INT(pool_lends(pool, &lend, 1), 0);
    CHECK_PTR(lend.resource, b); /* untouched */
    pool_tag(NULL);
    end(pool);
}

TEST(p75_a_timed_pool_tells_since_when_and_who)
{
    pool_t *pool = timed_pool();
    void *r = take(pool); /* by an op */
    pool_lend_t lend = only_lend(pool);
    CHECK_PTR(lend.resource, r);
    CHECK_INT(lend.uses, 1);
    CHECK_INT(lend.thread, this_thread());
    CHECK_PTR(lend.tag, NULL);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_PTR(take(pool), r); /* without one */
    lend = only_lend(pool);
    CHECK_INT(lend.uses, 2);
    CHECK_INT(lend.thread, this_thread());
    time_passes(pool, 100000);
    lend = only_lend(pool);
    CHECK(lend.ms >= 99980 && lend.ms < 130000);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_OK);
    CHECK(only_lend(pool).ms < 90000);
    CHECK_INT(only_lend(pool).thread, this_thread());
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    r = pool_take(pool);
    CHECK_INT(only_lend(pool).uses, 4);
    CHECK_INT(only_lend(pool).thread, this_thread());
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    end(pool);
}

TEST(p75_a_pool_with_another_limit_tells_uses_and_tags_and_no_times)
{
    pool_config_t config = plain(0);
    config.max_uses = 5;
    pool_t *pool = make_pool(&config);
    pool_tag("tag");
    void *r = take(pool);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_PTR(take(pool), r);
    time_passes(pool, 100000);
    pool_lend_t lend = only_lend(pool);
    CHECK_INT(lend.ms, 0);
    CHECK_INT(lend.uses, 2);
    CHECK_INT(lend.thread, 0);
    CHECK_STR(lend.tag, "tag");
    pool_tag(NULL);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_PTR(take(pool), r);
    CHECK_PTR(only_lend(pool).tag, NULL);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    end(pool);
}

static void tells_many(uint32_t flags)
{
    static pool_lend_t lends[MANY + 1];
    static bool seen[MANY + 1];
    pool_config_t config = plain(flags);
    config.max_size = MANY;
    pool_t *pool = make_pool(&config);
    for (int i = 0; i < MANY; i++)
        take(pool);
    memset(seen, 0, sizeof seen);
    memset(lends, 0, sizeof lends);
    lends[0].struct_size = sizeof *lends;
    CHECK_INT(pool_lends(pool, NULL, 0), MANY);
    CHECK_INT(pool_lends(pool, lends, MANY + 1), MANY);
    for (int i = 0; i < MANY; i++) {
        uintptr_t word = (uintptr_t)lends[i].resource;
        CHECK(word >= 1 && word <= MANY && !seen[word]);
        seen[word] = true;
        CHECK_INT(lends[i].struct_size, sizeof *lends);
    }
    CHECK_INT(lends[MANY].struct_size, 0);
    lends[10].struct_size = 77;
    CHECK_INT(pool_lends(pool, lends, 10), MANY); /* there is room for no more */
    CHECK_INT(lends[10].struct_size, 77);
    for (uintptr_t word = 1; word <= MANY; word++)
        CHECK_STATUS(pool_release(pool, (void *)word), POOL_OK);
    CHECK_INT(pool_lends(pool, NULL, 0), 0);
    end(pool);
}

TEST(p75_each_of_many_lends_is_told_once)
{
    tells_many(0);
    tells_many(POOL_F_TIMED);
}

TEST(p75_the_first_struct_size_holds_for_all_and_nothing_is_written_behind_it)
{
    enum { SIZE = sizeof(pool_lend_t), LARGER = SIZE + 16, N = 3 };
    pool_t *pool = timed_pool();
    void *r[N];
    for (int i = 0; i < N; i++)
        r[i] = take(pool);
    _Alignas(8) char bytes[(N + 1) * LARGER];
    memset(bytes, 0x5a, sizeof bytes);
    size_t size = LARGER;
    memcpy(bytes, &size, sizeof size);
    CHECK_INT(pool_lends(pool, (pool_lend_t *)bytes, N), N);
    for (int i = 0; i < N; i++) {
        pool_lend_t lend;
        memcpy(&lend, bytes + i * LARGER, SIZE);
        CHECK_INT(lend.struct_size, LARGER);
        CHECK_INT(lend.thread, this_thread());
        for (int b = SIZE; b < LARGER; b++)
            CHECK_INT(bytes[i * LARGER + b], 0); /* a field that this library does not know */
    }
    for (size_t b = N * LARGER; b < sizeof bytes; b++)
        CHECK_INT(bytes[b], 0x5a);
    for (int i = 0; i < N; i++)
        CHECK_STATUS(pool_release(pool, r[i]), POOL_OK);
    end(pool);
}

TEST(p75_what_cannot_be_told_is_refused)
{
    pool_t *pool = timed_pool();
    void *r = take(pool);
    pool_lend_t lend = {.struct_size = sizeof lend};
    CHECK_INT(pool_lends(pool, NULL, 1), 0);
    FX_SAID(POOL_ERR_INVALID, "lends is NULL");
    const size_t sizes[] = {0, 8, offsetof(pool_lend_t, tag), sizeof lend - 1, sizeof lend + 1, 1u << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lend.struct_size = sizes[i];
        CHECK_INT(pool_lends(pool, &lend, 1), 0);
        FX_SAID(POOL_ERR_INVALID, "struct_size");
        CHECK_INT(pool_lends(pool, &lend, 0), 1); /* which is not looked at */
    }
    CHECK_INT(pool_lends(NULL, NULL, 0), 0);
    FX_SAID(POOL_ERR_INVALID, "pool");
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    end(pool);
}

TEST(p75_a_lend_by_lease_has_its_id)
{
    for (int timed = 0; timed < 2; timed++) {
        pool_config_t config = plain(timed ? POOL_F_TIMED : 0);
        pool_t *pool = make_pool(&config);
        pool_lease_t lease;
        pool_tag("leased");
        for (int i = 0; i < 3; i++) { /* made by an op, and then two that are idle */
            CHECK_STATUS(i < 2 ? pool_acquire_lease(pool, &lease, 0) : pool_try_acquire_lease(pool, &lease), POOL_OK);
            pool_lend_t lend = only_lend(pool);
            CHECK_PTR(lend.resource, lease.resource);
            CHECK_INT(lend.lease, lease.id);
            CHECK_INT(lend.thread, timed ? this_thread() : 0);
            CHECK_INT(lend.uses, timed ? i + 1 : 0);
            CHECK_PTR(lend.tag, timed ? "leased" : NULL);
            CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
        }
        pool_tag(NULL);
        void *r = take(pool);
        CHECK_INT(only_lend(pool).lease, 0); /* the last one has ended */
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
        end(pool);
    }
}

TEST(p75_of_equal_words_each_lend_has_its_own_id)
{
    enum { N = 4 };
    pool_lend_t lends[N] = {{.struct_size = sizeof *lends}};
    pool_lease_t leases[N];
    pool_config_t config = plain(0);
    config.max_size = N;
    pool_t *pool = make_pool(&config);
    for (int i = 0; i < N; i++) {
        atomic_store(&words, 0); /* all are the same word */
        CHECK_STATUS(pool_acquire_lease(pool, &leases[i], 0), POOL_OK);
    }
    CHECK_INT(pool_lends(pool, lends, N), N);
    for (int i = 0; i < N; i++) {
        int of = 0;
        for (int k = 0; k < N; k++)
            of += lends[k].lease == leases[i].id;
        CHECK_INT(of, 1);
    }
    for (int i = 0; i < N; i++)
        CHECK_STATUS(pool_release_lease(pool, &leases[i]), POOL_OK);
    end(pool);
}

/* A caller that was compiled before lends had leases. */
TEST(p75_the_first_version_of_the_struct_is_filled)
{
    pool_t *pool = timed_pool();
    pool_lease_t lease;
    CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_OK);
    pool_lend_t lend = {.struct_size = offsetof(pool_lend_t, lease), .lease = 77};
    CHECK_INT(pool_lends(pool, &lend, 1), 1);
    CHECK_PTR(lend.resource, lease.resource);
    CHECK_INT(lend.thread, this_thread());
    CHECK_INT(lend.lease, 77);
    CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
    end(pool);
}

TEST(p75_what_is_out_after_a_close_is_told)
{
    pool_t *pool = timed_pool();
    void *r = take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_PTR(only_lend(pool).resource, r);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_INT(pool_lends(pool, NULL, 0), 0);
    end(pool);
}

TEST(p75_a_timed_pool_lends_and_tells_without_entering_go)
{
    pool_config_t config = plain(POOL_F_TIMED);
    config.leak_after_ms = UINT32_MAX;
    pool_t *pool = make_pool(&config);
    void *r = take(pool);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    uint64_t before = pool_debug_crossings();
    for (int i = 0; i < 2000; i++) {
        pool_tag(i % 2 ? "odd" : NULL);
        CHECK_PTR(i % 3 ? take(pool) : pool_take(pool), r);
        CHECK_INT(only_lend(pool).uses, i + 2);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    CHECK_INT(pool_debug_crossings() - before, 0);
    pool_tag(NULL);
    end(pool);
}

static int in_hooks;

static bool counts_lends(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    in_hooks += (int)pool_lends(pool, NULL, 0);
    return true;
}

TEST(p75_what_is_in_a_hook_is_not_lent)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    for (int hook = 0; hook < FX_HOOKS; hook++)
        fx.script[hook] = counts_lends;
    for (int i = 0; i < 2; i++)
        fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(in_hooks, 0);
    fx_finish(pool);
}

/* ---- pool_tag() ---- */

TEST(p76_a_lend_has_the_tag_of_its_acquire)
{
    pool_t *pool = timed_pool();
    pool_tag("first");
    void *a = take(pool);
    pool_tag("second");
    CHECK_STR(only_lend(pool).tag, "first");
    CHECK_STATUS(pool_release(pool, a), POOL_OK);
    CHECK_PTR(take(pool), a);
    pool_tag(NULL);
    CHECK_STR(only_lend(pool).tag, "second");
    pool_resource_info_t info = {.struct_size = sizeof info};
    CHECK_STATUS(pool_resource_info(pool, a, &info), POOL_OK);
    CHECK_STR(info.tag, "second");
    CHECK_INT(info.uses, 2);
    CHECK_STATUS(pool_release(pool, a), POOL_OK);
    CHECK_PTR(take(pool), a);
    CHECK_PTR(only_lend(pool).tag, NULL);
    CHECK_STATUS(pool_release(pool, a), POOL_OK);
    end(pool);
}

typedef struct other {
    pool_t *pool;
    void *got;
    uint64_t thread;
    pthread_t handle;
} other;

static void *takes_with_a_tag(void *arg)
{
    other *o = arg;
    o->thread = this_thread();
    pool_tag("other");
    CHECK_STATUS(pool_acquire(o->pool, &o->got, 0), POOL_OK);
    return NULL;
}

TEST(p76_each_thread_has_a_tag_of_its_own)
{
    pool_t *pool = timed_pool();
    other o = {.pool = pool};
    pool_tag("mine");
    CHECK_INT(pthread_create(&o.handle, NULL, takes_with_a_tag, &o), 0);
    CHECK_INT(pthread_join(o.handle, NULL), 0);
    CHECK_STR(only_lend(pool).tag, "other");
    CHECK_INT(only_lend(pool).thread, o.thread);
    CHECK_STATUS(pool_release(pool, o.got), POOL_OK);
    take(pool);
    CHECK_STR(only_lend(pool).tag, "mine");
    CHECK_INT(only_lend(pool).thread, this_thread());
    CHECK_STATUS(pool_release(pool, o.got), POOL_OK);
    pool_tag(NULL);
    end(pool);
}

TEST(p76_who_has_stood_in_line_has_what_it_took_whoever_gave_it_back)
{
    pool_config_t config = plain(POOL_F_TIMED);
    config.max_size = 1;
    pool_t *pool = make_pool(&config);
    other o = {.pool = pool};
    pool_tag("mine");
    void *r = take(pool);
    CHECK_INT(pthread_create(&o.handle, NULL, takes_with_a_tag, &o), 0);
    WAIT_FOR(pool_waiting_count(pool) == 1);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_INT(pthread_join(o.handle, NULL), 0);
    CHECK_STR(only_lend(pool).tag, "other");
    CHECK_INT(only_lend(pool).thread, o.thread);
    CHECK_STATUS(pool_release(pool, o.got), POOL_OK);
    pool_tag(NULL);
    end(pool);
}

typedef struct served {
    pool_t *pool;
    void *got;
} served;

static void is_served(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op;
    CHECK_STATUS(status, POOL_OK);
    ((served *)data)->got = resource;
}

static void *dispatches(void *arg)
{
    served *s = arg;
    pool_tag("loop");
    while (!s->got)
        CHECK_STATUS(pool_dispatch(s->pool), POOL_OK);
    return NULL;
}

TEST(p76_an_async_acquire_belongs_to_who_began_it)
{
    pool_t *pool = timed_pool();
    served s = {.pool = pool};
    pool_op_t op;
    pthread_t loop;
    pool_tag("mine");
    CHECK_STATUS(pool_acquire_async(pool, &op, 0, is_served, &s), POOL_PENDING);
    pool_tag(NULL);
    CHECK_INT(pthread_create(&loop, NULL, dispatches, &s), 0);
    CHECK_INT(pthread_join(loop, NULL), 0);
    CHECK_STR(only_lend(pool).tag, "mine");
    CHECK_INT(only_lend(pool).thread, this_thread());
    CHECK_STATUS(pool_release(pool, s.got), POOL_OK);
    end(pool);
}

TEST(p76_an_op_of_a_host_belongs_to_who_began_it)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    pool_op_t op, close;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    config.flags = POOL_F_HOST_DRIVEN | POOL_F_TIMED;
    config.max_size = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_tag("mine");
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    pool_tag("later");
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    answer.ok = true;
    answer.resource = &op;
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STR(only_lend(pool).tag, "mine");
    CHECK_INT(only_lend(pool).thread, this_thread());
    CHECK(pool_op_join(pool, &op, 0)); /* in line, and takes what is handed on */
    pool_tag(NULL);
    CHECK_PTR(pool_hand_on(pool, answer.resource), &op);
    CHECK_PTR(pool_op_take(&op), answer.resource);
    CHECK_STR(only_lend(pool).tag, "later");
    CHECK_STATUS(pool_release(pool, answer.resource), POOL_OK);
    CHECK_PTR(pool_take(pool), answer.resource);
    CHECK_PTR(only_lend(pool).tag, NULL);
    CHECK_STATUS(pool_release(pool, answer.resource), POOL_OK);
    CHECK_STATUS(pool_op_close(pool, &close), POOL_OK);
    CHECK_INT(pool_op_next(&close, NULL, &ask), POOL_ASK_DONE);
    end(pool);
}

static const char *seen_in_hook;

static bool looks_at_the_tag(pool_t *pool, void *resource)
{
    pool_resource_info_t info = {.struct_size = sizeof info};
    CHECK_STATUS(pool_resource_info(pool, resource, &info), POOL_OK);
    seen_in_hook = info.tag;
    return true;
}

TEST(p76_a_hook_knows_the_tag_of_what_comes_back)
{
    pool_config_t config = plain(POOL_F_TIMED);
    config.before_release = looks_at_the_tag;
    pool_t *pool = make_pool(&config);
    pool_tag("mine");
    void *r = take(pool);
    pool_tag("other");
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STR(seen_in_hook, "mine");
    pool_tag(NULL);
    end(pool);
}

TEST(p76_with_lifo_a_lend_has_its_thread_and_its_tag)
{
    pool_config_t config = plain(POOL_F_TIMED | POOL_F_LIFO);
    pool_t *pool = make_pool(&config);
    void *r[3];
    pool_tag("mine");
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++)
            r[i] = take(pool);
        CHECK_INT(pool_lends(pool, NULL, 0), 3);
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(pool_release(pool, r[i]), POOL_OK);
    }
    CHECK_PTR(take(pool), r[2]);
    CHECK_STR(only_lend(pool).tag, "mine");
    CHECK_INT(only_lend(pool).thread, this_thread());
    CHECK_STATUS(pool_release(pool, r[2]), POOL_OK);
    pool_tag(NULL);
    end(pool);
}

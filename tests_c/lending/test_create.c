/*
 * Creating pools (B01 to B21): laziness, argument checks, sizes, what may be a resource, what a new
 * pool shows of itself, prewarm, and configurations of older and newer callers.
 */
#include "fixture.h"
#include "process.h"

#include <errno.h>

/* ---- A second set of hooks: resources are plain words ---------------------------------------- */

static void *word_list[64];
static int word_total;
static int words_made, words_ended;
static void *seen_user_data, *seen_wrapper;
/* What an out-pointer holds before a call that must clear it. */
static pool_t *const not_null = (pool_t *)&words_made;

static bool word_factory(pool_t *pool, void **resource)
{
    if (words_made == 0) {
        seen_user_data = pool->user_data;
        seen_wrapper = pool->wrapper;
    }
    if (words_made < word_total)
        *resource = word_list[words_made];
    words_made++;
    return true;
}

static void word_destructor(pool_t *pool, void *resource)
{
    (void)pool;
    (void)resource;
    words_ended++;
}

static pool_t *word_pool(uint32_t min, uint32_t max)
{
    pool_t *pool = pool_create_internal(word_factory, word_destructor, NULL, NULL, NULL, min, max, 0);
    CHECK(pool != NULL);
    return pool;
}

static void check_refused(pool_t *pool)
{
    CHECK_PTR(pool, NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_INVALID);
    CHECK_STR(fx_log(), "");
    CHECK_INT(words_made, 0);
    CHECK_INT(pool_debug_live(), 0);
}

/* ---- Laziness, defaults, argument checks ----------------------------------------------------- */

/* Shows B29. */
TEST(b01_nothing_is_created_before_it_is_needed)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 10);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(pool_count(pool), 0);
    CHECK(!pool_is_closed(pool));
    CHECK_STR(fx_log(), "");
    fx_finish(pool);
    CHECK_STR(fx_log(), "");
}

TEST(b02_a_configuration_has_defaults_and_needs_only_a_factory)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = word_factory;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_INT(pool->min_size, 0);
    CHECK_INT(pool->max_size, 10);
    CHECK_INT(words_made, 0);
    pool_unref(pool);
}

TEST(b02_absent_hooks_accept_everything)
{
    pool_t *pool = pool_create_internal(word_factory, NULL, NULL, NULL, NULL, 1, 1, 0);
    CHECK(pool != NULL);
    void *r;
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    CHECK_INT(words_made, 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    pool_unref(pool);
}

/* Shows R56. */
TEST(b02_a_missing_factory_is_refused)
{
    check_refused(pool_create_internal(NULL, word_destructor, NULL, NULL, NULL, 0, 1, 0));
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = not_null;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    check_refused(pool);
}

/* Shows R56. */
TEST(b04_max_zero_is_refused)
{
    check_refused(fx_try_pool(0, 0, 0));
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = word_factory;
    config.max_size = 0;
    pool_t *pool = not_null;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    check_refused(pool);
}

/* Shows R56. */
TEST(b05_min_above_max_is_refused)
{
    check_refused(fx_try_pool(0, 10, 5));
    check_refused(fx_try_pool(0, UINT32_MAX, UINT32_MAX - 1));
    pool_t *pool = fx_pool(0, 5, 5); /* equal is fine */
    fx_finish(pool);
}

TEST(b07_several_bad_arguments_call_nothing)
{
    check_refused(fx_try_pool(FX_WITH_ALL, 1, 0));
    check_refused(pool_create_internal(NULL, NULL, NULL, NULL, NULL, 1, 0, 0));
}

TEST(b07_a_null_config_or_out_pointer_is_refused)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = word_factory;
    config.min_size = 1;
    CHECK_STATUS(pool_create_ex(&config, NULL), POOL_ERR_INVALID);
    pool_t *pool = not_null;
    CHECK_STATUS(pool_create_ex(NULL, &pool), POOL_ERR_INVALID);
    check_refused(pool);
}

TEST(b07_flags_and_asks_that_mean_nothing_are_refused)
{
    pool_config_t good = POOL_CONFIG_INIT;
    good.factory = word_factory;
    pool_config_t bad[2] = {good, good};
    bad[0].flags = 1u << 31;
    bad[1].asks = POOL_ASKS_DESTROY; /* only a host-driven pool is asked */
    for (int i = 0; i < 2; i++) {
        pool_t *pool = not_null;
        CHECK_STATUS(pool_create_ex(&bad[i], &pool), POOL_ERR_INVALID);
        check_refused(pool);
    }
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Shows R56. */
TEST(b08_sizes_are_not_truncated)
{
    pool_t *pool = fx_pool(0, 0, UINT32_MAX);
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_INT(s.max, UINT32_MAX);
    CHECK_INT(pool->max_size, UINT32_MAX);
    fx_finish(pool);

    fx.script[FX_FACTORY] = fx_refuse;
    CHECK_PTR(fx_try_pool(0, UINT32_MAX, UINT32_MAX), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_FACTORY);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
}

/* Shows R56. */
TEST(b08_a_huge_max_size_costs_no_memory)
{
    fx_finish(fx_pool(0, 1, 1)); /* what the first pool sets up is not counted */
    long size_before, resident_before, size, resident;
    process_memory(&size_before, &resident_before);
    pool_t *pool = fx_pool(0, 0, UINT32_MAX);
    process_memory(&size, &resident);
    /* One byte a place would be 4 GB. Allocators reserve address space generously. */
    CHECK(size - size_before < 256 << 10);
    CHECK(resident - resident_before < 8 << 10);
    fx_give(pool, fx_take(pool));
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* ---- Resources are words --------------------------------------------------------------------- */

TEST(b10_any_word_is_a_resource)
{
    static const uintptr_t values[] = {
        0, 1, 2, 3, 7, 42, UINTPTR_MAX, UINTPTR_MAX - 1, (uintptr_t)1 << 63, ((uintptr_t)1 << 63) - 1, 0xdeadbeef};
    enum { N = sizeof values / sizeof *values };
    for (int i = 0; i < N; i++)
        word_list[i] = (void *)values[i];
    word_total = N;
    pool_t *pool = word_pool(0, N);
    for (int round = 0; round < 3; round++) {
        void *got[N];
        for (int i = 0; i < N; i++) {
            CHECK_STATUS(pool_acquire(pool, &got[i], 0), POOL_OK);
            CHECK_PTR(got[i], (void *)values[i]);
        }
        for (int i = 0; i < N; i++) {
            CHECK_STATUS(pool_release(pool, got[i]), POOL_OK);
            CHECK_STATUS(pool_release(pool, got[i]), POOL_ERR_NOT_OWNED);
        }
    }
    CHECK_INT(words_made, N);
    pool_unref(pool);
    CHECK_INT(words_ended, N);
}

TEST(b15_null_is_a_legal_resource)
{
    word_total = 1; /* word_list[0] is NULL */
    pool_t *pool = word_pool(0, 1);
    void *r = pool;
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_OK);
    CHECK_PTR(r, NULL);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_EMPTY);
    CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    CHECK_STATUS(pool_release(pool, NULL), POOL_ERR_NOT_OWNED);
    pool_unref(pool);
    CHECK_INT(words_ended, 1);
}

TEST(b10_the_same_word_made_twice_is_two_places)
{
    word_list[0] = word_list[1] = (void *)42;
    word_total = 2;
    pool_t *pool = word_pool(0, 2);
    void *a, *b, *c;
    CHECK_STATUS(pool_acquire(pool, &a, 0), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &b, 0), POOL_OK);
    CHECK_PTR(a, (void *)42);
    CHECK_PTR(b, (void *)42);
    CHECK_COUNTS(pool, 0, 2, 0);
    CHECK_STATUS(pool_try_acquire(pool, &c), POOL_EMPTY);
    CHECK_STATUS(pool_release(pool, a), POOL_OK);
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_STATUS(pool_release(pool, b), POOL_OK);
    CHECK_COUNTS(pool, 2, 0, 0);
    CHECK_STATUS(pool_release(pool, a), POOL_ERR_NOT_OWNED);
    CHECK_COUNTS(pool, 2, 0, 0);
    pool_unref(pool);
    CHECK_INT(words_ended, 2);
}

/* ---- The table ------------------------------------------------------------------------------- */

TEST(b16_user_data_is_there_for_the_first_factory_call)
{
    int mark;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = word_factory;
    config.user_data = &mark;
    config.min_size = 1;
    seen_wrapper = &mark;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_INT(words_made, 1);
    CHECK_PTR(seen_user_data, &mark);
    CHECK_PTR(seen_wrapper, NULL);
    CHECK_PTR(pool->user_data, &mark);
    pool_unref(pool);
}

TEST(b16_handler_flags_tell_which_hooks_are_set)
{
    for (unsigned hooks = 0; hooks <= FX_WITH_ALL; hooks++) {
        unsigned want = POOL_F_FACTORY_INTERNAL | POOL_F_DESTRUCTOR_INTERNAL;
        want |= hooks & FX_WITH_ACQUIRE ? POOL_F_BEFORE_ACQUIRE_INTERNAL : 0;
        want |= hooks & FX_WITH_RELEASE ? POOL_F_BEFORE_RELEASE_INTERNAL : 0;
        want |= hooks & FX_WITH_HEALTHCHECK ? POOL_F_HEALTHCHECK_INTERNAL : 0;
        pool_t *pool = fx_pool(hooks, 0, 1);
        CHECK_INT(pool->handler_flags, want);
        CHECK_INT(pool->before_acquire.internal != NULL, (hooks & FX_WITH_ACQUIRE) != 0);
        CHECK_INT(pool->before_release.internal != NULL, (hooks & FX_WITH_RELEASE) != 0);
        CHECK_INT(pool->healthcheck.internal != NULL, (hooks & FX_WITH_HEALTHCHECK) != 0);
        fx_finish(pool);
    }
    pool_t *pool = pool_create_internal(word_factory, NULL, NULL, NULL, NULL, 0, 1, 0);
    CHECK(pool != NULL);
    CHECK_INT(pool->handler_flags, POOL_F_FACTORY_INTERNAL);
    CHECK(pool->factory.internal == word_factory);
    CHECK(pool->destructor.internal == NULL);
    CHECK_PTR(pool->strategy.object, NULL);
    pool_unref(pool);
}

TEST(b16_the_table_shows_sizes_references_and_the_closed_flag)
{
    pool_t *pool = fx_pool(0, 2, 3);
    CHECK_INT(pool->min_size, 2);
    CHECK_INT(pool->max_size, 3);
    CHECK_INT(pool->circuit_state, POOL_CIRCUIT_ACTIVE);
    CHECK_PTR(&pool->event, pool);
    CHECK_INT(pool->event.ref_count, 1);
    CHECK_PTR(pool_ref(pool), pool);
    CHECK_INT(pool->event.ref_count, 2);
    pool_unref(pool);
    CHECK_INT(pool->event.ref_count, 1);
    CHECK_INT(pool->event.flags & POOL_EVENT_F_CLOSED, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool->event.flags & POOL_EVENT_F_CLOSED, POOL_EVENT_F_CLOSED);
    fx_finish(pool);
}

/* ---- Prewarm --------------------------------------------------------------------------------- */

static pthread_t factory_thread;

static bool note_prewarm(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    factory_thread = pthread_self();
    CHECK_COUNTS(pool, call - 1, 1, 0); /* what is being made is counted already */
    return true;
}

TEST(b17_min_resources_are_made_by_the_creating_thread)
{
    fx.script[FX_FACTORY] = note_prewarm;
    pool_t *pool = fx_pool(0, 3, 5);
    CHECK_STR(fx_log(), "factory(1) factory(2) factory(3)");
    CHECK(pthread_equal(factory_thread, pthread_self()));
    CHECK_COUNTS(pool, 3, 0, 0);
    fx_finish(pool);
}

TEST(b18_prewarmed_resources_meet_no_hook)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 2, 2);
    CHECK_STR(fx_log(), "factory(1) factory(2)");
    fx_finish(pool);
}

static int fail_at;

static bool fail_at_call(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == fail_at)
        pool_set_error(pool, 1000 + call, "no more connections");
    return call != fail_at;
}

TEST(b19_prewarm_stops_at_the_first_failure_whose_error_reaches_the_creator)
{
    fail_at = 2;
    fx.script[FX_FACTORY] = fail_at_call;
    CHECK_PTR(fx_try_pool(FX_WITH_ALL, 5, 5), NULL);
    CHECK_STR(fx_log(), "factory(1) factory(2) destructor(1)");
    int code;
    char text[64];
    CHECK_STATUS(pool_last_error(&code, text, sizeof text), POOL_ERR_FACTORY);
    CHECK_INT(code, 1002);
    CHECK_STR(text, "no more connections");
}

/* Shows B154. */
TEST(b20_a_failed_prewarm_destroys_what_it_made)
{
    for (fail_at = 1; fail_at <= 6; fail_at++) {
        fx.script[FX_FACTORY] = fail_at_call;
        for (int i = 0; i < FX_HOOKS; i++)
            fx.calls[i] = 0;
        CHECK_PTR(fx_try_pool(0, 6, 6), NULL);
        CHECK_INT(fx.calls[FX_FACTORY], fail_at);
        CHECK_INT(fx.calls[FX_DESTRUCTOR], fail_at - 1);
        CHECK_INT(fx_live(), 0);
        CHECK_INT(pool_debug_live(), 0);
    }
}

static bool second_fails_silently(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call != 2;
}

TEST(b21_a_silent_failure_during_prewarm_fails_the_creation_too)
{
    fx.script[FX_FACTORY] = second_fails_silently;
    CHECK_PTR(fx_try_pool(0, 3, 3), NULL);
    CHECK_STR(fx_log(), "factory(1) factory(2) destructor(1)");
    int code;
    CHECK_STATUS(pool_last_error(&code, NULL, 0), POOL_ERR_FACTORY);
    CHECK_INT(code, POOL_ERR_FACTORY);
}

/* ---- Configurations of older and newer callers ----------------------------------------------- */

/* Calls pool_create_ex with a copy of exactly size bytes; those behind the fields known here are 0
 * but for the one at dirty (0: none). */
static pool_status_t create_sized(const pool_config_t *config, size_t size, size_t dirty, pool_t **out)
{
    char *copy = calloc(1, size);
    memcpy(copy, config, size < sizeof *config ? size : sizeof *config);
    memcpy(copy, &size, sizeof size);
    if (dirty)
        copy[dirty] = 1;
    pool_status_t status = pool_create_ex((const pool_config_t *)copy, out);
    free(copy);
    return status;
}

/* Shows P05. */
TEST(config_init_equals_the_macro_byte_for_byte)
{
    static const pool_config_t macro = POOL_CONFIG_INIT;
    pool_config_t function;
    memset(&function, 0xa5, sizeof function);
    pool_config_init(&function);
    CHECK_INT(memcmp(&macro, &function, sizeof macro), 0);
}

/* Shows P05. */
TEST(config_of_an_older_caller_gets_defaults_for_what_it_lacks)
{
    static const size_t ends[] = {
        offsetof(pool_config_t, healthcheck_interval_ms),
        offsetof(pool_config_t, recovering_limit),
        offsetof(pool_config_t, scheduler),
        offsetof(pool_config_t, factory_fcall),
        offsetof(pool_config_t, max_waiting),
        sizeof(pool_config_t)};
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = word_factory;
    config.destructor = word_destructor;
    config.user_data = &config;
    config.min_size = 1;
    config.max_size = 4;
    config.flags = config.asks = UINT32_MAX; /* refused where they are read */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        pool_t *pool;
        words_made = words_ended = 0;
        if (ends[i] > offsetof(pool_config_t, flags))
            config.flags = 0;
        if (ends[i] > offsetof(pool_config_t, asks))
            config.asks = 0;
        CHECK_STATUS(create_sized(&config, ends[i], 0, &pool), POOL_OK);
        CHECK_INT(pool->min_size, 1);
        CHECK_INT(pool->max_size, 4);
        CHECK_INT(words_made, 1);
        CHECK_PTR(pool->user_data, &config);
        pool_unref(pool);
        CHECK_INT(words_ended, 1);
    }
}

/* Shows P05. */
TEST(config_too_short_for_a_factory_is_refused)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = word_factory;
    for (size_t size = sizeof(size_t); size <= offsetof(pool_config_t, factory); size++) {
        pool_t *pool = not_null;
        CHECK_STATUS(create_sized(&config, size, 0, &pool), POOL_ERR_INVALID);
        check_refused(pool);
    }
    config.struct_size = 0;
    pool_t *pool = not_null;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    check_refused(pool);
}

/* Shows P05. */
TEST(config_of_a_newer_caller_is_accepted_while_the_unknown_part_is_zero)
{
    const size_t size = sizeof(pool_config_t) + 64;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = word_factory;
    config.min_size = 1;
    pool_t *pool = not_null;
    CHECK_STATUS(create_sized(&config, size, sizeof config, &pool), POOL_ERR_INVALID);
    check_refused(pool);
    pool = not_null;
    CHECK_STATUS(create_sized(&config, size, size - 1, &pool), POOL_ERR_INVALID);
    check_refused(pool);
    CHECK_STATUS(create_sized(&config, size, 0, &pool), POOL_OK);
    CHECK_INT(words_made, 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    pool_unref(pool);
}

/*
 * The table of functions and the macros over it: before a table is registered, with one of the
 * wrong version, and at work; the constructor of the host's objects. Each case shows P34.
 */
#define _GNU_SOURCE
#include "fixture.h"

#include <asyncpool/pool_api.h>

/* Where the library of this program lies. */
static const char *library_path(void)
{
    Dl_info info;
    CHECK(dladdr((void *)pool_version, &info) != 0);
    return info.dli_fname;
}

static void says(const char *words)
{
    if (!strstr(pool_api_error(), words))
        CHECK_STR(pool_api_error(), words);
}

static int word;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &word;
    return true;
}

TEST(before_registration_each_macro_answers_cleanly)
{
    pool_t *pool = fx_pool(0, 0, 1); /* a real pool: the macros do not get at it */
    void *r = &r;
    CHECK_PTR(pool_api_current(), NULL);
    CHECK_PTR(POOL_NEW(make, NULL, NULL, NULL, NULL, 0, 1, 0), NULL);
    CHECK_PTR(POOL_NEW_OBJ(pool), NULL);
    CHECK_STATUS(POOL_ACQUIRE(pool, &r, 0), POOL_ERR_UNAVAILABLE);
    CHECK_PTR(r, NULL);
    r = &r;
    CHECK_STATUS(POOL_TRY_ACQUIRE(pool, &r), POOL_ERR_UNAVAILABLE);
    CHECK_PTR(r, NULL);
    CHECK_STATUS(POOL_ACQUIRE(NULL, NULL, -1), POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(POOL_TRY_ACQUIRE(NULL, NULL), POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(POOL_RELEASE(pool, r), POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(POOL_CLOSE(pool), POOL_ERR_UNAVAILABLE);
    POOL_UNREF(pool);
    CHECK(!pool_is_closed(pool));
    CHECK_INT(pool->event.ref_count, 1);
    fx_finish(pool);
}

/* Shows P06. */
TEST(a_table_is_handed_out_for_its_own_version_only)
{
    static const uint32_t wrong[] = {0, POOL_ABI_VERSION + 1, POOL_ABI_VERSION - 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        void *r;
        CHECK_STATUS(pool_acquire(NULL, &r, 0), POOL_ERR_INVALID); /* another error before */
        CHECK_STATUS(pool_close(NULL), POOL_ERR_INVALID);
        CHECK_PTR(pool_api(wrong[i]), NULL);
        CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_INVALID);
    }
    const pool_api_t *api = pool_api(POOL_ABI_VERSION);
    CHECK(api != NULL);
    CHECK_PTR(pool_api(POOL_ABI_VERSION), api);
    CHECK_INT(api->abi_version, POOL_ABI_VERSION);
    CHECK_INT(api->struct_size, sizeof *api);
    CHECK_INT(api->reserved, 0);
}

/* Shows P06. */
TEST(a_wrong_version_is_an_error_also_after_another_one)
{
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_try(pool, &status);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_CLOSED);
    CHECK_PTR(pool_api(POOL_ABI_VERSION + 1), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_INVALID);
    fx_finish(pool);
}

/* Shows P06. */
TEST(a_table_of_another_version_is_refused_and_one_of_another_size_is_not)
{
    pool_api_t other = *pool_api(POOL_ABI_VERSION);
    other.abi_version++;
    CHECK(!pool_api_register(&other));
    says("the table is of ABI version 2, and this was compiled for version 1");
    CHECK_PTR(pool_api_current(), NULL);
    other.abi_version--;
    for (size_t size = 0; size < offsetof(pool_api_t, create_internal); size++) { /* none at all */
        other.struct_size = size;
        CHECK(!pool_api_register(&other));
        says("no table of asyncpool");
        CHECK_PTR(pool_api_current(), NULL);
    }
    CHECK(pool_api_register(pool_api(POOL_ABI_VERSION)));
    CHECK(!pool_api_register(&other)); /* keeps the good one */
    CHECK_PTR(pool_api_current(), pool_api(POOL_ABI_VERSION));
    other.struct_size = sizeof other + 10 * sizeof(void *); /* a newer library with more entries */
    CHECK(pool_api_register(&other));
    CHECK_PTR(pool_api_current(), &other);
    other.struct_size = offsetof(pool_api_t, try_acquire); /* an older one with less */
    CHECK(pool_api_register(&other));
    CHECK_PTR(pool_api_current(), &other);
    CHECK(pool_api_register(NULL));
    CHECK_PTR(pool_api_current(), NULL);
}

static void *object_of(pool_t *pool) { return pool->user_data ? pool->user_data : &word; }

static void use_the_macros(void)
{
    void *r, *other;
    pool_t *pool = POOL_NEW(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    CHECK(pool != NULL);
    CHECK_STATUS(POOL_ACQUIRE(pool, &r, 1000), POOL_OK);
    CHECK_PTR(r, &word);
    CHECK_STATUS(POOL_TRY_ACQUIRE(pool, &other), POOL_EMPTY);
    CHECK_STATUS(POOL_ACQUIRE(pool, &other, 1), POOL_ERR_TIMEOUT);
    CHECK_STATUS(POOL_RELEASE(pool, r), POOL_OK);
    CHECK_STATUS(POOL_RELEASE(pool, r), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(POOL_TRY_ACQUIRE(pool, &r), POOL_OK);
    CHECK_STATUS(POOL_RELEASE(pool, r), POOL_OK);
    CHECK_STATUS(POOL_CLOSE(pool), POOL_OK);
    CHECK_STATUS(POOL_ACQUIRE(pool, &r, 0), POOL_ERR_CLOSED);
    POOL_UNREF(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(the_macros_lend_through_the_table)
{
    CHECK(pool_api_register(pool_api(POOL_ABI_VERSION)));
    use_the_macros();
    CHECK_PTR(POOL_NEW(NULL, NULL, NULL, NULL, NULL, 0, 1, 0), NULL);
    CHECK_STATUS(pool_api_current()->last_error(NULL, NULL, 0), POOL_ERR_INVALID);
}

static bool pass(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    (void)fcall;
    return make(pool, resource);
}

static void ignore(pool_t *pool, void *ctx) { (void)pool, (void)ctx; }
static void ignore_error(pool_t *pool, const pool_error_t *e, void *ctx) { (void)pool, (void)e, (void)ctx; }

TEST(each_entry_of_the_table_does_what_its_function_does)
{
    const pool_api_t *api = pool_api(POOL_ABI_VERSION);
    pool_fcall_t factory = {pass, NULL, NULL};
    pool_circuit_breaker_strategy_t strategy = {ignore, ignore_error, NULL, NULL, NULL};
    pool_config_t config = POOL_CONFIG_INIT;
    pool_snapshot_t s = {.struct_size = sizeof s};
    pool_t *pool;
    void *r;
    int code;
    char text[64];
    config.factory = make;
    config.max_size = 3;
    CHECK_STATUS(api->create_ex(&config, &pool), POOL_OK);
    CHECK_PTR(api->ref(pool), pool);
    CHECK_INT(pool->event.ref_count, 2);
    api->unref(pool);
    CHECK_INT(pool->event.ref_count, 1);
    CHECK_STATUS(api->acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(api->snapshot(pool, &s), POOL_OK);
    CHECK_INT(s.active, 1);
    CHECK_STATUS(api->release(pool, r), POOL_OK);
    CHECK_STATUS(api->set_strategy(pool, &strategy), POOL_OK);
    CHECK_PTR(pool->strategy.internal, &strategy);
    CHECK_STATUS(api->deactivate(pool), POOL_OK);
    CHECK_INT(api->state(pool), POOL_CIRCUIT_INACTIVE);
    CHECK_STATUS(api->try_acquire(pool, &r), POOL_ERR_UNAVAILABLE);
    CHECK_STATUS(api->recover(pool), POOL_OK);
    CHECK_INT(api->state(pool), POOL_CIRCUIT_RECOVERING);
    CHECK_STATUS(api->activate(pool), POOL_OK);
    CHECK_INT(api->state(pool), POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(api->set_error(pool, 1, "outside a hook"), POOL_OK);
    CHECK(!api->is_closed(pool));
    CHECK_STATUS(api->close(pool), POOL_OK);
    CHECK(api->is_closed(pool));
    CHECK_STATUS(api->try_acquire(pool, &r), POOL_ERR_CLOSED);
    CHECK_STATUS(api->last_error(&code, text, sizeof text), POOL_ERR_CLOSED);
    CHECK_INT(code, POOL_ERR_CLOSED);
    CHECK_STR(api->strerror(POOL_ERR_CLOSED), pool_strerror(POOL_ERR_CLOSED));
    api->unref(pool);
    pool = api->create(&factory, NULL, NULL, NULL, NULL, 1, 1, 0);
    CHECK(pool != NULL);
    CHECK_INT(pool->handler_flags, 0);
    api->unref(pool);
    pool = api->create_internal(make, NULL, NULL, NULL, NULL, 1, 1, 0);
    CHECK(pool != NULL);
    CHECK_INT(pool->handler_flags, POOL_F_FACTORY_INTERNAL);
    CHECK_PTR(api->new_object(pool), NULL);
    api->unref(pool);
}

/* ---- Loading -------------------------------------------------------------------------------- */

TEST(a_library_that_is_not_there_or_is_none_is_refused_in_words)
{
    CHECK_STR(pool_api_error(), "");
    CHECK_STATUS(pool_api_load("/nowhere/libasyncpool.so.1"), POOL_ERR_UNAVAILABLE);
    says("/nowhere/libasyncpool.so.1 cannot be opened");
    says("No such file");
    says("LD_LIBRARY_PATH");
    CHECK_STATUS(pool_api_load("libc.so.6"), POOL_ERR_INVALID);
    says("libc.so.6 is no asyncpool");
    CHECK_PTR(pool_api_current(), NULL);
    CHECK_STATUS(pool_api_load(library_path()), POOL_OK);
    CHECK_PTR(pool_api_current(), pool_api(POOL_ABI_VERSION));
    CHECK_STATUS(pool_api_load("/nowhere"), POOL_OK); /* there is one already */
    use_the_macros();
}

static void *nothing_failed_here(void *arg)
{
    CHECK_STR(pool_api_error(), "");
    return arg;
}

TEST(why_a_load_failed_is_told_to_its_own_thread)
{
    char path[4096];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = 0;
    CHECK_STATUS(pool_api_load(path), POOL_ERR_UNAVAILABLE); /* cut, and ended */
    says("xxx cannot be opened");
    check_join(check_thread(nothing_failed_here, NULL));
    says("xxx cannot be opened");
}

static check_gate gate = CHECK_GATE_INIT;

static void *load(void *arg)
{
    check_gate_pass(&gate);
    CHECK_STATUS(pool_api_load(library_path()), POOL_OK);
    CHECK_PTR(pool_api_current(), pool_api(POOL_ABI_VERSION));
    return arg;
}

TEST(many_threads_load_at_once)
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        threads[i] = check_thread(load, NULL);
    WAIT_FOR(check_gate_waiting(&gate) == 8);
    check_gate_open(&gate);
    for (int i = 0; i < 8; i++)
        check_join(threads[i]);
    use_the_macros();
}

/* ---- The host's objects --------------------------------------------------------------------- */

static void *no_object(pool_t *pool)
{
    (void)pool;
    return NULL;
}

static void *object_that_holds_its_pool(pool_t *pool) { return pool_ref(pool); }

TEST(the_hosts_object_is_made_by_the_registered_constructor)
{
    CHECK(pool_api_register(pool_api(POOL_ABI_VERSION)));
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_PTR(pool_new_object(NULL), NULL);
    CHECK_PTR(POOL_NEW_OBJ(pool), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_UNAVAILABLE);
    CHECK_PTR(pool->wrapper, NULL);
    CHECK_STATUS(pool_register_wrapper(object_of), POOL_OK);
    CHECK_PTR(POOL_NEW_OBJ(pool), &word);
    CHECK_PTR(pool->wrapper, &word);
    pool->user_data = &gate;
    CHECK_PTR(pool_new_object(pool), &gate);
    CHECK_PTR(pool->wrapper, &gate);
    CHECK_STATUS(pool_register_wrapper(no_object), POOL_OK);
    CHECK_PTR(POOL_NEW_OBJ(pool), NULL);
    CHECK_STATUS(pool_register_wrapper(object_that_holds_its_pool), POOL_OK);
    CHECK_PTR(POOL_NEW_OBJ(pool), pool);
    CHECK_INT(pool->event.ref_count, 2);
    pool_unref(pool);
    CHECK_STATUS(pool_register_wrapper(NULL), POOL_OK);
    CHECK_PTR(POOL_NEW_OBJ(pool), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_UNAVAILABLE);
    fx_finish(pool);
}

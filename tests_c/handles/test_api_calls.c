/* The calls of pool_api.h where there is no table, and where the table is that of an older library. */
#include "fixture.h"

#include <asyncpool/pool_api.h>

#include <string.h>

static void never(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)status, (void)resource, (void)data;
    CHECK(!"an async op that was refused has no outcome");
}

static pool_reactor_t *reactor;

/* Every call once, which tests_c/scripts/api_table.sh looks after, in a way that changes nothing in a library that has it;
 * the answers of one that has not are checked. none: no library has any. */
static void call_everything(bool none)
{
    void *r = &r;
    pool_t *out = (pool_t *)&r;
    pool_op_t op;
    pool_lease_t lease = {&r, 1};
    char text[64] = "";
    int code = 0;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    pool_resource_info_t info = {.struct_size = sizeof info};
#define ANSWERS(call, wanted) CHECK((call) == (wanted) || !none)
#define REFUSES(call) CHECK((call) == POOL_ERR_UNAVAILABLE || !none)
    memset(&op, 0, sizeof op);
    CHECK_PTR(pool_api_create_internal(NULL, NULL, NULL, NULL, NULL, 0, 1, 0), NULL);
    CHECK_PTR(pool_api_create(NULL, NULL, NULL, NULL, NULL, 0, 1, 0), NULL);
    REFUSES(pool_api_create_ex(NULL, &out));
    CHECK_PTR(out, NULL);
    CHECK(pool_api_create_ex(NULL, NULL) < 0);
    CHECK_PTR(pool_api_new_object(NULL), NULL);
    CHECK_PTR(pool_api_ref(NULL), NULL);
    pool_api_unref(NULL);
    REFUSES(pool_api_acquire(NULL, &r, 0));
    CHECK_PTR(r, NULL);
    r = &r;
    REFUSES(pool_api_try_acquire(NULL, &r));
    CHECK_PTR(r, NULL);
    CHECK(pool_api_acquire(NULL, NULL, -1) < 0 && pool_api_try_acquire(NULL, NULL) < 0);
    CHECK_PTR(pool_api_take(NULL), NULL);
    REFUSES(pool_api_give(NULL, NULL));
    REFUSES(pool_api_release(NULL, NULL));
    REFUSES(pool_api_close(NULL));
    CHECK(pool_api_is_closed(NULL));
    CHECK_INT(pool_api_count(NULL) + pool_api_idle_count(NULL) + pool_api_active_count(NULL), 0);
    CHECK_INT(pool_api_waiting_count(NULL), 0);
    REFUSES(pool_api_snapshot(NULL, &counts));
    ANSWERS(pool_api_metrics(text, sizeof text), 0u);
    ANSWERS(pool_api_describe(NULL, text, sizeof text), 0u);
    REFUSES(pool_api_stats(NULL, &(pool_stats_t){.struct_size = sizeof(pool_stats_t)}));
    REFUSES(pool_api_resource_info(NULL, NULL, &info));
    CHECK_INT(pool_api_lends(NULL, NULL, 0), 0);
    pool_api_tag(NULL);
    ANSWERS(pool_api_debug_live(), 0u);
    ANSWERS(pool_api_debug_crossings(), 0u);
    CHECK_INT(pool_api_state(NULL), POOL_CIRCUIT_INACTIVE);
    REFUSES(pool_api_activate(NULL));
    REFUSES(pool_api_deactivate(NULL));
    REFUSES(pool_api_recover(NULL));
    REFUSES(pool_api_set_strategy(NULL, NULL));
    REFUSES(pool_api_strategy_threshold(NULL, 1, 1, 1));
    REFUSES(pool_api_strategy_threshold_on(NULL, 1, 1, 1, 1));
    REFUSES(pool_api_set_error(NULL, 1, "text"));
    CHECK(pool_api_time_left_ms(NULL) == INT64_MAX);
    REFUSES(pool_api_try_later(NULL, 1));
    REFUSES(pool_api_last_error(&code, text, sizeof text));
    CHECK(!none || (code == POOL_ERR_UNAVAILABLE && strstr(text, "not loaded")));
    CHECK(pool_api_last_error(NULL, NULL, 0) < 0);
    CHECK(pool_api_strerror(POOL_OK) && pool_api_status_name(POOL_OK) && pool_api_version());
    CHECK(!none || strstr(pool_api_strerror(POOL_OK), "not loaded"));
    REFUSES(pool_api_op_acquire(NULL, &op, 0));
    REFUSES(pool_api_op_try_acquire(NULL, &op));
    REFUSES(pool_api_op_release(NULL, &op, NULL));
    REFUSES(pool_api_op_close(NULL, &op));
    REFUSES(pool_api_op_fill(NULL, &op));
    REFUSES(pool_api_op_sweep(NULL, &op));
    REFUSES(pool_api_op_create_behind(NULL, &op));
    CHECK_INT(pool_api_creations_due(NULL), 0);
    CHECK_INT(pool_api_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    REFUSES(ask.status);
    CHECK_INT(pool_api_op_next(&op, NULL, NULL), POOL_ASK_DONE);
    REFUSES(pool_api_op_wait(&op, 0));
    ANSWERS(pool_api_op_until_ns(&op), INT64_MAX);
    CHECK_PTR(pool_api_op_woken(NULL), NULL);
    CHECK(!pool_api_op_join(NULL, &op, 0));
    CHECK_PTR(pool_api_op_take(&op), NULL);
    CHECK_PTR(pool_api_hand_on(NULL, NULL), NULL);
    REFUSES(pool_api_set_asks(NULL, 0));
    REFUSES(pool_api_op_cancel(NULL));
    REFUSES(pool_api_acquire_async(NULL, &op, 0, never, NULL));
    CHECK_INT(pool_api_fd(NULL), -1);
    ANSWERS(pool_api_next_timeout(NULL), -1);
    REFUSES(pool_api_dispatch(NULL));
    REFUSES(pool_api_discard(NULL, NULL));
    REFUSES(pool_api_detach(NULL, NULL));
    REFUSES(pool_api_op_discard(NULL, &op, NULL));
    REFUSES(pool_api_op_detach(NULL, &op, NULL));
    REFUSES(pool_api_resize(NULL, 0, 1));
    REFUSES(pool_api_op_resize(NULL, &op, 0, 1));
    REFUSES(pool_api_trim(NULL, 0));
    REFUSES(pool_api_op_trim(NULL, &op, 0));
    REFUSES(pool_api_evict(NULL));
    REFUSES(pool_api_op_evict(NULL, &op));
    REFUSES(pool_api_drain(NULL, 0));
    REFUSES(pool_api_op_drain(NULL, &op, 0));
    REFUSES(pool_api_acquire_lease(NULL, &lease, 0));
    CHECK(!lease.resource && !lease.id);
    lease = (pool_lease_t){&r, 1};
    REFUSES(pool_api_try_acquire_lease(NULL, &lease));
    CHECK(!lease.resource && !lease.id);
    CHECK(pool_api_acquire_lease(NULL, NULL, 0) < 0 && pool_api_try_acquire_lease(NULL, NULL) < 0);
    REFUSES(pool_api_release_lease(NULL, NULL));
    REFUSES(pool_api_discard_lease(NULL, NULL));
    REFUSES(pool_api_detach_lease(NULL, NULL));
    REFUSES(pool_api_op_release_lease(NULL, &op, NULL));
    REFUSES(pool_api_op_discard_lease(NULL, &op, NULL));
    REFUSES(pool_api_op_detach_lease(NULL, &op, NULL));
    reactor = pool_api_reactor_create();
    CHECK(!none || !reactor);
    REFUSES(pool_api_reactor_attach(NULL, NULL));
    REFUSES(pool_api_reactor_acquire(NULL, NULL, &op, 0, never, NULL));
    CHECK_INT(pool_api_reactor_fd(NULL), -1);
    ANSWERS(pool_api_reactor_next_timeout(NULL), -1);
    REFUSES(pool_api_reactor_dispatch(NULL));
    if (none)
        pool_api_reactor_unref(reactor);
    else
        pool_reactor_unref(reactor); /* an older library may have the one entry and not the other */
    REFUSES(pool_api_register_wrapper(NULL));
}

/* Shows P06. */
TEST(without_a_table_every_call_answers_cleanly)
{
    CHECK_INT(pool_api_abi_version(), 0);
    call_everything(true);
    CHECK(pool_api_register(pool_api(POOL_ABI_VERSION)));
    CHECK_INT(pool_api_abi_version(), POOL_ABI_VERSION);
    call_everything(false);
    CHECK(pool_api_register(NULL));
    call_everything(true);
}

static int disposed;

static void dispose(pool_fcall_t *fcall)
{
    (void)fcall;
    disposed++;
}

static bool invoked(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    (void)fcall, (void)pool, (void)resource;
    CHECK(!"invoked, and there is no pool");
    return false;
}

TEST(without_a_table_callables_are_disposed_of_as_where_a_creation_fails)
{
    pool_fcall_t f = {invoked, dispose, NULL}, kept = {invoked, NULL, NULL};
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *out;
    CHECK_PTR(pool_api_create(&f, &f, &f, &f, &f, 0, 1, 0), NULL);
    CHECK_INT(disposed, 5);
    CHECK_PTR(pool_api_create(&kept, NULL, &f, NULL, NULL, 0, 1, 0), NULL);
    CHECK_INT(disposed, 6);
    config.factory_fcall = config.destructor_fcall = config.healthcheck_fcall = &f;
    config.before_acquire_fcall = config.before_release_fcall = config.leaked_fcall = &f;
    CHECK_STATUS(pool_api_create_ex(&config, &out), POOL_ERR_UNAVAILABLE);
    CHECK_INT(disposed, 12);
    CHECK_STATUS(pool_api_create_ex(&config, NULL), POOL_ERR_UNAVAILABLE);
    CHECK_INT(disposed, 18);
    config.struct_size = offsetof(pool_config_t, destructor_fcall); /* an older caller's */
    CHECK_STATUS(pool_api_create_ex(&config, &out), POOL_ERR_UNAVAILABLE);
    CHECK_INT(disposed, 19);
    config.struct_size = SIZE_MAX;
    CHECK_STATUS(pool_api_create_ex(&config, &out), POOL_ERR_UNAVAILABLE);
    CHECK_INT(disposed, 19);
}

static void not_there(void) { CHECK(!"called behind the end of the table"); }

/* What lies behind a table is something else. Shows P06. */
TEST(a_table_that_ends_anywhere_is_used_as_far_as_it_goes)
{
    static pool_api_t older;
    void (*const trap)(void) = not_there;
    for (size_t size = offsetof(pool_api_t, create_internal); size <= sizeof older; size += sizeof trap) {
        older = *pool_api(POOL_ABI_VERSION);
        older.struct_size = size;
        for (size_t at = size; at < sizeof older; at += sizeof trap)
            memcpy((char *)&older + at, &trap, sizeof trap);
        CHECK(pool_api_register(&older));
        call_everything(size == offsetof(pool_api_t, create_internal));
    }
}

TEST(a_table_with_gaps_is_used_where_it_has_entries)
{
    static pool_api_t gaps;
    for (size_t gap = offsetof(pool_api_t, create_internal); gap < sizeof gaps; gap += sizeof(void *)) {
        gaps = *pool_api(POOL_ABI_VERSION);
        memset((char *)&gaps + gap, 0, sizeof(void *));
        CHECK(pool_api_register(&gaps));
        call_everything(false);
    }
}

static void got(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    CHECK_PTR(op->data, data);
    CHECK_STATUS(status, POOL_OK);
    *(void **)data = resource;
}

TEST(a_loop_goes_through_the_table)
{
    pool_op_t op;
    void *lent = NULL;
    CHECK(pool_api_register(pool_api(POOL_ABI_VERSION)));
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_api_acquire_async(pool, &op, 0, got, &lent), POOL_PENDING);
    CHECK(pool_api_fd(pool) >= 0);
    CHECK_INT(pool_api_next_timeout(pool), -1);
    CHECK_INT(pool_api_waiting_count(pool), 1);
    fx_give(pool, r);
    CHECK_INT(pool_api_next_timeout(pool), 0);
    CHECK_INT(pool_api_waiting_count(pool), 0);
    CHECK_STATUS(pool_api_dispatch(pool), POOL_OK);
    CHECK_PTR(lent, r);
    CHECK_STATUS(pool_api_release(pool, lent), POOL_OK);
    fx_finish(pool);
}

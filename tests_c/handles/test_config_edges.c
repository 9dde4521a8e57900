/*
 * What is seldom asked for: configurations that make no sense, names, structs of newer callers, deadlines that
 * are weeks away. Each case shows P07.
 */
#include "check.h"

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

static int disposed;

static void dispose(pool_fcall_t *fcall)
{
    (void)fcall;
    disposed++;
}

TEST(a_callable_that_cannot_be_invoked_makes_no_pool)
{
    pool_fcall_t broken = {.dispose = dispose};
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.destructor_fcall = &broken;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    CHECK_PTR(pool, NULL);
    CHECK_INT(disposed, 1);
}

static bool suspend(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    return false;
}

static void resume(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

TEST(a_host_that_waits_itself_gives_no_scheduler)
{
    pool_scheduler_t scheduler = {suspend, resume, NULL};
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.scheduler = &scheduler;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
}

TEST(messages_name_the_pool)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.name = "customers, of which there are so many that their name must be cut somewhere";
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_release(pool, &config), POOL_ERR_NOT_OWNED);
    char message[256], want[256];
    CHECK_STATUS(pool_last_error(NULL, message, sizeof message), POOL_ERR_NOT_OWNED);
    snprintf(want, sizeof want, "%.63s: %s", config.name, pool_strerror(POOL_ERR_NOT_OWNED));
    CHECK_STR(message, want);
    pool_unref(pool);
}

TEST(a_snapshot_of_a_newer_caller_is_zero_where_nothing_is_known)
{
    struct {
        pool_snapshot_t known;
        unsigned char unknown[16];
    } s;
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 1, 2, 0);
    memset(&s, 0x5a, sizeof s);
    s.known.struct_size = sizeof s;
    CHECK_STATUS(pool_snapshot(pool, &s.known), POOL_OK);
    CHECK_INT(s.known.struct_size, sizeof s);
    CHECK_INT(s.known.idle, 1);
    for (size_t i = 0; i < sizeof s.unknown; i++)
        CHECK_INT(s.unknown[i], 0);
    pool_unref(pool);
}

TEST(a_host_driven_pool_that_is_closed_says_so_in_one_call)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    pool_t *pool;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    void *resource;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(pool_try_acquire(pool, &resource), POOL_ERR_CLOSED);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_CLOSED);
    pool_unref(pool);
}

TEST(asks_are_for_hosts_that_answer_them)
{
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    CHECK_STATUS(pool_set_asks(pool, 0), POOL_ERR_INVALID);
    pool_unref(pool);
}

static void told(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)resource;
    *(pool_status_t *)data = status;
}

TEST(a_loop_may_sleep_for_no_longer_than_poll_can)
{
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    void *resource;
    pool_op_t op;
    pool_status_t status = POOL_PENDING;
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
    CHECK_STATUS(pool_acquire_async(pool, &op, 2 * (int64_t)INT32_MAX, told, &status), POOL_PENDING);
    int64_t timeout = pool_next_timeout(pool);
    CHECK(timeout > 0 && timeout <= INT32_MAX);
    CHECK_STATUS(pool_release(pool, resource), POOL_OK);
    while (status == POOL_PENDING)
        CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK_STATUS(status, POOL_OK);
    CHECK_STATUS(pool_release(pool, resource), POOL_OK);
    pool_unref(pool);
}

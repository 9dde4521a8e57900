/*
 * What each function of the table answers: where the library cannot be loaded, and where it is.
 *
 *     FakeDb\table(): array   by the function's name
 */
#include "fakedb.h"

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

static bool call(pool_fcall_t *fcall, pool_t *pool, void **resource) { return make(pool, resource); }

static int disposed;

static void dispose(pool_fcall_t *fcall)
{
    (void)fcall;
    disposed++;
}

static void add_create(zval *answers, const char *name, pool_t *pool)
{
    add_assoc_bool(answers, name, pool != NULL);
    php_asyncpool_api()->unref(pool);
}

static void create(zval *answers)
{
    const pool_api_t *api = php_asyncpool_api();
    static pool_fcall_t factory = {call, dispose, NULL};
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = (pool_t *)&config;
    disposed = 0;
    config.factory_fcall = &factory;
    add_assoc_long(answers, "create_ex", api->create_ex(&config, &pool));
    add_assoc_bool(answers, "made", pool != NULL);
    api->unref(pool);
    add_create(answers, "create", api->create(&factory, NULL, NULL, NULL, NULL, 0, 1, 0));
    add_assoc_long(answers, "disposed", disposed);
}

static void lend(zval *answers, pool_t *pool)
{
    const pool_api_t *api = php_asyncpool_api();
    void *resource = answers, *other = answers;
    add_assoc_long(answers, "acquire", api->acquire(pool, &resource, 1));
    add_assoc_long(answers, "try_acquire", api->try_acquire(pool, &other));
    add_assoc_bool(answers, "lent", resource == pool && !other);
    add_assoc_long(answers, "release", api->release(pool, resource));
    pool_lease_t lease = {answers, 1};
    add_assoc_long(answers, "acquire_lease", api->acquire_lease(pool, &lease, 1));
    add_assoc_bool(answers, "leased", lease.resource == pool && !lease.id == !pool);
    add_assoc_long(answers, "release_lease", api->release_lease(pool, &lease));
}

static void move(zval *answers, pool_t *pool)
{
    const pool_api_t *api = php_asyncpool_api();
    add_assoc_long(answers, "set_strategy", api->set_strategy(pool, NULL));
    add_assoc_long(answers, "activate", api->activate(pool));
    add_assoc_long(answers, "recover", api->recover(pool));
    add_assoc_long(answers, "deactivate", api->deactivate(pool));
    add_assoc_long(answers, "state", api->state(pool));
}

static void tell(zval *answers, pool_t *pool)
{
    const pool_api_t *api = php_asyncpool_api();
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    char message[64] = "";
    int code = 0;
    add_assoc_long(answers, "snapshot", api->snapshot(pool, &counts));
    add_assoc_long(answers, "set_error", api->set_error(pool, 7, "said before"));
    add_assoc_long(answers, "last_error", api->last_error(&code, message, sizeof message));
    add_assoc_string(answers, "strerror", api->strerror(POOL_ERR_CLOSED));
}

PHP_FUNCTION(FakeDb_table)
{
    const pool_api_t *api = php_asyncpool_api();
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    create(return_value);
    pool_t *pool = api->create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    add_assoc_bool(return_value, "create_internal", pool != NULL);
    add_create(return_value, "ref", api->ref(pool));
    zend_object *object = api->new_object(pool);
    add_assoc_bool(return_value, "new_object", object != NULL);
    lend(return_value, pool);
    tell(return_value, pool);
    move(return_value, pool);
    add_assoc_long(return_value, "close", api->close(pool));
    add_assoc_bool(return_value, "is_closed", api->is_closed(pool));
    api->unref(pool);
    if (object)
        OBJ_RELEASE(object);
}

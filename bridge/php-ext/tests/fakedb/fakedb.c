/*
 * The functions of FakeDb, and what another extension does to use asyncpool: it registers the table when it is
 * loaded, makes a pool of C functions, and hands PHP the wrapper.
 *
 *     FakeDb\pool(int $max, bool $coroutines = true): Async\Pool
 *     FakeDb\connect(Async\Pool $pool, int $timeout = 0): FakeDb\Connection
 *     FakeDb\opened(): int               connections that are open
 *     FakeDb\same(Async\Pool $pool): bool  does the pool know one object?
 *     FakeDb\borrow(Async\Pool $pool, int $timeout = 0): mixed   C code that borrows what PHP's pool lends, and
 *     FakeDb\give(Async\Pool $pool): int                         gives the last one back: the status
 *
 * More are in table.c, pointers.c and interrupt.c.
 */
#include "fakedb.h"

#include "zend_exceptions.h"

static int opened, numbers;
void *fakedb_borrowed;

static bool connect_database(pool_t *pool, void **resource)
{
    fakedb_connection_t *connection = calloc(1, sizeof *connection);
    connection->number = ++numbers;
    opened++;
    *resource = connection;
    return true;
}

static void disconnect(pool_t *pool, void *resource)
{
    opened--;
    free(resource);
}

static bool usable(pool_t *pool, void *resource) { return !((fakedb_connection_t *)resource)->broken; }

PHP_FUNCTION(FakeDb_pool)
{
    zend_long max;
    bool coroutines = true;
    pool_t *pool = NULL;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_LONG(max)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(coroutines)
    ZEND_PARSE_PARAMETERS_END();
    if (coroutines) {
        pool_config_t config = POOL_CONFIG_INIT;
        config.factory = connect_database;
        config.destructor = disconnect;
        config.before_release = usable;
        config.max_size = (uint32_t)max;
        config.scheduler = php_asyncpool_scheduler();
        pool_api_current()->create_ex(&config, &pool);
    } else {
        pool = POOL_NEW(connect_database, disconnect, NULL, NULL, usable, 0, (uint32_t)max, 0);
    }
    zend_object *object = pool ? POOL_NEW_OBJ(pool) : NULL;
    POOL_UNREF(pool); /* the object has a reference of its own */
    if (!object) {
        zend_throw_error(NULL, "FakeDb: no pool");
        RETURN_THROWS();
    }
    RETURN_OBJ(object);
}

static pool_t *pool_and_timeout(zend_execute_data *execute_data, zend_long *timeout)
{
    zend_object *object;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_OBJ_OF_CLASS(object, php_asyncpool_ce())
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(*timeout)
    ZEND_PARSE_PARAMETERS_END_EX(return NULL);
    pool_t *pool = php_asyncpool_pool(object);
    if (!pool)
        zend_throw_error(NULL, "FakeDb: the pool is gone");
    return pool;
}

/* NULL and an exception: none. */
static void *acquire(pool_t *pool, zend_long timeout)
{
    void *resource;
    pool_status_t status = POOL_ACQUIRE(pool, &resource, timeout);
    if (status != POOL_OK && !EG(exception)) /* what ended a wait, or a hook, is being thrown already */
        zend_throw_error(NULL, "FakeDb: %s", pool_api_current()->strerror(status));
    return status == POOL_OK ? resource : NULL;
}

PHP_FUNCTION(FakeDb_connect)
{
    zend_long timeout = 0;
    pool_t *pool = pool_and_timeout(execute_data, &timeout);
    void *connection = pool ? acquire(pool, timeout) : NULL;
    if (connection)
        RETURN_OBJ(fakedb_connection_object(pool, connection));
}

PHP_FUNCTION(FakeDb_opened)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(opened);
}

PHP_FUNCTION(FakeDb_same)
{
    zend_long ignored = 0;
    pool_t *pool = pool_and_timeout(execute_data, &ignored);
    if (!pool)
        RETURN_THROWS();
    zend_object *again = POOL_NEW_OBJ(pool);
    RETVAL_BOOL(again == Z_OBJ_P(ZEND_CALL_ARG(execute_data, 1)));
    OBJ_RELEASE(again);
}

PHP_FUNCTION(FakeDb_borrow)
{
    zend_long timeout = 0;
    pool_t *pool = pool_and_timeout(execute_data, &timeout);
    void *resource = pool ? acquire(pool, timeout) : NULL;
    if (resource) {
        fakedb_borrowed = resource;
        RETURN_COPY((zval *)resource);
    }
}

PHP_FUNCTION(FakeDb_give)
{
    zend_long ignored = 0;
    pool_t *pool = pool_and_timeout(execute_data, &ignored);
    RETURN_LONG(pool ? POOL_RELEASE(pool, fakedb_borrowed) : 0);
}

ZEND_BEGIN_ARG_INFO_EX(none_arginfo, 0, 0, 0)
ZEND_END_ARG_INFO()
ZEND_BEGIN_ARG_INFO_EX(one_arginfo, 0, 0, 1)
ZEND_ARG_INFO(0, pool)
ZEND_ARG_INFO(0, timeout)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(interrupt_arginfo, 0, 0, 2)
ZEND_ARG_INFO(0, nth)
ZEND_ARG_INFO(0, handler)
ZEND_END_ARG_INFO()

static const zend_function_entry functions[] = {
    ZEND_NS_NAMED_FE("FakeDb", pool, ZEND_FN(FakeDb_pool), one_arginfo) ZEND_NS_NAMED_FE(
        "FakeDb", connect, ZEND_FN(FakeDb_connect),
        one_arginfo) ZEND_NS_NAMED_FE("FakeDb", opened, ZEND_FN(FakeDb_opened), none_arginfo)
        ZEND_NS_NAMED_FE("FakeDb", same, ZEND_FN(FakeDb_same), one_arginfo) ZEND_NS_NAMED_FE(
            "FakeDb", borrow, ZEND_FN(FakeDb_borrow),
            one_arginfo) ZEND_NS_NAMED_FE("FakeDb", give, ZEND_FN(FakeDb_give), one_arginfo)
            ZEND_NS_NAMED_FE("FakeDb", table, ZEND_FN(FakeDb_table),
                             none_arginfo) ZEND_NS_NAMED_FE("FakeDb", keep, ZEND_FN(FakeDb_keep), one_arginfo)
                ZEND_NS_NAMED_FE("FakeDb", kept, ZEND_FN(FakeDb_kept), none_arginfo)
                    ZEND_NS_NAMED_FE("FakeDb", healthy, ZEND_FN(FakeDb_healthy), one_arginfo)
                        ZEND_NS_NAMED_FE("FakeDb", stand, ZEND_FN(FakeDb_stand), one_arginfo)
                            ZEND_NS_NAMED_FE("FakeDb", take, ZEND_FN(FakeDb_take), none_arginfo)
                                ZEND_NS_NAMED_FE("FakeDb", copy, ZEND_FN(FakeDb_copy), one_arginfo)
                                    ZEND_NS_NAMED_FE("FakeDb", interrupt, ZEND_FN(FakeDb_interrupt), interrupt_arginfo)
                                        ZEND_NS_NAMED_FE("FakeDb", interrupts, ZEND_FN(FakeDb_interrupts), none_arginfo)
                                            PHP_FE_END};

static PHP_MINIT_FUNCTION(fakedb)
{
    fakedb_connection_register();
    fakedb_interrupt_start();
    return pool_api_register(php_asyncpool_api()) ? SUCCESS : FAILURE;
}

static const zend_module_dep dependencies[] = {ZEND_MOD_REQUIRED("asyncpool") ZEND_MOD_END};

zend_module_entry fakedb_module_entry = {
    STANDARD_MODULE_HEADER_EX,
    NULL,
    dependencies,
    "fakedb",
    functions,
    PHP_MINIT(fakedb),
    NULL,
    NULL,
    NULL,
    NULL,
    "1.0",
    STANDARD_MODULE_PROPERTIES,
};

#ifdef COMPILE_DL_FAKEDB
ZEND_GET_MODULE(fakedb)
#endif

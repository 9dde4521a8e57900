/*
 * C code that goes behind PHP's back: it keeps a pool longer than its object is there, calls a hook by the pool's
 * public table, drives an op by itself, and copies an object without asking.
 *
 *     FakeDb\keep(Async\Pool $pool): void         takes a reference
 *     FakeDb\kept(): array                        what the pool still does for it; gives the reference back
 *     FakeDb\healthy(Async\Pool $pool): bool      asks the healthcheck about what was borrowed last
 *     FakeDb\stand(Async\Pool $pool): bool        puts an op in line; true: it waits
 *     FakeDb\take(): mixed                        what that op was given; null: it waits
 *     FakeDb\copy(object $object): void
 */
#include "fakedb.h"

#include "zend_exceptions.h"

static pool_t *kept;
static pool_op_t op;

static pool_t *pool_of(zend_execute_data *execute_data)
{
    zend_object *object;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_OBJ_OF_CLASS(object, php_asyncpool_ce())
    ZEND_PARSE_PARAMETERS_END_EX(return NULL);
    return php_asyncpool_pool(object);
}

PHP_FUNCTION(FakeDb_keep) { kept = pool_api_current()->ref(pool_of(execute_data)); }

PHP_FUNCTION(FakeDb_kept)
{
    void *resource;
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    add_assoc_long(return_value, "acquire", POOL_ACQUIRE(kept, &resource, 0));
    add_assoc_long(return_value, "release", POOL_RELEASE(kept, fakedb_borrowed));
    add_assoc_bool(return_value, "healthy", kept->healthcheck.fcall->invoke(kept->healthcheck.fcall, kept, &resource));
    POOL_UNREF(kept);
    kept = NULL;
}

PHP_FUNCTION(FakeDb_healthy)
{
    pool_t *pool = pool_of(execute_data);
    pool_fcall_t *healthcheck = pool->healthcheck.fcall;
    RETURN_BOOL(healthcheck->invoke(healthcheck, pool, &fakedb_borrowed));
}

/* Ops are not in the table: they are for who links the library, or looks for them in the one that is loaded. */
static void *function(const char *name)
{
    return dlsym(dlopen(getenv("ASYNCPOOL_LIBRARY"), RTLD_NOW | RTLD_NOLOAD), name);
}

static pool_ask_kind_t go_on(pool_ask_t *ask)
{
    __typeof__(&pool_op_next) next = function("pool_op_next");
    return next(&op, NULL, ask);
}

PHP_FUNCTION(FakeDb_stand)
{
    __typeof__(&pool_op_acquire) acquire = function("pool_op_acquire");
    pool_ask_t ask = POOL_ASK_INIT;
    op.data = NULL; /* so that the scheduler of the extension knows that it has nobody to wake */
    acquire(pool_of(execute_data), &op, 0);
    RETURN_BOOL(go_on(&ask) == POOL_ASK_WAIT);
}

PHP_FUNCTION(FakeDb_take)
{
    pool_ask_t ask = POOL_ASK_INIT;
    ZEND_PARSE_PARAMETERS_NONE();
    if (go_on(&ask) == POOL_ASK_DONE) {
        fakedb_borrowed = ask.resource;
        RETURN_COPY((zval *)ask.resource);
    }
}

PHP_FUNCTION(FakeDb_copy)
{
    zend_object *object;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_OBJ(object)
    ZEND_PARSE_PARAMETERS_END();
    zend_object *copy = object->handlers->clone_obj(object);
    OBJ_RELEASE(copy);
}

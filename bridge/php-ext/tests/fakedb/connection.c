/* FakeDb\Connection: a connection that PHP code has borrowed. */
#include "fakedb.h"

#include "zend_exceptions.h"

typedef struct borrowed {
    pool_t *pool;
    fakedb_connection_t *connection;
    zend_object std;
} borrowed_t;

zend_class_entry *fakedb_ce_connection;
static zend_object_handlers handlers;

static borrowed_t *of(zend_object *object) { return (borrowed_t *)((char *)object - XtOffsetOf(borrowed_t, std)); }

static void free_object(zend_object *object)
{
    borrowed_t *borrowed = of(object);
    if (borrowed->connection)
        POOL_RELEASE(borrowed->pool, borrowed->connection);
    POOL_UNREF(borrowed->pool);
    zend_object_std_dtor(object);
}

static zend_object *create(zend_class_entry *ce)
{
    borrowed_t *borrowed = zend_object_alloc(sizeof *borrowed, ce);
    borrowed->pool = NULL;
    borrowed->connection = NULL;
    zend_object_std_init(&borrowed->std, ce);
    borrowed->std.handlers = &handlers;
    return &borrowed->std;
}

zend_object *fakedb_connection_object(pool_t *pool, fakedb_connection_t *connection)
{
    zend_object *object = create(fakedb_ce_connection);
    of(object)->pool = pool_api_current()->ref(pool);
    of(object)->connection = connection;
    return object;
}

PHP_METHOD(FakeDb_Connection, query)
{
    fakedb_connection_t *connection = of(Z_OBJ_P(ZEND_THIS))->connection;
    zend_string *sql;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(sql)
    ZEND_PARSE_PARAMETERS_END();
    if (!connection) {
        zend_throw_error(NULL, "There is no connection any more");
        RETURN_THROWS();
    }
    connection->broken = zend_string_equals_literal(sql, "BREAK");
    RETURN_STR(zend_strpprintf(0, "%d: %s", connection->number, ZSTR_VAL(sql)));
}

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(query_arginfo, 0, 1, IS_STRING, 0)
ZEND_ARG_TYPE_INFO(0, sql, IS_STRING, 0)
ZEND_END_ARG_INFO()

static const zend_function_entry methods[] = {
    PHP_ME(FakeDb_Connection, query, query_arginfo, ZEND_ACC_PUBLIC) PHP_FE_END};

void fakedb_connection_register(void)
{
    zend_class_entry ce;
    INIT_NS_CLASS_ENTRY(ce, "FakeDb", "Connection", methods);
    fakedb_ce_connection = zend_register_internal_class(&ce);
    fakedb_ce_connection->ce_flags |= ZEND_ACC_FINAL | ZEND_ACC_NO_DYNAMIC_PROPERTIES | ZEND_ACC_NOT_SERIALIZABLE;
    fakedb_ce_connection->create_object = create;
    memcpy(&handlers, &std_object_handlers, sizeof handlers);
    handlers.offset = XtOffsetOf(borrowed_t, std);
    handlers.free_obj = free_object;
    handlers.clone_obj = NULL;
}

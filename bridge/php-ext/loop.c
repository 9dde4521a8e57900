/* The loop as PHP code sees it, which the classes of the package that are PHP on either binding use: as those of
 * bridge/php/src/Internal/Loop.php. Waits have ids there, which are never used twice. */
#include "internal.h"

#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "loop_arginfo.h"

zend_class_entry *asyncpool_ce_revolt_loop;
static zend_class_entry *fiber_loop_ce;

static HashTable *waits(void) { return ASYNCPOOL_G(loop).waits; }

void asyncpool_loop_register(void)
{
    zend_class_entry *wait_loop_ce = register_class_Async_Internal_WaitLoop(register_class_Async_Internal_Loop());
    fiber_loop_ce = register_class_Async_Internal_FiberLoop(wait_loop_ce);
    asyncpool_ce_revolt_loop = register_class_Async_Internal_RevoltLoop(wait_loop_ce);
}

void asyncpool_loop_object(zval *result)
{
    object_init_ex(result, ASYNCPOOL_G(loop).has_revolt ? asyncpool_ce_revolt_loop : fiber_loop_ce);
}

static asyncpool_wait_t *find(zend_long id)
{
    return waits() ? zend_hash_index_find_ptr(waits(), (zend_ulong)id) : NULL;
}

static void free_unused(zval *wait) { asyncpool_wait_free(Z_PTR_P(wait)); }

PHP_METHOD(Async_Internal_WaitLoop, waitId)
{
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_wait_t *wait = asyncpool_wait_new();
    if (!wait)
        RETURN_THROWS();
    if (!waits()) {
        ALLOC_HASHTABLE(ASYNCPOOL_G(loop).waits);
        zend_hash_init(waits(), 8, NULL, free_unused, false);
    }
    zend_long id = ++ASYNCPOOL_G(loop).last_wait;
    zend_hash_index_add_new_ptr(waits(), (zend_ulong)id, wait);
    RETURN_LONG(id);
}

/* Until it has returned, the id is known; then the table lets the wait go. */
PHP_METHOD(Async_Internal_WaitLoop, suspend)
{
    zend_long id, until_ns = ASYNCPOOL_NEVER;
    zend_object *label = NULL;
    bool follows = false;
    ZEND_PARSE_PARAMETERS_START(1, 4)
    Z_PARAM_LONG(id)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(until_ns)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(label, zend_ce_stringable)
    Z_PARAM_BOOL(follows)
    ZEND_PARSE_PARAMETERS_END();
    asyncpool_wait_t *wait = find(id);
    if (!wait) {
        zend_argument_value_error(1, "must be the id of a wait that is not over");
        RETURN_THROWS();
    }
    wait->id = id;
    asyncpool_suspend(wait, until_ns, label, follows, return_value);
}

void asyncpool_wait_unknown(zend_long id)
{
    zval *wait = waits() ? zend_hash_index_find(waits(), (zend_ulong)id) : NULL;
    if (!wait)
        return;
    waits()->pDestructor = NULL;
    zend_hash_index_del(waits(), (zend_ulong)id);
    waits()->pDestructor = free_unused;
}

PHP_METHOD(Async_Internal_WaitLoop, pass)
{
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_pass();
}

PHP_METHOD(Async_Internal_WaitLoop, resume)
{
    zend_long id;
    zval *value = NULL;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_LONG(id)
    Z_PARAM_OPTIONAL
    Z_PARAM_ZVAL(value)
    ZEND_PARSE_PARAMETERS_END();
    asyncpool_wait_t *wait = find(id);
    if (!wait)
        return;
    asyncpool_resume(wait, value);
    asyncpool_revolt_wake();
}

PHP_METHOD(Async_Internal_WaitLoop, throw)
{
    zend_long id;
    zend_object *error;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(id)
    Z_PARAM_OBJ_OF_CLASS(error, zend_ce_throwable)
    ZEND_PARSE_PARAMETERS_END();
    asyncpool_wait_t *wait = find(id);
    if (!wait)
        return;
    asyncpool_throw(wait, error);
    asyncpool_revolt_wake();
}

PHP_METHOD(Async_Internal_WaitLoop, spawn)
{
    zval *body;
    bool background = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_OBJECT_OF_CLASS(body, zend_ce_closure)
    Z_PARAM_OPTIONAL
    Z_PARAM_BOOL(background)
    ZEND_PARSE_PARAMETERS_END();
    OBJ_RELEASE(&asyncpool_spawn(body, true, background)->std);
    asyncpool_revolt_wake();
}

PHP_METHOD(Async_Internal_WaitLoop, every)
{
    zend_long milliseconds;
    zval *callback;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(milliseconds)
    Z_PARAM_OBJECT_OF_CLASS(callback, zend_ce_closure)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_LONG(asyncpool_every(milliseconds, callback));
}

PHP_METHOD(Async_Internal_WaitLoop, cancel)
{
    zend_long timer;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(timer)
    ZEND_PARSE_PARAMETERS_END();
    asyncpool_every_stop(timer);
}

PHP_METHOD(Async_Internal_WaitLoop, finish)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(asyncpool_finish());
}

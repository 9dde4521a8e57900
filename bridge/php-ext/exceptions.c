/* Twin: bridge/php/src/Internal/Exceptions.php. */

/* The exceptions that a pool throws, and those that are on their way while a pool calls PHP code. */
#include "internal.h"

#include "zend_exceptions.h"
#include "exceptions_arginfo.h"

zend_class_entry *asyncpool_ce_async_exception, *asyncpool_ce_pool_exception, *asyncpool_ce_timeout,
    *asyncpool_ce_unavailable, *asyncpool_ce_cancellation, *asyncpool_ce_deadlock, *asyncpool_ce_try_later;
static zend_class_entry *overloaded_ce;

void asyncpool_exceptions_register(void)
{
    asyncpool_ce_async_exception = register_class_Async_AsyncException(zend_ce_exception);
    asyncpool_ce_pool_exception = register_class_Async_PoolException(asyncpool_ce_async_exception);
    asyncpool_ce_timeout = register_class_Async_TimeoutException(asyncpool_ce_pool_exception);
    overloaded_ce = register_class_Async_OverloadedException(asyncpool_ce_pool_exception);
    asyncpool_ce_try_later = register_class_Async_TryLater(asyncpool_ce_pool_exception);
    asyncpool_ce_unavailable = register_class_Async_ServiceUnavailableException(asyncpool_ce_async_exception);
    asyncpool_ce_cancellation = register_class_Async_AsyncCancellation(zend_ce_error);
    asyncpool_ce_deadlock = register_class_Async_DeadlockError(zend_ce_error);
}

void asyncpool_throw_status(pool_status_t status)
{
    zend_class_entry *ce = asyncpool_ce_pool_exception;
    switch (status) {
    case POOL_ERR_CLOSED:
        zend_throw_exception(ce, "Pool is closed", 0);
        break;
    case POOL_ERR_UNAVAILABLE:
        zend_throw_exception(asyncpool_ce_unavailable, "Service is unavailable (circuit breaker is open)", 0);
        break;
    case POOL_ERR_TIMEOUT:
        zend_throw_exception(asyncpool_ce_timeout, "Operation has been cancelled by timeout", 0);
        break;
    case POOL_ERR_FACTORY:
        zend_throw_exception(ce, "Failed to create pool resource", 0);
        break;
    case POOL_ERR_OVERLOADED:
        zend_throw_exception(overloaded_ce, "Too many wait for a resource already", 0);
        break;
    case POOL_ERR_NOT_OWNED:
        zend_throw_exception(ce, "Resource is not lent by this pool", 0);
        break;
    case POOL_ERR_FORKED:
        zend_throw_exception(ce,
                             "Pool failed: the library was loaded before fork(): make the first pool in the child, not "
                             "before in its parent or in a preload script",
                             0);
        break;
    default:
        zend_throw_exception_ex(ce, 0, "Pool failed: %s", asyncpool_lib.pool_strerror(status));
    }
}

PHP_METHOD(Async_TryLater, __construct)
{
    zend_long ms;
    zend_string *message = NULL;
    zend_object *previous = NULL;
    ZEND_PARSE_PARAMETERS_START(1, 3)
    Z_PARAM_LONG(ms)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(message)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(previous, zend_ce_throwable)
    ZEND_PARSE_PARAMETERS_END();
    if (ms < 0)
        zend_argument_value_error(1, "must be >= 0");
    else if (ms > UINT32_MAX)
        zend_argument_value_error(1, "must be <= %u", UINT32_MAX);
    if (EG(exception))
        RETURN_THROWS();
    zend_object *self = Z_OBJ_P(ZEND_THIS);
    zend_update_property_long(asyncpool_ce_try_later, self, ZEND_STRL("ms"), ms);
    message = message && ZSTR_LEN(message) > 0 ? zend_string_copy(message)
                                               : strpprintf(0, "To be tried again in " ZEND_LONG_FMT " ms", ms);
    zend_update_property_str(zend_ce_exception, self, ZEND_STRL("message"), message);
    zend_string_release(message);
    if (previous) {
        GC_ADDREF(previous);
        zend_exception_set_previous(self, previous);
    }
}

bool asyncpool_is_later(zend_object *exception, zend_long *ms)
{
    zval rv;
    if (!instanceof_function(exception->ce, asyncpool_ce_try_later))
        return false;
    zval *value = zend_read_property(asyncpool_ce_try_later, exception, ZEND_STRL("ms"), true, &rv);
    *ms = Z_TYPE_P(value) == IS_LONG ? Z_LVAL_P(value) : 0; /* of one whose constructor never ran */
    return true;
}

zend_string *asyncpool_message(zend_object *exception)
{
    zval rv;
    zval *text = zend_read_property(zend_get_exception_base(exception), exception, ZEND_STRL("message"), true, &rv);
    return Z_TYPE_P(text) == IS_STRING ? zend_string_copy(Z_STR_P(text)) : NULL;
}

zend_object *asyncpool_factory_exception(zend_string *reason)
{
    zval exception;
    const char *none = "Failed to create pool resource";
    object_init_ex(&exception, asyncpool_ce_pool_exception);
    zend_string *message =
        reason ? strpprintf(0, "%s: %s", none, ZSTR_VAL(reason)) : zend_string_init(none, strlen(none), 0);
    zend_update_property_str(zend_ce_exception, Z_OBJ(exception), ZEND_STRL("message"), message);
    zend_string_release(message);
    return Z_OBJ(exception);
}

zend_object *asyncpool_exception(const char *message)
{
    zval exception;
    object_init_ex(&exception, zend_ce_exception);
    zend_update_property_string(zend_ce_exception, Z_OBJ(exception), ZEND_STRL("message"), message);
    return Z_OBJ(exception);
}

static bool unwinds(const zend_object *exception)
{
    return exception && (zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception));
}

bool asyncpool_unwinding(void) { return unwinds(EG(exception)); }

void asyncpool_drop(void)
{
    while (EG(exception) && !asyncpool_unwinding())
        zend_clear_exception();
}

zend_object *asyncpool_catch(zend_object *first)
{
    while (EG(exception) && !asyncpool_unwinding()) {
        zend_object *exception = EG(exception);
        GC_ADDREF(exception);
        zend_clear_exception();
        first = asyncpool_chain(first, exception);
    }
    return first;
}

zend_object *asyncpool_chain(zend_object *first, zend_object *last)
{
    if (first == last)
        OBJ_RELEASE(first);
    else if (first)
        zend_exception_set_previous(last, first);
    return last;
}

asyncpool_stash_t asyncpool_stash(void)
{
    asyncpool_stash_t stash = {EG(exception), EG(opline_before_exception)};
    EG(exception) = NULL;
    return stash;
}

void asyncpool_unstash(asyncpool_stash_t stash, bool leads)
{
    if (!stash.exception)
        return;
    zend_object *later = EG(exception);
    EG(exception) = stash.exception;
    EG(opline_before_exception) = stash.opline;
    if (later && unwinds(later) && !unwinds(stash.exception)) {
        EG(exception) = later; /* the end of the script goes before what was thrown */
        OBJ_RELEASE(stash.exception);
    } else if (later && unwinds(stash.exception)) {
        OBJ_RELEASE(later);
    } else if (later && leads) {
        zend_exception_set_previous(stash.exception, later);
    } else if (later) {
        EG(exception) = asyncpool_chain(stash.exception, later);
    }
}

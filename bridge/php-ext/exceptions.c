/* Twin: bridge/php/src/Internal/Exceptions.php. */

/* The exceptions that a pool throws, and those that are on their way while a pool calls PHP code. */
#include "internal.h"

#include "zend_exceptions.h"
#include "exceptions_arginfo.h"

zend_class_entry *asyncpool_ce_async_exception, *asyncpool_ce_pool_exception, *asyncpool_ce_timeout,
    *asyncpool_ce_unavailable, *asyncpool_ce_cancellation;

void asyncpool_exceptions_register(void)
{
    asyncpool_ce_async_exception = register_class_Async_AsyncException(zend_ce_exception);
    asyncpool_ce_pool_exception = register_class_Async_PoolException(asyncpool_ce_async_exception);
    asyncpool_ce_timeout = register_class_Async_TimeoutException(asyncpool_ce_pool_exception);
    asyncpool_ce_unavailable = register_class_Async_ServiceUnavailableException(asyncpool_ce_async_exception);
    asyncpool_ce_cancellation = register_class_Async_AsyncCancellation(zend_ce_error);
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

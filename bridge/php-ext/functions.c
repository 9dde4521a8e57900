/* The functions of the namespace Async: bridge/php/src/functions.php. */
#include "internal.h"

#include "zend_closures.h"
#include "zend_exceptions.h"

PHP_FUNCTION(Async_spawn)
{
    zend_fcall_info info;
    zend_fcall_info_cache cache;
    zval *arguments = NULL, task;
    uint32_t count = 0;
    HashTable *named = NULL;
    ZEND_PARSE_PARAMETERS_START(1, -1)
    Z_PARAM_FUNC(info, cache)
    Z_PARAM_VARIADIC_WITH_NAMED(arguments, count, named)
    ZEND_PARSE_PARAMETERS_END();
    zend_release_fcall_info_cache(&cache);
    if (!asyncpool_loop_ready() || !asyncpool_closure_of(&info.function_name, &task))
        RETURN_THROWS();
    asyncpool_coroutine_t *coroutine = asyncpool_spawn(&task, false, false);
    zval_ptr_dtor(&task);
    if (count) {
        coroutine->arguments = safe_emalloc(count, sizeof *arguments, 0);
        for (; coroutine->count < count; coroutine->count++)
            ZVAL_COPY_DEREF(&coroutine->arguments[coroutine->count], &arguments[coroutine->count]);
    }
    if (named)
        coroutine->named = zend_array_dup(named);
    asyncpool_revolt_wake();
    RETURN_OBJ(&coroutine->std);
}

PHP_FUNCTION(Async_await)
{
    zend_object *coroutine;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_OBJ_OF_CLASS(coroutine, asyncpool_ce_coroutine)
    ZEND_PARSE_PARAMETERS_END();
    asyncpool_coroutine_await(asyncpool_coroutine_of(coroutine), return_value);
}

PHP_FUNCTION(Async_readable) { asyncpool_await_stream(execute_data, false, return_value); }

PHP_FUNCTION(Async_writable) { asyncpool_await_stream(execute_data, true, return_value); }

PHP_FUNCTION(Async_delay)
{
    zend_long ms;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_LONG(ms)
    ZEND_PARSE_PARAMETERS_END();
    if (ms < 0) {
        zend_argument_value_error(1, "must be >= 0");
        RETURN_THROWS();
    }
    if (ms == 0) {
        asyncpool_pass();
        return;
    }
    asyncpool_wait_t *wait = asyncpool_wait_new();
    if (wait)
        asyncpool_suspend(wait, asyncpool_in(ms), NULL, false, NULL);
}

PHP_FUNCTION(Async_suspend)
{
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_pass();
}

PHP_FUNCTION(Async_current_coroutine)
{
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_coroutine_t *coroutine = asyncpool_coroutine_current();
    if (coroutine)
        RETURN_OBJ_COPY(&coroutine->std);
    if (!EG(exception))
        zend_throw_exception(asyncpool_ce_async_exception, "This fiber is not a coroutine", 0);
}

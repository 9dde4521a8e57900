/* PHP's loop, that of the package: it is found once, and called. */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_fibers.h"

#include <pthread.h>

/* Asks the package. NULL and an exception: there is none. */
static zend_object *ask_for_loop(void)
{
    asyncpool_loop_t *known = &ASYNCPOOL_G(loop);
    zval loop;
    if (UNEXPECTED(!known->runtime)) {
        zend_string *name = zend_string_init(ZEND_STRL("Async\\Internal\\Runtime"), 0);
        known->runtime = zend_lookup_class(name);
        zend_string_release(name);
    }
    ZVAL_UNDEF(&loop);
    if (known->runtime)
        zend_call_known_function(zend_hash_str_find_ptr(&known->runtime->function_table, ZEND_STRL("loop")), NULL,
                                 known->runtime, &loop, 0, NULL, NULL);
    else if (!EG(exception))
        zend_throw_exception(asyncpool_ce_async_exception,
                             "asyncpool: to wait takes the coroutines of the package asyncpool/asyncpool: "
                             "require its autoload.php",
                             0);
    if (Z_TYPE(loop) == IS_OBJECT)
        return Z_OBJ(loop);
    zval_ptr_dtor(&loop);
    return NULL;
}

static void in_child(void)
{
    ASYNCPOOL_G(loop).loop = NULL;
    ASYNCPOOL_G(loop).forked = true;
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

/*
 * The package has the same one until a fork, so it is asked once. In a child it makes another one, but not before it is
 * asked in the main flow.
 */
zend_object *asyncpool_loop(void)
{
    asyncpool_loop_t *known = &ASYNCPOOL_G(loop);
    if (EXPECTED(known->loop != NULL)) {
        GC_ADDREF(known->loop);
        return known->loop;
    }
    zend_object *loop = ask_for_loop();
    if (loop && (!known->forked || !EG(active_fiber))) {
        known->loop = loop;
        known->forked = false;
    }
    return loop;
}

void asyncpool_loop_unknown(void) { memset(&ASYNCPOOL_G(loop), 0, sizeof ASYNCPOOL_G(loop)); }

void asyncpool_loop_call(zend_object *loop, zend_function *function, zval *result, uint32_t count, zval *arguments)
{
    zval ignored;
    ZVAL_UNDEF(&ignored);
    zend_call_known_instance_method(function, loop, result ? result : &ignored, count, arguments);
    if (!result)
        zval_ptr_dtor(&ignored);
}

static zend_function *method(const zend_object *loop, const char *name, size_t length)
{
    return zend_hash_str_find_ptr(&loop->ce->function_table, name, length);
}

const asyncpool_loop_t *asyncpool_loop_methods(const zend_object *loop)
{
    asyncpool_loop_t *known = &ASYNCPOOL_G(loop);
    if (UNEXPECTED(known->ce != loop->ce)) {
        known->wait_id = method(loop, ZEND_STRL("waitid"));
        known->suspend = method(loop, ZEND_STRL("suspend"));
        known->resume = method(loop, ZEND_STRL("resume"));
        known->ce = loop->ce;
    }
    return known;
}

/* ---- healthchecks ---- */

typedef struct period {
    zend_long milliseconds, number;
    zend_object *ref;
} period_t;

static void start(void *argument)
{
    period_t *timer = argument;
    zend_object *loop = asyncpool_loop();
    zval arguments[2], number;
    if (!loop)
        return;
    ZVAL_LONG(&arguments[0], timer->milliseconds);
    asyncpool_ref_sweeper(timer->ref, &arguments[1]);
    ZVAL_LONG(&number, 0);
    asyncpool_loop_call(loop, method(loop, ZEND_STRL("every")), &number, 2, arguments);
    zval_ptr_dtor(&arguments[1]);
    OBJ_RELEASE(loop);
    timer->number = Z_TYPE(number) == IS_LONG ? Z_LVAL(number) : 0;
}

static void stop(void *argument)
{
    zend_object *loop = asyncpool_loop();
    zval number;
    if (!loop)
        return;
    ZVAL_LONG(&number, *(zend_long *)argument);
    asyncpool_loop_call(loop, method(loop, ZEND_STRL("cancel")), NULL, 1, &number);
    OBJ_RELEASE(loop);
}

zend_long asyncpool_timer_start(zend_long milliseconds, zend_object *ref)
{
    period_t timer = {milliseconds, 0, ref};
    asyncpool_undisturbed(start, &timer);
    return timer.number;
}

void asyncpool_timer_stop(zend_long timer) { asyncpool_undisturbed(stop, &timer); }

/* Twin: bridge/php/src/Internal/Runtime.php. */

/* What there is once in a script: the loop, how it ends, and failures nobody awaited. */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_smart_str.h"
#include "ext/standard/basic_functions.h"
#include "main/php_globals.h"
#include "runtime_arginfo.h"

#include <pthread.h>

#define FATAL (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR)

static zend_class_entry *runtime_ce;

static asyncpool_loop_t *loop(void) { return &ASYNCPOOL_G(loop); }

/* ---- from the beginning of a request to its end ---- */

void asyncpool_runtime_begin(void)
{
    asyncpool_loop_t *l = loop();
    memset(l, 0, sizeof *l);
    asyncpool_link_init(&l->queue);
    asyncpool_link_init(&l->parked);
    l->collected = UINT64_MAX;
    l->revolt.rings = ASYNCPOOL_NEVER;
}

static void in_child(void)
{
    loop()->is_forked = true;
    loop()->is_ready = false;
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

static void drop_table(HashTable **table)
{
    HashTable *dropped = *table;
    *table = NULL;
    if (!dropped)
        return;
    zend_hash_destroy(dropped);
    FREE_HASHTABLE(dropped);
}

/* Lets go what is in the queue and in waits: so PHP destroys the fibers that nobody else refers to. The waits of the main
 * flow stay, if it is in the midst of one. */
static void drop_flows(void)
{
    asyncpool_loop_t *l = loop();
    zval kept, object;
    array_init(&kept);
    while (asyncpool_linked(&l->queue)) {
        asyncpool_turn_t *turn = ASYNCPOOL_OF(l->queue.next, asyncpool_turn_t, link);
        asyncpool_unlink(&turn->link);
        if (turn->starts) {
            ZVAL_OBJ(&object, &ASYNCPOOL_OF(turn, asyncpool_coroutine_t, turn)->std);
            add_next_index_zval(&kept, &object);
        }
    }
    for (asyncpool_link_t *link = l->parked.next, *next; link != &l->parked; link = next) {
        asyncpool_wait_t *wait = ASYNCPOOL_OF(link, asyncpool_wait_t, parked);
        next = link->next;
        if (!wait->fiber)
            continue;
        asyncpool_unlink(link);
        asyncpool_timer_cancel(&wait->timer);
        ZVAL_OBJ(&object, &wait->fiber->std);
        wait->fiber = NULL;
        add_next_index_zval(&kept, &object);
    }
    zval_ptr_dtor(&kept);
}

/* In a child of a fork: what its parent has spawned is not run here. */
static void forget_parent(void)
{
    asyncpool_loop_t *l = loop();
    asyncpool_coroutine_t *main_coroutine = l->main_coroutine;
    l->is_forked = false;
    l->era++;
    l->alive = 0;
    l->main_coroutine = NULL;
    drop_table(&l->periods);
    drop_table(&l->failed);
    drop_flows();
    if (main_coroutine)
        OBJ_RELEASE(&main_coroutine->std);
}

void asyncpool_runtime_end(void)
{
    asyncpool_loop_t *l = loop();
    if (!CG(unclean_shutdown)) {
        l->era++;
        drop_table(&l->periods);
        drop_table(&l->failed);
        drop_table(&l->reported);
        drop_flows();
        drop_table(&l->waits);
        if (l->main_coroutine)
            OBJ_RELEASE(&l->main_coroutine->std);
        if (l->timers.heap)
            efree(l->timers.heap);
        if (l->watchers.waits)
            efree(l->watchers.waits);
        if (l->watchers.fds)
            efree(l->watchers.fds);
        if (l->revolt.timer)
            zend_string_release(l->revolt.timer);
        if (l->revolt.suspension)
            OBJ_RELEASE(l->revolt.suspension);
    }
    asyncpool_runtime_begin();
}

/* ---- whoever waits or spawns ---- */

/* Has a method of ours called when the other functions have been that PHP calls at the end. */
static void at_end(const char *name, size_t length)
{
    php_shutdown_function_entry entry = {.fci = {.size = sizeof entry.fci}};
    ZVAL_UNDEF(&entry.fci.function_name);
    entry.fci_cache.function_handler = zend_hash_str_find_ptr(&runtime_ce->function_table, name, length);
    entry.fci_cache.called_scope = runtime_ce;
    append_user_shutdown_function(&entry);
}

static bool prepare(void)
{
    asyncpool_loop_t *l = loop();
    /* A coroutine runs in the loop that spawned it, also in a child that was forked in the midst of it. */
    if (EG(active_fiber) && asyncpool_coroutine_in(EG(active_fiber)) && l->is_watched)
        return true;
    if (l->is_forked)
        forget_parent();
    if (!l->is_watched) { /* also of a script that ends already: its last functions may spawn and wait, too */
        l->is_watched = true;
        at_end(ZEND_STRL("end"));
    }
    if (!l->is_known)
        asyncpool_revolt_find();
    l->is_ready = l->is_known && l->is_watched && !l->is_forked;
    return !EG(exception);
}

bool asyncpool_loop_ready(void) { return EXPECTED(loop()->is_ready) || prepare(); }

/* ---- failures ---- */

void asyncpool_failed(zend_object *error)
{
    zval value;
    if (!loop()->failed) {
        ALLOC_HASHTABLE(loop()->failed);
        zend_hash_init(loop()->failed, 8, NULL, ZVAL_PTR_DTOR, false);
    }
    ZVAL_OBJ(&value, error);
    zend_hash_index_update(loop()->failed, error->handle, &value);
}

void asyncpool_told(zend_object *error)
{
    if (loop()->failed)
        zend_hash_index_del(loop()->failed, error->handle);
}

/* ---- the end of the script ---- */

/* What was spawned runs to its end, then what failed is shown. */
PHP_METHOD(Async_Internal_Runtime, end)
{
    asyncpool_loop_t *l = loop();
    ZEND_PARSE_PARAMETERS_NONE();
    l->is_watched = l->is_ready = false;
    if (l->is_forked || (PG(last_error_message) && (PG(last_error_type) & FATAL)))
        return;
    l->is_ended = true;
    if (l->main_coroutine)
        asyncpool_coroutine_complete(l->main_coroutine);
    if (!asyncpool_finish() || EG(exception) || !l->failed || zend_hash_num_elements(l->failed) == 0)
        return;
    drop_table(&l->reported);
    l->reported = l->failed;
    l->failed = NULL;
    at_end(ZEND_STRL("report")); /* later: an exception from such a function keeps PHP from calling the others */
}

static void tell_handler(HashTable *failed)
{
    zval handler, *error, ignored;
    ZVAL_COPY_VALUE(&handler, &EG(user_exception_handler));
    ZVAL_UNDEF(&EG(user_exception_handler));
    ZEND_HASH_FOREACH_VAL (failed, error) {
        if (EG(exception))
            break;
        ZVAL_UNDEF(&ignored);
        call_user_function(NULL, NULL, &handler, &ignored, 1, error);
        zval_ptr_dtor(&ignored);
    }
    ZEND_HASH_FOREACH_END();
    zval_ptr_dtor(&handler);
}

static zval *property(zend_object *error, zend_known_string_id name, zval *rv)
{
    return zend_read_property_ex(zend_get_exception_base(error), error, ZSTR_KNOWN(name), true, rv);
}

static void append(smart_str *text, zval *value)
{
    zend_string *string = zval_get_string(value);
    smart_str_append(text, string);
    zend_string_release(string);
}

static void throw_all(HashTable *failed)
{
    smart_str text = {0};
    zval *value, rv, *first = NULL;
    smart_str_append_printf(&text, "%u coroutines failed and nobody awaited them:", zend_hash_num_elements(failed));
    ZEND_HASH_FOREACH_VAL (failed, value) {
        zend_object *error = Z_OBJ_P(value);
        first = first ? first : value;
        smart_str_append_printf(&text, "\n  %s: ", ZSTR_VAL(error->ce->name));
        append(&text, property(error, ZEND_STR_MESSAGE, &rv));
        smart_str_appends(&text, " in ");
        append(&text, property(error, ZEND_STR_FILE, &rv));
        smart_str_append_printf(&text, ":" ZEND_LONG_FMT, zval_get_long(property(error, ZEND_STR_LINE, &rv)));
    }
    ZEND_HASH_FOREACH_END();
    smart_str_0(&text);
    zend_throw_exception(asyncpool_ce_async_exception, ZSTR_VAL(text.s), 0);
    smart_str_free(&text);
    Z_ADDREF_P(first);
    zend_exception_set_previous(EG(exception), Z_OBJ_P(first));
}

PHP_METHOD(Async_Internal_Runtime, report)
{
    HashTable *failed = loop()->reported;
    ZEND_PARSE_PARAMETERS_NONE();
    loop()->reported = NULL;
    if (Z_TYPE(EG(user_exception_handler)) != IS_UNDEF) {
        tell_handler(failed);
    } else if (zend_hash_num_elements(failed) == 1) {
        HashPosition position;
        zend_hash_internal_pointer_reset_ex(failed, &position);
        zval *only = zend_hash_get_current_data_ex(failed, &position);
        Z_ADDREF_P(only);
        zend_throw_exception_internal(Z_OBJ_P(only));
    } else {
        throw_all(failed);
    }
    drop_table(&failed);
}

/* ---- for PHP code ---- */

PHP_METHOD(Async_Internal_Runtime, loop)
{
    ZEND_PARSE_PARAMETERS_NONE();
    if (asyncpool_loop_ready())
        asyncpool_loop_object(return_value);
}

/* The coroutine that runs; null in a fiber that is none. */
PHP_METHOD(Async_Internal_Runtime, current)
{
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_coroutine_t *coroutine = asyncpool_coroutine_current();
    if (coroutine)
        RETURN_OBJ_COPY(&coroutine->std);
}

void asyncpool_runtime_register(void) { runtime_ce = register_class_Async_Internal_Runtime(); }

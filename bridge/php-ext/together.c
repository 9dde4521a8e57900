/* Twin: bridge/php/src/Internal/Together.php. */

/* Waiting for several coroutines at once. "First" is who has ended first, whichever place it has among them. */
#include "internal.h"

#include "zend_exceptions.h"
#include "ext/spl/spl_iterators.h"

/* What was given: of each its key and its coroutine, in two arrays, with references. */
typedef struct given {
    HashTable keys, all;
} given_t;

static asyncpool_coroutine_t *of(zval *value) { return asyncpool_coroutine_of(Z_OBJ_P(value)); }

static void free_given(given_t *given)
{
    zend_hash_destroy(&given->keys);
    zend_hash_destroy(&given->all);
}

/* Of those that have ended in this way; NULL: none has. */
static asyncpool_coroutine_t *first(HashTable *all, bool failed)
{
    asyncpool_coroutine_t *found = NULL;
    zval *value;
    ZEND_HASH_FOREACH_VAL (all, value) {
        asyncpool_coroutine_t *coroutine = of(value);
        if (coroutine->ended && (coroutine->error != NULL) == failed && (!found || coroutine->ended < found->ended))
            found = coroutine;
    }
    ZEND_HASH_FOREACH_END();
    return found;
}

/* ---- collecting them ---- */

/* Takes the key over. False and an exception: it is none. */
static bool add(given_t *given, zval *key, zval *value)
{
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) != IS_OBJECT || Z_OBJCE_P(value) != asyncpool_ce_coroutine) {
        zend_string *type = asyncpool_type_of(value);
        zend_argument_type_error(1, "must give objects of Async\\Coroutine, %s given", ZSTR_VAL(type));
        zend_string_release(type);
    } else if (asyncpool_coroutine_is_running(of(value))) {
        zend_throw_exception(asyncpool_ce_async_exception, "A coroutine cannot await itself", 0);
    }
    if (EG(exception)) {
        zval_ptr_dtor(key);
        return false;
    }
    zend_hash_next_index_insert_new(&given->keys, key);
    Z_ADDREF_P(value);
    zend_hash_next_index_insert_new(&given->all, value);
    return true;
}

static int add_next(zend_object_iterator *iterator, void *argument)
{
    zval key, *value = iterator->funcs->get_current_data(iterator);
    if (EG(exception) || !value)
        return ZEND_HASH_APPLY_STOP;
    if (iterator->funcs->get_current_key)
        iterator->funcs->get_current_key(iterator, &key);
    else
        ZVAL_LONG(&key, iterator->index);
    if (EG(exception))
        return ZEND_HASH_APPLY_STOP;
    return add(argument, &key, value) ? ZEND_HASH_APPLY_KEEP : ZEND_HASH_APPLY_STOP;
}

/* False and an exception: there is something else among them. */
static bool collect(given_t *given, zval *coroutines)
{
    zend_ulong number;
    zend_string *name;
    zval *value, key;
    zend_hash_init(&given->keys, 8, NULL, ZVAL_PTR_DTOR, false);
    zend_hash_init(&given->all, 8, NULL, ZVAL_PTR_DTOR, false);
    if (Z_TYPE_P(coroutines) == IS_OBJECT) {
        spl_iterator_apply(coroutines, add_next, given);
    } else {
        ZEND_HASH_FOREACH_KEY_VAL (Z_ARRVAL_P(coroutines), number, name, value) {
            if (name)
                ZVAL_STR_COPY(&key, name);
            else
                ZVAL_LONG(&key, (zend_long)number);
            if (!add(given, &key, value))
                break;
        }
        ZEND_HASH_FOREACH_END();
    }
    if (EG(exception))
        free_given(given);
    return !EG(exception);
}

/* ---- all ---- */

static void get_results(given_t *given, zval *result)
{
    uint32_t place = 0;
    zval *value;
    array_init_size(result, zend_hash_num_elements(&given->all));
    ZEND_HASH_FOREACH_VAL (&given->all, value) {
        zval *key = zend_hash_index_find(&given->keys, place++);
        if (array_set_zval_key(Z_ARRVAL_P(result), key, &of(value)->result) != SUCCESS)
            break;
    }
    ZEND_HASH_FOREACH_END();
}

/* What all have returned, by their keys; throws what the first of those threw that failed. */
PHP_FUNCTION(Async_await_all)
{
    zval *coroutines, *value;
    given_t given;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ITERABLE(coroutines)
    ZEND_PARSE_PARAMETERS_END();
    if (!collect(&given, coroutines))
        RETURN_THROWS();
    ZEND_HASH_FOREACH_VAL (&given.all, value) {
        if (!asyncpool_coroutine_join(of(value)))
            break;
    }
    ZEND_HASH_FOREACH_END();
    if (!EG(exception)) {
        ZEND_HASH_FOREACH_VAL (&given.all, value) {
            if (of(value)->error)
                asyncpool_told(of(value)->error);
        }
        ZEND_HASH_FOREACH_END();
        asyncpool_coroutine_t *failed = first(&given.all, true);
        if (failed) {
            GC_ADDREF(failed->error);
            zend_throw_exception_internal(failed->error);
        } else {
            get_results(&given, return_value);
        }
    }
    free_given(&given);
}

/* ---- any ---- */

/* Is its end the one that is waited for? */
static bool is_enough(asyncpool_follower_t *follower, const asyncpool_coroutine_t *ended)
{
    return --*follower->left == 0 || !ended->error;
}

/* Each once, by its object. */
static HashTable *distinct(HashTable *all)
{
    HashTable *each = zend_new_array(zend_hash_num_elements(all));
    zval *value;
    ZEND_HASH_FOREACH_VAL (all, value) {
        Z_ADDREF_P(value);
        zend_hash_index_update(each, Z_OBJ_HANDLE_P(value), value);
    }
    ZEND_HASH_FOREACH_END();
    return each;
}

/* Waits until one has returned, or all have ended. */
static void join_any(HashTable *each)
{
    size_t count = zend_hash_num_elements(each), left = 0;
    zval *value;
    asyncpool_wait_t *wait = asyncpool_wait_new();
    if (!wait)
        return;
    asyncpool_follower_t *followers = safe_emalloc(count, sizeof *followers, 0);
    size_t *counter = emalloc(sizeof *counter);
    ZEND_HASH_FOREACH_VAL (each, value) {
        if (of(value)->ended)
            continue;
        followers[left] = (asyncpool_follower_t){.wait = wait, .is_enough = is_enough, .left = counter};
        asyncpool_link_last(&of(value)->followers, &followers[left++].link);
    }
    ZEND_HASH_FOREACH_END();
    *counter = left;
    wait->what = zend_strpprintf(0, "the end of one of %zu coroutines", count);
    if (left == 0)
        asyncpool_resume(wait, NULL);
    asyncpool_suspend(wait, ASYNCPOOL_NEVER, NULL, true, NULL);
    for (size_t i = 0; i < left; i++)
        asyncpool_unlink(&followers[i].link);
    efree(followers);
    efree(counter);
}

/* Nobody needs to be told what they throw, or have thrown. */
static void excuse(HashTable *each)
{
    zval *value;
    ZEND_HASH_FOREACH_VAL (each, value) {
        of(value)->is_excused = true;
        if (of(value)->error)
            asyncpool_told(of(value)->error);
    }
    ZEND_HASH_FOREACH_END();
}

static void answer(HashTable *each, zval *result)
{
    asyncpool_coroutine_t *returned = first(each, false), *failed = first(each, true);
    if (returned) {
        ZVAL_COPY(result, &returned->result);
        return;
    }
    const char *why =
        zend_hash_num_elements(each) == 0 ? "There was no coroutine to await" : "None of the coroutines has returned";
    zend_throw_exception(asyncpool_ce_async_exception, why, 0);
    if (failed) {
        GC_ADDREF(failed->error);
        zend_exception_set_previous(EG(exception), failed->error);
    }
}

/* What the first one returned that did not fail. */
PHP_FUNCTION(Async_await_any)
{
    zval *coroutines;
    given_t given;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ITERABLE(coroutines)
    ZEND_PARSE_PARAMETERS_END();
    if (!collect(&given, coroutines))
        RETURN_THROWS();
    HashTable *each = distinct(&given.all);
    free_given(&given);
    if (zend_hash_num_elements(each) > 0 && !first(each, false))
        join_any(each);
    if (!EG(exception)) {
        excuse(each);
        answer(each, return_value);
    }
    zend_array_release(each);
}

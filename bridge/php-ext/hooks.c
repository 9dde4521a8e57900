/* Twin: bridge/php/src/Internal/Hooks.php. */

/*
 * Calling the hooks, and what their outcomes mean: only the boolean false refuses a resource, and so does an
 * exception. A cancellation is no verdict: it is left to be thrown, for the operation to end with. So is the end
 * of the script or of the fiber.
 */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"

/* Takes away what a hook has thrown, if that is its verdict. False: it goes on. */
static bool dropped(bool cancellation_too)
{
    if (asyncpool_unwinding())
        return false;
    if (!cancellation_too && instanceof_function(EG(exception)->ce, asyncpool_ce_cancellation))
        return false;
    zend_clear_exception(); /* what a destructor throws then is another matter, and goes on */
    return true;
}

static void call(asyncpool_hook_t *hook, zval *argument, zval *result)
{
    zend_fcall_info info = {.size = sizeof info, .retval = result, .params = argument, .param_count = argument ? 1 : 0};
    ZVAL_COPY_VALUE(&info.function_name, &hook->closure);
    ZVAL_UNDEF(result);
    zend_call_function(&info, &hook->cache);
    if (Z_ISREF_P(result))
        zend_unwrap_reference(result);
}

/* Has the hook answered something else than false? */
static bool verdict(asyncpool_hook_t *hook, zval *resource)
{
    zval result;
    call(hook, resource, &result);
    bool yes = Z_TYPE(result) != IS_FALSE;
    zval_ptr_dtor(&result);
    return yes;
}

/* Nothing was made; or it was, and then a signal handler has thrown. */
static void unmake(pool_obj_t *obj, zval *made)
{
    asyncpool_stash_t stash = asyncpool_stash();
    if (Z_TYPE_P(made) > IS_NULL)
        asyncpool_destroy(obj, made);
    zval_ptr_dtor(made);
    asyncpool_unstash(stash, true);
    asyncpool_budget_give(obj);
}

asyncpool_entry_t *asyncpool_create(pool_obj_t *obj, int64_t left_ms)
{
    zval made;
    if (!asyncpool_budget_take(obj, left_ms))
        return NULL;
    call(&obj->hooks->hook[ASYNCPOOL_FACTORY], NULL, &made);
    if (EG(exception)) {
        unmake(obj, &made);
        return NULL;
    }
    if (Z_TYPE(made) == IS_NULL) { /* tryAcquire() answers null for "none" */
        asyncpool_throw_status(POOL_ERR_FACTORY);
        asyncpool_budget_give(obj);
        return NULL;
    }
    return asyncpool_store_add(&obj->store, &made);
}

static bool agrees(pool_obj_t *obj, int hook, zval *resource, bool cancellation_too)
{
    bool yes = verdict(&obj->hooks->hook[hook], resource);
    if (!EG(exception))
        return yes;
    dropped(cancellation_too);
    return false;
}

bool asyncpool_may_lend(pool_obj_t *obj, zval *resource)
{
    return agrees(obj, ASYNCPOOL_BEFORE_ACQUIRE, resource, false);
}

/* Nobody waits for a check, so a cancellation is a failure too. */
bool asyncpool_is_healthy(pool_obj_t *obj, zval *resource)
{
    return agrees(obj, ASYNCPOOL_HEALTHCHECK, resource, true);
}

zend_object *asyncpool_refusal(pool_obj_t *obj, zval *resource)
{
    if (!asyncpool_has(obj->hooks, ASYNCPOOL_BEFORE_RELEASE))
        return NULL;
    bool yes = verdict(&obj->hooks->hook[ASYNCPOOL_BEFORE_RELEASE], resource);
    if (!EG(exception))
        return yes ? NULL : asyncpool_exception("Resource validation failed");
    zend_object *error = EG(exception);
    GC_ADDREF(error);
    if (dropped(false))
        return error;
    OBJ_RELEASE(error);
    return NULL;
}

bool asyncpool_is_to_discard(const pool_obj_t *obj)
{
    if (asyncpool_unwinding())
        return false;
    for (zend_class_entry **ce = obj->discard_on; ce && *ce; ce++) {
        if (instanceof_function(EG(exception)->ce, *ce))
            return true;
    }
    return false;
}

void asyncpool_destroy(pool_obj_t *obj, zval *resource)
{
    zval ignored;
    if (!asyncpool_has(obj->hooks, ASYNCPOOL_DESTRUCTOR))
        return;
    call(&obj->hooks->hook[ASYNCPOOL_DESTRUCTOR], resource, &ignored);
    zval_ptr_dtor(&ignored);
}

/*
 * A strategy may take itself away while it is called. It stays until no call of one is under way, and the collector is
 * told of it: the flow that is in the call may be suspended, and part of a cycle.
 */
void asyncpool_strategy_let_go(pool_obj_t *obj, zend_object *strategy)
{
    zval value;
    if (obj->reporting == 0) {
        OBJ_RELEASE(strategy);
        return;
    }
    ZVAL_OBJ(&value, strategy);
    if (!obj->replaced)
        obj->replaced = zend_new_array(1);
    zend_hash_next_index_insert_new(obj->replaced, &value);
}

static void end_of_call(pool_obj_t *obj)
{
    HashTable *replaced = obj->replaced;
    if (--obj->reporting > 0 || !replaced)
        return;
    obj->replaced = NULL;
    zend_array_destroy(replaced);
}

/* What a strategy throws changes nothing. */
void asyncpool_report(pool_obj_t *obj, zend_object *refusal)
{
    zend_object *strategy = obj->strategy;
    zval source, error;
    if (!strategy)
        return;
    obj->reporting++;
    ZVAL_OBJ(&source, &obj->std);
    if (refusal) {
        ZVAL_OBJ(&error, refusal);
        zend_call_method_with_2_params(strategy, strategy->ce, NULL, "reportfailure", NULL, &source, &error);
    } else {
        zend_call_method_with_1_params(strategy, strategy->ce, NULL, "reportsuccess", NULL, &source);
    }
    if (EG(exception))
        dropped(false);
    end_of_call(obj);
}

/* What it throws nobody is there to be told of. */
void asyncpool_leaked(pool_obj_t *obj, const pool_lend_t *told)
{
    zval lend, ignored;
    if (!asyncpool_has(obj->hooks, ASYNCPOOL_ON_LEAK))
        return;
    asyncpool_lend(obj, told, &lend);
    call(&obj->hooks->hook[ASYNCPOOL_ON_LEAK], &lend, &ignored);
    zval_ptr_dtor(&ignored);
    zval_ptr_dtor(&lend);
    asyncpool_drop();
}

bool asyncpool_should_recover(pool_obj_t *obj)
{
    zend_object *strategy = obj->strategy;
    zval answer;
    if (!strategy)
        return false;
    zend_function *method = zend_hash_str_find_ptr(&strategy->ce->function_table, ZEND_STRL("shouldrecover"));
    if (!method || !(method->common.fn_flags & ZEND_ACC_PUBLIC))
        return false;
    ZVAL_UNDEF(&answer);
    obj->reporting++;
    zend_call_known_instance_method_with_0_params(method, strategy, &answer);
    bool yes = Z_TYPE(answer) == IS_TRUE && !EG(exception);
    zval_ptr_dtor(&answer);
    if (EG(exception))
        dropped(false);
    end_of_call(obj);
    return yes;
}

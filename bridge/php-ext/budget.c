/*
 * Async\Budget: what each resource of a pool needs a place of. A pool takes one before its factory is called, and gives it
 * back when nothing was made, or when what was made is gone and its value has been let go.
 */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "budget_arginfo.h"

zend_class_entry *asyncpool_ce_budget;

void asyncpool_budget_register(void) { asyncpool_ce_budget = register_class_Async_Budget(); }

static void call(zend_object *budget, const char *method, size_t length, zval *pool, zval *left)
{
    zval ignored;
    ZVAL_UNDEF(&ignored);
    zend_call_method(budget, budget->ce, NULL, method, length, &ignored, pool ? 2 : 0, pool, left);
    zval_ptr_dtor(&ignored);
}

bool asyncpool_budget_take(pool_obj_t *obj, int64_t left_ms)
{
    zval pool, left;
    if (EXPECTED(!obj->budget))
        return true;
    ZVAL_OBJ(&pool, &obj->std);
    ZVAL_NULL(&left);
    if (left_ms != INT64_MAX)
        ZVAL_LONG(&left, left_ms);
    call(obj->budget, ZEND_STRL("take"), &pool, &left);
    return !EG(exception);
}

static void give(void *budget) { call(budget, ZEND_STRL("give"), NULL, NULL); }

/*
 * Also while something is being thrown; after an exit nothing runs, as in PHP code. A signal handler that throws comes
 * after it: at its beginning the place would stay taken.
 */
void asyncpool_budget_give(pool_obj_t *obj)
{
    if (EXPECTED(!obj->budget) || (EG(exception) && zend_is_unwind_exit(EG(exception))))
        return;
    asyncpool_stash_t stash = asyncpool_stash();
    asyncpool_undisturbed(give, obj->budget);
    asyncpool_unstash(stash, false);
}

bool asyncpool_budget_beat(pool_obj_t *obj)
{
    if (UNEXPECTED(obj->budget) && !EG(exception))
        call(obj->budget, ZEND_STRL("beat"), NULL, NULL);
    return !EG(exception);
}

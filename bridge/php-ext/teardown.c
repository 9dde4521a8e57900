/* Twin: bridge/php/src/Internal/Teardown.php. */

/*
 * Ending what no flow drives to its end: the ops of a pool that is destructed, or of a fiber that is destroyed, and
 * those that an exit or a fatal error has left behind.
 */
#include "internal.h"

#include "zend_exceptions.h"

static void settle(pool_obj_t *obj, asyncpool_op_t *op, pool_status_t begun, bool destroys);

/* It is taken out of the list first: a hook may end others, or come back here. Its flow hears of it, if only to be
 * destroyed; nobody comes back to a pool that is freed. */
static void take(pool_obj_t *obj, asyncpool_op_t *op, bool silent)
{
    asyncpool_op_delist(obj, op);
    op->ending = true;
    if (silent)
        op->driven = false;
    else if (op->driven)
        asyncpool_scheduler.resume(NULL, &op->op);
}

zend_object *asyncpool_abandon(pool_obj_t *obj, asyncpool_op_t *op, bool silent)
{
    asyncpool_stash_t stash = asyncpool_stash();
    zend_object *error = NULL;
    pool_ask_t ask = POOL_ASK_INIT;
    take(obj, op, silent);
    for (;;) {
        asyncpool_lib.pool_op_cancel(&op->op);
        pool_ask_kind_t kind = asyncpool_next(obj, op, NULL, &ask);
        if (!silent)
            asyncpool_wake(obj);
        if (kind == POOL_ASK_DONE)
            break;
        if (!silent && asyncpool_unwinding()) { /* the rest follows without hooks, when the object goes */
            asyncpool_op_enlist(obj, op);
            break;
        }
        asyncpool_op_destroy(obj, op, ask.resource, silent);
        error = asyncpool_catch(error);
    }
    op->ending = false;
    asyncpool_op_spare(obj, op);
    asyncpool_unstash(stash, true);
    return error;
}

zend_object *asyncpool_abandon_all(pool_obj_t *obj, bool silent)
{
    zend_object *error = NULL;
    while (obj->busy && (silent || !asyncpool_unwinding())) {
        zend_object *thrown = asyncpool_abandon(obj, obj->busy, silent);
        if (thrown)
            error = asyncpool_chain(error, thrown);
    }
    return error;
}

void asyncpool_end_silently(pool_obj_t *obj)
{
    asyncpool_abandon_all(obj, true);
    asyncpool_op_t *op = asyncpool_op(obj, false);
    settle(obj, op, asyncpool_lib.pool_op_close(obj->pool, &op->op), true);
}

void asyncpool_forget(pool_obj_t *obj)
{
    pool_t *pool = obj->pool;
    for (asyncpool_entry_t *entry = obj->store.all; entry; entry = entry->older) {
        asyncpool_op_t *op = asyncpool_op(obj, false);
        settle(obj, op, asyncpool_lib.pool_op_release(pool, &op->op, entry), false);
    }
    if (pool->wrapper == &obj->std)
        pool->wrapper = NULL;
    if (obj->strategy)
        asyncpool_lib.pool_set_strategy(pool, NULL);
    asyncpool_makers_leave(obj);
    obj->pool = obj->lane = NULL;
    asyncpool_lib.pool_unref(pool);
}

/* Answers whatever a pool without hooks is asked. */
static void settle(pool_obj_t *obj, asyncpool_op_t *op, pool_status_t begun, bool destroys)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = POOL_ANSWER_INIT;
    pool_ask_kind_t kind = begun == POOL_OK ? asyncpool_next(obj, op, NULL, &ask) : POOL_ASK_DONE;
    yes.ok = true;
    for (; kind != POOL_ASK_DONE; kind = asyncpool_next(obj, op, &yes, &ask)) {
        if (kind == POOL_ASK_DESTROY && destroys)
            asyncpool_op_destroy(obj, op, ask.resource, true);
    }
    asyncpool_op_spare(obj, op);
}

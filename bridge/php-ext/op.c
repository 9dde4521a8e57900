/* Twin: bridge/php/src/Internal/Op.php. */

/*
 * Operations of a pool. One lies on the heap and is among the busy ones from the instant the library knows it until it
 * is done: what leaves the driver by exit or a fatal error is ended when the pool goes.
 */
#include "internal.h"

asyncpool_op_t *asyncpool_op(pool_obj_t *obj, bool fragile)
{
    asyncpool_op_t *op = obj->spare;
    if (op)
        obj->spare = op->next;
    else
        op = emalloc(sizeof *op);
    memset(op, 0, sizeof *op);
    op->op.data = &op->wait;
    op->wait.op = &op->op;
    op->fragile = fragile;
    return op;
}

void asyncpool_op_enlist(pool_obj_t *obj, asyncpool_op_t *op)
{
    op->busy = true;
    op->next = NULL;
    op->previous = obj->newest;
    *(op->previous ? &op->previous->next : &obj->busy) = op;
    obj->newest = op;
}

void asyncpool_op_delist(pool_obj_t *obj, asyncpool_op_t *op)
{
    op->busy = false;
    *(op->previous ? &op->previous->next : &obj->busy) = op->next;
    *(op->next ? &op->next->previous : &obj->newest) = op->previous;
}

/* Destructors that run here may take the op. */
void asyncpool_op_spare(pool_obj_t *obj, asyncpool_op_t *op)
{
    zend_object *objects[] = {op->error, op->failure, op->refusal, op->verdict, NULL};
    if (op->driven || op->busy || op->ending)
        return;
    op->error = op->failure = op->refusal = op->verdict = NULL;
    asyncpool_op_bury(op);
    op->next = obj->spare;
    obj->spare = op;
    if (UNEXPECTED(obj->failure) && !obj->busy) { /* its trace may know the pool */
        zend_string *before = obj->reason;
        objects[4] = obj->failure;
        obj->reason = asyncpool_message(obj->failure);
        obj->failure = NULL;
        if (before)
            zend_string_release(before);
    }
    for (int i = 0; i < 5; i++) {
        if (objects[i])
            OBJ_RELEASE(objects[i]);
    }
}

void asyncpool_ops_free(pool_obj_t *obj)
{
    while (obj->spare) {
        asyncpool_op_t *op = obj->spare;
        obj->spare = op->next;
        efree(op);
    }
}

int64_t asyncpool_op_time_left(const asyncpool_op_t *op)
{
    int64_t left_ns = op->until_ns - asyncpool_now();
    return op->until_ns == 0 ? INT64_MAX : MAX(0, (left_ns + 999999) / 1000000);
}

void asyncpool_op_bury(asyncpool_op_t *op)
{
    if (op->destroyed)
        efree(op->destroyed);
    op->destroyed = NULL;
}

void asyncpool_op_destroy(pool_obj_t *obj, asyncpool_op_t *op, asyncpool_entry_t *entry, bool silent)
{
    asyncpool_store_remove(&obj->store, entry);
    if (!silent)
        asyncpool_destroy(obj, &entry->value);
    asyncpool_stash_t stash = asyncpool_stash();
    zval_ptr_dtor(&entry->value);
    asyncpool_unstash(stash, false);
    if (!silent)
        asyncpool_budget_give(obj);
    op->destroyed = entry;
}

void asyncpool_op_fail(asyncpool_op_t *op) { op->error = asyncpool_catch(op->error); }

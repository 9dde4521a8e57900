/*
 * Drives the operations of one pool: asks the library what to do, calls the hook for it, and answers. There is no
 * frame of the library below a hook, so it may throw, exit, fail fatally or suspend its fiber.
 *
 * An op lies on the heap and is among the busy ones until it is done: what leaves this file by exit or a fatal
 * error is ended when the pool goes.
 */
#include "internal.h"

#include "zend_exceptions.h"

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

static void enlist(pool_obj_t *obj, asyncpool_op_t *op)
{
    op->busy = op->driven = true;
    op->next = NULL;
    op->previous = obj->newest;
    *(op->previous ? &op->previous->next : &obj->busy) = op;
    obj->newest = op;
}

static void delist(pool_obj_t *obj, asyncpool_op_t *op)
{
    op->busy = false;
    *(op->previous ? &op->previous->next : &obj->busy) = op->next;
    *(op->next ? &op->next->previous : &obj->newest) = op->previous;
}

/* Keeps it for the next one. */
static void spare(pool_obj_t *obj, asyncpool_op_t *op)
{
    if (op->refusal)
        OBJ_RELEASE(op->refusal);
    op->refusal = NULL;
    op->next = obj->spare;
    obj->spare = op;
}

void asyncpool_ops_free(pool_obj_t *obj)
{
    while (obj->spare) {
        asyncpool_op_t *op = obj->spare;
        obj->spare = op->next;
        efree(op);
    }
}

/* Notes what was thrown. The last one is what the caller sees; the others are its previous ones. */
static void fail(asyncpool_op_t *op) { op->error = asyncpool_chain(op->error, asyncpool_catch()); }

static pool_ask_kind_t next(pool_obj_t *obj, asyncpool_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    pool_ask_kind_t kind = asyncpool_lib.pool_op_next(&op->op, answer, ask);
    if (kind == POOL_ASK_DONE) {
        op->status = ask->status;
        delist(obj, op);
    }
    asyncpool_wake();
    return kind;
}

/* Ends an op early; it may still have something to be destroyed. */
static pool_ask_kind_t cancel(pool_obj_t *obj, asyncpool_op_t *op, pool_ask_t *ask)
{
    op->leaving = false;
    asyncpool_lib.pool_op_cancel(&op->op);
    return next(obj, op, NULL, ask);
}

static void wait_for(pool_obj_t *obj, asyncpool_op_t *op, int64_t until_ns)
{
    asyncpool_wait(&op->wait, until_ns, asyncpool_view(obj));
    if (EG(exception) && !asyncpool_unwinding()) {
        fail(op);
        op->leaving = true;
    }
}

static void destroy(pool_obj_t *obj, asyncpool_entry_t *entry, bool silent)
{
    asyncpool_store_remove(&obj->store, entry);
    if (!silent)
        asyncpool_destroy(obj, &entry->value);
    asyncpool_stash_t stash = asyncpool_stash();
    zval_ptr_dtor(&entry->value);
    asyncpool_unstash(stash, false);
    efree(entry);
}

static void call_hook(pool_obj_t *obj, asyncpool_op_t *op, const pool_ask_t *ask, pool_answer_t *answer)
{
    asyncpool_entry_t *entry = ask->resource;
    switch (ask->kind) {
    case POOL_ASK_CREATE:
        answer->resource = asyncpool_create(obj);
        answer->ok = answer->resource != NULL;
        break;
    case POOL_ASK_BEFORE_ACQUIRE:
        answer->ok = asyncpool_may_lend(obj, &entry->value);
        break;
    case POOL_ASK_BEFORE_RELEASE:
        op->refusal = asyncpool_refusal(obj, &entry->value);
        answer->ok = !op->refusal;
        break;
    case POOL_ASK_REPORT_SUCCESS:
        asyncpool_report(obj, NULL);
        break;
    case POOL_ASK_REPORT_FAILURE:
        if (op->refusal)
            asyncpool_report(obj, op->refusal);
        break;
    case POOL_ASK_HEALTHCHECK:
        answer->ok = asyncpool_is_healthy(obj, &entry->value);
        break;
    case POOL_ASK_SHOULD_RECOVER:
        answer->ok = asyncpool_should_recover(obj);
        break;
    case POOL_ASK_DESTROY:
        destroy(obj, entry, false);
        break;
    case POOL_ASK_WAIT:
    case POOL_ASK_DONE:
        break;
    }
}

/* Does what was asked. What the hook throws is a "no"; where that is no answer, the op is to be left. */
static void do_ask(pool_obj_t *obj, asyncpool_op_t *op, const pool_ask_t *ask, pool_answer_t *answer)
{
    call_hook(obj, op, ask, answer);
    if (EXPECTED(!EG(exception)) || asyncpool_unwinding())
        return;
    fail(op);
    answer->ok = false;
    switch (ask->kind) {
    case POOL_ASK_CREATE:
    case POOL_ASK_BEFORE_RELEASE: /* "no" ends it, or has the resource destroyed */
    case POOL_ASK_REPORT_SUCCESS:
    case POOL_ASK_REPORT_FAILURE: /* the verdict stands */
        break;
    case POOL_ASK_DESTROY:
        op->leaving = op->fragile;
        break;
    default:
        op->leaving = true;
    }
}

/* Ends an op that nobody drives any more. */
static void abandon(pool_obj_t *obj, asyncpool_op_t *op, bool silent)
{
    asyncpool_stash_t stash = asyncpool_stash();
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    while (cancel(obj, op, &ask) != POOL_ASK_DONE && !asyncpool_unwinding()) {
        if (silent)
            destroy(obj, ask.resource, true);
        else
            do_ask(obj, op, &ask, &answer);
    }
    asyncpool_unstash(stash, true);
}

/* Is it over with this flow? After an exit the op stays busy, as it would in PHP code, whose finally blocks do not
 * run then; they do when a fiber is destroyed. */
static bool gone(pool_obj_t *obj, asyncpool_op_t *op)
{
    if (EXPECTED(!EG(exception)))
        return false;
    op->driven = false;
    if (zend_is_graceful_exit(EG(exception)) || !op->busy) {
        if (op->busy)
            abandon(obj, op, false);
        if (op->error)
            OBJ_RELEASE(op->error);
        spare(obj, op);
    }
    return true;
}

/* What is left to do for a flow whose pool was destructed, and its op ended, while it was in a hook or in line: what
 * it has made for the pool goes. */
static pool_ask_kind_t outlive(asyncpool_op_t *op, pool_ask_t *ask, const pool_answer_t *answer)
{
    bool made = ask->kind == POOL_ASK_CREATE && answer->resource;
    ask->kind = made ? POOL_ASK_DESTROY : POOL_ASK_DONE;
    ask->resource = made ? answer->resource : NULL;
    op->status = POOL_ERR_CLOSED;
    return ask->kind;
}

/* What comes after an answer; NULL: after the line. */
static pool_ask_kind_t proceed(pool_obj_t *obj, asyncpool_op_t *op, const pool_answer_t *answer, pool_ask_t *ask)
{
    if (UNEXPECTED(!op->busy))
        return outlive(op, ask, answer);
    return op->leaving ? cancel(obj, op, ask) : next(obj, op, answer, ask);
}

/* Runs it on from an ask. */
static void *go_on(pool_obj_t *obj, asyncpool_op_t *op, pool_ask_t *ask, pool_ask_kind_t kind, pool_status_t *status)
{
    while (kind != POOL_ASK_DONE) {
        pool_answer_t answer = POOL_ANSWER_INIT;
        if (kind == POOL_ASK_WAIT)
            wait_for(obj, op, ask->until_ns);
        else
            do_ask(obj, op, ask, &answer);
        if (gone(obj, op))
            return NULL;
        kind = proceed(obj, op, &answer, ask);
    }
    *status = op->status;
    spare(obj, op);
    if (op->error) {
        zend_throw_exception_internal(op->error);
        return NULL;
    }
    return op->status == POOL_OK ? ask->resource : NULL;
}

void *asyncpool_run(pool_obj_t *obj, asyncpool_op_t *op, pool_status_t *status)
{
    pool_ask_t ask = POOL_ASK_INIT;
    if (*status != POOL_OK) {
        spare(obj, op);
        return NULL;
    }
    enlist(obj, op);
    pool_ask_kind_t kind = next(obj, op, NULL, &ask);
    return go_on(obj, op, &ask, kind, status);
}

void *asyncpool_queue(pool_obj_t *obj, asyncpool_op_t *op, pool_status_t *status)
{
    pool_ask_t ask = POOL_ASK_INIT;
    enlist(obj, op);
    wait_for(obj, op, asyncpool_lib.pool_op_until_ns(&op->op));
    if (gone(obj, op))
        return NULL;
    void *resource = op->leaving || !op->busy ? NULL : asyncpool_lib.pool_op_take(&op->op);
    if (EXPECTED(resource)) {
        delist(obj, op);
        spare(obj, op);
        *status = POOL_OK;
        return resource;
    }
    return go_on(obj, op, &ask, proceed(obj, op, NULL, &ask), status);
}

zend_object *asyncpool_abandon_all(pool_obj_t *obj, bool silent)
{
    zend_object *error = NULL;
    while (obj->busy) {
        asyncpool_op_t *op = obj->busy;
        if (op->error)
            OBJ_RELEASE(op->error);
        op->error = NULL;
        abandon(obj, op, silent);
        if (asyncpool_unwinding())
            break;
        if (op->error)
            error = asyncpool_chain(error, op->error);
        op->error = NULL;
        if (silent || !op->driven) /* otherwise its flow comes back, if only to be destroyed */
            spare(obj, op);
        else
            asyncpool_scheduler.resume(NULL, &op->op);
    }
    if (!silent)
        asyncpool_wake();
    return error;
}

/* Answers whatever a pool without hooks is asked. */
static void settle(pool_obj_t *obj, asyncpool_op_t *op, pool_status_t begun, bool destroys)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = POOL_ANSWER_INIT;
    yes.ok = true;
    if (begun == POOL_OK) {
        enlist(obj, op);
        for (pool_ask_kind_t kind = next(obj, op, NULL, &ask); kind != POOL_ASK_DONE; kind = next(obj, op, &yes, &ask)) {
            if (kind == POOL_ASK_DESTROY && destroys)
                destroy(obj, ask.resource, true);
        }
    }
    spare(obj, op);
}

void asyncpool_forget(pool_obj_t *obj, asyncpool_entry_t *entry)
{
    asyncpool_op_t *op = asyncpool_op(obj, false);
    settle(obj, op, asyncpool_lib.pool_op_release(obj->pool, &op->op, entry), false);
}

void asyncpool_close_silently(pool_obj_t *obj)
{
    asyncpool_op_t *op = asyncpool_op(obj, false);
    settle(obj, op, asyncpool_lib.pool_op_close(obj->pool, &op->op), true);
}

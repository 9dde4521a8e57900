/* Twin: bridge/php/src/Internal/Driver.php. */

/*
 * A flow drives its operation: asks the library what to do, calls the hook for it, and answers. There is no frame of
 * the library below a hook, so it may throw, exit, fail fatally or suspend its fiber.
 *
 * PHP code of others runs in the hooks, and wherever a value or an exception is let go: its destructor, or the
 * collector of cycles, or a signal handler. It may use this pool and destruct it. So what a step reads after that lies
 * in the frame of its flow or in its op; whether the op is still the library's is asked anew; and what the library has
 * granted is given to the caller before such code can run.
 */
#include "internal.h"

#include "zend_exceptions.h"

/* The pool was destructed, and this with it, while its flow was elsewhere. */
static bool ended(const asyncpool_op_t *op) { return !op->busy; }

static void hand_over(pool_obj_t *obj, asyncpool_op_t *op, asyncpool_entry_t *entry, zval *result)
{
    asyncpool_store_lend(&obj->store, entry, op->lease ? ASYNCPOOL_LENT_WITH : ASYNCPOOL_LENT, result);
    if (UNEXPECTED(obj->notes))
        asyncpool_note(entry);
}

/* In the order of the twin. */
static void go_on(pool_obj_t *obj, asyncpool_op_t *op, pool_ask_t *ask, pool_ask_kind_t kind, pool_status_t *status,
                  zval *result);
static void end_with(pool_obj_t *obj, asyncpool_op_t *op);
static pool_ask_kind_t proceed(pool_obj_t *obj, asyncpool_op_t *op, const pool_answer_t *word, pool_ask_t *ask);
static bool gone(pool_obj_t *obj, asyncpool_op_t *op);
static void finish(pool_obj_t *obj, asyncpool_op_t *op);
static void answer(pool_obj_t *obj, asyncpool_op_t *op, const pool_ask_t *ask, pool_answer_t *word);
static void is_not_made(pool_obj_t *obj, asyncpool_op_t *op, pool_answer_t *word);
static void call_hook(pool_obj_t *obj, asyncpool_op_t *op, const pool_ask_t *ask, pool_answer_t *word);
static pool_ask_kind_t outlive(asyncpool_op_t *op, pool_ask_t *ask, const pool_answer_t *word);
static void wait_for(pool_obj_t *obj, asyncpool_op_t *op, int64_t until_ns);
static bool is_verdict(const zend_object *error);
static pool_ask_kind_t cancel(pool_obj_t *obj, asyncpool_op_t *op, pool_ask_t *ask);

void asyncpool_run(pool_obj_t *obj, asyncpool_op_t *op, pool_status_t *status, zval *result)
{
    pool_ask_t ask = POOL_ASK_INIT;
    if (*status != POOL_OK) {
        asyncpool_op_spare(obj, op);
        return;
    }
    op->driven = true;
    asyncpool_op_enlist(obj, op);
    pool_ask_kind_t kind = asyncpool_next(obj, op, NULL, &ask);
    if (op->returned && (kind != POOL_ASK_DONE || op->status != POOL_ERR_NOT_OWNED))
        asyncpool_store_mark(&obj->store, op->returned, ASYNCPOOL_KEPT);
    go_on(obj, op, &ask, kind, status, result);
}

/* Runs it on from an ask. */
static void go_on(pool_obj_t *obj, asyncpool_op_t *op, pool_ask_t *ask, pool_ask_kind_t kind, pool_status_t *status,
                  zval *result)
{
    while (kind != POOL_ASK_DONE) {
        pool_answer_t word = POOL_ANSWER_INIT;
        asyncpool_wake(obj);
        if (kind == POOL_ASK_WAIT)
            wait_for(obj, op, ask->until_ns);
        else
            answer(obj, op, ask, &word);
        if (gone(obj, op))
            return;
        kind = proceed(obj, op, &word, ask);
    }
    *status = op->status;
    if (op->lease)
        *op->lease = (pool_lease_t){ask->resource, ask->lease};
    if (UNEXPECTED(op->status == POOL_ERR_FACTORY))
        end_with(obj, op);
    bool lends = result && op->status == POOL_OK && !op->error;
    if (lends)
        hand_over(obj, op, ask->resource, result);
    asyncpool_wake(obj);
    asyncpool_maintenance_look(obj, lends);
    finish(obj, op);
}

/* Its caller is thrown what the factory has thrown: for it, or for another. */
static void end_with(pool_obj_t *obj, asyncpool_op_t *op)
{
    zend_object *failure = op->failure ? op->failure : obj->failure;
    if (failure)
        GC_ADDREF(failure);
    else
        failure = asyncpool_factory_exception(obj->reason);
    op->error = asyncpool_chain(op->error, failure);
}

/* What comes after an answer. */
static pool_ask_kind_t proceed(pool_obj_t *obj, asyncpool_op_t *op, const pool_answer_t *word, pool_ask_t *ask)
{
    if (UNEXPECTED(ended(op)))
        return outlive(op, ask, word);
    return op->cancelling ? cancel(obj, op, ask) : asyncpool_next(obj, op, word, ask);
}

/* Is it over with this flow? After an exit the op stays busy, as it would in PHP code, whose finally blocks do not
 * run then; they do when a fiber is destroyed. */
static bool gone(pool_obj_t *obj, asyncpool_op_t *op)
{
    if (EXPECTED(!EG(exception)))
        return false;
    op->driven = false;
    if (op->busy && zend_is_graceful_exit(EG(exception))) {
        zend_object *error = asyncpool_abandon(obj, op, false); /* and lets it go */
        if (error)
            OBJ_RELEASE(error);
    } else {
        asyncpool_op_spare(obj, op);
    }
    return true;
}

/* The flow is done with it, and throws what it is to throw. */
static void finish(pool_obj_t *obj, asyncpool_op_t *op)
{
    zend_object *error = op->error;
    op->error = NULL;
    op->driven = false;
    asyncpool_op_spare(obj, op);
    if (error)
        zend_throw_exception_internal(error);
}

void asyncpool_queue(pool_obj_t *obj, asyncpool_op_t *op, pool_status_t *status, zval *result)
{
    pool_ask_t ask = POOL_ASK_INIT;
    op->driven = true;
    asyncpool_op_enlist(obj, op);
    asyncpool_wake(obj);
    wait_for(obj, op, asyncpool_lib.pool_op_until_ns(&op->op));
    if (gone(obj, op))
        return;
    void *resource = op->cancelling || ended(op) ? NULL : asyncpool_lib.pool_op_take(&op->op);
    if (EXPECTED(resource)) {
        *status = POOL_OK;
        asyncpool_op_delist(obj, op);
        hand_over(obj, op, resource, result);
        finish(obj, op);
        return;
    }
    pool_ask_kind_t kind = proceed(obj, op, NULL, &ask);
    go_on(obj, op, &ask, kind, status, result);
}

/* Does what was asked. What the hook throws is a "no"; where that is no answer, the op is to be cancelled. */
static void answer(pool_obj_t *obj, asyncpool_op_t *op, const pool_ask_t *ask, pool_answer_t *word)
{
    call_hook(obj, op, ask, word);
    if (EXPECTED(!EG(exception)) || asyncpool_unwinding())
        return;
    word->ok = false;
    if (ask->kind == POOL_ASK_CREATE &&
        (op->behind || !instanceof_function(EG(exception)->ce, asyncpool_ce_cancellation))) {
        is_not_made(obj, op, word);
        return;
    }
    asyncpool_op_fail(op);
    switch (ask->kind) {
    case POOL_ASK_BEFORE_RELEASE: /* "no" has the resource destroyed */
    case POOL_ASK_REPORT_SUCCESS:
    case POOL_ASK_REPORT_FAILURE: /* the verdict stands */
        break;
    case POOL_ASK_DESTROY:
        op->cancelling = op->fragile;
        break;
    default:
        op->cancelling = true;
    }
}

/* Notes why a creation failed, or that it is put off. Others may end with it, too. */
static void is_not_made(pool_obj_t *obj, asyncpool_op_t *op, pool_answer_t *word)
{
    zend_object *failure = asyncpool_catch(NULL), *before[] = {op->failure, NULL};
    zend_long ms;
    if (asyncpool_is_later(failure, &ms))
        word->later_ns = MAX(1, ms * 1000000);
    op->failure = failure;
    if (op->behind || word->later_ns || obj->options.create_retry > 0) {
        before[1] = obj->failure;
        obj->failure = failure;
        GC_ADDREF(failure);
    }
    for (int i = 0; i < 2; i++) {
        if (before[i])
            OBJ_RELEASE(before[i]);
    }
    if (EG(exception) && !asyncpool_unwinding())
        asyncpool_op_fail(op);
}

static void call_hook(pool_obj_t *obj, asyncpool_op_t *op, const pool_ask_t *ask, pool_answer_t *word)
{
    asyncpool_entry_t *entry = ask->resource;
    switch (ask->kind) {
    case POOL_ASK_CREATE:
        word->resource = asyncpool_create(obj, asyncpool_op_time_left(op));
        word->ok = word->resource != NULL;
        break;
    case POOL_ASK_BEFORE_ACQUIRE:
        word->ok = asyncpool_may_lend(obj, &entry->value);
        break;
    case POOL_ASK_BEFORE_RELEASE:
        op->refusal = asyncpool_refusal(obj, &entry->value);
        word->ok = !op->refusal;
        break;
    case POOL_ASK_REPORT_SUCCESS:
        asyncpool_report(obj, NULL);
        break;
    case POOL_ASK_REPORT_FAILURE:
        if (op->refusal)
            asyncpool_report(obj, op->refusal);
        break;
    case POOL_ASK_HEALTHCHECK:
        word->ok = asyncpool_is_healthy(obj, &entry->value);
        break;
    case POOL_ASK_SHOULD_RECOVER:
        word->ok = asyncpool_should_recover(obj);
        break;
    case POOL_ASK_DESTROY:
        asyncpool_op_destroy(obj, op, entry, false);
        break;
    case POOL_ASK_LEAKED:
        asyncpool_leaked(obj, ask->lend);
        break;
    case POOL_ASK_WAIT:
    case POOL_ASK_DONE:
        break;
    }
}

/* What is left to do for a flow whose pool was destructed, and its op ended, while it was in a hook or in line: what
 * it has made for the pool goes. */
static pool_ask_kind_t outlive(asyncpool_op_t *op, pool_ask_t *ask, const pool_answer_t *word)
{
    bool made = ask->kind == POOL_ASK_CREATE && word->resource;
    ask->kind = made ? POOL_ASK_DESTROY : POOL_ASK_DONE;
    ask->resource = made ? word->resource : NULL;
    op->status = POOL_ERR_CLOSED;
    if (op->failure) {
        op->error = asyncpool_chain(op->error, op->failure);
        op->failure = NULL;
    }
    return ask->kind;
}

/* A verdict is told if the library, asked again, has the op wait again. */
static void wait_for(pool_obj_t *obj, asyncpool_op_t *op, int64_t until_ns)
{
    zend_object *verdict = op->verdict;
    if (verdict) {
        op->verdict = NULL;
        op->error = asyncpool_chain(op->error, verdict);
        op->cancelling = true;
        return;
    }
    asyncpool_wait(&op->wait, until_ns, asyncpool_ref(obj));
    if (EXPECTED(!EG(exception)) || asyncpool_unwinding())
        return;
    if (is_verdict(EG(exception))) {
        op->verdict = asyncpool_catch(NULL);
    } else {
        asyncpool_op_fail(op);
        op->cancelling = true;
    }
}

/* The loop calls the wait hopeless. What runs after that, a destructor for one, may have served it. */
static bool is_verdict(const zend_object *error) { return instanceof_function(error->ce, asyncpool_ce_deadlock); }

pool_ask_kind_t asyncpool_next(pool_obj_t *obj, asyncpool_op_t *op, const pool_answer_t *word, pool_ask_t *ask)
{
    pool_ask_kind_t kind = asyncpool_lib.pool_op_next(&op->op, word, ask);
    asyncpool_op_bury(op);
    if (kind == POOL_ASK_DONE) {
        op->status = ask->status;
        if (op->busy)
            asyncpool_op_delist(obj, op);
    }
    return kind;
}

/* Ends it early; it may still have something to be destroyed. */
static pool_ask_kind_t cancel(pool_obj_t *obj, asyncpool_op_t *op, pool_ask_t *ask)
{
    op->cancelling = false;
    asyncpool_lib.pool_op_cancel(&op->op);
    return asyncpool_next(obj, op, NULL, ask);
}

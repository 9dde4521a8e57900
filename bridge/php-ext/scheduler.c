/*
 * Waiting: in the loop of the package for PHP, the same for this class and for the one over FFI.
 *
 * The library says by resume() who can go on. It does that with frames of its own on the stack, so PHP's loop is
 * told later, by asyncpool_wake(). suspend() is for C code that calls pool_acquire(): there PHP code may run above
 * the library, and a fatal error is caught (see callable.c).
 */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"

/* ---- the woken ---- */

void asyncpool_wait_forget(asyncpool_wait_t *wait)
{
    if (!wait->queued)
        return;
    *(wait->previous ? &wait->previous->next : &ASYNCPOOL_G(woken)) = wait->next;
    *(wait->next ? &wait->next->previous : &ASYNCPOOL_G(last)) = wait->previous;
    wait->queued = false;
}

static void queue(asyncpool_wait_t *wait)
{
    wait->queued = true;
    wait->next = NULL;
    wait->previous = ASYNCPOOL_G(last);
    *(wait->previous ? &wait->previous->next : &ASYNCPOOL_G(woken)) = wait;
    ASYNCPOOL_G(last) = wait;
}

static void resume(void *ctx, pool_op_t *op)
{
    asyncpool_wait_t *wait = op->data;
    if (!wait)
        return; /* C code that will ask the library first */
    wait->woken = true;
    if (wait->id && !wait->queued)
        queue(wait);
}

static void tell(void *ignored)
{
    while (ASYNCPOOL_G(woken)) {
        asyncpool_wait_t *wait = ASYNCPOOL_G(woken);
        zval id;
        asyncpool_wait_forget(wait);
        ZVAL_LONG(&id, wait->id);
        asyncpool_loop_call(wait->loop, asyncpool_loop_methods(wait->loop)->resume, NULL, 1, &id);
    }
}

void asyncpool_wake(void)
{
    if (UNEXPECTED(ASYNCPOOL_G(woken)))
        asyncpool_undisturbed(tell, NULL);
    if (UNEXPECTED(ASYNCPOOL_G(makers)))
        asyncpool_makers_call();
}

/* ---- waiting ---- */

static void get_id(void *argument)
{
    asyncpool_wait_t *wait = argument;
    zval id;
    wait->loop = asyncpool_loop();
    if (!wait->loop)
        return;
    ZVAL_UNDEF(&id);
    asyncpool_loop_call(wait->loop, asyncpool_loop_methods(wait->loop)->wait_id, &id, 0, NULL);
    if (EXPECTED(Z_TYPE(id) == IS_LONG))
        wait->id = Z_LVAL(id);
}

static void suspend_in(zend_object *loop, zend_long id, int64_t until_ns, zend_object *label)
{
    zval arguments[3];
    ZVAL_LONG(&arguments[0], id);
    ZVAL_LONG(&arguments[1], until_ns);
    if (label)
        ZVAL_OBJ(&arguments[2], label);
    else
        ZVAL_NULL(&arguments[2]);
    asyncpool_loop_call(loop, asyncpool_loop_methods(loop)->suspend, NULL, 3, arguments);
}

void asyncpool_wait(asyncpool_wait_t *wait, int64_t until_ns, zend_object *label)
{
    asyncpool_undisturbed(get_id, wait);
    zend_object *loop = wait->loop;
    if (EXPECTED(wait->id)) {
        if (UNEXPECTED(wait->woken)) { /* while the loop was being found */
            queue(wait);
            asyncpool_wake();
        }
        suspend_in(loop, wait->id, until_ns, label);
        asyncpool_wait_forget(wait);
        wait->id = 0;
        wait->woken = false;
    }
    wait->loop = NULL;
    if (loop)
        OBJ_RELEASE(loop);
}

/* ---- C code that waits ---- */

/* On the stack of its caller, which a fatal error takes away when the fibers go. */
typedef struct asyncpool_caller {
    asyncpool_wait_t wait;
    struct asyncpool_caller *next, *previous;
} asyncpool_caller_t;

static void wait_for(void *argument)
{
    asyncpool_wait_t *wait = argument;
    asyncpool_wake();
    asyncpool_wait(wait, asyncpool_lib.pool_op_until_ns(wait->op), NULL);
}

/* False: it was ended by what is being thrown now. */
static bool wait_in_php(void *ctx, pool_op_t *op)
{
    asyncpool_caller_t caller = {.wait = {.op = op}, .next = ASYNCPOOL_G(callers)};
    if (caller.next)
        caller.next->previous = &caller;
    ASYNCPOOL_G(callers) = &caller;
    op->data = &caller.wait;
    asyncpool_guarded(wait_for, &caller.wait, NULL);
    op->data = NULL;
    *(caller.previous ? &caller.previous->next : &ASYNCPOOL_G(callers)) = caller.next;
    if (caller.next)
        caller.next->previous = caller.previous;
    return !EG(exception) && !ASYNCPOOL_G(bailed);
}

const pool_scheduler_t asyncpool_scheduler = {wait_in_php, resume, NULL};

void asyncpool_waits_abandon(void)
{
    for (; ASYNCPOOL_G(callers); ASYNCPOOL_G(callers) = ASYNCPOOL_G(callers)->next)
        asyncpool_lib.pool_op_cancel(ASYNCPOOL_G(callers)->wait.op);
    ASYNCPOOL_G(woken) = ASYNCPOOL_G(last) = NULL;
    ASYNCPOOL_G(bailed) = false;
}

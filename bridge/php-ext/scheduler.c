/*
 * Waiting for the library: a flow that waits with an op is in a wait of the loop.
 *
 * The library says by resume() who can go on, with frames of its own on the stack; no PHP code runs there. suspend() is
 * for C code that calls pool_acquire(): there PHP code may run above the library, and a fatal error is caught (see
 * callable.c).
 */
#include "internal.h"

#include "zend_exceptions.h"

static void resume(void *ctx, pool_op_t *op)
{
    asyncpool_waiter_t *waiter = op->data;
    if (!waiter)
        return; /* C code that will ask the library first */
    waiter->woken = true;
    if (waiter->wait)
        asyncpool_resume(waiter->wait, NULL);
}

void asyncpool_wait(asyncpool_waiter_t *waiter, int64_t until_ns, zend_object *label)
{
    asyncpool_wait_t *wait = asyncpool_wait_new();
    if (EXPECTED(wait)) {
        waiter->wait = wait;
        if (UNEXPECTED(waiter->woken)) /* while the loop was being looked for */
            asyncpool_resume(wait, NULL);
        asyncpool_suspend(wait, until_ns, label, false, NULL);
        waiter->wait = NULL;
        waiter->woken = false;
    }
}

void asyncpool_wake_all(void)
{
    asyncpool_makers_call_all();
    asyncpool_revolt_wake();
}

/* ---- C code that waits ---- */

/* On the stack of its caller, which a fatal error takes away when the fibers go. */
typedef struct asyncpool_caller {
    asyncpool_waiter_t waiter;
    struct asyncpool_caller *next, *previous;
} asyncpool_caller_t;

static void wait_for(void *argument)
{
    asyncpool_waiter_t *waiter = argument;
    asyncpool_wake_all();
    asyncpool_wait(waiter, asyncpool_lib.pool_op_until_ns(waiter->op), NULL);
}

/* False: it was ended by what is being thrown now. */
static bool wait_in_php(void *ctx, pool_op_t *op)
{
    asyncpool_caller_t caller = {.waiter = {.op = op}, .next = ASYNCPOOL_G(callers)};
    if (caller.next)
        caller.next->previous = &caller;
    ASYNCPOOL_G(callers) = &caller;
    op->data = &caller.waiter;
    asyncpool_guarded(wait_for, &caller.waiter, NULL);
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
        asyncpool_lib.pool_op_cancel(ASYNCPOOL_G(callers)->waiter.op);
    ASYNCPOOL_G(bailed) = false;
}

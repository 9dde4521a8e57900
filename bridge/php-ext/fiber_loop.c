/* Twin: bridge/php/src/Internal/FiberLoop.php. */

/*
 * The built-in loop: a queue of those who can go on, and the switching from one to the next.
 *
 * It runs on the stack of its base: the main flow, while that waits and at the end of the script; with Revolt, the fiber
 * in which that calls us. PHP's fibers know who has resumed them, and go back there. This loop switches from one that
 * waits straight to the next, which takes over where it would have gone back to: zend_fiber_switch_context() is
 * symmetric. So it does only from a fiber that itself has resumed (loop.current), or to which it has switched so. One
 * that somebody else has resumed goes back to that one.
 *
 * Of a suspended fiber the engine wants to find caller NULL, previous and execute_data set, and the bottom of its stack
 * cut off: then Fiber's methods, the collector of cycles and ReflectionFiber can work with it.
 */
#include "internal.h"

#include "zend_exceptions.h"

static asyncpool_loop_t *loop(void) { return &ASYNCPOOL_G(loop); }

/* ---- the queue ---- */

void asyncpool_enqueue(asyncpool_turn_t *turn)
{
    if (asyncpool_linked(&turn->link))
        return;
    turn->number = ++loop()->turns;
    asyncpool_link_last(&loop()->queue, &turn->link);
}

/* Whose turn comes next; NULL: nobody can go on. When all that were ready have had theirs, the timers ring. */
static asyncpool_turn_t *next_turn(void)
{
    asyncpool_loop_t *l = loop();
    asyncpool_turn_t *turn = ASYNCPOOL_OF(l->queue.next, asyncpool_turn_t, link);
    if (!asyncpool_linked(&l->queue) || turn->number > l->turn_ends) {
        if (l->has_revolt) /* which calls us for the next turn */
            return NULL;
        asyncpool_timers_ring();
        asyncpool_watchers_look();
        l->turn_ends = l->turns;
        turn = ASYNCPOOL_OF(l->queue.next, asyncpool_turn_t, link);
    }
    return asyncpool_linked(&l->queue) ? turn : NULL;
}

static asyncpool_wait_t *wait_of(asyncpool_turn_t *turn) { return ASYNCPOOL_OF(turn, asyncpool_wait_t, turn); }

/* Takes it out of the queue, to be gone to: with the wait's reference. NULL: somebody else has resumed it just now. */
static zend_fiber *take(asyncpool_wait_t *wait)
{
    zend_fiber *fiber = wait->fiber;
    asyncpool_unlink(&wait->turn.link);
    bool is_left = fiber && fiber->context.status == ZEND_FIBER_STATUS_SUSPENDED && !fiber->caller;
    if (!is_left && fiber != EG(active_fiber))
        return NULL;
    wait->fiber = NULL;
    return fiber;
}

/* Takes the next one, if it is a fiber that can be switched to. */
static zend_fiber *take_next(void)
{
    asyncpool_turn_t *turn;
    zend_fiber *fiber = NULL;
    while (!fiber && (turn = next_turn()) && !turn->starts && !wait_of(turn)->is_main)
        fiber = take(wait_of(turn));
    return fiber;
}

/* ---- from fiber to fiber ---- */

bool asyncpool_forbidden(void)
{
    const char *why = NULL;
    if (EG(active_fiber) && (EG(active_fiber)->flags & ZEND_FIBER_FLAG_DESTROYED))
        why = "Cannot suspend in a force-closed fiber";
    else if (zend_fiber_switch_blocked())
        why = "Cannot switch fibers in current execution context";
    if (why)
        zend_throw_error(zend_hash_str_find_ptr(EG(class_table), ZEND_STRL("fibererror")), "%s", why);
    return why != NULL;
}

void asyncpool_bury_dead(void)
{
    zend_fiber *dead = loop()->dead;
    if (!dead)
        return;
    loop()->dead = NULL;
    asyncpool_stash_t stash = asyncpool_stash();
    OBJ_RELEASE(&dead->std);
    zend_object *error = asyncpool_catch(NULL);
    if (error)
        asyncpool_failed(error);
    asyncpool_unstash(stash, true);
}

/* The loop goes from this fiber to the next one, which goes back where this one would have. */
static zend_fiber_context *hand_over(zend_fiber *fiber, zend_fiber *next)
{
    next->caller = fiber->caller;
    next->stack_bottom->prev_execute_data = fiber->stack_bottom->prev_execute_data;
    loop()->current = next;
    EG(active_fiber) = next;
    return next->previous;
}

void asyncpool_leave(void)
{
    asyncpool_loop_t *l = loop();
    zend_fiber *fiber = EG(active_fiber), *next = NULL;
    if (l->current == fiber) {
        next = take_next();
        l->current = NULL;
        GC_DELREF(&fiber->std); /* its wait has another one, or next */
        if (next == fiber) {    /* its turn comes at once */
            l->current = fiber;
            return;
        }
    }
    zend_fiber_transfer transfer = {.context = next ? hand_over(fiber, next) : fiber->caller};
    ZVAL_NULL(&transfer.value);
    fiber->previous = EG(current_fiber_context);
    fiber->execute_data = EG(current_execute_data);
    fiber->stack_bottom->prev_execute_data = NULL;
    fiber->caller = NULL;
    zend_fiber_switch_context(&transfer);
    EG(active_fiber) = fiber;
    asyncpool_bury_dead();
    if (transfer.flags & ZEND_FIBER_TRANSFER_FLAG_ERROR)
        zend_throw_exception_internal(Z_OBJ(transfer.value));
    else
        zval_ptr_dtor(&transfer.value);
}

void asyncpool_leave_for_ever(zend_fiber *fiber, zend_fiber_transfer *transfer)
{
    asyncpool_loop_t *l = loop();
    bool is_over = transfer->flags != 0 || (l->is_finishing && l->alive == 0);
    zend_fiber *next = l->current == fiber && !is_over ? take_next() : NULL;
    if (next) {
        l->dead = fiber;
        transfer->context = hand_over(fiber, next);
    } else {
        transfer->context = fiber->caller;
    }
}

/* What a fiber that is no coroutine has thrown nobody but the loop is there to take. The end of the script goes on. */
static void receive(zend_fiber_transfer *transfer)
{
    if (!(transfer->flags & ZEND_FIBER_TRANSFER_FLAG_ERROR)) {
        zval_ptr_dtor(&transfer->value);
        return;
    }
    zend_throw_exception_internal(Z_OBJ(transfer->value));
    zend_object *error = asyncpool_catch(NULL);
    if (error)
        asyncpool_failed(error);
}

/* From the base to a fiber, whose reference it takes over, until one of those that follow it comes back here. */
static void go(zend_fiber *fiber)
{
    asyncpool_loop_t *l = loop();
    zend_fiber *outer = EG(active_fiber), *outer_current = l->current;
    zend_fiber_transfer transfer = {.context = fiber->previous};
    ZVAL_NULL(&transfer.value);
    if (outer)
        outer->execute_data = EG(current_execute_data);
    fiber->caller = EG(current_fiber_context);
    if (fiber->stack_bottom)
        fiber->stack_bottom->prev_execute_data = EG(current_execute_data);
    l->current = fiber;
    EG(active_fiber) = fiber;
    zend_fiber_switch_context(&transfer);
    EG(active_fiber) = outer;
    zend_fiber *left = l->current; /* it has ended, or suspended itself in another way */
    l->current = outer_current;
    if (UNEXPECTED(transfer.flags & ZEND_FIBER_TRANSFER_FLAG_BAILOUT)) {
        EG(active_fiber) = NULL;
        l->revolt.is_turning = false;
        zend_bailout();
    }
    asyncpool_bury_dead();
    receive(&transfer);
    if (left)
        OBJ_RELEASE(&left->std);
}

/* ---- the loop ---- */

/* Lets the next one have its turn. False: nobody can go on. Where PHP forbids to switch, it stays in the queue. */
static bool step(void)
{
    asyncpool_turn_t *turn = next_turn();
    if (!turn)
        return false;
    if (!turn->starts && wait_of(turn)->is_main) {
        asyncpool_unlink(&turn->link);
        wait_of(turn)->is_reached = true;
        if (loop()->has_revolt)
            asyncpool_revolt_main_reached();
        return true;
    }
    if (zend_fiber_switch_blocked()) {
        asyncpool_forbidden();
        return true;
    }
    zend_fiber *fiber =
        turn->starts ? asyncpool_coroutine_start(ASYNCPOOL_OF(turn, asyncpool_coroutine_t, turn)) : take(wait_of(turn));
    if (fiber)
        go(fiber);
    return true;
}

static bool is_done(const asyncpool_wait_t *wait) { return wait ? wait->is_reached : loop()->alive == 0; }

void asyncpool_run_turn(void)
{
    loop()->turn_ends = loop()->turns;
    while (!EG(exception) && step())
        ;
}

static void run_until(asyncpool_wait_t *wait)
{
    asyncpool_loop_t *l = loop();
    while (!EG(exception) && !is_done(wait)) {
        if (step())
            continue;
        if (l->timers.deadlines || asyncpool_watchers_any())
            asyncpool_watchers_sleep();
        else if (!asyncpool_collect() && !asyncpool_deadlock())
            break;
    }
}

void asyncpool_run_until(asyncpool_wait_t *wait)
{
    asyncpool_loop_t *l = loop();
    l->running++;
    if (l->has_revolt)
        asyncpool_revolt_run_until(wait);
    else
        run_until(wait);
    if (!asyncpool_unwinding())
        l->running--;
}

bool asyncpool_finish(void)
{
    asyncpool_loop_t *l = loop();
    if (l->running > 0)
        return false;
    l->is_finishing = true;
    asyncpool_run_until(NULL);
    l->is_finishing = false;
    return true;
}

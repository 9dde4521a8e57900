/* Twin: bridge/php/src/Internal/WaitLoop.php. */

/*
 * Who is in which wait, and how that ends. A wait lies on the heap: a fatal error takes away the stack of whoever waits,
 * and the functions that PHP calls at its end may wait again.
 *
 * From when it is parked until its flow goes on, a wait has a reference to its fiber; then the loop has it, until the
 * fiber is left (loop.current): nobody frees a fiber that runs.
 */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_gc.h"
#include "zend_smart_str.h"

#define NAMED 20 /* a report of a deadlock names so many */

static asyncpool_loop_t *loop(void) { return &ASYNCPOOL_G(loop); }

static void fail(asyncpool_wait_t *wait, zend_object *error);
static void tell(asyncpool_wait_t *wait);

static void ring(asyncpool_timer_t *timer) { asyncpool_resume(ASYNCPOOL_OF(timer, asyncpool_wait_t, timer), NULL); }

asyncpool_wait_t *asyncpool_wait_new(void)
{
    if (!asyncpool_loop_ready())
        return NULL;
    zend_fiber *fiber = EG(active_fiber);
    asyncpool_coroutine_t *coroutine = fiber ? asyncpool_coroutine_in(fiber) : NULL;
    asyncpool_wait_t *wait = ecalloc(1, sizeof *wait);
    asyncpool_link_init(&wait->turn.link);
    asyncpool_link_init(&wait->parked);
    asyncpool_link_init(&wait->follower.link);
    wait->follower.wait = wait;
    wait->timer.ring = ring;
    wait->timer.deadline = true;
    wait->is_main = fiber == NULL;
    wait->flow = coroutine ? &coroutine->flow : fiber ? NULL : &loop()->main;
    ZVAL_NULL(&wait->value);
    return wait;
}

/* Nothing that PHP could run is let go before the wait is nowhere any more. */
void asyncpool_wait_free(asyncpool_wait_t *wait)
{
    zend_object *error = wait->error;
    zval value;
    ZVAL_COPY_VALUE(&value, &wait->value);
    asyncpool_timer_cancel(&wait->timer);
    asyncpool_unlink(&wait->turn.link);
    asyncpool_unlink(&wait->parked);
    asyncpool_unlink(&wait->follower.link);
    asyncpool_unwatch(wait);
    if (wait->verdict)
        zend_string_release(wait->verdict);
    if (wait->what)
        zend_string_release(wait->what);
    efree(wait);
    zval_ptr_dtor(&value);
    if (error)
        OBJ_RELEASE(error);
}

void asyncpool_resume(asyncpool_wait_t *wait, zval *value)
{
    if (wait->is_resumed)
        return;
    if (value)
        ZVAL_COPY(&wait->value, value);
    wait->is_resumed = true;
    tell(wait);
}

void asyncpool_throw(asyncpool_wait_t *wait, zend_object *error) { fail(wait, error); }

void asyncpool_interrupt(asyncpool_flow_t *flow, zend_object *error)
{
    if (flow->wait) {
        fail(flow->wait, error);
    } else if (!flow->interrupt) {
        flow->interrupt = error;
        GC_ADDREF(error);
    }
}

/* The flow is in it from here on. */
static void park(asyncpool_wait_t *wait, int64_t until_ns)
{
    asyncpool_flow_t *flow = wait->flow;
    wait->fiber = EG(active_fiber);
    wait->frame = EG(current_execute_data);
    if (wait->fiber)
        GC_ADDREF(&wait->fiber->std);
    if (flow)
        flow->wait = wait;
    else
        loop()->alive++;
    wait->era = loop()->era;
    asyncpool_link_last(&loop()->parked, &wait->parked);
    if (wait->is_resumed)
        tell(wait);
    if (flow && flow->interrupt) {
        zend_object *error = flow->interrupt;
        flow->interrupt = NULL;
        fail(wait, error);
        GC_DELREF(error); /* the wait has one */
    }
    if (until_ns != ASYNCPOOL_NEVER && !wait->is_resumed)
        asyncpool_timer_set(&wait->timer, until_ns);
}

/* Lets others run until the wait is over and it is its turn, or until something is thrown into it. */
static void stay(asyncpool_wait_t *wait)
{
    if (wait->is_main) {
        asyncpool_run_until(wait);
        return;
    }
    asyncpool_revolt_wake();
    asyncpool_leave();
    while (!asyncpool_is_over(wait) && !EG(exception)) {
        /* Whoever made the fiber has resumed it; who does so in turns may never let the loop run. */
        asyncpool_timers_ring();
        asyncpool_watchers_look();
        if (!asyncpool_is_over(wait))
            asyncpool_leave();
    }
}

/* The flow goes on. outer: the wait in whose midst it was. */
static void unpark(asyncpool_wait_t *wait, asyncpool_wait_t *outer)
{
    zend_fiber *fiber = wait->fiber;
    asyncpool_timer_cancel(&wait->timer);
    asyncpool_unlink(&wait->turn.link);
    asyncpool_unlink(&wait->parked);
    asyncpool_unlink(&wait->follower.link);
    asyncpool_unwatch(wait);
    if (wait->flow)
        wait->flow->wait = outer;
    else if (wait->era == loop()->era)
        loop()->alive--;
    wait->fiber = NULL;
    if (fiber) /* somebody else has resumed it, who has a reference, too */
        GC_DELREF(&fiber->std);
}

bool asyncpool_suspend(asyncpool_wait_t *wait, int64_t until_ns, zend_object *label, bool follows, zval *result)
{
    if (!wait->is_main && asyncpool_forbidden()) {
        if (wait->id)
            asyncpool_wait_unknown(wait->id);
        asyncpool_wait_free(wait);
        return false;
    }
    /* The main flow may wait in a signal handler while it waits below it, if no fiber must run for that. */
    asyncpool_wait_t *outer = wait->flow ? wait->flow->wait : NULL;
    wait->label = label;
    wait->is_follower = follows;
    park(wait, until_ns);
    stay(wait);
    unpark(wait, outer);
    if (EXPECTED(!EG(exception))) {
        if (wait->error) {
            GC_ADDREF(wait->error);
            zend_throw_exception_internal(wait->error);
        } else if (wait->is_resumed && result) {
            ZVAL_COPY(result, &wait->value);
        } else if (!wait->is_resumed) {
            zend_throw_exception(asyncpool_ce_deadlock, ZSTR_VAL(wait->verdict), 0);
        }
    }
    bool thrown = EG(exception) != NULL;
    if (wait->id)
        asyncpool_wait_unknown(wait->id);
    asyncpool_wait_free(wait);
    return !thrown;
}

void asyncpool_pass(void)
{
    asyncpool_wait_t *wait = asyncpool_wait_new();
    if (!wait)
        return;
    asyncpool_resume(wait, NULL);
    asyncpool_suspend(wait, ASYNCPOOL_NEVER, NULL, false, NULL);
}

bool asyncpool_collect(void)
{
    asyncpool_loop_t *l = loop();
    zval ignored;
    if (l->collected == l->events)
        return false;
    l->collected = l->events;
    zend_function *collect = zend_hash_str_find_ptr(EG(function_table), ZEND_STRL("gc_collect_cycles"));
    if (collect) /* traces in destructors show it */
        zend_call_known_function(collect, NULL, NULL, &ignored, 0, NULL, NULL);
    else /* disable_functions */
        gc_collect_cycles();
    if (EG(exception))
        l->collected = UINT64_MAX; /* whoever is thrown it may leave more of them before the next wait */
    return true;
}

/* ---- deadlocks ---- */

/* The first line outside of the namespace Async from which the wait was entered. */
static void append_place(smart_str *text, const asyncpool_wait_t *wait)
{
    for (zend_execute_data *frame = wait->frame; frame; frame = frame->prev_execute_data) {
        zend_function *function = frame->func;
        if (!function || !ZEND_USER_CODE(function->type))
            continue;
        zend_string *name = function->common.scope ? function->common.scope->name : function->common.function_name;
        if (name && zend_string_starts_with_literal(name, "Async\\"))
            continue;
        smart_str_append(text, function->op_array.filename);
        smart_str_appendc(text, ':');
        smart_str_append_long(text, frame->opline->lineno);
        return;
    }
    smart_str_appends(text, "an unknown place");
}

/* The label may be PHP code, so nothing is asked of the wait after it. */
static void append_wait(smart_str *text, const asyncpool_wait_t *wait)
{
    smart_str place = {0};
    zend_string *what = wait->what ? zend_string_copy(wait->what) : NULL;
    zval label;
    append_place(&place, wait);
    smart_str_appends(text, wait->is_main ? "\n  the main flow waits for " : "\n  a coroutine waits for ");
    if (wait->label) {
        ZVAL_OBJ_COPY(&label, wait->label);
        what = zval_try_get_string(&label);
        zval_ptr_dtor(&label);
    }
    if (what)
        smart_str_append(text, what);
    else
        smart_str_appends(text, "being resumed");
    if (what)
        zend_string_release(what);
    smart_str_appends(text, " at ");
    smart_str_append_smart_str(text, &place);
    smart_str_free(&place);
}

/* What is asked for its text may be PHP code, which changes who waits: so the waits are looked at anew after it. */
static zend_string *report(size_t count)
{
    smart_str text = {0};
    size_t named = 0;
    if (count == 1)
        smart_str_appends(&text, "Deadlock: nothing can run any more that could end this wait");
    else
        smart_str_append_printf(&text, "Deadlock: nothing can run any more that could end these %zu waits", count);
    for (size_t place = 0; named < MIN(count, NAMED) && !EG(exception); named++) {
        asyncpool_link_t *link = loop()->parked.next;
        size_t at = 0;
        while (link != &loop()->parked &&
               (asyncpool_is_over(ASYNCPOOL_OF(link, asyncpool_wait_t, parked)) || at++ < place))
            link = link->next;
        if (link == &loop()->parked)
            break;
        append_wait(&text, ASYNCPOOL_OF(link, asyncpool_wait_t, parked));
        place++;
    }
    if (count > NAMED)
        smart_str_append_printf(&text, "\n  and %zu more", count - NAMED);
    smart_str_0(&text);
    return text.s;
}

static asyncpool_wait_t *stuck(asyncpool_link_t *link)
{
    asyncpool_wait_t *wait = ASYNCPOOL_OF(link, asyncpool_wait_t, parked);
    return asyncpool_is_over(wait) ? NULL : wait;
}

static void judge(asyncpool_wait_t *wait, zend_string *message)
{
    wait->verdict = zend_string_copy(message);
    tell(wait);
}

/*
 * Those that follow another flow are told by its end; in a circle of them one is told, and the error goes round.
 * Whoever is resumed before it goes on was not stuck.
 */
bool asyncpool_deadlock(void)
{
    asyncpool_link_t *head = &loop()->parked, *link;
    asyncpool_wait_t *wait, *follower = NULL;
    size_t count = 0, told = 0;
    for (link = head->next; link != head; link = link->next)
        count += stuck(link) != NULL;
    if (count == 0)
        return false;
    zend_string *message = report(count);
    if (EG(exception)) {
        zend_string_release(message);
        return true;
    }
    for (link = head->next; link != head; link = link->next) {
        if (!(wait = stuck(link)))
            continue;
        if (!wait->is_follower) {
            judge(wait, message);
            told++;
        } else if (!follower || (follower->is_main && !wait->is_main)) {
            follower = wait;
        }
    }
    if (told == 0 && follower)
        judge(follower, message);
    zend_string_release(message);
    return true;
}

static void fail(asyncpool_wait_t *wait, zend_object *error)
{
    if (!wait->error) {
        wait->error = error;
        GC_ADDREF(error);
    }
    if (!wait->is_resumed) {
        wait->is_resumed = true;
        tell(wait);
    }
}

static void tell(asyncpool_wait_t *wait)
{
    if (!asyncpool_linked(&wait->parked))
        return;
    loop()->events++;
    asyncpool_enqueue(&wait->turn);
}

/*
 * The loop inside Revolt's event loop, together with everything else that waits there: its queue is emptied by a
 * callback of Revolt, one turn in each tick, so that coroutines which take turns hold nothing else up; the first of its
 * timers is one of Revolt's; streams are watched by Revolt. The main flow waits as Revolt's suspension of {main}.
 */
#include "internal.h"

#include "zend_closures.h"
#include "zend_exceptions.h"

/* How the message of the \Error begins that {main} gets when Revolt's loop has nothing to do any more. */
#define RUN_DRY "Event loop terminated without resuming"
/* And of what it throws where a stream that is watched was closed. */
#define OF_STREAMS "stream_select()"

static asyncpool_loop_t *loop(void) { return &ASYNCPOOL_G(loop); }
static asyncpool_revolt_t *revolt(void) { return &ASYNCPOOL_G(loop).revolt; }
static void wake_between(void);

/* ---- calling it ---- */

static zend_function *function(zend_class_entry *ce, const char *name)
{
    return zend_hash_str_find_ptr(&ce->function_table, name, strlen(name));
}

static void find(void *ignored)
{
    asyncpool_revolt_t *r = revolt();
    zend_string *name = zend_string_init(ZEND_STRL("Revolt\\EventLoop"), 0);
    zend_class_entry *ce = zend_lookup_class(name);
    zend_string_release(name);
    if (ce) {
        r->ce = ce;
        r->queue = function(ce, "queue");
        r->defer = function(ce, "defer");
        r->delay = function(ce, "delay");
        r->cancel = function(ce, "cancel");
        r->unreference = function(ce, "unreference");
        r->get_driver = function(ce, "getdriver");
        r->get_suspension = function(ce, "getsuspension");
        r->on_readable = function(ce, "onreadable");
        r->on_writable = function(ce, "onwritable");
    }
    loop()->has_revolt = ce != NULL;
    loop()->is_known = !EG(exception);
}

void asyncpool_revolt_find(void) { asyncpool_undisturbed(find, NULL); }

/* result: NULL: it has none that matters. */
static void call(zend_function *of, zval *result, uint32_t count, zval *arguments)
{
    zval ignored;
    ZVAL_UNDEF(&ignored);
    zend_call_known_function(of, NULL, revolt()->ce, result ? result : &ignored, count, arguments, NULL);
    if (!result)
        zval_ptr_dtor(&ignored);
}

/* A function of the class below as a callback. */
static void callback(zval *closure, const char *name)
{
    zend_create_fake_closure(
        closure, function(asyncpool_ce_revolt_loop, name), asyncpool_ce_revolt_loop, asyncpool_ce_revolt_loop, NULL);
}

static void call_with_callback(zend_function *of, const char *name)
{
    zval closure;
    callback(&closure, name);
    call(of, NULL, 1, &closure);
    zval_ptr_dtor(&closure);
}

/* Ends one of Revolt's callbacks; takes its name over. */
static void cancel(zend_string *name)
{
    zval id;
    ZVAL_STR(&id, name);
    call(revolt()->cancel, NULL, 1, &id);
    zval_ptr_dtor(&id);
}

/* ---- {main} ---- */

static zend_function *method(zend_object *suspension, const char *name)
{
    return zend_hash_str_find_ptr(&suspension->ce->function_table, name, strlen(name));
}

/* Let go first: Revolt makes {main} another one only if nobody has this one. */
static void resume_main(void)
{
    zend_object *suspension = revolt()->suspension;
    zval ignored;
    revolt()->suspension = NULL;
    if (!suspension)
        return;
    ZVAL_UNDEF(&ignored);
    zend_call_known_instance_method_with_0_params(method(suspension, "resume"), suspension, &ignored);
    zval_ptr_dtor(&ignored);
    OBJ_RELEASE(suspension);
}

/* Suspends {main} once. */
static void suspend_main(void)
{
    zval suspension, ignored;
    ZVAL_UNDEF(&suspension);
    ZVAL_UNDEF(&ignored);
    call(revolt()->get_suspension, &suspension, 0, NULL);
    if (Z_TYPE(suspension) != IS_OBJECT)
        return;
    Z_ADDREF(suspension);
    revolt()->suspension = Z_OBJ(suspension);
    zend_call_known_instance_method_with_0_params(method(Z_OBJ(suspension), "suspend"), Z_OBJ(suspension), &ignored);
    zval_ptr_dtor(&ignored);
    if (revolt()->suspension) {
        revolt()->suspension = NULL;
        GC_DELREF(Z_OBJ(suspension));
    }
    zval_ptr_dtor(&suspension);
}

static bool is_done(const asyncpool_wait_t *wait) { return wait ? wait->is_reached : loop()->alive == 0; }

/* What {main} was thrown is taken away if that is only that nothing can run any more, or that a signal handler, or a
 * callback of others, has closed a stream after it was looked for: who waits for it is told. False: {main} is to have it. */
static bool look_after_main(const asyncpool_wait_t *wait)
{
    zval rv, *text = zend_read_property_ex(
                 zend_get_exception_base(EG(exception)), EG(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &rv);
    bool is_error = instanceof_function(EG(exception)->ce, zend_ce_error) && Z_TYPE_P(text) == IS_STRING;
    if (is_error && zend_string_starts_with_literal(Z_STR_P(text), OF_STREAMS) &&
        asyncpool_watchers_look_at_streams()) {
        asyncpool_drop();
        return true;
    }
    if (!is_error || !zend_string_starts_with_literal(Z_STR_P(text), RUN_DRY))
        return false;
    zend_object *error = asyncpool_catch(NULL);
    bool goes_on = EG(exception) || is_done(wait) || asyncpool_collect() || asyncpool_deadlock();
    if (goes_on || loop()->is_finishing) /* then what is left was suspended by others, who let it go */
        OBJ_RELEASE(error);
    else
        zend_throw_exception_internal(error);
    return goes_on;
}

void asyncpool_revolt_run_until(asyncpool_wait_t *wait)
{
    while (!EG(exception) && !is_done(wait)) {
        wake_between();
        if (EG(exception))
            break;
        suspend_main();
        if (EG(exception) && !asyncpool_unwinding() && !look_after_main(wait))
            break;
    }
}

/* ---- what Revolt is to do ---- */

/* When the first of the timers rings; only deadlines keep Revolt's loop alive. */
static void arm(void)
{
    asyncpool_revolt_t *r = revolt();
    int64_t next = asyncpool_timers_next();
    bool is_deadline = loop()->timers.deadlines > 0;
    zval arguments[2], id;
    if (r->timer) {
        zend_string *timer = r->timer;
        r->timer = NULL;
        cancel(timer);
    }
    r->rings = next;
    r->is_deadline = is_deadline;
    if (next == ASYNCPOOL_NEVER)
        return;
    int64_t ns = next - asyncpool_now();
    ZVAL_DOUBLE(&arguments[0], ns > 0 ? (double)ns / 1e9 : 0.0);
    callback(&arguments[1], "ring");
    ZVAL_UNDEF(&id);
    call(r->delay, &id, 2, arguments);
    zval_ptr_dtor(&arguments[1]);
    if (Z_TYPE(id) != IS_STRING)
        return;
    r->timer = Z_STR(id);
    if (!is_deadline)
        call(r->unreference, NULL, 1, &id);
}

static bool is_to_be_armed(void)
{
    return revolt()->rings != asyncpool_timers_next() || revolt()->is_deadline != (loop()->timers.deadlines > 0);
}

static bool is_to_be_queued(void)
{
    return !revolt()->is_queued && (asyncpool_linked(&loop()->queue) || is_to_be_armed());
}

static bool is_main_to_be_resumed(void) { return revolt()->suspension && loop()->is_finishing && loop()->alive == 0; }

static void stir(void *lost)
{
    if (lost)
        asyncpool_watchers_let_go();
    if (is_main_to_be_resumed())
        resume_main();
    if (is_to_be_queued()) {
        /* A destructor may ask for this in the midst of Revolt's own steps, which lose what is deferred or delayed there,
         * but nothing that is queued. Until then the timer that is armed rings. */
        revolt()->is_queued = true;
        call_with_callback(revolt()->queue, "queued");
    }
}

/* From where Revolt is between its steps: in its callbacks, and before {main} is suspended. */
static void arm_undisturbed(void *ignored) { arm(); }

static void arm_between(void)
{
    if (is_to_be_armed())
        asyncpool_undisturbed(arm_undisturbed, NULL);
}

static void wake_between(void)
{
    arm_between();
    asyncpool_revolt_wake();
}

void asyncpool_revolt_wake(void)
{
    if (EXPECTED(!loop()->has_revolt) || revolt()->is_turning)
        return;
    bool lost = asyncpool_watchers_look_at_streams();
    if (lost || is_to_be_queued() || is_main_to_be_resumed())
        asyncpool_undisturbed(stir, lost ? &lost : NULL);
}

void asyncpool_revolt_main_reached(void) { resume_main(); }

/* ---- streams ---- */

/* False and an exception: Revolt waits for streams by select(), which knows no descriptor so high. */
static bool can_watch(int fd)
{
    zval driver;
    ZVAL_UNDEF(&driver);
    if (fd < FD_SETSIZE)
        return true;
    call(revolt()->get_driver, &driver, 0, NULL);
    bool selects = Z_TYPE(driver) == IS_OBJECT &&
                   zend_string_equals_literal(Z_OBJCE(driver)->name, "Revolt\\EventLoop\\Driver\\StreamSelectDriver");
    zval_ptr_dtor(&driver);
    if (selects && !EG(exception))
        zend_throw_exception_ex(
            asyncpool_ce_async_exception, 0,
            "This stream cannot be waited for by select(), which knows descriptors below %d only "
            "(FD_SETSIZE): install one of the extensions ev, event or uv for Revolt, or leave Revolt "
            "out: the loop of the extension asyncpool has no such limit",
            FD_SETSIZE);
    return !EG(exception);
}

bool asyncpool_revolt_watch(asyncpool_wait_t *wait, zval *stream, int fd)
{
    zval arguments[2], id;
    if (!can_watch(fd))
        return false;
    ZVAL_COPY_VALUE(&arguments[0], stream);
    callback(&arguments[1], "ready");
    ZVAL_UNDEF(&id);
    call(wait->writes ? revolt()->on_writable : revolt()->on_readable, &id, 2, arguments);
    zval_ptr_dtor(&arguments[1]);
    if (Z_TYPE(id) == IS_STRING)
        wait->watcher = Z_STR(id);
    return !EG(exception);
}

void asyncpool_revolt_unwatch(asyncpool_wait_t *wait)
{
    zend_string *watcher = wait->watcher;
    wait->watcher = NULL;
    asyncpool_stash_t stash = asyncpool_stash();
    cancel(watcher);
    asyncpool_unstash(stash, true);
}

/* ---- what Revolt calls ---- */

PHP_METHOD(Async_Internal_RevoltLoop, queued)
{
    ZEND_PARSE_PARAMETERS_NONE();
    arm_between();
    if (asyncpool_linked(&loop()->queue))
        call_with_callback(revolt()->defer, "turn");
    else
        revolt()->is_queued = false;
}

/* Lets all have a turn that are ready now. */
PHP_METHOD(Async_Internal_RevoltLoop, turn)
{
    zend_string *id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(id)
    ZEND_PARSE_PARAMETERS_END();
    revolt()->is_queued = false;
    revolt()->is_turning = true;
    asyncpool_run_turn();
    revolt()->is_turning = false;
    if (asyncpool_unwinding())
        loop()->running++; /* an exit: nothing runs any more */
    wake_between();
}

PHP_METHOD(Async_Internal_RevoltLoop, ring)
{
    zend_string *id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_STR(id)
    ZEND_PARSE_PARAMETERS_END();
    asyncpool_revolt_t *r = revolt();
    if (r->timer)
        zend_string_release(r->timer);
    r->timer = NULL;
    r->rings = ASYNCPOOL_NEVER;
    asyncpool_timers_ring();
    wake_between();
}

PHP_METHOD(Async_Internal_RevoltLoop, ready)
{
    zend_string *id;
    zval *stream;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_STR(id)
    Z_PARAM_ZVAL(stream)
    ZEND_PARSE_PARAMETERS_END();
    asyncpool_watchers_ready(id);
    wake_between();
}

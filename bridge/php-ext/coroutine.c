/*
 * Coroutines: a function that runs in a fiber of its own. The fiber is one of PHP's, with a function of ours at the
 * bottom of its stack: at its end that goes straight to the next one.
 *
 * Until it has ended, the fiber keeps its coroutine, in the place of its callable; the coroutine keeps the fiber. The
 * collector sees both.
 */
#include "internal.h"

#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_ini.h"
#include "zend_interfaces.h"
#include "coroutine_arginfo.h"

zend_class_entry *asyncpool_ce_coroutine;
static zend_object_handlers handlers;
static zend_function bottom = {ZEND_INTERNAL_FUNCTION};

static asyncpool_loop_t *loop(void) { return &ASYNCPOOL_G(loop); }
static asyncpool_coroutine_t *self(zval *this) { return asyncpool_coroutine_of(Z_OBJ_P(this)); }
static asyncpool_flow_t *flow_of(asyncpool_coroutine_t *coroutine)
{
    return coroutine->is_main ? &loop()->main : &coroutine->flow;
}

/* ---- its life as an object ---- */

static zend_object *create(zend_class_entry *ce)
{
    asyncpool_coroutine_t *coroutine = zend_object_alloc(sizeof *coroutine, ce);
    memset(coroutine, 0, XtOffsetOf(asyncpool_coroutine_t, std));
    zend_object_std_init(&coroutine->std, ce);
    coroutine->std.handlers = &handlers;
    coroutine->turn.starts = true;
    asyncpool_link_init(&coroutine->turn.link);
    asyncpool_link_init(&coroutine->followers);
    ZVAL_UNDEF(&coroutine->task);
    ZVAL_NULL(&coroutine->result);
    return &coroutine->std;
}

/* What it was to run. It is taken away before anything is let go. */
static void drop_task(asyncpool_coroutine_t *coroutine)
{
    zval task, *arguments = coroutine->arguments;
    uint32_t count = coroutine->count;
    HashTable *named = coroutine->named;
    ZVAL_COPY_VALUE(&task, &coroutine->task);
    ZVAL_UNDEF(&coroutine->task);
    coroutine->arguments = NULL;
    coroutine->count = 0;
    coroutine->named = NULL;
    for (uint32_t i = 0; i < count; i++)
        zval_ptr_dtor(&arguments[i]);
    if (arguments)
        efree(arguments);
    if (named)
        zend_array_release(named);
    zval_ptr_dtor(&task);
}

static void free_object(zend_object *object)
{
    asyncpool_coroutine_t *coroutine = asyncpool_coroutine_of(object);
    asyncpool_unlink(&coroutine->turn.link);
    while (asyncpool_linked(&coroutine->followers))
        asyncpool_unlink(coroutine->followers.next);
    drop_task(coroutine);
    zval_ptr_dtor(&coroutine->result);
    if (coroutine->error)
        OBJ_RELEASE(coroutine->error);
    if (coroutine->cancellation)
        OBJ_RELEASE(coroutine->cancellation);
    if (coroutine->flow.interrupt)
        OBJ_RELEASE(coroutine->flow.interrupt);
    if (coroutine->ends)
        zend_array_release(coroutine->ends);
    if (coroutine->fiber)
        OBJ_RELEASE(&coroutine->fiber->std);
    zend_object_std_dtor(object);
}

static void add_all(zend_get_gc_buffer *roots, HashTable *values)
{
    zval *value;
    if (!values)
        return;
    ZEND_HASH_FOREACH_VAL (values, value) {
        zend_get_gc_buffer_add_zval(roots, value);
    }
    ZEND_HASH_FOREACH_END();
}

static HashTable *get_gc(zend_object *object, zval **table, int *count)
{
    asyncpool_coroutine_t *coroutine = asyncpool_coroutine_of(object);
    zend_get_gc_buffer *roots = zend_get_gc_buffer_create();
    zend_get_gc_buffer_add_zval(roots, &coroutine->task);
    for (uint32_t i = 0; i < coroutine->count; i++)
        zend_get_gc_buffer_add_zval(roots, &coroutine->arguments[i]);
    add_all(roots, coroutine->named);
    add_all(roots, coroutine->ends);
    zend_get_gc_buffer_add_zval(roots, &coroutine->result);
    zend_object *objects[] = {coroutine->error, coroutine->cancellation, coroutine->flow.interrupt,
                              coroutine->fiber ? &coroutine->fiber->std : NULL};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        if (objects[i])
            zend_get_gc_buffer_add_obj(roots, objects[i]);
    }
    zend_get_gc_buffer_use(roots, table, count);
    return zend_std_get_properties(object);
}

static zend_function *get_constructor(zend_object *object)
{
    zend_throw_error(NULL, "Call to private Async\\Coroutine::__construct(): use Async\\spawn()");
    return NULL;
}

void asyncpool_coroutine_register(void)
{
    asyncpool_ce_coroutine = register_class_Async_Coroutine(zend_ce_stringable);
    asyncpool_ce_coroutine->create_object = create;
    memcpy(&handlers, &std_object_handlers, sizeof handlers);
    handlers.offset = XtOffsetOf(asyncpool_coroutine_t, std);
    handlers.free_obj = free_object;
    handlers.get_gc = get_gc;
    handlers.get_constructor = get_constructor;
    handlers.clone_obj = NULL;
}

/* ---- its course ---- */

asyncpool_coroutine_t *asyncpool_spawn(zval *task, bool is_hidden, bool is_background)
{
    asyncpool_coroutine_t *coroutine = asyncpool_coroutine_of(create(asyncpool_ce_coroutine));
    ZVAL_COPY(&coroutine->task, task);
    coroutine->id = is_hidden ? 0 : ++loop()->last_coroutine;
    coroutine->is_background = is_background;
    coroutine->era = loop()->era;
    loop()->alive += !is_background;
    loop()->events++;
    GC_ADDREF(&coroutine->std);
    asyncpool_enqueue(&coroutine->turn);
    return coroutine;
}

/* It keeps the script alive no more. */
static void ended(asyncpool_coroutine_t *coroutine)
{
    if (!coroutine->is_background && coroutine->era == loop()->era)
        loop()->alive--;
    coroutine->is_background = true;
}

/* Calls the task. */
static void run(asyncpool_coroutine_t *coroutine)
{
    zend_fcall_info info = {
        .size = sizeof info,
        .retval = &coroutine->result,
        .params = coroutine->arguments,
        .param_count = coroutine->count,
        .named_params = coroutine->named};
    zend_fcall_info_cache cache = empty_fcall_info_cache;
    ZVAL_COPY_VALUE(&info.function_name, &coroutine->task);
    zend_call_function(&info, &cache);
    if (Z_ISUNDEF(coroutine->result))
        ZVAL_NULL(&coroutine->result);
    else if (Z_ISREF(coroutine->result))
        zend_unwrap_reference(&coroutine->result);
    if (asyncpool_unwinding())
        return; /* it has not ended, as in PHP code, whose finally blocks do not run then */
    coroutine->error = asyncpool_catch(coroutine->error);
    zend_object *error = coroutine->error;
    if (error && !coroutine->is_excused && !instanceof_function(error->ce, asyncpool_ce_cancellation)) {
        GC_ADDREF(error);
        asyncpool_failed(error); /* until somebody asks */
    } else if (coroutine->period)
        asyncpool_every_again(coroutine->period);
    asyncpool_coroutine_complete(coroutine);
}

/* What is to be thrown where the fiber goes back to. */
static void pass_on(zend_fiber *fiber, zend_fiber_transfer *transfer)
{
    bool is_closed = fiber->flags & ZEND_FIBER_FLAG_DESTROYED;
    if (EG(exception) && !(is_closed && asyncpool_unwinding())) {
        fiber->flags |= ZEND_FIBER_FLAG_THREW;
        transfer->flags = ZEND_FIBER_TRANSFER_FLAG_ERROR;
        ZVAL_OBJ_COPY(&transfer->value, EG(exception));
    }
    zend_clear_exception();
}

/* What a fiber begins with: a stack of the VM, and a frame at its bottom. */
static void lay_bottom(zend_fiber *fiber)
{
    zend_long error_reporting = INI_INT("error_reporting");
    if (!error_reporting && !INI_STR("error_reporting"))
        error_reporting = E_ALL;
    zend_vm_stack stack = zend_vm_stack_new_page(ZEND_FIBER_VM_STACK_SIZE, NULL);
    EG(vm_stack) = stack;
    EG(vm_stack_top) = stack->top + ZEND_CALL_FRAME_SLOT;
    EG(vm_stack_end) = stack->end;
    EG(vm_stack_page_size) = ZEND_FIBER_VM_STACK_SIZE;
    fiber->execute_data = fiber->stack_bottom = (zend_execute_data *)stack->top;
    memset(fiber->execute_data, 0, sizeof *fiber->execute_data);
    fiber->execute_data->func = &bottom;
    fiber->stack_bottom->prev_execute_data = EG(current_execute_data);
    EG(current_execute_data) = fiber->execute_data;
    EG(jit_trace_num) = 0;
#ifdef ZEND_CHECK_STACK_LIMIT
    EG(stack_base) = zend_fiber_stack_base(fiber->context.stack);
    EG(stack_limit) = zend_fiber_stack_limit(fiber->context.stack);
#endif
    EG(error_reporting) = (int)error_reporting;
}

/* Nobody is in the fiber any more. */
static void clean_up(zend_fiber_context *context)
{
    zend_fiber *fiber = zend_fiber_from_context(context);
    zend_vm_stack current = EG(vm_stack);
    EG(vm_stack) = fiber->vm_stack;
    zend_vm_stack_destroy();
    EG(vm_stack) = current;
    fiber->execute_data = NULL;
    fiber->stack_bottom = NULL;
    fiber->caller = NULL;
}

/* What runs in the fiber. */
static ZEND_STACK_ALIGNED void execute(zend_fiber_transfer *transfer)
{
    zend_fiber *fiber = EG(active_fiber);
    EG(vm_stack) = NULL;
    /* clang-format off */
    zend_first_try {
        lay_bottom(fiber);
        asyncpool_coroutine_t *coroutine = asyncpool_coroutine_in(fiber);
        run(coroutine);
        if (!EG(exception) || !zend_is_unwind_exit(EG(exception))) {
            ended(coroutine);
            asyncpool_revolt_wake();
        }
        asyncpool_stash_t stash = asyncpool_stash();
        if (!stash.exception)
            drop_task(coroutine);
        ZVAL_UNDEF(&fiber->fci.function_name);
        OBJ_RELEASE(&coroutine->std);
        asyncpool_unstash(stash, true);
        pass_on(fiber, transfer);
        asyncpool_leave_for_ever(fiber, transfer);
    } zend_catch {
        fiber->flags |= ZEND_FIBER_FLAG_BAILOUT;
        transfer->flags = ZEND_FIBER_TRANSFER_FLAG_BAILOUT;
        transfer->context = fiber->caller;
    } zend_end_try();
    /* clang-format on */
    fiber->context.cleanup = clean_up;
    fiber->vm_stack = EG(vm_stack);
    fiber->caller = NULL;
}

zend_fiber *asyncpool_coroutine_start(asyncpool_coroutine_t *coroutine)
{
    asyncpool_unlink(&coroutine->turn.link);
    if (coroutine->ended || (coroutine->period && !asyncpool_every_is(coroutine->period))) { /* cancelled */
        ended(coroutine);
        OBJ_RELEASE(&coroutine->std);
        return NULL;
    }
    zend_fiber *fiber = (zend_fiber *)zend_ce_fiber->create_object(zend_ce_fiber);
    if (!zend_fiber_init_context(&fiber->context, zend_ce_fiber, execute, EG(fiber_stack_size))) {
        coroutine->error = asyncpool_catch(NULL);
        GC_ADDREF(coroutine->error);
        asyncpool_failed(coroutine->error);
        asyncpool_coroutine_complete(coroutine);
        ended(coroutine);
        OBJ_RELEASE(&coroutine->std);
        OBJ_RELEASE(&fiber->std);
        return NULL;
    }
    ZVAL_OBJ(&fiber->fci.function_name, &coroutine->std); /* the queue's reference */
    ZVAL_NULL(&fiber->result);
    fiber->previous = &fiber->context;
    GC_ADDREF(&fiber->std);
    coroutine->fiber = fiber;
    coroutine->is_started = true;
    return fiber;
}

asyncpool_coroutine_t *asyncpool_coroutine_in(const zend_fiber *fiber)
{
    bool is_one = fiber->context.function == execute && Z_TYPE(fiber->fci.function_name) == IS_OBJECT;
    return is_one ? asyncpool_coroutine_of(Z_OBJ(fiber->fci.function_name)) : NULL;
}

asyncpool_coroutine_t *asyncpool_coroutine_current(void)
{
    asyncpool_loop_t *l = loop();
    if (EG(active_fiber)) {
        asyncpool_coroutine_t *coroutine = asyncpool_coroutine_in(EG(active_fiber));
        return coroutine && coroutine->id ? coroutine : NULL;
    }
    if (!asyncpool_loop_ready())
        return NULL;
    if (!l->main_coroutine) {
        l->main_coroutine = asyncpool_coroutine_of(create(asyncpool_ce_coroutine));
        l->main_coroutine->id = ++l->last_coroutine;
        l->main_coroutine->is_main = l->main_coroutine->is_started = true;
        if (l->is_ended)
            asyncpool_coroutine_complete(l->main_coroutine);
    }
    return l->main_coroutine;
}

static void call_end(asyncpool_coroutine_t *coroutine, zval *callback)
{
    zval ignored, argument;
    ZVAL_UNDEF(&ignored);
    ZVAL_OBJ_COPY(&argument, &coroutine->std);
    call_user_function(NULL, NULL, callback, &ignored, 1, &argument);
    zval_ptr_dtor(&argument);
    zval_ptr_dtor(&ignored);
}

/* What is to be called at its end. It is not to throw; an exit in it is one. */
static void call_ends(asyncpool_coroutine_t *coroutine)
{
    HashTable *ends = coroutine->ends;
    zval *callback;
    coroutine->ends = NULL;
    if (!ends)
        return;
    ZEND_HASH_FOREACH_VAL (ends, callback) {
        if (!EG(exception))
            call_end(coroutine, callback);
    }
    ZEND_HASH_FOREACH_END();
    zend_array_release(ends);
}

void asyncpool_coroutine_complete(asyncpool_coroutine_t *coroutine)
{
    zend_fiber *fiber = coroutine->fiber;
    if (coroutine->ended)
        return;
    GC_ADDREF(&coroutine->std); /* what is called at its end may let it go */
    coroutine->ended = ++loop()->last_end;
    coroutine->fiber = NULL;
    call_ends(coroutine);
    while (asyncpool_linked(&coroutine->followers)) {
        asyncpool_follower_t *follower = ASYNCPOOL_OF(coroutine->followers.next, asyncpool_follower_t, link);
        asyncpool_unlink(&follower->link);
        if (!follower->is_enough || follower->is_enough(follower, coroutine))
            asyncpool_resume(follower->wait, NULL);
    }
    if (fiber) /* it runs, so somebody else has it, too */
        GC_DELREF(&fiber->std);
    asyncpool_revolt_wake();
    OBJ_RELEASE(&coroutine->std);
}

bool asyncpool_coroutine_is_running(const asyncpool_coroutine_t *coroutine)
{
    if (coroutine->is_main)
        return !EG(active_fiber);
    return EG(active_fiber) && asyncpool_coroutine_in(EG(active_fiber)) == coroutine;
}

bool asyncpool_coroutine_join(asyncpool_coroutine_t *coroutine)
{
    if (coroutine->ended)
        return true;
    if (asyncpool_coroutine_is_running(coroutine)) {
        zend_throw_exception(asyncpool_ce_async_exception, "A coroutine cannot await itself", 0);
        return false;
    }
    asyncpool_wait_t *wait = asyncpool_wait_new();
    if (!wait)
        return false;
    if (coroutine->ended) /* while the loop was being looked for */
        asyncpool_resume(wait, NULL);
    else
        asyncpool_link_last(&coroutine->followers, &wait->follower.link);
    return asyncpool_suspend(wait, ASYNCPOOL_NEVER, &coroutine->std, true, NULL);
}

void asyncpool_coroutine_await(asyncpool_coroutine_t *coroutine, zval *result)
{
    if (!asyncpool_coroutine_join(coroutine))
        return;
    if (!coroutine->error) {
        ZVAL_COPY(result, &coroutine->result);
        return;
    }
    GC_ADDREF(coroutine->error);
    asyncpool_told(coroutine->error);
    zend_throw_exception_internal(coroutine->error);
}

/* ---- its methods ---- */

PHP_METHOD(Async_Coroutine, __construct) { ZEND_PARSE_PARAMETERS_NONE(); }

PHP_METHOD(Async_Coroutine, getId)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(self(ZEND_THIS)->id);
}

PHP_METHOD(Async_Coroutine, cancel)
{
    asyncpool_coroutine_t *coroutine = self(ZEND_THIS);
    zval *cancellation = NULL, made;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(cancellation, asyncpool_ce_cancellation)
    ZEND_PARSE_PARAMETERS_END();
    if (coroutine->ended || coroutine->cancellation)
        return;
    if (cancellation) {
        ZVAL_COPY(&made, cancellation);
    } else {
        object_init_ex(&made, asyncpool_ce_cancellation);
        zend_update_property_string(zend_ce_error, Z_OBJ(made), ZEND_STRL("message"), "The coroutine was cancelled");
    }
    coroutine->cancellation = Z_OBJ(made);
    if (coroutine->is_started) {
        asyncpool_interrupt(flow_of(coroutine), coroutine->cancellation);
        asyncpool_revolt_wake();
    } else { /* and it does not start any more */
        coroutine->error = coroutine->cancellation;
        GC_ADDREF(coroutine->error);
        asyncpool_coroutine_complete(coroutine);
    }
}

PHP_METHOD(Async_Coroutine, isStarted)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(self(ZEND_THIS)->is_started);
}

PHP_METHOD(Async_Coroutine, isRunning)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(asyncpool_coroutine_is_running(self(ZEND_THIS)));
}

PHP_METHOD(Async_Coroutine, isSuspended)
{
    asyncpool_coroutine_t *coroutine = self(ZEND_THIS);
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(coroutine->is_started && !coroutine->ended && !asyncpool_coroutine_is_running(coroutine));
}

PHP_METHOD(Async_Coroutine, isCompleted)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(self(ZEND_THIS)->ended != 0);
}

PHP_METHOD(Async_Coroutine, isCancellationRequested)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(self(ZEND_THIS)->cancellation != NULL);
}

PHP_METHOD(Async_Coroutine, isCancelled)
{
    asyncpool_coroutine_t *coroutine = self(ZEND_THIS);
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(coroutine->ended && coroutine->error &&
                instanceof_function(coroutine->error->ce, asyncpool_ce_cancellation));
}

PHP_METHOD(Async_Coroutine, getResult)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_COPY(&self(ZEND_THIS)->result);
}

PHP_METHOD(Async_Coroutine, getException)
{
    asyncpool_coroutine_t *coroutine = self(ZEND_THIS);
    ZEND_PARSE_PARAMETERS_NONE();
    if (!coroutine->error)
        return;
    asyncpool_told(coroutine->error);
    RETURN_OBJ_COPY(coroutine->error);
}

/* For the package: what belongs to a coroutine is let go so. */
PHP_METHOD(Async_Coroutine, finally)
{
    asyncpool_coroutine_t *coroutine = self(ZEND_THIS);
    zval *callback;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_OBJECT_OF_CLASS(callback, zend_ce_closure)
    ZEND_PARSE_PARAMETERS_END();
    if (coroutine->ended) {
        call_end(coroutine, callback);
        return;
    }
    if (!coroutine->ends)
        coroutine->ends = zend_new_array(1);
    Z_ADDREF_P(callback);
    zend_hash_next_index_insert_new(coroutine->ends, callback);
}

PHP_METHOD(Async_Coroutine, __toString)
{
    asyncpool_coroutine_t *coroutine = self(ZEND_THIS);
    ZEND_PARSE_PARAMETERS_NONE();
    if (coroutine->is_main)
        RETURN_STRING("the end of the main flow");
    RETURN_STR(zend_strpprintf(0, "the end of coroutine " ZEND_LONG_FMT, coroutine->id));
}

/*
 * The hooks of a pool as the library's callables. The library calls them while it makes the first resources, and
 * when C code uses the pool; there are frames of the library below then. So what they throw stays where it is
 * until PHP goes on, and a fatal error, which is a longjmp, is caught and goes on when the library has returned.
 */
#include "internal.h"

#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"

void asyncpool_guarded(void (*body)(void *), void *argument, zend_object *keep)
{
    if (ASYNCPOOL_G(bailed) || CG(unclean_shutdown))
        return;
    /* clang-format off */
    zend_try {
        asyncpool_stash_t stash = asyncpool_stash();
        if (keep)
            GC_ADDREF(keep);
        body(argument);
        asyncpool_unstash(stash, true);
        if (keep)
            OBJ_RELEASE(keep);
    } zend_catch {
        ASYNCPOOL_G(bailed) = true;
    } zend_end_try();
    /* clang-format on */
}

void asyncpool_after_library(void)
{
    asyncpool_wake_all();
    if (UNEXPECTED(ASYNCPOOL_G(bailed))) {
        ASYNCPOOL_G(bailed) = false;
        zend_bailout();
    }
}

typedef struct call {
    asyncpool_hooks_t *hooks;
    int hook;
    pool_t *pool;
    void **resource;
    bool ok;
    asyncpool_entry_t *destroyed; /* its address is not used again before the hook has returned */
} call_t;

static void failed(pool_t *pool, zend_object *error)
{
    zend_string *text = asyncpool_message(error);
    if (!text)
        return;
    asyncpool_lib.pool_set_error(pool, 0, ZSTR_VAL(text));
    zend_string_release(text);
}

/* Nothing was made, for C code. Where that waits for the next time, nobody is thrown it; the constructor does not wait. */
static void not_made(pool_obj_t *obj, pool_t *pool)
{
    zend_long ms;
    failed(pool, EG(exception));
    bool later = !obj->filling && asyncpool_is_later(EG(exception), &ms);
    if (later)
        asyncpool_lib.pool_try_later(pool, (uint32_t)ms);
    if (later || (!obj->filling && obj->options.create_retry > 0))
        asyncpool_drop();
}

static void answer(void *argument)
{
    call_t *call = argument;
    pool_obj_t *obj = call->hooks->owner;
    bool has_entry = call->hook != ASYNCPOOL_FACTORY && call->hook != ASYNCPOOL_ON_LEAK;
    asyncpool_entry_t *entry = has_entry ? *call->resource : NULL;
    zend_object *refusal;
    switch (call->hook) {
    case ASYNCPOOL_FACTORY:
        *call->resource = entry =
            asyncpool_create(obj, obj->budget ? asyncpool_lib.pool_time_left_ms(call->pool) : INT64_MAX);
        call->ok = entry != NULL;
        if (EG(exception) && !asyncpool_unwinding())
            not_made(obj, call->pool);
        break;
    case ASYNCPOOL_DESTRUCTOR:
        asyncpool_store_remove(&obj->store, entry);
        asyncpool_destroy(obj, &entry->value);
        zval_ptr_dtor(&entry->value);
        asyncpool_budget_give(obj);
        call->destroyed = entry;
        break;
    case ASYNCPOOL_HEALTHCHECK:
        call->ok = asyncpool_is_healthy(obj, &entry->value);
        break;
    case ASYNCPOOL_BEFORE_ACQUIRE:
        call->ok = asyncpool_may_lend(obj, &entry->value);
        break;
    case ASYNCPOOL_BEFORE_RELEASE:
        refusal = asyncpool_refusal(obj, &entry->value);
        call->ok = !refusal && !EG(exception);
        if (refusal) {
            failed(call->pool, refusal);
            OBJ_RELEASE(refusal);
        }
        break;
    case ASYNCPOOL_ON_LEAK:
        asyncpool_leaked(obj, *call->resource);
        break;
    }
}

static bool invoke(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    asyncpool_hooks_t *hooks = fcall->data;
    pool_obj_t *owner = hooks->owner;
    call_t call = {hooks, (int)((asyncpool_hook_t *)fcall - hooks->hook), pool, resource, false, NULL};
    if (!owner)
        return false;
    if (owner->filling && !owner->pool)
        owner->pool = asyncpool_lib.pool_ref(pool); /* it has not been handed out yet */
    asyncpool_guarded(answer, &call, &owner->std);
    if (call.destroyed)
        efree(call.destroyed);
    return call.ok && hooks->owner; /* its resources have gone with it */
}

static void dispose(pool_fcall_t *fcall)
{
    asyncpool_hooks_t *hooks = fcall->data;
    if (--hooks->refs == 0)
        pefree(hooks, true);
}

bool asyncpool_closure_of(zval *callable, zval *closure)
{
    if (Z_TYPE_P(callable) == IS_OBJECT && Z_OBJCE_P(callable) == zend_ce_closure)
        ZVAL_COPY(closure, callable);
    else
        zend_call_method(NULL, zend_ce_closure, NULL, "fromcallable", sizeof "fromcallable" - 1, closure, 1, callable,
                         NULL);
    return !EG(exception);
}

static bool take(asyncpool_hook_t *hook, zval *callable)
{
    return asyncpool_closure_of(callable, &hook->closure) &&
           zend_is_callable_ex(&hook->closure, NULL, 0, NULL, &hook->cache, NULL);
}

asyncpool_hooks_t *asyncpool_hooks_new(pool_obj_t *owner, zval *callables[ASYNCPOOL_HOOKS])
{
    asyncpool_hooks_t *hooks = pecalloc(1, sizeof *hooks, true);
    hooks->owner = owner;
    hooks->refs = 1;
    for (int i = 0; i < ASYNCPOOL_HOOKS; i++)
        hooks->hook[i].fcall = (pool_fcall_t){invoke, dispose, hooks};
    for (int i = 0; i < ASYNCPOOL_HOOKS; i++) {
        if (callables[i] && !take(&hooks->hook[i], callables[i])) {
            asyncpool_hooks_release(hooks);
            return NULL;
        }
    }
    return hooks;
}

/* What they are goes first: the end of a closure may be a fatal error, which does not come back. */
void asyncpool_hooks_release(asyncpool_hooks_t *hooks)
{
    zval closures[ASYNCPOOL_HOOKS];
    hooks->owner = NULL;
    for (int i = 0; i < ASYNCPOOL_HOOKS; i++) {
        ZVAL_COPY_VALUE(&closures[i], &hooks->hook[i].closure);
        ZVAL_UNDEF(&hooks->hook[i].closure);
    }
    dispose(&hooks->hook[0].fcall);
    for (int i = 0; i < ASYNCPOOL_HOOKS; i++)
        zval_ptr_dtor(&closures[i]);
}

pool_fcall_t *asyncpool_hooks_fcall(asyncpool_hooks_t *hooks, int hook)
{
    if (!asyncpool_has(hooks, hook) && hook != ASYNCPOOL_DESTRUCTOR) /* a value goes in any case */
        return NULL;
    hooks->refs++;
    return &hooks->hook[hook].fcall;
}

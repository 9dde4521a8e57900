/*
 * What PHP's loop knows of a pool while somebody waits for it, and for its healthchecks. It refers to the pool
 * weakly, so that the pool goes as soon as its last user lets it go.
 */
#include "internal.h"

#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "pool_ref_arginfo.h"

typedef struct ref {
    pool_obj_t *owner; /* NULL: gone */
    zend_object std;
} ref_t;

static zend_class_entry *ref_ce;
static zend_object_handlers handlers;

static ref_t *of(zend_object *object) { return (ref_t *)((char *)object - XtOffsetOf(ref_t, std)); }

static zend_object *create(zend_class_entry *ce)
{
    ref_t *ref = zend_object_alloc(sizeof *ref, ce);
    ref->owner = NULL;
    zend_object_std_init(&ref->std, ce);
    object_properties_init(&ref->std, ce);
    ref->std.handlers = &handlers;
    return &ref->std;
}

void asyncpool_ref_register(void)
{
    ref_ce = register_class_Async_Internal_PoolRef(zend_ce_stringable);
    ref_ce->create_object = create;
    memcpy(&handlers, &std_object_handlers, sizeof handlers);
    handlers.offset = XtOffsetOf(ref_t, std);
    handlers.clone_obj = NULL;
}

zend_object *asyncpool_ref_new(pool_obj_t *owner)
{
    zend_object *object = create(ref_ce);
    of(object)->owner = owner;
    return object;
}

void asyncpool_ref_forget(zend_object *ref) { of(ref)->owner = NULL; }

static void closure_of(zend_object *ref, const char *method, size_t length, zval *closure)
{
    zval self;
    ZVAL_OBJ(&self, ref);
    zend_create_fake_closure(
        closure, zend_hash_str_find_ptr(&ref_ce->function_table, method, length), ref_ce, ref_ce, &self);
}

void asyncpool_ref_sweeper(zend_object *ref, zval *closure) { closure_of(ref, ZEND_STRL("sweep"), closure); }

typedef struct later {
    zend_object *ref;
    const char *method;
    size_t length;
} later_t;

static void spawn(void *argument)
{
    later_t *later = argument;
    zval closure;
    if (asyncpool_loop_ready()) {
        closure_of(later->ref, later->method, later->length, &closure);
        asyncpool_coroutine_t *coroutine = asyncpool_spawn(&closure, true, true);
        OBJ_RELEASE(&coroutine->std);
        zval_ptr_dtor(&closure);
        asyncpool_revolt_wake();
    }
    asyncpool_drop();
}

void asyncpool_ref_later(zend_object *ref, const char *method, size_t length)
{
    later_t later = {ref, method, length};
    asyncpool_undisturbed(spawn, &later);
}

/* What a report of a deadlock says of those who wait here. */
PHP_METHOD(Async_Internal_PoolRef, __toString)
{
    pool_obj_t *owner = of(Z_OBJ_P(ZEND_THIS))->owner;
    char text[256];
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_STRINGL(text, asyncpool_lib.pool_describe(owner ? owner->pool : NULL, text, sizeof text));
}

/* Makes one of what those in line wait for; it keeps the pool. */
PHP_METHOD(Async_Internal_PoolRef, make)
{
    pool_obj_t *owner = of(Z_OBJ_P(ZEND_THIS))->owner;
    ZEND_PARSE_PARAMETERS_NONE();
    if (!owner || !owner->pool)
        return;
    GC_ADDREF(&owner->std);
    asyncpool_make_one(owner);
    OBJ_RELEASE(&owner->std);
}

/* One pass of the healthcheck; it keeps the pool. */
PHP_METHOD(Async_Internal_PoolRef, sweep)
{
    pool_obj_t *owner = of(Z_OBJ_P(ZEND_THIS))->owner;
    ZEND_PARSE_PARAMETERS_NONE();
    if (!owner || !owner->pool)
        return;
    GC_ADDREF(&owner->std);
    asyncpool_sweep(owner);
    OBJ_RELEASE(&owner->std);
}

/*
 * What PHP's loop knows of a pool while somebody waits for it, and for its healthchecks. It refers to the pool
 * weakly, so that the pool goes as soon as its last user lets it go.
 */
#include "internal.h"

#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "view_arginfo.h"

typedef struct view {
    pool_obj_t *owner; /* NULL: gone */
    zend_object std;
} view_t;

static zend_class_entry *view_ce;
static zend_object_handlers handlers;

static view_t *of(zend_object *object) { return (view_t *)((char *)object - XtOffsetOf(view_t, std)); }

static zend_object *create(zend_class_entry *ce)
{
    view_t *view = zend_object_alloc(sizeof *view, ce);
    view->owner = NULL;
    zend_object_std_init(&view->std, ce);
    object_properties_init(&view->std, ce);
    view->std.handlers = &handlers;
    return &view->std;
}

void asyncpool_view_register(void)
{
    view_ce = register_class_Async_Internal_PoolView(zend_ce_stringable);
    view_ce->create_object = create;
    memcpy(&handlers, &std_object_handlers, sizeof handlers);
    handlers.offset = XtOffsetOf(view_t, std);
    handlers.clone_obj = NULL;
}

zend_object *asyncpool_view_new(pool_obj_t *owner)
{
    zend_object *object = create(view_ce);
    of(object)->owner = owner;
    return object;
}

void asyncpool_view_forget(zend_object *view) { of(view)->owner = NULL; }

void asyncpool_view_sweeper(zend_object *view, zval *closure)
{
    zval self;
    ZVAL_OBJ(&self, view);
    zend_function *sweep = zend_hash_str_find_ptr(&view_ce->function_table, ZEND_STRL("sweep"));
    zend_create_fake_closure(closure, sweep, view_ce, view_ce, &self);
}

/* What a report of a deadlock says of those who wait here. */
PHP_METHOD(Async_Internal_PoolView, __toString)
{
    pool_obj_t *owner = of(Z_OBJ_P(ZEND_THIS))->owner;
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    ZEND_PARSE_PARAMETERS_NONE();
    if (owner && owner->pool)
        asyncpool_lib.pool_snapshot(owner->pool, &counts);
    RETURN_STR(zend_strpprintf(0, "Pool(idle=%u, active=%u, reserved=%u, waiting=%u, max=%u)", counts.idle,
                               counts.active, counts.reserved, counts.waiting, counts.max));
}

/* One pass of the healthcheck; it keeps the pool. */
PHP_METHOD(Async_Internal_PoolView, sweep)
{
    pool_obj_t *owner = of(Z_OBJ_P(ZEND_THIS))->owner;
    ZEND_PARSE_PARAMETERS_NONE();
    if (!owner || !owner->pool)
        return;
    GC_ADDREF(&owner->std);
    asyncpool_sweep(owner);
    OBJ_RELEASE(&owner->std);
}

/*
 * Async\Pool as an object: its life, and what the collector of cycles is told. The end comes in two steps:
 * __destruct() calls destructors of resources and may throw; what is left when the object is freed, because a fatal
 * error or an exit came before, goes without a hook.
 */
#include "internal.h"

#include "zend_exceptions.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *ce)
{
    pool_obj_t *obj = zend_object_alloc(sizeof *obj, ce);
    memset(obj, 0, XtOffsetOf(pool_obj_t, std));
    zend_object_std_init(&obj->std, ce);
    object_properties_init(&obj->std, ce);
    obj->std.handlers = &handlers;
    asyncpool_store_init(&obj->store);
    return &obj->std;
}

zend_object *asyncpool_ref(pool_obj_t *obj)
{
    if (!obj->ref)
        obj->ref = asyncpool_ref_new(obj);
    return obj->ref;
}

/* Ends what no hook is called for any more. */
static void drop(pool_obj_t *obj)
{
    if (obj->hooks)
        asyncpool_end_silently(obj);
    asyncpool_forget(obj);
}

/* Destructors of PHP run below. They must not find the object: through the loop, C code, or a WeakReference. */
static void free_object(zend_object *object)
{
    pool_obj_t *obj = asyncpool_obj(object);
    asyncpool_makers_leave(obj);
    if (obj->ref)
        asyncpool_ref_forget(obj->ref);
    if (obj->hooks)
        obj->hooks->owner = NULL;
    if (obj->pool && obj->pool->wrapper == object)
        obj->pool->wrapper = NULL;
    zend_object_std_dtor(object);
    if (obj->ref)
        OBJ_RELEASE(obj->ref);
    if (obj->pool)
        drop(obj);
    asyncpool_ops_free(obj);
    if (obj->hooks)
        asyncpool_hooks_release(obj->hooks);
    if (obj->budget)
        OBJ_RELEASE(obj->budget);
    if (obj->strategy)
        OBJ_RELEASE(obj->strategy);
    if (obj->replaced)
        zend_array_destroy(obj->replaced);
    if (obj->failure)
        OBJ_RELEASE(obj->failure);
    if (obj->reason)
        zend_string_release(obj->reason);
    if (obj->discard_on)
        efree(obj->discard_on);
    asyncpool_store_destroy(&obj->store);
}

/* All that this object refers to: what PHP code can reach through it, and nothing twice. */
static HashTable *get_gc(zend_object *object, zval **table, int *count)
{
    pool_obj_t *obj = asyncpool_obj(object);
    zend_get_gc_buffer *roots = zend_get_gc_buffer_create();
    for (int i = 0; obj->hooks && i < ASYNCPOOL_HOOKS; i++)
        zend_get_gc_buffer_add_zval(roots, &obj->hooks->hook[i].closure);
    for (asyncpool_entry_t *entry = obj->store.all; entry; entry = entry->older)
        zend_get_gc_buffer_add_zval(roots, &entry->value);
    for (asyncpool_op_t *op = obj->busy; op; op = op->next) {
        if (op->error)
            zend_get_gc_buffer_add_obj(roots, op->error);
        if (op->failure)
            zend_get_gc_buffer_add_obj(roots, op->failure);
        if (op->refusal)
            zend_get_gc_buffer_add_obj(roots, op->refusal);
        if (op->verdict)
            zend_get_gc_buffer_add_obj(roots, op->verdict);
    }
    if (obj->failure)
        zend_get_gc_buffer_add_obj(roots, obj->failure);
    if (obj->budget)
        zend_get_gc_buffer_add_obj(roots, obj->budget);
    if (obj->strategy)
        zend_get_gc_buffer_add_obj(roots, obj->strategy);
    if (obj->replaced) {
        zval *strategy;
        ZEND_HASH_FOREACH_VAL (obj->replaced, strategy) {
            zend_get_gc_buffer_add_zval(roots, strategy);
        }
        ZEND_HASH_FOREACH_END();
    }
    if (obj->ref)
        zend_get_gc_buffer_add_obj(roots, obj->ref);
    zend_get_gc_buffer_use(roots, table, count);
    return zend_std_get_properties(object);
}

/* Two pools are never equal. What is no object is compared as with any other. */
static int compare(zval *one, zval *other)
{
    ZEND_COMPARE_OBJECTS_FALLBACK(one, other);
    return ZEND_UNCOMPARABLE;
}

/* There is one pool behind an object; __clone() is private, this is for whoever gets around it. */
static zend_object *refuse_clone(zend_object *object)
{
    zend_throw_error(NULL, "Trying to clone an uncloneable object of class %s", ZSTR_VAL(object->ce->name));
    return create(object->ce);
}

void *asyncpool_object_of(pool_t *pool)
{
    if (pool->wrapper) {
        GC_ADDREF((zend_object *)pool->wrapper);
        return pool->wrapper;
    }
    zend_object *object = create(asyncpool_ce_pool);
    asyncpool_obj(object)->pool = asyncpool_lib.pool_ref(pool);
    asyncpool_obj(object)->constructed = true;
    return object;
}

void asyncpool_object_register(zend_class_entry *ce)
{
    ce->create_object = create;
    memcpy(&handlers, &std_object_handlers, sizeof handlers);
    handlers.offset = XtOffsetOf(pool_obj_t, std);
    handlers.free_obj = free_object;
    handlers.get_gc = get_gc;
    handlers.compare = compare;
    handlers.clone_obj = refuse_clone;
}

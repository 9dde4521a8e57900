/*
 * The resources of a pool by their values: to the library one is the address of its entry, PHP code gives back
 * the value. A factory may make identical values; then any of them that is lent will do.
 */
#include "internal.h"

static void free_chain(zval *chain)
{
    asyncpool_entry_t *entry = Z_PTR_P(chain);
    while (entry) {
        asyncpool_entry_t *next = entry->same;
        zval_ptr_dtor(&entry->value);
        efree(entry);
        entry = next;
    }
}

void asyncpool_store_init(asyncpool_store_t *store)
{
    zend_hash_init(&store->by_key, 8, NULL, free_chain, false);
}

void asyncpool_store_destroy(asyncpool_store_t *store) { zend_hash_destroy(&store->by_key); }

/* The same for what is identical; what shares one and is not is told apart by same(). */
static zend_ulong key_of(const zval *value)
{
    switch (Z_TYPE_P(value)) {
    case IS_OBJECT:
        return Z_OBJ_HANDLE_P(value);
    case IS_LONG:
        return (zend_ulong)Z_LVAL_P(value);
    case IS_STRING:
        return zend_string_hash_val(Z_STR_P(value));
    case IS_ARRAY:
        return zend_hash_num_elements(Z_ARRVAL_P(value));
    case IS_RESOURCE:
        return (zend_ulong)Z_RES_HANDLE_P(value);
    case IS_DOUBLE: {
        double number = Z_DVAL_P(value) + 0.0; /* -0.0 is 0.0 */
        zend_ulong bits = 0;
        memcpy(&bits, &number, MIN(sizeof bits, sizeof number));
        return bits;
    }
    default:
        return Z_TYPE_P(value);
    }
}

static bool same(const asyncpool_entry_t *entry, zend_ulong key, zval *value)
{
    if (entry->key != key || Z_TYPE(entry->value) != Z_TYPE_P(value))
        return false;
    return Z_TYPE_P(value) == IS_DOUBLE || zend_is_identical((zval *)&entry->value, value); /* NAN is NAN */
}

asyncpool_entry_t *asyncpool_store_add(asyncpool_store_t *store, zval *value)
{
    asyncpool_entry_t *entry = emalloc(sizeof *entry), *last;
    ZVAL_COPY_VALUE(&entry->value, value);
    entry->key = key_of(value);
    entry->same = NULL;
    last = zend_hash_index_find_ptr(&store->by_key, entry->key);
    if (!last) {
        zend_hash_index_add_new_ptr(&store->by_key, entry->key, entry);
        return entry;
    }
    while (last->same)
        last = last->same;
    last->same = entry;
    return entry;
}

void asyncpool_store_remove(asyncpool_store_t *store, asyncpool_entry_t *entry)
{
    zval *slot = zend_hash_index_find(&store->by_key, entry->key);
    asyncpool_entry_t *other = Z_PTR_P(slot);
    if (other == entry) {
        Z_PTR_P(slot) = entry->same; /* free_chain() is content with NULL */
        if (!entry->same)
            zend_hash_index_del(&store->by_key, entry->key);
    } else {
        while (other->same != entry)
            other = other->same;
        other->same = entry->same;
    }
    entry->same = NULL;
}

asyncpool_entry_t *asyncpool_store_find(asyncpool_store_t *store, zval *value, asyncpool_entry_t *after)
{
    zend_ulong key = key_of(value);
    asyncpool_entry_t *entry = after ? after->same : zend_hash_index_find_ptr(&store->by_key, key);
    while (entry && !same(entry, key, value))
        entry = entry->same;
    return entry;
}

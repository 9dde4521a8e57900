/* Twin: bridge/php/src/Internal/Store.php. */

/*
 * The resources of a pool by their values: to the library one is the address of its entry, PHP code gives back
 * the value. A factory may make identical values; then any of them that is lent will do.
 *
 * Those that share a key lie in a ring, the lent ones first: which one a release means is found at the first look,
 * however many there are.
 */
#include "internal.h"

void asyncpool_store_init(asyncpool_store_t *store)
{
    memset(store, 0, sizeof *store);
    zend_hash_init(&store->by_key, 8, NULL, NULL, false);
}

void asyncpool_store_destroy(asyncpool_store_t *store)
{
    asyncpool_entry_t *entry;
    while ((entry = store->all)) {
        asyncpool_store_remove(store, entry);
        zval_ptr_dtor(&entry->value);
        efree(entry);
    }
    zend_hash_destroy(&store->by_key);
}

/* ---- rings ---- */

static zval *ring_of(asyncpool_store_t *store, zend_ulong key) { return zend_hash_index_find(&store->by_key, key); }

static void link_entry(asyncpool_store_t *store, asyncpool_entry_t *entry, bool first)
{
    zval *ring = ring_of(store, entry->key);
    if (!ring) {
        entry->next = entry->previous = entry;
        zend_hash_index_add_new_ptr(&store->by_key, entry->key, entry);
        return;
    }
    asyncpool_entry_t *head = Z_PTR_P(ring);
    entry->next = head;
    entry->previous = head->previous;
    entry->previous->next = head->previous = entry;
    if (first)
        Z_PTR_P(ring) = entry;
}

static void unlink_entry(asyncpool_store_t *store, asyncpool_entry_t *entry)
{
    if (entry->next == entry) {
        zend_hash_index_del(&store->by_key, entry->key);
        return;
    }
    zval *ring = ring_of(store, entry->key);
    if (Z_PTR_P(ring) == entry)
        Z_PTR_P(ring) = entry->next;
    entry->next->previous = entry->previous;
    entry->previous->next = entry->next;
}

void asyncpool_store_move(asyncpool_store_t *store, asyncpool_entry_t *entry)
{
    unlink_entry(store, entry);
    link_entry(store, entry, entry->lent != ASYNCPOOL_KEPT);
}

asyncpool_entry_t *asyncpool_store_add(asyncpool_store_t *store, zval *value)
{
    asyncpool_entry_t *entry = emalloc(sizeof *entry);
    ZVAL_COPY_VALUE(&entry->value, value);
    entry->lent = ASYNCPOOL_KEPT;
    entry->place = NULL;
    entry->coroutine = 0;
    entry->key = asyncpool_key(value, &entry->loose);
    if (entry->loose)
        entry->key = asyncpool_address_key(value);
    store->loose += entry->loose;
    entry->older = store->all;
    entry->newer = NULL;
    if (entry->older)
        entry->older->newer = entry;
    store->all = entry;
    link_entry(store, entry, false);
    return entry;
}

void asyncpool_store_remove(asyncpool_store_t *store, asyncpool_entry_t *entry)
{
    if (entry->place)
        zend_string_release(entry->place);
    entry->place = NULL;
    if (store->recent == entry)
        store->recent = NULL;
    store->lent -= entry->lent != ASYNCPOOL_KEPT;
    store->loose -= entry->loose;
    *(entry->newer ? &entry->newer->older : &store->all) = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    unlink_entry(store, entry);
}

/* ---- looking ---- */

static bool same(const asyncpool_entry_t *entry, zend_ulong key, zval *value)
{
    if (Z_TYPE(entry->value) != Z_TYPE_P(value))
        return false;
    if (Z_TYPE_P(value) == IS_DOUBLE) /* NAN is NAN here */
        return entry->key == key;
    return zend_is_identical((zval *)&entry->value, value);
}

/* The first identical one in a ring, from one of its entries on. */
static asyncpool_entry_t *search(asyncpool_store_t *store, zend_ulong key, asyncpool_entry_t *from, zval *value)
{
    zval *ring = ring_of(store, key);
    asyncpool_entry_t *head = ring ? Z_PTR_P(ring) : NULL, *entry = from ? from : head;
    if (!entry)
        return NULL;
    do {
        if (same(entry, key, value))
            return entry;
        entry = entry->next;
    } while (entry != head);
    return NULL;
}

/* Of a loose one that is given back as another array, which is identical to it now. */
static asyncpool_entry_t *search_loose(asyncpool_store_t *store, zval *value)
{
    asyncpool_entry_t *found = NULL;
    for (asyncpool_entry_t *entry = store->all; entry && !(found && found->lent); entry = entry->older) {
        if (entry->loose && (!found || entry->lent) && same(entry, entry->key, value))
            found = entry;
    }
    return found;
}

asyncpool_entry_t *asyncpool_store_find(asyncpool_store_t *store, zval *value, asyncpool_entry_t *after)
{
    bool refers;
    if (after) /* a ring ends where it begins */
        return after->next == after || after->next == Z_PTR_P(ring_of(store, after->key))
                   ? NULL
                   : search(store, after->key, after->next, value);
    asyncpool_entry_t *entry = search(store, asyncpool_key(value, &refers), NULL, value), *loose;
    if ((entry && entry->lent) || Z_TYPE_P(value) != IS_ARRAY || store->loose == 0)
        return entry;
    loose = search(store, asyncpool_address_key(value), NULL, value);
    if (!loose)
        loose = search_loose(store, value);
    return loose && (loose->lent || !entry) ? loose : entry;
}

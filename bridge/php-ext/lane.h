/*
 * The short way of acquire(), tryAcquire() and release(): what takes no decision is one call of the library and no look-up.
 *
 * What was lent last mostly comes back first, and is known by its value as it lies in memory: the same object, the same
 * array, the same number. Anything else is looked for in store.c. Neither way runs PHP code: what is lent stays in the
 * store, too, so its value does not end when the caller lets it go, and an address is not used again meanwhile.
 */
#ifndef ASYNCPOOL_LANE_H
#define ASYNCPOOL_LANE_H

#include "internal.h"

/* Lends what is idle. False: nothing is, or something is to be decided; all is as before. */
static inline bool asyncpool_lane_take(pool_obj_t *obj, zval *result)
{
    asyncpool_entry_t *entry = EXPECTED(obj->lane) ? asyncpool_lib.pool_take(obj->lane) : NULL;
    if (UNEXPECTED(!entry))
        return false;
    asyncpool_store_lend(&obj->store, entry, ASYNCPOOL_LENT, result);
    if (UNEXPECTED(obj->notes))
        asyncpool_note(entry);
    return true;
}

/* Is it the one that was lent last, and not to with()? An array with references in it may be identical to others: see store.c. */
static inline bool asyncpool_lane_knows(const asyncpool_entry_t *entry, const zval *value)
{
    return EXPECTED(entry) && Z_TYPE(entry->value) == Z_TYPE_P(value) &&
           memcmp(&entry->value.value, &value->value, sizeof value->value) == 0 && entry->lent == ASYNCPOOL_LENT &&
           !entry->loose;
}

/* Takes back what was lent last. False: it is another one, or something is to be decided; all is as before. */
static inline bool asyncpool_lane_give(pool_obj_t *obj, const zval *resource)
{
    asyncpool_entry_t *entry = obj->store.recent;
    if (!asyncpool_lane_knows(entry, resource) || UNEXPECTED(!obj->lane) ||
        UNEXPECTED(asyncpool_lib.pool_give(obj->lane, entry) != POOL_OK))
        return false;
    asyncpool_store_mark(&obj->store, entry, ASYNCPOOL_KEPT);
    asyncpool_wake(obj);
    return true;
}

#endif

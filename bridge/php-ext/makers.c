/* Twin: bridge/php/src/Internal/Makers.php. */

/*
 * Makes what those in line wait for, of pools whose callers do not call the factory: createBehind.
 *
 * How many creations are due is the library's affair, and asked after whatever may have changed it: of the pool that it
 * is about, and of all such pools after calls of C code. Each runs in a fiber of its own, in the background; here is only
 * counted who was called and has not come.
 */
#include "internal.h"

void asyncpool_makers_join(pool_obj_t *obj)
{
    obj->maker.next = ASYNCPOOL_G(makers);
    if (obj->maker.next)
        obj->maker.next->maker.previous = obj;
    ASYNCPOOL_G(makers) = obj;
    obj->maker.joined = true;
}

void asyncpool_makers_leave(pool_obj_t *obj)
{
    if (!obj->maker.joined)
        return;
    *(obj->maker.previous ? &obj->maker.previous->maker.next : &ASYNCPOOL_G(makers)) = obj->maker.next;
    if (obj->maker.next)
        obj->maker.next->maker.previous = obj->maker.previous;
    memset(&obj->maker, 0, sizeof obj->maker);
}

/* Calls as many as are due. Who comes too late finds nothing to do; where there is no loop, who waits is told so. */
void asyncpool_makers_call(pool_obj_t *obj)
{
    uint32_t due = asyncpool_lib.pool_creations_due(obj->pool);
    for (; obj->maker.called < due; obj->maker.called++)
        asyncpool_ref_later(asyncpool_ref(obj), ZEND_STRL("make"));
}

void asyncpool_makers_call_all(void)
{
    for (pool_obj_t *obj = ASYNCPOOL_G(makers); obj; obj = obj->maker.next)
        asyncpool_makers_call(obj);
}

/* One has come. */
void asyncpool_makers_come(pool_obj_t *obj)
{
    if (obj->maker.called > 0)
        obj->maker.called--;
}

/* Twin: bridge/php/src/Internal/Maintenance.php. */

/*
 * When the passes of a pool come that look after health, age, idleness, leaks, and what is to be there. They run in PHP's
 * loop, in the background, while some flow waits.
 */
#include "internal.h"

void asyncpool_maintenance_begin(pool_obj_t *obj, zend_long min, bool at_once)
{
    bool checks = asyncpool_has(obj->hooks, ASYNCPOOL_HEALTHCHECK);
    zend_long interval = asyncpool_options_interval(&obj->options, min, checks);
    if (interval == 0)
        return;
    if (obj->timer == 0)
        obj->timer = asyncpool_timer_start(interval, asyncpool_ref(obj));
    if (at_once && !EG(exception))
        asyncpool_ref_later(asyncpool_ref(obj), ZEND_STRL("sweep"));
}

void asyncpool_maintenance_end(pool_obj_t *obj)
{
    zend_long timer = obj->timer;
    obj->timer = 0;
    if (timer)
        asyncpool_timer_stop(timer);
}

/* Twin: bridge/php/src/Internal/Maintenance.php. */

/*
 * When the passes of a pool come that look after health, age, idleness, leaks, and what is to be there. They run in PHP's
 * loop, in the background, while some flow waits.
 *
 * Where so many are kept idle, one comes as soon as fewer are and there is room for more. It is called once each time
 * that this begins: where the factory fails nobody is helped by another one at once.
 */
#include "internal.h"

static void call(pool_obj_t *obj);

void asyncpool_maintenance_begin(pool_obj_t *obj, zend_long min, bool at_once)
{
    bool checks = asyncpool_has(obj->hooks, ASYNCPOOL_HEALTHCHECK);
    zend_long interval = asyncpool_options_interval(&obj->options, min, checks);
    if (interval == 0)
        return;
    if (obj->timer == 0 && !obj->passes_ended) {
        zend_long timer = asyncpool_timer_start(interval, asyncpool_ref(obj));
        if (obj->timer != 0 || obj->passes_ended) /* by what the collector destroyed meanwhile: this one would stay */
            asyncpool_timer_stop(timer);
        else
            obj->timer = timer;
    }
    if (at_once && !EG(exception))
        call(obj);
}

/* There may be more now, or fewer. */
void asyncpool_maintenance_resized(pool_obj_t *obj, zend_long min)
{
    asyncpool_maintenance_begin(obj, min, min > 0);
    asyncpool_maintenance_look(obj, false);
}

/* Calls a pass if fewer are idle from now on than are to be. To be called after whatever may have done that. */
void asyncpool_maintenance_look(pool_obj_t *obj, bool is_lent)
{
    if (EXPECTED(obj->options.min_idle == 0) || obj->timer == 0 || !obj->pool || EG(exception))
        return;
    zend_long missing = obj->options.min_idle - (zend_long)asyncpool_lib.pool_idle_count(obj->pool);
    bool lacks = missing > 0 && asyncpool_lib.pool_count(obj->pool) < obj->pool->max_size;
    bool begins = lacks && (!obj->lacks || (is_lent && missing == 1)); /* what came back nobody has looked at */
    obj->lacks = lacks;
    if (begins)
        call(obj);
}

/* A pass begins. */
void asyncpool_maintenance_come(pool_obj_t *obj) { obj->pass_called = false; }

static void call(pool_obj_t *obj)
{
    if (obj->pass_called)
        return;
    obj->pass_called = obj->options.min_idle > 0;
    asyncpool_ref_later(asyncpool_ref(obj), ZEND_STRL("sweep"));
}

/* No more of them begin. */
void asyncpool_maintenance_end(pool_obj_t *obj)
{
    zend_long timer = obj->timer;
    obj->timer = 0;
    obj->passes_ended = true;
    if (timer)
        asyncpool_timer_stop(timer);
}

/*
 * What is done again and again, in the background: each time in a coroutine of its own, which PHP code does not see as
 * one. The time counts anew from its end, so calls do not overlap.
 */
#include "internal.h"

typedef struct period {
    asyncpool_timer_t timer;
    zend_long number, milliseconds;
    zval callback;
} period_t;

static HashTable *periods(void) { return ASYNCPOOL_G(loop).periods; }

static period_t *find(zend_long number)
{
    return periods() ? zend_hash_index_find_ptr(periods(), (zend_ulong)number) : NULL;
}

static void destroy(zval *value)
{
    period_t *period = Z_PTR_P(value);
    zval callback;
    ZVAL_COPY_VALUE(&callback, &period->callback);
    asyncpool_timer_cancel(&period->timer);
    efree(period);
    zval_ptr_dtor(&callback);
}

static void ring(asyncpool_timer_t *timer)
{
    period_t *period = ASYNCPOOL_OF(timer, period_t, timer);
    asyncpool_coroutine_t *coroutine = asyncpool_spawn(&period->callback, true, true);
    coroutine->period = period->number;
    GC_DELREF(&coroutine->std); /* the queue has it */
}

zend_long asyncpool_every(zend_long milliseconds, zval *callback)
{
    period_t *period = ecalloc(1, sizeof *period);
    period->timer.ring = ring;
    period->milliseconds = milliseconds;
    period->number = ++ASYNCPOOL_G(loop).last_period;
    ZVAL_COPY(&period->callback, callback);
    if (!periods()) {
        ALLOC_HASHTABLE(ASYNCPOOL_G(loop).periods);
        zend_hash_init(periods(), 8, NULL, destroy, false);
    }
    zend_hash_index_add_new_ptr(periods(), (zend_ulong)period->number, period);
    asyncpool_timer_set(&period->timer, asyncpool_in(milliseconds));
    asyncpool_revolt_wake();
    return period->number;
}

bool asyncpool_every_is(zend_long number) { return find(number) != NULL; }

void asyncpool_every_again(zend_long number)
{
    period_t *period = find(number);
    if (period)
        asyncpool_timer_set(&period->timer, asyncpool_in(period->milliseconds));
}

void asyncpool_every_stop(zend_long number)
{
    if (periods())
        zend_hash_index_del(periods(), (zend_ulong)number);
}

/* ---- healthchecks ---- */

zend_long asyncpool_timer_start(zend_long milliseconds, zend_object *ref)
{
    zval sweep;
    if (!asyncpool_loop_ready())
        return 0;
    asyncpool_ref_sweeper(ref, &sweep);
    zend_long number = asyncpool_every(milliseconds, &sweep);
    zval_ptr_dtor(&sweep);
    return number;
}

void asyncpool_timer_stop(zend_long timer) { asyncpool_every_stop(timer); }

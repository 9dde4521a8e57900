/* Twin: bridge/php/src/Internal/Options.php. */

/* The numbers that a pool is made with: which make none, what the library is told of them, and how often a pass comes. */
#include "internal.h"

#include "zend_exceptions.h"

#define MOST UINT32_MAX /* the library counts places and milliseconds in 32 bits */

/* Passes come so many times in the shortest limit, within these milliseconds; or so often, where there is none. */
enum { PARTS = 8, LEAST_MS = 100, MOST_MS = 30000, IDLE_MS = 1000 };

/* In the order of the twin. */
static zend_long shortest_limit(const asyncpool_options_t *o);
static bool of_sizes(uint32_t min_number, zend_long min, uint32_t max_number, zend_long max);
static bool of_limits(const asyncpool_options_t *o);
static bool of_range(uint32_t number, zend_long value);

bool asyncpool_options_check(const asyncpool_options_t *o, bool checks, bool hears)
{
    if (!of_sizes(6, o->min, 7, o->max) || !of_limits(o))
        return false;
    if (o->lifetime_jitter > o->max_lifetime)
        zend_argument_value_error(10, "must be <= maxLifetime");
    else if (o->check_after > 0 && !checks)
        zend_argument_value_error(13, "must be 0 without beforeAcquire");
    else if (o->leak_after == 0 && hears)
        zend_argument_value_error(14, "must be >= 1 with onLeak");
    else if (o->create_retry_max > 0 && o->create_retry == 0)
        zend_argument_value_error(18, "must be 0 without createRetry");
    else if (o->create_retry_max > 0 && o->create_retry_max < o->create_retry)
        zend_argument_value_error(18, "must be >= createRetry");
    else if (o->min_idle > o->max)
        zend_argument_value_error(23, "must be <= max");
    return !EG(exception);
}

bool asyncpool_options_check_resize(zend_long min, zend_long max) { return of_sizes(1, min, 2, max); }

bool asyncpool_options_check_trim(zend_long keep_idle) { return of_range(1, keep_idle); }

bool asyncpool_options_check_threshold(zend_long failures, zend_long open_ms, zend_long successes)
{
    return of_range(1, failures) && of_range(2, open_ms) && of_range(3, successes);
}

/* The passes and creations of a reactor's pool come when its loop has them come: no thread of the library begins one, and
 * PHP's loop has its own. */
void asyncpool_options_configure(const asyncpool_options_t *o, pool_config_t *config)
{
    bool has_passes = shortest_limit(o) > 0 || o->min_idle > 0 || o->lazy_min;
    /* They may never come, in a script that never waits: who acquires reads the clock then, and sees who is too old. */
    bool reads_clock = o->timed || o->max_lifetime > 0;
    config->flags = (o->lifo ? POOL_F_LIFO : 0) | (o->lazy_min ? POOL_F_LAZY_MIN : 0) |
                    (o->create_behind ? POOL_F_CREATE_BEHIND : 0) | (reads_clock ? POOL_F_TIMED : 0) |
                    (has_passes || o->create_behind ? POOL_F_REACTOR : 0);
    config->min_size = (uint32_t)o->min;
    config->max_size = (uint32_t)o->max;
    config->max_lifetime_ms = (uint32_t)o->max_lifetime;
    config->lifetime_jitter_ms = (uint32_t)o->lifetime_jitter;
    config->idle_timeout_ms = (uint32_t)o->idle_timeout;
    config->max_uses = (uint32_t)o->max_uses;
    config->check_after_ms = (uint32_t)o->check_after;
    config->leak_after_ms = (uint32_t)o->leak_after;
    config->max_waiting = (uint32_t)o->max_waiting;
    config->create_retry_ms = (uint32_t)o->create_retry;
    config->create_retry_max_ms = (uint32_t)o->create_retry_max;
    config->min_idle = (uint32_t)o->min_idle;
}

zend_long asyncpool_options_interval(const asyncpool_options_t *o, zend_long min, bool checks)
{
    zend_long shortest = shortest_limit(o);
    bool has_work = checks || min > 0 || o->min_idle > 0 || shortest > 0;
    if (o->interval > 0)
        return has_work ? o->interval : 0;
    if (shortest > 0)
        return MAX(LEAST_MS, MIN(MOST_MS, shortest / PARTS));
    return o->min_idle > 0 || o->lazy_min ? IDLE_MS : 0;
}

/* 0: there is none. */
static zend_long shortest_limit(const asyncpool_options_t *o)
{
    const zend_long limits[] = {o->max_lifetime, o->idle_timeout, o->leak_after};
    zend_long shortest = 0;
    for (int i = 0; i < 3; i++) {
        if (limits[i] > 0 && (shortest == 0 || limits[i] < shortest))
            shortest = limits[i];
    }
    return shortest;
}

static bool of_sizes(uint32_t min_number, zend_long min, uint32_t max_number, zend_long max)
{
    if (min < 0)
        zend_argument_value_error(min_number, "must be >= 0");
    else if (max < 1)
        zend_argument_value_error(max_number, "must be >= 1");
    else if (min > max)
        zend_argument_value_error(min_number, "must be <= max");
    else if (max > MOST)
        zend_argument_value_error(max_number, "must be <= %u", MOST);
    return !EG(exception);
}

static bool of_limits(const asyncpool_options_t *o)
{
    return of_range(8, o->interval) && of_range(9, o->max_lifetime) && of_range(10, o->lifetime_jitter) &&
           of_range(11, o->idle_timeout) && of_range(12, o->max_uses) && of_range(13, o->check_after) &&
           of_range(14, o->leak_after) && of_range(16, o->max_waiting) && of_range(17, o->create_retry) &&
           of_range(18, o->create_retry_max) && of_range(23, o->min_idle);
}

static bool of_range(uint32_t number, zend_long value)
{
    if (value < 0)
        zend_argument_value_error(number, "must be >= 0");
    else if (value > MOST)
        zend_argument_value_error(number, "must be <= %u", MOST);
    return !EG(exception);
}

bool asyncpool_options_of_classes(zval *list, zend_class_entry ***classes)
{
    zend_class_entry **ce = *classes = ecalloc(zend_hash_num_elements(Z_ARRVAL_P(list)) + 1, sizeof **classes);
    zval *name;
    ZEND_HASH_FOREACH_VAL (Z_ARRVAL_P(list), name) {
        ZVAL_DEREF(name);
        *ce = Z_TYPE_P(name) == IS_STRING ? zend_lookup_class(Z_STR_P(name)) : NULL;
        bool fits = *ce && (instanceof_function(*ce, zend_ce_throwable) || (*ce)->ce_flags & ZEND_ACC_INTERFACE);
        if (!fits && !EG(exception))
            zend_argument_value_error(22, "must be a list of classes of exceptions, %s given",
                                      Z_TYPE_P(name) == IS_STRING ? Z_STRVAL_P(name) : zend_zval_type_name(name));
        if (!fits)
            break;
        ce++;
    }
    ZEND_HASH_FOREACH_END();
    if (!EG(exception))
        return true;
    efree(*classes);
    *classes = NULL;
    return false;
}

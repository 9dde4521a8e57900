/* Twin: bridge/php/src/Internal/Stats.php. */

/* What a pool tells: its counts, and who has what. */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "stats_arginfo.h"

static zend_class_entry *stats_ce, *lend_ce;

void asyncpool_stats_register(void)
{
    stats_ce = register_class_Async_PoolStats();
    lend_ce = register_class_Async_Lend();
}

/* clang-format off */
#define COUNT(name, field) {name, sizeof name - 1, offsetof(pool_stats_t, field), sizeof ((pool_stats_t *)0)->field}
static const struct {
    const char *name;
    size_t length, offset, size;
} counts[] = {
    COUNT("lends", lends),
    COUNT("waited", waited),
    COUNT("timeouts", timeouts),
    COUNT("unavailable", unavailable),
    COUNT("overloaded", overloaded),
    COUNT("cancelled", cancelled),
    COUNT("created", created),
    COUNT("failed", failed),
    COUNT("detached", detached),
    COUNT("destroyed", destroyed),
    COUNT("count", count),
    COUNT("making", making),
    COUNT("destroyedRejected", destroyed_rejected),
    COUNT("destroyedRefused", destroyed_refused),
    COUNT("destroyedDead", destroyed_dead),
    COUNT("destroyedLifetime", destroyed_lifetime),
    COUNT("destroyedIdle", destroyed_idle),
    COUNT("destroyedUses", destroyed_uses),
    COUNT("destroyedEvicted", destroyed_evicted),
    COUNT("destroyedDiscarded", destroyed_discarded),
    COUNT("destroyedShrunk", destroyed_shrunk),
    COUNT("destroyedClosed", destroyed_closed),
    COUNT("leaked", leaked),
    COUNT("peakActive", peak_active),
    COUNT("peakWaiting", peak_waiting),
    COUNT("waitUs", wait_us),
    COUNT("createUs", create_us),
    COUNT("holdUs", hold_us),
    COUNT("waitHistogram", wait_histogram),
    COUNT("createHistogram", create_histogram),
    COUNT("holdHistogram", hold_histogram),
};
/* clang-format on */

static void value_of(const char *field, size_t size, zval *value)
{
    uint32_t number;
    uint64_t numbers[32];
    memcpy(size == sizeof number ? (void *)&number : numbers, field, size);
    if (size == sizeof number) {
        ZVAL_LONG(value, number);
    } else if (size == sizeof *numbers) {
        ZVAL_LONG(value, (zend_long)*numbers);
    } else {
        array_init_size(value, 32);
        for (int i = 0; i < 32; i++)
            add_next_index_long(value, (zend_long)numbers[i]);
    }
}

void asyncpool_stats(pool_obj_t *obj, zval *result)
{
    pool_stats_t stats = {.struct_size = sizeof stats};
    pool_status_t status = obj->pool ? asyncpool_lib.pool_stats(obj->pool, &stats) : POOL_ERR_CLOSED;
    if (status != POOL_OK) {
        asyncpool_throw_status(status);
        return;
    }
    object_init_ex(result, stats_ce);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        zval value;
        value_of((const char *)&stats + counts[i].offset, counts[i].size, &value);
        zend_update_property(stats_ce, Z_OBJ_P(result), counts[i].name, counts[i].length, &value);
        zval_ptr_dtor(&value);
    }
}

void asyncpool_lends(pool_obj_t *obj, zval *result)
{
    uint32_t count = obj->pool ? asyncpool_lib.pool_lends(obj->pool, NULL, 0) : 0;
    array_init_size(result, count);
    if (count == 0)
        return;
    pool_lend_t *lends = safe_emalloc(count, sizeof *lends, 0);
    lends->struct_size = sizeof *lends;
    uint32_t now = asyncpool_lib.pool_lends(obj->pool, lends, count);
    count = MIN(count, now);
    for (uint32_t i = 0; i < count; i++) {
        zval lend;
        asyncpool_lend(obj, &lends[i], &lend);
        add_next_index_zval(result, &lend);
    }
    efree(lends);
}

static void set(zval *lend, const char *name, size_t length, zval *value)
{
    zend_update_property(lend_ce, Z_OBJ_P(lend), name, length, value);
}

/* What PHP cannot hold is null. */
void asyncpool_lend(pool_obj_t *obj, const pool_lend_t *told, zval *result)
{
    asyncpool_entry_t *entry = asyncpool_is_foreign(obj) ? NULL : told->resource;
    zval ms, uses, place, coroutine, nothing;
    ZVAL_NULL(&nothing);
    ZVAL_LONG(&ms, (zend_long)told->ms);
    ZVAL_LONG(&uses, (zend_long)told->uses);
    ZVAL_NULL(&place);
    ZVAL_NULL(&coroutine);
    if (entry && entry->place)
        ZVAL_STR(&place, entry->place);
    if (entry && entry->coroutine)
        ZVAL_LONG(&coroutine, entry->coroutine);
    object_init_ex(result, lend_ce);
    set(result, ZEND_STRL("resource"), entry ? &entry->value : &nothing);
    set(result, ZEND_STRL("ms"), &ms);
    set(result, ZEND_STRL("uses"), &uses);
    set(result, ZEND_STRL("place"), &place);
    set(result, ZEND_STRL("coroutine"), &coroutine);
}

/* The line outside of the package from which the pool was asked; NULL: there is none. */
static zend_string *place_outside(void)
{
    for (zend_execute_data *frame = EG(current_execute_data); frame; frame = frame->prev_execute_data) {
        if (!frame->func || !ZEND_USER_CODE(frame->func->type))
            continue;
        const zend_op_array *code = &frame->func->op_array;
        const zend_string *name = code->scope ? code->scope->name : code->function_name;
        if (!name || strncasecmp(ZSTR_VAL(name), ZEND_STRL("Async\\")) != 0)
            return strpprintf(0, "%s:%u", ZSTR_VAL(code->filename), frame->opline->lineno);
    }
    return NULL;
}

/* 0: the flow that runs is none. */
static void current(void *number)
{
    zend_function *function = zend_hash_str_find_ptr(EG(function_table), ZEND_STRL("async\\current_coroutine"));
    zval coroutine, id;
    if (!function)
        return;
    ZVAL_UNDEF(&coroutine);
    zend_call_known_function(function, NULL, NULL, &coroutine, 0, NULL, NULL);
    if (Z_TYPE(coroutine) == IS_OBJECT) {
        ZVAL_UNDEF(&id);
        zend_call_method_with_0_params(Z_OBJ(coroutine), Z_OBJCE(coroutine), NULL, "getid", &id);
        *(zend_long *)number = Z_TYPE(id) == IS_LONG ? Z_LVAL(id) : 0;
    }
    zval_ptr_dtor(&coroutine);
    asyncpool_drop();
}

/* Notes who has acquired this. */
void asyncpool_note(asyncpool_entry_t *entry)
{
    zend_string *before = entry->place;
    entry->coroutine = 0;
    entry->place = place_outside();
    if (before)
        zend_string_release(before);
    asyncpool_undisturbed(current, &entry->coroutine);
}

/* ---- made by hand, for the tests of others ---- */

PHP_METHOD(Async_PoolStats, __construct)
{
    zval *given, *value;
    zend_string *name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ARRAY(given)
    ZEND_PARSE_PARAMETERS_END();
    ZEND_HASH_FOREACH_STR_KEY_VAL (Z_ARRVAL_P(given), name, value) {
        if (name)
            zend_update_property_ex(stats_ce, Z_OBJ_P(ZEND_THIS), name, value);
        if (EG(exception))
            RETURN_THROWS();
    }
    ZEND_HASH_FOREACH_END();
}

PHP_METHOD(Async_Lend, __construct)
{
    zval *resource, ms, uses, place, coroutine;
    zend_string *file;
    bool is_none;
    ZVAL_NULL(&place);
    ZVAL_NULL(&coroutine);
    ZEND_PARSE_PARAMETERS_START(5, 5)
    Z_PARAM_ZVAL(resource)
    Z_PARAM_LONG(Z_LVAL(ms))
    Z_PARAM_LONG(Z_LVAL(uses))
    Z_PARAM_STR_OR_NULL(file)
    Z_PARAM_LONG_OR_NULL(Z_LVAL(coroutine), is_none)
    ZEND_PARSE_PARAMETERS_END();
    Z_TYPE_INFO(ms) = Z_TYPE_INFO(uses) = IS_LONG;
    if (file)
        ZVAL_STR(&place, file);
    if (!is_none)
        Z_TYPE_INFO(coroutine) = IS_LONG;
    set(ZEND_THIS, ZEND_STRL("resource"), resource);
    set(ZEND_THIS, ZEND_STRL("ms"), &ms);
    set(ZEND_THIS, ZEND_STRL("uses"), &uses);
    set(ZEND_THIS, ZEND_STRL("place"), &place);
    set(ZEND_THIS, ZEND_STRL("coroutine"), &coroutine);
}

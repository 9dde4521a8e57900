/* Twin: bridge/php/src/Internal/Key.php. */

/*
 * The keys of values: the same for what is identical. What shares one and is not is told apart by comparing, so keys
 * only have to differ mostly.
 *
 * An array's is made of all that is in it: many arrays of one size are the usual case. One with references in it is
 * "loose": what it is identical to changes as they do. Its key is its address, which it keeps while it is kept, and
 * by which it is found if it is given back as it was lent.
 */
#include "internal.h"

/* What lies deeper in an array counts for nothing: it is compared. */
#define DEEPEST 32

static zend_ulong mix(zend_ulong hash, zend_ulong more)
{
    hash = (hash ^ more) * (zend_ulong)0x9E3779B97F4A7C15u;
    return hash ^ hash >> (sizeof hash * 4);
}

static zend_ulong array_key(HashTable *array, bool *loose, int depth);

static zend_ulong key_of(const zval *value, bool *loose, int depth)
{
    switch (Z_TYPE_P(value)) {
    case IS_OBJECT:
        return Z_OBJ_HANDLE_P(value);
    case IS_LONG:
        return (zend_ulong)Z_LVAL_P(value);
    case IS_STRING:
        return zend_string_hash_val(Z_STR_P(value));
    case IS_ARRAY:
        return array_key(Z_ARRVAL_P(value), loose, depth);
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

static zend_ulong array_key(HashTable *array, bool *loose, int depth)
{
    zend_ulong hash = mix(IS_ARRAY, zend_hash_num_elements(array)), number;
    zend_string *name;
    zval *value;
    if (depth == DEEPEST)
        return hash;
    ZEND_HASH_FOREACH_KEY_VAL (array, number, name, value) {
        if (Z_ISREF_P(value)) {
            *loose = true;
            value = Z_REFVAL_P(value);
        }
        hash = mix(hash, name ? zend_string_hash_val(name) : number);
        hash = mix(mix(hash, Z_TYPE_P(value)), key_of(value, loose, depth + 1));
    }
    ZEND_HASH_FOREACH_END();
    return hash;
}

zend_ulong asyncpool_key(const zval *value, bool *loose)
{
    *loose = false;
    return key_of(value, loose, 0);
}

zend_ulong asyncpool_address_key(const zval *array) { return mix(IS_ARRAY, (zend_ulong)(uintptr_t)Z_ARRVAL_P(array)); }

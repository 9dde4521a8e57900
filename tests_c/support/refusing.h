/* Factories that fail: for what is done about it. */
#ifndef REFUSING_H
#define REFUSING_H

#include "fixture.h"

enum { LONG_MS = 3600 * 1000 }; /* a pause that does not end */

static inline bool refuse_with_words(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_set_error(pool, 42, "no such host"), POOL_OK);
    return false;
}

static inline bool refuse_three(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call > 3;
}

#endif

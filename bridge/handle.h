/*
 * Is it what it is said to be? Each pool, reactor and op that was begun holds a guard: a word for its kind, mixed
 * with its own address. So NULL, small numbers, foreign memory, what was freed and a copy that was moved elsewhere
 * are told apart from the real thing by one comparison. It is best effort: the memory must be readable.
 */
#ifndef ASYNCPOOL_HANDLE_H
#define ASYNCPOOL_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* No multiples of 8, as addresses are, so that no guard is 0. */
enum { AP_POOL_GUARD = 0x704f4f6d, AP_OP_GUARD = 0x704f7021, AP_REACTOR_GUARD = 0x70526561 };

/* What is below is no address of anything, but perhaps a number that was taken for one. */
enum { AP_LOWEST_ADDRESS = 4096 };

static inline uint32_t ap__guard(uint32_t kind, const void *object)
{
    return kind ^ (uint32_t)(uintptr_t)object;
}

/* The guard lies so many bytes behind; read as bytes, since an address that is no object's may be odd. */
static inline bool ap__is(uint32_t kind, const void *object, size_t at)
{
    uint32_t guard;
    if ((uintptr_t)object < AP_LOWEST_ADDRESS)
        return false;
    memcpy(&guard, (const char *)object + at, sizeof guard);
    return guard == ap__guard(kind, object);
}

#endif

/*
 * Is it what it is said to be? Each pool, reactor and op that was begun holds a magic number: a word for its kind,
 * mixed with its own address. So NULL, small numbers, foreign memory, what was freed and a copy that was moved
 * elsewhere are told apart from the real thing by one comparison. It is best effort: the memory must be readable.
 */
#ifndef ASYNCPOOL_MAGIC_H
#define ASYNCPOOL_MAGIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* No multiples of 8, as addresses are, so that no magic number is 0. */
enum { AP_POOL_MAGIC = 0x704f4f6d, AP_OP_MAGIC = 0x704f7021, AP_REACTOR_MAGIC = 0x70526561 };

/* What is below is no address of anything, but perhaps a number that was taken for one. */
enum { AP_LOWEST_ADDRESS = 4096 };

static inline uint32_t ap__magic(uint32_t kind, const void *object) { return kind ^ (uint32_t)(uintptr_t)object; }

/* The magic number lies so many bytes behind; read as bytes, since an address that is no object's may be odd. */
static inline bool ap__is(uint32_t kind, const void *object, size_t at)
{
    uint32_t magic;
    if ((uintptr_t)object < AP_LOWEST_ADDRESS)
        return false;
    memcpy(&magic, (const char *)object + at, sizeof magic);
    return magic == ap__magic(kind, object);
}

#endif

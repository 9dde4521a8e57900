/*
 * Structs of callers of any version. Those that a caller fills or receives begin with their size, and grow at the
 * end only: an older caller's are shorter than what this library knows, a newer one's longer. What is there is
 * read, what the caller does not have is neither read nor written, and the bytes that are unknown here are zero in
 * both directions.
 */
#ifndef ASYNCPOOL_SIZES_H
#define ASYNCPOOL_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A struct_size above it is no size: nobody has set it. */
enum { AP_LARGEST_STRUCT = 4096 };

/* Can a version of the struct have this size? first: what the first one reached to. A size that is no multiple of
 * a pointer's would end inside of a member. */
static inline bool ap__size_is_one(size_t size, size_t first)
{
    return size >= first && size <= AP_LARGEST_STRUCT && size % sizeof(void *) == 0;
}

/* Reads what a caller has filled into a struct of this library's size: what the caller's lacks is zero. False: it
 * has something behind the end that this library does not know. The size was looked at before. */
static inline bool ap__size_in(const void *given, size_t size, void *known, size_t known_size)
{
    size_t both = size < known_size ? size : known_size;
    memcpy(known, given, both);
    memset((char *)known + both, 0, known_size - both);
    for (size_t i = known_size; i < size; i++)
        if (((const char *)given)[i] != 0)
            return false;
    return true;
}

/* Writes an answer into the struct of a caller, as far as that reaches, but for the size, which stays; zero where
 * this library knows no field. The size was looked at before. */
static inline void ap__size_out(void *given, size_t size, const void *known, size_t known_size)
{
    size_t both = size < known_size ? size : known_size;
    memcpy((char *)given + sizeof size, (const char *)known + sizeof size, both - sizeof size);
    memset((char *)given + both, 0, size - both);
}

#endif

/* Memory: every allocation of the C side goes through memory.c. */
#ifndef ASYNCPOOL_MEMORY_H
#define ASYNCPOOL_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The alignment of what Go asks for. */
enum { AP_WORD = sizeof(void *) };

/* Zeroed; NULL when there is none. */
void *ap__alloc(size_t alignment, size_t size);
void ap__dealloc(void *memory);
/* lease.c: the first of n numbers that nobody in the process was given before, a multiple of n, which is a power of two;
 * 0: there are none left. */
uint64_t ap__ids(uint64_t n);
/* Frees what the core gave back: a list that is linked by its first words. Not under the lock. */
void ap__free_spent(void *spent);

/* quarantine.c: for what the host has had a handle of */
void ap__poison(void *memory, size_t size);
/* Keeps it for a while before it is freed. */
void ap__quarantine(void *memory);

#pragma GCC visibility pop

#endif

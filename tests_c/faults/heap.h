/*
 * The library's heap, watched and made to fail, without any change of the library: a program with heap.c in
 * it defines calloc(), aligned_alloc() and free(), and tells the library's calls by where they come from.
 *
 * bridge/memory.c is the only caller of the two in the library, for C and Go alike. What the Go runtime
 * itself takes from the C library, to start a thread, comes from malloc(), which is left alone: a program
 * with Go in it does not survive its failure, with or without a pool.
 *
 * Valgrind puts its own functions in the place of these, unless it is run with
 * --soname-synonyms=somalloc=nouserintercepts.
 */
#ifndef ASYNCPOOL_HEAP_H
#define ASYNCPOOL_HEAP_H

#include <stdbool.h>

/* Blocks of the library that are allocated and not freed yet. */
int heap_blocks(void);
/* Does a call return to here in the library? */
bool heap_of_library(const void *caller);

#endif

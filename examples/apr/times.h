/* When each resource of a list was released last: a table from the resource's word to a time. */
#ifndef TIMES_H
#define TIMES_H

#include <apr_time.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct times_slot {
    void *word;
    unsigned resources; /* that have this word; 0: the slot is free */
    apr_time_t time;
} times_slot_t;

typedef struct times {
    pthread_mutex_t lock;
    times_slot_t *slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
} times_t;

void times_init(times_t *times);
void times_free(times_t *times);
/* Makes room for one more, so that times_add() cannot fail. False: there is no memory. */
bool times_reserve(times_t *times);
/* A new resource; several may have the same word, and share a time then. */
void times_add(times_t *times, void *word, apr_time_t time);
void times_set(times_t *times, void *word, apr_time_t time);
void times_remove(times_t *times, void *word);
/* The time of a word; of one that is not there: otherwise. */
apr_time_t times_get(times_t *times, void *word, apr_time_t otherwise);

#endif

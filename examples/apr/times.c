/* Open addressing with linear probing; at most half of the slots are used. */
#include "times.h"

#include <stdint.h>
#include <stdlib.h>

void times_init(times_t *times)
{
    *times = (times_t){.size = 0};
    pthread_mutex_init(&times->lock, NULL);
}

void times_free(times_t *times)
{
    free(times->slots);
    pthread_mutex_destroy(&times->lock);
}

static size_t home(const void *word, size_t size)
{
    return (size_t)(((uint64_t)(uintptr_t)word * 0x9E3779B97F4A7C15u) >> 32) & (size - 1);
}

/* The slot of a word, or the free one where it would be. */
static times_slot_t *find(times_slot_t *slots, size_t size, const void *word)
{
    size_t i = home(word, size);
    while (slots[i].resources && slots[i].word != word)
        i = (i + 1) & (size - 1);
    return &slots[i];
}

/* The slot of a word that is there; NULL: it is not. */
static times_slot_t *known(times_t *times, const void *word)
{
    times_slot_t *slot = times->size ? find(times->slots, times->size, word) : NULL;
    return slot && slot->resources ? slot : NULL;
}

static bool grow(times_t *times)
{
    size_t size = times->size ? times->size * 2 : 16;
    times_slot_t *slots = calloc(size, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < times->size; i++)
        if (times->slots[i].resources)
            *find(slots, size, times->slots[i].word) = times->slots[i];
    free(times->slots);
    times->slots = slots;
    times->size = size;
    return true;
}

bool times_reserve(times_t *times)
{
    pthread_mutex_lock(&times->lock);
    bool room = 2 * (times->used + 1) <= times->size || grow(times);
    pthread_mutex_unlock(&times->lock);
    return room;
}

void times_add(times_t *times, void *word, apr_time_t time)
{
    pthread_mutex_lock(&times->lock);
    times_slot_t *slot = find(times->slots, times->size, word);
    times->used += slot->resources == 0;
    *slot = (times_slot_t){word, slot->resources + 1, time};
    pthread_mutex_unlock(&times->lock);
}

void times_set(times_t *times, void *word, apr_time_t time)
{
    pthread_mutex_lock(&times->lock);
    times_slot_t *slot = known(times, word);
    if (slot)
        slot->time = time;
    pthread_mutex_unlock(&times->lock);
}

/* Frees a slot, and moves those up that were behind it only because it was taken. */
static void vacate(times_t *times, size_t hole)
{
    size_t mask = times->size - 1;
    for (size_t i = (hole + 1) & mask; times->slots[i].resources; i = (i + 1) & mask) {
        size_t from_home = (i - home(times->slots[i].word, times->size)) & mask;
        if (from_home >= ((i - hole) & mask)) {
            times->slots[hole] = times->slots[i];
            hole = i;
        }
    }
    times->slots[hole].resources = 0;
    times->used--;
}

void times_remove(times_t *times, void *word)
{
    pthread_mutex_lock(&times->lock);
    times_slot_t *slot = known(times, word);
    if (slot && --slot->resources == 0)
        vacate(times, (size_t)(slot - times->slots));
    pthread_mutex_unlock(&times->lock);
}

apr_time_t times_get(times_t *times, void *word, apr_time_t otherwise)
{
    pthread_mutex_lock(&times->lock);
    times_slot_t *slot = known(times, word);
    apr_time_t time = slot ? slot->time : otherwise;
    pthread_mutex_unlock(&times->lock);
    return time;
}

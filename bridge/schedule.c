#include "schedule.h"

#include "memory.h"

/* Places count from 1, so that the children of p are 2p and 2p + 1. */
static void set(ap_schedule_t *s, uint32_t place, ap_due_t *due)
{
    s->heap[place - 1] = due;
    due->place = place;
}

static int64_t at(const ap_schedule_t *s, uint32_t place) { return s->heap[place - 1]->at_ns; }

/* Moves what is at a place up or down to where it belongs. */
static void sift(ap_schedule_t *s, uint32_t place)
{
    ap_due_t *due = s->heap[place - 1];
    for (; place > 1 && at(s, place / 2) > due->at_ns; place /= 2)
        set(s, place, s->heap[place / 2 - 1]);
    for (uint32_t child; (child = place * 2) <= s->size; place = child) {
        if (child < s->size && at(s, child + 1) < at(s, child))
            child++;
        if (at(s, child) >= due->at_ns)
            break;
        set(s, place, s->heap[child - 1]);
    }
    set(s, place, due);
}

bool ap__schedule_join(ap_schedule_t *s)
{
    enum { FIRST = 16 };
    if (s->members == s->capacity) {
        uint32_t capacity = s->capacity ? s->capacity * 2 : FIRST;
        ap_due_t **grown = ap__alloc(AP_WORD, capacity * sizeof *grown);
        if (!grown)
            return false;
        for (uint32_t i = 0; i < s->size; i++)
            grown[i] = s->heap[i];
        ap__dealloc(s->heap);
        s->heap = grown;
        s->capacity = capacity;
    }
    s->members++;
    return true;
}

void ap__schedule_quit(ap_schedule_t *s)
{
    if (--s->members > 0)
        return;
    ap__dealloc(s->heap);
    s->heap = NULL;
    s->capacity = 0;
}

void ap__schedule_put(ap_schedule_t *s, ap_due_t *due, int64_t at_ns)
{
    due->at_ns = at_ns;
    s->heap[s->size++] = due;
    sift(s, s->size);
}

void ap__schedule_take(ap_schedule_t *s, ap_due_t *due)
{
    uint32_t place = due->place;
    ap_due_t *last = s->heap[--s->size];
    due->place = 0;
    if (last != due) {
        set(s, place, last);
        sift(s, place);
    }
}

/*
 * A schedule: what is due when, the soonest first. It is a heap of entries that are their owners', each of which finds
 * its own place in it, so that any of them is put in or taken out in logarithmic time.
 *
 * Who will be in it joins first. Joining makes the room; a member that was taken out to be served comes back without
 * memory, so that nothing can fail then. Not thread-safe.
 */
#ifndef ASYNCPOOL_SCHEDULE_H
#define ASYNCPOOL_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ap_due {
    int64_t at_ns;
    uint32_t place; /* in the heap, from 1; 0: it is not in it */
} ap_due_t;

typedef struct ap_schedule {
    ap_due_t **heap;
    uint32_t size, capacity;
    uint32_t members; /* those in the heap, and those that are out of it and may come back */
} ap_schedule_t;

#pragma GCC visibility push(hidden)

/* Makes room for one more member; false: there is no memory, and nothing has changed. */
bool ap__schedule_join(ap_schedule_t *schedule);
/* A member that is not in the heap leaves for good. The last one leaves no memory behind. */
void ap__schedule_quit(ap_schedule_t *schedule);
/* Puts in a member that is not in it. */
void ap__schedule_put(ap_schedule_t *schedule, ap_due_t *due, int64_t at_ns);
/* Takes out a member that is in it. */
void ap__schedule_take(ap_schedule_t *schedule, ap_due_t *due);

#pragma GCC visibility pop

/* The one that is due first; NULL: nothing is due. */
static inline ap_due_t *ap__schedule_first(const ap_schedule_t *schedule)
{
    return schedule->size > 0 ? schedule->heap[0] : NULL;
}

#endif

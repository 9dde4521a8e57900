/*
 * What waits, creations and lends take. The clock is read by who joins the line, or comes back from there to take what
 * it was promised, and before and after a creation: nobody else pays. A host that says what time it is
 * (pool_answer_t.now_ns) is believed. Under the lock.
 */
#ifndef ASYNCPOOL_TIMES_H
#define ASYNCPOOL_TIMES_H

#include <stdint.h>

typedef struct ap_op ap_op_t;

enum { AP_BUCKETS = 32 };

typedef struct ap_spans {
    uint64_t ns; /* all together */
    uint64_t histogram[AP_BUCKETS];
} ap_spans_t;

typedef struct ap_times {
    ap_spans_t waits;     /* of those that ended in a lend */
    ap_spans_t creations; /* of those that succeeded */
    ap_spans_t holds;     /* of those that have ended, see holds.h */
} ap_times_t;

#pragma GCC visibility push(hidden)

/* A step of an op has begun and ended so. made: it was told that a resource was made. now: 0 if nobody knows. */
void ap__times_note(ap_op_t *op, uint8_t from, bool made, int64_t now);

/* Counts a time that stands for so many. */
void ap__spans_add(ap_spans_t *spans, int64_t ns, uint32_t weight);

#pragma GCC visibility pop

#endif

/*
 * What a thread has seen of a pool, as spans of time in each of which the pool took one step for it: from the
 * moment in which the thread told it something (began a call, came back from a hook) to the moment in which it
 * heard something (a hook is called, the call returns). A span is a line of text:
 *
 *     CLIENT FROM TO HEARD RESOURCE SAID RESOURCE
 *
 * in ns of the monotonic clock. HEARD is what the pool heard, SAID what it said then. A call by lease says after it #
 * and a number for the lend that it is to begin, or to end.
 */
#ifndef SPANS_H
#define SPANS_H

#include <asyncpool/pool.h>
#include <stdint.h>

enum { MAX_SPANS = 512 };

typedef struct span {
    int64_t from, to;
    const char *heard, *said;
    int lease; /* 0: by word */
    uintptr_t heard_resource, said_resource;
    pool_snapshot_t snapshot; /* of a span that says "counts" */
} span_t;

typedef struct client {
    int number;
    uint64_t random;
    int count;
    int leases; /* numbers given to them so far */
    span_t spans[MAX_SPANS];
} client_t;

extern _Thread_local client_t *self;

int64_t span_now(void);

/* The pool is about to hear this. */
void span_heard(const char *what, uintptr_t resource);
/* The same by lease. */
void span_heard_by_lease(const char *what, uintptr_t resource, int lease);
/* It has said this. */
void span_said(const char *what, uintptr_t resource);
/* It has answered a call; the resource counts if it is POOL_OK. */
void span_status(pool_status_t status, uintptr_t resource);

void spans_print(const client_t *client);

/* A number below n. */
unsigned any(unsigned n);

#endif

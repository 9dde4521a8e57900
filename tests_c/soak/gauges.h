/*
 * What must not grow. The gauges are read at rest, once an epoch; those of the last third of a run are
 * compared with those of the first third after warming up.
 */
#ifndef ASYNCPOOL_SOAK_GAUGES_H
#define ASYNCPOOL_SOAK_GAUGES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum gauge {
    GAUGE_RSS,        /* KB of memory that the process has */
    GAUGE_C_HEAP,     /* KB that malloc() has given out */
    GAUGE_GO_HEAP,    /* KB of Go's arenas that are in memory: objects, and the stacks of goroutines */
    GAUGE_GOROUTINES, /* the most that there ever were at a time */
    GAUGE_THREADS,    /* those of the library and of the Go runtime */
    GAUGE_FDS,        /* open descriptors */
    GAUGES
} gauge;

/* -1: not to be had here. */
long gauge_read(gauge g);
void gauges_sample(void); /* reads and keeps them all */
/* Prints the table; false: one has grown. */
bool gauges_report(void);

#endif

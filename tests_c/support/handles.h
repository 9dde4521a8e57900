/* Every exported function that takes a handle, called with one that is none: it answers as for NULL, tells
 * why, calls no hook and changes nothing. */
#ifndef ASYNCPOOL_HANDLES_H
#define ASYNCPOOL_HANDLES_H

#include "fixture.h"

/* Calls each function that takes a pool. */
void handles_no_pool(void *handle);
/* The handlers in the event of what was a pool. */
void handles_dead_event(void *handle);
/* Each that takes an op that was begun. */
void handles_no_op(void *handle);
/* Each that takes a reactor. */
void handles_no_reactor(void *handle);

#endif

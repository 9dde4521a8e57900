/* Everything that the library can do, in one call, on the stack of the caller. */
#ifndef ASYNCPOOL_EVERYTHING_H
#define ASYNCPOOL_EVERYTHING_H

#include "check.h"

/* A pool with all hooks. It keeps what is given back, or its before_release refuses it. */
pool_t *everything_pool(bool keeps, uint32_t max);
/* A pool of its own, from the creation to the end. */
void everything_do(bool keeps);

#endif

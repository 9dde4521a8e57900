/*
 * A crowd: more threads than places, which change hands faster than threads do. See crowd.c.
 */
#ifndef ASYNCPOOL_CROWD_H
#define ASYNCPOOL_CROWD_H

#include "internal.h"

#pragma GCC visibility push(hidden)

/* A release hands a place to the first in line. Under the lock, before that one is told. */
void ap__crowd_hand_over(ap_pool_t *pool);
/* This thread runs a loop: it never gives the processor up from here on. */
void ap__crowd_is_loop(void);
/* Has this thread just handed a place of the pool to a thread that slept? */
bool ap__crowd_handed_over(const ap_pool_t *pool);
/* Such a thread, which would have to stand in line now, lets others run first. Under the lock, which is free for a
 * while. */
void ap__crowd_let_run(ap_pool_t *pool);

#pragma GCC visibility pop

#endif

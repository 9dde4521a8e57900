/*
 * The picture of a run: on a terminal one line that is redrawn ten times a second, elsewhere a line each second. It
 * shows the places of the pool, lent (#), idle (o) and not made yet (.), and who waits; in a program that tells what
 * happens right now, that and the circuit breaker, at once.
 */
#ifndef EXAMPLES_LIVE_H
#define EXAMPLES_LIVE_H

#include "run.h"

/* Draws when it is time to. */
void live_draw(run_t *run, bool last);
/* Somebody waited that long for the pool; at the end live_waits() shows all of them as a histogram. */
void live_waited(run_t *run, int64_t ns);
void live_waits(const run_t *run);

#endif

/* What must hold: at every instant, as sampled while an epoch runs, and at rest. */
#ifndef ASYNCPOOL_SOAK_INVARIANTS_H
#define ASYNCPOOL_SOAK_INVARIANTS_H

#include "world.h"

/* One snapshot of a pool. Actors take them, too: what is wrong may be right again soon, where many come. */
void invariants_check(world *w);
/* One of each pool, and the watchdog of each: somebody waits, and nothing was lent for too long. */
void invariants_sample(void);
/* Everybody rests: nobody waits, each pool lends exactly max, no other pool is left. */
void invariants_at_rest(void);
/* The run is over: nothing at all is left. */
void invariants_at_end(void);
/* Until a condition comes; the watchdog names it otherwise. */
void invariants_wait(bool (*condition)(void *), void *arg, const char *what);
void invariants_print(void); /* each site, for messages */
unsigned invariants_most_waiting(void);

#endif

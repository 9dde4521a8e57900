/* What happens to the fleet: load that moves, processes that are killed, and a Redis that loses all. */
#ifndef EXAMPLES_FLEET_STORY_H
#define EXAMPLES_FLEET_STORY_H

#include "crew.h"

#include <asyncpool/redis_budget.h>

enum { STORY_MOVES = 4, STORY_TASKS = 16 /* of each process, which can be busy */ };

/* The load went to one half: how long it took until that had all places but one for each process of the other. */
typedef struct move {
    const char *what;
    unsigned before, after; /* places of that half */
    int64_t ms;
} move;

typedef struct story {
    run_t run;
    redis_server resource, redis; /* what is short, and where the budget is kept */
    crew crew;
    pool_budget_t *budget; /* a member that uses nothing, and sees how things stand */
    unsigned lease_ms;
    unsigned show_ms; /* how long each act is shown at least */
    unsigned minutes; /* of a soak; 0: the demo */
    move moves[STORY_MOVES];
    unsigned moved;
    unsigned emptied, away; /* how often Redis lost all; after how many of these all leases had ended */
    unsigned still, turns;  /* in a soak: how often Redis stood still for a second, and the load turned */
} story;

/* The demo's acts. */
void story_play(story *s);
/* The same at random, with a kill each second. */
void story_soak(story *s);
/* Half of the processes are killed, the others end. True: those have ended well. */
bool story_end(story *s);
/* How many places are free again, once all leases have ended: all that can be taken. */
unsigned story_places(story *s);

/* How many tasks of each process are busy where the load is: more than there are places. */
static inline unsigned story_much(unsigned places, unsigned half) { return places / half + 2; }
/* How things stand, as Redis said last. */
pool_budget_info_t story_info(story *s);

#endif

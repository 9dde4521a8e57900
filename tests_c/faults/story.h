/*
 * The scenarios of tests_go/testdata with faults in them. Once something has failed a scenario goes another
 * way than it says, so nothing that it expects is compared: a step that does not apply any more is left out.
 * What is checked instead holds for every way: each call answers what is documented for it, nothing is lent
 * or destroyed twice, and when the scenario is over everybody in line gets a resource, max can be borrowed,
 * and nothing is left after the close.
 *
 * Actors are those of replay.h: somebody who calls the pool in the way of some world, and whose hooks stop
 * until the scenario answers them.
 */
#ifndef ASYNCPOOL_STORY_H
#define ASYNCPOOL_STORY_H

#include "replay.h"
#include "fault.h"

typedef struct story_world {
    /* What this world's pools have besides hooks. */
    void (*configure)(pool_config_t *config);
    /* The actor begins what its verb says; and goes on, from a hook with its answer, or from a wait, late or
     * not. Both return when it is done, waits, or is in a hook. */
    void (*begin)(replay_actor *a);
    void (*go_on)(replay_actor *a, bool late);
    /* The actor, which is in a hook or waits, is to leave. NULL: there is no such thing. */
    void (*cancel)(replay_actor *a);
    /* Can it go on? NULL: it does so by itself. */
    bool (*woken)(replay_actor *a);
    /* In a hook of the actor: returns when it is to go on. */
    void (*stop)(replay_actor *a);
    /* The actor that runs here; NULL: none. */
    replay_actor *(*current)(void);
    /* Until all who go on by themselves have stopped; NULL: nobody does. */
    void (*settle)(void);
    /* After each story. */
    void (*shut)(void);
    /* The host answers the asks: calls are made by this, with hooks that do not stop. NULL: by pool_*(). */
    pool_status_t (*call)(const char *verb, fx_resource *given, void **resource);
} story_world;

/* Every scenario of a file, with every fault, on pools that have what the scenario says, and on pools that have
 * everything. */
void story_replay(const story_world *world, const char *file);

/* ---- for worlds ---- */

extern pool_t *_Atomic story_pool; /* NULL: none yet */
extern replay_actor story_actors[SCENARIO_ACTORS];
extern pool_circuit_breaker_strategy_t story_strategy;
/* The pool has everything. */
extern bool story_full;

/* Does what the verb says with a blocking call. */
void story_call(replay_actor *a);
/* Does this hook stop until the scenario answers it? */
bool story_stops(const char *name);
/* The hooks of fixture.h, by the names of the asks. */
bool story_hook(const char *name, void **resource);

#endif

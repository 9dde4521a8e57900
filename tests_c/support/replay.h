/*
 * Replays scenarios on pools with hooks: an actor is somebody who calls the pool in the way of some
 * world (threads, loops, coroutines), and whose hooks stop until the scenario answers them.
 *
 * What a world cannot express is left out, as a whole scenario, with a reason. Tickets, turns and,
 * in a world that cannot see it, who is woken are of the op protocol and are not compared.
 */
#ifndef ASYNCPOOL_REPLAY_H
#define ASYNCPOOL_REPLAY_H

#include "scenario.h"

typedef enum replay_at { REPLAY_DONE, REPLAY_RUNNING, REPLAY_HOOK, REPLAY_WAIT } replay_at;

typedef struct replay_actor {
    int index;
    _Atomic replay_at at;
    /* what it was asked to do */
    char verb[16];
    void *given;
    uint32_t most;
    int64_t timeout_ms;
    /* the hook it is in, and the scenario's answer */
    const char *hook;
    void *hook_resource, *made;
    bool ok, later; /* later: the factory puts it off */
    /* the outcome */
    pool_status_t status;
    void *resource;
    bool busy; /* for the test: it has begun, and its outcome was not noted yet */
    /* a deadline that the scenario will let pass: not before, surely after. 0: none */
    int64_t early_ns, late_ns;
} replay_actor;

typedef struct replay_world {
    const char *name;
    /* Why this scenario cannot be told here, apart from what holds for all worlds; NULL: it can. NULL for worlds in
     * which all can. */
    const char *(*left_out)(const scenario *s);
    /* The actor begins what its verb says. Returns when it is done, waits, or is in a hook; or at
     * any time when replay_too_slow(). */
    void (*begin)(replay_actor *a, const scenario_step *step);
    /* It goes on from a hook or a wait. */
    void (*go_on)(replay_actor *a, const scenario_step *step);
    /* Calls off an acquire or a drain that waits or is done. NULL: there is no such thing. */
    void (*cancel)(replay_actor *a);
    /* May it go on? NULL: it does so by itself. */
    bool (*woken)(replay_actor *a);
    /* In a hook of the actor: returns when it is to go on. */
    void (*stop)(replay_actor *a);
    /* The actor that runs here; NULL: none. */
    replay_actor *(*current)(void);
    /* The pool is closed: the actor, wherever it is, comes to its end; replay_give_up() is the
     * answer to a hook. NULL where go_on() is all that it takes. */
    void (*finish)(replay_actor *a);
    const pool_scheduler_t *scheduler;
} replay_world;

/* Replays a file. What is left out must be what not_replayed.txt says. */
void replay(const replay_world *world, const char *name);

/* ---- for worlds ---- */

extern pool_t *replay_pool;

/* Does what the verb says with a blocking call, and notes the outcome. */
void replay_call(replay_actor *a);
/* Hooks answer themselves by now; this is for one that was stopped before. */
void replay_give_up(replay_actor *a);
/* The time has come for an actor's deadline while it should not have: the replay begins anew,
 * slower. */
bool replay_too_slow(void);

/* What a step does. */
bool replay_begins(const scenario_step *step);
/* Does the step wake this actor? */
bool replay_wakes(const scenario_step *step, int actor);

/* ---- not_replayed.c ---- */

/* Is it left out? Fails unless not_replayed.txt says the same, with the reason. */
bool replay_leaves_out(const replay_world *world, const char *name, const scenario *s);
/* How many scenarios of a file not_replayed.txt names for a world. */
int replay_to_leave_out(const replay_world *world, const char *name);

#endif

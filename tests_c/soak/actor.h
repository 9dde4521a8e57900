/*
 * Actors: threads that use the pools while an epoch lasts, and rest between two. Their number in the run is
 * fixed; how many are awake changes with the load.
 */
#ifndef ASYNCPOOL_SOAK_ACTOR_H
#define ASYNCPOOL_SOAK_ACTOR_H

#include "world.h"

typedef struct actor {
    const char *kind;
    unsigned number;
    pthread_t thread;
    dice dice;
    uint32_t rank;      /* awake while the load is above it, of 1000 */
    atomic_bool gone;   /* its thread has ended, or is about to */
    atomic_bool leaves; /* it was cancelled, or told to end */
    atomic_bool marked; /* pthread_cancel() is being called for it */
    /* For messages. */
    const char *_Atomic doing;
    atomic_int where; /* a site; -1: none */
    atomic_llong since_ns;
} actor;

/* ---- rest.c: epochs ---- */

bool epoch_runs(void);
void epoch_begin(void);
void epoch_end(void); /* asks everybody to rest */
void epoch_end_for_ever(void);
bool epoch_all_rest(void);    /* everybody does */
bool epoch_others_rest(void); /* everybody but the caller */
void epoch_set_load(uint32_t load);
bool actor_awake(const actor *a);
/* Waits for the next epoch; false: there is none, or the actor is to leave. */
bool actor_rest(actor *a);
void actor_is_here(const actor *a); /* a thread that begins says so */
void actor_does(actor *a, const char *doing, int where);
/* Starts a thread that counts as somebody who has to rest; it must call actor_gone() at its end. */
void actor_start(actor *a, void *(*body)(void *));
void actor_gone(void *a);
void actor_join(actor *a);
unsigned actors_present(void);
/* Prints those that do not rest. */
void actors_print_busy(void);
void actor_register(actor *a, const char *kind, unsigned number);

/* ---- the kinds ---- */

void threads_start(unsigned n);
void threads_settle(void); /* at rest, or inside the steward: joins who has gone, and replaces them */
void threads_cancel_one(dice *d);
void threads_join(void);

void steward_start(void); /* cancels and replaces threads, and runs errands */
void steward_join(void);
void errand(world *w, void *resource); /* somebody else gives it back; takes over the reference */
void errands_run(void);

enum { LOOPS = 4, COROUTINE_THREADS = 2, HOSTS = 2, KEEPERS = 2 };
void loops_start(void); /* and what they bring to the sites: reactors */
void loops_join(void);
void coroutines_start(void); /* schedulers */
void coroutines_join(void);
void hosts_start(void);
void hosts_join(void);
void keepers_start(void); /* close, re-create, move breakers, break services */
void keepers_join(void);

/* Which site of those with a home; a number picks among them, in turn. */
site *site_of(site_home home, unsigned number);
/* One where threads may acquire. */
site *site_for_threads(dice *d);

/* pool_acquire(), pool_try_acquire(), pool_release() and pool_close(), written out over the op protocol:
 * hooks are called here, waits block this thread. give_up: the wait is not waited for, but cancelled. */
pool_status_t drive(world *w, pool_op_t *op, bool give_up, void **resource);
/* One try, and one release of what the caller has let go, of any pool. */
pool_status_t drive_try(world *w, void **resource);
void drive_release(world *w, void *resource);
/* Answers one ask that is no wait; false: it is one, or the op is done. */
bool drive_answer(world *w, const pool_ask_t *ask, pool_answer_t *answer, dice *d);

#endif

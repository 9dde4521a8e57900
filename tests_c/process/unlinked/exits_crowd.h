/* The process of exits.c, full of threads that are somewhere in the library. */
#ifndef ASYNCPOOL_EXITS_CROWD_H
#define ASYNCPOOL_EXITS_CROWD_H

#include "plain.h"

#include <stdatomic.h>

enum { CODE = 42, PATIENCE_MS = 60000 /* a wait that must end, on a machine however busy */ };

extern const char *library_path;
extern const pool_api_t *api;
extern pool_status_t (*acquire_async)(pool_t *, pool_op_t *, int64_t, pool_acquired_fn, void *);
extern pool_status_t (*dispatch)(pool_t *);

extern pool_t *pool;    /* no hook of it ends */
extern pool_t *sound;   /* with healthchecks */
extern pool_t *crowded; /* its one place is lent */

/* Hooks that do this first, if it is not NULL. */
extern void (*_Atomic at_hook)(void);
bool make(pool_t *self, void **resource);
bool pass(pool_t *self, void *resource);

/* Loads the library. Then one holds, three wait, one is inside a factory, one thread of the library inside a
 * healthcheck, and two work. */
void fill(void);

/* A thread that nobody waits for. */
void start(void *(*body)(void *), void *arg);
/* Borrows from a pool, and keeps it. */
void *borrow(void *from);

/* ---- the ways that are in exits_handlers.c; those of main answer its exit code ---- */

int handlers_use_the_library(void);
int handlers_use_it_after_an_exit_in_a_healthcheck(void);
int quick_exit_runs_its_handlers(void);
int destructor_functions_use_the_library(void);

/* Borrows and gives back, from this pool and from a new one. */
void use(pool_t *of);
/* In exits.c. */
int exit_in_a_healthcheck(void);

#endif

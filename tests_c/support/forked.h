/*
 * For the tests about fork(): every exported function, called in a child that was forked after the
 * library was loaded. Each must answer as the header says, at once, and run no hook.
 */
#ifndef ASYNCPOOL_FORKED_H
#define ASYNCPOOL_FORKED_H

#include "watcher.h"

#include <sys/wait.h>
#include <unistd.h>

/* What a child inherits: made by forked_prepare() in the parent. */
typedef struct forked_world {
    pool_t *pool;
    fx_resource *lent;
    pool_op_t op; /* begun and parked */
    watcher seen;
    pid_t parent; /* the process of the test */
} forked_world;

extern forked_world forked;

/* A pool with two places: one resource lent, one idle, hooks as in FX_WITH_ALL; an observer. Plus,
 * on a pool of its own, a parked op; and, if interval_ms is not 0, a pool with healthchecks. */
void forked_prepare(uint32_t interval_ms);
/* In the parent: all of it still works, and is given up. */
void forked_finish(void);
/* In the child: calls every exported function on the inherited world. */
void forked_call_everything(void);
/* Forks. The child runs body, then exit(42); the parent sees that it ended with exactly that. */
void forked_child(void (*body)(void));
/* Waits for a child, which must end with code 42. */
void forked_wait(pid_t child);

#endif

/*
 * A world of resources 1, 2, 3, ... in which the test answers every ask of every op itself, so
 * that it can stop a pass of the healthcheck at any step, and a case reads the same on a pool
 * with hooks, on one for a reactor and on one that has no handlers at all.
 */
#ifndef ASYNCPOOL_SWEEP_WORLD_H
#define ASYNCPOOL_SWEEP_WORLD_H

#include "check.h"

enum { MOST = 4096 };

typedef struct sweep_world {
    int made;
    int creations;       /* attempts */
    int failures;        /* attempts still to fail */
    bool refuse_release; /* what is returned is destroyed */
    int alive[MOST];
    bool sick[MOST]; /* fails its check */
    int checks[MOST];
    char log[1024]; /* creations, checks and destructions, as far as it reaches */
} sweep_world;

extern sweep_world world;

void *word(int id);
int id_of(void *resource);
int alive(void);

/* An op and its last ask. */
typedef struct talk {
    pool_op_t op;
    pool_ask_t ask;
} talk;

/* Begin an op and answer with its first ask. */
pool_ask_kind_t begin_sweep(talk *t, pool_t *pool);
pool_ask_kind_t begin_acquire(talk *t, pool_t *pool, int64_t timeout_ms);
pool_ask_kind_t begin_release(talk *t, pool_t *pool, void *resource);
/* Answers what was asked as the world has it; the next ask. */
pool_ask_kind_t step(talk *t);
/* Steps until it is done; it must not have to wait. */
pool_status_t finish(talk *t);
void *finish_acquire(talk *t);

/* Whole ops. */
pool_status_t sweep(pool_t *pool);
void *take(pool_t *pool);
pool_status_t try_take(pool_t *pool);
void give(pool_t *pool, void *resource);
void close_pool(pool_t *pool);

uint32_t reserved(pool_t *pool);

/* A pool in a new world, filled to min. */
pool_t *new_pool(uint32_t flags, uint32_t min, uint32_t max);
/* Makes n resources idle: 1, 2, 3, ... in this order. */
void stock(pool_t *pool, int n);
/* Closes it; everything must have been ended then. */
void end_pool(pool_t *pool);
/* for (pool_t *pool = NULL; each_kind(&pool, min, max);) does the same on every kind of pool. */
bool each_kind(pool_t **pool, uint32_t min, uint32_t max);

#endif

/*
 * Stories of resource lists, which are compiled into two programs: one plays them on libaprutil, the other on
 * examples/apr. What a story says must be the same, line by line (same.sh), and whatever it checks must hold for both.
 *
 * The stories' clock is apr_time_now() of the program, which both lists ask.
 */
#ifndef STORY_H
#define STORY_H

#include "check.h"

#include <apr_pools.h>
#include <apr_reslist.h>

/* APR_STORY_SHIM: is this the program on examples/apr? */
enum { STORY_SHIM = APR_STORY_SHIM, STORY_THINGS = 1 << 15 };

/* A resource. */
typedef struct thing {
    int number; /* from 1 */
    bool ended;
} thing_t;

extern struct story {
    apr_pool_t *pool; /* of the list */
    apr_reslist_t *list;
    int made, ended;
    /* So many constructions succeed before the next one fails; negative: none fails. */
    int until_failure;
    apr_status_t make_fails, end_fails; /* what the constructor that fails answers, and every destructor */
    bool quiet;                         /* constructor and destructor say nothing */
    int inside;                         /* of them */
    thing_t things[STORY_THINGS];
} story;

/* Begins a story with a list, or answers why there is none. */
apr_status_t story_begin(int min, int smax, int hmax, apr_interval_time_t ttl);
/* Destroys the list's pool; everything that was made has ended then. Of several it is said how many they are. */
void story_end(void);

__attribute__((format(printf, 1, 2))) void say(const char *format, ...);
/* Borrows one, which must be there to be had. */
thing_t *take(void);
/* The status of giving it back. */
apr_status_t give(thing_t *thing);
/* The time is so much later from now on. Not for stories that wait for a time. */
void later(apr_interval_time_t time);

apr_status_t story_make(void **resource, void *params, apr_pool_t *pool);
apr_status_t story_unmake(void *resource, void *params, apr_pool_t *pool);

#endif

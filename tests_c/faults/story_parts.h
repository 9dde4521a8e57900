/* What the parts of a story share: story.c plays it, story_pool.c makes and calls its pools, story_books.c knows what
 * is lent. */
#ifndef ASYNCPOOL_STORY_PARTS_H
#define ASYNCPOOL_STORY_PARTS_H

#include "story.h"

#define is scenario_is

typedef struct story_now {
    const story_world *world;
    const scenario *playing;
    atomic_bool winding_up;
    atomic_int refused; /* creations that failed */
    struct {
        bool cancelled;
        int number;          /* of the resource that it is to get */
    } more[SCENARIO_ACTORS]; /* of each actor */
} story_now;

extern story_now story;

/* ---- story_pool.c ---- */

/* Before all stories: the hooks of fixture.h are those of stories. */
void story_take_hooks(void);
/* Before each: no callback was registered. */
void story_forget_callbacks(void);
/* An observer and a strategy, for pools that have everything. */
void story_add_callbacks(pool_t *pool);
/* After each: every observer that was let in was let go. */
void story_check_callbacks(void);
pool_status_t story_create(uint32_t min, pool_t **pool);
/* A call of the test's own: no hook stops in it. */
pool_status_t story_ask(const char *verb, fx_resource *given, void **resource);

/* ---- story_books.c: what is lent, and which resource the scenario knows by which number ---- */

void books_open(void);
int books_lent(void);
/* Does the verb give a resource back? */
bool books_gives(const char *verb);
/* What "release 7" means by now: 7 if it is lent, or else what is; a number that was never made is not. It is not
 * in the books any more. */
void *books_meant_by(int number);
/* The actor's call has come back: the answer is one that is documented for it. */
void books_note(replay_actor *a);
/* Gives all of it back. */
void books_give_back(void);
/* I4: exactly max can be borrowed, as far as anybody borrows so many. */
void books_check_rest(void);

#endif

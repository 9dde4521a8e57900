/*
 * An actor of story.h that is a coroutine. It makes one call after the other on the same stack: to make a new one
 * for each takes the thread sanitizer minutes.
 */
#ifndef ASYNCPOOL_WORKER_H
#define ASYNCPOOL_WORKER_H

#include "coroutine.h"
#include "story.h"

typedef struct worker worker;
struct worker {
    co co; /* first: co_current is the worker */
    replay_actor *actor;
    void (*call)(worker *self); /* NULL: it is to end */
};

static inline void worker_body(void *arg)
{
    for (worker *w = arg; w->call; co_yield ()) {
        w->call(w);
        w->actor->at = REPLAY_DONE;
    }
}

/* Has the worker of an actor make a call, until it is done, waits or is in a hook. */
static inline void worker_begin(worker *w, replay_actor *a, void (*call)(worker *self))
{
    w->actor = a;
    w->call = call;
    if (!w->co.stack)
        co_start(&w->co, worker_body, w);
    co_resume(&w->co);
}

static inline void worker_end(worker *w)
{
    w->call = NULL;
    if (w->co.stack)
        co_resume(&w->co);
}

/* In a hook of an actor, or while it waits: the test goes on. */
static inline void worker_stop(replay_actor *a)
{
    (void)a;
    co_yield ();
}

static inline replay_actor *worker_current(void) { return co_current ? ((worker *)co_current)->actor : NULL; }

#endif

/*
 * Actors of replay.h that are threads. A baton says whose turn it is: the test's, or the one
 * actor's; a thread that sleeps inside the pool goes on without one.
 */
#ifndef ASYNCPOOL_BATON_H
#define ASYNCPOOL_BATON_H

#include "replay.h"

typedef struct baton {
    replay_actor *actor;
    pthread_t thread;
    bool started, turn;
    void (*body)(replay_actor *a); /* what it does when it is its turn and it is in no hook */
} baton;

static pthread_mutex_t baton_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t baton_passed = PTHREAD_COND_INITIALIZER;
static baton batons[SCENARIO_ACTORS];
static _Thread_local replay_actor *baton_me;

static inline void baton_set(baton *b, bool turn)
{
    pthread_mutex_lock(&baton_mutex);
    b->turn = turn;
    pthread_cond_broadcast(&baton_passed);
    pthread_mutex_unlock(&baton_mutex);
}

static inline void baton_await(baton *b, bool turn)
{
    pthread_mutex_lock(&baton_mutex);
    while (b->turn != turn)
        pthread_cond_wait(&baton_passed, &baton_mutex);
    pthread_mutex_unlock(&baton_mutex);
}

static inline bool baton_is_back(baton *b)
{
    pthread_mutex_lock(&baton_mutex);
    bool back = !b->turn;
    pthread_mutex_unlock(&baton_mutex);
    return back;
}

/* Lets the threads run until a turn ends, but only for a moment: one that gets into line does not say so. To yield
 * instead would cost a turn of everybody else on a busy machine, each time. */
static inline void baton_pause(void)
{
    struct timespec until;
    pthread_mutex_lock(&baton_mutex);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&baton_passed, &baton_mutex, &until);
    pthread_mutex_unlock(&baton_mutex);
}

static inline void *baton_thread(void *arg)
{
    baton *b = arg;
    for (;;) {
        baton_await(b, true);
        if (!b->body)
            return NULL;
        baton_me = b->actor;
        b->body(b->actor);
        baton_set(b, false);
    }
}

/* Begins a turn of the actor's thread; body matters unless it is in a hook. */
static inline baton *baton_give(replay_actor *a, void (*body)(replay_actor *))
{
    baton *b = &batons[a->index];
    b->actor = a;
    b->body = body;
    if (!b->started)
        b->thread = check_thread(baton_thread, b);
    b->started = true;
    baton_set(b, true);
    return b;
}

/* In a hook of the actor: back to the test, until it is the actor's turn again. */
static inline void baton_stop(replay_actor *a)
{
    baton_set(&batons[a->index], false);
    baton_await(&batons[a->index], true);
}

static inline replay_actor *baton_current(void) { return baton_me; }

/* The actor's thread is cancelled while it waits. Another takes its place. */
static inline void baton_cancel(replay_actor *a)
{
    baton *b = &batons[a->index];
    CHECK_INT(pthread_cancel(b->thread), 0);
    check_join(b->thread);
    b->started = b->turn = false;
    a->status = POOL_ERR_CANCELLED;
    a->at = REPLAY_DONE;
}

/* All threads end. */
static inline void baton_end(void)
{
    for (baton *b = batons; b < batons + SCENARIO_ACTORS; b++) {
        if (!b->started)
            continue;
        b->body = NULL;
        baton_set(b, true);
        check_join(b->thread);
        b->started = b->turn = false;
    }
}

#endif

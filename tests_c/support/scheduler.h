/*
 * A round-robin scheduler for the tests, on coroutine.h: what a host's coroutine library has to do
 * for pool_scheduler_t, and no more. Any number of threads may run its tasks; one at a time does.
 */
#ifndef ASYNCPOOL_SCHEDULER_H
#define ASYNCPOOL_SCHEDULER_H

#include "coroutine.h"

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif

enum { TASKS = 128 };

typedef struct task {
    co co; /* first: co_current is the task */
    unsigned stack_id;
    pool_op_t *op; /* it waits for this one; NULL: it does not */
    bool deadlocked;
    int suspended; /* how often it waited */
} task;

typedef struct scheduler {
    pthread_mutex_t lock;    /* of all below, and of op->data */
    pthread_mutex_t running; /* held while a task runs */
    task tasks[TASKS];
    int count, last;
    bool others_resume; /* resume() may still come from outside: then waiting is no deadlock */
    pool_scheduler_t hooks;
    int suspends, resumes;
} scheduler;

/* What op->data says: NULL, resumed before it was suspended, or the task that waits. */
#define SCHEDULER_RESUMED ((void *)1)

static inline bool scheduler_suspend(void *ctx, pool_op_t *op)
{
    scheduler *s = ctx;
    task *me = (task *)co_current;
    CHECK(me != NULL);
    pthread_mutex_lock(&s->lock);
    s->suspends++;
    me->suspended++;
    me->deadlocked = false;
    if (op->data != SCHEDULER_RESUMED) {
        op->data = me;
        me->op = op;
        pthread_mutex_unlock(&s->lock);
        co_yield ();
        pthread_mutex_lock(&s->lock);
        me->op = NULL;
    }
    op->data = NULL;
    bool go_on = !me->deadlocked;
    pthread_mutex_unlock(&s->lock);
    return go_on;
}

static inline void scheduler_resume(void *ctx, pool_op_t *op)
{
    scheduler *s = ctx;
    pthread_mutex_lock(&s->lock);
    s->resumes++;
    if (op->data && op->data != SCHEDULER_RESUMED)
        ((task *)op->data)->op = NULL;
    op->data = SCHEDULER_RESUMED;
    pthread_mutex_unlock(&s->lock);
}

static inline void scheduler_init(scheduler *s)
{
    memset(s, 0, sizeof *s);
    s->last = -1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->running, NULL);
    s->hooks = (pool_scheduler_t){scheduler_suspend, scheduler_resume, s};
}

static inline void scheduler_start(scheduler *s, void (*body)(void *), void *arg)
{
    CHECK(s->count < TASKS);
    task *t = &s->tasks[s->count];
    memset(t, 0, sizeof *t);
    co_start(&t->co, body, arg);
#if defined(VALGRIND_STACK_REGISTER)
    t->stack_id = VALGRIND_STACK_REGISTER(t->co.stack, t->co.stack + CO_STACK);
#endif
    s->count++;
}

/* A task of its own accord: lets the others run. */
static inline void scheduler_yield(void) { co_yield (); }

/* The next task after the last one that may run; NULL: none. */
static inline task *scheduler_next(scheduler *s)
{
    int64_t now = check_now_ns();
    for (int i = 1; i <= s->count; i++) {
        int n = (s->last + i) % s->count;
        task *t = &s->tasks[n];
        if (t->co.done || (t->op && pool_op_until_ns(t->op) > now))
            continue;
        s->last = n;
        return t;
    }
    return NULL;
}

/* Every task waits or has ended. false: all have ended. If none that is left has a deadline, and
 * nobody else may resume them, the first is told that it waits for ever. */
static inline bool scheduler_stuck(scheduler *s)
{
    task *forever = NULL;
    bool left = false, timed = false;
    for (task *t = s->tasks; t < s->tasks + s->count; t++) {
        if (t->co.done)
            continue;
        left = true;
        timed |= pool_op_until_ns(t->op) != INT64_MAX;
        if (!forever)
            forever = t;
    }
    if (forever && !timed && !s->others_resume) {
        forever->deadlocked = true;
        forever->op = NULL;
    }
    return left;
}

/* Runs one task for one turn; false: all have ended. */
static inline bool scheduler_turn(scheduler *s)
{
    bool left = true;
    pthread_mutex_lock(&s->running);
    pthread_mutex_lock(&s->lock);
    task *t = scheduler_next(s);
    if (!t)
        left = scheduler_stuck(s);
    pthread_mutex_unlock(&s->lock);
    if (t) {
        co_resume(&t->co);
#if defined(VALGRIND_STACK_REGISTER)
        if (t->co.done)
            VALGRIND_STACK_DEREGISTER(t->stack_id);
#endif
    }
    pthread_mutex_unlock(&s->running);
    if (!t && left)
        sched_yield();
    return left;
}

/* Runs until all tasks have ended. */
static inline void scheduler_run(scheduler *s)
{
    while (scheduler_turn(s))
        ;
    s->count = 0;
    s->last = -1;
}

/* Turns until no task may run at once. */
static inline void scheduler_settle(scheduler *s)
{
    for (;;) {
        pthread_mutex_lock(&s->lock);
        int last = s->last;
        bool any = scheduler_next(s) != NULL;
        s->last = last;
        pthread_mutex_unlock(&s->lock);
        if (!any)
            return;
        scheduler_turn(s);
    }
}

#endif

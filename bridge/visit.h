/*
 * Visits: calls of the host's code that have begun and not ended. See visit.c.
 */
#ifndef ASYNCPOOL_VISIT_H
#define ASYNCPOOL_VISIT_H

#include "internal.h"

#pragma GCC visibility push(hidden)

typedef enum ap_visit_kind {
    AP_VISIT_HOOK,     /* of is its pool */
    AP_VISIT_CALLBACK, /* of is the callback, run what counts the call */
    AP_VISIT_RESUME,   /* resume() of a scheduler: of is the op */
    AP_VISIT_PASS,     /* not the host's code, but around all of it in a pass: of is the pool */
    AP_VISIT_OTHER
} ap_visit_kind_t;

/* On the stack of whoever makes it, mostly as the first member of what make() needs. */
typedef struct ap_visit {
    ap_visit_kind_t kind;
    bool library; /* a pass on a thread of the library */
    bool factory; /* of hooks: it is the factory */
    const void *of;
    ap_run_t *run;
    bool (*make)(struct ap_visit *visit);
    ap_error_t *error;   /* where an error of the hook is to be put; NULL: nowhere */
    int64_t deadline_ns; /* of a hook: that of the caller it runs for */
} ap_visit_t;

/* Makes it. What it has changed of the thread's cancellation is put back. */
bool ap__visit(ap_visit_t *visit);

/* Calls see() for the visits that the caller is inside of, innermost first, until it answers true. */
void ap__visits_around(bool (*see)(const ap_visit_t *visit, void *arg), void *arg);

/* The innermost hook of the pool that the caller is inside of; NULL: none, or the stack cannot be walked. */
const ap_visit_t *ap__hook_around(const ap_pool_t *pool);

/* This thread, looked up anew: a compiler may keep what pthread_self() has said across a switch of coroutines. */
pthread_t ap__self(void);

#pragma GCC visibility pop

#endif

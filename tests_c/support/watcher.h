/*
 * An observer for the tests: counts what it is told and how often it is disposed of, and may run a
 * script.
 */
#ifndef ASYNCPOOL_WATCHER_H
#define ASYNCPOOL_WATCHER_H

#include "fixture.h"

typedef struct watcher watcher;
struct watcher {
    pool_event_callback_t callback;                                      /* first: the library hands this back */
    void (*script)(watcher *self, pool_t *pool, pool_event_kind_t kind); /* NULL: count only */
    atomic_int told[2];                                                  /* by kind */
    atomic_int disposed;
    pool_t *pool;
    watcher *other; /* for scripts */
};

static inline void watcher_called(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    watcher *w = (watcher *)self;
    CHECK_PTR(event, &w->pool->event);
    CHECK_INT(w->disposed, 0);
    CHECK(kind == POOL_EVENT_AVAILABLE || kind == POOL_EVENT_CLOSED);
    w->told[kind]++;
    if (w->script)
        w->script(w, w->pool, kind);
}

static inline void watcher_disposed(pool_event_callback_t *self) { ((watcher *)self)->disposed++; }

static inline pool_status_t watcher_add(watcher *w, pool_t *pool)
{
    w->callback.callback = watcher_called;
    w->callback.dispose = watcher_disposed;
    w->pool = pool;
    return pool->event.add_callback(&pool->event, &w->callback);
}

static inline pool_status_t watcher_del(watcher *w)
{
    return w->pool->event.del_callback(&w->pool->event, &w->callback);
}

/* Checks what it was told since the last time. */
#define CHECK_TOLD(w, available, closed)                                    \
    do {                                                                    \
        CHECK_INT((w)->told[POOL_EVENT_AVAILABLE], (available));            \
        CHECK_INT((w)->told[POOL_EVENT_CLOSED], (closed));                  \
        (w)->told[POOL_EVENT_AVAILABLE] = (w)->told[POOL_EVENT_CLOSED] = 0; \
    } while (0)

#endif

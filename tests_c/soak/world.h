/*
 * A world is one pool with its account: what its hooks made and ended, and who has what. The pools stand at
 * sites: a site has a configuration, and one world at a time. A world that is replaced lives on until the
 * last actor has left it and the library has freed its pool.
 */
#ifndef ASYNCPOOL_SOAK_WORLD_H
#define ASYNCPOOL_SOAK_WORLD_H

#include "soak.h"

/* Who may acquire at a site, besides everybody who tries. */
typedef enum site_home {
    HOME_ANY,        /* threads, and every loop by its own reactor */
    HOME_ATTACHED,   /* the pool is attached to the reactor of a loop */
    HOME_OWN_FD,     /* a loop watches pool_fd() */
    HOME_COROUTINES, /* the pool has the scheduler of a coroutine thread */
    HOME_HOST        /* one host-driven thread alone */
} site_home;

typedef enum site_strategy { STRATEGY_NONE, STRATEGY_THRESHOLD, STRATEGY_OWN } site_strategy;

typedef struct site_kind {
    const char *name;
    site_home home;
    uint32_t min, max;
    uint32_t flags;
    uint32_t interval_ms;
    uint32_t probes;
    bool hooks; /* before_acquire and before_release, besides factory and destructor */
    site_strategy strategy;
} site_kind;

typedef struct world world;

typedef struct site {
    const site_kind *kind;
    int number;
    pthread_mutex_t lock;
    world *current;
    atomic_bool down;                  /* the service fails */
    const pool_scheduler_t *scheduler; /* HOME_COROUTINES */
    pool_reactor_t *reactor;           /* HOME_ATTACHED */
} site;

enum { SITES = 17, WATCHERS = 3, MOST_PLACES = 48 };
extern site sites[SITES];

typedef struct watcher {
    pool_event_callback_t callback;
    atomic_int state;
    world *world;
} watcher;

struct world {
    pool_t *pool;
    site *site;
    uint64_t number;
    atomic_int users; /* actors, the site, the library, observers */
    atomic_int live;  /* resources, from the beginning of the factory to the end of the destructor */
    atomic_int lent;
    atomic_ulong created, destroyed, lends;
    atomic_int failures; /* in a row, for the strategy */
    pool_fcall_t ender;  /* the destructor, as a callable: disposed of when the pool is freed */
    pool_circuit_breaker_strategy_t strategy;
    watcher watchers[WATCHERS];
    void *_Atomic out[MOST_PLACES]; /* what is lent, for messages */
    /* For the watchdog, which is one thread. */
    unsigned long seen_lends;
    int64_t seen_ns;
};

extern atomic_int worlds_alive;
extern atomic_bool world_calm; /* hooks succeed, at once */

void worlds_begin(void); /* the table; the pools come with site_replace() */
/* Puts a new pool at a site. The one before is closed, or only left; false: the new one could not be made. */
bool site_replace(site *s, bool close_old);
/* Threads wait at its pools for what a loop makes, which has to go on for as long as they do. */
static inline bool site_makes_in_dispatch(const site *s)
{
    return s->kind->flags & POOL_F_REACTOR && s->kind->flags & POOL_F_CREATE_BEHIND;
}
void site_clear(site *s); /* closes its pool and leaves it */
/* The present world of a site, with a reference to its pool; NULL: there is none just now. */
world *site_enter(site *s);
void world_leave(world *w);
world *world_stay(world *w); /* one more reference */

/* To be called when the pool has lent a resource, and to give it back. */
void world_lent(world *w, void *resource);
void world_give(world *w, void *resource);
/* The first half of world_give(), for who releases by an op. */
void world_let_go(world *w, void *resource);
/* Counts what an acquire answered; anything that cannot be is a failure. */
void world_outcome(world *w, pool_status_t status);
/* As world_outcome(), for one with a deadline (0: none) that was begun at a time. */
void world_waited(world *w, pool_status_t status, int64_t began_ns, int64_t timeout_ms);
void world_close(world *w);
const char *world_text(world *w); /* for messages: the thread's own buffer */

/* ---- hooks.c ---- */

/* The configuration of a world's pool. */
pool_config_t hooks_config(world *w);
bool hooks_factory(pool_t *pool, void **resource);
void hooks_destructor(pool_t *pool, void *resource);
bool hooks_healthcheck(pool_t *pool, void *resource);
bool hooks_before_acquire(pool_t *pool, void *resource);
bool hooks_before_release(pool_t *pool, void *resource);
void hooks_lent(world *w, void *resource);
void hooks_returned(world *w, void *resource);
void hooks_print_holders(world *w);
void world_done_with(world *w); /* the library, or an observer, has gone */
dice *hooks_own_dice(void);     /* of this thread, also of one of the library */

/*
 * The address sanitizer does not see a thread being cancelled: its marks on the stack are taken off before
 * the thread comes to where it may be.
 */
#ifdef __SANITIZE_ADDRESS__
void __asan_handle_no_return(void);
static inline void world_unmark_stack(void) { __asan_handle_no_return(); }
#else
static inline void world_unmark_stack(void) {}
#endif

/* ---- callbacks.c ---- */

pool_circuit_breaker_strategy_t callbacks_strategy(world *w);
void callbacks_set_strategy(world *w, site_strategy which);
void callbacks_watch(world *w, dice *d); /* an observer comes or goes */

/* What this thread is, for messages. */
extern _Thread_local const char *hooks_thread;
extern _Thread_local unsigned hooks_thread_number;
/* How this thread takes its time in a hook: NULL: it sleeps, if it may. */
extern _Thread_local void (*hooks_pause)(void);
extern _Thread_local bool hooks_may_sleep;
extern _Thread_local dice hooks_dice;

#endif

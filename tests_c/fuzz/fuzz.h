/*
 * Fuzzing of the public header: bytes are read as a pool and a program for several lanes, which is run, and
 * then everything is given back and must be gone. See target.c for what the bytes mean.
 *
 * A lane is a flow of control with a hand full of resources and a few ops of its own. An input runs its lanes
 * either by turns on one thread, where nothing ever waits and the clock stands still unless the program moves
 * it, so that an input always does the same; or each on a thread of its own.
 */
#ifndef ASYNCPOOL_FUZZ_H
#define ASYNCPOOL_FUZZ_H

#include <asyncpool/pool.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 3, HELD = 6, SLOTS = 4, OBSERVERS = 3, MOST = 4 /* places of a pool */ };

/* A resource: on the heap, so that the sanitizer sees who touches one that was destroyed. */
typedef struct thing {
    pool_t *pool;
    atomic_int owned; /* by a lane, or by a hook that runs on it */
} thing;

typedef enum slot_state { FREE, OP, ASYNC } slot_state;

/* An op of a lane. Its memory is on the heap while it is under way, and not afterwards. */
typedef struct slot {
    _Atomic slot_state state; /* the callback of an ASYNC frees it */
    pool_op_t *op;
    pool_ask_t ask; /* OP: the ask that is out */
    bool quiet;     /* OP: none is out: it has just begun, or was cancelled */
    bool shared;    /* ASYNC: any lane may tell it */
    bool cancelled, timed, acquires, tries;
    int64_t until;    /* ASYNC, while the clock stands: when it must be told */
    thing *returning; /* OP: a release that has not begun to do anything */
    struct lane *lane;
} slot;

typedef struct lane {
    struct world *world;
    thing *held[HELD];
    int holds;
    slot slots[SLOTS];
    pool_reactor_t *reactor;
} lane;

typedef struct observer {
    pool_event_callback_t callback; /* first: the library hands this back */
    atomic_int added, disposed;     /* how often */
} observer;

typedef struct callable {
    pool_fcall_t fcall; /* first: the library hands this back */
    int hook;
    atomic_int disposed;
} callable;

/* The hooks of a pool, and what a strategy is called for. */
typedef enum hook {
    FACTORY,
    DESTRUCTOR,
    HEALTHCHECK,
    BEFORE_ACQUIRE,
    BEFORE_RELEASE,
    HOOKS,
    REPORT_SUCCESS = HOOKS + HEALTHCHECK,
    REPORT_FAILURE,
    SHOULD_RECOVER
} hook;

/* A pool and all that belongs to it, for one input. */
typedef struct world {
    pool_t *pool, *other; /* other: for what is not lent by pool, or NULL */
    uint32_t max;
    bool host_driven, concurrent, callables, healthchecks, behind;
    atomic_bool open;    /* its creation has ended */
    atomic_bool gentle;  /* the end has come: all hooks succeed and do nothing else */
    atomic_int inside;   /* hooks that are at it */
    atomic_bool drained; /* a drain has begun, or will: who stands in line may be served by a pool that is closed */
    uint8_t pattern[4];  /* what hooks do: see hooks.c */
    atomic_uint calls;   /* of hooks */
    atomic_int alive;    /* resources of pool, from the beginning of their creation */
    atomic_int others;   /* resources of other */
    lane lane[LANES];
    observer observers[OBSERVERS];
    callable callable[HOOKS];
} world;

/* check.c: says what is wrong, and aborts. */
_Noreturn void fuzz_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define MUST(condition)                                                \
    do {                                                               \
        if (!(condition))                                              \
            fuzz_fail(__FILE__, __LINE__, "not true: %s", #condition); \
    } while (0)
/* A bit for each status, for sets of them: statuses are 2 to -12. */
#define BIT(status) (1u << (2 - (status)))
#define MUST_BE_ONE_OF(status, set)                                                                      \
    do {                                                                                                 \
        pool_status_t status_ = (status);                                                                \
        if (!(BIT(status_) & (set)))                                                                     \
            fuzz_fail(__FILE__, __LINE__, "%s: unexpected from %s", pool_status_name(status_), #status); \
    } while (0)
#define MUST_BE(status, wanted) MUST_BE_ONE_OF(status, BIT(wanted))

/* clock.c: the monotonic clock of the process. It stands still until the next call. */
void clock_stop(void);
void clock_go_on(void);
void clock_add(int64_t ns);
int64_t clock_now(void); /* of one that stands */

/* world.c: the pool, and the end of it. */
bool world_open(world *w, const uint8_t *head);
void world_close(world *w);

/* hooks.c: hooks, resources and strategies. */
bool hook_factory(pool_t *pool, void **resource);
void hook_destructor(pool_t *pool, void *resource);
bool hook_healthcheck(pool_t *pool, void *resource);
bool hook_before_acquire(pool_t *pool, void *resource);
bool hook_before_release(pool_t *pool, void *resource);
pool_fcall_t *hook_callable(world *w, hook which);
bool hook_outcome(pool_t *pool, hook which); /* what the input says, after what it has the hook do */
void hooks_be_gentle(world *w);              /* all that begin from now on do nothing, and none is at anything else */
extern pool_circuit_breaker_strategy_t strategies[2]; /* the second one is asked by callers, too */
thing *thing_taken(void *resource);                   /* marks it as owned */
void *thing_given(thing *t);
/* It is not counted as one of its pool any more. */
void thing_let_go(thing *t);

/* calls.c: what ends at once. */
void lane_call(lane *l, uint8_t what, uint8_t arg);
void lane_keep(lane *l, void *resource);
void lane_release(lane *l, int which);
void lane_release_all(lane *l);
void release(world *w, thing *t);
thing *lane_put_down(lane *l, int which); /* one that it holds, to be given back; or NULL */

/* wrong.c: calls that the header says are refused. */
void call_wrongly(lane *l, uint8_t which);

/* ops.c: what a lane drives itself, step by step. */
void op_begin(lane *l, uint8_t arg);
void op_next(slot *s, bool willing);
void op_take(slot *s);
void op_cancel(slot *s);
bool op_waits(const slot *s);
void op_hand_on(lane *l, uint8_t arg);
void op_go_on_with_woken(world *w);
pool_status_t op_run(world *w, pool_op_t *op, void **resource);

/* slots.c: what goes on for longer than a call: ops, and async acquires. */
void lane_op_call(lane *l, uint8_t what, uint8_t arg);
slot *lane_slot(lane *l, uint8_t first, slot_state state); /* one in this state, or NULL */
pool_op_t *fresh_op(void);
int64_t timeout_of(uint8_t arg);
bool lane_is_busy(const lane *l);
void lane_go_on(lane *l); /* each op of the lane does what it can do without waiting */
void lane_wait(lane *l);  /* until one of them may be able to do more */

#endif

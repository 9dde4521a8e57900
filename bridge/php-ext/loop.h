/*
 * The loop: who waits, for what, and who runs next.
 *
 * A flow is a fiber, whoever made it, or the script's main flow. All of this is for PHP's thread, and lies in memory of
 * the request. What is marked "no PHP code" calls none of anybody: neither a destructor, nor a signal handler.
 *
 *     asyncpool_wait_t *wait = asyncpool_wait_new();  // NULL: an exception says why not
 *     ... leave wait where others find it ...
 *     asyncpool_suspend(wait, until_ns, label, false, NULL);  // consumes it, also where it throws
 *
 * Somebody else calls asyncpool_resume(wait), before or during it. Whoever has left wait somewhere takes it away after it.
 */
#ifndef ASYNCPOOL_LOOP_H
#define ASYNCPOOL_LOOP_H

#include "php.h"
#include "zend_fibers.h"

/* A time that never comes; until_ns of the library's asks has it for "none", too. */
#define ASYNCPOOL_NEVER INT64_MAX

/* A member of a ring, or its head. Alone it points to itself, and may be taken out again. */
typedef struct asyncpool_link {
    struct asyncpool_link *next, *previous;
} asyncpool_link_t;

static inline void asyncpool_link_init(asyncpool_link_t *link) { link->next = link->previous = link; }
static inline bool asyncpool_linked(const asyncpool_link_t *link) { return link->next != link; }
static inline void asyncpool_link_last(asyncpool_link_t *head, asyncpool_link_t *link)
{
    link->next = head;
    link->previous = head->previous;
    link->previous->next = head->previous = link;
}
static inline void asyncpool_unlink(asyncpool_link_t *link)
{
    link->next->previous = link->previous;
    link->previous->next = link->next;
    asyncpool_link_init(link);
}
#define ASYNCPOOL_OF(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))

/* ---- timers.c: what is to happen at some time. No PHP code ---- */

typedef struct asyncpool_timer {
    int64_t ns;      /* on the monotonic clock, as hrtime(true) */
    uint64_t number; /* of those with one time the first that was set rings first */
    size_t place;    /* in the heap, from 1; 0: it is not set */
    bool deadline;   /* it can end a wait: while there are some there is no deadlock */
    void (*ring)(struct asyncpool_timer *timer);
} asyncpool_timer_t;

typedef struct asyncpool_timers {
    asyncpool_timer_t **heap;
    size_t count, room;
    size_t deadlines;
    uint64_t last;
} asyncpool_timers_t;

int64_t asyncpool_now(void);
/* The time so many milliseconds from now. */
int64_t asyncpool_in(zend_long milliseconds);
void asyncpool_timer_set(asyncpool_timer_t *timer, int64_t ns);
/* Without effect on one that is not set. */
void asyncpool_timer_cancel(asyncpool_timer_t *timer);
/* The time of the next one; ASYNCPOOL_NEVER: none. */
int64_t asyncpool_timers_next(void);
/* Rings those whose time has come. */
void asyncpool_timers_ring(void);

/* ---- wait_loop.c: waits ---- */

/* What is known of a coroutine, or of the main flow, for its waits. */
typedef struct asyncpool_flow {
    struct asyncpool_wait *wait; /* the innermost that it is in; NULL: none */
    zend_object *interrupt;      /* what its next wait throws */
} asyncpool_flow_t;

/* Whose turn comes: a flow that goes on after a wait, or a coroutine that starts. */
typedef struct asyncpool_turn {
    asyncpool_link_t link;
    uint64_t number;
    bool starts;
} asyncpool_turn_t;

struct asyncpool_coroutine;

/* Whoever is told of the end of a coroutine. */
typedef struct asyncpool_follower {
    asyncpool_link_t link;
    struct asyncpool_wait *wait;
    /* Is its end the one that is waited for? NULL: it is. No PHP code. */
    bool (*is_enough)(struct asyncpool_follower *follower, const struct asyncpool_coroutine *ended);
    size_t *left; /* for that: how many have not ended yet */
} asyncpool_follower_t;

typedef struct asyncpool_wait {
    asyncpool_turn_t turn;         /* in the queue, once it is over and until its flow has gone on */
    asyncpool_link_t parked;       /* among those that flows are in */
    asyncpool_follower_t follower; /* of a coroutine that is awaited */
    asyncpool_timer_t timer;       /* its deadline */
    asyncpool_flow_t *flow;        /* NULL: a fiber's that somebody else has made */
    zend_fiber *fiber;             /* while it is parked, a reference; NULL: the main flow's, or it goes on */
    zend_execute_data *frame;      /* from where it was entered */
    zend_object *label;            /* a Stringable, borrowed: what is waited for; only asked when there is a deadlock */
    zend_string *what;             /* instead of a label */
    bool is_follower;              /* it ends when another flow does: in a deadlock that one is told */
    bool is_main;
    bool is_resumed; /* it returns value, or throws error */
    bool is_reached; /* the main flow's turn has come */
    zval value;
    zend_object *error;
    zend_string *verdict;  /* it is a deadlock: it throws one, unless it is resumed before its turn comes */
    zend_resource *stream; /* borrowed; it waits until that can be read, or written: */
    bool writes;
    size_t watched;       /* its place among those that are watched, from 1; 0: it is not */
    zend_string *watcher; /* Revolt's name for it */
    zend_long id;         /* for PHP code; 0: none */
    uint32_t era;         /* the loop's, when it was parked */
} asyncpool_wait_t;

/* One for the current flow; NULL and an exception: there is no loop, or PHP forbids to switch fibers here. PHP code of
 * others may run in it, the first time. */
asyncpool_wait_t *asyncpool_wait_new(void);
/* One that is not waited in after all. */
void asyncpool_wait_free(asyncpool_wait_t *wait);
/*
 * Suspends the current flow until the wait is resumed, or the time has come, and frees it. A flow that was resumed
 * already lets those run that were ready before. Throws what it was given, a FiberError where PHP forbids to switch, or
 * a DeadlockError. result: the value; NULL: nobody wants it. False: it has thrown.
 */
bool asyncpool_suspend(asyncpool_wait_t *wait, int64_t until_ns, zend_object *label, bool follows, zval *result);
/* Lets the current flow go on when those have run that are ready now. */
void asyncpool_pass(void);
/* Lets the flow go on that is in this wait, or about to be. value: NULL: null. Without effect on one that was resumed.
 * No PHP code; asyncpool_revolt_wake() has to follow. */
void asyncpool_resume(asyncpool_wait_t *wait, zval *value);
/* As that, but throws error, also where it was resumed and has not gone on yet. It takes a reference. */
void asyncpool_throw(asyncpool_wait_t *wait, zend_object *error);
/* Throws error into the wait that the flow is in, or into its next one. */
void asyncpool_interrupt(asyncpool_flow_t *flow, zend_object *error);
static inline bool asyncpool_is_over(const asyncpool_wait_t *wait) { return wait->is_resumed || wait->verdict; }
/* Collects cycles before a verdict: what only they hold may be what is waited for. False: that was done already. */
bool asyncpool_collect(void);
/* Tells those who wait that nothing can end it. False: nobody waits that was not told already. */
bool asyncpool_deadlock(void);

/* ---- fiber_loop.c: the queue, and the switching of fibers ---- */

/* It is one of those who can go on; a second time that changes nothing. */
void asyncpool_enqueue(asyncpool_turn_t *turn);
/* Where PHP forbids to switch fibers: true and a FiberError. */
bool asyncpool_forbidden(void);
/* Suspends the fiber that runs, which is in a wait, until somebody resumes it: the loop, or whoever else does. May
 * throw. */
void asyncpool_leave(void);
/* A coroutine ends: says where to go. */
void asyncpool_leave_for_ever(zend_fiber *fiber, zend_fiber_transfer *transfer);
/* Lets the coroutine go that has ended just before: for whoever comes to run after it. */
void asyncpool_bury_dead(void);
/* For the main flow: runs what can run until this wait of its is reached; NULL: until nothing keeps the script alive.
 * May throw. */
void asyncpool_run_until(asyncpool_wait_t *wait);
/* For the end of the script. False: exit() was called while the loop ran, so nothing runs any more. */
bool asyncpool_finish(void);

/* For Revolt's loop: lets all have their turn that are ready now. May throw. */
void asyncpool_run_turn(void);

/* ---- watchers.c: streams ---- */

typedef struct asyncpool_watchers {
    struct asyncpool_wait **waits;
    struct pollfd *fds;
    size_t count, room;
} asyncpool_watchers_t;

bool asyncpool_watchers_any(void);
/* Resumes those who can go on now. No PHP code. */
void asyncpool_watchers_look(void);
/* Those whose streams were closed, or have something in PHP's buffers. No PHP code. False: there are none. */
bool asyncpool_watchers_look_at_streams(void);
/* Revolt watches no more for those that are over: it must not see a stream that is closed. */
void asyncpool_watchers_let_go(void);
/* The one that Revolt calls so. */
void asyncpool_watchers_ready(zend_string *watcher);
/* Sleeps until somebody can go on, or a timer is due, or a signal has come. May throw. */
void asyncpool_watchers_sleep(void);
/* Without effect on a wait that is for no stream. */
void asyncpool_unwatch(asyncpool_wait_t *wait);
/* The name of a type, as get_debug_type() has it. */
zend_string *asyncpool_type_of(zval *value);
/* Async\readable(), Async\writable(). */
void asyncpool_await_stream(zend_execute_data *execute_data, bool to_write, zval *return_value);

/* ---- period.c: what is done again and again ---- */

zend_long asyncpool_every(zend_long milliseconds, zval *callback);
bool asyncpool_every_is(zend_long number);
/* A call of it has ended. */
void asyncpool_every_again(zend_long number);
void asyncpool_every_stop(zend_long number);

/* ---- coroutine.c ---- */

typedef struct asyncpool_coroutine {
    asyncpool_turn_t turn; /* to start */
    asyncpool_flow_t flow; /* of the main flow it is the loop's */
    zend_long id;          /* 0: PHP code does not see it as one */
    zend_fiber *fiber;     /* from its start to its end */
    zval task;             /* a closure */
    zval *arguments;
    uint32_t count;
    HashTable *named;
    zval result;
    zend_object *error, *cancellation;
    HashTable *ends;            /* what is to be called at its end */
    asyncpool_link_t followers; /* who awaits it */
    uint64_t ended;             /* its number among those that have; 0: it has not */
    uint32_t era;               /* the loop's, when it was spawned */
    zend_long period;           /* whose turn it is, see period.c; 0: none's */
    bool is_main, is_background, is_started;
    bool is_excused; /* nobody needs to be told what it throws */
    zend_object std; /* last */
} asyncpool_coroutine_t;

extern zend_class_entry *asyncpool_ce_coroutine;
void asyncpool_coroutine_register(void);
static inline asyncpool_coroutine_t *asyncpool_coroutine_of(zend_object *object)
{
    return (asyncpool_coroutine_t *)((char *)object - XtOffsetOf(asyncpool_coroutine_t, std));
}
/* One that runs task, a closure, later; the loop keeps it until it has ended. The caller has a reference, too. */
asyncpool_coroutine_t *asyncpool_spawn(zval *task, bool is_hidden, bool is_background);
/* The one that this fiber runs; NULL: none. */
asyncpool_coroutine_t *asyncpool_coroutine_in(const zend_fiber *fiber);
/* The one that runs, without a reference; NULL: this fiber is none, or an exception. */
asyncpool_coroutine_t *asyncpool_coroutine_current(void);
/* Its turn has come: its fiber, with a reference, to be switched to; NULL: it has ended already. */
zend_fiber *asyncpool_coroutine_start(asyncpool_coroutine_t *coroutine);
void asyncpool_coroutine_complete(asyncpool_coroutine_t *coroutine);
bool asyncpool_coroutine_is_running(const asyncpool_coroutine_t *coroutine);
/* Waits for its end, whichever it is. False: it was thrown something. */
bool asyncpool_coroutine_join(asyncpool_coroutine_t *coroutine);
/* The same, and answers or throws what it has. */
void asyncpool_coroutine_await(asyncpool_coroutine_t *coroutine, zval *result);

/* ---- revolt_loop.c: Revolt's event loop ---- */

typedef struct asyncpool_revolt {
    zend_class_entry *ce;
    zend_function *queue, *defer, *delay, *cancel, *unreference, *get_driver, *get_suspension, *on_readable,
        *on_writable;
    zend_object *suspension; /* of {main}, while it is suspended */
    zend_string *timer;      /* its name for the timer that rings next; */
    int64_t rings;           /* when */
    bool is_deadline;        /* there are some */
    bool is_queued;          /* a turn will come */
    bool is_turning;         /* it has */
} asyncpool_revolt_t;

/* Is Revolt there? Whatever autoloads classes may run. */
void asyncpool_revolt_find(void);
/* As asyncpool_run_until(). */
void asyncpool_revolt_run_until(asyncpool_wait_t *wait);
/* The turn of the main flow has come. */
void asyncpool_revolt_main_reached(void);
/* False and an exception: it cannot. */
bool asyncpool_revolt_watch(asyncpool_wait_t *wait, zval *stream, int fd);
void asyncpool_revolt_unwatch(asyncpool_wait_t *wait);
/* After whatever may have made somebody ready: has Revolt see to it. PHP code of Revolt runs, undisturbed. */
void asyncpool_revolt_wake(void);

/* ---- runtime.c: what there is once in a script ---- */

typedef struct asyncpool_loop {
    bool is_ready;   /* nothing is to be looked after before somebody waits or spawns: */
    bool is_known;   /* whether Revolt is there */
    bool is_watched; /* the end of the script calls end() */
    bool is_forked;  /* since then */
    bool is_ended;   /* the main flow is */
    bool has_revolt;
    bool is_finishing; /* asyncpool_run_until(NULL) is under way */
    uint32_t era;      /* how often a child of a fork has forgotten what its parent did */
    uint32_t running;  /* how many times it is running, one inside the other; an exit in it leaves this above 0 */
    uint32_t alive;    /* coroutines that keep the script alive, and other fibers that wait */
    asyncpool_link_t queue, parked;
    uint64_t turns, turn_ends;  /* the number of the last one in the queue; and the last of this turn */
    uint64_t events, collected; /* how often something was made ready; and at the last collection before a verdict */
    asyncpool_timers_t timers;
    asyncpool_watchers_t watchers;
    asyncpool_revolt_t revolt;
    asyncpool_flow_t main;
    asyncpool_coroutine_t *main_coroutine;
    zend_fiber *current; /* the one that the loop has resumed, a reference; NULL: none, or it was left */
    zend_fiber *dead;
    HashTable *waits, *periods, *failed, *reported;
    zend_long last_wait, last_period, last_coroutine;
    uint64_t last_end;
} asyncpool_loop_t;

void asyncpool_runtime_register(void);
void asyncpool_runtime_begin(void);
void asyncpool_runtime_end(void);
/* To be asked before anything is spawned or waited for. False and an exception: there is no loop. PHP code of others may
 * run, the first time. */
bool asyncpool_loop_ready(void);
/* A flow ended with this error, and nobody has been told yet. Takes the reference. */
void asyncpool_failed(zend_object *error);
/* Somebody was told. */
void asyncpool_told(zend_object *error);

/* ---- loop.c: for PHP code ---- */

extern zend_class_entry *asyncpool_ce_revolt_loop;
void asyncpool_loop_register(void);
void asyncpool_loop_object(zval *result);
/* The wait with this id is over. */
void asyncpool_wait_unknown(zend_long id);

#endif

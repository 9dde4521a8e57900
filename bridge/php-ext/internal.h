/*
 * What the files of the extension share.
 *
 * The rule that everything follows from: no PHP code runs above a frame of the library, unless C code of
 * another extension put it there. So exceptions, exit, fatal errors (which are a longjmp) and switches of fibers
 * in hooks meet no frame but this extension's. Its methods drive ops (driver.c); callables are handed to the
 * library all the same, for min and for C code, and are called guarded there (callable.c).
 */
#ifndef ASYNCPOOL_INTERNAL_H
#define ASYNCPOOL_INTERNAL_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_asyncpool.h"

#include "loop.h"

#ifdef ZTS
#error "A pool's resources are values of one PHP thread: use a PHP without ZTS."
#endif

/* ---- library.c: the functions of the library, by pointer ---- */

/* clang-format off */
#define ASYNCPOOL_FUNCTIONS(X)                                                                     \
    X(pool_activate) X(pool_active_count) X(pool_close) X(pool_count) X(pool_create_ex)            \
    X(pool_creations_due) X(pool_deactivate) X(pool_debug_live) X(pool_describe) X(pool_drain)     \
    X(pool_evict) X(pool_give) X(pool_idle_count) X(pool_is_closed) X(pool_lends)                  \
    X(pool_op_acquire) X(pool_op_cancel) X(pool_op_close) X(pool_op_create_behind) X(pool_op_detach)                  \
    X(pool_op_discard) X(pool_op_discard_lease) X(pool_op_drain) X(pool_op_evict) X(pool_op_join)  \
    X(pool_op_next) X(pool_op_release) X(pool_op_release_lease) X(pool_op_resize) X(pool_op_sweep) \
    X(pool_op_take) X(pool_op_trim) X(pool_op_try_acquire) X(pool_op_until_ns) X(pool_recover)     \
    X(pool_ref) X(pool_register_wrapper) X(pool_release) X(pool_resize) X(pool_set_error)          \
    X(pool_set_strategy) X(pool_state) X(pool_stats) X(pool_strategy_threshold) X(pool_strerror)   \
    X(pool_take) X(pool_time_left_ms) X(pool_trim) X(pool_try_later) X(pool_unref) X(pool_waiting_count)
/* clang-format on */

typedef struct asyncpool_library {
#define ASYNCPOOL_POINTER(name) __typeof__(&name) name;
    ASYNCPOOL_FUNCTIONS(ASYNCPOOL_POINTER)
#undef ASYNCPOOL_POINTER
    const pool_api_t *table;
} asyncpool_library_t;

extern asyncpool_library_t asyncpool_lib;

/* Loads the library, if it is not there yet. NULL: it is there; otherwise why it is not, to be released. */
zend_string *asyncpool_load(void);
/* The same for a method of PHP: false and an exception. */
bool asyncpool_load_or_throw(void);

/* ---- the module ---- */

ZEND_BEGIN_MODULE_GLOBALS(asyncpool)
    char *library; /* ini: asyncpool.library */
    asyncpool_loop_t loop;
    struct asyncpool_caller *callers; /* C code that waits, see scheduler.c */
    struct pool_obj_s *makers;        /* pools that create behind, see makers.c */
    bool bailed;                      /* a fatal error waits for the library to return: see callable.c */
    bool interrupted;                 /* a signal handler waits for the end of a section: see undisturbed.c */
ZEND_END_MODULE_GLOBALS(asyncpool)

ZEND_EXTERN_MODULE_GLOBALS(asyncpool)
#define ASYNCPOOL_G(v) ZEND_MODULE_GLOBALS_ACCESSOR(asyncpool, v)

/* ---- exceptions.c ---- */

extern zend_class_entry *asyncpool_ce_async_exception, *asyncpool_ce_pool_exception, *asyncpool_ce_timeout,
    *asyncpool_ce_unavailable, *asyncpool_ce_cancellation, *asyncpool_ce_deadlock, *asyncpool_ce_try_later;
void asyncpool_exceptions_register(void);
/* Is this a factory's word that it is to be asked later? Then *ms says when. */
bool asyncpool_is_later(zend_object *exception, zend_long *ms);
/* Throws what a caller in PHP is thrown for a status. */
void asyncpool_throw_status(pool_status_t status);
/* Why nothing was made, where the factory's own exception is not there any more; the caller has the reference. */
zend_object *asyncpool_factory_exception(zend_string *reason);
/* What an exception says; NULL: nothing. The caller has the reference. */
zend_string *asyncpool_message(zend_object *exception);
/* An exception of PHP's own class, to be told and not thrown; the caller has the reference. */
zend_object *asyncpool_exception(const char *message);
/* Is what is thrown right now no exception, but the end of the script or of the fiber? */
bool asyncpool_unwinding(void);
/* Takes what was thrown, with `first`, which may be NULL, as a previous one; the caller has the reference. What is
 * thrown by destructors meanwhile it takes, too. The end of the script or of the fiber goes on. */
zend_object *asyncpool_catch(zend_object *first);
/* The same, for what nobody is told of. */
void asyncpool_drop(void);
/* `last` with `first` at the end of its chain of previous exceptions. Consumes both; first may be NULL. */
zend_object *asyncpool_chain(zend_object *first, zend_object *last);

/* Puts aside what is being thrown, for PHP code to run, and puts it back. What was thrown in between becomes a
 * previous one if this leads; otherwise this does. The end of the script goes before both. */
typedef struct asyncpool_stash {
    zend_object *exception;
    const zend_op *opline;
} asyncpool_stash_t;
asyncpool_stash_t asyncpool_stash(void);
void asyncpool_unstash(asyncpool_stash_t stash, bool leads);

/* ---- undisturbed.c ---- */

/* Calls body, which calls PHP code of the package, with nothing being thrown. Neither the collector of cycles nor a
 * signal handler runs meanwhile: they wait for the end of it. */
void asyncpool_undisturbed(void (*body)(void *), void *argument);

/* ---- breaker.c ---- */

extern zend_class_entry *asyncpool_ce_breaker, *asyncpool_ce_strategy;
void asyncpool_breaker_register(void);
/* The case of the enum, with a reference. */
zend_object *asyncpool_breaker_state(pool_circuit_state_t state);

/* ---- budget.c: what each resource needs a place of ---- */

extern zend_class_entry *asyncpool_ce_budget;
void asyncpool_budget_register(void);
/* Takes a place, for who has so much time left (INT64_MAX: there is no deadline). False and an exception: there is none. */
bool asyncpool_budget_take(struct pool_obj_s *obj, int64_t left_ms);
void asyncpool_budget_give(struct pool_obj_s *obj);
/* Has it do what is due. False: something is being thrown. */
bool asyncpool_budget_beat(struct pool_obj_s *obj);

/* ---- store.c: the resources of a pool; key.c: the keys by which they are found ---- */

/* How PHP code has a resource; with() gives back its own, and by lease. What C code has borrowed is not marked. */
enum { ASYNCPOOL_KEPT, ASYNCPOOL_LENT, ASYNCPOOL_LENT_WITH };

/* To the library, a resource is the address of this. */
typedef struct asyncpool_entry {
    zval value; /* first: C code that lends from a PHP pool gets a zval * */
    zend_ulong key;
    uint8_t lent;                            /* see above */
    bool loose;                              /* see key.c */
    zend_string *place;                      /* where it is noted, who acquired it: file:line; NULL: not noted */
    zend_long coroutine;                     /* and its id; 0: none */
    struct asyncpool_entry *next, *previous; /* a ring of those with this key */
    struct asyncpool_entry *older, *newer;   /* all of the store */
} asyncpool_entry_t;

typedef struct asyncpool_store {
    HashTable by_key;          /* the first entry of each ring */
    asyncpool_entry_t *all;    /* the newest */
    asyncpool_entry_t *recent; /* was lent last; NULL: it is gone */
    uint32_t lent, loose;      /* how many are */
} asyncpool_store_t;

/* What identical values have in common. references: is it an array with some in it? Then it has not, later. */
zend_ulong asyncpool_key(const zval *value, bool *references);
zend_ulong asyncpool_address_key(const zval *array);

void asyncpool_store_init(asyncpool_store_t *store);
void asyncpool_store_destroy(asyncpool_store_t *store);
/* Takes the value over. */
asyncpool_entry_t *asyncpool_store_add(asyncpool_store_t *store, zval *value);
/* Takes an entry out; the caller frees it, and its value. */
void asyncpool_store_remove(asyncpool_store_t *store, asyncpool_entry_t *entry);
/* An entry whose value is identical, after the given one; NULL: none. Those that are marked as lent come first. */
asyncpool_entry_t *asyncpool_store_find(asyncpool_store_t *store, zval *value, asyncpool_entry_t *after);
/* Of several that share a key, one that was marked. */
void asyncpool_store_move(asyncpool_store_t *store, asyncpool_entry_t *entry);
static inline void asyncpool_store_mark(asyncpool_store_t *store, asyncpool_entry_t *entry, uint8_t lent)
{
    if (lent)
        store->recent = entry;
    if (entry->lent == lent)
        return;
    store->lent += (lent != ASYNCPOOL_KEPT) - (entry->lent != ASYNCPOOL_KEPT);
    entry->lent = lent;
    if (UNEXPECTED(entry->next != entry))
        asyncpool_store_move(store, entry);
}
/* Gives PHP code the value, and marks it as lent. */
static inline void asyncpool_store_lend(asyncpool_store_t *store, asyncpool_entry_t *entry, uint8_t lent, zval *result)
{
    ZVAL_COPY(result, &entry->value);
    asyncpool_store_mark(store, entry, lent);
}

/* ---- callable.c: the hooks of a pool as callables of the library ---- */

enum {
    ASYNCPOOL_FACTORY,
    ASYNCPOOL_DESTRUCTOR,
    ASYNCPOOL_HEALTHCHECK,
    ASYNCPOOL_BEFORE_ACQUIRE,
    ASYNCPOOL_BEFORE_RELEASE,
    ASYNCPOOL_ON_LEAK,
    ASYNCPOOL_HOOKS
};

typedef struct asyncpool_hook {
    pool_fcall_t fcall; /* first */
    zval closure;       /* undefined: none */
    zend_fcall_info_cache cache;
} asyncpool_hook_t;

/* They are the library's as long as the pool is, which may be longer than its object is there. */
typedef struct asyncpool_hooks {
    asyncpool_hook_t hook[ASYNCPOOL_HOOKS];
    struct pool_obj_s *owner; /* NULL: gone; nothing is called any more */
    uint32_t refs;
} asyncpool_hooks_t;

/* A closure, as PHP makes of a callable: what it may call is decided here and now. False and an exception: it is none. */
bool asyncpool_closure_of(zval *callable, zval *closure);
/* Makes hooks of callables, of which all but the first may be NULL. NULL and an exception: one is none. */
asyncpool_hooks_t *asyncpool_hooks_new(struct pool_obj_s *owner, zval *callables[ASYNCPOOL_HOOKS]);
/* The owner lets them go. */
void asyncpool_hooks_release(asyncpool_hooks_t *hooks);
/* The callable for the library, which has to be given it; NULL: none. */
pool_fcall_t *asyncpool_hooks_fcall(asyncpool_hooks_t *hooks, int hook);
static inline bool asyncpool_has(const asyncpool_hooks_t *hooks, int hook)
{
    return Z_TYPE(hooks->hook[hook].closure) != IS_UNDEF;
}
/* After a call of the library that may have called PHP code: a fatal error there goes on here. */
void asyncpool_after_library(void);
/* Calls body with nothing being thrown, and lets neither an exception nor a fatal error out of it, also of what the
 * collector or the end of this object calls then. keep: it does not go before, may be NULL. */
void asyncpool_guarded(void (*body)(void *), void *argument, zend_object *keep);

/* ---- hooks.c: calling the hooks, and what their outcomes mean ---- */

/* Each may throw; then the outcome counts for nothing. The two that follow are for pools that have such a hook. */
asyncpool_entry_t *asyncpool_create(struct pool_obj_s *obj, int64_t left_ms);
bool asyncpool_may_lend(struct pool_obj_s *obj, zval *resource);
bool asyncpool_is_healthy(struct pool_obj_s *obj, zval *resource);
/* Why this resource may not be kept; NULL: it may. The caller has the reference. */
zend_object *asyncpool_refusal(struct pool_obj_s *obj, zval *resource);
void asyncpool_destroy(struct pool_obj_s *obj, zval *resource);
/* Does what is being thrown say that with() is not to give its resource back? */
bool asyncpool_is_to_discard(const struct pool_obj_s *obj);
/* Tells the strategy; refusal NULL: success. */
void asyncpool_report(struct pool_obj_s *obj, zend_object *refusal);
bool asyncpool_should_recover(struct pool_obj_s *obj);
/* Tells of what is lent for too long. */
void asyncpool_leaked(struct pool_obj_s *obj, const pool_lend_t *lend);
/* Lets a strategy go that is not the pool's any more, when no call of one is under way. */
void asyncpool_strategy_let_go(struct pool_obj_s *obj, zend_object *strategy);

/* ---- period.c: healthchecks ---- */

/* Calls ref->sweep() again and again; answers a number for asyncpool_timer_stop(). */
zend_long asyncpool_timer_start(zend_long milliseconds, zend_object *ref);
void asyncpool_timer_stop(zend_long timer);

/* ---- scheduler.c: waiting for the library, in the loop of loop.h ---- */

/* A flow that waits with an op: pool_op_t.data. */
typedef struct asyncpool_waiter {
    pool_op_t *op;
    asyncpool_wait_t *wait; /* NULL: it does not wait */
    bool woken;             /* the library has said that it can go on */
} asyncpool_waiter_t;

extern const pool_scheduler_t asyncpool_scheduler;
/* Waits until the op can go on or the time has come, or throws. */
void asyncpool_wait(asyncpool_waiter_t *waiter, int64_t until_ns, zend_object *label);
/* After C code has called the library: it may have made somebody ready, or a creation due, in any pool. Nobody else's PHP
 * code runs. */
void asyncpool_wake_all(void);
/* At the end of a request: ends the waits of C code that a fatal error has left behind. */
void asyncpool_waits_abandon(void);

/* ---- op.c: operations, and those that are under way ---- */

/*
 * It belongs to the flow that has begun it, until that comes back: nothing of it is shared with another op, and nobody
 * else writes to what that flow reads. Who ends it for that flow only takes it out of the list of those that are busy.
 */
typedef struct asyncpool_op {
    pool_op_t op; /* first */
    asyncpool_waiter_t wait;
    pool_status_t status;         /* how it ended */
    zend_object *error;           /* what its caller is thrown, whatever the status is */
    zend_object *failure;         /* why what it has begun to make was not made; thrown, if it ends with that */
    zend_object *refusal;         /* why its resource is not kept, of a release */
    zend_object *verdict;         /* its wait is hopeless, unless the library has something for it by now */
    asyncpool_entry_t *destroyed; /* its address is not used again before the library knows */
    pool_lease_t *lease;          /* where its caller wants to be told of the lend; NULL: it does not */
    asyncpool_entry_t *returned;  /* is not lent any more once the library has said that it was; NULL: none */
    bool fragile;                 /* a destructor's exception ends it */
    bool behind;                  /* it makes what others wait for */
    bool cancelling;              /* it is to be cancelled, instead of answering its ask */
    bool busy;                    /* it is not done, and in the pool's list of those */
    int64_t until_ns;             /* when its caller waits no longer, where a budget is to know that; 0: never */
    bool driven;                  /* a flow is in the middle of it */
    bool ending;                  /* somebody else is ending it */
    struct asyncpool_op *next, *previous;
} asyncpool_op_t;

asyncpool_op_t *asyncpool_op(struct pool_obj_s *obj, bool fragile);
void asyncpool_op_enlist(struct pool_obj_s *obj, asyncpool_op_t *op);
void asyncpool_op_delist(struct pool_obj_s *obj, asyncpool_op_t *op);
/* Keeps it for the next one, if neither the library nor anybody here needs it. */
void asyncpool_op_spare(struct pool_obj_s *obj, asyncpool_op_t *op);
void asyncpool_ops_free(struct pool_obj_s *obj);
/* The memory of what was destroyed. */
void asyncpool_op_bury(asyncpool_op_t *op);
/* What its caller has left; INT64_MAX: there is no deadline that a budget is to know. */
int64_t asyncpool_op_time_left(const asyncpool_op_t *op);
/* Destroys a resource. silent: no hook is called. */
void asyncpool_op_destroy(struct pool_obj_s *obj, asyncpool_op_t *op, asyncpool_entry_t *entry, bool silent);
/* Notes what was thrown. The last one is what the caller sees; the others are its previous ones. */
void asyncpool_op_fail(asyncpool_op_t *op);

/* ---- driver.c: a flow drives its op ---- */

/* Runs an op that was begun to its end, and gives it back. result: what was acquired, NULL of other ops. Throws what
 * ends it. status: how it was begun, and how it ended. */
void asyncpool_run(struct pool_obj_s *obj, asyncpool_op_t *op, pool_status_t *status, zval *result);
/* The same for an op that pool_op_join() put in line. */
void asyncpool_queue(struct pool_obj_s *obj, asyncpool_op_t *op, pool_status_t *status, zval *result);

/* Answers the library, and hears what is next. No PHP code runs: see asyncpool_wake(). */
pool_ask_kind_t asyncpool_next(struct pool_obj_s *obj, asyncpool_op_t *op, const pool_answer_t *word, pool_ask_t *ask);

/* ---- teardown.c: ending what no flow drives to its end ---- */

/* Ends an op. Answers what destructors threw. */
zend_object *asyncpool_abandon(struct pool_obj_s *obj, asyncpool_op_t *op, bool silent);
/* Ends all that are busy. silent: no hook is called, and nobody is told. Answers what destructors threw. */
zend_object *asyncpool_abandon_all(struct pool_obj_s *obj, bool silent);
/* Ends all that are busy, and destroys what is idle, without a hook. */
void asyncpool_end_silently(struct pool_obj_s *obj);
/* Has the library take all resources of a closed pool for released, and forget the pool. No PHP code runs. */
void asyncpool_forget(struct pool_obj_s *obj);

/* ---- operations.c: what a pool does ---- */

void asyncpool_acquire(struct pool_obj_s *obj, zend_long timeout_ms, zval *result);
void asyncpool_try_acquire(struct pool_obj_s *obj, zval *result);
void asyncpool_release(struct pool_obj_s *obj, zval *resource);
void asyncpool_discard(struct pool_obj_s *obj, zval *resource);
void asyncpool_detach(struct pool_obj_s *obj, zval *resource);
/* Lends a resource to a call, and ends that lend, however the call ends. */
void asyncpool_with(struct pool_obj_s *obj, zend_fcall_info *use, zend_fcall_info_cache *cache, zend_long timeout_ms);
void asyncpool_sweep(struct pool_obj_s *obj);
void asyncpool_close(struct pool_obj_s *obj);
void asyncpool_evict(struct pool_obj_s *obj);
void asyncpool_trim(struct pool_obj_s *obj, zend_long keep_idle);
void asyncpool_resize(struct pool_obj_s *obj, zend_long min, zend_long max);
void asyncpool_drain(struct pool_obj_s *obj, zend_long timeout_ms);
/* Makes one for who waits in line. */
void asyncpool_make_one(struct pool_obj_s *obj);
void asyncpool_set_threshold(struct pool_obj_s *obj, zend_long failures, zend_long open_ms, zend_long successes);
void asyncpool_set_strategy(struct pool_obj_s *obj, zend_object *strategy);
/* Closes, and lets the library forget the pool. What is lent then can still be released. */
void asyncpool_dispose(struct pool_obj_s *obj);

/* ---- pool_ref.c: what PHP's loop knows of a pool, weakly ---- */

void asyncpool_ref_register(void);
zend_object *asyncpool_ref_new(struct pool_obj_s *owner);
/* The pool goes. */
void asyncpool_ref_forget(zend_object *ref);
/* The closure [ref, 'sweep']. */
void asyncpool_ref_sweeper(zend_object *ref, zval *closure);
/* Has the loop call this method of it in the background. */
void asyncpool_ref_later(zend_object *ref, const char *method, size_t length);

/* ---- options.c: the numbers that a pool is made with ---- */

typedef struct asyncpool_options {
    zend_long min, max, interval, max_lifetime, lifetime_jitter, idle_timeout, max_uses, check_after, leak_after,
        max_waiting, create_retry, create_retry_max, min_idle;
    bool lifo, lazy_min, create_behind, timed;
} asyncpool_options_t;

/* False and a ValueError of the function that runs: they make no pool. checks: there is a beforeAcquire; hears: there is
 * an onLeak. */
bool asyncpool_options_check(const asyncpool_options_t *options, bool checks, bool hears);
bool asyncpool_options_check_trim(zend_long keep_idle);
bool asyncpool_options_check_resize(zend_long min, zend_long max);
bool asyncpool_options_check_threshold(zend_long failures, zend_long open_ms, zend_long successes);
/* Tells the library. */
void asyncpool_options_configure(const asyncpool_options_t *options, pool_config_t *config);
/* Milliseconds between two passes; 0: there are none. min: as it is by now; checks: there is a healthcheck. */
zend_long asyncpool_options_interval(const asyncpool_options_t *options, zend_long min, bool checks);
/* The classes that a list names, with a NULL behind them. False and an exception: what is no exception's is in it. */
bool asyncpool_options_of_classes(zval *list, zend_class_entry ***classes);

/* ---- maintenance.c: when passes come ---- */

/* Has them come, if there is something for them to do. min: resources that are to be there; at_once: the first one is not
 * waited for. */
void asyncpool_maintenance_begin(struct pool_obj_s *obj, zend_long min, bool at_once);
/* No more of them begin. */
void asyncpool_maintenance_end(struct pool_obj_s *obj);
void asyncpool_maintenance_resized(struct pool_obj_s *obj, zend_long min);
void asyncpool_maintenance_look(struct pool_obj_s *obj, bool is_lent);
void asyncpool_maintenance_come(struct pool_obj_s *obj);

/* ---- makers.c: who makes what those in line wait for ---- */

typedef struct asyncpool_maker {
    bool joined;
    uint32_t called; /* and have not come */
    struct pool_obj_s *next, *previous;
} asyncpool_maker_t;

/* Its callers do not call the factory. */
void asyncpool_makers_join(struct pool_obj_s *obj);
void asyncpool_makers_leave(struct pool_obj_s *obj);
/* After whatever may have changed how many are due: in this pool, which has joined; in any. Nobody else's PHP code runs. */
void asyncpool_makers_call(struct pool_obj_s *obj);
void asyncpool_makers_call_all(void);
void asyncpool_makers_come(struct pool_obj_s *obj);

/* ---- stats.c: what a pool tells ---- */

void asyncpool_stats_register(void);
void asyncpool_stats(struct pool_obj_s *obj, zval *result);
void asyncpool_lends(struct pool_obj_s *obj, zval *result);
void asyncpool_lend(struct pool_obj_s *obj, const pool_lend_t *told, zval *result);
/* Notes who has acquired this. Nobody else's PHP code runs. */
void asyncpool_note(asyncpool_entry_t *entry);

/* ---- table.c: for other extensions ---- */

void asyncpool_table_ready(void);

/* ---- object.c: Async\Pool as an object; construct.c, pool.c: its methods ---- */

typedef struct pool_obj_s {
    pool_t *pool; /* NULL: not constructed, or gone */
    pool_t *lane; /* the same for lane.h; NULL also where PHP cannot hold what it lends, or more follows */
    bool constructed;
    bool filling;     /* its constructor makes min resources */
    bool ending;      /* asyncpool_dispose() is at work */
    bool notes;       /* it is noted who acquires */
    bool lacks;       /* fewer are idle than are to be, and there is room: a pass was called for it */
    bool pass_called; /* one that has not begun */
    bool passes_ended;
    asyncpool_options_t options;
    asyncpool_maker_t maker;
    zend_object *failure;     /* why the last creation failed, for those who are told and have not called the factory */
    zend_string *reason;      /* of a failure that was let go what it said */
    asyncpool_hooks_t *hooks; /* NULL: it is not of PHP's making */
    asyncpool_store_t store;
    zend_class_entry **discard_on; /* what says that with() is not to give back; NULL ends it */
    zend_object *budget;           /* what each resource needs a place of; NULL: nothing */
    zend_object *strategy;
    uint32_t reporting;                      /* calls of a strategy that are under way */
    HashTable *replaced;                     /* strategies that were taken away meanwhile */
    pool_circuit_breaker_strategy_t reports; /* what the library knows of it */
    zend_object *ref;
    zend_long timer;
    asyncpool_op_t *busy, *newest; /* those under way, from the oldest on */
    asyncpool_op_t *spare;
    zend_object std; /* last */
} pool_obj_t;

extern zend_class_entry *asyncpool_ce_pool;
void asyncpool_pool_register(void);
void asyncpool_object_register(zend_class_entry *ce);
/* pool_register_wrapper(): the object of a pool, with a reference. */
void *asyncpool_object_of(pool_t *pool);
/* Pool of C pointers: PHP cannot hold its resources. */
static inline bool asyncpool_is_foreign(const pool_obj_t *obj) { return obj->pool && !obj->hooks; }
static inline pool_obj_t *asyncpool_obj(zend_object *object)
{
    return (pool_obj_t *)((char *)object - XtOffsetOf(pool_obj_t, std));
}
zend_object *asyncpool_ref(pool_obj_t *obj);

/* After every call of the library that may have made somebody ready, or a creation of this pool due. Nobody else's PHP
 * code runs. */
static inline void asyncpool_wake(pool_obj_t *obj)
{
    if (UNEXPECTED(obj->maker.joined))
        asyncpool_makers_call(obj);
    if (UNEXPECTED(ASYNCPOOL_G(loop).has_revolt))
        asyncpool_revolt_wake();
}
#endif

/**
 * @file
 * @brief The API of asyncpool: what is not in this header is not API.
 */
/**
 * @mainpage asyncpool - a universal resource pool behind a C ABI
 *
 * A pool lends resources (connections, sockets, handles: any word) that a factory of yours makes.
 * At most max_size of them exist at once. Who comes when all are lent waits in line, first come,
 * first served. What comes back is checked by your hooks, then lent again or destroyed.
 *
 *     pool_config_t config = POOL_CONFIG_INIT;
 *     config.factory = connect_to_database;
 *     config.destructor = disconnect;
 *     config.max_size = 8;
 *
 *     pool_t *pool;
 *     if (pool_create_ex(&config, &pool) != POOL_OK) ...
 *
 *     void *connection;
 *     if (pool_acquire(pool, &connection, 5000) == POOL_OK) {
 *         ...
 *         pool_release(pool, connection);
 *     }
 *     pool_unref(pool);
 *
 * What holds for every function is said once: @ref pool_rules. This header, pool.h, is the authority: what is not in
 * it is not API.
 */
/**
 * @page pool_rules Rules that hold for every function of pool.h
 *
 * - Unless its text says otherwise, any thread may call it at any time, also from inside hooks, reports,
 *   observers and callbacks; it never blocks; and it keeps nothing that it is given.
 * - Hooks run on the thread that needs them, with no lock held. A hook may block, call the pool,
 *   switch stacks and come back later. State and type of its thread's cancellation are put back when
 *   it returns; what else it changes of its caller's thread is the caller's to see.
 * - The places of a pool are max_size; each is idle, active, or free to be created. A resource counts
 *   as active from the moment its creation begins: while it is lent, while a hook runs on it, and
 *   until its destructor has returned.
 * - A hook, report or observer that never comes back: if its thread ends (pthread_exit(), cancellation)
 *   or a C++ exception passes through, the call is given up, its place goes to the next, and what it was
 *   working on is destroyed. longjmp() skips this: the place is lost, everything else goes on.
 *   The same holds for the callback of an async op, but the resource is the callback's already.
 * - Waiting is a cancellation point; nothing else here is, but for what hooks do.
 * - Times are milliseconds unless a name ends in _ns. Waits are measured on the monotonic clock.
 * - Nothing the library returns needs to be freed, but pools, pool_unref(), and reactors, pool_reactor_unref().
 * - Structs that a caller fills or receives begin with struct_size, which the caller sets, and grow at the end
 *   only. A library takes every size from the first version's on: what an older caller's lacks is zero, or not
 *   told; what a newer caller's has more must be zero where it is read, and is zero where it is written. Nothing is
 *   read or written behind struct_size. The other structs are frozen, each for the reason that its text gives.
 * - Each kind of flags has a number space of its own: `POOL_F_..._INTERNAL`, the other `POOL_F_...`, `POOL_ASKS_...`,
 *   `POOL_EVENT_F_...`.
 * - Signal handlers of the process should be installed with SA_ONSTACK, as for every program with Go in
 *   it. One without it that runs while a thread is inside the library has 64 KB of stack.
 * - Misuse that can be told is told by a status, and where the answer is none, by pool_last_error(): it says
 *   POOL_ERR_INVALID, with a text, after a call that was given NULL (unless its text says that NULL is fine), what is no
 *   handle, or a pool or an op of a kind that the function is not for, whatever the call has answered.
 * - A handle that is none is answered as NULL is, which finds mistakes early: a small number, foreign memory, a
 *   copy, or one of the last 32 pools and their reactors that were freed. This is best effort. The memory must be
 *   readable, what was freed longer ago may be another pool by now, and an op whose memory is overwritten, freed,
 *   or begun anew before it is done is not noticed.
 * - In a child process made by fork() after the library was loaded, every call that answers a
 *   pool_status_t answers POOL_ERR_FORKED, counts are 0 and pool_create_internal() is NULL: load the
 *   library after the fork instead.
 */
#ifndef ASYNCPOOL_POOL_H
#define ASYNCPOOL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
/* A function with the name of a struct hides no constructor that anybody calls. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

/** The version of this header; pool_version() has that of the library. */
#define POOL_VERSION "1.0.0"
/** The ABI of this header; pool_abi_version() has that of the library. */
#define POOL_ABI_VERSION 1u

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_statuses Statuses
 * @{
 */

/**
 * @brief The one list of statuses. Numbers are never reused.
 *
 * @param X  X(name, number, text), called once for each.
 */
#define POOL_STATUS_MAP(X)                                                                  \
    X(OK, 0, "success")                                                                     \
    X(PENDING, 1, "not finished: go on with the operation")                                 \
    X(EMPTY, 2, "nothing is free right now")                                                \
    X(ERR_INVALID, -1, "invalid argument")                                                  \
    X(ERR_CLOSED, -2, "the pool is closed")                                                 \
    X(ERR_UNAVAILABLE, -3, "the service is unavailable: the circuit breaker is open")       \
    X(ERR_TIMEOUT, -4, "timed out waiting for a resource")                                  \
    X(ERR_FACTORY, -5, "the factory failed to create a resource")                           \
    X(ERR_CANCELLED, -6, "the operation was cancelled")                                     \
    X(ERR_NOT_OWNED, -7, "the resource is not lent by this pool")                           \
    X(ERR_NOMEM, -8, "out of memory")                                                       \
    X(ERR_FORKED, -9, "the library was loaded before fork(): load it in the child instead") \
    X(ERR_OVERLOADED, -10, "too many callers are waiting")                                  \
    X(ERR_DEADLOCK, -11, "every coroutine waits and none can give a resource back")         \
    X(ERR_INTERNAL, -12, "internal error: a defect in the library")

/** @brief The outcome of a call: an entry of POOL_STATUS_MAP. */
typedef enum pool_status {
#define POOL_STATUS_ENUM(name, number, text) POOL_##name = number,
    POOL_STATUS_MAP(POOL_STATUS_ENUM)
#undef POOL_STATUS_ENUM
} pool_status_t;

/** @brief The service behind the pool: answering, given up, or on probation. */
typedef enum pool_circuit_state {
    POOL_CIRCUIT_ACTIVE = 0,    /**< answering */
    POOL_CIRCUIT_INACTIVE = 1,  /**< given up */
    POOL_CIRCUIT_RECOVERING = 2 /**< on probation */
} pool_circuit_state_t;

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_hooks Hooks
 * @{
 */

typedef struct pool_s pool_t;
/** A reactor: one descriptor, one timeout, one dispatch for many pools. See pool_reactor_create(). */
typedef struct pool_reactor_s pool_reactor_t;

/**
 * @brief The memory of an op: the caller's, at one address from its beginning until it is done.
 *
 * Ops are what hosts use that wait in their own way: event loops, coroutines, other languages. See @ref pool_ops.
 *
 * Frozen: it has room for what ops will need, and the caller looks at data alone.
 */
typedef struct pool_op {
    uint64_t opaque[31]; /**< the library's */
    void *data;          /**< the host's; the library leaves it alone, but for pool_acquire_async(), which sets it */
} pool_op_t;

/**
 * @brief Makes a resource: stores it and returns true, or returns false.
 *
 * NULL is a legal resource, and so is one word for several resources: a release gives one of them back, whichever.
 */
typedef bool (*pool_factory_fn)(pool_t *pool, void **resource);
/** Ends a resource. Runs exactly once for each resource that the pool removes. */
typedef void (*pool_destructor_fn)(pool_t *pool, void *resource);
/** Is this idle resource still good? false: it is destroyed. */
typedef bool (*pool_healthcheck_fn)(pool_t *pool, void *resource);
/** May this idle resource be lent? false: it is destroyed and the next one is tried. */
typedef bool (*pool_before_acquire_fn)(pool_t *pool, void *resource);
/** May this returned resource be kept? false: it is destroyed. */
typedef bool (*pool_before_release_fn)(pool_t *pool, void *resource);

/** @brief One lend, as pool_lends() and pool_config_t.leaked tell it. Fields are only ever appended. */
typedef struct pool_lend {
    size_t struct_size; /**< set by the caller in the first of an array: sizeof(pool_lend_t), which holds for all */
    void *resource;     /**< what is lent */
    uint64_t ms;        /**< for so long, within 10 ms, where lends are timed: POOL_F_TIMED, or leak_after_ms; else 0 */
    uint64_t uses;      /**< lends of the resource, this one included, where a limit needs them or as above; else 0 */
    uint64_t thread;    /**< who acquired it, as gettid() has it, where lends are timed; else 0 */
    const char *tag;    /**< pool_tag() of who acquired it, where uses are kept; NULL: none */
    uint64_t lease;     /**< pool_lease_t.id of the lend; 0: it is by word */
} pool_lend_t;
/** Hears of a lend that lasts for too long: pool_config_t.leak_after_ms. The lend is that of the call. */
typedef void (*pool_leaked_fn)(pool_t *pool, const pool_lend_t *lend);

typedef struct pool_fcall_s pool_fcall_t;
/**
 * @brief What a language binding hands over in place of a C function.
 *
 * A pool takes a callable over when it is given one.
 *
 * Frozen, since bindings embed it in structs of their own: what a callable needs more stands behind data.
 */
struct pool_fcall_s {
    /** Does what the hook of that place does: a factory stores into *resource, the others read *resource; a
     * destructor's answer is ignored. In the place of pool_config_t.leaked *resource is the const pool_lend_t *, and the
     * answer is ignored. */
    bool (*invoke)(pool_fcall_t *fcall, pool_t *pool, void **resource);
    /** May be NULL. Called once for each place that the callable was given for, when the pool is freed, or before a
     * creation that fails returns. */
    void (*dispose)(pool_fcall_t *fcall);
    void *data; /**< the binding's */
};

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_strategies The circuit breaker's strategy
 * @{
 */

/**
 * @brief Why a returned resource was refused: what before_release said with pool_set_error(), or code 0 and
 * "Resource validation failed". Or why none was made: what the factory said.
 *
 * Valid during the call. Frozen: the library makes it and the strategy reads it, so more of an error is told by
 * functions that are called in the report.
 */
typedef struct pool_error_s {
    int code;            /**< the code of pool_set_error() */
    const char *message; /**< the text of pool_set_error() */
} pool_error_t;

/**
 * @brief Decides when the breaker changes its state.
 *
 * Each release is reported once: a success after before_release has passed the resource, a failure after it has
 * refused it; both while the resource still counts as active, on the releasing thread, with no lock held. Whatever a
 * strategy decides, it does by calling pool_activate(), pool_deactivate() or pool_recover(), also from inside a
 * report.
 *
 * Without a size, since programs initialise it by position: once 1.0.0 is released it is frozen, and a strategy that
 * wants to hear more is given by a function of its own.
 */
typedef struct pool_circuit_breaker_strategy_s {
    /** Called after before_release has passed a resource. */
    void (*report_success)(pool_t *pool, void *ctx);
    /** Called after before_release has refused a resource. */
    void (*report_failure)(pool_t *pool, const pool_error_t *error, void *ctx);
    /** May be NULL. Asked by a caller that finds the breaker open: true moves the pool to RECOVERING, with this caller
     * as its first probe. */
    bool (*should_recover)(pool_t *pool, void *ctx);
    void *ctx; /**< the strategy's, passed to each of them */
    /** May be NULL. Called after the factory has failed for an acquire, on its thread, while the place still counts as
     * active: with what the factory said with pool_set_error(), or code 0 and "Resource creation failed". The first
     * resources and those of a pass are none that it hears of, and neither is a host-driven pool's host, which has
     * answered POOL_ASK_CREATE itself. */
    void (*report_create_failure)(pool_t *pool, const pool_error_t *error, void *ctx);
} pool_circuit_breaker_strategy_t;

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_events The pool's event
 * @{
 */

/** @brief What an observer is told. */
typedef enum pool_event_kind {
    POOL_EVENT_AVAILABLE = 0, /**< a place became free that no waiter was owed */
    POOL_EVENT_CLOSED = 1     /**< the pool was closed, or a drain has begun */
} pool_event_kind_t;

typedef struct pool_event_s pool_event_t;

typedef struct pool_event_callback_s pool_event_callback_t;
/**
 * @brief An observer of a pool, in the caller's memory.
 *
 * Frozen, since observers embed it in structs of their own: what is new to be told is another kind of event.
 */
struct pool_event_callback_s {
    /** Called on the thread that made the change, with no lock held. */
    void (*callback)(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind);
    /** May be NULL. Called once, when the event has let the observer go and no call of it is running. */
    void (*dispose)(pool_event_callback_t *self);
    void *data; /**< the observer's */
};

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_struct The pool's table
 * @{
 */

/**
 * @name Bits of pool_t.handler_flags
 * Which handlers are C functions. A number space of its own, of eight bits.
 * @{
 */
/** pool_t.factory is a C function. */
#define POOL_F_FACTORY_INTERNAL (1u << 0)
/** pool_t.destructor is a C function. */
#define POOL_F_DESTRUCTOR_INTERNAL (1u << 1)
/** pool_t.healthcheck is a C function. */
#define POOL_F_HEALTHCHECK_INTERNAL (1u << 2)
/** pool_t.before_acquire is a C function. */
#define POOL_F_BEFORE_ACQUIRE_INTERNAL (1u << 3)
/** pool_t.before_release is a C function. */
#define POOL_F_BEFORE_RELEASE_INTERNAL (1u << 4)
/** pool_t.strategy has C functions. */
#define POOL_F_STRATEGY_INTERNAL (1u << 5)
/** @} */

/** Bit of pool_event_t.flags: the pool was closed. */
#define POOL_EVENT_F_CLOSED (1u << 0)

/**
 * @brief A pool is an event first of all.
 *
 * Any thread may call the handlers, also from inside hooks and observers; all of them take the pool's own event.
 * Frozen, since a pool begins with it; the library makes it.
 */
struct pool_event_s {
    uint32_t flags;          /**< `POOL_EVENT_F_...` */
    uint32_t ref_count;      /**< references held: pool_ref(), pool_unref(), dispose */
    uint32_t callback_count; /**< observers */
    uint32_t reserved;       /**< not used */
    void *callbacks;         /**< the vector of observers; the library's */
    /**
     * @brief Adds an observer, which must stay until it is disposed of.
     *
     * POOL_OK; POOL_ERR_INVALID for NULL, one without a function, or one that is there already; POOL_ERR_CLOSED;
     * POOL_ERR_NOMEM; POOL_ERR_FORKED.
     */
    pool_status_t (*add_callback)(pool_event_t *event, pool_event_callback_t *callback);
    /**
     * @brief Removes an observer. When it returns no call of it runs on another thread, and none will come.
     *
     * It does not wait for calls that it is called inside of, however deep and wherever they began, nor for those
     * that wait in a coroutine of this thread: a call is on the thread where it began, or where the pool's scheduler
     * or a removal inside of it has last seen it. So two observers must not remove each other from two threads, nor
     * themselves while each thread is inside of both, and one that left by longjmp() is waited for by other threads
     * for ever.
     *
     * POOL_OK; POOL_ERR_INVALID for one that is not there; POOL_ERR_FORKED.
     */
    pool_status_t (*del_callback)(pool_event_t *event, pool_event_callback_t *callback);
    void (*start)(pool_event_t *event);   /**< does nothing: a pool needs no starting */
    void (*stop)(pool_event_t *event);    /**< does nothing */
    void (*dispose)(pool_event_t *event); /**< gives a reference back, as pool_unref() */
    /** pool_describe() of the pool. */
    int (*info)(pool_event_t *event, char *buffer, size_t size);
};

/**
 * @brief What a consumer may read of a pool directly.
 *
 * The library owns and writes it, but for wrapper and user_data, which are the consumer's; the library's private part
 * follows behind it. What changes is written under the pool's lock: while other threads change it, ask the functions
 * instead.
 *
 * Frozen: the library makes it, and what is new is asked for by functions.
 */
struct pool_s {
    pool_event_t event;                 /**< the pool's event */
    uint8_t handler_flags;              /**< which handlers are C functions: `POOL_F_..._INTERNAL` */
    pool_circuit_state_t circuit_state; /**< as pool_state() */
    uint32_t min_size;                  /**< as the pool was created with */
    uint32_t max_size;                  /**< as the pool was created with */
    void *wrapper;                      /**< the host's object for this pool */
    union {
        pool_fcall_t *fcall;      /**< a callable */
        pool_factory_fn internal; /**< a C function: POOL_F_FACTORY_INTERNAL */
    } factory;                    /**< makes resources */
    union {
        pool_fcall_t *fcall;         /**< a callable */
        pool_destructor_fn internal; /**< a C function: POOL_F_DESTRUCTOR_INTERNAL */
    } destructor;                    /**< ends them */
    union {
        pool_fcall_t *fcall;          /**< a callable */
        pool_healthcheck_fn internal; /**< a C function: POOL_F_HEALTHCHECK_INTERNAL */
    } healthcheck;                    /**< checks idle ones */
    union {
        pool_fcall_t *fcall;             /**< a callable */
        pool_before_acquire_fn internal; /**< a C function: POOL_F_BEFORE_ACQUIRE_INTERNAL */
    } before_acquire;                    /**< may refuse to lend */
    union {
        pool_fcall_t *fcall;             /**< a callable */
        pool_before_release_fn internal; /**< a C function: POOL_F_BEFORE_RELEASE_INTERNAL */
    } before_release;                    /**< may refuse to keep */
    union {
        void *object;                              /**< not used */
        pool_circuit_breaker_strategy_t *internal; /**< C functions: POOL_F_STRATEGY_INTERNAL */
    } strategy;                                    /**< decides about the breaker */
    void *user_data;                               /**< pool_config_t.user_data; set before the first factory call */
};

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_coroutines Coroutines
 * @{
 */

/**
 * @brief How a host's coroutines wait.
 *
 * pool_acquire() on a pool that has a scheduler suspends the coroutine instead of the thread. Both functions are
 * called with no lock held. op->data is the host's, NULL at first; op is valid until resume has returned.
 *
 * A host that drives an op of such a pool itself (pool_op_acquire() and its kin) waits without suspend, and is
 * told by resume all the same; op->data is what it was before the op was begun then, so set it before: with the
 * scheduler of asyncpool/ucontext.h, to NULL. Going on with the op waits until resume has returned; inside of resume
 * it is POOL_ERR_INVALID, as is pool_op_cancel(), and changes nothing.
 *
 * Frozen, since programs initialise it by position: what a scheduler does more is another field of pool_config_t.
 */
typedef struct pool_scheduler {
    /** Returns when the coroutine may go on: it was resumed, or the time that pool_op_until_ns() of the op tells has
     * come, or for any reason (it is asked again then). false: every coroutine waits and nothing can ever resume this
     * one; the caller gets POOL_ERR_DEADLOCK instead of hanging. */
    bool (*suspend)(void *ctx, pool_op_t *op);
    /** Makes the coroutine that waits for op able to run, and returns; it does not run it. It may come from any
     * thread, and before suspend has been called: suspend must return at once then. The coroutine may be suspended
     * for the same op again, and then resumed again, when it only had to look: pool_strategy_threshold().
     * To be unwound (the end of its thread, a C++ exception) counts as to return; it must not be left by longjmp(). */
    void (*resume)(void *ctx, pool_op_t *op);
    void *ctx; /**< the scheduler's, passed to both */
} pool_scheduler_t;

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_creating Creating
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/**
 * @page pool_ages How long resources live
 *
 * Resources age: servers and load balancers end what is open for too long, memory that sessions hold grows. A limit of
 * pool_config_t that is 0 is none, and costs nothing.
 *
 * - A resource that is older than max_lifetime_ms, or was lent max_uses times, is *worn*. What is worn comes back as
 *   anything does - before_release is asked, and what that says is told to a strategy - and is destroyed then in place of
 *   being kept. While it is idle the maintenance pass destroys it; an acquire that meets it first destroys it and takes
 *   the next, as after a refusal, and asks no before_acquire about it. Nobody's lend is ended. (pgxpool destroys what is
 *   worn without a call of its hooks; here a strategy hears of every release.)
 * - Each resource's own lifetime is max_lifetime_ms less a random part of lifetime_jitter_ms, so that what was made
 *   together does not go together. A jitter above max_lifetime_ms makes no pool.
 * - What is idle for longer than idle_timeout_ms is destroyed by the maintenance pass, the oldest first, while more than
 *   min_size exist, and more than min_idle are idle. With POOL_F_LIFO a pool shrinks so to what it needs; without it all are used in turn, and it shrinks
 *   when hardly any is.
 * - before_acquire is not asked about what came back less than check_after_ms ago. Such pools read a clock in each
 *   acquire and release.
 * - *The maintenance pass* is the pass of the healthcheck: it looks at the age of each idle resource, has it checked if
 *   there is a healthcheck, and makes what is missing to min_size and min_idle. With max_lifetime_ms, idle_timeout_ms
 *   or leak_after_ms it comes every healthcheck_interval_ms or, if that is 0, every eighth of the shortest, but at
 *   least 100 ms and at most 30 s; with min_idle or POOL_F_LAZY_MIN alone every second. It runs where healthchecks run. A
 *   host-driven pool has no passes but those that its host begins by pool_op_sweep().
 * - So many as min_idle says are kept idle, beyond what is lent, while there are places: the first pass, which makes
 *   them, begins at once, and one comes as soon as fewer are idle. Who needs one meanwhile does not wait for it but makes
 *   its own, or has it made beside with POOL_F_CREATE_BEHIND. Where the factory fails the next pass tries again: that of
 *   the next interval, or of the next time that so many were idle and are not any more. A min_idle above max_size makes
 *   no pool; pool_resize() may go below it. (HikariCP's minimumIdle and commons-pool2's minIdle are the same; those who
 *   want so many in all, idle or not, have min_size.)
 * - What is lent for longer than leak_after_ms is *leaked*: the maintenance pass tells pool_config_t.leaked, once for
 *   each lend, with no lock held, and pool_stats_t counts it. Nothing else happens: it stays lent, and may come back as
 *   ever. It may have come back when it is told, and its word may be lent again: its lease, if it has one, ends that
 *   lend or none. A pass comes every eighth of the time, if no other limit is shorter, but at least every 30 s and at
 *   most every 100 ms, and the first thing that it does is to look for leaks. leaked runs where healthchecks run, so
 *   with POOL_F_REACTOR in pool_dispatch(); the host of a host-driven pool is asked POOL_ASK_LEAKED by its
 *   pool_op_sweep(), if its asks have POOL_ASKS_LEAKED. A pool that is closed, or drained, has no passes, and tells of
 *   no leaks: pool_lends() does. leaked without leak_after_ms makes no pool. (HikariCP's leakDetectionThreshold logs a
 *   stack trace for each, here pool_tag() and the thread say who it is; commons-pool2's removeAbandoned takes the
 *   resource away from its holder, which nobody does here, since the holder may be using it.)
 * - Time is a coarse clock, which is at most 10 ms or one pass behind: a resource goes that much too late, never early.
 * @see pool_resource_info()
 */
/**
 * @name Bits of pool_config_t.flags
 * A number space of its own, which begins where that of the handlers ends, so that a bit of one in place of the other
 * is told.
 * @{
 */
/** The host answers the asks of ops itself; the pool has no handlers. Not with POOL_F_REACTOR: no loop serves it. */
#define POOL_F_HOST_DRIVEN (1u << 8)
/** No hook ever runs on a thread of the library: healthchecks run in pool_dispatch(), see @ref pool_loops. */
#define POOL_F_REACTOR (1u << 9)
/**
 * What came back last is lent first, in place of what is idle longest. So a pool that is larger than it need be leaves
 * the rest alone, which can age and be trimmed; without it all are used in turn. Healthchecks, pool_close() and all else
 * that goes through the idle ones begins with the one that is idle longest in either case, and what a healthcheck has
 * seen keeps its place. (commons-pool2 does so unless told otherwise, and pgxpool always; here it has to be asked for.)
 */
#define POOL_F_LIFO (1u << 10)
/**
 * No acquire runs the factory: who finds nothing idle stands in line, and is lent what comes first, a resource that is
 * given back or a new one, see pool_acquire(). Threads of the library run the factory; with POOL_F_REACTOR
 * pool_dispatch() does; with POOL_F_HOST_DRIVEN the host, see pool_op_create_behind(). A scheduler that answers that
 * nothing can go on (POOL_ERR_DEADLOCK) has to count those threads, or that loop, as somebody who may: see
 * pool_ucontext_outside(). A factory that is left by longjmp() takes its thread's, or its loop's, further creations with it.
 */
#define POOL_F_CREATE_BEHIND (1u << 11)
/**
 * The creation of the pool makes nothing, and returns at once; the maintenance pass (@ref pool_ages) makes min_size, the
 * first of them at once, and comes again every healthcheck_interval_ms, with 0 and no limit of time every second. So a
 * service that is down does not fail it. Not with POOL_F_HOST_DRIVEN.
 */
#define POOL_F_LAZY_MIN (1u << 12)
/**
 * Lends are timed: pool_lends() tells since when each resource is lent, and to which thread, pool_resource_info() how
 * old it is, and pool_stats() for how long resources are lent. Who acquires reads a clock that costs little. The exact
 * one is read by those who stand in line, are asked something or have something made, and at the first 1,024 other
 * lends of a pool; then at one in 64 of these, by chance, which counts for 64.
 */
#define POOL_F_TIMED (1u << 13)
/** @} */

/**
 * @name Bits of pool_config_t.asks
 * Which optional asks a host-driven pool wants to be asked. A number space of its own.
 * @{
 */
/** The bit for POOL_ASK_DESTROY. */
#define POOL_ASKS_DESTROY (1u << 0)
/** The bit for POOL_ASK_HEALTHCHECK. */
#define POOL_ASKS_HEALTHCHECK (1u << 1)
/** The bit for POOL_ASK_BEFORE_ACQUIRE. */
#define POOL_ASKS_BEFORE_ACQUIRE (1u << 2)
/** The bit for POOL_ASK_BEFORE_RELEASE. */
#define POOL_ASKS_BEFORE_RELEASE (1u << 3)
/** The bit for POOL_ASK_REPORT_SUCCESS and POOL_ASK_REPORT_FAILURE. */
#define POOL_ASKS_REPORTS (1u << 4)
/** The bit for POOL_ASK_SHOULD_RECOVER. */
#define POOL_ASKS_SHOULD_RECOVER (1u << 5)
/** The bit for POOL_ASK_LEAKED. */
#define POOL_ASKS_LEAKED (1u << 6)
/** @} */

/** @brief What can be chosen. Start from POOL_CONFIG_INIT or pool_config_init(). Fields are only ever appended. */
typedef struct pool_config {
    size_t struct_size;              /**< sizeof(pool_config_t) of the caller */
    const char *name;                /**< for messages and metrics; copied (63 bytes of UTF-8 at most); may be NULL */
    pool_factory_fn factory;         /**< required, unless POOL_F_HOST_DRIVEN */
    pool_destructor_fn destructor;   /**< may be NULL, as all hooks below */
    pool_healthcheck_fn healthcheck; /**< checks an idle resource, in each pass */
    pool_before_acquire_fn before_acquire; /**< may refuse to lend an idle resource */
    pool_before_release_fn before_release; /**< may refuse to keep a returned resource */
    void *user_data;                       /**< pool_t.user_data */
    uint32_t min_size;                  /**< created before pool_create_ex() returns, see POOL_F_LAZY_MIN; default 0 */
    uint32_t max_size;                  /**< places; at least 1; default 10 */
    uint32_t healthcheck_interval_ms;   /**< between two passes over the idle ones; default 0: none */
    uint32_t flags;                     /**< POOL_F_HOST_DRIVEN and so on; default 0 */
    uint32_t recovering_limit;          /**< probes at once while RECOVERING; 0: 1 */
    uint32_t asks;                      /**< `POOL_ASKS_...`, with POOL_F_HOST_DRIVEN only */
    const pool_scheduler_t *scheduler;  /**< copied; NULL: callers wait as threads */
    pool_fcall_t *factory_fcall;        /**< a callable in place of factory: at most one of the two */
    pool_fcall_t *destructor_fcall;     /**< a callable in place of destructor: at most one of the two */
    pool_fcall_t *healthcheck_fcall;    /**< a callable in place of healthcheck: at most one of the two */
    pool_fcall_t *before_acquire_fcall; /**< a callable in place of before_acquire: at most one of the two */
    pool_fcall_t *before_release_fcall; /**< a callable in place of before_release: at most one of the two */
    uint32_t max_waiting; /**< callers in line at most: one more gets POOL_ERR_OVERLOADED; default 0: no limit */
    /** The first pause after a creation that has failed, see pool_acquire(); default 0: such a creation fails its
     * caller at once. */
    uint32_t create_retry_ms;
    uint32_t create_retry_max_ms; /**< the longest pause; default 0: 32 times create_retry_ms */
    uint32_t max_lifetime_ms;     /**< older resources are not lent again, see @ref pool_ages; 0: no limit */
    uint32_t lifetime_jitter_ms;  /**< each one's own lifetime is shorter by a random part of this */
    uint32_t idle_timeout_ms;     /**< idle for longer, while more than min_size exist: it goes; 0: no limit */
    uint32_t max_uses;            /**< lends after which a resource goes; 0: no limit */
    uint32_t check_after_ms;      /**< before_acquire is asked only about what was idle for longer; 0: always */
    uint32_t min_idle;            /**< so many are kept idle while max_size allows, see @ref pool_ages; 0: none */
    uint32_t leak_after_ms;       /**< what is lent for longer is told as leaked, see @ref pool_ages; 0: never */
    pool_leaked_fn leaked;        /**< hears of it; NULL: it is counted alone */
    pool_fcall_t *leaked_fcall;   /**< a callable in place of leaked: at most one of the two */
} pool_config_t;

/** The initializer of a pool_config_t: the defaults. */
#define POOL_CONFIG_INIT                                                                                            \
    {                                                                                                               \
        sizeof(pool_config_t), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 10, 0, 0, 0, 0, NULL, NULL, NULL, NULL, \
            NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL                                                    \
    }

/**
 * @brief POOL_CONFIG_INIT as a function, equal byte for byte.
 *
 * Inline, so that the size is the caller's.
 *
 * @param[out] config  the configuration; NULL is ignored.
 * @since 1.0
 */
static inline void pool_config_init(pool_config_t *config)
{
    const pool_config_t init = POOL_CONFIG_INIT;
    if (config)
        *config = init;
}

/**
 * @brief Create a pool of C functions.
 *
 * Creates min_size resources before it returns, calling the factory on this thread. If one of them
 * fails, those already made are destroyed and the pool is not created. A large max_size costs
 * nothing up front.
 *
 * @param factory                  makes a resource; required.
 * @param destructor               ends one; NULL: nothing is called.
 * @param healthcheck              checks an idle one, in each pass; NULL: none is checked.
 * @param before_acquire           may refuse to lend an idle one; NULL: never.
 * @param before_release           may refuse to keep a returned one; NULL: never.
 * @param min_size                 resources made up front; not above max_size.
 * @param max_size                 resources at most; not 0.
 * @param healthcheck_interval_ms  milliseconds between two passes over the idle resources; 0: none,
 *                                 and healthcheck is never called. The hooks of a pass run on a
 *                                 thread of the library.
 * @return The pool, or NULL; then pool_last_error() says why: POOL_ERR_INVALID for a bad argument
 *         (no hook was called), an interval among them whose passes would have nothing to do,
 *         without a healthcheck and with min_size 0; POOL_ERR_FACTORY, POOL_ERR_CLOSED when the
 *         factory closed the pool, POOL_ERR_NOMEM, POOL_ERR_FORKED. With a pool it says POOL_OK,
 *         with the text "success", or with a remark on what was given and will never be used: a
 *         healthcheck without an interval.
 * @par Ownership
 * The caller holds the one reference: pool_unref().
 * @par Blocking
 * For what min_size factory calls take.
 * @since 1.0
 */
pool_t *pool_create_internal(pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck,
                             pool_before_acquire_fn before_acquire, pool_before_release_fn before_release,
                             uint32_t min_size, uint32_t max_size, uint32_t healthcheck_interval_ms);

/**
 * @brief Create a pool of callables.
 *
 * As pool_create_internal(), for language bindings. A mixture of callables and C functions is made with
 * pool_create_ex().
 *
 * @param factory                  makes a resource; required.
 * @param destructor               ends one; NULL: nothing is called.
 * @param healthcheck              checks an idle one, in each pass; NULL: none is checked.
 * @param before_acquire           may refuse to lend an idle one; NULL: never.
 * @param before_release           may refuse to keep a returned one; NULL: never.
 * @param min_size                 resources made up front; not above max_size.
 * @param max_size                 resources at most; not 0.
 * @param healthcheck_interval_ms  milliseconds between two passes over the idle resources; 0: none,
 *                                 and healthcheck is never called. The callables of a pass are
 *                                 invoked on a thread of the library.
 * @return The pool, or NULL; then pool_last_error() says why, as pool_create_internal().
 * @par Ownership
 * The caller holds the one reference: pool_unref(). The callables are the pool's, also when the
 * creation fails: each is disposed of once.
 * @par Blocking
 * For what min_size factory calls take.
 * @since 1.0
 */
pool_t *pool_create(pool_fcall_t *factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck,
                    pool_fcall_t *before_acquire, pool_fcall_t *before_release, uint32_t min_size, uint32_t max_size,
                    uint32_t healthcheck_interval_ms);

/**
 * @brief Create a pool from a configuration.
 *
 * As pool_create_internal(), with everything that can be chosen. A smaller struct_size (an older
 * caller) is accepted if it reaches past max_size; a larger one while the bytes unknown here are zero; none that
 * no version of the struct can have, since it ends inside a member or is above 4096.
 *
 * What contradicts itself makes no pool, and pool_last_error() says what to leave out. A host-driven pool has no
 * handlers, no scheduler, no POOL_F_REACTOR and no interval, since nothing would look at it: its host begins
 * pool_op_sweep() itself. Other pools have no asks. A hook is a C function or a callable.
 *
 * @param      config  the configuration; borrowed, read before this returns.
 * @param[out] out     the pool, NULL unless POOL_OK.
 * @return POOL_OK, or POOL_ERR_INVALID, POOL_ERR_FACTORY, POOL_ERR_CLOSED, POOL_ERR_NOMEM,
 *         POOL_ERR_FORKED as pool_create_internal().
 * @par Ownership
 * The caller holds the one reference: pool_unref(). Callables in the configuration are the pool's,
 * also when the creation fails, unless struct_size is wrong.
 * @par Blocking
 * For what min_size factory calls take.
 * @since 1.0
 */
pool_status_t pool_create_ex(const pool_config_t *config, pool_t **out);

/**
 * @brief Take another reference.
 *
 * @param pool  the pool; NULL is answered with NULL, and so is what is no pool, with
 *              POOL_ERR_INVALID in pool_last_error().
 * @return pool; in a forked child too, where nothing is counted.
 * @par Ownership
 * The caller owes one more pool_unref().
 * @par Threading
 * Any thread that holds a reference already.
 * @since 1.0
 */
pool_t *pool_ref(pool_t *pool);

/**
 * @brief Give a reference back.
 *
 * The last one closes the pool (see pool_close()) and frees it. While resources are still lent, or
 * calls have not yet returned, the memory stays, so a late pool_release() is safe; it destroys. A
 * host-driven pool has nobody to ask here: close it with pool_op_close() before, or what is idle is
 * dropped unasked.
 *
 * One too many changes nothing, as long as the memory stays, and is told: pool_last_error() says
 * POOL_ERR_INVALID then.
 *
 * @param pool  the pool; NULL is fine.
 * @par Ownership
 * Consumes one reference.
 * @par Blocking
 * The last one: for what the destructors of idle resources take.
 * @since 1.0
 */
void pool_unref(pool_t *pool);

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_lending Lending
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/**
 * @brief Borrow a resource, waiting for one if all are lent.
 *
 * Takes the resource that has been idle longest (with POOL_F_LIFO the one that came back last), if before_acquire
 * lets it pass; one that does not pass is destroyed and the next is tried. With none idle and a place free, the factory
 * makes one (which skips before_acquire); if it fails, this call fails at once and its place goes to the next
 * in line. Otherwise the caller waits, in strict order of arrival. A place that becomes free is promised to
 * who is first in line, and with it what would be lent next, or the next resource that becomes idle before the
 * caller has come for it: nobody else takes either of them. Where max_waiting callers are in line, one more is told
 * POOL_ERR_OVERLOADED at once; who has been in line is never told so, nor who had a place and waits on since its creation
 * has failed or was put off: so more than max_waiting may be in line then. The deadline is absolute: being
 * woken does not restart it. It does not interrupt a hook, and what a hook delivers late is not lost:
 * a good resource is lent. A creation that outlives the pool is destroyed, and the answer is
 * POOL_ERR_CLOSED; an idle resource that before_acquire was checking at that time is lent.
 *
 * With create_retry_ms a factory that fails does not fail its caller: that stands in line again, before all who came
 * later, with its ticket and its deadline, and takes what comes back. No creation begins in this pool before a pause is
 * over; then the first in line creates, one at a time until one has succeeded, so that a service that comes back meets
 * one caller. The pause is create_retry_ms, and doubles with each failure up to create_retry_max_ms, a fifth longer or
 * shorter by chance; a success ends it. Failures of creations that had begun before a pause count as one for it, and
 * each counts for a strategy; whoever's failure opens the breaker is told POOL_ERR_FACTORY. Whose deadline passes
 * meanwhile is told that too, with what the factory has said last. A pass, and the creation of the pool, do not wait for
 * the end of a pause. So does a factory that calls pool_try_later(), with or without create_retry_ms.
 *
 * With POOL_F_CREATE_BEHIND no caller runs the factory, so a deadline is kept also while it blocks. As many creations run
 * at once as callers in line have none under way, as there are places. What is made belongs to nobody: it is lent
 * to who is first in line when it is there, unseen by before_acquire, or is idle when nobody is. So whose creation is
 * under way may be lent what came back, or leave, and nothing is lost. A creation that fails is the failure of who is
 * first in line then, who is told POOL_ERR_FACTORY with what the factory has said; with create_retry_ms it is nobody's,
 * and the line waits for the end of the pause. A creation whose thread ends in the factory is the failure of who is
 * first in any case; where no thread can be had that caller is told POOL_ERR_NOMEM. While the breaker recovers such a
 * creation is a probe, and so is the lend that follows. pool_close() does not wait for creations, and what they make is
 * destroyed.
 *
 * @param      pool        the pool; borrowed.
 * @param[out] resource    the resource, NULL unless POOL_OK.
 * @param      timeout_ms  milliseconds to wait at most; 0 waits for ever, huge values saturate.
 * @return POOL_OK; POOL_ERR_CLOSED when the pool is or gets closed; POOL_ERR_UNAVAILABLE when the
 *         circuit breaker is or gets open, or its probes are out; POOL_ERR_TIMEOUT when the
 *         deadline passed; POOL_ERR_OVERLOADED when max_waiting callers are in line;
 *         POOL_ERR_FACTORY when the factory returned false, or the deadline passed in a pause after
 *         that; POOL_ERR_INVALID when pool or resource is NULL, timeout_ms is negative, or the pool is host-driven;
 *         POOL_ERR_DEADLOCK when the pool's scheduler says so; POOL_ERR_NOMEM, POOL_ERR_FORKED,
 *         POOL_ERR_INTERNAL.
 * @par Ownership
 * The caller holds the resource until pool_release(); any thread may release it.
 * @par Threading
 * Hooks run on this thread, with no lock held. A thread cancelled (pthread_cancel) while it waits
 * leaves the line.
 * @par Blocking
 * Up to timeout_ms, plus what the hooks take.
 * @since 1.0
 */
pool_status_t pool_acquire(pool_t *pool, void **resource, int64_t timeout_ms);

/**
 * @brief Borrow a resource if that needs no waiting for other callers.
 *
 * As pool_acquire(), but where that would wait, this answers POOL_EMPTY, also during a pause of create_retry_ms, of
 * whose end no observer is told. With POOL_F_CREATE_BEHIND it has nothing made. One whose own creation fails is told POOL_ERR_FACTORY. It may still run hooks, the
 * factory included. A place or a resource that is promised to a waiter is not free.
 *
 * @param      pool      the pool; borrowed.
 * @param[out] resource  the resource, NULL unless POOL_OK.
 * @return POOL_OK; POOL_EMPTY; POOL_ERR_CLOSED; POOL_ERR_UNAVAILABLE when the circuit breaker is
 *         open or its probes are out; POOL_ERR_FACTORY; POOL_PENDING when the pool is host-driven
 *         and an op is needed (pool_op_try_acquire()); POOL_ERR_INVALID when pool or resource is
 *         NULL; POOL_ERR_NOMEM, POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Ownership
 * The caller holds the resource until pool_release().
 * @par Threading
 * Hooks run on this thread, with no lock held.
 * @par Blocking
 * For what the hooks take.
 * @since 1.0
 */
pool_status_t pool_try_acquire(pool_t *pool, void **resource);

/**
 * @brief Borrow an idle resource if that takes no decision, in one call without an out-pointer.
 *
 * For language bindings, to which passing an address costs more than the call. Answers the resource only
 * if one is idle and nobody waits, no hook is to be asked and the breaker is active; otherwise the caller
 * goes on with pool_acquire(), pool_try_acquire() or an op. Of use where no resource is NULL.
 *
 * @param pool  the pool; borrowed.
 * @return The resource; NULL: not so simple, also when pool is NULL (pool_last_error():
 *         POOL_ERR_INVALID).
 * @par Ownership
 * The caller holds the resource until pool_release().
 * @since 1.0
 */
void *pool_take(pool_t *pool);

/**
 * @brief Give a resource back if that takes no decision: the counterpart of pool_take().
 *
 * For language bindings whose hooks are not to run below the library, so that they drive ops. Takes the resource back
 * only if no hook is to be asked, no strategy or observer told and nothing destroyed; otherwise the caller goes on with
 * pool_op_release(). Who stands in line is served, unless the pool is host-driven: that takes an op.
 *
 * @param pool      the pool; borrowed.
 * @param resource  what was lent.
 * @return POOL_OK: it is back; POOL_PENDING: it takes an op, and nothing has changed; POOL_ERR_NOT_OWNED when the pool
 *         does not lend it; POOL_ERR_INVALID when pool is NULL; POOL_ERR_FORKED.
 * @par Ownership
 * With POOL_OK the resource is the pool's, otherwise it stays the caller's.
 * @since 1.0
 */
pool_status_t pool_give(pool_t *pool, void *resource);

/**
 * @brief Give a borrowed resource back.
 *
 * before_release decides: kept resources go to the end of the idle queue, others are destroyed.
 * Either way the place goes to the caller who has waited longest, if somebody waits; this thread
 * cannot take it back before. On a closed pool the resource is destroyed.
 *
 * The resource is known by its word, and that is all that is checked: what is not lent is refused, a second release
 * included; but once the word was lent again, or while another resource with the same word is lent, a release is
 * taken for that one's, whoever calls. The same holds for pool_op_release() and pool_hand_on(). A lease tells one lend
 * from another: pool_acquire_lease(). What was lent by lease may also be released by this, and the lease has ended then;
 * while equal words are lent, those go first that were lent by word.
 *
 * @param pool      the pool that lent it; borrowed.
 * @param resource  the resource.
 * @return POOL_OK, also when the resource was destroyed; POOL_ERR_NOT_OWNED when this pool is not
 *         lending it (never did, already returned, of another pool): no hook is called;
 *         POOL_PENDING when the pool is host-driven and an op is needed (pool_op_release()), or
 *         somebody waits (pool_hand_on()); POOL_ERR_INVALID when pool is NULL; POOL_ERR_FORKED,
 *         POOL_ERR_INTERNAL.
 * @par Ownership
 * The pool has it again. When the answer is not POOL_OK nothing has changed.
 * @par Threading
 * Hooks run on this thread, with no lock held.
 * @par Re-entrancy
 * A resource inside its own hook is not lent.
 * @par Blocking
 * For what the hooks take.
 * @since 1.0
 */
pool_status_t pool_release(pool_t *pool, void *resource);

/**
 * @brief Give a borrowed resource back that is not to be lent again.
 *
 * As a pool_release() that before_release has refused, but before_release is not asked and no strategy hears of it:
 * the destructor runs, and the place goes to the caller who has waited longest. For a connection that its holder
 * knows to be broken. A probe that is discarded makes room for the next, as neither a success nor a failure.
 *
 * @param pool      the pool that lent it, closed or not; borrowed.
 * @param resource  the resource.
 * @return POOL_OK; POOL_ERR_NOT_OWNED when this pool is not lending it, as for pool_release(): no hook is called;
 *         POOL_ERR_INVALID when pool is NULL or host-driven (pool_op_discard()); POOL_ERR_FORKED,
 *         POOL_ERR_INTERNAL.
 * @par Ownership
 * The pool has it again, and destroys it. When the answer is not POOL_OK nothing has changed.
 * @par Threading
 * The destructor runs on this thread, with no lock held.
 * @par Re-entrancy
 * A resource inside its own hook is not lent.
 * @par Blocking
 * For what the destructor takes.
 * @since 1.0
 */
pool_status_t pool_discard(pool_t *pool, void *resource);

/**
 * @brief Keep a borrowed resource for good.
 *
 * It is not the pool's any more: no hook runs, no destructor now or later, and its place goes to the caller who has
 * waited longest. For a connection that is handed to another library, or that has to outlive the pool. No strategy
 * hears of it; a probe that is detached makes room for the next, as neither a success nor a failure.
 *
 * @param pool      the pool that lent it, closed or not; borrowed.
 * @param resource  the resource.
 * @return POOL_OK; POOL_ERR_NOT_OWNED when this pool is not lending it, as for pool_release(); POOL_ERR_INVALID when
 *         pool is NULL or host-driven (pool_op_detach()); POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Ownership
 * The caller's from now on. When the answer is not POOL_OK nothing has changed.
 * @par Re-entrancy
 * A resource inside its own hook is not lent.
 * @since 1.0
 */
pool_status_t pool_detach(pool_t *pool, void *resource);

/**
 * @brief One lend: the resource, and a number that tells this lend from all others.
 *
 * A word that comes back may be lent again at once, and nobody who still has it can be told from its new holder. A lease
 * can: its id is never used again in this process, whatever pools come and go. Once the lend has ended, in whatever way,
 * the lease is stale, and whoever comes with it is told POOL_ERR_NOT_OWNED. It may be copied; all copies are one lease.
 * The struct is frozen: it is passed and kept by value, and a number says all there is to say.
 */
typedef struct pool_lease {
    void *resource; /**< what is lent; NULL after a failure */
    uint64_t id;    /**< which lend it is; 0 after a failure, and never otherwise */
} pool_lease_t;

/**
 * @brief Borrow a resource by lease, waiting for one if all are lent.
 *
 * As pool_acquire(), whose text holds for it. The lend ends by pool_release_lease(), pool_discard_lease() or
 * pool_detach_lease(), or as one by word: both are the same lend. The first lease in a pool takes memory for the ids, eight
 * bytes for each resource.
 *
 * @param      pool        the pool; borrowed.
 * @param[out] lease       the lease; {NULL, 0} unless POOL_OK.
 * @param      timeout_ms  milliseconds to wait at most; 0 waits for ever, huge values saturate.
 * @return As pool_acquire(); POOL_ERR_INVALID also when lease is NULL; POOL_ERR_NOMEM also when there is none for an id:
 *         what was made for the caller is idle then.
 * @par Ownership
 * The caller holds the resource until the lend ends; any thread may end it.
 * @par Threading
 * As pool_acquire().
 * @par Blocking
 * Up to timeout_ms, plus what the hooks take.
 * @since 1.0
 */
pool_status_t pool_acquire_lease(pool_t *pool, pool_lease_t *lease, int64_t timeout_ms);

/**
 * @brief Borrow a resource by lease if that needs no waiting for other callers.
 *
 * As pool_try_acquire(), whose text holds for it.
 *
 * @param      pool   the pool; borrowed.
 * @param[out] lease  the lease; {NULL, 0} unless POOL_OK.
 * @return As pool_try_acquire(); POOL_ERR_INVALID also when lease is NULL.
 * @par Ownership
 * The caller holds the resource until the lend ends.
 * @par Threading
 * Hooks run on this thread, with no lock held.
 * @par Blocking
 * For what the hooks take.
 * @since 1.0
 */
pool_status_t pool_try_acquire_lease(pool_t *pool, pool_lease_t *lease);

/**
 * @brief Give back what was borrowed by lease.
 *
 * As pool_release(), for this lend alone. It is the id that counts; the resource is the caller's note.
 *
 * @param pool   the pool that lent it; borrowed.
 * @param lease  the lease; borrowed.
 * @return As pool_release(); POOL_ERR_NOT_OWNED when the lend has ended, or was none of this pool, whoever holds the
 *         resource now: no hook is called; POOL_ERR_INVALID also when lease is NULL.
 * @par Ownership
 * The pool has the resource again. When the answer is not POOL_OK nothing has changed.
 * @par Threading
 * Hooks run on this thread, with no lock held.
 * @par Re-entrancy
 * Inside its own hook a resource is not lent: its lease is stale.
 * @par Blocking
 * For what the hooks take.
 * @since 1.0
 */
pool_status_t pool_release_lease(pool_t *pool, const pool_lease_t *lease);

/**
 * @brief Give back what was borrowed by lease, and is not to be lent again.
 *
 * As pool_discard(), for this lend alone.
 *
 * @param pool   the pool that lent it, closed or not; borrowed.
 * @param lease  the lease; borrowed.
 * @return As pool_discard(); POOL_ERR_NOT_OWNED as for pool_release_lease(); POOL_ERR_INVALID also when lease is NULL.
 * @par Ownership
 * The pool has the resource again, and destroys it. When the answer is not POOL_OK nothing has changed.
 * @par Threading
 * The destructor runs on this thread, with no lock held.
 * @par Blocking
 * For what the destructor takes.
 * @since 1.0
 */
pool_status_t pool_discard_lease(pool_t *pool, const pool_lease_t *lease);

/**
 * @brief Keep for good what was borrowed by lease.
 *
 * As pool_detach(), for this lend alone.
 *
 * @param pool   the pool that lent it, closed or not; borrowed.
 * @param lease  the lease; borrowed.
 * @return As pool_detach(); POOL_ERR_NOT_OWNED as for pool_release_lease(); POOL_ERR_INVALID also when lease is NULL.
 * @par Ownership
 * The resource is the caller's from now on. When the answer is not POOL_OK nothing has changed.
 * @since 1.0
 */
pool_status_t pool_detach_lease(pool_t *pool, const pool_lease_t *lease);

/**
 * @brief Have nothing that exists now lent again.
 *
 * For failovers and changed credentials. Idle resources are destroyed by this call, lent ones when they come back,
 * whatever before_release says of them. What is being made just now is lent to who has it made, if it is made for a
 * caller, and destroyed when it comes back, as if it had been lent before. No lend ends, and nobody who waits loses its
 * place: who was promised an idle resource destroys it when it comes, and takes the next, or makes one. So does a
 * caller that comes while they are being destroyed and finds no other room.
 *
 * It takes as long with a million resources as with one, but for the destructors. What is made from now on is lent as
 * ever, and missing resources are made when they are needed, or by the next healthcheck up to min_size.
 *
 * @param pool  the pool; borrowed.
 * @return POOL_OK; POOL_ERR_CLOSED: nothing changed; POOL_ERR_INVALID when pool is NULL or host-driven
 *         (pool_op_evict()); POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Threading
 * Destructors run on this thread, with no lock held.
 * @par Blocking
 * For what the destructors take.
 * @since 1.0
 */
pool_status_t pool_evict(pool_t *pool);

/**
 * @brief Change how many resources there may be, and how many are kept up.
 *
 * Growing serves who waits at once. Shrinking takes nothing from anybody: idle resources above max_size are destroyed
 * by this call, what was idle longest first, with POOL_F_LIFO as without, lent ones above it as they come back. Until
 * then more may exist than max_size, but never more than when it was set, and never more again. Who was promised a place and an idle resource gets them; who
 * was promised a place to make a resource, and has not begun to, is first in line again if that would be one too many.
 * A caller whose idle resource is refused makes another all the same: it has its place.
 *
 * What is missing to a min_size that was raised is made by the next healthcheck, which is at once. In a pool without
 * healthchecks min_size says nothing once its first resources are made.
 *
 * It is as if the pool had been created so: the sizes in pool_t and in a snapshot are these from now on.
 *
 * @param pool      the pool; borrowed.
 * @param min_size  resources kept up by healthchecks, at most max_size.
 * @param max_size  places, at least 1.
 * @return POOL_OK; POOL_ERR_CLOSED: nothing changed; POOL_ERR_INVALID when pool is NULL or host-driven
 *         (pool_op_resize()), or the sizes make no pool; POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Threading
 * Destructors run on this thread, with no lock held.
 * @par Blocking
 * For what the destructors take.
 * @since 1.0
 */
pool_status_t pool_resize(pool_t *pool, uint32_t min_size, uint32_t max_size);

/**
 * @brief Destroy what is idle and not needed just now.
 *
 * Of the idle resources keep_idle are kept, the others are destroyed, what was idle longest first, with POOL_F_LIFO as
 * without. What healthchecks would make again stays, also where there are none: min_idle idle ones, and min_size of all.
 * It destroys at most as many as were too many when it began, whatever comes back meanwhile, and none while eight calls
 * destroy what is idle already. Nothing is taken from those who hold a resource or were promised one, and the pool grows
 * again as it is needed: this is no limit, pool_resize() sets one.
 *
 * For memory that runs short, and for places on a server that others need more.
 *
 * @param pool       the pool; borrowed.
 * @param keep_idle  so many stay idle; 0: none.
 * @return POOL_OK, also when there was nothing to destroy; POOL_ERR_CLOSED: nothing changed; POOL_ERR_INVALID when pool
 *         is NULL or host-driven (pool_op_trim()); POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Threading
 * Destructors run on this thread, with no lock held.
 * @par Blocking
 * For what the destructors take.
 * @since 1.0
 */
pool_status_t pool_trim(pool_t *pool, uint32_t keep_idle);

/**
 * @brief Stop lending.
 *
 * Every waiter gets POOL_ERR_CLOSED, and so does every later acquire. All idle resources are
 * destroyed, oldest first, before this returns. Lent ones are destroyed when they are released;
 * this call does not wait for them. A healthcheck that is running on a thread of the library is waited
 * for, unless this is called from a hook on such a thread. An async acquire that has taken an idle resource
 * and has not been dispatched yet holds it: it is destroyed then. Closing twice is fine; the second call does not
 * wait for a destructor that the first is running.
 *
 * @param pool  the pool; borrowed. The reference is not given back.
 * @return POOL_OK, also when it was closed before; POOL_ERR_INVALID when pool is NULL or
 *         host-driven (pool_op_close()); POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Threading
 * Destructors run on this thread, with no lock held.
 * @par Blocking
 * For what the destructors, and a healthcheck that is running, take.
 * @since 1.0
 */
pool_status_t pool_close(pool_t *pool);

/**
 * @brief Stop lending to newcomers, serve who stands in line, and wait until everything is back and destroyed.
 *
 * From its beginning every later acquire gets POOL_ERR_CLOSED, pool_is_closed() is true, observers are told that the
 * pool is closed, no healthcheck begins, and pool_resize() and pool_evict() are POOL_ERR_CLOSED. Who stands in line is
 * served as ever, with new resources if need be; what nobody in line needs is destroyed, idle ones by this call, lent
 * ones when they come back. When nothing is left the pool is closed, and this returns. At the deadline it closes the
 * pool as pool_close() does; what is still lent is destroyed when it comes back.
 *
 * The circuit breaker goes on: its strategy hears of releases, and pool_activate(), pool_deactivate() and
 * pool_recover() do what they do until the pool is closed. While the breaker is open nobody stands in line.
 *
 * It may be called more than once, and on a closed pool, and be cut short by pool_close(): all calls return once the
 * pool is empty. A caller that holds a resource itself and drains for ever waits for ever; so does a hook, since what
 * it is called for is not back. A thread that runs a loop would keep those who are served by it waiting: it drives
 * pool_op_drain().
 *
 * @param pool        the pool; borrowed. The reference is not given back.
 * @param timeout_ms  milliseconds to wait at most; 0 waits for ever, huge values saturate.
 * @return POOL_OK: nothing is left; POOL_ERR_TIMEOUT: the pool is closed, and something is still lent;
 *         POOL_ERR_DEADLOCK as for pool_acquire(); POOL_ERR_INVALID when pool is NULL or host-driven (pool_op_drain()),
 *         or timeout_ms is negative; POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Threading
 * Destructors run on this thread, with no lock held. One that is cut short undoes nothing (pthread_cancel() while it
 * waits, POOL_ERR_DEADLOCK): the pool stays closed to newcomers, and what is idle by then may stay until
 * pool_close(), the last pool_unref() or another pool_drain().
 * @par Blocking
 * Up to timeout_ms, plus what the destructors, and a healthcheck that is running, take.
 * @since 1.0
 */
pool_status_t pool_drain(pool_t *pool, int64_t timeout_ms);

/**
 * @brief Has the pool been closed?
 *
 * @param pool  the pool; borrowed.
 * @return true once pool_close() or pool_drain() has begun, or when pool is NULL.
 * @since 1.0
 */
bool pool_is_closed(const pool_t *pool);

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_counts Counts
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/**
 * @brief Resources that exist or are being made: idle plus active.
 *
 * @param pool  the pool; borrowed.
 * @return 0 to max_size, or more for a while after it was lowered (pool_resize()); 0 when pool is NULL.
 * @par Threading
 * True at one instant; pool_snapshot() reads several at once.
 * @since 1.0
 */
uint32_t pool_count(const pool_t *pool);

/**
 * @brief Resources that are free, those promised to a woken waiter included.
 *
 * @param pool  the pool; borrowed.
 * @return 0 to max_size; 0 when pool is NULL.
 * @par Threading
 * True at one instant; pool_snapshot() reads several at once.
 * @since 1.0
 */
uint32_t pool_idle_count(const pool_t *pool);

/**
 * @brief Resources that are lent, being made, in a hook or being destroyed.
 *
 * @param pool  the pool; borrowed.
 * @return 0 to max_size; 0 when pool is NULL.
 * @par Threading
 * True at one instant; pool_snapshot() reads several at once.
 * @since 1.0
 */
uint32_t pool_active_count(const pool_t *pool);

/**
 * @brief Callers in line that have not been promised a place yet.
 *
 * @param pool  the pool; borrowed.
 * @return Their number; 0 when pool is NULL.
 * @par Threading
 * True at one instant; pool_snapshot() reads several at once.
 * @since 1.0
 */
uint32_t pool_waiting_count(const pool_t *pool);

/** @brief All counts of one instant. Fields are only ever appended. */
typedef struct pool_snapshot {
    size_t struct_size;         /**< set by the caller: sizeof(pool_snapshot_t) */
    uint32_t idle;              /**< as pool_idle_count() */
    uint32_t active;            /**< as pool_active_count() */
    uint32_t reserved;          /**< places promised to waiters that have not taken them yet */
    uint32_t waiting;           /**< as pool_waiting_count() */
    uint32_t max;               /**< max_size */
    pool_circuit_state_t state; /**< as pool_state() */
    bool closed;                /**< as pool_is_closed() */
} pool_snapshot_t;

/**
 * @brief Read all counts in one instant.
 *
 * @param         pool      the pool; borrowed.
 * @param[in,out] snapshot  in: struct_size; out: the rest, as far as struct_size reaches; zero
 *                          where this library knows no field.
 * @return POOL_OK; POOL_ERR_INVALID when an argument is NULL or struct_size is too small for the
 *         first version of the struct, or that of none; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_snapshot(const pool_t *pool, pool_snapshot_t *snapshot);

/** @brief What a pool knows of a resource. Fields are only ever appended. */
typedef struct pool_resource_info {
    size_t struct_size; /**< set by the caller: sizeof(pool_resource_info_t) */
    uint64_t age_ms;    /**< since it was made */
    uint64_t idle_ms;   /**< between its last return and this lend or check; 0 for a new one */
    uint64_t uses;      /**< lends, this one included; never above 4294967295 */
    const char *tag;    /**< of its last lend, see pool_tag(); NULL: none */
} pool_resource_info_t;

/**
 * @brief Learn the age of a resource.
 *
 * For who holds the resource, and for hooks that are called for it: a factory does not have one yet. Times are kept by a
 * coarse clock, see @ref pool_ages, and are 0, as the uses are, in a pool without a limit that needs them. Of
 * resources that are the same word it tells of one that is lent; while none is, it is POOL_OK and all of that is 0,
 * whether one is inside a hook or not.
 *
 * @param         pool      the pool; borrowed.
 * @param         resource  a resource that is lent, or that a hook was called for.
 * @param[in,out] info      in: struct_size; out: the rest, as far as struct_size reaches; zero where this library
 *                          knows no field.
 * @return POOL_OK; POOL_ERR_NOT_OWNED when the resource is neither lent nor inside a hook; POOL_ERR_INVALID when pool
 *         or info is NULL, or struct_size is that of no version; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_resource_info(pool_t *pool, void *resource, pool_resource_info_t *info);

/**
 * @brief Who holds what: all that is lent, in no order.
 *
 * Each lend that began before the call, and has not ended when it returns, is told once; others may be. A pool that has
 * never had more than 1,024 resources at once is told as of one instant. A larger one is looked at in pieces of so many,
 * each as of an instant, so that nobody waits long for the pool's lock. It never enters Go.
 *
 * An acquire belongs to the thread that has begun it, whoever drives it then: a loop, another thread of a coroutine.
 *
 * @param         pool   the pool; borrowed. It may be closed.
 * @param[in,out] lends  in: struct_size of the first element, by which the second lies behind it, and so on; out: of
 *                       as many elements as there are lends, all fields, as far as struct_size reaches; zero where
 *                       this library knows no field. The rest is untouched. NULL if n is 0.
 * @param         n      elements in lends; 0: only to know how many there are.
 * @return How many are lent, also if that is more than n. 0, and pool_last_error() says why, when pool is NULL or no
 *         pool, lends is NULL and n is not 0, struct_size is that of no version (POOL_ERR_INVALID), or in the child of
 *         a fork (POOL_ERR_FORKED).
 * @since 1.0
 */
uint32_t pool_lends(pool_t *pool, pool_lend_t *lends, uint32_t n);

/**
 * @brief Name what this thread is about: its lends have this tag from now on, of whatever pool.
 *
 * pool_lends() and pool_resource_info() tell it: which part of a program holds a resource. The acquires that the thread
 * begins have it, until it calls this again, also if they are served later, or on another thread. A pool keeps tags
 * where it has a limit of ages (@ref pool_ages), leak_after_ms or POOL_F_TIMED. To set a tag costs next to nothing.
 *
 * @param tag  text that stays for ever, such as a literal: it is not copied. NULL: none, as at first.
 * @since 1.0
 */
void pool_tag(const char *tag);

/**
 * @brief What has happened in a pool since it was made, and some of what is so now: all of one instant.
 *
 * Counts are exact. Each resource that was created is there, or was destroyed or detached:
 * `created == destroyed + detached + count`. What a factory is making is `making` and not yet in `count`; what is being
 * destroyed still is. Of each creation that has begun, either it is `making`, or it was `created`, has `failed`, or was
 * put off. What is cancelled before its first step counts nowhere. An async op counts as what came of it in the pool, a
 * lend above all, also if its callback is told POOL_ERR_CANCELLED or POOL_ERR_CLOSED, since that came before the dispatch.
 *
 * Times are those of the monotonic clock, or of a host that says what time it is (pool_answer_t.now_ns). Histograms
 * have a bucket for what took less than a microsecond, and then one for each power of two: bucket i is for 2^(i-1)
 * microseconds and more, up to 2^i; the last has all above, from 18 minutes on. Fields are only ever appended.
 */
typedef struct pool_stats {
    size_t struct_size;           /**< set by the caller: sizeof(pool_stats_t) */
    uint64_t lends;               /**< resources handed out */
    uint64_t waited;              /**< of these, to callers who had stood in line */
    uint64_t timeouts;            /**< acquires that ended with POOL_ERR_TIMEOUT */
    uint64_t unavailable;         /**< with POOL_ERR_UNAVAILABLE */
    uint64_t overloaded;          /**< with POOL_ERR_OVERLOADED */
    uint64_t cancelled;           /**< with POOL_ERR_CANCELLED or POOL_ERR_DEADLOCK, or their thread was unwound */
    uint64_t created;             /**< creations that succeeded, for whomever */
    uint64_t failed;              /**< creations that failed; what was put off by pool_try_later() is none */
    uint64_t detached;            /**< by pool_detach() */
    uint64_t destroyed;           /**< the sum of the reasons below */
    uint32_t count;               /**< now: resources that there are, idle or active */
    uint32_t making;              /**< now: resources that factories are making */
    uint64_t destroyed_rejected;  /**< by before_acquire */
    uint64_t destroyed_refused;   /**< by before_release, or their thread was unwound in it */
    uint64_t destroyed_dead;      /**< by the healthcheck */
    uint64_t destroyed_lifetime;  /**< too old */
    uint64_t destroyed_idle;      /**< idle for too long */
    uint64_t destroyed_uses;      /**< used up */
    uint64_t destroyed_evicted;   /**< by pool_evict() */
    uint64_t destroyed_discarded; /**< by pool_discard() */
    uint64_t destroyed_shrunk; /**< too many after pool_resize(), or by pool_trim(), or for what a probe has to make */
    uint64_t destroyed_closed; /**< the pool was closed, or drained */
    uint64_t leaked;           /**< lends that lasted longer than leak_after_ms; each counts once */
    uint32_t peak_active;      /**< the most that pool_active_count() has been */
    uint32_t peak_waiting;     /**< the most that pool_waiting_count() has been */
    uint64_t wait_us;          /**< microseconds in line, of the lends that `waited` counts, together */
    uint64_t create_us;        /**< microseconds that the creations took that `created` counts, together */
    uint64_t hold_us;          /**< with POOL_F_TIMED: microseconds of all lends that have ended, together */
    uint64_t wait_histogram[32];   /**< its sum is `waited` */
    uint64_t create_histogram[32]; /**< its sum is `created` */
    uint64_t hold_histogram[32];   /**< with POOL_F_TIMED; its sum is the lends that have ended, about */
} pool_stats_t;

/**
 * @brief Read what has happened in a pool.
 *
 * Nothing that a pool counts costs a caller anything who finds a resource idle. It never enters Go.
 *
 * @param         pool   the pool; borrowed. It may be closed.
 * @param[in,out] stats  in: struct_size; out: the rest, as far as struct_size reaches; zero where this library knows no
 *                       field. Untouched when it fails.
 * @return POOL_OK; POOL_ERR_INVALID when an argument is NULL or struct_size is too small for the
 *         first version of the struct, or that of none; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_stats(pool_t *pool, pool_stats_t *stats);

/**
 * @brief What all pools of this process tell, as OpenMetrics text for a scraper.
 *
 * The metrics are those of pool_stats() and pool_snapshot(), each with the label `pool`, the pool's name; pools of
 * equal names, or without one, have a label `id`, too, a number that no other pool of the process ever has. Counters
 * are `asyncpool_lends_total` and so on, destructions `asyncpool_destroyed_total` with a `reason`, waits and creations
 * the histograms `asyncpool_wait_seconds` and `asyncpool_create_seconds`, and of pools with POOL_F_TIMED
 * `asyncpool_hold_seconds`; gauges are what is so now, such as `asyncpool_idle`, and `asyncpool_circuit`, which is 1
 * for the `state` that the breaker is in. The text is UTF-8: where a name is not, it has U+FFFD. It ends with `# EOF`;
 * more may be put before that. Of a pool all numbers are of one instant, of two pools they need not be. Serve it as
 * `application/openmetrics-text; version=1.0.0; charset=utf-8`.
 *
 * It is as snprintf(): what does not fit is left out, but the length is that of the whole. More may have to be said the
 * next time, since pools come and numbers grow: where the length is no less than the size, make room, and ask again.
 * Nothing depends on the locale, and it never enters Go.
 *
 * @param[out] buffer  the text, ended by a zero byte; NULL if size is 0.
 * @param      size    room in buffer, the zero byte included.
 * @return The length of the whole text, without the zero byte; at least that of `# EOF`. 0, and an empty text, in the
 *         child of a fork (pool_last_error(): POOL_ERR_FORKED), without memory (POOL_ERR_NOMEM), or where buffer is
 *         NULL and size is not 0 (POOL_ERR_INVALID).
 * @par Threading
 * Pools cannot be made or freed while their numbers are read, one pool after the other, which takes a microsecond or so
 * for each.
 * @since 1.0
 */
size_t pool_metrics(char *buffer, size_t size);

/**
 * @brief A pool in one line, for logs and messages.
 *
 * Such as `Pool(name=db, idle=1, active=0, reserved=1, waiting=2, max=1)`: the name, if it has one, as it was given, and
 * what pool_snapshot() says of it in one instant. Of what is no pool, and in the child of a fork, it is `Pool()`, and
 * pool_last_error() says why.
 *
 * It is as snprintf(): what does not fit is left out, but the length is that of the whole. 256 bytes are enough for any
 * pool. It never enters Go.
 *
 * @param      pool    the pool; borrowed. It may be closed.
 * @param[out] buffer  the text, ended by a zero byte; NULL if size is 0.
 * @param      size    room in buffer, the zero byte included.
 * @return The length of the whole text, without the zero byte. 0 where buffer is NULL and size is not 0
 *         (pool_last_error(): POOL_ERR_INVALID).
 * @since 1.0
 */
size_t pool_describe(const pool_t *pool, char *buffer, size_t size);

/**
 * @brief Pools of this process that have not been freed yet.
 *
 * For the end of a test: a pool stays alive while it is referenced, while one of its resources is
 * lent and while a call or op on it has not finished, so zero means that nothing is left.
 *
 * @return Their number.
 * @since 1.0
 */
uint32_t pool_debug_live(void);

/**
 * @brief Calls from C into Go that this thread has made inside the library.
 *
 * For tests and measurements of the host: a Go runtime that is entered now and then costs a program much more than
 * the call. Acquiring and releasing enter it when a resource is made or destroyed, when a hook says no, while the
 * breaker is not active or the pool is closing, and when something comes back that was lent before the breaker was last
 * opened; otherwise not, whatever hooks, strategies and observers there are, and neither does waiting, being served,
 * being refused, being one too many, running out of time or leaving. The first call of a thread that needs the core
 * counts twice, since it lets the thread into Go before. A call that another thread made for this one, because both
 * came at once, counts here, and once.
 *
 * @return Their number, which only grows.
 * @par Threading
 * Each thread has a count of its own.
 * @since 1.0
 */
uint64_t pool_debug_crossings(void);

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_breaker The circuit breaker
 *
 * ACTIVE lends. INACTIVE lends nothing: whoever comes gets POOL_ERR_UNAVAILABLE at once, and so do those
 * in line when it opens. RECOVERING lends at most recovering_limit resources at a time, as probes; a
 * probe that ends in any way makes room for the next. Any state may follow any other. Releases, healthchecks
 * and close work in every state.
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/**
 * @brief The state of the circuit breaker.
 *
 * @param pool  the pool; borrowed.
 * @return The state; POOL_CIRCUIT_INACTIVE when pool is NULL.
 * @par Threading
 * True at one instant.
 * @since 1.0
 */
pool_circuit_state_t pool_state(const pool_t *pool);

/**
 * @brief Close the breaker: lend again.
 *
 * @param pool  the pool; borrowed.
 * @return POOL_OK; POOL_ERR_CLOSED: nothing changed; POOL_ERR_INVALID when pool is NULL;
 *         POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @since 1.0
 */
pool_status_t pool_activate(pool_t *pool);

/**
 * @brief Open the breaker: lend nothing, and send everybody in line away.
 *
 * Who was promised a place already, and has not come for it, is judged as one who comes now: unavailable, unless the
 * strategy lets it be a probe. An idle resource that before_acquire is checking is lent if it passes.
 *
 * @param pool  the pool; borrowed.
 * @return POOL_OK; POOL_ERR_CLOSED: nothing changed; POOL_ERR_INVALID when pool is NULL;
 *         POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @since 1.0
 */
pool_status_t pool_deactivate(pool_t *pool);

/**
 * @brief Put the service on probation: lend a few probes.
 *
 * Callers in line stay there and are granted places as probes. Resources lent, and places promised,
 * before do not count as probes. Every change to RECOVERING starts with all probe slots free; in a pool that
 * is RECOVERING already nothing changes.
 *
 * @param pool  the pool; borrowed.
 * @return POOL_OK; POOL_ERR_CLOSED: nothing changed; POOL_ERR_INVALID when pool is NULL;
 *         POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @since 1.0
 */
pool_status_t pool_recover(pool_t *pool);

/**
 * @brief Let a strategy decide about the breaker.
 *
 * Replaces the one before, a pool_strategy_threshold() included. When this returns no report of the old
 * one runs on another thread, and none will come; called from inside its reports, it does not wait for
 * those, wherever they began, nor for those that wait in a coroutine of this thread (see del_callback of
 * pool_event_t). A report that never returns (longjmp) is waited for by other threads for ever.
 *
 * @param pool      the pool; borrowed.
 * @param strategy  the strategy; both reports are required. NULL: none.
 * @return POOL_OK; POOL_ERR_INVALID when pool is NULL, a report is missing, or the pool is
 *         host-driven; POOL_ERR_NOMEM, POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Ownership
 * Borrowed until it is replaced or the pool is freed.
 * @par Blocking
 * For what a report of the old one takes on another thread.
 * @since 1.0
 */
pool_status_t pool_set_strategy(pool_t *pool, pool_circuit_breaker_strategy_t *strategy);

/**
 * @brief The strategy that most services need, built in.
 *
 * Opens the breaker after so many failures in a row (a resource refused by before_release, or a factory
 * that fails), lets probes through once open_ms have passed, closes it after so many successes in a row,
 * and opens it again at the first failure of a probe. An opening by hand is followed by probes all the
 * same. Probes that have not come back after another open_ms, or 30 seconds if that is longer, make room
 * for new ones; nobody has to come for that: who stands in line while the breaker recovers looks by itself when
 * that time is up, whether it came before or after the breaker began to recover and the strategy was set, and so
 * does whoever acquires, releases or checks something. Resources lent before the breaker last opened count for
 * nothing. Replaces the strategy before.
 *
 * @param pool       the pool; borrowed.
 * @param failures   failures in a row that open the breaker; 0: no strategy any more.
 * @param open_ms    milliseconds it stays open before a caller may probe.
 * @param successes  successes in a row that close it; 0 is taken as 1.
 * @return POOL_OK; POOL_ERR_INVALID when pool is NULL; POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Blocking
 * As pool_set_strategy().
 * @since 1.0
 */
pool_status_t pool_strategy_threshold(pool_t *pool, uint32_t failures, uint32_t open_ms, uint32_t successes);

/**
 * @name Bits of pool_strategy_threshold_on()
 * What the built-in strategy counts. A number space of its own.
 * @{
 */
/** Factories that fail. */
#define POOL_COUNT_CREATIONS (1u << 0)
/** Resources refused by before_release. */
#define POOL_COUNT_RELEASES (1u << 1)
/** @} */

/**
 * @brief The built-in strategy, for some of what it can count.
 *
 * As pool_strategy_threshold(), which counts both. With POOL_COUNT_RELEASES alone factories may fail as they like: a
 * probe that gets nothing makes room for the next. With POOL_COUNT_CREATIONS alone releases may refuse what they like,
 * eight connections killed on a healthy server among them; only a creation that succeeds is a success, and since what
 * is idle tells nothing of the service, a probe always creates: if as many as there may be exist, one that is idle is
 * destroyed for it: one that is evicted, else the one that it would have been lent.
 *
 * @param pool       the pool; borrowed.
 * @param what       POOL_COUNT_CREATIONS, POOL_COUNT_RELEASES or both.
 * @param failures   failures in a row that open the breaker; 0: no strategy any more.
 * @param open_ms    milliseconds it stays open before a caller may probe.
 * @param successes  successes in a row that close it; 0 is taken as 1.
 * @return POOL_OK; POOL_ERR_INVALID when pool is NULL, or what is 0 or has another bit: nothing has changed;
 *         POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Blocking
 * As pool_set_strategy().
 * @since 1.0
 */
pool_status_t pool_strategy_threshold_on(pool_t *pool, uint32_t what, uint32_t failures, uint32_t open_ms,
                                         uint32_t successes);

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_errors Errors
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/**
 * @brief Say, inside a hook, why it is about to return false.
 *
 * Kept for the caller of the operation that runs the hook, who reads it with pool_last_error(). The hook
 * is the innermost of this pool that this is called inside of, also if it has changed threads since or
 * other hooks run on this one; without unwind tables it is the one that returns next on this thread.
 * Dropped if the hook returns true. Outside of hooks nobody hears of it.
 *
 * @param pool     the pool whose hook this is.
 * @param code     any number; the hook's own.
 * @param message  text; copied, cut after 255 bytes; NULL: empty.
 * @return POOL_OK; POOL_ERR_INVALID when pool is NULL, or host-driven, since such a pool has no hooks;
 *         POOL_ERR_FORKED.
 * @par Threading
 * The thread that runs the hook.
 * @par Re-entrancy
 * For hooks.
 * @since 1.0
 */
pool_status_t pool_set_error(pool_t *pool, int code, const char *message);

/**
 * @brief What is left, inside a hook, of the time of the caller that it runs for.
 *
 * So that a factory can bound its own connecting by the deadline of who waits for it. The hook is the innermost of this
 * pool that this is called inside of, also if it has changed threads since; of code without unwind tables it is not
 * seen. The op of a host that drives its ops itself has pool_op_until_ns().
 *
 * @param pool  the pool whose hook this is.
 * @return Milliseconds, rounded up; 0 once the deadline has passed. INT64_MAX where there is none: the caller waits for
 *         ever, or tries, or gives back; the hook runs in a pass, for a close, or makes the first resources; this is
 *         outside of hooks; pool is NULL or host-driven (pool_last_error(): POOL_ERR_INVALID).
 * @par Threading
 * The thread that runs the hook.
 * @par Re-entrancy
 * For hooks.
 * @since 1.0
 */
int64_t pool_time_left_ms(const pool_t *pool);

/**
 * @brief In a factory that is about to return false: it shall be asked again, later.
 *
 * What a factory says that has been told to wait: too many connections, a budget that is spent. It is nobody's failure:
 * no strategy hears of it, and its caller waits on, first in line as before, with its ticket and its deadline, whatever
 * create_retry_ms is. No creation begins in this pool before the time is over, as in a pause of create_retry_ms. A try
 * that has called the factory gets POOL_EMPTY, the creation of the pool fails with POOL_ERR_FACTORY, and a pass makes no
 * more. It counts only if the factory returns false.
 *
 * The hook is the innermost of this pool that this is called inside of, also if it has changed threads since; of code
 * without unwind tables it is not seen. A host that drives its ops says it by pool_answer_t.later_ns.
 *
 * @param pool  the pool whose factory this is.
 * @param ms    for how long none begins; 0: the first in line asks again at once.
 * @return POOL_OK; POOL_ERR_INVALID outside of its factory, or when pool is NULL or host-driven; POOL_ERR_FORKED.
 * @par Threading
 * The thread that runs the hook.
 * @par Re-entrancy
 * For factories.
 * @since 1.0
 */
pool_status_t pool_try_later(pool_t *pool, uint32_t ms);

/**
 * @brief Why the last failed call on this thread failed.
 *
 * Like errno: calls that succeed leave it as it is; POOL_EMPTY and POOL_PENDING are no failures. Misuse is one, also of
 * functions that answer no status. There are two exceptions. A creation that succeeds leaves POOL_OK, with a remark in place of the text if there is one to make.
 * pool_unref() and pool_reactor_unref(), which answer nothing, leave POOL_ERR_INVALID if there was no reference to give
 * back, or no pool or reactor.
 *
 * @param[out] code     the hook's code, or the status itself when no hook set one; may be NULL.
 * @param[out] message  the hook's text, or a text for the status; always terminated; may be NULL.
 * @param      size     bytes at message.
 * @return The status of that call; POOL_OK when none failed yet, or a creation succeeded since.
 * @par Threading
 * Each thread has its own.
 * @since 1.0
 */
pool_status_t pool_last_error(int *code, char *message, size_t size);

/**
 * @brief A text for a status.
 *
 * @param status  any value.
 * @return Never NULL; "unknown status" for a value that is none.
 * @par Ownership
 * The text is static.
 * @since 1.0
 */
const char *pool_strerror(pool_status_t status);

/**
 * @brief The name of a status, such as "POOL_ERR_TIMEOUT".
 *
 * @param status  any value.
 * @return Never NULL; "POOL_?" for a value that is none.
 * @par Ownership
 * The text is static.
 * @since 1.0
 */
const char *pool_status_name(pool_status_t status);

/**
 * @brief The version of the library that is loaded, such as "1.0.0".
 *
 * @return POOL_VERSION of the library's own header.
 * @par Ownership
 * The text is static.
 * @since 1.0
 */
const char *pool_version(void);

/**
 * @brief The ABI of the library that is loaded.
 *
 * @return POOL_ABI_VERSION of the library's own header.
 * @since 1.0
 */
uint32_t pool_abi_version(void);

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_ops The op protocol
 *
 * For hosts that run hooks and waits themselves.
 *
 * Every operation that may need a hook or a wait is an op. pool_acquire() and its kin are a loop over
 * these functions; a host that wants to call the hooks itself, or to wait in its own way, writes the
 * loop itself:
 *
 *     pool_op_t op;
 *     pool_ask_t ask = POOL_ASK_INIT;
 *     pool_answer_t answer = POOL_ANSWER_INIT;
 *     pool_op_acquire(pool, &op, 5000);
 *     for (kind = pool_op_next(&op, NULL, &ask); kind != POOL_ASK_DONE;
 *          kind = pool_op_next(&op, &answer, &ask)) {
 *         if (kind == POOL_ASK_CREATE)
 *             answer.ok = make(&answer.resource);
 *         else if (kind == POOL_ASK_WAIT)
 *             pool_op_wait(&op, ask.until_ns);
 *         else ...
 *     }
 *     ask.status and ask.resource are the outcome.
 *
 * Every ask is answered exactly once. An op that is dropped half-way is cancelled.
 *
 * Any thread may begin an op; it is driven by one thread at a time. It stays the caller's, and must not move or go
 * before it is done.
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/** @brief What the pool wants done next. */
typedef enum pool_ask_kind {
    POOL_ASK_DONE = 0,           /**< finished: status, and resource if POOL_OK */
    POOL_ASK_CREATE = 1,         /**< make a resource: answer ok and resource */
    POOL_ASK_BEFORE_ACQUIRE = 2, /**< may resource be lent? answer ok */
    POOL_ASK_BEFORE_RELEASE = 3, /**< may resource be kept? answer ok */
    POOL_ASK_DESTROY = 4,        /**< end resource; the answer has no content */
    POOL_ASK_WAIT = 5,           /**< wait until woken or until_ns; then go on, early is harmless */
    POOL_ASK_HEALTHCHECK = 6,    /**< is resource still good? answer ok */
    POOL_ASK_REPORT_SUCCESS = 7, /**< tell the strategy that resource passed; the answer has no content */
    POOL_ASK_REPORT_FAILURE = 8, /**< tell it that resource was refused; the answer has no content */
    POOL_ASK_SHOULD_RECOVER = 9, /**< ask the strategy whether this caller may probe: answer ok */
    POOL_ASK_LEAKED = 10         /**< resource is lent for too long, as lend says; the answer has no content */
} pool_ask_kind_t;

/** @brief What the pool wants: an ask. Fields are only ever appended. */
typedef struct pool_ask {
    size_t struct_size;   /**< set by the caller: sizeof(pool_ask_t) */
    pool_ask_kind_t kind; /**< what pool_op_next() returned */
    pool_status_t status; /**< DONE: the outcome */
    void *resource;       /**< what the ask is about; DONE: what was acquired, else NULL */
    int64_t until_ns;     /**< WAIT: monotonic time to go on at the latest; INT64_MAX: only when woken */
    uint64_t ticket;      /**< WAIT, DONE: number of this op in the line, from 1; 0: it never waited */
    uint64_t turn;        /**< DONE: number of the grant it got; grants follow tickets; 0: none */
    uint64_t lease;       /**< DONE of an acquire, POOL_OK: the id of its lend (pool_lease_t); 0: no memory for one */
    const pool_lend_t *lend; /**< LEAKED: the lend, until the op goes on; else NULL */
} pool_ask_t;

/** @brief The answer to an ask. Fields are only ever appended. */
typedef struct pool_answer {
    size_t struct_size; /**< set by the caller: sizeof(pool_answer_t) */
    bool ok;            /**< CREATE, BEFORE_..., HEALTHCHECK, SHOULD_RECOVER: the outcome */
    void *resource;     /**< CREATE: what was made */
    int64_t now_ns;     /**< the monotonic clock as the host sees it; 0: the library reads it */
    int64_t later_ns;   /**< CREATE, not ok: it was put off for so long, as pool_try_later() says; 0: it failed */
} pool_answer_t;

/** The initializer of a pool_ask_t. */
#define POOL_ASK_INIT                                                      \
    {                                                                      \
        sizeof(pool_ask_t), POOL_ASK_DONE, POOL_OK, NULL, 0, 0, 0, 0, NULL \
    }
/** The initializer of a pool_answer_t. */
#define POOL_ANSWER_INIT                         \
    {                                            \
        sizeof(pool_answer_t), false, NULL, 0, 0 \
    }

/**
 * @brief Begin what pool_acquire() does.
 *
 * Nothing happens before the first pool_op_next(); the deadline counts from here.
 *
 * @param      pool        the pool; borrowed until the op is done.
 * @param[out] op          the op.
 * @param      timeout_ms  milliseconds to wait at most; 0 waits for ever, huge values saturate.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL or timeout_ms is negative;
 *         POOL_ERR_FORKED. After an error the op is done.
 * @since 1.0
 */
pool_status_t pool_op_acquire(pool_t *pool, pool_op_t *op, int64_t timeout_ms);

/**
 * @brief Begin what pool_try_acquire() does.
 *
 * @param      pool  the pool; borrowed until the op is done.
 * @param[out] op    the op.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_try_acquire(pool_t *pool, pool_op_t *op);

/**
 * @brief Begin what pool_release() does.
 *
 * @param      pool      the pool; borrowed until the op is done.
 * @param[out] op        the op.
 * @param      resource  the resource to give back.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_release(pool_t *pool, pool_op_t *op, void *resource);

/**
 * @brief Begin what pool_release_lease() does.
 *
 * The end of every acquire by an op tells the id of its lend: pool_ask_t.lease. It is 0 when there was no memory for one:
 * such an acquire does not fail, and is one by word. What is lent by lease may be given back by word as well.
 *
 * @param      pool   the pool; borrowed until the op is done.
 * @param[out] op     the op.
 * @param      lease  the lease, of which the id counts; read now.
 * @return POOL_OK; POOL_ERR_INVALID when pool, op or lease is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_release_lease(pool_t *pool, pool_op_t *op, const pool_lease_t *lease);

/**
 * @brief Begin what pool_discard() does.
 *
 * It asks POOL_ASK_DESTROY, if the host wants to be asked, and nothing else.
 *
 * @param      pool      the pool; borrowed until the op is done.
 * @param[out] op        the op.
 * @param      resource  the resource to give back.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_discard(pool_t *pool, pool_op_t *op, void *resource);

/**
 * @brief Begin what pool_detach() does.
 *
 * It asks for nothing: the first pool_op_next() ends it.
 *
 * @param      pool      the pool; borrowed until the op is done.
 * @param[out] op        the op.
 * @param      resource  the resource to keep.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_detach(pool_t *pool, pool_op_t *op, void *resource);

/**
 * @brief Begin what pool_discard_lease() does.
 *
 * It asks as pool_op_discard() does.
 *
 * @param      pool   the pool; borrowed until the op is done.
 * @param[out] op     the op.
 * @param      lease  the lease, of which the id counts; read now.
 * @return POOL_OK; POOL_ERR_INVALID when pool, op or lease is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_discard_lease(pool_t *pool, pool_op_t *op, const pool_lease_t *lease);

/**
 * @brief Begin what pool_detach_lease() does.
 *
 * It asks for nothing: the first pool_op_next() ends it.
 *
 * @param      pool   the pool; borrowed until the op is done.
 * @param[out] op     the op.
 * @param      lease  the lease, of which the id counts; read now.
 * @return POOL_OK; POOL_ERR_INVALID when pool, op or lease is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_detach_lease(pool_t *pool, pool_op_t *op, const pool_lease_t *lease);

/**
 * @brief Begin what pool_drain() does.
 *
 * It asks POOL_ASK_DESTROY and POOL_ASK_WAIT, and ends with POOL_OK, POOL_ERR_TIMEOUT or POOL_ERR_CANCELLED. It is woken
 * as an acquire is, when there is something to destroy or nothing left; a loop may as well go on with it whenever it
 * likes, since early is harmless. One that is cancelled undoes nothing: the pool stays closed to newcomers.
 *
 * @param      pool        the pool; borrowed until the op is done.
 * @param[out] op          the op.
 * @param      timeout_ms  milliseconds to wait at most; 0 waits for ever, huge values saturate.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL or timeout_ms is negative; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_drain(pool_t *pool, pool_op_t *op, int64_t timeout_ms);

/**
 * @brief Begin what pool_evict() does.
 *
 * It evicts with the first pool_op_next(), asks POOL_ASK_DESTROY for each idle resource, and nothing else; one that is
 * cancelled destroys the rest of them. A caller whose resource is evicted is asked POOL_ASK_DESTROY for it where others
 * are asked POOL_ASK_BEFORE_ACQUIRE.
 *
 * @param      pool  the pool; borrowed until the op is done.
 * @param[out] op    the op.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_evict(pool_t *pool, pool_op_t *op);

/**
 * @brief Begin what pool_resize() does.
 *
 * The sizes change with the first pool_op_next(). It asks POOL_ASK_DESTROY for idle resources that are too many, and
 * nothing else; one that is cancelled destroys the rest of them.
 *
 * @param      pool      the pool; borrowed until the op is done.
 * @param[out] op        the op.
 * @param      min_size  as in pool_resize().
 * @param      max_size  as in pool_resize().
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL, or the sizes make no pool; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_resize(pool_t *pool, pool_op_t *op, uint32_t min_size, uint32_t max_size);

/**
 * @brief Begin what pool_trim() does.
 *
 * What is too many is counted by the first pool_op_next(). It asks POOL_ASK_DESTROY for each of them, and nothing else;
 * one that is cancelled destroys the rest of them.
 *
 * @param      pool       the pool; borrowed until the op is done.
 * @param[out] op         the op.
 * @param      keep_idle  as in pool_trim().
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_trim(pool_t *pool, pool_op_t *op, uint32_t keep_idle);

/**
 * @brief Begin what pool_close() does.
 *
 * @param      pool  the pool; borrowed until the op is done.
 * @param[out] op    the op.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_close(pool_t *pool, pool_op_t *op);

/**
 * @brief Begin to create resources until there are min_size of them.
 *
 * What pool_create_ex() does for a pool with handlers. It ends with POOL_OK, or with POOL_ERR_FACTORY
 * at the first creation that fails, or with POOL_ERR_CLOSED, POOL_ERR_CANCELLED, POOL_ERR_NOMEM; what was made
 * before stays idle in the pool.
 *
 * @param      pool  the pool; borrowed until the op is done.
 * @param[out] op    the op.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_fill(pool_t *pool, pool_op_t *op);

/**
 * @brief Begin one pass of the healthcheck.
 *
 * Looks once at each resource that is idle when the pass begins and stays so, one at a time, oldest first; the others
 * stay available, and one that a woken waiter is owed is left alone. A dead one is destroyed. While there are fewer
 * than min_size, a new one is created. Before all that it asks POOL_ASK_LEAKED for each lend that lasts longer than
 * leak_after_ms, if the host wants to hear of it: see @ref pool_ages. This is what a thread of the library does every
 * healthcheck_interval_ms, unless the pool is host-driven or POOL_F_REACTOR.
 *
 * It ends with POOL_OK, with POOL_ERR_FACTORY when a creation failed (the pass went on without creating
 * more), or with POOL_ERR_CLOSED, POOL_ERR_CANCELLED, POOL_ERR_NOMEM.
 *
 * @param      pool  the pool; borrowed until the op is done.
 * @param[out] op    the op.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_sweep(pool_t *pool, pool_op_t *op);

/**
 * @brief Begin to make a resource for who waits in line.
 *
 * For the hosts of pools with POOL_F_CREATE_BEHIND and POOL_F_HOST_DRIVEN: such an op asks to create, and now and then
 * to destroy, but not to wait. Each goes on in a coroutine or thread of its own, as many at once as
 * pool_creations_due() says. One that is begun too late, or in another pool, ends with POOL_EMPTY at once.
 *
 * It ends with POOL_OK when something was made, whatever became of it; with POOL_EMPTY; with POOL_ERR_FACTORY when the
 * creation failed, of which the first in line was told, unless it was put off or create_retry_ms is set; with
 * POOL_ERR_CLOSED, POOL_ERR_CANCELLED, POOL_ERR_NOMEM. One that is cancelled while its creation is out is the failure of
 * the first in line.
 *
 * @param      pool  the pool; borrowed until the op is done.
 * @param[out] op    the op.
 * @return POOL_OK; POOL_ERR_INVALID when pool or op is NULL; POOL_ERR_FORKED.
 * @since 1.0
 */
pool_status_t pool_op_create_behind(pool_t *pool, pool_op_t *op);

/**
 * @brief How many creations shall begin now, for those who wait in line.
 *
 * A host looks after each call that may have changed the pool: pool_op_next(), pool_op_join(), pool_op_cancel(), a move of
 * the breaker. It begins so many pool_op_create_behind(); a number that it has not acted on stays.
 *
 * @param pool  the pool; borrowed.
 * @return The number; 0 without POOL_F_CREATE_BEHIND, when pool is NULL, and in a forked child.
 * @since 1.0
 */
uint32_t pool_creations_due(const pool_t *pool);

/**
 * @brief Answer the ask before, hear the next one.
 *
 * @param         op      an op that was begun.
 * @param         answer  the answer to the ask before; NULL the first time. NULL later on, a
 *                        struct_size that no version has, or bytes unknown here that are not zero,
 *                        mean: it failed (pool_last_error() says POOL_ERR_INVALID in the last two cases).
 * @param[in,out] ask     in: struct_size; out: what to do now, as far as it reaches; zero where
 *                        this library knows no field.
 * @return The kind of ask; POOL_ASK_DONE once it is finished, and again after that. An op that is
 *         none, or async and not told yet, is POOL_ASK_DONE with POOL_ERR_INVALID; an ask that is NULL, or whose
 *         struct_size no version has, is POOL_ASK_DONE, left unwritten, and the op stays where it
 *         is (pool_last_error(): POOL_ERR_INVALID in each of these cases).
 * @par Threading
 * Any thread, one at a time for an op.
 * @par Re-entrancy
 * May be called from hooks, for another op.
 * @since 1.0
 */
pool_ask_kind_t pool_op_next(pool_op_t *op, const pool_answer_t *answer, pool_ask_t *ask);

/**
 * @brief Answer POOL_ASK_WAIT by blocking this thread.
 *
 * Returns when the op can go on (it was promised a place, the pool closed, or it shall look when to come back:
 * pool_strategy_threshold()) or the time has come. Then call pool_op_next(), which may answer POOL_ASK_WAIT again.
 *
 * @param op        an op whose last ask was POOL_ASK_WAIT.
 * @param until_ns  the ask's until_ns, or an earlier time on the monotonic clock.
 * @return POOL_OK when woken; POOL_ERR_TIMEOUT; POOL_ERR_INVALID when op is not one that waits;
 *         POOL_ERR_FORKED.
 * @par Threading
 * The thread that drives the op. A cancellation point (pthread_cancel): cancel the op in a cleanup
 * handler.
 * @par Re-entrancy
 * May be called from hooks, for another op.
 * @par Blocking
 * Until woken or until_ns.
 * @since 1.0
 */
pool_status_t pool_op_wait(pool_op_t *op, int64_t until_ns);

/**
 * @brief When an op must go on.
 *
 * While it waits, the time at which it goes on without having been woken, as POOL_ASK_WAIT tells it: its deadline, or
 * before, when it has to look again (pool_strategy_threshold()). So this time need not be the end of its wait: go on,
 * and be told. At other times its deadline.
 *
 * @param op  an op that was begun.
 * @return The time on the monotonic clock in ns; INT64_MAX: none, or op was not begun
 *         (pool_last_error(): POOL_ERR_INVALID).
 * @par Threading
 * Any thread, while the op is valid.
 * @since 1.0
 */
int64_t pool_op_until_ns(const pool_op_t *op);

/**
 * @brief Which op of a host-driven pool can go on?
 *
 * For a host that keeps many ops on one thread: after any call that may have freed a place, ask until the
 * answer is NULL, and go on with those ops. Each is told once of what happened to it; op->data says whose it is.
 *
 * @param pool  a host-driven pool; borrowed.
 * @return An op whose last ask was POOL_ASK_WAIT and that was granted a place or sent away; in the
 *         order in which they were; after those the first in line, if it shall look when to come
 *         back (pool_strategy_threshold()): going on with it answers POOL_ASK_WAIT again. NULL:
 *         none, or pool is NULL or not host-driven (pool_last_error(): POOL_ERR_INVALID).
 * @par Ownership
 * The op is its owner's.
 * @par Threading
 * The host must not let the op go meanwhile.
 * @since 1.0
 */
pool_op_t *pool_op_woken(pool_t *pool);

/**
 * @brief Begin an acquire, and stand in line at once if that is all there is to do.
 *
 * pool_op_acquire() and, when all places are taken, the first pool_op_next(), in one call: a language binding
 * pays more for a call than the call takes. When it is true the op is in line, as after POOL_ASK_WAIT;
 * otherwise nothing has been asked yet, and pool_op_next() goes on; it also tells who is one too many.
 *
 * @param      pool        the pool; borrowed.
 * @param[out] op          memory for the op, as for pool_op_acquire().
 * @param      timeout_ms  as for pool_op_acquire().
 * @return true: it waits; false: go on with pool_op_next(), which also tells what is wrong with an
 *         argument.
 * @par Ownership
 * The op stays the caller's, at one address until it is done.
 * @since 1.0
 */
bool pool_op_join(pool_t *pool, pool_op_t *op, int64_t timeout_ms);

/**
 * @brief Take what a waiting op was granted, if nothing is to be asked.
 *
 * The pool_op_next() of an op that can go on, in one call without an out-pointer. Of use where no resource is
 * NULL.
 *
 * @param op  an op whose last ask was POOL_ASK_WAIT, or that pool_op_join() put in line.
 * @return The resource; NULL: not so simple, go on with pool_op_next(), or op is not one that waits
 *         (pool_last_error(): POOL_ERR_INVALID).
 * @par Ownership
 * The caller holds the resource until it is released; the op is done, and pool_op_next() tells its lease.
 * @par Threading
 * One thread at a time, as pool_op_next().
 * @since 1.0
 */
void *pool_op_take(pool_op_t *op);

/**
 * @brief Release a resource of a host-driven pool to the op that has waited longest.
 *
 * pool_release() and pool_op_woken() in one call, for when somebody waits and nothing is to be asked. The op
 * that is answered was granted the place; it is not told again by pool_op_woken(), and a thread that sleeps
 * in pool_op_wait() is not woken: this is for a host that keeps its ops on one thread.
 *
 * @param pool      a host-driven pool; borrowed.
 * @param resource  the resource.
 * @return The op that can go on; NULL: not so simple, go on with pool_release() or
 *         pool_op_release(), or pool is NULL or not host-driven (pool_last_error(): POOL_ERR_INVALID).
 * @par Ownership
 * The pool has the resource again, if an op is answered; otherwise nothing has changed.
 * @par Threading
 * The host must not let the op go meanwhile.
 * @since 1.0
 */
pool_op_t *pool_hand_on(pool_t *pool, void *resource);

/**
 * @brief Say which asks of a strategy the host of a host-driven pool wants.
 *
 * What pool_set_strategy() is to other pools: POOL_ASKS_REPORTS has every release reported before its
 * resource is kept or destroyed, POOL_ASKS_SHOULD_RECOVER asks before a caller is refused by an open breaker.
 * Ops that are under way are asked as the new asks say from their next step on. Ends what
 * pool_strategy_threshold() began.
 *
 * @param pool  a host-driven pool; borrowed.
 * @param asks  POOL_ASKS_REPORTS, POOL_ASKS_SHOULD_RECOVER, both or 0; the other asks stay as they
 *              are.
 * @return POOL_OK; POOL_ERR_INVALID when pool is NULL or not host-driven, or asks has another bit;
 *         POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @since 1.0
 */
pool_status_t pool_set_asks(pool_t *pool, uint32_t asks);

/**
 * @brief Leave an op half-way.
 *
 * A waiting op leaves the line; a place it was promised goes to the next. An ask that is out counts
 * as answered with failure (a creation: nothing was made). An async op still gets its one callback, from a
 * dispatch, with POOL_ERR_CANCELLED: also if it was granted, or its factory was running; whatever it got
 * goes back to the pool.
 *
 * @param op  an op that was begun; done or NULL is fine.
 * @return POOL_OK: the op is done, with POOL_ERR_CANCELLED unless it was done before; for an async
 *         op: its callback follows, or has come. POOL_PENDING: a resource still has to be
 *         destroyed: go on with pool_op_next(op, NULL, &ask) until it is done. POOL_ERR_INVALID
 *         when op was not begun; POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Threading
 * The thread that drives the op; for an async op any thread, while op and pool are valid.
 * @since 1.0
 */
pool_status_t pool_op_cancel(pool_op_t *op);

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_loops Event loops
 *
 * pool_acquire_async() never blocks and never calls anything. Its caller's place in line is taken at once,
 * among threads and coroutines that wait for the same pool. The rest happens in pool_dispatch(): hooks,
 * deadlines, the callback; and with POOL_F_REACTOR the healthchecks. So the loop
 *
 * - sleeps until pool_fd() is readable, which it also is when a time has come,
 * - then calls pool_dispatch().
 *
 * One that knows for how long it will sleep asks pool_next_timeout() before; one that does not sleep on descriptors
 * does without pool_fd(). Any thread may ask, acquire and dispatch for a loop that sleeps on the descriptor: it hears
 * of everything that it must hear of.
 *
 * What an op was promised, or has taken, it keeps until a dispatch: a loop that dispatches no more holds up everybody
 * who stands behind it. Cancel its ops, and dispatch until each has been told, before that.
 *
 * One descriptor for many pools: make a reactor and attach them to it. Several loops that share a pool:
 * each has a reactor and acquires with pool_reactor_acquire(), so that its callbacks come on its thread.
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/**
 * @brief The outcome of pool_acquire_async(), told once, from a dispatch.
 *
 * resource is NULL unless POOL_OK; pool_last_error() says more about a failure. The op is done: its memory may be
 * used again. Before that pool_op_next() tells the same of it, and its lease.
 */
typedef void (*pool_acquired_fn)(pool_op_t *op, pool_status_t status, void *resource, void *data);

/**
 * @brief Borrow a resource without waiting for it here.
 *
 * As pool_acquire(), but the outcome is told by the callback, from pool_dispatch(), never from inside this
 * call. After a close it is POOL_ERR_CLOSED, whatever the op had got by then (it is destroyed), and after
 * pool_op_cancel() POOL_ERR_CANCELLED.
 *
 * @param      pool        the pool; it stays until the callback has returned.
 * @param[out] op          the op; must not move or go before its callback is called.
 * @param      timeout_ms  milliseconds to wait at most; 0 waits for ever, huge values saturate.
 * @param      callback    told the outcome.
 * @param      data        passed to it, and kept in op->data.
 * @return POOL_PENDING: the callback follows. Otherwise it never comes: POOL_ERR_CLOSED,
 *         POOL_ERR_UNAVAILABLE, POOL_ERR_OVERLOADED, POOL_ERR_INVALID when pool, op or callback is NULL, timeout_ms is
 *         negative, or the pool is host-driven; POOL_ERR_NOMEM, POOL_ERR_FORKED, POOL_ERR_INTERNAL.
 * @par Ownership
 * The op stays the caller's. The resource is the callback's, until pool_release().
 * @par Threading
 * The callback comes on the thread that dispatches.
 * @since 1.0
 */
pool_status_t pool_acquire_async(pool_t *pool, pool_op_t *op, int64_t timeout_ms, pool_acquired_fn callback,
                                 void *data);

/**
 * @brief A descriptor that is readable while pool_dispatch() has work, and from each deadline on.
 *
 * Level-triggered; only to be watched (by poll(), select(), epoll or what stands upon them), not to be read or
 * closed. Deadlines and healthchecks that are due make it readable by themselves, whoever has set them and whoever
 * has asked what meanwhile. It may be readable for nothing, once, when a deadline that has been cleared would have
 * come: pool_dispatch() does nothing then, and pool_next_timeout() is not 0; after either of them it is quiet. With
 * dozens of deadlines about it may be so a few times on the way to them as well, until pool_dispatch().
 *
 * It takes three descriptors of the process, close-on-exec, for each reactor that is asked for one.
 *
 * @param pool  the pool; borrowed.
 * @return The descriptor; -1 when there is none to be had (errno, or pool_last_error(), says why),
 *         or when pool is NULL or host-driven (pool_last_error(): POOL_ERR_INVALID).
 * @par Ownership
 * The pool's; it is closed when the pool is freed.
 * @since 1.0
 */
int pool_fd(pool_t *pool);

/**
 * @brief How long the loop may sleep.
 *
 * For loops that sleep without the descriptor, or have to know for how long. It is an answer of this moment: an
 * acquire after it may bring a nearer deadline. Who sleeps on the descriptor hears of that; who does not must ask
 * right before it sleeps. To ask changes nothing for anybody.
 *
 * @param pool  the pool; borrowed.
 * @return Milliseconds until pool_dispatch() should be called, 0: now, -1: until the descriptor is
 *         readable, or there is no memory for it, then nothing is under way; also when pool is NULL
 *         or host-driven (pool_last_error(): POOL_ERR_INVALID). At most INT32_MAX. It may be early,
 *         never late by more than a millisecond.
 * @since 1.0
 */
int64_t pool_next_timeout(pool_t *pool);

/**
 * @brief Do what is to be done: deadlines, hooks, callbacks, healthchecks.
 *
 * Returns after some hundreds of hooks and callbacks, with the descriptor still readable, so that a burst does not
 * hold up the loop: also between two checks of a healthcheck pass, and between two resources that before_acquire has
 * refused to one op. What is half done goes on at the next dispatch, behind what else can go on; between the two
 * nothing of a pass is under way, so that a close need not wait for it, and a pass goes on with what is idle by then.
 * With very many deadlines it also returns before it has looked through all that were near, with the descriptor
 * readable, so that nobody waits for long who begins an op meanwhile.
 *
 * @param pool  the pool; borrowed. It may be closed, and dropped, from inside.
 * @return POOL_OK; POOL_ERR_INVALID when pool is NULL or host-driven; POOL_ERR_NOMEM,
 *         POOL_ERR_FORKED.
 * @par Threading
 * Hooks and callbacks run on the thread that calls this.
 * @par Blocking
 * For what the hooks and callbacks take.
 * @since 1.0
 */
pool_status_t pool_dispatch(pool_t *pool);

/**
 * @brief Make a reactor: one descriptor, one timeout, one dispatch for many pools.
 *
 * @return The reactor, or NULL: POOL_ERR_NOMEM or POOL_ERR_FORKED in pool_last_error().
 * @par Ownership
 * The caller holds the one reference: pool_reactor_unref().
 * @since 1.0
 */
pool_reactor_t *pool_reactor_create(void);

/**
 * @brief Give the reference to a reactor back.
 *
 * The reactor stays while pools are attached to it and ops wait on it. One too many changes nothing, as long as it
 * stays, and is told: pool_last_error() says POOL_ERR_INVALID then.
 *
 * @param reactor  the reactor; NULL is fine.
 * @par Ownership
 * Consumes the reference.
 * @since 1.0
 */
void pool_reactor_unref(pool_reactor_t *reactor);

/**
 * @brief Have a pool served by this reactor instead of one of its own.
 *
 * From now on pool_acquire_async() and the healthchecks of a POOL_F_REACTOR pool go there, and so do
 * pool_fd(), pool_next_timeout() and pool_dispatch() of the pool. Ops begun before stay where they were.
 *
 * @param reactor  the reactor; the pool keeps it.
 * @param pool     the pool; borrowed.
 * @return POOL_OK; POOL_ERR_INVALID when an argument is NULL or the pool is host-driven;
 *         POOL_ERR_FORKED.
 * @par Threading
 * Any thread, before the pool is used by a loop.
 * @since 1.0
 */
pool_status_t pool_reactor_attach(pool_reactor_t *reactor, pool_t *pool);

/**
 * @brief pool_acquire_async() on a given reactor, attached to the pool or not.
 *
 * @param      reactor     the reactor whose dispatch tells the outcome; the op keeps it.
 * @param      pool        the pool; it stays until the callback has returned.
 * @param[out] op          the op; must not move or go before its callback is called.
 * @param      timeout_ms  milliseconds to wait at most; 0 waits for ever, huge values saturate.
 * @param      callback    told the outcome.
 * @param      data        passed to it, and kept in op->data.
 * @return As pool_acquire_async().
 * @par Ownership
 * The op stays the caller's. The resource is the callback's, until pool_release().
 * @par Threading
 * The callback comes on the thread that dispatches.
 * @since 1.0
 */
pool_status_t pool_reactor_acquire(pool_reactor_t *reactor, pool_t *pool, pool_op_t *op, int64_t timeout_ms,
                                   pool_acquired_fn callback, void *data);

/**
 * @brief pool_fd() of a reactor.
 *
 * @param reactor  the reactor; borrowed.
 * @return The descriptor, or -1.
 * @par Ownership
 * The reactor's; it is closed when the reactor is freed.
 * @since 1.0
 */
int pool_reactor_fd(pool_reactor_t *reactor);

/**
 * @brief pool_next_timeout() of a reactor.
 *
 * @param reactor  the reactor; borrowed.
 * @return Milliseconds; 0: now, -1: until the descriptor is readable.
 * @since 1.0
 */
int64_t pool_reactor_next_timeout(pool_reactor_t *reactor);

/**
 * @brief pool_dispatch() of a reactor.
 *
 * @param reactor  the reactor; borrowed. It may be dropped from inside.
 * @return POOL_OK; POOL_ERR_INVALID when reactor is NULL; POOL_ERR_FORKED.
 * @par Threading
 * Hooks and callbacks run on the thread that calls this.
 * @par Blocking
 * For what the hooks and callbacks take.
 * @since 1.0
 */
pool_status_t pool_reactor_dispatch(pool_reactor_t *reactor);

/** @} */

/* --------------------------------------------------------------------------------------------- */
/**
 * @defgroup pool_table The table
 *
 * For consumers that must not link the library. They use asyncpool/pool_api.h.
 *
 * @see @ref pool_rules "pool_rules: what holds for every function"
 * @{
 */

/** Makes the host's object for a pool, or answers NULL. */
typedef void *(*pool_wrapper_fn)(pool_t *pool);

/**
 * @brief The functions of this header, by pointer: all but pool_api() itself, and pool_abi_version(), whose answer is
 * the field.
 *
 * Fields are only ever appended, so a table may be shorter than pool_api_t, as struct_size says, where the
 * library is older than this header.
 */
typedef struct pool_api {
    size_t struct_size;   /**< the size of the table, in the library */
    uint32_t abi_version; /**< as pool_abi_version() */
    uint32_t reserved;    /**< not used */
    pool_t *(*create_internal)(pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck,
                               pool_before_acquire_fn before_acquire, pool_before_release_fn before_release,
                               uint32_t min_size, uint32_t max_size,
                               uint32_t healthcheck_interval_ms); /**< pool_create_internal() */
    pool_t *(*create)(pool_fcall_t *factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck,
                      pool_fcall_t *before_acquire, pool_fcall_t *before_release, uint32_t min_size, uint32_t max_size,
                      uint32_t healthcheck_interval_ms);                                    /**< pool_create() */
    pool_status_t (*create_ex)(const pool_config_t *config, pool_t **out);                  /**< pool_create_ex() */
    void *(*new_object)(pool_t *pool);                                                      /**< pool_new_object() */
    pool_status_t (*acquire)(pool_t *pool, void **resource, int64_t timeout_ms);            /**< pool_acquire() */
    pool_status_t (*try_acquire)(pool_t *pool, void **resource);                            /**< pool_try_acquire() */
    pool_status_t (*release)(pool_t *pool, void *resource);                                 /**< pool_release() */
    pool_status_t (*close)(pool_t *pool);                                                   /**< pool_close() */
    bool (*is_closed)(const pool_t *pool);                                                  /**< pool_is_closed() */
    pool_t *(*ref)(pool_t *pool);                                                           /**< pool_ref() */
    void (*unref)(pool_t *pool);                                                            /**< pool_unref() */
    pool_status_t (*snapshot)(const pool_t *pool, pool_snapshot_t *snapshot);               /**< pool_snapshot() */
    pool_circuit_state_t (*state)(const pool_t *pool);                                      /**< pool_state() */
    pool_status_t (*activate)(pool_t *pool);                                                /**< pool_activate() */
    pool_status_t (*deactivate)(pool_t *pool);                                              /**< pool_deactivate() */
    pool_status_t (*recover)(pool_t *pool);                                                 /**< pool_recover() */
    pool_status_t (*set_strategy)(pool_t *pool, pool_circuit_breaker_strategy_t *strategy); /**< pool_set_strategy() */
    pool_status_t (*set_error)(pool_t *pool, int code, const char *message);                /**< pool_set_error() */
    pool_status_t (*last_error)(int *code, char *message, size_t size);                     /**< pool_last_error() */
    const char *(*strerror)(pool_status_t status);                                          /**< pool_strerror() */
    void *(*take)(pool_t *pool);                                                            /**< pool_take() */
    uint32_t (*count)(const pool_t *pool);                                                  /**< pool_count() */
    uint32_t (*idle_count)(const pool_t *pool);                                             /**< pool_idle_count() */
    uint32_t (*active_count)(const pool_t *pool);                                           /**< pool_active_count() */
    uint32_t (*waiting_count)(const pool_t *pool);                                          /**< pool_waiting_count() */
    uint32_t (*debug_live)(void);                                                           /**< pool_debug_live() */
    uint64_t (*debug_crossings)(void); /**< pool_debug_crossings() */
    pool_status_t (*strategy_threshold)(pool_t *pool, uint32_t failures, uint32_t open_ms,
                                        uint32_t successes);                      /**< pool_strategy_threshold() */
    const char *(*status_name)(pool_status_t status);                             /**< pool_status_name() */
    const char *(*version)(void);                                                 /**< pool_version() */
    pool_status_t (*op_acquire)(pool_t *pool, pool_op_t *op, int64_t timeout_ms); /**< pool_op_acquire() */
    pool_status_t (*op_try_acquire)(pool_t *pool, pool_op_t *op);                 /**< pool_op_try_acquire() */
    pool_status_t (*op_release)(pool_t *pool, pool_op_t *op, void *resource);     /**< pool_op_release() */
    pool_status_t (*op_close)(pool_t *pool, pool_op_t *op);                       /**< pool_op_close() */
    pool_status_t (*op_fill)(pool_t *pool, pool_op_t *op);                        /**< pool_op_fill() */
    pool_status_t (*op_sweep)(pool_t *pool, pool_op_t *op);                       /**< pool_op_sweep() */
    pool_ask_kind_t (*op_next)(pool_op_t *op, const pool_answer_t *answer, pool_ask_t *ask); /**< pool_op_next() */
    pool_status_t (*op_wait)(pool_op_t *op, int64_t until_ns);                               /**< pool_op_wait() */
    int64_t (*op_until_ns)(const pool_op_t *op);                                             /**< pool_op_until_ns() */
    pool_op_t *(*op_woken)(pool_t *pool);                                                    /**< pool_op_woken() */
    bool (*op_join)(pool_t *pool, pool_op_t *op, int64_t timeout_ms);                        /**< pool_op_join() */
    void *(*op_take)(pool_op_t *op);                                                         /**< pool_op_take() */
    pool_op_t *(*hand_on)(pool_t *pool, void *resource);                                     /**< pool_hand_on() */
    pool_status_t (*set_asks)(pool_t *pool, uint32_t asks);                                  /**< pool_set_asks() */
    pool_status_t (*op_cancel)(pool_op_t *op);                                               /**< pool_op_cancel() */
    pool_status_t (*acquire_async)(pool_t *pool, pool_op_t *op, int64_t timeout_ms, pool_acquired_fn callback,
                                   void *data);                             /**< pool_acquire_async() */
    int (*fd)(pool_t *pool);                                                /**< pool_fd() */
    int64_t (*next_timeout)(pool_t *pool);                                  /**< pool_next_timeout() */
    pool_status_t (*dispatch)(pool_t *pool);                                /**< pool_dispatch() */
    pool_reactor_t *(*reactor_create)(void);                                /**< pool_reactor_create() */
    void (*reactor_unref)(pool_reactor_t *reactor);                         /**< pool_reactor_unref() */
    pool_status_t (*reactor_attach)(pool_reactor_t *reactor, pool_t *pool); /**< pool_reactor_attach() */
    pool_status_t (*reactor_acquire)(pool_reactor_t *reactor, pool_t *pool, pool_op_t *op, int64_t timeout_ms,
                                     pool_acquired_fn callback, void *data);     /**< pool_reactor_acquire() */
    int (*reactor_fd)(pool_reactor_t *reactor);                                  /**< pool_reactor_fd() */
    int64_t (*reactor_next_timeout)(pool_reactor_t *reactor);                    /**< pool_reactor_next_timeout() */
    pool_status_t (*reactor_dispatch)(pool_reactor_t *reactor);                  /**< pool_reactor_dispatch() */
    pool_status_t (*register_wrapper)(pool_wrapper_fn wrapper);                  /**< pool_register_wrapper() */
    pool_status_t (*discard)(pool_t *pool, void *resource);                      /**< pool_discard() */
    pool_status_t (*detach)(pool_t *pool, void *resource);                       /**< pool_detach() */
    pool_status_t (*op_discard)(pool_t *pool, pool_op_t *op, void *resource);    /**< pool_op_discard() */
    pool_status_t (*op_detach)(pool_t *pool, pool_op_t *op, void *resource);     /**< pool_op_detach() */
    pool_status_t (*resize)(pool_t *pool, uint32_t min_size, uint32_t max_size); /**< pool_resize() */
    pool_status_t (*op_resize)(pool_t *pool, pool_op_t *op, uint32_t min_size,
                               uint32_t max_size);          /**< pool_op_resize() */
    pool_status_t (*evict)(pool_t *pool);                   /**< pool_evict() */
    pool_status_t (*op_evict)(pool_t *pool, pool_op_t *op); /**< pool_op_evict() */
    int64_t (*time_left_ms)(const pool_t *pool);            /**< pool_time_left_ms() */
    pool_status_t (*strategy_threshold_on)(pool_t *pool, uint32_t what, uint32_t failures, uint32_t open_ms,
                                           uint32_t successes);                 /**< pool_strategy_threshold_on() */
    pool_status_t (*drain)(pool_t *pool, int64_t timeout_ms);                   /**< pool_drain() */
    pool_status_t (*op_drain)(pool_t *pool, pool_op_t *op, int64_t timeout_ms); /**< pool_op_drain() */
    pool_status_t (*stats)(pool_t *pool, pool_stats_t *stats);                  /**< pool_stats() */
    size_t (*metrics)(char *buffer, size_t size);                               /**< pool_metrics() */
    pool_status_t (*try_later)(pool_t *pool, uint32_t ms);                      /**< pool_try_later() */
    /** pool_resource_info() */
    pool_status_t (*resource_info)(pool_t *pool, void *resource, pool_resource_info_t *info);
    size_t (*describe)(const pool_t *pool, char *buffer, size_t size); /**< pool_describe() */
    /** pool_acquire_lease() */
    pool_status_t (*acquire_lease)(pool_t *pool, pool_lease_t *lease, int64_t timeout_ms);
    pool_status_t (*try_acquire_lease)(pool_t *pool, pool_lease_t *lease);   /**< pool_try_acquire_lease() */
    pool_status_t (*release_lease)(pool_t *pool, const pool_lease_t *lease); /**< pool_release_lease() */
    pool_status_t (*discard_lease)(pool_t *pool, const pool_lease_t *lease); /**< pool_discard_lease() */
    pool_status_t (*detach_lease)(pool_t *pool, const pool_lease_t *lease);  /**< pool_detach_lease() */
    /** pool_op_release_lease() */
    pool_status_t (*op_release_lease)(pool_t *pool, pool_op_t *op, const pool_lease_t *lease);
    /** pool_op_discard_lease() */
    pool_status_t (*op_discard_lease)(pool_t *pool, pool_op_t *op, const pool_lease_t *lease);
    /** pool_op_detach_lease() */
    pool_status_t (*op_detach_lease)(pool_t *pool, pool_op_t *op, const pool_lease_t *lease);
    uint32_t (*lends)(pool_t *pool, pool_lend_t *lends, uint32_t n);           /**< pool_lends() */
    void (*tag)(const char *tag);                                              /**< pool_tag() */
    pool_status_t (*op_create_behind)(pool_t *pool, pool_op_t *op);            /**< pool_op_create_behind() */
    uint32_t (*creations_due)(const pool_t *pool);                             /**< pool_creations_due() */
    pool_status_t (*give)(pool_t *pool, void *resource);                       /**< pool_give() */
    pool_status_t (*trim)(pool_t *pool, uint32_t keep_idle);                   /**< pool_trim() */
    pool_status_t (*op_trim)(pool_t *pool, pool_op_t *op, uint32_t keep_idle); /**< pool_op_trim() */
} pool_api_t;

/**
 * @brief The table of this library.
 *
 * @param abi_version  the POOL_ABI_VERSION that the caller was compiled with.
 * @return The table, or NULL when the library is of another ABI version (pool_last_error() says
 *         POOL_ERR_INVALID). In a forked child the entries answer POOL_ERR_FORKED.
 * @par Ownership
 * The table is static.
 * @since 1.0
 */
const pool_api_t *pool_api(uint32_t abi_version);

/**
 * @brief Say how the host's object for a pool is made.
 *
 * For a language binding, once for the process; POOL_NEW_OBJ() of any consumer calls it from then on, and
 * keeps what it answers in pool_t.wrapper.
 *
 * @param wrapper  the constructor; NULL: none any more.
 * @return POOL_OK; POOL_ERR_FORKED.
 * @par Ownership
 * The object is the host's.
 * @since 1.0
 */
pool_status_t pool_register_wrapper(pool_wrapper_fn wrapper);

/**
 * @brief Make the host's object for a pool.
 *
 * @param pool  the pool; borrowed. The constructor takes references as it needs them.
 * @return The object, also in pool->wrapper; NULL when pool is NULL, or when no constructor is
 *         registered (pool_last_error() says POOL_ERR_UNAVAILABLE).
 * @par Ownership
 * The object is the host's.
 * @par Threading
 * What the registered constructor allows.
 * @par Blocking
 * For what the constructor takes.
 * @since 1.0
 */
void *pool_new_object(pool_t *pool);

/** @} */

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif

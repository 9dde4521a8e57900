/**
 * @file
 * @brief asyncpool for coroutines: @ref pool_on_ucontext.
 */
/**
 * @defgroup pool_on_ucontext asyncpool for coroutines
 *
 * A small scheduler on `<ucontext.h>`. Header only.
 *
 *     pool_ucontext_t tasks;
 *     pool_ucontext_init(&tasks, 0);
 *     config.scheduler = &tasks.scheduler;
 *     pool_create_ex(&config, &pool);
 *     for (int i = 0; i < 100; i++)
 *         pool_ucontext_spawn(&tasks, body, &argument[i]);    ... body() calls pool_acquire() ...
 *     pool_ucontext_run(&tasks);
 *     pool_unref(pool);
 *     pool_ucontext_destroy(&tasks);
 *
 * All coroutines of a scheduler, and the flow that calls pool_ucontext_run(), take turns on the thread that
 * made the scheduler. Where pool_acquire() has to wait, the next coroutine that can go on goes on; the
 * thread sleeps only when none can. Other threads may use the pool too: they wait as threads do.
 *
 * When every coroutine waits for a place, without a deadline, and none sleeps, nothing can ever free one: the
 * coroutine that began to wait last gets POOL_ERR_DEADLOCK, and can give back what it holds. A host whose
 * other threads, or loops, give resources back, or whose pools have POOL_F_CREATE_BEHIND, so that threads of the
 * library make what is waited for, says so with pool_ucontext_outside(); then there is no such verdict, and the thread
 * sleeps.
 *
 * The data of an op that the host drives itself on such a pool must be NULL before the op is begun.
 *
 * Stacks have a guard page below them and take memory as they are used. A call of the library needs 40 KB of
 * stack at most, besides what the hooks need. A coroutine must not be left by longjmp, and must not switch
 * inside a C++ catch block.
 *
 * The thread may be cancelled where it sleeps: the flow that waited last is unwound and leaves the pool's line. Other
 * coroutines of the scheduler never go on then, and keep their places in line; other threads are not held up.
 *
 * Programs built with -fsanitize=address or =thread tell the sanitizer of each switch, and so do those that
 * define POOL_UCONTEXT_VALGRIND tell valgrind of each stack. `<ucontext.h>` needs _DEFAULT_SOURCE, which
 * -std=gnu11 implies and -std=c11 does not.
 *
 * Unless its text says otherwise, a function is for the scheduler's thread, may be called from coroutines, from the
 * main flow and from hooks, and never blocks.
 * @{
 */
#ifndef ASYNCPOOL_UCONTEXT_H
#define ASYNCPOOL_UCONTEXT_H

#include <asyncpool/pool.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define POOL__UCONTEXT_TSAN
#elif __has_feature(address_sanitizer)
#define POOL__UCONTEXT_ASAN
#endif
#elif defined(__SANITIZE_THREAD__)
#define POOL__UCONTEXT_TSAN
#elif defined(__SANITIZE_ADDRESS__)
#define POOL__UCONTEXT_ASAN
#endif
#ifdef POOL__UCONTEXT_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#ifdef POOL__UCONTEXT_ASAN
#include <sanitizer/asan_interface.h>
#endif
#ifdef POOL_UCONTEXT_VALGRIND
#include <valgrind/valgrind.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a stack: the default. */
#define POOL_UCONTEXT_STACK (256u << 10)
/** Bytes of a stack: the least that is used. */
#define POOL_UCONTEXT_STACK_MIN (64u << 10)

typedef enum pool__flow_state {
    POOL__FLOW_RUNS,  /* it runs, or is in the line of those that can go on */
    POOL__FLOW_WAITS, /* until it is woken, or its time has come */
    POOL__FLOW_JOINS, /* the main flow, until all coroutines have ended */
    POOL__FLOW_ENDED
} pool__flow_state;

/* A coroutine, or the main flow: the scheduler's. */
typedef struct pool__flow {
    ucontext_t context;
    void (*body)(void *argument);
    void *argument;
    pool__flow_state state;
    bool hopeless;                  /* its wait ended because nothing could end it */
    int64_t until_ns;               /* when its wait ends */
    size_t place;                   /* in the heap of those, from 1; 0: not there */
    struct pool__flow *next, *prev; /* in the line, or among those that wait without a deadline */
    char *stack;                    /* above its guard page; unknown (NULL) for the main flow */
    size_t size;
    const void *bottom; /* for the sanitizers and valgrind */
    size_t bottom_size;
    void *fiber;
    unsigned stack_id;
} pool__flow;

typedef struct pool__flows {
    pool__flow *first, *last;
} pool__flows;

/** @brief A scheduler, in the caller's memory, at one address from pool_ucontext_init() to pool_ucontext_destroy(). */
typedef struct pool_ucontext_s {
    pool_scheduler_t scheduler; /**< for pool_config_t.scheduler */
    /** @cond */
    /* The rest is the scheduler's. */
    pthread_t owner;
    pthread_mutex_t lock;   /* never held while flows switch */
    pthread_cond_t changed; /* the scheduler's thread sleeps on it, and nobody else */
    size_t stack_size;
    pool__flow main;
    pool__flow *current, *previous;
    bool previous_ended;
    pool__flows line, waiting;
    pool__flow **heap; /* those that wait until a time, soonest first */
    size_t timed, capacity;
    size_t alive; /* coroutines that have not ended */
    unsigned outside;
    /** @endcond */
} pool_ucontext_t;

/* ---- lists and heap; under the lock ---- */

static inline void pool__flow_append(pool__flows *list, pool__flow *flow)
{
    flow->next = NULL;
    flow->prev = list->last;
    if (list->last)
        list->last->next = flow;
    else
        list->first = flow;
    list->last = flow;
}

static inline void pool__flow_remove(pool__flows *list, pool__flow *flow)
{
    if (flow->prev)
        flow->prev->next = flow->next;
    else
        list->first = flow->next;
    if (flow->next)
        flow->next->prev = flow->prev;
    else
        list->last = flow->prev;
}

/* Puts a flow where it belongs, beginning at a place that is free. */
static inline void pool__ucontext_sift(pool_ucontext_t *s, size_t place, pool__flow *flow)
{
    for (; place > 1 && s->heap[place / 2 - 1]->until_ns > flow->until_ns; place /= 2) {
        s->heap[place - 1] = s->heap[place / 2 - 1];
        s->heap[place - 1]->place = place;
    }
    for (size_t child; (child = place * 2) <= s->timed; place = child) {
        if (child < s->timed && s->heap[child]->until_ns < s->heap[child - 1]->until_ns)
            child++;
        if (s->heap[child - 1]->until_ns >= flow->until_ns)
            break;
        s->heap[place - 1] = s->heap[child - 1];
        s->heap[place - 1]->place = place;
    }
    s->heap[place - 1] = flow;
    flow->place = place;
}

static inline void pool__ucontext_wake(pool_ucontext_t *s, pool__flow *flow)
{
    if (flow->place) {
        pool__flow *moved = s->heap[--s->timed];
        if (moved != flow)
            pool__ucontext_sift(s, flow->place, moved);
        flow->place = 0;
    } else if (flow->state == POOL__FLOW_WAITS) {
        pool__flow_remove(&s->waiting, flow);
    }
    flow->state = POOL__FLOW_RUNS;
    pool__flow_append(&s->line, flow);
}

/* ---- switching ---- */

static inline int64_t pool__ucontext_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void pool__ucontext_sleep(pool_ucontext_t *s, int64_t until_ns)
{
    struct timespec t;
    t.tv_sec = (time_t)(until_ns / 1000000000);
    t.tv_nsec = (long)(until_ns % 1000000000);
    if (until_ns == INT64_MAX)
        pthread_cond_wait(&s->changed, &s->lock);
    else
        pthread_cond_timedwait(&s->changed, &s->lock, &t);
}

static inline void pool__ucontext_free(pool_ucontext_t *s, pool__flow *flow)
{
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
#ifdef POOL__UCONTEXT_TSAN
    if (flow->fiber)
        __tsan_destroy_fiber(flow->fiber);
#endif
#ifdef POOL__UCONTEXT_ASAN
    /* Its first frames were never left; the next mapping here must not find their marks. */
    __asan_unpoison_memory_region(flow->stack, s->stack_size);
#endif
#ifdef POOL_UCONTEXT_VALGRIND
    VALGRIND_STACK_DEREGISTER(flow->stack_id);
#endif
    munmap(flow->stack - guard, s->stack_size + guard);
    free(flow);
}

/* The thread is cancelled while it sleeps: the flow whose stack it leaves waits no more, and the lock is free. */
static inline void pool__ucontext_cancelled(void *scheduler)
{
    pool_ucontext_t *s = (pool_ucontext_t *)scheduler;
    if (s->current->state == POOL__FLOW_WAITS) {
        pool__ucontext_wake(s, s->current);
        pool__flow_remove(&s->line, s->current);
    } else if (s->current->state == POOL__FLOW_JOINS) {
        s->current->state = POOL__FLOW_RUNS;
    }
    pthread_mutex_unlock(&s->lock);
}

/* The thread sleeps until a flow may go on. Under the lock. */
static inline void pool__ucontext_idle(pool_ucontext_t *s)
{
    pthread_cleanup_push(pool__ucontext_cancelled, s);
    pool__ucontext_sleep(s, s->timed ? s->heap[0]->until_ns : INT64_MAX);
    pthread_cleanup_pop(0);
}

/* The next flow in line, sleeping until there is one. Under the lock. */
static inline pool__flow *pool__ucontext_next(pool_ucontext_t *s)
{
    for (;;) {
        int64_t now = s->timed ? pool__ucontext_now() : 0;
        while (s->timed && s->heap[0]->until_ns <= now)
            pool__ucontext_wake(s, s->heap[0]);
        pool__flow *flow = s->line.first;
        if (flow) {
            pool__flow_remove(&s->line, flow);
            return flow;
        }
        if (s->timed || s->outside) {
            pool__ucontext_idle(s);
        } else {
            s->waiting.last->hopeless = true;
            pool__ucontext_wake(s, s->waiting.last);
        }
    }
}

/* Where a flow goes on after another one has switched to it. */
static inline void pool__ucontext_arrived(pool_ucontext_t *s, void *fake)
{
#ifdef POOL__UCONTEXT_ASAN
    __sanitizer_finish_switch_fiber(fake, &s->previous->bottom, &s->previous->bottom_size);
#else
    (void)fake;
#endif
    if (s->previous_ended)
        pool__ucontext_free(s, s->previous);
}

/* Lets the next flow go on, and returns when it is this one's turn. Gives the lock up. */
static inline void pool__ucontext_switch(pool_ucontext_t *s)
{
    pool__flow *from = s->current, *to = pool__ucontext_next(s);
    void *fake = NULL;
    s->previous = from;
    s->previous_ended = from->state == POOL__FLOW_ENDED; /* others may change the state of one that waits */
    s->current = to;
    pthread_mutex_unlock(&s->lock);
    if (to == from)
        return;
#ifdef POOL__UCONTEXT_ASAN
    __sanitizer_start_switch_fiber(from->state == POOL__FLOW_ENDED ? NULL : &fake, to->bottom, to->bottom_size);
#endif
#ifdef POOL__UCONTEXT_TSAN
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
    swapcontext(&from->context, &to->context);
    pool__ucontext_arrived(s, fake);
}

/* The running flow waits until it is woken, or a time; false: nothing can ever wake it. Gives the lock up. */
static inline bool pool__ucontext_wait(pool_ucontext_t *s, int64_t until_ns)
{
    pool__flow *flow = s->current;
    flow->state = POOL__FLOW_WAITS;
    flow->hopeless = false;
    flow->until_ns = until_ns;
    if (until_ns == INT64_MAX)
        pool__flow_append(&s->waiting, flow);
    else
        pool__ucontext_sift(s, ++s->timed, flow);
    pool__ucontext_switch(s);
    return !flow->hopeless;
}

/* ---- the pool_scheduler_t ---- */

/* op->data: NULL, or s when it was resumed, or the flow that waits, or &s->owner: another thread does. That one sleeps as
 * threads do where there is no scheduler, on the op itself: who wakes the op wakes it, and nobody else. */
static inline bool pool__ucontext_suspend(void *ctx, pool_op_t *op)
{
    pool_ucontext_t *s = (pool_ucontext_t *)ctx;
    bool hopeful = true, resumed, thread = !pthread_equal(s->owner, pthread_self());
    pthread_mutex_lock(&s->lock);
    resumed = op->data == s;
    if (thread) {
        op->data = &s->owner;
    } else if (!resumed) {
        op->data = s->current;
        hopeful = pool__ucontext_wait(s, pool_op_until_ns(op));
        pthread_mutex_lock(&s->lock);
    }
    if (!thread)
        op->data = NULL;
    pthread_mutex_unlock(&s->lock);
    if (thread && !resumed)
        pool_op_wait(op, pool_op_until_ns(op));
    return hopeful;
}

static inline void pool__ucontext_resume(void *ctx, pool_op_t *op)
{
    pool_ucontext_t *s = (pool_ucontext_t *)ctx;
    pthread_mutex_lock(&s->lock);
    if (op->data != &s->owner) {
        pool__flow *flow = op->data == s ? NULL : (pool__flow *)op->data;
        op->data = s;
        if (flow && flow->state == POOL__FLOW_WAITS) {
            pool__ucontext_wake(s, flow);
            pthread_cond_signal(&s->changed);
        }
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- public ---- */

/**
 * @brief Make a scheduler.
 *
 * @param[out] s           the scheduler.
 * @param      stack_size  bytes of stack for each coroutine; 0: POOL_UCONTEXT_STACK. Rounded up to
 *                         whole pages, and to POOL_UCONTEXT_STACK_MIN.
 * @return true; false when memory is short.
 * @par Ownership
 * The scheduler stays the caller's; it must outlive the pools that were made with it.
 * @par Threading
 * The thread on which the coroutines will run.
 * @since 1.0
 */
static inline bool pool_ucontext_init(pool_ucontext_t *s, size_t stack_size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    pthread_condattr_t monotonic;
    memset(s, 0, sizeof *s);
    if (stack_size == 0)
        stack_size = POOL_UCONTEXT_STACK;
    if (stack_size < POOL_UCONTEXT_STACK_MIN)
        stack_size = POOL_UCONTEXT_STACK_MIN;
    s->stack_size = (stack_size + page - 1) / page * page;
    s->scheduler.suspend = pool__ucontext_suspend;
    s->scheduler.resume = pool__ucontext_resume;
    s->scheduler.ctx = s;
    s->owner = pthread_self();
    s->current = &s->main;
    s->capacity = 16;
    s->heap = (pool__flow **)malloc(s->capacity * sizeof *s->heap);
    if (!s->heap)
        return false;
#ifdef POOL__UCONTEXT_TSAN
    s->main.fiber = __tsan_get_current_fiber();
#endif
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return true;
}

/* Where each coroutine begins. The address comes in halves: makecontext() hands on int alone. */
static inline void pool__ucontext_begin(unsigned high, unsigned low)
{
    pool_ucontext_t *s = (pool_ucontext_t *)((uintptr_t)high << 16 << 16 | low);
    pool__ucontext_arrived(s, NULL);
    pool__flow *flow = s->current;
    flow->body(flow->argument);
    pthread_mutex_lock(&s->lock);
    flow->state = POOL__FLOW_ENDED;
    if (--s->alive == 0 && s->main.state == POOL__FLOW_JOINS)
        pool__ucontext_wake(s, &s->main);
    pool__ucontext_switch(s);
}

/* Room in the heap for one flow more, so that waiting needs no memory. */
static inline bool pool__ucontext_reserve(pool_ucontext_t *s)
{
    if (s->alive + 2 <= s->capacity)
        return true;
    pthread_mutex_lock(&s->lock); /* another thread may be waking a flow */
    pool__flow **grown = (pool__flow **)realloc(s->heap, 2 * s->capacity * sizeof *grown);
    if (grown) {
        s->heap = grown;
        s->capacity *= 2;
    }
    pthread_mutex_unlock(&s->lock);
    return grown != NULL;
}

/**
 * @brief Add a coroutine to the end of the line.
 *
 * It begins to run when its turn comes: in pool_ucontext_run(), or when the flow that called this waits.
 *
 * @param s         the scheduler.
 * @param body      what it does; it ends when this returns.
 * @param argument  for body.
 * @return true; false when memory is short.
 * @par Ownership
 * The argument stays the caller's.
 * @since 1.0
 */
static inline bool pool_ucontext_spawn(pool_ucontext_t *s, void (*body)(void *), void *argument)
{
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    pool__flow *flow = (pool__flow *)calloc(1, sizeof *flow);
    if (!flow || !pool__ucontext_reserve(s)) {
        free(flow);
        return false;
    }
    void *memory = mmap(NULL, s->stack_size + guard, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) {
        if (memory != MAP_FAILED)
            munmap(memory, s->stack_size + guard);
        free(flow);
        return false;
    }
    flow->body = body;
    flow->argument = argument;
    flow->stack = (char *)memory + guard;
    flow->bottom = flow->stack;
    flow->bottom_size = s->stack_size;
#ifdef POOL__UCONTEXT_TSAN
    flow->fiber = __tsan_create_fiber(0);
#endif
#ifdef POOL_UCONTEXT_VALGRIND
    flow->stack_id = VALGRIND_STACK_REGISTER(flow->stack, flow->stack + s->stack_size);
#endif
    getcontext(&flow->context);
    flow->context.uc_stack.ss_sp = flow->stack;
    flow->context.uc_stack.ss_size = s->stack_size;
    flow->context.uc_link = NULL;
    makecontext(&flow->context, (void (*)(void))pool__ucontext_begin, 2, (unsigned)((uintptr_t)s >> 16 >> 16),
                (unsigned)(uintptr_t)s);
    pthread_mutex_lock(&s->lock);
    s->alive++;
    pool__flow_append(&s->line, flow);
    pthread_mutex_unlock(&s->lock);
    return true;
}

/**
 * @brief Let the others in line go first.
 *
 * @param s  the scheduler.
 * @par Blocking
 * Until it is this flow's turn again.
 * @since 1.0
 */
static inline void pool_ucontext_yield(pool_ucontext_t *s)
{
    pthread_mutex_lock(&s->lock);
    pool__flow_append(&s->line, s->current);
    pool__ucontext_switch(s);
}

/**
 * @brief Let the others go on for some time.
 *
 * @param s   the scheduler.
 * @param ms  milliseconds; 0 or less: as pool_ucontext_yield().
 * @par Blocking
 * For that time, and until it is this flow's turn again.
 * @since 1.0
 */
static inline void pool_ucontext_sleep(pool_ucontext_t *s, int64_t ms)
{
    if (ms <= 0) {
        pool_ucontext_yield(s);
        return;
    }
    int64_t now = pool__ucontext_now();
    pthread_mutex_lock(&s->lock);
    pool__ucontext_wait(s, ms < (INT64_MAX - now) / 1000000 ? now + ms * 1000000 : INT64_MAX);
}

/**
 * @brief Say that somebody outside may give resources back, or make them.
 *
 * Another thread, a loop, a process, a pool with POOL_F_CREATE_BEHIND: as long as there is one, a coroutine that waits is never told
 * POOL_ERR_DEADLOCK.
 *
 * @param s      the scheduler.
 * @param there  true: there is one more; false: one less.
 * @par Threading
 * Any thread.
 * @since 1.0
 */
static inline void pool_ucontext_outside(pool_ucontext_t *s, bool there)
{
    pthread_mutex_lock(&s->lock);
    s->outside += there ? 1u : -1u;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/**
 * @brief Run the coroutines until all have ended.
 *
 * @param s  the scheduler.
 * @return true when all have ended; false when called from a coroutine.
 * @par Re-entrancy
 * For the main flow; inside a coroutine it returns at once.
 * @par Blocking
 * Until all coroutines have ended.
 * @since 1.0
 */
static inline bool pool_ucontext_run(pool_ucontext_t *s)
{
    if (s->current != &s->main)
        return false;
    if (s->alive == 0)
        return true;
    pthread_mutex_lock(&s->lock);
    s->main.state = POOL__FLOW_JOINS;
    pool__ucontext_switch(s);
    return true;
}

/**
 * @brief End a scheduler whose coroutines have all ended.
 *
 * @param s  the scheduler; its pools are freed already, and no thread waits in one of them.
 * @return true; false when a coroutine has not ended: nothing has changed.
 * @par Ownership
 * The caller's memory may be used again.
 * @par Re-entrancy
 * For the main flow.
 * @since 1.0
 */
static inline bool pool_ucontext_destroy(pool_ucontext_t *s)
{
    if (s->alive > 0)
        return false;
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s->heap);
    s->heap = NULL;
    return true;
}

/** @} */

#ifdef __cplusplus
}
#endif

#endif

/*
 * Coroutines for the tests, on ucontext: stacks of their own, switched by hand, with the sanitizers
 * told about it. All coroutines of a test run on one thread.
 */
#ifndef ASYNCPOOL_COROUTINE_H
#define ASYNCPOOL_COROUTINE_H

#include "check.h"

#include <ucontext.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#elif defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#ifndef CO_STACK
#define CO_STACK (256 << 10)
#endif

typedef struct co {
    ucontext_t context, caller;
    void (*body)(void *);
    void *arg;
    char *stack;
    bool done;
    void *fiber, *caller_fiber; /* for the thread sanitizer */
    const void *caller_stack;   /* for the address sanitizer */
    size_t caller_size;
} co;

static co *co_current;

static inline void co_entered(co *c)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(NULL, &c->caller_stack, &c->caller_size);
#else
    (void)c;
#endif
}

/* Gives the thread back to whoever resumed the running coroutine. */
static inline void co_yield (void)
{
    co *c = co_current;
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(c->caller_fiber, 0);
#elif defined(__SANITIZE_ADDRESS__)
    void *fake;
    __sanitizer_start_switch_fiber(c->done ? NULL : &fake, c->caller_stack, c->caller_size);
#endif
    swapcontext(&c->context, &c->caller);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &c->caller_stack, &c->caller_size);
#endif
}

static void co_main(void)
{
    co *c = co_current;
    co_entered(c);
    c->body(c->arg);
    c->done = true;
    co_yield ();
}

static inline void co_start(co *c, void (*body)(void *), void *arg)
{
    memset(c, 0, sizeof *c);
    c->body = body;
    c->arg = arg;
    c->stack = malloc(CO_STACK);
    CHECK(c->stack != NULL && getcontext(&c->context) == 0);
    c->context.uc_stack.ss_sp = c->stack;
    c->context.uc_stack.ss_size = CO_STACK;
    makecontext(&c->context, co_main, 0);
#if defined(__SANITIZE_THREAD__)
    c->fiber = __tsan_create_fiber(0);
#endif
}

/* Runs a coroutine until it yields or ends; coroutines may resume others. */
static inline void co_resume(co *c)
{
    co *outer = co_current;
    CHECK(!c->done);
    co_current = c;
#if defined(__SANITIZE_THREAD__)
    c->caller_fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(c->fiber, 0);
#elif defined(__SANITIZE_ADDRESS__)
    void *fake;
    __sanitizer_start_switch_fiber(&fake, c->stack, CO_STACK);
#endif
    swapcontext(&c->caller, &c->context);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#endif
    co_current = outer;
    if (c->done) {
#if defined(__SANITIZE_THREAD__)
        __tsan_destroy_fiber(c->fiber);
#endif
        free(c->stack);
        c->stack = NULL;
    }
}

#endif

/* The threads that the library starts for healthchecks, made to fail: this program defines pthread_create(). */
#define _GNU_SOURCE
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/*
 * Those of the library are detached from the beginning, and get no argument. Those of the tests are joined, and
 * those of the Go runtime get one: it ends the process when it cannot start a thread, with or without a pool.
 */
static bool of_library(const pthread_attr_t *attr, const void *arg)
{
    int detached = PTHREAD_CREATE_JOINABLE;
    return !arg && attr && pthread_attr_getdetachstate(attr, &detached) == 0 && detached == PTHREAD_CREATE_DETACHED;
}

/* Not seen by the sanitizers: it runs before they do. */
__attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined"))) int pthread_create(
    pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *), void *arg)
{
    static create_fn *_Atomic real;
    create_fn *create = atomic_load_explicit(&real, memory_order_relaxed);
    if (!create) {
        *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
        atomic_store_explicit(&real, create, memory_order_relaxed);
    }
    if (of_library(attr, arg) && fault_here(FAULT_THREAD))
        return EAGAIN;
    return create(thread, attr, body, arg);
}

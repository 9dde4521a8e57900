/*
 * What stands between the host and the Go runtime.
 *
 * fork: a child inherits the runtime's memory but none of its threads, so a call that needs one of them
 * would hang. A flag set in the child makes every function answer before it enters Go.
 *
 * Stack bounds: when C calls Go on a stack that the runtime has not seen (a fiber, a coroutine), the
 * runtime asks pthread_getattr_np() for the thread's bounds, which for the main thread reads
 * /proc/self/maps every time. The library is linked with --wrap for this symbol, and the wrapper
 * remembers the answer for each thread.
 */
#include "internal.h"

int ap__forked;

static void in_child(void) { ap__forked = 1; }

__attribute__((constructor)) static void guard_fork(void) { pthread_atfork(NULL, NULL, in_child); }

static __thread struct {
    void *address; /* lowest address of the stack */
    size_t size;   /* 0: not known yet */
} own_stack;

int __real_pthread_getattr_np(pthread_t thread, pthread_attr_t *attr);
int __wrap_pthread_getattr_np(pthread_t thread, pthread_attr_t *attr);

int __wrap_pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    bool own = pthread_equal(thread, pthread_self());
    if (own && own_stack.size != 0) {
        int error = pthread_attr_init(attr);
        return error ? error : pthread_attr_setstack(attr, own_stack.address, own_stack.size);
    }
    int error = __real_pthread_getattr_np(thread, attr);
    if (!error && own && pthread_attr_getstack(attr, &own_stack.address, &own_stack.size) != 0)
        own_stack.size = 0;
    return error;
}

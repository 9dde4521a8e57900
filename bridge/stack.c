/*
 * Stack bounds: when C calls Go on a stack that the runtime has not seen (a fiber, a coroutine), the runtime asks
 * pthread_getattr_np() for the thread's bounds, which for the main thread reads /proc/self/maps every time. The
 * library is linked with --wrap for this symbol, and the wrapper remembers the answer for each thread.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

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
    if (error)
        pthread_attr_init(attr); /* they are freed already; the runtime looks at no error and frees them again */
    if (!error && own && pthread_attr_getstack(attr, &own_stack.address, &own_stack.size) != 0)
        own_stack.size = 0;
    return error;
}

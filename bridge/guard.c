/*
 * What stands between the host and the Go runtime.
 *
 * fork: a child inherits the runtime's memory but none of its threads, so a call that needs one of them
 * would hang. A flag set in the child makes every function answer before it enters Go. A fork inside a hook
 * comes back into a call that is under way: whatever calls the host looks at the flag again afterwards, before
 * it takes a lock, since a thread that is not there may have it.
 *
 * Stack bounds: when C calls Go on a stack that the runtime has not seen (a fiber, a coroutine), the
 * runtime asks pthread_getattr_np() for the thread's bounds, which for the main thread reads
 * /proc/self/maps every time. The library is linked with --wrap for this symbol, and the wrapper
 * remembers the answer for each thread.
 *
 * Signals: the runtime gives all its threads the signal mask of the first, which it makes when the library is
 * loaded, so a signal that the host's own threads block (for sigwait, signalfd) would find one of the
 * runtime's that does not. The wrapper of pthread_create() lets them begin with what a host may want
 * blocked.
 */
#include "internal.h"

#include <signal.h>

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
    if (error)
        pthread_attr_init(attr); /* they are freed already; the runtime looks at no error and frees them again */
    if (!error && own && pthread_attr_getstack(attr, &own_stack.address, &own_stack.size) != 0)
        own_stack.size = 0;
    return error;
}

/* All signals but those that a fault of the thread itself raises. */
static void fill(sigset_t *set)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigfillset(set);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(set, own[i]);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *),
                          void *arg);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *),
                          void *arg)
{
    sigset_t blocked, before;
    fill(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int error = __real_pthread_create(thread, attr, body, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

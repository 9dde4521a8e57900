/* The descriptors of a reactor, made to fail: this program defines what makes them and puts them together. Those of
 * libuv are left alone. */
#define _GNU_SOURCE
#include "fault.h"
#include "heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

/* The function behind a definition here, looked up once. */
static void *behind(void *_Atomic *known, const char *name)
{
    void *function = atomic_load_explicit(known, memory_order_relaxed);
    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        atomic_store_explicit(known, function, memory_order_relaxed);
    }
    return function;
}

static bool fails(void *caller, int error)
{
    if (!heap_of_library(caller) || !fault_here(FAULT_DESCRIPTOR))
        return false;
    errno = error;
    return true;
}

int eventfd(unsigned count, int flags)
{
    static void *_Atomic known;
    int (*make)(unsigned, int);
    *(void **)&make = behind(&known, "eventfd");
    return fails(__builtin_return_address(0), EMFILE) ? -1 : make(count, flags);
}

int timerfd_create(int clock, int flags)
{
    static void *_Atomic known;
    int (*make)(int, int);
    *(void **)&make = behind(&known, "timerfd_create");
    return fails(__builtin_return_address(0), EMFILE) ? -1 : make(clock, flags);
}

int epoll_create1(int flags)
{
    static void *_Atomic known;
    int (*make)(int);
    *(void **)&make = behind(&known, "epoll_create1");
    return fails(__builtin_return_address(0), EMFILE) ? -1 : make(flags);
}

int epoll_ctl(int set, int what, int fd, struct epoll_event *event)
{
    static void *_Atomic known;
    int (*control)(int, int, int, struct epoll_event *);
    *(void **)&control = behind(&known, "epoll_ctl");
    return fails(__builtin_return_address(0), ENOMEM) ? -1 : control(set, what, fd, event);
}

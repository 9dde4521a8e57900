/* The descriptor of a reactor, made to fail: this program defines eventfd(). Those of libuv are left alone. */
#define _GNU_SOURCE
#include "fault.h"
#include "heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/eventfd.h>

int eventfd(unsigned count, int flags)
{
    static int (*_Atomic real)(unsigned, int);
    int (*make)(unsigned, int) = atomic_load_explicit(&real, memory_order_relaxed);
    if (!make) {
        *(void **)&make = dlsym(RTLD_NEXT, "eventfd");
        atomic_store_explicit(&real, make, memory_order_relaxed);
    }
    if (heap_of_library(__builtin_return_address(0)) && fault_here(FAULT_DESCRIPTOR)) {
        errno = EMFILE;
        return -1;
    }
    return make(count, flags);
}

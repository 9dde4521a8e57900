/*
 * The headers of the adapters, with what they call in the C library made to fail; for one program, which defines
 * _GNU_SOURCE.
 */
#ifndef ASYNCPOOL_ADAPTER_H
#define ASYNCPOOL_ADAPTER_H

#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static int pages; /* mapped by them, and not unmapped */
static int opened;
static int heap;

static bool short_of(int error)
{
    if (!fault_here(FAULT_ADAPTER))
        return false;
    errno = error;
    return true;
}

static void *any_malloc(size_t size)
{
    if (short_of(ENOMEM))
        return NULL;
    heap++;
    return malloc(size);
}

static void *any_calloc(size_t n, size_t size)
{
    if (short_of(ENOMEM))
        return NULL;
    heap++;
    return calloc(n, size);
}

static void *any_realloc(void *p, size_t size) { return short_of(ENOMEM) ? NULL : realloc(p, size); }

static void any_free(void *p)
{
    heap -= p != NULL;
    free(p);
}

static void *any_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (short_of(ENOMEM))
        return MAP_FAILED;
    pages++;
    return mmap(at, size, protection, flags, fd, offset);
}

static int any_mprotect(void *at, size_t size, int protection)
{
    return short_of(ENOMEM) ? -1 : mprotect(at, size, protection);
}

static int any_munmap(void *at, size_t size)
{
    pages--;
    return munmap(at, size);
}

static int any_epoll_ctl(int set, int what, int fd, struct epoll_event *event)
{
    return what == EPOLL_CTL_ADD && short_of(ENOSPC) ? -1 : epoll_ctl(set, what, fd, event);
}

static void *any_dlopen(const char *path, int flags)
{
    void *library = short_of(ENOENT) ? NULL : dlopen(path, flags);
    opened += library != NULL;
    return library;
}

static void *any_dlsym(void *library, const char *name) { return short_of(ENOENT) ? NULL : dlsym(library, name); }

static int any_dlclose(void *library)
{
    opened--;
    return dlclose(library);
}

#define malloc any_malloc
#define calloc any_calloc
#define realloc any_realloc
#define free any_free
#define mmap any_mmap
#define mprotect any_mprotect
#define munmap any_munmap
#define epoll_ctl any_epoll_ctl
#define dlopen any_dlopen
#define dlsym any_dlsym
#define dlclose any_dlclose
#include <asyncpool/epoll.h>
#include <asyncpool/pool_api.h>
#include <asyncpool/ucontext.h>
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef mmap
#undef mprotect
#undef munmap
#undef epoll_ctl
#undef dlopen
#undef dlsym
#undef dlclose

#endif

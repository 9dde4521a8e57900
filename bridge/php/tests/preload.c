/*
 * What the runtime of a sanitizer needs in programs that were not built for it: in PHP, and in the shells and
 * compilers that its tests call. Loaded before the runtime.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* PHP opens libraries with RTLD_DEEPBIND, which the runtime refuses: such a library would not call it. A PHP that
 * is built for a sanitizer leaves the flag out, too. */
void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(file, mode & ~RTLD_DEEPBIND);
}

static pid_t begun; /* the process that began with this, and is no child of fork() */

/* The leak checker asks this at exit. Shells and compilers free nothing. A child of fork() would wait for ever for the
 * allocator's locks that another thread of its parent had at the fork. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return getpid() != begun || strncmp(program_invocation_short_name, "php", 3) != 0; }

/* Code that is built for ThreadSanitizer starts its runtime before all else. */
__attribute__((weak)) void __tsan_init(void);
__attribute__((constructor)) static void start(void)
{
    begun = getpid();
    if (__tsan_init)
        __tsan_init();
}

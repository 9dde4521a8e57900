/*
 * Loaded before the runtime of a sanitizer into a PHP that was not built for it. PHP opens libraries with
 * RTLD_DEEPBIND, which the runtime refuses, since such a library would not call it. A PHP that is built for a
 * sanitizer leaves the flag out; so does this one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(file, mode & ~RTLD_DEEPBIND);
}

/* The leak checker asks this at exit. Shells and compilers that a test calls inherit it, and free nothing. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return strncmp(program_invocation_short_name, "php", 3) != 0; }

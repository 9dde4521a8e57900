//go:build cover

/*
 * The end of the process, for cover.go. A child of fork() has no Go to call. In the middle of a call that it was
 * forked in, where the rest of the process is not to be counted on, it ends by quick_exit(), and gcov is told.
 */
#include <stdlib.h>
#include <unistd.h>

void apgoCover(void);
void __gcov_dump(void);

static pid_t born;

__attribute__((constructor)) static void begin(void)
{
    born = getpid();
    at_quick_exit(__gcov_dump);
}

__attribute__((destructor)) static void end(void)
{
    if (getpid() == born)
        apgoCover();
}

//go:build cover

/* The end of the process, for cover.go. A child of fork() has no Go to call. */
#include <unistd.h>

void apgoCover(void);

static pid_t born;

__attribute__((constructor)) static void begin(void)
{
    born = getpid();
}

__attribute__((destructor)) static void end(void)
{
    if (getpid() == born)
        apgoCover();
}

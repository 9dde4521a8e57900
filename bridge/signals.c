/*
 * Signals that stay the host's.
 *
 * When the library is loaded the Go runtime takes over five signals. For those of a fault (SIGSEGV, SIGBUS, SIGFPE)
 * it hands on what did not happen in Go. The other two are put back to what the host had: with SIGPIPE taken over, a
 * host that wants to die of it, as every filter does, would not; and one that ignores it would start its programs
 * with it not ignored. SIGURG is what the runtime stops its goroutines with, and a handler of the host for urgent
 * data would not be called any more; the library is linked so that the runtime does not use it (abi/build.sh).
 */
#include <signal.h>
#include <stddef.h>

static const int numbers[] = {SIGPIPE, SIGURG};

enum { SIGNALS = sizeof numbers / sizeof *numbers };

static struct sigaction before[SIGNALS];

/* Before the runtime's constructor, which has no priority, */
__attribute__((constructor(101))) static void remember(void)
{
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(numbers[i], NULL, &before[i]);
}

/* and after it, since the runtime is the first object of the library. */
__attribute__((constructor)) static void put_back(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        if (before[i].sa_flags & SA_SIGINFO || (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN))
            before[i].sa_flags |= SA_ONSTACK; /* as the runtime does with all handlers that it finds */
        sigaction(numbers[i], &before[i], NULL);
    }
}

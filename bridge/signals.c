/*
 * Signals that stay the host's.
 *
 * When the library is loaded the Go runtime takes over five signals. For those of a fault (SIGSEGV, SIGBUS, SIGFPE)
 * it hands on what did not happen in Go. The other two are put back to what the host had: with SIGPIPE taken over, a
 * host that wants to die of it, as every filter does, would not; and one that ignores it would start its programs
 * with it not ignored. SIGURG is what the runtime stops its goroutines with, and a handler of the host for urgent
 * data would not be called any more; the library is linked so that the runtime does not use it (abi/build.sh).
 *
 * The runtime gives all its threads the signal mask of the first, which it makes when the library is loaded, so a
 * signal that the host's own threads block (for sigwait, signalfd) would find one of the runtime's that does not. The
 * library is linked with --wrap for pthread_create(), and the wrapper lets the threads of the library, the runtime's
 * included, begin with what a host may want blocked.
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* ---- what the runtime takes over ---- */

static const int numbers[] = {SIGPIPE, SIGURG};

enum { SIGNALS = sizeof numbers / sizeof *numbers };

static struct sigaction hosts[SIGNALS];

/* It runs before the runtime's constructor, which has no priority. */
__attribute__((constructor(101))) static void remember(void)
{
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(numbers[i], NULL, &hosts[i]);
}

/* It runs after the runtime's constructor, since the runtime is the first object of the library. */
__attribute__((constructor)) static void put_back(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        if (hosts[i].sa_flags & SA_SIGINFO || (hosts[i].sa_handler != SIG_DFL && hosts[i].sa_handler != SIG_IGN))
            hosts[i].sa_flags |= SA_ONSTACK; /* as the runtime does with all handlers that it finds */
        sigaction(numbers[i], &hosts[i], NULL);
    }
}

/* ---- what threads of the library begin with ---- */

/* All signals but those that a fault of the thread itself raises. */
static void fill(sigset_t *set)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigfillset(set);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(set, own[i]);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *), void *arg);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *), void *arg)
{
    sigset_t blocked, before;
    fill(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int error = __real_pthread_create(thread, attr, body, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

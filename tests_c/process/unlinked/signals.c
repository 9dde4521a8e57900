/*
 * What the host chose for its signals, before or after it loaded the library, is what happens.
 *
 *     signals LIBRARY CASE [SECOND]
 *
 * SECOND is another Go library that is loaded as well, before this one. Each case shows P17.
 */
#include "cases.h"
#include "signals_host.h"

#include <sys/signalfd.h>
#include <sys/wait.h>

static int tried;

static void die_by_it(void)
{
    load();
    raise(tried);
}

static void defaults_kill(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGPROF, SIGABRT};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tried = numbers[i];
        int status = in_a_child(die_by_it);
        REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
    }
}

static void raise_and_count(void)
{
    int before = calls;
    REQUIRE(raise(tried) == 0);
    REQUIRE(calls == before + 1);
}

static void handlers_are_called(void)
{
    static const int numbers[] = {
        SIGCHLD, SIGURG, SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGALRM, SIGPROF, SIGHUP, SIGIO, SIGWINCH};
    enum { N = sizeof numbers / sizeof *numbers };
    for (int i = 0; i < N; i++)
        handle(numbers[i], count, i % 2 ? SA_RESTART : 0);
    load();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            tried = numbers[i];
            everywhere(raise_and_count);
            handle(tried, count, SA_ONSTACK); /* for the second round: after it was loaded */
        }
    }
}

static void *make_pools(void *arg)
{
    for (int i = 0; i < 1000; i++) {
        pool_t *other = api->create_internal(plain_make, plain_end, plain_pass, pass, pass, 1, 64, 1);
        REQUIRE(other != NULL);
        use();
        api->unref(other);
    }
    return arg;
}

/* The runtime would stop its threads with it, and those of the host that are inside. */
static void nobody_sends_urgent_signals(void)
{
    load();
    handle(SIGURG, count, SA_ONSTACK);
    plain_at_once(4, make_pools, NULL);
    REQUIRE(calls == 0);
}

static void blocked_signals_are_waited_for(void)
{
    sigset_t set;
    struct signalfd_siginfo info;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    REQUIRE(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    load();
    int fd = signalfd(-1, &set, 0);
    for (int i = 0; i < 100; i++) {
        use();
        REQUIRE(kill(getpid(), SIGUSR1) == 0 && sigwait(&set, &number) == 0 && number == SIGUSR1);
        REQUIRE(kill(getpid(), SIGTERM) == 0);
        REQUIRE(read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGTERM);
    }
}

static const unlinked_case cases[] = {
    {"a_broken_pipe_kills", a_broken_pipe_kills},
    {"a_broken_pipe_is_ignored", a_broken_pipe_is_ignored},
    {"a_broken_pipe_is_handled", a_broken_pipe_is_handled},
    {"defaults_kill", defaults_kill},
    {"handlers_are_called", handlers_are_called},
    {"nobody_sends_urgent_signals", nobody_sends_urgent_signals},
    {"blocked_signals_are_waited_for", blocked_signals_are_waited_for},
    {"faults_are_handled", faults_are_handled},
    {"faults_kill", faults_kill},
    {"signal_stacks_are_kept", signal_stacks_are_kept},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    library_path = argv[1];
    second_path = argc > 3 ? argv[3] : NULL;
    return cases_run(cases, argc, argv);
}

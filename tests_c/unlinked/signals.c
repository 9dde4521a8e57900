/*
 * What the host chose for its signals, before or after it loaded the library, is what happens.
 *
 *     signals LIBRARY CASE [SECOND]
 *
 * SECOND is another Go library that is loaded as well, before this one.
 */
#include "plain.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

static const char *library_path, *second_path;
static const pool_api_t *api;
static pool_t *pool;
static void (*_Atomic in_hook)(void); /* called by a hook, once */
static volatile sig_atomic_t calls;

static bool pass(pool_t *self, void *resource)
{
    (void)self, (void)resource;
    if (in_hook)
        atomic_exchange(&in_hook, NULL)();
    return true;
}

static bool healthy(pool_t *self, void *resource)
{
    (void)self, (void)resource;
    return true;
}

static void use(void)
{
    void *r;
    REQUIRE(api->acquire(pool, &r, 0) == POOL_OK);
    REQUIRE(api->release(pool, r) == POOL_OK);
}

/* From here on this thread has been in Go, and threads of the library run healthchecks. */
static void load(void)
{
    if (second_path)
        plain_open(second_path);
    api = plain_table(plain_open(library_path));
    pool = api->create_internal(plain_make, plain_end, healthy, pass, pass, 2, 2, 1);
    REQUIRE(pool != NULL);
    use();
}

static void count(int number)
{
    (void)number;
    calls++;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    REQUIRE(sigaction(number, &action, NULL) == 0);
}

static void *on_a_thread_body(void *body)
{
    (*(void (**)(void))body)();
    return NULL;
}

static void on_a_thread(void (*body)(void))
{
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, on_a_thread_body, &body) == 0);
    REQUIRE(pthread_join(thread, NULL) == 0);
}

/* Runs it on this thread, inside a hook, and on a thread that has never been in Go. */
static void everywhere(void (*body)(void))
{
    body();
    in_hook = body;
    use();
    REQUIRE(in_hook == NULL);
    on_a_thread(body);
}

/* Does it in a process of its own, which loads the library for itself; answers how that ended. */
static int in_a_child(void (*body)(void))
{
    int status;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(PLAIN_WATCHDOG_S);
        body();
        _exit(0);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}

/* ---- SIGPIPE ---- */

static int broken_write(void)
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    int error = write(ends[1], "x", 1) < 0 ? errno : 0;
    close(ends[1]);
    return error;
}

static void write_it(void) { REQUIRE(broken_write() == EPIPE); }

static void die_on_this_thread(void)
{
    load();
    write_it();
}

static void die_in_a_hook(void)
{
    load();
    in_hook = write_it;
    use();
}

static void die_on_a_thread(void)
{
    load();
    on_a_thread(write_it);
}

static void a_broken_pipe_kills(void)
{
    static void (*const ways[])(void) = {die_on_this_thread, die_in_a_hook, die_on_a_thread};
    for (int i = 0; i < 3; i++) {
        int status = in_a_child(ways[i]);
        REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    }
}

static void a_broken_pipe_is_ignored(void)
{
    struct sigaction now;
    signal(SIGPIPE, SIG_IGN);
    load();
    everywhere(write_it);
    REQUIRE(sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_IGN); /* programs inherit that */
}

static void write_and_count(void)
{
    int before = calls;
    write_it();
    REQUIRE(calls == before + 1);
}

static void a_broken_pipe_is_handled(void)
{
    handle(SIGPIPE, count, 0);
    load();
    everywhere(write_and_count);
    handle(SIGPIPE, count, SA_ONSTACK);
    everywhere(write_and_count);
}

/* ---- the others ---- */

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
    static const int numbers[] = {SIGCHLD, SIGURG,  SIGUSR1, SIGUSR2, SIGTERM, SIGINT,
                                  SIGALRM, SIGPROF, SIGHUP,  SIGIO,   SIGWINCH};
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
        pool_t *other = api->create_internal(plain_make, plain_end, healthy, pass, pass, 1, 64, 1);
        REQUIRE(other != NULL);
        use();
        api->unref(other);
    }
    return arg;
}

/* The runtime would stop its threads with it, and those of the host that are inside. */
static void nobody_sends_urgent_signals(void)
{
    pthread_t threads[4];
    load();
    handle(SIGURG, count, SA_ONSTACK);
    for (int i = 0; i < 4; i++)
        REQUIRE(pthread_create(&threads[i], NULL, make_pools, NULL) == 0);
    for (int i = 0; i < 4; i++)
        REQUIRE(pthread_join(threads[i], NULL) == 0);
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

/* ---- faults: a host that finds out by trying, as collectors and interpreters do ---- */

static sigjmp_buf back;
static volatile char *const nowhere = (char *)8;

static void jump_back(int number)
{
    calls++;
    siglongjmp(back, number);
}

static void fault(void)
{
    for (volatile int i = 0; i < 100; i++) {
        int before = calls;
        if (sigsetjmp(back, 1) == 0) {
            *nowhere = 1;
            REQUIRE(!"a fault");
        }
        REQUIRE(calls == before + 1);
    }
}

static void faults_are_handled(void)
{
    handle(SIGSEGV, jump_back, 0);
    load();
    everywhere(fault);
    use();
    handle(SIGSEGV, jump_back, SA_ONSTACK);
    everywhere(fault);
    use();
}

static void die_by_a_fault(void)
{
    handle(SIGSEGV, SIG_DFL, 0); /* a sanitizer has its own */
    load();
    *nowhere = 1;
}

static void fault_once(void) { *nowhere = 1; }

static void die_by_a_fault_in_a_hook(void)
{
    handle(SIGSEGV, SIG_DFL, 0);
    load();
    in_hook = fault_once;
    use();
}

static void faults_kill(void)
{
    static void (*const ways[])(void) = {die_by_a_fault, die_by_a_fault_in_a_hook};
    for (int i = 0; i < 2; i++) {
        int status = in_a_child(ways[i]);
        REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    }
}

/* ---- the thread's own signal stack ---- */

static char own_stack[64 << 10];
static volatile bool was_on_it;

static void look_where(int number)
{
    char here = 0;
    (void)number;
    was_on_it = &here >= own_stack && &here < own_stack + sizeof own_stack;
}

static void keep_stack(void)
{
    stack_t given = {.ss_sp = own_stack, .ss_size = sizeof own_stack}, now, none = {.ss_flags = SS_DISABLE};
    REQUIRE(sigaltstack(&given, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        use();
        REQUIRE(sigaltstack(NULL, &now) == 0 && now.ss_sp == own_stack && now.ss_size == sizeof own_stack);
        was_on_it = false;
        raise(SIGUSR1);
        REQUIRE(was_on_it);
    }
    REQUIRE(sigaltstack(&none, NULL) == 0);
    use();
}

static void signal_stacks_are_kept(void)
{
    handle(SIGUSR1, look_where, SA_ONSTACK);
    load();
    on_a_thread(keep_stack); /* whose first call comes after it has the stack */
    keep_stack();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
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
};

int main(int argc, char **argv)
{
    alarm(PLAIN_WATCHDOG_S);
    library_path = argc > 2 ? argv[1] : NULL;
    second_path = argc > 3 ? argv[3] : NULL;
    for (size_t i = 0; argc > 2 && i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].name, argv[2]) == 0) {
            cases[i].run();
            return 0;
        }
    }
    fprintf(stderr, "usage: %s LIBRARY CASE [SECOND]\n", argv[0]);
    return 2;
}

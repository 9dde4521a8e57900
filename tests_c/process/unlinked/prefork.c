/*
 * A prefork server that starts a new worker whenever one has ended, as its SIGCHLD handler tells it.
 *
 *     prefork LIBRARY CASE
 *
 * Where the master has loaded the library, and is at work with it, a worker is answered POOL_ERR_FORKED whatever it
 * calls; where each worker loads it for itself it works, however often workers come and go.
 * Each case shows E1.
 */
#define _GNU_SOURCE /* pipe2() */
#include "cases.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { WORKERS = 4, STARTS = 48, THREADS = 3, JOBS = 200, CODE = 42 };

/* The leak checker asks this at exit. A worker lacks the threads of its master. */
int __lsan_is_turned_off(void);
static pid_t master;
int __lsan_is_turned_off(void) { return getpid() != master; }

static const char *library_path;
static const pool_api_t *api;
static pool_t *pool;
static void *held;

static void load(void)
{
    api = plain_table(plain_open(library_path));
    pool = api->create_internal(plain_make, plain_end, plain_pass, plain_pass, plain_pass, 1, 2, 1);
    REQUIRE(pool != NULL);
}

static void *borrow(void *arg)
{
    void *r;
    for (int i = 0; i < JOBS; i++) {
        REQUIRE(api->acquire(pool, &r, 0) == POOL_OK);
        REQUIRE(api->release(pool, r) == POOL_OK);
    }
    return arg;
}

/* ---- workers ---- */

static void work_for_itself(void)
{
    load();
    plain_at_once(THREADS, borrow, NULL);
    REQUIRE(api->close(pool) == POOL_OK);
    api->unref(pool);
}

static void end_in_the_middle(void)
{
    pthread_t thread;
    load();
    REQUIRE(pthread_create(&thread, NULL, borrow, NULL) == 0);
    borrow(NULL);
    kill(getpid(), SIGKILL);
}

static void be_refused(void)
{
    void *r;
    pool_snapshot_t s = {.struct_size = sizeof s};
    for (int i = 0; i < 2; i++) {
        REQUIRE(api->acquire(pool, &r, 0) == POOL_ERR_FORKED);
        REQUIRE(api->try_acquire(pool, &r) == POOL_ERR_FORKED);
        REQUIRE(api->release(pool, held) == POOL_ERR_FORKED);
        REQUIRE(api->snapshot(pool, &s) == POOL_ERR_FORKED);
        REQUIRE(api->deactivate(pool) == POOL_ERR_FORKED);
        REQUIRE(api->create_internal(plain_make, NULL, NULL, NULL, NULL, 1, 1, 0) == NULL);
        REQUIRE(api->last_error(NULL, NULL, 0) == POOL_ERR_FORKED);
        REQUIRE(api->close(pool) == POOL_ERR_FORKED);
        plain_table(plain_open(library_path)); /* to open it again does not help */
    }
    api->unref(pool);
}

/* ---- the master ---- */

/* The handler may run on any thread, also on one of the Go runtime, which blocks no SIGCHLD: so it does not
 * wake the master, but writes. */
static int ended[2];
static void (*work)(void);
static bool killed; /* they end by SIGKILL */

static void child_ended(int number)
{
    int saved = errno;
    (void)number;
    (void)!write(ended[1], "", 1);
    errno = saved;
}

static void start_worker(void)
{
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(PLAIN_WATCHDOG_S);
        signal(SIGCHLD, SIG_DFL);
        work();
        exit(CODE);
    }
}

/* How many have ended since the last time. */
static int reap(void)
{
    int status, n = 0;
    while (waitpid(-1, &status, WNOHANG) > 0) {
        if (killed ? !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL
                   : !WIFEXITED(status) || WEXITSTATUS(status) != CODE) {
            fprintf(stderr, "a worker ended with status %#x\n", status);
            exit(1);
        }
        n++;
    }
    return n;
}

static void serve(void (*worker)(void))
{
    struct sigaction action = {.sa_handler = child_ended, .sa_flags = SA_RESTART | SA_NOCLDSTOP | SA_ONSTACK};
    int started = 0, running = 0;
    char ends[STARTS];
    struct pollfd any = {.events = POLLIN};
    work = worker;
    REQUIRE(pipe2(ended, O_CLOEXEC) == 0);
    any.fd = ended[0];
    REQUIRE(sigaction(SIGCHLD, &action, NULL) == 0);
    while (started < STARTS || running > 0) {
        for (; running < WORKERS && started < STARTS; started++, running++)
            start_worker();
        int ready = poll(&any, 1, -1); /* in read() the thread sanitizer would hold the handler back */
        REQUIRE(ready > 0 || errno == EINTR);
        if (ready > 0)
            REQUIRE(read(ended[0], ends, sizeof ends) > 0);
        running -= reap();
    }
}

static void workers_load_it_themselves(void)
{
    serve(work_for_itself);
    work_for_itself(); /* and at last the master does */
}

static void workers_that_load_it_are_killed(void)
{
    killed = true;
    serve(end_in_the_middle);
}

static atomic_bool stop;

static void *go_on(void *arg)
{
    while (!stop)
        borrow(NULL);
    return arg;
}

static void the_master_has_loaded_it(void)
{
    pthread_t threads[2];
    load();
    REQUIRE(api->acquire(pool, &held, 0) == POOL_OK);
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&threads[i], NULL, go_on, NULL) == 0);
    serve(be_refused);
    stop = true;
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_join(threads[i], NULL) == 0);
    REQUIRE(api->release(pool, held) == POOL_OK);
    REQUIRE(api->close(pool) == POOL_OK);
    api->unref(pool);
}

static const unlinked_case cases[] = {
    {"workers_load_it_themselves", workers_load_it_themselves},
    {"workers_that_load_it_are_killed", workers_that_load_it_are_killed},
    {"the_master_has_loaded_it", the_master_has_loaded_it},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    library_path = argv[1];
    master = getpid();
    return cases_run(cases, argc, argv);
}

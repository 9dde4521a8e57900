/*
 * The process ends while everybody is somewhere in the library: it ends at once and as it was told to.
 *
 *     exits LIBRARY CASE
 *
 * Each case is done by a child that loads the library for itself; the parent looks at how it ended.
 */
#include "plain.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum { CODE = 42 };

static const char *library_path;
static const pool_api_t *api;
static pool_status_t (*acquire_async)(pool_t *, pool_op_t *, int64_t, pool_acquired_fn, void *);
static pool_status_t (*dispatch)(pool_t *);
static pool_t *pool;    /* no hook of it ends */
static pool_t *sound;   /* with healthchecks */
static pool_t *crowded; /* its one place is lent */
static void (*_Atomic at_hook)(void);

static void block(void)
{
    for (;;)
        pause();
}

static bool hook(void)
{
    void (*there)(void) = at_hook;
    if (there)
        there();
    return true;
}

static bool make(pool_t *self, void **resource) { return plain_make(self, resource) && hook(); }
static bool pass(pool_t *self, void *resource) { return (void)self, (void)resource, hook(); }
static bool healthy(pool_t *self, void *resource) { return (void)self, (void)resource, true; }

static void load(void)
{
    void *library = plain_open(library_path);
    api = plain_table(library);
    *(void **)&acquire_async = plain_find(library, "pool_acquire_async");
    *(void **)&dispatch = plain_find(library, "pool_dispatch");
    sound = api->create_internal(plain_make, plain_end, healthy, healthy, healthy, 2, 4, 1);
    REQUIRE(sound != NULL);
}

static void *call(void *body)
{
    (*(void (**)(void))body)();
    return NULL;
}

static void *borrow(void *from)
{
    void *r;
    api->acquire(from, &r, 0);
    return NULL;
}

static void *work(void *with)
{
    void *r;
    for (;;)
        if (api->acquire(with, &r, 0) == POOL_OK)
            api->release(with, r);
    return NULL;
}

static void start(void *(*body)(void *), void *arg)
{
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, body, arg) == 0);
    pthread_detach(thread);
}

static pool_snapshot_t counts(pool_t *of)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    REQUIRE(api->snapshot(of, &s) == POOL_OK);
    return s;
}

/* One holds, three wait, one is inside a factory, one thread of the library inside a healthcheck, two work. */
static void fill(void)
{
    load();
    crowded = api->create_internal(plain_make, plain_end, NULL, NULL, NULL, 0, 1, 0);
    pool = api->create_internal(make, plain_end, pass, NULL, NULL, 1, 4, 1);
    REQUIRE(crowded && pool);
    borrow(crowded);
    for (int i = 0; i < 3; i++)
        start(borrow, crowded);
    at_hook = block;
    while (counts(pool).active == 0)
        sched_yield();
    start(borrow, pool);
    start(work, api->ref(sound)); /* its own, since it never ends */
    start(work, api->ref(sound));
    while (counts(crowded).waiting < 3 || counts(pool).active < 2)
        sched_yield();
}

/* ---- ways ---- */

static int main_returns(void)
{
    fill();
    return CODE;
}

static void end(void) { exit(CODE); }
static void end_at_once(void) { _exit(CODE); }

static int a_thread_exits(void)
{
    static void (*body)(void) = end;
    fill();
    start(call, &body);
    borrow(crowded); /* main waits for ever */
    return 1;
}

static int main_exits_at_once(void)
{
    fill();
    end_at_once();
    return 1;
}

static int exit_in(pool_t *(*create)(void), void (*way)(void))
{
    void *r;
    fill();
    at_hook = way;
    pool_t *other = create();
    REQUIRE(other != NULL);
    api->acquire(other, &r, 0);
    api->release(other, r);
    for (;;) /* it is a healthcheck, then */
        pause();
}

static pool_t *with_factory(void) { return api->create_internal(make, plain_end, NULL, NULL, NULL, 0, 1, 0); }
static pool_t *with_fill(void) { return api->create_internal(make, plain_end, NULL, NULL, NULL, 1, 1, 0); }
static pool_t *with_acquire(void) { return api->create_internal(plain_make, plain_end, NULL, pass, NULL, 1, 1, 0); }
static pool_t *with_release(void) { return api->create_internal(plain_make, plain_end, NULL, NULL, pass, 1, 1, 0); }
static pool_t *with_check(void) { return api->create_internal(plain_make, plain_end, pass, NULL, NULL, 1, 1, 1); }

static int exit_in_a_factory(void) { return exit_in(with_factory, end); }
static int exit_in_a_creation(void) { return exit_in(with_fill, end); }
static int exit_in_before_acquire(void) { return exit_in(with_acquire, end); }
static int exit_in_before_release(void) { return exit_in(with_release, end); }
static int exit_in_a_healthcheck(void) { return exit_in(with_check, end); }
static int end_at_once_in_a_healthcheck(void) { return exit_in(with_check, end_at_once); }

static void end_when_told(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)status, (void)resource, (void)data;
    end();
}

static int exit_in_a_callback(void)
{
    pool_op_t op;
    fill();
    REQUIRE(acquire_async(sound, &op, 0, end_when_told, NULL) == POOL_PENDING);
    for (;;)
        dispatch(sound);
}

/* ---- handlers that use the library ---- */

static void use(pool_t *of)
{
    void *r;
    REQUIRE(api->acquire(of, &r, 1000) == POOL_OK);
    REQUIRE(api->release(of, r) == POOL_OK);
    pool_t *late = api->create_internal(plain_make, plain_end, healthy, healthy, NULL, 1, 1, 1);
    REQUIRE(late != NULL);
    REQUIRE(api->acquire(late, &r, 1000) == POOL_OK);
    REQUIRE(api->close(late) == POOL_OK);
    REQUIRE(api->release(late, r) == POOL_OK);
    api->unref(late);
}

static bool last;

static void first_handler(void) /* registered before the library was loaded: comes last */
{
    REQUIRE(last);
    REQUIRE(api->close(sound) == POOL_OK);
    api->unref(sound);
}

static void second_handler(void)
{
    REQUIRE(api->acquire(crowded, &(void *){NULL}, 1) == POOL_ERR_TIMEOUT);
    use(sound);
    REQUIRE(api->close(crowded) == POOL_OK);
    api->unref(crowded);
    last = true;
}

static int handlers_use_the_library(void)
{
    atexit(first_handler);
    fill();
    atexit(second_handler);
    return CODE;
}

static int handlers_use_it_after_an_exit_in_a_healthcheck(void)
{
    atexit(first_handler);
    atexit(second_handler);
    return exit_in_a_healthcheck();
}

static void check_it_ran(void) { _exit(last ? CODE : 1); }

static int quick_exit_runs_its_handlers(void)
{
    fill();
    at_quick_exit(check_it_ran);
    at_quick_exit(second_handler);
    quick_exit(1);
}

/* Runs after all handlers of the program. */
__attribute__((destructor)) static void at_the_very_end(void)
{
    if (api && at_hook == end_at_once) {
        use(sound);
        _exit(CODE);
    }
}

static int destructor_functions_use_the_library(void)
{
    fill();
    at_hook = end_at_once;
    return 1;
}

/* ---- otherwise ---- */

static int abort_kills(void)
{
    fill();
    abort();
}

static int a_signal_kills(void)
{
    fill();
    raise(SIGTERM);
    return 1;
}

static void *end_last(void *arg)
{
    char state = 0;
    while (state != 'Z') { /* until main is gone */
        FILE *stat = fopen("/proc/self/stat", "r");
        REQUIRE(stat && fscanf(stat, "%*d %*s %c", &state) == 1);
        fclose(stat);
    }
    use(sound);
    exit(CODE);
    return arg;
}

static int main_ends_as_a_thread(void)
{
    fill();
    start(end_last, NULL);
    pthread_exit(NULL);
}

static const struct {
    const char *name;
    int (*run)(void);
    int signal; /* 0: it ends with CODE */
} cases[] = {
    {"main_returns", main_returns, 0},
    {"a_thread_exits", a_thread_exits, 0},
    {"main_exits_at_once", main_exits_at_once, 0},
    {"exit_in_a_factory", exit_in_a_factory, 0},
    {"exit_in_a_creation", exit_in_a_creation, 0},
    {"exit_in_before_acquire", exit_in_before_acquire, 0},
    {"exit_in_before_release", exit_in_before_release, 0},
    {"exit_in_a_healthcheck", exit_in_a_healthcheck, 0},
    {"end_at_once_in_a_healthcheck", end_at_once_in_a_healthcheck, 0},
    {"exit_in_a_callback", exit_in_a_callback, 0},
    {"handlers_use_the_library", handlers_use_the_library, 0},
    {"handlers_use_it_after_an_exit_in_a_healthcheck", handlers_use_it_after_an_exit_in_a_healthcheck, 0},
    {"quick_exit_runs_its_handlers", quick_exit_runs_its_handlers, 0},
    {"destructor_functions_use_the_library", destructor_functions_use_the_library, 0},
    {"abort_kills", abort_kills, SIGABRT},
    {"a_signal_kills", a_signal_kills, SIGTERM},
    {"main_ends_as_a_thread", main_ends_as_a_thread, 0},
};

int main(int argc, char **argv)
{
    size_t i = 0, n = sizeof cases / sizeof *cases;
    while (argc == 3 && i < n && strcmp(cases[i].name, argv[2]) != 0)
        i++;
    if (argc != 3 || i == n) {
        fprintf(stderr, "usage: %s LIBRARY CASE\n", argv[0]);
        return 2;
    }
    library_path = argv[1];
    for (int round = 0; round < 3; round++) {
        int status;
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            alarm(PLAIN_WATCHDOG_S);
            return cases[i].run();
        }
        REQUIRE(waitpid(child, &status, 0) == child);
        if (cases[i].signal ? !WIFSIGNALED(status) || WTERMSIG(status) != cases[i].signal
                            : !WIFEXITED(status) || WEXITSTATUS(status) != CODE) {
            fprintf(stderr, "%s ended with status %#x\n", cases[i].name, status);
            return 1;
        }
    }
    return 0;
}

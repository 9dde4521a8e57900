/*
 * The process ends while everybody is somewhere in the library: it ends at once and as it was told to.
 *
 *     exits LIBRARY CASE
 *
 * Each case is done by a child that loads the library for itself; the parent looks at how it ended.
 * Each case shows P18.
 */
#include "exits_crowd.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* ---- ways ---- */

static int main_returns(void)
{
    fill();
    return CODE;
}

static void end(void) { exit(CODE); }
static void end_at_once(void) { _exit(CODE); }

static void *call(void *body)
{
    (*(void (**)(void))body)();
    return NULL;
}

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

/* A pool that has these hooks in particular. */
static pool_t *with(pool_factory_fn factory, pool_healthcheck_fn check, pool_before_acquire_fn before,
                    pool_before_release_fn after, uint32_t min)
{
    return api->create_internal(factory, plain_end, check, before, after, min, 1, check != NULL);
}

static pool_t *with_factory(void) { return with(make, NULL, NULL, NULL, 0); }
static pool_t *with_fill(void) { return with(make, NULL, NULL, NULL, 1); }
static pool_t *with_acquire(void) { return with(plain_make, NULL, pass, NULL, 1); }
static pool_t *with_release(void) { return with(plain_make, NULL, NULL, pass, 1); }
static pool_t *with_check(void) { return with(plain_make, pass, NULL, NULL, 1); }

static int exit_in_a_factory(void) { return exit_in(with_factory, end); }
static int exit_in_a_creation(void) { return exit_in(with_fill, end); }
static int exit_in_before_acquire(void) { return exit_in(with_acquire, end); }
static int exit_in_before_release(void) { return exit_in(with_release, end); }
int exit_in_a_healthcheck(void) { return exit_in(with_check, end); }
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
    /* Shows E4. */
    {"exit_in_a_healthcheck", exit_in_a_healthcheck, 0},
    /* Shows E4. */
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

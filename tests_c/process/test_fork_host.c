/* What a host does around fork(): handlers of its own, threads on their first call, other programs.
 * Each case shows E1. */
#include "forked.h"

#include <signal.h>

/* ---- handlers of pthread_atfork() ---- */

static atomic_int prepared, returned;
static bool use_it;

static void prepare(void)
{
    if (!use_it)
        return;
    fx_give(forked.pool, fx_take(forked.pool));
    prepared++;
}

static void in_parent(void)
{
    if (!use_it)
        return;
    fx_give(forked.pool, fx_take(forked.pool));
    returned++;
}

static void in_child(void)
{
    if (use_it)
        forked_call_everything();
}

static void nothing(void) {}

TEST(fork_handlers_use_the_pool)
{
    CHECK_INT(pthread_atfork(prepare, in_parent, in_child), 0);
    forked_prepare(1);
    use_it = true;
    for (int i = 0; i < 5; i++)
        forked_child(nothing);
    use_it = false;
    CHECK_INT(prepared, 5);
    CHECK_INT(returned, 5);
    forked_finish();
}

/* ---- threads that call the library for the first time ---- */

static atomic_bool stop;

static void *first_call(void *pool)
{
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    return NULL;
}

static void *start_threads(void *pool)
{
    while (!atomic_load(&stop)) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            threads[i] = check_thread(first_call, pool);
        for (int i = 0; i < 4; i++)
            check_join(threads[i]);
    }
    return NULL;
}

/* Shows P15. */
TEST(forks_while_threads_call_for_the_first_time)
{
    fx.quiet = true;
    forked_prepare(0);
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 4);
    pthread_t starter = check_thread(start_threads, pool);
    for (int i = 0; i < 20 && (i == 0 || check_time_left()); i++)
        forked_child(forked_call_everything);
    stop = true;
    check_join(starter);
    pool_unref(pool);
    forked_finish();
}

static void fork_in_a_creation(void)
{
    forked_call_everything();
    CHECK_PTR(fx_try_pool(0, 1, 1), NULL);
}

/* ---- other programs ---- */

static fx_resource *held;
static fx_caller waiter;

static void run_programs(void)
{
    char line[8] = "", *argv[] = {"sh", "-c", "exit 42", NULL};
    FILE *out = popen("echo sound", "r");
    CHECK(out && fgets(line, sizeof line, out));
    CHECK_STR(line, "sound\n");
    CHECK_INT(pclose(out), 0);
    CHECK_INT(system("exit 3"), 3 << 8);
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], argv);
        _exit(1);
    }
    forked_wait(child);
    child = vfork();
    if (child == 0) {
        execvp(argv[0], argv);
        _exit(1);
    }
    forked_wait(child);
}

/* Signals that the library's threads block are not blocked in what is executed. */
static void check_mask(void)
{
    sigset_t set;
    CHECK_INT(pthread_sigmask(SIG_SETMASK, NULL, &set), 0);
    CHECK(sigismember(&set, SIGTERM) == 0 && sigismember(&set, SIGCHLD) == 0);
}

static bool run_in_hook(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    run_programs();
    return true;
}

/* Shows P17. */
TEST(programs_are_run_while_others_wait_and_in_hooks)
{
    forked_prepare(1);
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_RELEASE] = run_in_hook;
    held = fx_take(pool);
    fx_start_waiting(&waiter, pool, 0);
    run_programs();
    check_mask();
    fx_give(pool, held);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    fx_give(pool, waiter.got);
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_RELEASE] = NULL;
    pool_unref(pool);
    forked_child(fork_in_a_creation);
    forked_finish();
}

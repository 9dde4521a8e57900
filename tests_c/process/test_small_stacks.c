/*
 * Stacks of 64 KB, of threads and of coroutines, which do everything that the library can; and how much of them
 * it takes: the stack is painted, and what was painted over is counted. docs/embedding.md has the figures that
 * are checked here: a call needs 40 KB, of which less than 8 KB are used. Each case shows P16.
 */
#define _GNU_SOURCE
#include "check.h"

/* The sanitizers' own frames are many times as large. */
enum {
    SCALE = CHECK_SLOWDOWN > 1 ? 8 : 1,
    SMALL = SCALE * (64 << 10),
    NEEDED = SCALE * (40 << 10),
    OWN = SCALE * (8 << 10)
};
/* The thread sanitizer keeps its own state on top of a thread's stack. */
#ifdef __SANITIZE_THREAD__
enum { THREAD_STACK = SMALL + (1 << 20) };
#else
enum { THREAD_STACK = SMALL };
#endif
#define CO_STACK SMALL
#include "coroutine.h"
#include "everything.h"

#include <sys/mman.h>

/* ---- Paint ------------------------------------------------------------------------------------ */

enum { PAINT = 0xa5, RED_ZONE = 512 };

static __thread char *lowest, *called_at; /* of the stack; and where the paint ended */

/* Paints the stack of the caller, but for a little below its frame. */
__attribute__((noinline, no_sanitize("address", "thread"))) static void paint(char *stack)
{
    volatile char *end = (char *)__builtin_frame_address(0) - RED_ZONE;
    lowest = stack;
    called_at = (char *)end;
    for (volatile char *p = stack; p < end; p++)
        *p = (char)PAINT;
}

__attribute__((noinline, no_sanitize("address", "thread"))) static size_t used(void)
{
    volatile char *p = lowest;
    while (p < called_at && *p == (char)PAINT)
        p++;
    return (size_t)(called_at - p) + RED_ZONE;
}

/* ---- Everything ------------------------------------------------------------------------------- */

typedef struct world {
    pool_t *pool; /* shared with others; may be NULL */
    char *stack;
    bool done;
} world;

static void do_everything(void *arg)
{
    world *w = arg;
    paint(w->stack);
    everything_do(true);
    everything_do(false);
    for (int i = 0; w->pool && i < 100; i++) {
        void *r;
        CHECK_STATUS(pool_acquire(w->pool, &r, 0), POOL_OK); /* mostly it waits in line */
        CHECK_STATUS(pool_release(w->pool, r), POOL_OK);
    }
    size_t depth = used();
    printf("%zu bytes of stack used\n", depth);
    CHECK(depth < OWN);
    w->done = true;
}

/* ---- Threads ---------------------------------------------------------------------------------- */

static void *run(void *arg) { return do_everything(arg), NULL; }

static pthread_t thread_on(world *w, void *(*body)(void *))
{
    pthread_t thread;
    pthread_attr_t attr;
    w->stack = mmap(NULL, THREAD_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(w->stack != MAP_FAILED);
    CHECK_INT(pthread_attr_init(&attr), 0);
    CHECK_INT(pthread_attr_setstack(&attr, w->stack, THREAD_STACK), 0);
    CHECK_INT(pthread_create(&thread, &attr, body, w), 0);
    pthread_attr_destroy(&attr);
    return thread;
}

TEST(threads_of_64_kb_do_everything_one_after_the_other)
{
    for (int i = 0; i < 20; i++) {
        world w = {0};
        check_join(thread_on(&w, run));
        CHECK(w.done);
        munmap(w.stack, THREAD_STACK);
    }
}

TEST(threads_of_64_kb_do_everything_at_once_and_wait_in_line)
{
    enum { N = 16 };
    static world worlds[N];
    pthread_t threads[N];
    pool_t *pool = everything_pool(true, 2);
    for (int i = 0; i < N; i++) {
        worlds[i].pool = pool;
        threads[i] = thread_on(&worlds[i], run);
    }
    for (int i = 0; i < N; i++) {
        check_join(threads[i]);
        CHECK(worlds[i].done);
        munmap(worlds[i].stack, THREAD_STACK);
    }
    pool_unref(pool);
}

/* ---- Coroutines ------------------------------------------------------------------------------- */

static void run_coroutine(world *w)
{
    co c;
    co_start(&c, do_everything, w);
    w->stack = c.stack;
    co_resume(&c);
    CHECK(c.done && w->done);
}

/* Shows E2. */
TEST(coroutines_of_64_kb_do_everything)
{
    for (int i = 0; i < 20; i++) {
        world w = {0};
        run_coroutine(&w);
    }
}

static void *enter_from_a_coroutine(void *arg)
{
    run_coroutine(arg);
    return NULL;
}

/* Shows E2. */
TEST(a_thread_enters_go_for_the_first_time_from_a_coroutine_of_64_kb)
{
    for (int i = 0; i < 20; i++) {
        world w = {0};
        check_join(check_thread(enter_from_a_coroutine, &w));
    }
}

/* ---- What is needed --------------------------------------------------------------------------- */

enum { PAGE = 4096 };

/* A page that lies below the upper 40 KB of the stack is a fault meanwhile. */
static void use_40_kb(void *arg)
{
    world *w = arg;
    char *below = w->stack + SMALL - NEEDED - PAGE;
    below -= (uintptr_t)below % PAGE;
    CHECK(below > w->stack);
    CHECK_INT(mprotect(below, PAGE, PROT_NONE), 0);
    everything_do(true);
    CHECK_INT(mprotect(below, PAGE, PROT_READ | PROT_WRITE), 0);
    w->done = true;
}

TEST(a_call_runs_within_40_kb)
{
    world w = {0};
    co c;
    co_start(&c, use_40_kb, &w);
    w.stack = c.stack;
    co_resume(&c);
    CHECK(w.done);
}

/* What the library needs where Go is not entered: the fast path, the line, a sleep. */
static void *borrow_in_c(void *arg)
{
    world *w = arg;
    void *r;
    paint(w->stack);
    CHECK_STATUS(pool_acquire(w->pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(w->pool, r), POOL_OK);
    size_t depth = used();
    CHECK_INT(pool_debug_crossings(), 0);
    printf("%zu bytes of stack used without Go\n", depth);
    CHECK(depth < OWN / 2);
    return NULL;
}

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

TEST(a_thread_sleeps_in_line_within_4_kb)
{
    pool_config_t config = POOL_CONFIG_INIT;
    world w = {0};
    void *r;
    config.factory = make;
    config.max_size = 1;
    CHECK_STATUS(pool_create_ex(&config, &w.pool), POOL_OK);
    CHECK_STATUS(pool_acquire(w.pool, &r, 0), POOL_OK);
    pthread_t thread = thread_on(&w, borrow_in_c);
    WAIT_FOR(pool_waiting_count(w.pool) == 1);
    CHECK_STATUS(pool_release(w.pool, r), POOL_OK);
    check_join(thread);
    munmap(w.stack, THREAD_STACK);
    pool_unref(w.pool);
}

/*
 * Stacks of 64 KB, of threads and of coroutines, which do everything that the library can; and how much of them
 * it takes: the stack is painted, and what was painted over is counted. docs/embedding.md has the figures that
 * are checked here: a call needs 40 KB, of which less than 8 KB are used.
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

static int word;
static atomic_int hooks;
static void *last_made;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    hooks++;
    *resource = &word;
    return true;
}

static void end(pool_t *pool, void *resource) { (void)pool, (void)resource, hooks++; }
static bool pass(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    hooks++;
    return true;
}

static bool refuse(pool_t *pool, void *resource)
{
    (void)resource;
    hooks++;
    pool_set_error(pool, 7, "a text that is copied");
    return false;
}

static void succeeded(pool_t *pool, void *ctx) { (void)pool, (void)ctx, hooks++; }
static void failed(pool_t *pool, const pool_error_t *e, void *ctx) { (void)pool, (void)e, (void)ctx, hooks++; }
static bool should_recover(pool_t *pool, void *ctx) { return pass(pool, ctx); }
static void seen(pool_event_t *e, pool_event_callback_t *o, pool_event_kind_t k) { (void)e, (void)o, (void)k, hooks++; }

static void told(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op;
    hooks++;
    if (status == POOL_OK)
        CHECK_STATUS(pool_release(data, resource), POOL_OK);
}

static pool_t *new_pool(pool_before_release_fn before_release, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.name = "of a small stack";
    config.factory = make;
    config.destructor = end;
    config.healthcheck = config.before_acquire = pass;
    config.before_release = before_release;
    config.min_size = 1;
    config.max_size = max;
    config.flags = POOL_F_REACTOR;
    config.healthcheck_interval_ms = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void borrow_and_give_back(pool_t *pool)
{
    void *r;
    char text[64];
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_try_acquire(pool, &last_made), POOL_EMPTY);
    CHECK_STATUS(pool_acquire(pool, &last_made, 1), POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED);
}

static void use_a_loop(pool_t *pool)
{
    pool_op_t op, other;
    int before = hooks;
    CHECK_STATUS(pool_acquire_async(pool, &op, 1000, told, pool), POOL_PENDING);
    CHECK_STATUS(pool_acquire_async(pool, &other, 1000, told, pool), POOL_PENDING);
    CHECK_STATUS(pool_op_cancel(&other), POOL_OK);
    CHECK(pool_fd(pool) >= 0);
    WAIT_FOR(pool_next_timeout(pool) >= 0 && pool_dispatch(pool) == POOL_OK && hooks >= before + 8); /* a pass, too */
}

static void drive_ops(pool_t *pool)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = true;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    while (pool_op_next(&op, &answer, &ask) != POOL_ASK_DONE)
        ;
    CHECK_STATUS(pool_op_acquire(pool, &op, 1000), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_ACQUIRE);
    CHECK_STATUS(pool_op_cancel(&op), POOL_PENDING);
    while (pool_op_next(&op, NULL, &ask) != POOL_ASK_DONE)
        ;
}

static void move_the_breaker(pool_t *pool)
{
    pool_circuit_breaker_strategy_t strategy = {succeeded, failed, should_recover, NULL};
    void *r;
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK); /* the strategy is asked, and this is its probe */
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 1, 1), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
}

/* A pool of its own, from the creation to the end. */
static void do_everything_with(pool_before_release_fn before_release)
{
    pool_event_callback_t observer = {seen, NULL, NULL};
    pool_snapshot_t s = {.struct_size = sizeof s};
    char text[128];
    pool_t *pool = new_pool(before_release, 1);
    borrow_and_give_back(pool);
    CHECK_STATUS(pool->event.add_callback(&pool->event, &observer), POOL_OK);
    borrow_and_give_back(pool);
    use_a_loop(pool);
    drive_ops(pool);
    move_the_breaker(pool);
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK(pool->event.info(&pool->event, text, sizeof text) > 0);
    CHECK_STATUS(pool->event.del_callback(&pool->event, &observer), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &last_made, 0), POOL_ERR_CLOSED);
    pool_unref(pool);
}

static void do_everything(void *arg)
{
    world *w = arg;
    paint(w->stack);
    do_everything_with(pass);
    do_everything_with(refuse);
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
    pool_t *pool = new_pool(pass, 2);
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
    do_everything_with(pass);
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

/* What the library needs where Go is not entered: the lane, the line, a sleep. */
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

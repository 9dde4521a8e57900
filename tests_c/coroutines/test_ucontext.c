/* The scheduler of asyncpool/ucontext.h: coroutines, main flow and threads share a pool. */
#include "check.h"

#include <asyncpool/ucontext.h>

typedef struct world {
    pool_ucontext_t s;
    pool_t *pool;
    atomic_int made, ended; /* resources */
    char log[256];
} world;

static bool make(pool_t *pool, void **resource)
{
    world *w = pool->user_data;
    *resource = (void *)(intptr_t)++w->made;
    return true;
}

static void end(pool_t *pool, void *resource)
{
    (void)resource;
    ((world *)pool->user_data)->ended++;
}

static void begin(world *w, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    memset(w, 0, sizeof *w);
    CHECK(pool_ucontext_init(&w->s, 0));
    config.factory = make;
    config.destructor = end;
    config.user_data = w;
    config.max_size = max;
    config.scheduler = &w->s.scheduler;
    CHECK_STATUS(pool_create_ex(&config, &w->pool), POOL_OK);
}

static void finish(world *w)
{
    pool_unref(w->pool);
    CHECK_INT(w->made, w->ended);
    CHECK_INT(pool_debug_live(), 0);
    CHECK(pool_ucontext_destroy(&w->s));
}

static void note(world *w, int number, const char *what)
{
    size_t length = strlen(w->log);
    snprintf(w->log + length, sizeof w->log - length, "%d%s ", number, what);
}

/* A coroutine that borrows once. */
typedef struct borrower {
    world *w;
    int number;
    int64_t timeout_ms;
    int64_t hold_ms; /* 0: it only yields; negative: it never gives back */
    pool_status_t status;
    void *got;
} borrower;

static void borrow(void *argument)
{
    borrower *b = argument;
    b->status = pool_acquire(b->w->pool, &b->got, b->timeout_ms);
    note(b->w, b->number, b->status == POOL_OK ? "+" : b->status == POOL_ERR_DEADLOCK ? "!" : "-");
    if (b->status != POOL_OK || b->hold_ms < 0)
        return;
    pool_ucontext_sleep(&b->w->s, b->hold_ms);
    CHECK_STATUS(pool_release(b->w->pool, b->got), POOL_OK);
}

static void spawn(world *w, borrower *b, int number, int64_t timeout_ms, int64_t hold_ms)
{
    *b = (borrower){w, number, timeout_ms, hold_ms, POOL_PENDING, NULL};
    CHECK(pool_ucontext_spawn(&w->s, borrow, b));
}

TEST(coroutines_are_served_in_the_order_of_their_coming)
{
    world w;
    borrower b[5];
    begin(&w, 2);
    for (int i = 0; i < 5; i++)
        spawn(&w, &b[i], i, 0, 0);
    CHECK(pool_ucontext_run(&w.s));
    CHECK_STR(w.log, "0+ 1+ 2+ 3+ 4+ ");
    CHECK_INT(w.made, 2);
    finish(&w);
}

static void hold_until_all_are_told(void *argument)
{
    borrower *b = argument;
    CHECK_STATUS(pool_acquire(b->w->pool, &b->got, 0), POOL_OK);
    note(b->w, b->number, "+");
    while (strlen(b->w->log) < strlen("9+ 0- 1- 2- 3- 4- 5- 6- "))
        pool_ucontext_sleep(&b->w->s, 1);
    CHECK_STATUS(pool_release(b->w->pool, b->got), POOL_OK);
}

/* The time at which its turn in the line came. */
static void note_time(void *at) { *(int64_t *)at = check_now_ns(); }

/* false: they began so far apart that their deadlines may have come in another order. */
static bool deadlines_in_order(int64_t unit_ms)
{
    static const int64_t units[] = {5, 1, 7, 3, 9, 2, 6};
    world w;
    int64_t before = 0, after = 0;
    begin(&w, 1);
    borrower holder = {&w, 9, 0, 0, POOL_PENDING, NULL}, b[7];
    CHECK(pool_ucontext_spawn(&w.s, hold_until_all_are_told, &holder));
    CHECK(pool_ucontext_spawn(&w.s, note_time, &before));
    for (int i = 0; i < 7; i++)
        spawn(&w, &b[i], i, units[i] * unit_ms, 0);
    CHECK(pool_ucontext_spawn(&w.s, note_time, &after));
    CHECK(pool_ucontext_run(&w.s));
    for (int i = 0; i < 7; i++)
        CHECK_STATUS(b[i].status, POOL_ERR_TIMEOUT);
    bool in_time = after - before < unit_ms * 1000000;
    if (in_time)
        CHECK_STR(w.log, "9+ 1- 5- 3- 0- 6- 2- 4- ");
    finish(&w);
    return in_time;
}

TEST(deadlines_end_waits_soonest_first)
{
    for (int64_t unit_ms = 10; !deadlines_in_order(unit_ms); unit_ms *= 2)
        ;
}

TEST(when_nothing_can_free_a_place_the_last_to_wait_is_told_deadlock_first)
{
    world w;
    borrower keeper, b[3];
    begin(&w, 1);
    spawn(&w, &keeper, 9, 0, -1);
    for (int i = 0; i < 3; i++)
        spawn(&w, &b[i], i, 0, 0);
    CHECK(pool_ucontext_run(&w.s));
    CHECK_STR(w.log, "9+ 2! 1! 0! ");
    CHECK_STATUS(pool_release(w.pool, keeper.got), POOL_OK);
    finish(&w);
}

TEST(a_wait_with_a_deadline_is_no_deadlock)
{
    world w;
    borrower keeper, b;
    begin(&w, 1);
    spawn(&w, &keeper, 9, 0, -1);
    spawn(&w, &b, 0, 20, 0);
    CHECK(pool_ucontext_run(&w.s));
    CHECK_STATUS(b.status, POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_release(w.pool, keeper.got), POOL_OK);
    finish(&w);
}

static void *give_back(void *argument)
{
    borrower *keeper = argument;
    WAIT_FOR(pool_waiting_count(keeper->w->pool) == 2);
    CHECK_STATUS(pool_release(keeper->w->pool, keeper->got), POOL_OK);
    return NULL;
}

TEST(another_thread_that_is_announced_wakes_those_who_wait)
{
    world w;
    borrower keeper, b[2];
    begin(&w, 1);
    spawn(&w, &keeper, 9, 0, -1);
    CHECK(pool_ucontext_run(&w.s));
    pool_ucontext_outside(&w.s, true);
    pthread_t thread = check_thread(give_back, &keeper);
    spawn(&w, &b[0], 0, 0, 0);
    spawn(&w, &b[1], 1, 0, 0);
    CHECK(pool_ucontext_run(&w.s));
    pool_ucontext_outside(&w.s, false);
    check_join(thread);
    CHECK_STR(w.log, "9+ 0+ 1+ ");
    finish(&w);
}

static void *wait_as_a_thread(void *argument)
{
    borrower *b = argument;
    b->status = pool_acquire(b->w->pool, &b->got, b->timeout_ms);
    if (b->status == POOL_OK)
        pool_release(b->w->pool, b->got);
    return NULL;
}

static void give_when_a_thread_waits(void *argument)
{
    borrower *b = argument;
    CHECK_STATUS(pool_acquire(b->w->pool, &b->got, 0), POOL_OK);
    pthread_t thread = check_thread(wait_as_a_thread, b + 1);
    WAIT_FOR(pool_waiting_count(b->w->pool) == 1);
    CHECK_STATUS(pool_release(b->w->pool, b->got), POOL_OK);
    check_join(thread);
}

TEST(another_thread_waits_as_a_thread)
{
    world w;
    borrower b[2];
    begin(&w, 1);
    b[0] = b[1] = (borrower){&w, 0, 0, 0, POOL_PENDING, NULL};
    CHECK(pool_ucontext_spawn(&w.s, give_when_a_thread_waits, b));
    CHECK(pool_ucontext_run(&w.s));
    CHECK_STATUS(b[1].status, POOL_OK);
    finish(&w);
}

TEST(a_thread_that_waits_has_a_deadline_and_can_be_cancelled)
{
    world w;
    void *got;
    begin(&w, 1);
    CHECK_STATUS(pool_acquire(w.pool, &got, 0), POOL_OK);
    borrower late = {&w, 0, 10, 0, POOL_PENDING, NULL};
    check_join(check_thread(wait_as_a_thread, &late));
    CHECK_STATUS(late.status, POOL_ERR_TIMEOUT);

    borrower gone = {&w, 0, 0, 0, POOL_PENDING, NULL};
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, wait_as_a_thread, &gone), 0);
    WAIT_FOR(pool_waiting_count(w.pool) == 1);
    CHECK_INT(pthread_cancel(thread), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_COUNTS(w.pool, 0, 1, 0);
    CHECK_STATUS(pool_release(w.pool, got), POOL_OK);
    finish(&w);
}

TEST(the_main_flow_waits_like_a_coroutine)
{
    world w;
    borrower b;
    void *got;
    begin(&w, 1);
    spawn(&w, &b, 0, 0, 5);
    pool_ucontext_yield(&w.s); /* it has the only place now */
    CHECK_INT(pool_active_count(w.pool), 1);
    CHECK_STATUS(pool_acquire(w.pool, &got, 0), POOL_OK);
    CHECK_STATUS(b.status, POOL_OK);
    void *second;
    CHECK_STATUS(pool_acquire(w.pool, &second, 0), POOL_ERR_DEADLOCK);
    CHECK_STATUS(pool_release(w.pool, got), POOL_OK);
    CHECK(pool_ucontext_run(&w.s));
    finish(&w);
}

TEST(a_closed_pool_sends_those_who_wait_away)
{
    world w;
    borrower keeper, b[2];
    begin(&w, 1);
    spawn(&w, &keeper, 9, 0, 1);
    spawn(&w, &b[0], 0, 0, 0);
    spawn(&w, &b[1], 1, 3600000, 0);
    pool_ucontext_yield(&w.s);
    CHECK_STATUS(pool_close(w.pool), POOL_OK);
    CHECK(!pool_ucontext_destroy(&w.s)); /* they have not ended yet */
    CHECK(pool_ucontext_run(&w.s));
    CHECK_STATUS(b[0].status, POOL_ERR_CLOSED);
    CHECK_STATUS(b[1].status, POOL_ERR_CLOSED);
    finish(&w);
}

TEST(a_thousand_coroutines_sleep_and_borrow)
{
    enum { COROUTINES = 1000 };
    static borrower b[COROUTINES];
    static world w;
    begin(&w, 7);
    for (int i = 0; i < COROUTINES; i++)
        spawn(&w, &b[i], i, 60000, i % 100 == 0 ? 2 : 0);
    CHECK(pool_ucontext_run(&w.s));
    for (int i = 0; i < COROUTINES; i++)
        CHECK_STATUS(b[i].status, POOL_OK);
    CHECK(w.made <= 7);
    finish(&w);
}

static void run_inside(void *argument)
{
    world *w = argument;
    CHECK(!pool_ucontext_run(&w->s));
    note(w, 1, "");
}

TEST(run_inside_a_coroutine_answers_false)
{
    world w;
    begin(&w, 1);
    CHECK(pool_ucontext_run(&w.s)); /* nothing to run */
    CHECK(pool_ucontext_spawn(&w.s, run_inside, &w));
    CHECK(pool_ucontext_run(&w.s));
    CHECK_STR(w.log, "1 ");
    finish(&w);
}

typedef struct visit {
    world w;
    uintptr_t page; /* of the stack */
} visit;

static void visit_stack(void *argument)
{
    visit *v = argument;
    char here[64]; /* the address sanitizer marks such a frame */
    memset(here, 1, sizeof here);
    v->page = (uintptr_t)here & ~(uintptr_t)4095;
    note(&v->w, here[0], "");
    pool_ucontext_sleep(&v->w.s, 1);
}

/* A coroutine never returns from its first frames. What a sanitizer keeps about them must not stay behind.
 * Shows E2. */
TEST(the_stack_of_a_coroutine_that_ended_is_memory_like_any_other)
{
    enum { SIZE = 8192 };
    visit v;
    begin(&v.w, 1);
    for (int i = 0; i < 4; i++)
        CHECK(pool_ucontext_spawn(&v.w.s, visit_stack, &v));
    CHECK(pool_ucontext_run(&v.w.s));
    void *memory =
        mmap((void *)(v.page - SIZE / 2), SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(memory != MAP_FAILED);
    memset(memory, 1, SIZE);
    CHECK_INT(munmap(memory, SIZE), 0);
    finish(&v.w);
}

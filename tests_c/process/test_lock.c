/*
 * The pool's lock (bridge/lock.c), with its system calls counted, and refused where a case wants it: who sleeps and who
 * pays for that, in each way in which the kernel may behave. That the protocol is right in every order of its steps
 * is shown by tests_go/membarrier.
 */
#include "fixture.h"
#include "refuse.h"

#include <stdlib.h>
#include <sys/wait.h>

static atomic_int sleeps, wakes, barriers; /* system calls */
static atomic_bool refused;                /* membarrier() is */
static atomic_bool pretended;              /* but says that it was done */
static atomic_bool unregistered;           /* only its registration is */
static atomic_bool no_thread;              /* none can be made */

static void count_call(long number, long what);

#define syscall(number, first, second, ...) \
    (count_call(number, (long)(second)),    \
     count_barrier(number, (long)(first)) ? refuse() : syscall(number, first, second, __VA_ARGS__))
static bool count_barrier(long number, long command);

static long refuse(void)
{
    errno = EPERM;
    return pretended ? 0 : -1;
}

static int create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *), void *arg)
{
    return no_thread ? EAGAIN : pthread_create(thread, attr, body, arg);
}
#define pthread_create create
#include "../../bridge/lock.c"
#undef pthread_create
#undef syscall

static void count_call(long number, long what)
{
    if (number == SYS_futex)
        atomic_fetch_add(what == FUTEX_WAKE_PRIVATE ? &wakes : &sleeps, 1);
}

/* True: it is refused. */
static bool count_barrier(long number, long command)
{
    if (number != SYS_membarrier)
        return false;
    if (command == MEMBARRIER_CMD_PRIVATE_EXPEDITED)
        atomic_fetch_add(&barriers, 1);
    return refused || (unregistered && command == MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

static ap_lock_t lock, other;

static void *take_and_give(void *arg)
{
    ap__lock_take(arg);
    ap__lock_give(arg);
    return NULL;
}

/* A thread that sleeps for the lock, or is about to: it has tried for the last time. */
static pthread_t sleeper(ap_lock_t *l)
{
    int before = sleeps;
    pthread_t thread = check_thread(take_and_give, l);
    WAIT_FOR(sleeps > before);
    return thread;
}

/* Is membarrier() there? A process that had threads when the library was loaded has to wait until it is. */
static bool registered(void)
{
    long commands = membarrier(MEMBARRIER_CMD_QUERY);
    if (commands < 0)
        return false;
    CHECK(commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    WAIT_FOR(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0);
    return true;
}

TEST(who_finds_it_free_makes_no_system_call)
{
    for (int i = 0; i < 1000; i++)
        take_and_give(&lock);
    CHECK_INT(sleeps + wakes + barriers, 0);
}

TEST(who_sleeps_first_pays_and_who_comes_later_does_not)
{
    bool can = registered();
    barriers = 0;
    ap__lock_take(&lock);
    pthread_t first = sleeper(&lock), second = sleeper(&lock);
    CHECK_INT(barriers, can ? 1 : 0);
    CHECK_INT(wakes, 0);
    ap__lock_give(&lock);
    check_join(first);
    check_join(second);
    CHECK(wakes >= 2);
    CHECK_INT(lock.word, AP_LOCK_FREE);
    CHECK_INT(ap__beds[0].word, can ? 0 : AP_BED_EXCHANGE);
}

TEST(where_it_is_refused_from_the_beginning_nobody_asks_again)
{
    refused = true;
    choose_who_pays();
    ap__lock_take(&lock);
    pthread_t thread = sleeper(&lock);
    ap__lock_give(&lock);
    check_join(thread);
    CHECK_INT(barriers, 0);
    for (int i = 0; i < BEDS; i++)
        CHECK_INT(ap__beds[i].word, AP_BED_EXCHANGE);
    int calls = sleeps + wakes;
    for (int i = 0; i < 1000; i++)
        take_and_give(&lock);
    CHECK_INT(sleeps + wakes, calls);
}

TEST(where_it_is_only_pretended_from_the_beginning_unlocks_pay)
{
    refused = true;
    pretended = true;
    choose_who_pays();
    for (int i = 0; i < BEDS; i++)
        CHECK_INT(ap__beds[i].word, AP_BED_EXCHANGE);
}

static check_gate gate = CHECK_GATE_INIT;

static void *stay(void *arg)
{
    check_gate_pass(&gate);
    return arg;
}

/* As one is that opens the library: another thread waits until it is so. */
TEST(a_process_with_threads_is_registered_too)
{
    pthread_t thread = check_thread(stay, NULL);
    choose_who_pays();
    CHECK_INT(registered(), ap__beds[0].word != AP_BED_EXCHANGE);
    check_gate_open(&gate);
    check_join(thread);
}

/* The thread that loads the library waits itself then. */
TEST(where_no_thread_can_be_made_it_is_registered_all_the_same)
{
    no_thread = true;
    choose_who_pays();
    CHECK_INT(ap__beds[0].word == AP_BED_EXCHANGE, membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0);
}

TEST(where_it_is_there_but_cannot_be_registered_unlocks_pay)
{
    no_thread = true;
    unregistered = true;
    choose_who_pays();
    for (int i = 0; i < BEDS; i++)
        CHECK_INT(ap__beds[i].word, AP_BED_EXCHANGE);
    ap__lock_take(&lock);
    pthread_t thread = sleeper(&lock);
    ap__lock_give(&lock);
    check_join(thread);
    CHECK_INT(barriers, 0);
}

/* It looks again and again, however long the lock is held. */
TEST(where_it_is_refused_later_no_sleep_is_long)
{
    if (!registered())
        return;
    refused = true;
    ap__lock_take(&lock);
    pthread_t thread = sleeper(&lock);
    WAIT_FOR(sleeps >= 3);
    ap__lock_give(&lock);
    check_join(thread);
}

/* What is left of an unlock after the store touches nothing of the lock. */
TEST(a_lock_may_be_gone_once_it_is_given_back)
{
    ap_lock_t *gone = calloc(1, sizeof *gone);
    CHECK(gone);
    ap__lock_init(gone);
    CHECK(gone->bed != 0);
    ap__lock_take(gone);
    ap_bed_t *bed = ap__lock_bed(gone);
    atomic_fetch_or(&bed->word, AP_BED_SLEEPS); /* as one would have who has the lock now */
    CHECK_PTR(ap__lock_drop(gone), bed);
    free(gone);
    CHECK(ap__lock_wake(bed));
    CHECK(!ap__lock_wake(bed));
    CHECK_INT(wakes, 1);
}

TEST(locks_that_are_made_one_after_another_have_beds_of_their_own)
{
    ap_lock_t locks[BEDS] = {0};
    bool used[BEDS] = {true}; /* the first is that of other locks */
    for (int i = 0; i < BEDS - 1; i++) {
        ap__lock_init(&locks[i]);
        size_t bed = locks[i].bed / sizeof(ap_bed_t);
        CHECK(bed < BEDS && !used[bed]);
        used[bed] = true;
    }
    ap__lock_init(&locks[BEDS - 1]);
    CHECK_INT(locks[BEDS - 1].bed, locks[0].bed);
}

/* Two pools may have one bed, so that who holds one's lock must not wait for the other's. The address sanitizer's build
 * looks after it in all tests. */
TEST(nobody_takes_a_pools_lock_who_has_anothers)
{
#ifdef __SANITIZE_ADDRESS__
    const bool watched = true;
#else
    const bool watched = false;
#endif
    ap_lock_t locks[2] = {0};
    ap__lock_init(&locks[0]);
    ap__lock_init(&locks[1]);
    ap__lock_take(&locks[0]);
    ap__lock_take(&lock); /* no pool's */
    pid_t child = fork();
    if (child == 0) {
        ap__lock_take(&locks[1]);
        _exit(42);
    }
    int status = 0;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(WIFSIGNALED(status), watched);
    CHECK(watched || WEXITSTATUS(status) == 42);
    ap__lock_give(&lock);
    ap__lock_give(&locks[0]);
    take_and_give(&locks[1]);
}

/* ---- a crowd ---- */

enum { THREADS = 8, CYCLES = 20000 / CHECK_SLOWDOWN };

static int inside[2], cycles[2]; /* of each lock, under it */

static void cycle(ap_lock_t *l, bool linger)
{
    int i = l == &other;
    ap__lock_take(l);
    CHECK_INT(inside[i]++, 0);
    cycles[i]++;
    if (linger) /* others fall asleep meanwhile */
        for (int turn = 0, slept = sleeps; turn < 1000 && sleeps == slept; turn++)
            sched_yield();
    inside[i]--;
    ap__lock_give(l);
}

static void *cycles_of_one(void *arg)
{
    for (int i = 0; i < CYCLES; i++)
        cycle(arg, i % 64 == 0);
    return NULL;
}

static void *cycles_of_both(void *arg)
{
    (void)arg;
    for (int i = 0; i < CYCLES; i++)
        cycle(i % 2 ? &lock : &other, i % 64 < 2);
    return NULL;
}

static void *refuse_later(void *arg)
{
    (void)arg;
    WAIT_FOR(barriers > 10);
    refused = true;
    return NULL;
}

/* All of them come to the end: nobody is left asleep. */
static void crowd(void *(*third)(void *))
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(third && i % 3 == 2 ? third : cycles_of_one, i % 3 == 1 && third ? &other : &lock);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    CHECK_INT(cycles[0] + cycles[1], THREADS * CYCLES);
    CHECK(sleeps > 0 && wakes > 0);
}

TEST(many_threads_take_turns) { crowd(NULL); }

TEST(many_threads_take_turns_where_it_is_refused)
{
    refused = true;
    choose_who_pays();
    crowd(NULL);
    CHECK_INT(barriers, 0);
}

TEST(many_threads_take_turns_while_it_begins_to_be_refused)
{
    pthread_t thread = registered() ? check_thread(refuse_later, NULL) : check_thread(take_and_give, &other);
    crowd(NULL);
    check_join(thread);
}

TEST(two_locks_share_a_bed)
{
    CHECK_INT(lock.bed, other.bed);
    crowd(cycles_of_both);
}

/* ---- two threads, and nobody else ---- */

/* In a crowd the next unlock makes up for a wake-up that was lost. Here nobody comes before the sleeper has been in, and
 * the unlock is made at any instant of its way to sleep. It has much to store first, in lines that the other one has, so
 * that its last store is late. */
enum { ROUNDS = 5000 / CHECK_SLOWDOWN, STORES = 16 };

static atomic_int begun, on_its_way, ended; /* rounds */
static struct {
    _Alignas(64) atomic_int last;
} lines[STORES];

static void store(int round)
{
    for (int i = 0; i < STORES; i++)
        atomic_store_explicit(&lines[i].last, round, memory_order_relaxed);
}

/* Lets others run once in a while. */
static void await(atomic_int *rounds, int round)
{
    for (int looks = 1; *rounds < round; looks++)
        if (looks % 1000 == 0)
            sched_yield();
}

static void *sleep_at_once(void *arg)
{
    for (int round = 1; round <= ROUNDS; round++) {
        await(&begun, round);
        store(round);
        on_its_way = round;
        if (!ap__lock_try(&lock))
            sleep_for(&lock);
        ap__lock_give(&lock);
        ended = round;
    }
    return arg;
}

static void two_alone(void)
{
    pthread_t thread = check_thread(sleep_at_once, NULL);
    for (int round = 1; round <= ROUNDS; round++) {
        ap__lock_take(&lock);
        begun = round;
        await(&on_its_way, round);
        for (atomic_int i = 0; i < round % 128; i++)
            ;
        store(-round);
        ap__lock_give(&lock);
        await(&ended, round);
    }
    check_join(thread);
    CHECK(sleeps > 0);
}

TEST(two_alone_come_to_the_end) { two_alone(); }

TEST(two_alone_come_to_the_end_where_it_is_refused)
{
    refused = true;
    choose_who_pays();
    two_alone();
    CHECK_INT(barriers, 0);
}

TEST(two_alone_come_to_the_end_where_it_is_refused_later)
{
    refused = registered();
    two_alone();
}

/* ---- a child of fork() ---- */

TEST(a_child_is_registered_as_its_parent)
{
    bool can = registered();
    ap__lock_take(&lock);
    pthread_t thread = sleeper(&lock); /* it is not there in the child */
    pid_t child = fork();
    if (child == 0)
        _exit((membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) == can ? 42 : 1);
    int status = 0;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 42);
    ap__lock_give(&lock);
    check_join(thread);
}

/* ---- the library ---- */

static void *lend(void *pool)
{
    for (int i = 0; i < CYCLES; i++) {
        void *resource;
        CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
        CHECK_STATUS(pool_release(pool, resource), POOL_OK);
    }
    return NULL;
}

/* Its threads come to the end, as those above. */
TEST(a_filter_that_comes_after_the_library_does_no_harm)
{
    pthread_t threads[THREADS];
    pool_t *pool = fx_pool(0, 0, 2 * THREADS);
    CHECK(refuse_membarrier());
    for (int i = 0; i < THREADS; i++)
        threads[i] = check_thread(lend, pool);
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    fx_finish(pool);
}

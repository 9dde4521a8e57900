/*
 * Field reports C and D: places that are counted wrongly, and timeouts that cross something else.
 */
#include "fixture.h"

#include <setjmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MS 1000000ll

/* A step of the wall clock, as seen by everything in this process; the monotonic clock has none. */
static atomic_int wall_step_s;

int clock_gettime(clockid_t id, struct timespec *t)
{
    int rc = (int)syscall(SYS_clock_gettime, id, t);
    if (id == CLOCK_REALTIME)
        t->tv_sec += atomic_load(&wall_step_s);
    return rc;
}

static check_gate gate = CHECK_GATE_INIT;

static bool at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

static bool every_other_fails(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call % 2;
}

/* About as long as the limits of the callers. */
static bool slow(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    int64_t end = check_now_ns() + MS;
    WAIT_FOR(check_now_ns() >= end);
    return true;
}

static bool slow_and_every_other_fails(pool_t *pool, fx_resource *r, int call)
{
    return slow(pool, r, call) && every_other_fails(pool, r, call);
}

/* I4: when all is quiet nobody waits, and exactly max resources can be had. */
static void check_all_places(pool_t *pool, int max)
{
    fx_resource *lent[16];
    CHECK_INT(pool_waiting_count(pool), 0);
    CHECK_INT(pool_active_count(pool), 0);
    memset(fx.script, 0, sizeof fx.script);
    for (int i = 0; i < max; i++)
        CHECK((lent[i] = fx_try(pool, NULL)) != NULL);
    pool_status_t status;
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_EMPTY);
    for (int i = 0; i < max; i++)
        fx_give(pool, lent[i]);
}

TEST(r16_failed_factories_burn_no_place)
{
    fx.quiet = true;
    fx.script[FX_FACTORY] = fx_refuse;
    pool_t *pool = fx_pool(0, 0, 2);
    for (int i = 0; i < 1000; i++) {
        pool_status_t status;
        CHECK_PTR(i % 2 ? fx_acquire(pool, 0, &status) : fx_try(pool, &status), NULL);
        CHECK_STATUS(status, POOL_ERR_FACTORY);
    }
    check_all_places(pool, 2);
    fx_finish(pool);
}

static void *ask_in_vain(void *pool)
{
    for (int i = 0; i < 2000; i++) {
        pool_status_t status;
        if (i % 20)
            CHECK_PTR(fx_try(pool, &status), NULL);
        else
            CHECK_PTR(fx_acquire(pool, 1, &status), NULL);
        CHECK_STATUS(status, i % 20 ? POOL_EMPTY : POOL_ERR_TIMEOUT);
    }
    return NULL;
}

TEST(r17_short_and_instant_asks_leak_no_place)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = check_thread(ask_in_vain, pool);
    for (int i = 0; i < 4; i++)
        check_join(threads[i]);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    check_all_places(pool, 1);
    fx_finish(pool);
}

#define RACES (150 / CHECK_SLOWDOWN + 1)

/* Borrows with a limit about as long as a creation takes, and gives back at once. */
static void *race_the_limit(void *pool)
{
    for (int i = 0; i < RACES; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 1 + i % 3, &status);
        if (r)
            fx_give(pool, r);
        else
            CHECK(status == POOL_ERR_TIMEOUT || status == POOL_ERR_FACTORY);
    }
    return NULL;
}

static void check_limit_races(fx_script factory, fx_script before_release)
{
    fx.quiet = true;
    fx.script[FX_FACTORY] = factory;
    fx.script[FX_BEFORE_RELEASE] = before_release;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 4);
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        threads[i] = check_thread(race_the_limit, pool);
    for (int i = 0; i < 8; i++)
        check_join(threads[i]);
    CHECK(fx.peak <= 4);
    CHECK(fx.created > 0);
    CHECK_INT(fx_live(), (int)pool_idle_count(pool));
    check_all_places(pool, 4);
    fx_finish(pool);
}

TEST(r18_creations_as_long_as_the_limit_return_each_place_once) { check_limit_races(slow, every_other_fails); }

TEST(r28_timeouts_that_cross_failing_creations_lose_nothing)
{
    check_limit_races(slow_and_every_other_fails, fx_refuse);
}

static bool third_fails(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call != 3;
}

TEST(r20_a_failed_fill_destroys_what_it_made)
{
    fx.script[FX_FACTORY] = fx_refuse;
    CHECK_PTR(fx_try_pool(0, 10, 10), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_FACTORY);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx.calls[FX_FACTORY] = 0;
    fx.script[FX_FACTORY] = third_fails;
    CHECK_PTR(fx_try_pool(0, 10, 10), NULL);
    CHECK_INT(fx.calls[FX_FACTORY], 3);
    CHECK_INT(fx.destroyed, 2);
    CHECK_INT(pool_debug_live(), 0);
    fx.script[FX_FACTORY] = NULL;
    pool_t *pool = fx_pool(0, 10, 10);
    check_all_places(pool, 10);
    fx_finish(pool);
}

TEST(r20_a_fill_by_op_that_fails_returns_its_places)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.min_size = config.max_size = 3;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_fill(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_FACTORY);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_STATUS(pool_op_fill(pool, &op), POOL_OK);
    pool_answer_t answer = {sizeof answer, true, &op, 0, 0};
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    for (int i = 0; i < 2; i++)
        CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_COUNTS(pool, 3, 0, 0);
    pool_unref(pool);
}

typedef struct client {
    pool_t *pool;
    fx_resource *r; /* NULL: borrows it first */
} client;

static void *borrow_and_give(void *arg)
{
    client *c = arg;
    fx_give(c->pool, c->r ? c->r : fx_take(c->pool));
    return NULL;
}

/* One thread stands in the hook; for everybody else the only place is taken. */
static void check_counted_in(fx_hook hook)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    client c = {pool, hook == FX_BEFORE_RELEASE ? fx_take(pool) : NULL};
    fx.script[hook] = at_gate;
    pthread_t thread = check_thread(borrow_and_give, &c);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    for (int i = 0; i < 100; i++) {
        pool_status_t status;
        CHECK_COUNTS(pool, 0, 1, 0);
        CHECK_PTR(fx_try(pool, &status), NULL);
        CHECK_STATUS(status, POOL_EMPTY);
    }
    check_gate_open(&gate);
    check_join(thread);
    CHECK_INT(fx.created, 1);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(r21_a_resource_in_before_acquire_is_counted) { check_counted_in(FX_BEFORE_ACQUIRE); }
TEST(r21_a_resource_in_before_release_is_counted) { check_counted_in(FX_BEFORE_RELEASE); }

TEST(r22_discarding_twice_does_not_raise_the_limit)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_take(pool), *kept = fx_take(pool);
    void *gone = r;
    fx_give(pool, r);
    CHECK_STATUS(pool_release(pool, gone), POOL_ERR_NOT_OWNED);
    CHECK_INT(fx.calls[FX_BEFORE_RELEASE], 1);
    CHECK_INT(fx.destroyed, 1);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, kept);
    check_all_places(pool, 2);
    fx_finish(pool);
}

static void *cycle(void *pool)
{
    for (int i = 0; i < 400 / CHECK_SLOWDOWN + 1; i++)
        fx_give(pool, fx_take(pool));
    return NULL;
}

TEST(r23_max_holds_at_every_instant_while_half_is_refused)
{
    fx.quiet = true;
    fx.script[FX_BEFORE_RELEASE] = every_other_fails;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 5);
    pthread_t threads[32];
    for (int i = 0; i < 32; i++)
        threads[i] = check_thread(cycle, pool);
    for (int i = 0; i < 32; i++)
        check_join(threads[i]);
    CHECK(fx.peak <= 5);
    CHECK_INT(fx_live(), (int)pool_idle_count(pool));
    check_all_places(pool, 5);
    fx_finish(pool);
}

TEST(r25_hooks_that_hang_on_release_do_not_hang_the_others)
{
    fx.script[FX_BEFORE_RELEASE] = at_gate;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    client c[2] = {{pool, fx_take(pool)}, {pool, fx_take(pool)}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        threads[i] = check_thread(borrow_and_give, &c[i]);
    WAIT_FOR(check_gate_waiting(&gate) == 2);
    pool_status_t status;
    CHECK_PTR(fx_acquire(pool, 20, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    CHECK_COUNTS(pool, 0, 2, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK); /* does not wait for what is being released */
    CHECK_COUNTS(pool, 0, 2, 0);
    check_gate_open(&gate);
    for (int i = 0; i < 2; i++)
        check_join(threads[i]);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

static jmp_buf out;

static bool jump_out(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    if (call == 1)
        longjmp(out, 1);
    return true;
}

TEST(r26_a_hook_left_by_longjmp_costs_its_place_at_most)
{
    fx.script[FX_BEFORE_RELEASE] = jump_out;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_take(pool);
    if (!setjmp(out))
        pool_release(pool, r);
    fx_resource *other = fx_take(pool);
    fx_caller caller;
    fx_start(&caller, pool, 20); /* the other place: lost, or to be had */
    fx_join(&caller);
    CHECK(caller.status == POOL_OK || caller.status == POOL_ERR_TIMEOUT);
    fx_give(pool, other);
    if (caller.got)
        fx_give(pool, caller.got);
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK(fx_live() <= 1);
    _exit(0); /* the call that was left keeps the pool alive, which main would object to */
}

TEST(r27_refused_idle_resources_lose_no_place_and_a_new_one_is_made)
{
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 3, 3);
    fx_resource *r = fx_take(pool);
    CHECK_INT(fx.destroyed, 3);
    CHECK_INT(fx.created, 4);
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    check_all_places(pool, 3);
    fx_finish(pool);
}

TEST(r30_after_a_wave_of_timeouts_a_free_resource_is_lent_at_once)
{
    pool_t *pool = fx_pool(0, 0, 3);
    fx_resource *held[3];
    fx_caller callers[12];
    for (int i = 0; i < 3; i++)
        held[i] = fx_take(pool);
    for (int i = 0; i < 12; i++)
        fx_start(&callers[i], pool, 5);
    for (int i = 0; i < 12; i++) {
        fx_join(&callers[i]);
        CHECK_STATUS(callers[i].status, POOL_ERR_TIMEOUT);
    }
    for (int i = 0; i < 3; i++)
        fx_give(pool, held[i]);
    fx_resource *r = fx_acquire(pool, 1, NULL);
    CHECK(r != NULL);
    fx_give(pool, r);
    check_all_places(pool, 3);
    fx_finish(pool);
}

typedef struct patient {
    pool_t *pool;
    int64_t timeout_ms;
    _Atomic pid_t tid;
} patient;

static void *wait_patiently(void *arg)
{
    patient *p = arg;
    atomic_store(&p->tid, (pid_t)syscall(SYS_gettid));
    pool_status_t status;
    fx_resource *r = fx_acquire(p->pool, p->timeout_ms, &status);
    CHECK_STATUS(status, POOL_OK);
    fx_give(p->pool, r);
    return NULL;
}

/* How often the thread has been given a processor so far; -1: it has one, or waits for one. */
static long turns_if_asleep(const patient *p)
{
    char path[64], line[256], state = 0;
    long turns, sum = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)atomic_load(&p->tid));
    FILE *status = fopen(path, "re");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "State: %c", &state) == 0 && (sscanf(line, "voluntary_ctxt_switches: %ld", &turns) == 1 ||
                                                       sscanf(line, "nonvoluntary_ctxt_switches: %ld", &turns) == 1))
            sum += turns;
    fclose(status);
    return state == 'S' ? sum : -1;
}

TEST(r32_zero_and_huge_timeouts_wait_and_do_not_spin)
{
    static const int64_t limits[] = {0, INT32_MAX, UINT32_MAX, 9223372036854, 9223372036855, INT64_MAX};
    enum { N = sizeof limits / sizeof *limits };
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    patient p[N];
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        p[i] = (patient){.pool = pool, .timeout_ms = limits[i]};
        threads[i] = check_thread(wait_patiently, &p[i]);
    }
    WAIT_FOR(pool_waiting_count(pool) == N);
    long turns[N];
    for (int i = 0; i < N; i++)
        WAIT_FOR((turns[i] = turns_if_asleep(&p[i])) >= 0); /* one that spins never sleeps, */
    pool_t *other = fx_pool(0, 0, 1);
    fx_resource *its = fx_take(other);
    for (int i = 0; i < 20; i++) { /* and one that wakes by itself does so while others come and go */
        pool_status_t status;
        fx_acquire(other, 1, &status);
        CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    }
    for (int i = 0; i < N; i++)
        CHECK_INT(turns_if_asleep(&p[i]), turns[i]);
    CHECK_INT(pool_waiting_count(pool), N);
    fx_give(other, its);
    pool_unref(other);
    fx_give(pool, r);
    for (int i = 0; i < N; i++)
        check_join(threads[i]);
    fx_finish(pool);
}

TEST(r32_negative_timeouts_are_refused)
{
    pool_t *pool = fx_pool(0, 0, 1);
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, -1), POOL_ERR_INVALID);
    CHECK_STATUS(pool_acquire(pool, &r, INT64_MIN), POOL_ERR_INVALID);
    CHECK_INT(fx.calls[FX_FACTORY], 0);
    fx_finish(pool);
}

static void check_wall_clock_step(int seconds)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_caller patient;
    fx_start_waiting(&patient, pool, 60000);
    atomic_store(&wall_step_s, seconds);
    int64_t start = check_now_ns();
    pool_status_t status;
    CHECK_PTR(fx_acquire(pool, 40, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    CHECK(check_now_ns() - start >= 40 * MS);
    CHECK(!atomic_load(&patient.done));
    fx_give(pool, r);
    fx_join(&patient);
    CHECK_STATUS(patient.status, POOL_OK);
    CHECK_INT(fx.destroyed, 0);
    fx_give(pool, patient.got);
    fx_finish(pool);
}

TEST(r33_a_wall_clock_set_forwards_changes_no_wait) { check_wall_clock_step(3600); }
TEST(r33_a_wall_clock_set_backwards_changes_no_wait) { check_wall_clock_step(-3600); }

TEST(r34_each_reason_has_its_own_status_and_no_resource)
{
    pool_t *pool = fx_pool(0, 0, 1);
    pool_status_t status;
    fx.script[FX_FACTORY] = fx_refuse;
    CHECK_PTR(fx_acquire(pool, 10, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    fx.script[FX_FACTORY] = NULL;
    fx_resource *r = fx_take(pool);
    CHECK_PTR(fx_acquire(pool, 10, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_TIMEOUT);
    CHECK_PTR(fx_try(pool, &status), NULL);
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_PTR(fx_acquire(NULL, 10, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_INVALID);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_PTR(fx_acquire(pool, 10, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    fx_give(pool, r);
    fx_finish(pool);
}

static bool says_42(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_set_error(pool, 42, "wrong password"), POOL_OK);
    return false;
}

/* Shows R14. */
TEST(r35_the_factorys_own_error_reaches_the_caller_after_one_attempt)
{
    fx.script[FX_FACTORY] = says_42;
    pool_t *pool = fx_pool(0, 0, 2);
    pool_status_t status;
    CHECK_PTR(fx_acquire(pool, 60000, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    int code = 0;
    char text[64];
    CHECK_STATUS(pool_last_error(&code, text, sizeof text), POOL_ERR_FACTORY);
    CHECK_INT(code, 42);
    CHECK_STR(text, "wrong password");
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_finish(pool);
}

/*
 * Giving back (B48 to B57): what release does in which order, who owns what, and how idle resources
 * are kept (B12, B22, B23, B28).
 */
#include "fixture.h"

#include <sys/mman.h>

static check_gate gate = CHECK_GATE_INIT;

static bool wait_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    check_gate_pass(&gate);
    return true;
}

/* A thread that releases. */
typedef struct releaser {
    pool_t *pool;
    void *resource;
    pool_status_t status;
    pthread_t thread;
    atomic_int done;
} releaser;

static void *release(void *arg)
{
    releaser *self = arg;
    self->status = pool_release(self->pool, self->resource);
    atomic_store(&self->done, 1);
    return NULL;
}

static void start_release(releaser *self, pool_t *pool, fx_resource *r)
{
    memset(self, 0, sizeof *self);
    self->pool = pool;
    self->resource = r;
    atomic_store(&r->owned, 0);
    self->thread = check_thread(release, self);
}

/* A waiter that this thread drives, so that it is woken but does not run until told to. */
static void park_op(pool_t *pool, pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, op, 0), POOL_OK);
    CHECK_INT(pool_op_next(op, NULL, &ask), POOL_ASK_WAIT);
}

static void *run_op(pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_INT(pool_op_next(op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    return ask.resource;
}

/* ---- How idle resources are kept ------------------------------------------------------------ */

TEST(b12_idle_storage_grows_and_keeps_its_order)
{
    enum { N = 1000 };
    static fx_resource *held[N];
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 6, N);
    for (int i = 0; i < 5; i++) /* moves the start of the queue away from that of its memory */
        fx_give(pool, fx_take(pool));
    for (int i = 0; i < N; i++)
        held[i] = fx_take(pool);
    CHECK_COUNTS(pool, 0, N, 0);
    for (int i = 0; i < N; i++)
        fx_give(pool, held[i * 7 % N]);
    CHECK_COUNTS(pool, N, 0, 0);
    for (int i = 0; i < N; i++)
        CHECK_PTR(fx_take(pool), held[i * 7 % N]);
    CHECK_INT(fx.created, N);
    for (int i = 0; i < N; i++)
        fx_give(pool, held[i]);
    fx_finish(pool);
}

TEST(b22_a_rejected_release_does_not_refill_to_min)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 2, 4);
    fx_give(pool, fx_take(pool));
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(fx.calls[FX_FACTORY], 2);
    fx_finish(pool);
}

TEST(b23_the_pool_never_shrinks_by_itself)
{
    fx_resource *held[5];
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 5);
    for (int i = 0; i < 5; i++)
        held[i] = fx_take(pool);
    for (int i = 0; i < 5; i++)
        fx_give(pool, held[i]);
    for (int i = 0; i < 1000; i++)
        fx_give(pool, fx_take(pool));
    CHECK_COUNTS(pool, 5, 0, 0);
    CHECK_INT(fx.destroyed, 0);
    fx_finish(pool);
}

TEST(b28_the_resource_that_is_idle_longest_is_lent_first)
{
    pool_t *pool = fx_pool(0, 2, 2);
    fx_resource *one = fx_take(pool);
    CHECK_INT(one->id, 1);
    fx_give(pool, one);
    fx_resource *two = fx_take(pool);
    CHECK_INT(two->id, 2);
    fx_give(pool, two);
    fx_log_clear();
    CHECK_STATUS(pool_close(pool), POOL_OK); /* ends them in the same order */
    CHECK_STR(fx_log(), "destructor(1) destructor(2)");
    fx_finish(pool);
}

/* ---- What release does ---------------------------------------------------------------------- */

TEST(b09_b48_an_accepted_resource_returns_to_idle_and_count_stays)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_try(pool, NULL);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(pool_count(pool), 1);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_INT(pool_count(pool), 1);
    CHECK_PTR(fx_try(pool, NULL), r);
    fx_give(pool, r);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_finish(pool);
}

static bool active_still(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    CHECK_COUNTS(pool, 0, 1, 0);
    return call != 2;
}

TEST(b49_release_asks_the_hook_then_keeps_or_destroys)
{
    fx.script[FX_BEFORE_RELEASE] = fx.script[FX_DESTRUCTOR] = active_still;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_give(pool, fx_take(pool)); /* accepted */
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_give(pool, fx_take(pool)); /* rejected */
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_give(pool, r); /* accepted, but the pool is closed */
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_STR(fx_log(), "factory(1) before_release(1) before_release(1) destructor(1) "
                        "factory(2) before_release(2) destructor(2)");
    fx_finish(pool);
}

TEST(b50_release_into_a_closed_pool_destroys_before_it_returns)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 0); /* close leaves alone what is lent */
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b50_release_after_the_last_unref_destroys)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_take(pool);
    pool_unref(pool);
    CHECK_INT(fx_live(), 1);
    CHECK_INT(pool_debug_live(), 1);
    fx_give(pool, r);
    CHECK_STR(fx_log(), "factory(1) before_release(1) destructor(1)");
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(b51_one_release_wakes_one_waiter)
{
    fx_caller first, second;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&first, pool, 0);
    fx_start_waiting(&second, pool, 0);
    fx_give(pool, r);
    fx_join(&first);
    CHECK_PTR(first.got, r);
    CHECK_COUNTS(pool, 0, 1, 1);
    CHECK_INT(second.done, 0);
    fx_give(pool, r);
    fx_join(&second);
    CHECK_PTR(second.got, r);
    CHECK_INT(fx.calls[FX_FACTORY], 1);
    fx_give(pool, r);
    fx_finish(pool);
}

static void *guarded; /* memory that nobody may touch */

static bool make_guarded(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = guarded;
    return true;
}

static int releases;

static bool refuse_first_release(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return ++releases != 1;
}

/* Shows B152. */
TEST(b52_the_pool_never_touches_what_a_resource_points_to)
{
    guarded = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(guarded != MAP_FAILED);
    pool_t *pool = pool_create_internal(make_guarded, NULL, NULL, NULL, refuse_first_release, 1, 1, 0);
    CHECK(pool != NULL);
    void *r;
    for (int i = 0; i < 3; i++) { /* rejected, accepted, accepted into a closed pool */
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_PTR(r, guarded);
        if (i == 2)
            CHECK_STATUS(pool_close(pool), POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    pool_unref(pool);
}

static bool complain(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    CHECK_STATUS(pool_set_error(pool, call, "cannot end it"), POOL_OK);
    return false;
}

TEST(b55_a_destructor_that_reports_an_error_fails_nothing)
{
    fx_caller waiter;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx.script[FX_DESTRUCTOR] = complain;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&waiter, pool, 0);
    fx_give(pool, r);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_OK);
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_OK);
    CHECK_INT(waiter.got->id, 2);
    fx_give(pool, waiter.got);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b56_release_lasts_as_long_as_its_hook_and_the_resource_stays_active)
{
    releaser one;
    pool_status_t status;
    fx.script[FX_BEFORE_RELEASE] = wait_at_gate;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    start_release(&one, pool, fx_take(pool));
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    CHECK_COUNTS(pool, 0, 1, 0);
    CHECK_INT(one.done, 0);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    check_gate_open(&gate);
    check_join(one.thread);
    CHECK_STATUS(one.status, POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(b57_release_does_not_wait_for_the_waiter_it_wakes)
{
    pool_op_t first, second;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    park_op(pool, &first);
    park_op(pool, &second);
    CHECK_COUNTS(pool, 0, 1, 2);
    fx_give(pool, r); /* returns, though no waiter runs */
    CHECK_COUNTS(pool, 1, 0, 1);
    CHECK_PTR(run_op(&first), r);
    fx_give(pool, r);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_PTR(run_op(&second), r);
    fx_give(pool, r);
    fx_finish(pool);
}

/* ---- Only what is lent can be given back ---------------------------------------------------- */

static void check_not_owned(pool_t *pool, void *resource)
{
    pool_snapshot_t before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    CHECK_STATUS(pool_snapshot(pool, &before), POOL_OK);
    fx_log_clear();
    CHECK_STATUS(pool_release(pool, resource), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_snapshot(pool, &after), POOL_OK);
    CHECK_STR(fx_log(), "");
    CHECK_INT(after.idle, before.idle);
    CHECK_INT(after.active, before.active);
    CHECK_INT(after.reserved, before.reserved);
}

static int words;

static bool make_word(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = (void *)(uintptr_t)(++words);
    return true;
}

/* Shows S6. */
TEST(b53_null_never_lent_or_prewarmed_words_are_not_owned)
{
    int mine;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 3);
    check_not_owned(pool, NULL);
    check_not_owned(pool, &mine);
    fx_resource *r = fx_take(pool); /* with something lent the answer is the same */
    check_not_owned(pool, NULL);
    check_not_owned(pool, &mine);
    fx_give(pool, r);
    fx_finish(pool);

    pool = pool_create_internal(make_word, NULL, NULL, NULL, NULL, 1, 1, 0);
    CHECK(pool != NULL);
    check_not_owned(pool, (void *)(uintptr_t)1); /* exists, idle, was never lent */
    CHECK_COUNTS(pool, 1, 0, 0);
    pool_unref(pool);
}

/* Shows S6. */
TEST(b53_a_second_release_is_refused)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    fx_resource *a = fx_take(pool), *b = fx_take(pool);
    fx_give(pool, a);
    check_not_owned(pool, a);
    CHECK_COUNTS(pool, 1, 1, 0);
    fx_give(pool, b);
    check_not_owned(pool, a);
    check_not_owned(pool, b);
    CHECK_COUNTS(pool, 2, 0, 0);
    CHECK_PTR(fx_take(pool), a); /* lent again: the next release is a first one */
    fx_give(pool, a);
    fx_finish(pool);
}

/* Shows S6. */
TEST(b53_another_pools_resource_is_refused)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2), *other = fx_pool(FX_WITH_ALL, 0, 2);
    fx_resource *ours = fx_take(pool), *theirs = fx_take(other);
    check_not_owned(pool, theirs);
    check_not_owned(other, ours);
    fx_give(other, theirs);
    fx_give(pool, ours);
    pool_unref(other);
    fx_finish(pool);
}

/* Shows S6. */
TEST(b53_a_destroyed_resource_is_refused)
{
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    fx_resource *r = fx_take(pool);
    uintptr_t word = (uintptr_t)r;
    fx_give(pool, r);
    check_not_owned(pool, (void *)word);
    r = fx_take(pool);
    word = (uintptr_t)r;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_give(pool, r);
    check_not_owned(pool, (void *)word); /* in a closed pool as well */
    fx_finish(pool);
}

/* Shows S6. */
TEST(b53_a_release_while_another_runs_its_hook_is_refused)
{
    releaser one;
    fx.script[FX_BEFORE_RELEASE] = wait_at_gate;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    start_release(&one, pool, r);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    check_not_owned(pool, r);
    check_gate_open(&gate);
    check_join(one.thread);
    CHECK_STATUS(one.status, POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

enum { RACES = 2000, OVER = -1 }; /* OVER: begun says that there are no more */
static pthread_barrier_t barrier;
enum { DROPS = 60000 / (CHECK_SLOWDOWN * CHECK_SLOWDOWN) };
static pool_t *shared;
static atomic_int begun, ended;

/* The moments at which the two threads drop theirs are varied until they meet. */
static void drop_after(int delay)
{
    for (volatile int i = 0; i < delay;)
        i++;
    pool_unref(shared);
}

static void *drop_reference(void *unused)
{
    for (int i = 1;; i++) {
        WAIT_FOR(begun == i || begun == OVER);
        if (begun == OVER)
            return unused;
        drop_after(i % 40);
        ended = i;
    }
}

TEST(b50_two_threads_that_drop_the_last_references_at_once_close_the_pool)
{
    fx.quiet = true;
    pthread_t other = check_thread(drop_reference, NULL);
    for (int i = 1; i <= DROPS && check_time_left(); i++) {
        shared = pool_ref(fx_pool(0, 1, 1));
        begun = i;
        drop_after(i / 40 % 40);
        WAIT_FOR(ended == i);
        CHECK_INT(fx_live(), 0);
        CHECK_INT(pool_debug_live(), 0);
    }
    begun = OVER;
    check_join(other);
}

static void *race(void *arg)
{
    releaser *self = arg;
    for (int i = 0; i < RACES; i++) {
        pthread_barrier_wait(&barrier); /* something is lent */
        self->status = pool_release(self->pool, self->resource);
        pthread_barrier_wait(&barrier); /* both have tried */
    }
    return NULL;
}

/* Shows S6. */
TEST(b53_of_two_threads_that_release_at_once_exactly_one_succeeds)
{
    releaser racers[2] = {0};
    fx.quiet = true;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 1, 1);
    fx_resource *r = fx_take(pool);
    fx_give(pool, r);
    CHECK_INT(pthread_barrier_init(&barrier, NULL, 3), 0);
    for (int i = 0; i < 2; i++) {
        racers[i].pool = pool;
        racers[i].resource = r;
        racers[i].thread = check_thread(race, &racers[i]);
    }
    for (int i = 0; i < RACES; i++) {
        CHECK_PTR(fx_take(pool), r);
        atomic_store(&r->owned, 0);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        bool first = racers[0].status == POOL_OK;
        CHECK_STATUS(racers[!first].status, POOL_OK);
        CHECK_STATUS(racers[first].status, POOL_ERR_NOT_OWNED);
        CHECK_COUNTS(pool, 1, 0, 0);
    }
    check_join(racers[0].thread);
    check_join(racers[1].thread);
    CHECK_INT(fx.calls[FX_BEFORE_RELEASE], RACES + 1);
    pthread_barrier_destroy(&barrier);
    fx_finish(pool);
}

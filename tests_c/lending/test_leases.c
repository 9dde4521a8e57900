/*
 * Leases (P46 to P49): one lend has one number, which ends with it, in whatever way that ends, and never comes again.
 */
#include "loop.h"
#include "watcher.h"

/* Borrows by lease, or fails the test; checks that nobody else holds it. */
static pool_lease_t lease_take(pool_t *pool)
{
    pool_lease_t lease = {&lease, 1};
    CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_OK);
    CHECK(lease.resource != NULL);
    CHECK(lease.id != 0);
    CHECK_INT(atomic_exchange(&((fx_resource *)lease.resource)->owned, 1), 0);
    return lease;
}

static void not_held(pool_lease_t lease) { atomic_store(&((fx_resource *)lease.resource)->owned, 0); }

static void lease_give(pool_t *pool, pool_lease_t lease)
{
    not_held(lease);
    CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
}

static pool_status_t (*const ops[])(pool_t *, pool_op_t *, const pool_lease_t *) = {
    pool_op_release_lease, pool_op_discard_lease, pool_op_detach_lease};

/* Nobody gets anything for it, in any way, and nothing is called. */
static void check_stale(pool_t *pool, pool_lease_t lease)
{
    static pool_status_t (*const calls[])(pool_t *, const pool_lease_t *) = {
        pool_release_lease, pool_discard_lease, pool_detach_lease};
    pool_snapshot_t before = {.struct_size = sizeof before}, after = before;
    int hooks = fx_calls();
    CHECK_STATUS(pool_snapshot(pool, &before), POOL_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(calls[i](pool, &lease), POOL_ERR_NOT_OWNED);
        FX_SAID(POOL_ERR_NOT_OWNED, "not lent by this pool");
    }
    for (int i = 0; i < 3; i++) {
        pool_op_t op;
        pool_ask_t ask = POOL_ASK_INIT;
        CHECK_STATUS(ops[i](pool, &op, &lease), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
        CHECK_STATUS(ask.status, POOL_ERR_NOT_OWNED);
        CHECK_PTR(ask.resource, NULL);
        CHECK_INT(ask.lease, 0);
    }
    CHECK_STATUS(pool_snapshot(pool, &after), POOL_OK);
    CHECK_INT(memcmp(&before, &after, sizeof before), 0);
    CHECK_INT(fx_calls(), hooks);
}

static const unsigned kinds[] = {0, FX_WITH_ACQUIRE, FX_WITH_RELEASE, FX_WITH_ALL};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- one lend ---- */

TEST(p46_a_stale_lease_is_refused_whoever_holds_the_resource_now)
{
    for (int k = 0; k < KINDS; k++) {
        pool_t *pool = fx_pool(kinds[k], 1, 1);
        pool_lease_t first = lease_take(pool);
        lease_give(pool, first);
        check_stale(pool, first); /* idle */
        fx_resource *r = fx_take(pool);
        CHECK_PTR(r, first.resource);
        check_stale(pool, first); /* lent by word */
        fx_give(pool, r);
        pool_lease_t second = lease_take(pool);
        CHECK_PTR(second.resource, first.resource);
        CHECK(second.id != first.id);
        check_stale(pool, first); /* lent by another lease */
        lease_give(pool, second);
        fx_finish(pool);
    }
}

TEST(p46_an_id_is_never_used_twice_whatever_pools_come_and_go)
{
    enum { POOLS = 20, LENDS = 50 };
    static uint64_t ids[POOLS * LENDS];
    size_t n = 0;
    for (int i = 0; i < POOLS; i++) {
        pool_t *pool = fx_pool(i % 2 ? FX_WITH_RELEASE : 0, 0, 3);
        pool_lease_t kept = lease_take(pool);
        ids[n++] = kept.id;
        for (int k = 1; k < LENDS; k++) {
            pool_lease_t lease = lease_take(pool);
            ids[n++] = lease.id;
            lease_give(pool, lease);
        }
        lease_give(pool, kept);
        fx_finish(pool);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(ids[i] != ids[k] && ids[i] != 0);
}

TEST(p46_a_lease_of_another_pool_is_none)
{
    pool_t *one = fx_pool(0, 1, 1), *other = fx_pool(0, 1, 1);
    pool_lease_t a = lease_take(one), b = lease_take(other);
    CHECK(a.id != b.id);
    check_stale(other, a);
    check_stale(one, b);
    check_stale(one, (pool_lease_t){a.resource, 0});
    check_stale(one, (pool_lease_t){a.resource, 1});
    check_stale(one, (pool_lease_t){a.resource, a.id + 1});
    check_stale(one, (pool_lease_t){a.resource, a.id ^ (uint64_t)1 << 63});
    check_stale(one, (pool_lease_t){a.resource, UINT64_MAX});
    a.resource = b.resource; /* the id counts */
    not_held(a);
    CHECK_STATUS(pool_release_lease(one, &a), POOL_OK);
    not_held(b);
    CHECK_STATUS(pool_release_lease(other, &b), POOL_OK);
    pool_unref(other);
    pool_unref(one);
    CHECK_INT(fx_live(), 0);
}

TEST(p46_leases_outlive_growing)
{
    enum { MANY = 40000, LATE = 20000 };
    static pool_lease_t leases[MANY];
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 0, MANY);
    for (int i = 0; i < MANY; i++) /* the ids of the first have fewer bits for the number than those of the last */
        leases[i] = i < LATE ? lease_take(pool) : (pool_lease_t){fx_take(pool), 0};
    for (int i = LATE; i < MANY; i++) /* what was made for others */
        fx_give(pool, leases[i].resource);
    for (int i = LATE; i < MANY; i++)
        leases[i] = lease_take(pool);
    for (int i = 0; i < MANY; i += 2)
        lease_give(pool, leases[i]);
    for (int i = 0; i < MANY; i += 1000)
        check_stale(pool, leases[i]);
    for (int i = 0; i < MANY; i += 2) {
        pool_lease_t lease = lease_take(pool);
        CHECK(lease.id != leases[i].id);
        leases[i] = lease;
    }
    for (int i = 0; i < MANY; i++)
        lease_give(pool, leases[MANY - 1 - i]);
    CHECK_COUNTS(pool, MANY, 0, 0);
    CHECK_STATUS(pool_resize(pool, 0, 10), POOL_OK); /* pages go, and come again */
    CHECK_STATUS(pool_resize(pool, 0, MANY), POOL_OK);
    pool_lease_t again[50];
    for (int i = 0; i < 50; i++)
        again[i] = lease_take(pool);
    for (int i = 0; i < MANY; i += 100)
        CHECK_STATUS(pool_release_lease(pool, &leases[i]), POOL_ERR_NOT_OWNED);
    for (int i = 0; i < 50; i++)
        lease_give(pool, again[i]);
    fx_finish(pool);
}

/* ---- how a lend ends ---- */

TEST(p47_a_lend_by_lease_ends_by_its_word_too)
{
    for (int k = 0; k < KINDS; k++) {
        pool_t *pool = fx_pool(kinds[k], 0, 3);
        pool_lease_t a = lease_take(pool), b = lease_take(pool), c = lease_take(pool);
        fx_give(pool, a.resource);
        check_stale(pool, a);
        not_held(b);
        CHECK_STATUS(pool_discard(pool, b.resource), POOL_OK);
        check_stale(pool, b);
        fx_resource *r = c.resource;
        CHECK_STATUS(pool_detach(pool, r), POOL_OK);
        check_stale(pool, c);
        fx.destroyed++; /* as its owner would */
        free(r);
        fx_finish(pool);
    }
}

TEST(p47_discard_and_detach_by_lease_take_out_this_lend)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    pool_lease_t a = lease_take(pool), b = lease_take(pool);
    fx_log_clear();
    not_held(a);
    CHECK_STATUS(pool_discard_lease(pool, &a), POOL_OK);
    CHECK_STR(fx_log(), "destructor(1)");
    check_stale(pool, a);
    fx_resource *r = b.resource;
    CHECK_STATUS(pool_detach_lease(pool, &b), POOL_OK);
    CHECK_STR(fx_log(), "destructor(1)");
    check_stale(pool, b);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx.destroyed++;
    free(r);
    fx_finish(pool);
}

static bool one_word(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = NULL;
    return true;
}

/* Shows B10. */
TEST(p47_of_equal_words_a_lease_ends_its_own_lend)
{
    void *r;
    pool_lease_t a, b, c;
    pool_t *pool = pool_create_internal(one_word, NULL, NULL, NULL, NULL, 0, 5, 0);
    for (int round = 0; round < 2; round++) { /* what is made, and what is idle */
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_STATUS(pool_acquire_lease(pool, &a, 0), POOL_OK);
        CHECK_STATUS(pool_acquire_lease(pool, &b, 0), POOL_OK);
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_STATUS(pool_acquire_lease(pool, &c, 0), POOL_OK);
        CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
        CHECK_STATUS(pool_release_lease(pool, &b), POOL_OK);
        CHECK_STATUS(pool_release_lease(pool, &b), POOL_ERR_NOT_OWNED);
        CHECK_STATUS(pool_release(pool, NULL), POOL_OK); /* what was lent by word goes first */
        CHECK_STATUS(pool_release_lease(pool, &c), POOL_OK);
        CHECK_STATUS(pool_release_lease(pool, &a), POOL_OK);
        CHECK_STATUS(pool_release(pool, NULL), POOL_ERR_NOT_OWNED);
    }
    CHECK_COUNTS(pool, 5, 0, 0);
    pool_unref(pool);
}

TEST(p47_leases_end_on_a_closed_pool_and_on_one_that_nobody_has)
{
    pool_t *pool = fx_pool(0, 0, 2);
    pool_lease_t a = lease_take(pool), b = lease_take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_lease_t none = a;
    CHECK_STATUS(pool_acquire_lease(pool, &none, 0), POOL_ERR_CLOSED);
    CHECK_PTR(none.resource, NULL);
    CHECK_INT(none.id, 0);
    lease_give(pool, a);
    CHECK_INT(fx.destroyed, 1);
    check_stale(pool, a);
    pool_unref(pool);
    lease_give(pool, b); /* the pool goes with it */
    CHECK_INT(pool_debug_live(), 0);
    CHECK_INT(fx_live(), 0);
}

TEST(p47_what_is_evicted_is_destroyed_when_its_lease_comes_back)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 2);
    pool_lease_t a = lease_take(pool);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    lease_give(pool, a);
    CHECK_INT(fx.destroyed, 1);
    check_stale(pool, a);
    fx_finish(pool);
}

static void *give_last(void *arg)
{
    pool_lease_t *lease = ((void **)arg)[1];
    WAIT_FOR(pool_is_closed(((void **)arg)[0]));
    lease_give(((void **)arg)[0], *lease);
    return NULL;
}

TEST(p47_a_drain_waits_for_leases)
{
    pool_t *pool = fx_pool(0, 0, 2);
    pool_lease_t lease = lease_take(pool);
    void *arg[2] = {pool, &lease};
    pthread_t thread = check_thread(give_last, arg);
    CHECK_STATUS(pool_drain(pool, 0), POOL_OK);
    check_join(thread);
    check_stale(pool, lease);
    fx_finish(pool);
}

/* ---- who waits, and who is served ---- */

typedef struct leaser {
    pool_t *pool;
    pool_lease_t lease;
    pool_status_t status;
    int64_t timeout_ms;
} leaser;

static void *acquire_lease(void *arg)
{
    leaser *l = arg;
    l->lease = (pool_lease_t){l, 1};
    l->status = pool_acquire_lease(l->pool, &l->lease, l->timeout_ms);
    return NULL;
}

TEST(p47_who_waits_is_served_a_lease)
{
    for (int k = 0; k < KINDS; k++) {
        pool_t *pool = fx_pool(kinds[k], 0, 1);
        pool_lease_t first = lease_take(pool);
        leaser waits = {.pool = pool}, late = {.pool = pool, .timeout_ms = 1};
        acquire_lease(&late);
        CHECK_STATUS(late.status, POOL_ERR_TIMEOUT);
        CHECK_PTR(late.lease.resource, NULL);
        CHECK_INT(late.lease.id, 0);
        pthread_t thread = check_thread(acquire_lease, &waits);
        WAIT_FOR(pool_waiting_count(pool) == 1);
        pool_lease_t none = first;
        CHECK_STATUS(pool_try_acquire_lease(pool, &none), POOL_EMPTY);
        CHECK_PTR(none.resource, NULL);
        CHECK_INT(none.id, 0);
        lease_give(pool, first);
        check_join(thread);
        CHECK_STATUS(waits.status, POOL_OK);
        CHECK_PTR(waits.lease.resource, first.resource);
        check_stale(pool, first);
        CHECK_STATUS(pool_release_lease(pool, &waits.lease), POOL_OK);
        CHECK_STATUS(pool_try_acquire_lease(pool, &none), POOL_OK);
        CHECK(none.id != 0 && none.id != waits.lease.id);
        CHECK_STATUS(pool_release_lease(pool, &none), POOL_OK);
        fx_finish(pool);
    }
}

TEST(p47_a_refused_or_failed_lease_is_none)
{
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
    pool_lease_t lease = {&lease, 1};
    fx.script[FX_FACTORY] = fx_refuse;
    CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_ERR_FACTORY);
    CHECK_PTR(lease.resource, NULL);
    CHECK_INT(lease.id, 0);
    fx.script[FX_FACTORY] = NULL;
    lease_give(pool, lease_take(pool));
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    lease = (pool_lease_t){&lease, 1};
    CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_ERR_UNAVAILABLE);
    CHECK_INT(lease.id, 0);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    fx_finish(pool);
}

/* Each hook, on the resource that it is called for. */
static pool_lease_t held;
static atomic_int asked;

static bool inside(pool_t *pool, fx_resource *r, int call)
{
    (void)call;
    if (held.resource == r && r) {
        check_stale(pool, held); /* inside its own hook nothing is lent */
        asked++;
    }
    pool_lease_t other; /* a lend of its own goes on as ever */
    CHECK_STATUS(pool_try_acquire_lease(pool, &other), POOL_EMPTY);
    CHECK_INT(other.id, 0);
    return true;
}

TEST(p47_inside_its_own_hook_a_lease_is_stale)
{
    static const fx_hook hooks[] = {FX_BEFORE_ACQUIRE, FX_BEFORE_RELEASE, FX_DESTRUCTOR};
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
        held = lease_take(pool);
        asked = 0;
        fx.script[hooks[i]] = inside;
        pool_lease_t before = held;
        not_held(before);
        if (hooks[i] == FX_DESTRUCTOR)
            CHECK_STATUS(pool_discard_lease(pool, &before), POOL_OK);
        else
            CHECK_STATUS(pool_release_lease(pool, &before), POOL_OK);
        if (hooks[i] == FX_BEFORE_ACQUIRE)
            lease_give(pool, lease_take(pool));
        CHECK_INT(asked, 1);
        fx.script[hooks[i]] = NULL;
        fx_finish(pool);
    }
}

/* ---- what is wrong ---- */

TEST(p47_what_is_wrong_is_refused_with_a_reason)
{
    pool_lease_t lease = {&lease, 1};
    pool_t *pool = fx_pool(0, 1, 1);
    CHECK_STATUS(pool_acquire_lease(pool, NULL, 0), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "lease is NULL");
    CHECK_STATUS(pool_try_acquire_lease(pool, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_acquire_lease(pool, &lease, -1), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "timeout_ms is negative");
    CHECK_PTR(lease.resource, NULL);
    CHECK_INT(lease.id, 0);
    lease = (pool_lease_t){&lease, 1};
    CHECK_STATUS(pool_acquire_lease(NULL, &lease, 0), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool is NULL or no pool");
    CHECK_INT(lease.id, 0);
    lease = (pool_lease_t){&lease, 1};
    CHECK_STATUS(pool_try_acquire_lease(NULL, &lease), POOL_ERR_INVALID);
    CHECK_INT(lease.id, 0);
    CHECK_STATUS(pool_release_lease(pool, NULL), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "lease is NULL");
    CHECK_STATUS(pool_discard_lease(pool, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_detach_lease(pool, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_release_lease(NULL, &lease), POOL_ERR_INVALID);
    CHECK_STATUS(pool_discard_lease(NULL, &lease), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool is NULL or no pool");
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(ops[i](pool, &op, NULL), POOL_ERR_INVALID);
        FX_SAID(POOL_ERR_INVALID, "lease is NULL");
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
        CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    }
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* ---- ops ---- */

TEST(p48_an_acquire_by_an_op_tells_its_lease)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    answer.ok = true;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_ACQUIRE);
    CHECK_INT(ask.lease, 0);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    pool_lease_t lease = {ask.resource, ask.lease};
    CHECK(lease.id != 0);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE); /* and again */
    CHECK(ask.lease == lease.id);
    CHECK_STATUS(pool_op_release_lease(pool, &op, &lease), POOL_OK);
    lease.id = 0; /* it was read */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_RELEASE);
    CHECK_PTR(ask.resource, lease.resource);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_INT(ask.lease, 0);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

TEST(p48_ops_take_out_by_lease)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    pool_lease_t one = lease_take(pool), two = lease_take(pool), read = one;
    CHECK_STATUS(pool_op_discard_lease(pool, &op, &read), POOL_OK);
    read.id = 0;
    CHECK_COUNTS(pool, 0, 2, 0); /* nothing has happened yet */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DESTROY);
    CHECK_PTR(ask.resource, one.resource);
    check_stale(pool, one);
    pool->destructor.internal(pool, ask.resource);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    check_stale(pool, one);
    CHECK_STATUS(pool_op_detach_lease(pool, &op, &two), POOL_OK);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0); /* it is lent as before */
    CHECK_STATUS(pool_op_detach_lease(pool, &op, &two), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, NULL);
    check_stale(pool, two);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx.destroyed++;
    free(two.resource);
    fx_finish(pool);
}

static pool_t *host_pool(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 1;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

TEST(p48_hosts_that_drive_ops_have_leases)
{
    pool_op_t op, waits;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t made = POOL_ANSWER_INIT;
    pool_lease_t lease;
    int word = 0;
    pool_t *pool = host_pool();
    CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "use pool_op_acquire()");
    CHECK_STATUS(pool_try_acquire_lease(pool, &lease), POOL_PENDING);
    CHECK_INT(lease.id, 0);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    made.ok = true;
    made.resource = &word;
    CHECK_INT(pool_op_next(&op, &made, &ask), POOL_ASK_DONE);
    lease = (pool_lease_t){ask.resource, ask.lease};
    CHECK(lease.id != 0);
    CHECK_STATUS(pool_discard_lease(pool, &lease), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "use pool_op_discard_lease()");
    CHECK_STATUS(pool_detach_lease(pool, &lease), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "use pool_op_detach_lease()");
    CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
    CHECK_STATUS(pool_release_lease(pool, &lease), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_try_acquire_lease(pool, &lease), POOL_OK);
    CHECK(pool_op_join(pool, &waits, 0));
    CHECK_STATUS(pool_release_lease(pool, &lease), POOL_PENDING); /* the host has to know who goes on */
    CHECK(pool_hand_on(pool, &word) == &waits);
    CHECK_PTR(pool_op_take(&waits), &word);
    CHECK_INT(pool_op_next(&waits, NULL, &ask), POOL_ASK_DONE);
    CHECK(ask.lease != 0 && ask.lease != lease.id);
    lease.id = ask.lease;
    CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    pool_unref(pool);
}

static pool_lease_t told_lease;

static void ask_lease(told *t)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(&t->op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, t->status);
    CHECK_PTR(ask.resource, t->got);
    CHECK((ask.lease != 0) == (t->status == POOL_OK));
    told_lease = (pool_lease_t){ask.resource, ask.lease};
}

TEST(p48_a_loop_asks_for_the_lease_in_its_callback)
{
    pool_t *pool = loop_pool(0, 1, 1);
    pool_ask_t ask = POOL_ASK_INIT;
    told first = {.then = ask_lease}, second = {.then = ask_lease}, third = {.then = ask_lease};
    loop_acquire(pool, &first, 0);
    CHECK_INT(pool_op_next(&first.op, NULL, &ask), POOL_ASK_DONE); /* not yet: its loop drives it */
    CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    loop_turn(pool);
    pool_lease_t lease = told_lease;
    CHECK(lease.id != 0);
    loop_acquire(pool, &second, 0);
    loop_acquire(pool, &third, 0);
    lease_give(pool, lease);
    check_stale(pool, lease);
    CHECK_STATUS(pool_op_cancel(&second.op), POOL_OK); /* it was granted its place, which is handed on */
    while (!third.times)
        loop_turn(pool);
    CHECK_STATUS(second.status, POOL_ERR_CANCELLED);
    CHECK_STATUS(third.status, POOL_OK);
    CHECK(told_lease.id != lease.id);
    lease_give(pool, told_lease);
    told late = {.then = ask_lease};
    loop_acquire(pool, &late, 0); /* it has the resource, and is not told of it any more */
    CHECK_STATUS(pool_op_cancel(&late.op), POOL_OK);
    loop_turn(pool);
    CHECK_STATUS(late.status, POOL_ERR_CANCELLED);
    CHECK_INT(told_lease.id, 0);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

/* ---- what it costs ---- */

TEST(p49_leases_never_enter_go)
{
    for (int k = 0; k < KINDS; k++) {
        pool_t *pool = fx_pool(kinds[k], 3, 3);
        pool_lease_t leases[3], other;
        uint64_t before = pool_debug_crossings();
        for (int i = 0; i < 3; i++)
            leases[i] = lease_take(pool);
        CHECK_STATUS(pool_try_acquire_lease(pool, &other), POOL_EMPTY);
        CHECK_STATUS(pool_acquire_lease(pool, &other, 1), POOL_ERR_TIMEOUT);
        for (int i = 0; i < 3; i++)
            lease_give(pool, leases[i]);
        CHECK_STATUS(pool_release_lease(pool, &leases[0]), POOL_ERR_NOT_OWNED);
        fx_give(pool, fx_take(pool));
        leases[0] = lease_take(pool);
        leaser waits = {.pool = pool};
        leases[1] = lease_take(pool);
        leases[2] = lease_take(pool);
        pthread_t thread = check_thread(acquire_lease, &waits);
        WAIT_FOR(pool_waiting_count(pool) == 1);
        lease_give(pool, leases[0]);
        check_join(thread);
        CHECK_STATUS(pool_release_lease(pool, &waits.lease), POOL_OK);
        lease_give(pool, leases[1]);
        fx_give(pool, leases[2].resource);
        CHECK_INT(pool_debug_crossings() - before, 0);
        fx_finish(pool);
    }
}

/* More leases than one block of ids has for an entry. */
TEST(p49_another_block_of_ids_needs_no_go)
{
    fx.quiet = true;
    pool_t *pool = fx_pool(0, 1, 1);
    uint64_t before = pool_debug_crossings(), last = 0;
    pool_lease_t lease;
    for (int i = 0; i < 70000; i++) {
        CHECK_STATUS(pool_acquire_lease(pool, &lease, 0), POOL_OK);
        CHECK(lease.id > last);
        last = lease.id;
        CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
    }
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_finish(pool);
}

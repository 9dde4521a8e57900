/*
 * What one thread hands to another by a word of the library, as litmus tests: who is woken, told, or let go on sees all
 * that was done before. Plain words are what must be seen, so the thread sanitizer looks at the same orders.
 */
#include "litmus.h"
#include "loop.h"

#include <asyncpool/pool_api.h>

static pool_t *pool;
static litmus_word one, two, seen[2];
static atomic_int wrongs; /* of the round */

static bool went_wrong(int round)
{
    (void)round;
    return atomic_exchange(&wrongs, 0) > 0;
}

/* ---- the wake word of an op: an exchange, and a load that acquires ---- */

static fx_resource *held;
static pool_op_t op;
static int64_t until_ns;

static void stands_in_line(int round)
{
    (void)round;
    held = fx_take(pool);
    CHECK(pool_op_join(pool, &op, 0));
}

static void writes_and_gives_back(int round)
{
    one.value = two.value = round;
    fx_give(pool, held);
}

static void is_woken(int round)
{
    while (pool_op_wait(&op, until_ns) != POOL_OK)
        sched_yield();
    wrongs += one.value != round || two.value != round;
    CHECK(pool_op_take(&op) == held);
    CHECK_STATUS(pool_release(pool, held), POOL_OK);
}

static void wake(int64_t until)
{
    litmus test = {.before = stands_in_line, .part = {writes_and_gives_back, is_woken}, .wrong = went_wrong};
    fx.quiet = true;
    until_ns = until;
    held = NULL;
    pool = fx_pool(0, 1, 1);
    CHECK_INT(litmus_play(&test), 0);
    fx_finish(pool);
}

TEST(who_looks_whether_it_was_woken_sees_what_was_written_before) { wake(0); }

/* And whenever the release comes on its way to sleep, it is woken: else the test would not end. */
TEST(who_sleeps_is_woken_and_sees_what_was_written_before) { wake(INT64_MAX); }

/* ---- what is idle: handed over by the lock, in calls that know nothing of each other ---- */

static void writes_and_lends_on(int round)
{
    void *resource;
    if (pool_try_acquire(pool, &resource) != POOL_OK)
        return;
    (void)round;
    wrongs += one.value != two.value;
    one.value++;
    two.value++;
    CHECK_STATUS(pool_release(pool, resource), POOL_OK);
}

TEST(who_is_lent_what_is_idle_sees_what_was_written_before)
{
    litmus test = {.part = {writes_and_lends_on, writes_and_lends_on, writes_and_lends_on}, .wrong = went_wrong};
    fx.quiet = true;
    pool = fx_pool(0, 1, 1);
    CHECK_INT(litmus_play(&test), 0);
    CHECK(one.value > 0);
    fx_finish(pool);
}

/* ---- calls of a callback that end: a count that rises under the lock ---- */

static void on_event(pool_event_t *event, pool_event_callback_t *callback, pool_event_kind_t kind)
{
    (void)event, (void)callback, (void)kind;
    wrongs += two.value; /* it was taken away, and that has returned */
    one.value = 1;
    litmus_pause(16);
    one.value = 0;
}

static pool_event_callback_t observer = {.callback = on_event};

static void is_observed(int round)
{
    (void)round;
    two.value = 0;
    held = fx_take(pool);
    CHECK_STATUS(pool->event.add_callback(&pool->event, &observer), POOL_OK);
}

static void makes_it_tell(int round)
{
    (void)round;
    fx_give(pool, held);
}

static void takes_it_away(int round)
{
    (void)round;
    CHECK_STATUS(pool->event.del_callback(&pool->event, &observer), POOL_OK);
    wrongs += one.value;
    two.value = 1;
}

TEST(who_has_taken_a_callback_away_sees_all_that_it_has_done)
{
    litmus test = {.before = is_observed, .part = {makes_it_tell, takes_it_away}, .wrong = went_wrong};
    fx.quiet = true;
    pool = fx_pool(0, 1, 1);
    CHECK_INT(litmus_play(&test), 0);
    fx_finish(pool);
}

/* ---- the end of an async op: a store that releases, and a load that acquires ---- */

static told t;
static pool_status_t asked;
static void *asked_of;

static void is_begun(int round)
{
    (void)round;
    t = (told){0};
    loop_acquire(pool, &t, 0);
}

static void cancels_and_tells(int round)
{
    if (round % 2)
        CHECK_STATUS(pool_op_cancel(&t.op), POOL_OK);
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
}

/* Until then it is the loop's. */
static void asks(int round)
{
    pool_ask_t ask = POOL_ASK_INIT;
    (void)round;
    do
        CHECK_INT(pool_op_next(&t.op, NULL, &ask), POOL_ASK_DONE);
    while (ask.status == POOL_ERR_INVALID);
    asked = ask.status;
    asked_of = ask.resource;
}

static bool is_told_otherwise(int round)
{
    CHECK_STATUS(t.status, round % 2 ? POOL_ERR_CANCELLED : POOL_OK);
    bool wrong = asked != t.status || asked_of != t.got;
    if (t.got)
        fx_give(pool, t.got);
    return wrong;
}

TEST(an_async_op_says_of_its_end_what_its_callback_is_told)
{
    litmus test = {.before = is_begun, .part = {cancels_and_tells, asks}, .wrong = is_told_otherwise};
    fx.quiet = true;
    pool = loop_pool(0, 1, 1);
    CHECK_INT(litmus_play(&test), 0);
    fx_finish(pool);
}

/* ---- sizes that anybody reads without the lock: one word, which does not go back ---- */

static void grows(int round)
{
    for (uint32_t i = 1; i <= 4; i++)
        CHECK_STATUS(pool_resize(pool, 0, 4 * (uint32_t)round + i), POOL_OK);
}

static void reads_sizes(int round)
{
    uint32_t last = 0;
    (void)round;
    for (int i = 0; i < 64; i++) {
        uint32_t size = __atomic_load_n(&pool->max_size, __ATOMIC_RELAXED);
        wrongs += size < last;
        last = size;
    }
}

TEST(a_size_that_only_grows_is_never_read_smaller)
{
    litmus test = {.part = {grows, reads_sizes}, .wrong = went_wrong};
    fx.quiet = true;
    pool = fx_pool(0, 0, 1);
    CHECK_INT(litmus_play(&test), 0);
    fx_finish(pool);
}

/* ---- the table that a host registers ---- */

static pool_api_t tables[2]; /* never the one that is in use */
static litmus_word *before_it = &seen[0];

static void registers(int round)
{
    pool_api_t *table = &tables[round % 2];
    *table = (pool_api_t){.abi_version = POOL_ABI_VERSION, .struct_size = sizeof *table};
    before_it->value = round;
    CHECK(pool_api_register(table));
}

static void finds_it(int round)
{
    const pool_api_t *table;
    while ((table = pool_api_current()) != &tables[round % 2])
        sched_yield();
    wrongs += table->abi_version != POOL_ABI_VERSION || table->struct_size != sizeof *table;
    wrongs += before_it->value != round;
}

static bool leaves_it(int round)
{
    tables[(round + 1) % 2] = (pool_api_t){0}; /* the next one */
    return went_wrong(round);
}

TEST(who_finds_the_table_sees_what_is_in_it)
{
    litmus test = {.part = {registers, finds_it}, .wrong = leaves_it};
    CHECK_INT(litmus_play(&test), 0);
    CHECK(pool_api_register(NULL));
}

/* ---- ids of leases: blocks of one counter, which nobody else gets ---- */

enum { POOLS = 200 / CHECK_SLOWDOWN + 1 };
static uint64_t ids[2][POOLS];
static pool_t *pools[2][POOLS];

static void lend_by_lease(int part)
{
    for (int i = 0; i < POOLS; i++) {
        pool_lease_t lease;
        CHECK_STATUS(pool_acquire_lease(pools[part][i], &lease, 0), POOL_OK);
        ids[part][i] = lease.id;
        CHECK_STATUS(pool_release_lease(pools[part][i], &lease), POOL_OK);
    }
}

static void *lends_too(void *arg)
{
    lend_by_lease(1);
    return arg;
}

static int by_id(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

TEST(two_pools_never_give_one_id)
{
    fx.quiet = true;
    for (int i = 0; i < 2 * POOLS; i++)
        pools[i % 2][i / 2] = fx_pool(0, 1, 1);
    pthread_t other = check_thread(lends_too, NULL);
    lend_by_lease(0);
    check_join(other);
    qsort(ids, 2 * POOLS, sizeof(uint64_t), by_id);
    int twice = 0;
    for (int i = 1; i < 2 * POOLS; i++)
        twice += (&ids[0][0])[i] == (&ids[0][0])[i - 1];
    CHECK_INT(twice, 0);
    for (int i = 0; i < 2 * POOLS; i++)
        pool_unref(pools[i % 2][i / 2]);
    CHECK_INT(pool_debug_live(), 0);
}

/*
 * The schedule of bridge/, against a plain list of times. It looks behind the public header: the schedule is compiled
 * into it, and takes its memory from here.
 */
#include "../../bridge/memory.h"
#include "../../bridge/schedule.h"
#include "check.h"

enum { MEMBERS = 300 };

/* ---- the memory of the schedule ---- */

static int blocks, allocations;
static bool no_memory;

void *ap__alloc(size_t alignment, size_t size)
{
    CHECK(alignment <= _Alignof(max_align_t));
    if (no_memory)
        return NULL;
    blocks++;
    allocations++;
    return calloc(1, size);
}

void ap__dealloc(void *memory)
{
    blocks -= memory != NULL;
    free(memory);
}

/* ---- the model ---- */

typedef struct model {
    ap_schedule_t schedule;
    ap_due_t dues[MEMBERS];
    bool joined[MEMBERS], in[MEMBERS];
    int64_t at[MEMBERS];
    uint64_t seed;
} model;

static model m;

static void begin(uint64_t seed)
{
    memset(&m, 0, sizeof m);
    m.seed = seed;
}

static uint64_t roll(void)
{
    m.seed ^= m.seed << 13;
    m.seed ^= m.seed >> 7;
    m.seed ^= m.seed << 17;
    return m.seed;
}

/* The soonest is first, and each one knows its place. */
static void check(void)
{
    int64_t soonest = INT64_MAX;
    uint32_t in = 0, joined = 0;
    for (int i = 0; i < MEMBERS; i++) {
        joined += m.joined[i];
        CHECK_INT(m.dues[i].place != 0, m.in[i]);
        if (!m.in[i])
            continue;
        in++;
        CHECK(m.schedule.heap[m.dues[i].place - 1] == &m.dues[i]);
        CHECK(m.dues[i].at_ns == m.at[i]);
        if (m.at[i] < soonest)
            soonest = m.at[i];
    }
    CHECK_INT(m.schedule.size, in);
    CHECK_INT(m.schedule.members, joined);
    const ap_due_t *first = ap__schedule_first(&m.schedule);
    CHECK_INT(first != NULL, in > 0);
    if (first)
        CHECK(first->at_ns == soonest);
}

static bool join(int i) { return m.joined[i] = ap__schedule_join(&m.schedule); }

static void quit(int i)
{
    ap__schedule_quit(&m.schedule);
    m.joined[i] = false;
}

static void put(int i, int64_t at)
{
    ap__schedule_put(&m.schedule, &m.dues[i], at);
    m.in[i] = true;
    m.at[i] = at;
}

static void take(int i)
{
    ap__schedule_take(&m.schedule, &m.dues[i]);
    m.in[i] = false;
}

static int first(void) { return (int)(ap__schedule_first(&m.schedule) - m.dues); }

TEST(nothing_is_due_at_first)
{
    begin(1);
    check();
    CHECK(join(0));
    check(); /* who has joined is not in it yet */
    quit(0);
    CHECK_INT(blocks, 0);
}

TEST(members_come_out_in_order_of_their_times)
{
    static const int64_t times[] = {50, 10, 40, 10, 30, INT64_MAX, INT64_MIN, 20, 0, -1};
    enum { N = sizeof times / sizeof *times };
    begin(1);
    for (int i = 0; i < N; i++) {
        CHECK(join(i));
        put(i, times[i]);
        check();
    }
    int64_t before = INT64_MIN;
    for (int i = 0; i < N; i++) {
        int next = first();
        CHECK(m.at[next] >= before);
        before = m.at[next];
        take(next);
        check();
        quit(next);
    }
    CHECK_INT(blocks, 0);
}

/* The one that is taken out may be anywhere: who fills its place moves up or down. */
TEST(any_member_may_be_taken_out)
{
    for (int which = 0; which < 64; which++) {
        begin((uint64_t)which + 1);
        for (int i = 0; i < 64; i++) {
            CHECK(join(i));
            put(i, (int64_t)(roll() % 100));
        }
        take(which);
        check();
        quit(which);
        while (m.schedule.size > 0) {
            int next = first();
            take(next);
            check();
            quit(next);
        }
        CHECK_INT(blocks, 0);
    }
}

TEST(a_member_that_comes_back_needs_no_memory)
{
    begin(1);
    for (int i = 0; i < MEMBERS; i++) {
        CHECK(join(i));
        put(i, i);
    }
    int before = allocations;
    no_memory = true;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MEMBERS; i++)
            take(i);
        check(); /* all are out, to be served */
        for (int i = 0; i < MEMBERS; i++)
            put(i, (int64_t)(roll() % 1000));
        check();
    }
    CHECK_INT(allocations, before);
    for (int i = 0; i < MEMBERS; i++) {
        take(i);
        quit(i);
    }
    CHECK_INT(blocks, 0);
}

TEST(without_memory_nobody_joins_and_nothing_changes)
{
    begin(1);
    int joined = 0, refused = 0;
    for (int i = 0; i < MEMBERS; i++) {
        no_memory = true;
        if (!join(i)) { /* there was no room left */
            refused++;
            check();
            no_memory = false;
            CHECK(join(i));
        }
        joined++;
        put(i, (int64_t)(roll() % 1000));
        check();
    }
    CHECK_INT(joined, MEMBERS);
    CHECK(refused > 1 && refused < 10); /* the room doubles */
    for (int i = 0; i < MEMBERS; i++) {
        take(i);
        quit(i);
    }
    CHECK_INT(blocks, 0);
}

static void random_history(uint64_t seed)
{
    begin(seed * UINT64_C(0x9E3779B97F4A7C15));
    int served = 0;
    for (int step = 0; step < 4000; step++) {
        int i = (int)(roll() % MEMBERS);
        if (roll() % 3 == 0 && m.schedule.size > 0) { /* the first is served, and comes back later */
            i = first();
            int64_t now = m.at[i];
            take(i);
            check();
            put(i, now + (int64_t)(roll() % 50));
            served++;
        } else if (!m.joined[i]) {
            CHECK(join(i));
            put(i, (int64_t)(roll() % 1000));
        } else {
            take(i);
            quit(i);
        }
        check();
    }
    CHECK(served > 1000);
    for (int i = 0; i < MEMBERS; i++) {
        if (m.in[i]) {
            take(i);
            quit(i);
        }
    }
    check();
    CHECK_INT(blocks, 0);
}

TEST(random_histories)
{
    for (uint64_t seed = 1; seed <= 8; seed++)
        random_history(seed);
}

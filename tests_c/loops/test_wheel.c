/*
 * The timing wheel of bridge/, against a plain list of times. It looks behind the public header: the wheel is compiled
 * into it.
 */
#include "../../bridge/wheel.h"
#include "check.h"

enum { TIMERS = 300 };

typedef struct model {
    ap_wheel_t wheel;
    ap_timer_t timers[TIMERS];
    bool set[TIMERS];
    uint64_t tick[TIMERS]; /* when it must expire */
    uint64_t seed;
} model;

static uint64_t roll(model *m)
{
    m->seed ^= m->seed << 13;
    m->seed ^= m->seed >> 7;
    m->seed ^= m->seed << 17;
    return m->seed;
}

/* Distances of every size, so that every level is used, and the borders between them. */
static uint64_t distance(model *m)
{
    uint64_t bits = roll(m) % 44, d = roll(m) & ((UINT64_C(1) << bits) - 1);
    return roll(m) % 4 == 0 ? (UINT64_C(1) << (6 * (roll(m) % 7))) + roll(m) % 3 - 1 : d;
}

static void set(model *m, int i, uint64_t tick)
{
    ap__wheel_set(&m->wheel, &m->timers[i], tick);
    m->set[i] = true;
    m->tick[i] = tick > m->wheel.now ? tick : m->wheel.now + 1; /* the past: at the next tick */
    CHECK(m->timers[i].slot != 0);
}

static void clear(model *m, int i)
{
    ap__wheel_clear(&m->wheel, &m->timers[i]);
    m->set[i] = false;
    CHECK_INT(m->timers[i].slot, 0);
}

static uint64_t earliest(const model *m)
{
    uint64_t tick = UINT64_MAX;
    for (int i = 0; i < TIMERS; i++)
        if (m->set[i] && m->tick[i] < tick)
            tick = m->tick[i];
    return tick;
}

/* Moves on by so many steps at most; answers how many came out, all of which were due. */
static int expire_some(model *m, uint64_t tick, unsigned *steps)
{
    int n = 0;
    ap_timer_t *t;
    while ((t = ap__wheel_expire(&m->wheel, tick, steps)) != NULL) {
        int i = (int)(t - m->timers);
        CHECK(i >= 0 && i < TIMERS);
        CHECK(m->set[i]);
        CHECK(m->tick[i] <= tick);
        CHECK_INT(t->slot, 0);
        m->set[i] = false;
        n++;
    }
    CHECK(m->wheel.now <= tick);
    return n;
}

/* Moves on: what comes out is exactly what was due. */
static int expire(model *m, uint64_t tick)
{
    unsigned steps = UINT32_MAX;
    int n = expire_some(m, tick, &steps);
    CHECK(m->wheel.now == tick);
    CHECK(earliest(m) > tick);
    return n;
}

/* Never later than the next timer, and with few timers just that one; never in the past, and nothing only if nothing is
 * set. */
static void check_next(const model *m)
{
    uint64_t tick, first = earliest(m);
    int timers = 0;
    if (!ap__wheel_next(&m->wheel, &tick)) {
        CHECK(first == UINT64_MAX);
        return;
    }
    for (int i = 0; i < TIMERS; i++)
        timers += m->set[i];
    CHECK(timers <= AP_WHEEL_LOOKS ? tick == first : tick <= first);
    CHECK(tick > m->wheel.now);
}

static model *begin(uint64_t now, uint64_t seed)
{
    static model m;
    memset(&m, 0, sizeof m);
    m.wheel.now = now;
    m.seed = seed;
    return &m;
}

TEST(nothing_is_set_at_first)
{
    model *m = begin(0, 1);
    uint64_t tick;
    CHECK(!ap__wheel_next(&m->wheel, &tick));
    ap__wheel_clear(&m->wheel, &m->timers[0]);
    CHECK_INT(expire(m, 1000000), 0);
}

TEST(a_timer_expires_at_its_tick_and_not_before)
{
    for (uint64_t base = 0; base < 5000; base += 61) {
        for (int bits = 0; bits < 40; bits++) {
            model *m = begin(base, 1);
            uint64_t tick = base + (UINT64_C(1) << bits);
            set(m, 0, tick);
            check_next(m);
            CHECK_INT(expire(m, tick - 1), 0);
            check_next(m);
            CHECK_INT(expire(m, tick), 1);
        }
    }
}

TEST(the_past_expires_at_the_next_tick)
{
    model *m = begin(777, 1);
    set(m, 0, 777);
    set(m, 1, 3);
    set(m, 2, 0);
    check_next(m);
    CHECK_INT(expire(m, 778), 3);
}

TEST(a_cleared_timer_does_not_expire_and_others_of_its_slot_do)
{
    model *m = begin(0, 1);
    for (int i = 0; i < 5; i++)
        set(m, i, 100);
    clear(m, 2); /* from the middle, then both ends */
    clear(m, 0);
    clear(m, 4);
    clear(m, 4);
    CHECK_INT(expire(m, 100), 2);
}

/* Following next() from one to the next reaches each timer at its very tick. */
TEST(sleeping_until_next_is_never_late)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        model *m = begin(seed * 12345, seed * UINT64_C(0x9E3779B97F4A7C15));
        for (int i = 0; i < 50; i++)
            set(m, i, m->wheel.now + distance(m));
        uint64_t tick;
        int out = 0, steps = 0;
        while (ap__wheel_next(&m->wheel, &tick)) {
            uint64_t first = earliest(m);
            CHECK(tick <= first && tick > m->wheel.now);
            int n = expire(m, tick);
            CHECK(n == 0 || tick == first);
            out += n;
            steps++;
        }
        CHECK_INT(out, 50);
        CHECK(steps <= 50 * AP_WHEEL_LEVELS); /* early costs a step for each level at most */
    }
}

static void random_history(uint64_t seed, uint64_t start)
{
    model *m = begin(start, seed * UINT64_C(0x9E3779B97F4A7C15));
    int expired = 0, sets = 0;
    for (int step = 0; step < 4000; step++) {
        int i = (int)(roll(m) % TIMERS);
        uint64_t what = roll(m) % 10;
        if (what < 5) {
            if (m->set[i])
                clear(m, i);
            set(m, i, roll(m) % 20 ? m->wheel.now + distance(m) : roll(m) % (m->wheel.now + 1));
            sets++;
        } else if (what < 7) {
            clear(m, i);
        } else if (what < 9) {
            expired += expire(m, m->wheel.now + 1 + roll(m) % 100);
        } else {
            expired += expire(m, m->wheel.now + 1 + distance(m) / 4); /* a long jump */
        }
        check_next(m);
    }
    CHECK(expired > 100);
    CHECK(sets > 1000);
    expire(m, m->wheel.now + (UINT64_C(1) << 45));
    CHECK(earliest(m) == UINT64_MAX);
}

TEST(random_histories)
{
    for (uint64_t seed = 1; seed <= 12; seed++)
        random_history(seed, roll(&(model){.seed = seed * 77}) % 100000);
}

TEST(random_histories_that_begin_late)
{
    for (uint64_t seed = 1; seed <= 4; seed++)
        random_history(seed, (UINT64_C(1) << 42) - 1000 * seed);
}

/* Timers may be set and cleared while others come out. */
TEST(setting_while_expiring)
{
    model *m = begin(0, 1);
    for (int i = 0; i < 10; i++)
        set(m, i, 5);
    int out = 0;
    unsigned steps = 1000;
    for (ap_timer_t *t; (t = ap__wheel_expire(&m->wheel, 5, &steps)) != NULL;) {
        int i = (int)(t - m->timers);
        m->set[i] = false;
        if (out++ == 0) {
            for (int other = 0; other < 10; other++)
                if (other != i && other % 2 == i % 2)
                    clear(m, other);
            set(m, i, 70);
        }
    }
    CHECK_INT(out, 6); /* the first, and the five that were not cleared */
    CHECK_INT(expire(m, 69), 0);
    CHECK_INT(expire(m, 70), 1);
}

TEST(times_beyond_the_wheel_wait_at_its_end)
{
    model *m = begin(1000, 1);
    set(m, 0, UINT64_C(1) << 47);
    check_next(m);
    CHECK_INT(expire(m, (UINT64_C(1) << 47) - 1), 0);
    CHECK_INT(expire(m, UINT64_C(1) << 47), 1);
}

/* ---- moving on in parts ---- */

/* While it is not finished the next time is not after any timer's, and not before now. */
static void check_next_of_part(const model *m)
{
    uint64_t tick, first = earliest(m);
    if (ap__wheel_next(&m->wheel, &tick))
        CHECK(tick <= first && tick >= m->wheel.now);
    else
        CHECK(first == UINT64_MAX);
}

TEST(a_slot_of_many_timers_moves_down_by_no_more_than_the_steps_that_are_given)
{
    for (unsigned most = 1; most <= 7; most++) {
        model *m = begin(0, 1);
        for (int i = 0; i < TIMERS; i++)
            set(m, i, 5000); /* all in one slot of level 2 */
        int parts = 0, out = 0;
        for (unsigned steps = 0; steps == 0; parts++) {
            steps = most;
            out += expire_some(m, 4999, &steps);
            check_next_of_part(m);
        }
        CHECK_INT(out, 0);
        CHECK(m->wheel.now == 4999);
        CHECK(parts >= 2 * TIMERS / (int)most); /* each moved twice: from level 2 to 1, from there to 0 */
        CHECK_INT(expire(m, 5000), TIMERS);
    }
}

/* Between two parts timers are set and cleared, and time goes on. None comes early, none is lost; and when a part
 * has steps left, nothing that is due is left. */
static void history_in_parts(uint64_t seed, uint64_t start)
{
    model *m = begin(start, seed * UINT64_C(0x9E3779B97F4A7C15));
    uint64_t goal = start, shared = start + 4096;
    int out = 0, unfinished = 0;
    for (int step = 0; step < 20000; step++) {
        int i = (int)(roll(m) % TIMERS);
        switch (roll(m) % 6) {
        case 0:
            if (m->set[i])
                clear(m, i);
            set(m, i, m->wheel.now + distance(m) % 100000);
            break;
        case 1: /* many in one slot */
            if (shared <= goal)
                shared = goal + (UINT64_C(1) << roll(m) % 16);
            if (m->set[i])
                clear(m, i);
            set(m, i, shared);
            break;
        case 2:
            clear(m, i);
            break;
        case 3:
            goal += roll(m) % 4 ? roll(m) % 100 : roll(m) % 8192;
            break;
        default: {
            unsigned steps = 1 + (unsigned)(roll(m) % 3);
            out += expire_some(m, goal, &steps);
            unfinished += steps == 0;
            if (steps > 0) {
                CHECK(m->wheel.now == goal);
                CHECK(earliest(m) > goal);
            }
        }
        }
        check_next_of_part(m);
    }
    CHECK(out > 100);
    CHECK(unfinished > 100);
    expire(m, goal + (UINT64_C(1) << 45));
    CHECK(earliest(m) == UINT64_MAX);
}

TEST(random_histories_in_parts)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        history_in_parts(seed, seed % 2 ? seed * 1000 : (UINT64_C(1) << 42) - 1000 * seed);
}

/* The last ticks that the wheel can tell apart. */
TEST(random_histories_at_the_end_of_time)
{
    const uint64_t end = (UINT64_C(1) << (6 * AP_WHEEL_LEVELS)) - 1;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        model *m = begin(end - 5000, seed);
        for (int i = 0; i < TIMERS; i++) {
            ap__wheel_set(&m->wheel, &m->timers[i], end - 5000 + roll(m) % 6000);
            m->set[i] = true;
            m->tick[i] = m->timers[i].tick;
            CHECK(m->tick[i] <= end && m->tick[i] > m->wheel.now);
        }
        int out = 0;
        for (uint64_t goal = m->wheel.now; goal < end; out += expire(m, goal))
            goal += 1 + roll(m) % (goal + 700 < end ? 600 : 1);
        CHECK_INT(out, TIMERS);
    }
}

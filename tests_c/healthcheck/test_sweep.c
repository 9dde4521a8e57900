/*
 * One pass of the healthcheck, step by step: what it looks at, what waiters see of it, and how it
 * keeps min_size (B138 to B144; S1 to S3). test_sweep_leave.c has how a pass ends early.
 */
#include "sweep_world.h"

/* ---- What a pass looks at ------------------------------------------------------------------ */

TEST(b138_only_idle_ones_are_checked_each_once_oldest_first)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 5);) {
        stock(pool, 5);
        void *held = take(pool);
        give(pool, take(pool)); /* 2 is the youngest now */
        CHECK_STATUS(sweep(pool), POOL_OK);
        CHECK_STR(world.log, "check(3) check(4) check(5) check(2)");
        give(pool, held);
    }
}

TEST(b138_none_is_checked_twice_although_others_take_and_return)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 5);) {
        stock(pool, 5);
        talk s;
        begin_sweep(&s, pool);
        while (s.ask.kind == POOL_ASK_HEALTHCHECK) {
            give(pool, take(pool)); /* 2, 4, ... go to the end before their turn */
            step(&s);
        }
        CHECK_STATUS(finish(&s), POOL_OK);
        for (int id = 1; id <= 5; id++) {
            CHECK(world.checks[id] <= 1);
            if (id % 2) /* stayed idle */
                CHECK_INT(world.checks[id], 1);
        }
        CHECK_COUNTS(pool, 5, 0, 0);
    }
}

TEST(b138_what_stays_idle_is_checked_whatever_comes_back_meanwhile)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 6);) {
        stock(pool, 6);
        void *held[3] = {take(pool), take(pool), take(pool)};
        talk s;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        for (int i = 0; i < 3; i++)
            give(pool, held[i]);
        CHECK_STATUS(finish(&s), POOL_OK);
        CHECK_STR(world.log, "check(4) check(5) check(6)"); /* as many as were idle, no more */
    }
}

TEST(b138_what_is_lent_before_its_turn_is_not_checked)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 3);) {
        stock(pool, 3);
        talk s;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        CHECK_INT(id_of(take(pool)), 2);
        CHECK_INT(id_of(take(pool)), 3);
        CHECK_INT(step(&s), POOL_ASK_DONE);
        CHECK_STATUS(s.ask.status, POOL_OK);
        CHECK_STR(world.log, "check(1)");
        give(pool, word(2));
        give(pool, word(3));
    }
}

TEST(b139_a_healthy_pass_keeps_the_order)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 5);) {
        stock(pool, 5);
        for (int pass = 0; pass < 3; pass++)
            CHECK_STATUS(sweep(pool), POOL_OK);
        for (int id = 1; id <= 5; id++)
            CHECK_INT(id_of(take(pool)), id);
        for (int id = 1; id <= 5; id++)
            give(pool, word(id));
        CHECK_INT(world.made, 5);
    }
}

TEST(b142_one_at_a_time_counts_as_active_and_the_others_stay_available)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 3);) {
        stock(pool, 2);
        talk s;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        CHECK_COUNTS(pool, 1, 1, 0);
        CHECK_INT(id_of(take(pool)), 2);
        CHECK_INT(id_of(take(pool)), 3); /* made: the place of 1 is taken, that of 3 was not */
        CHECK_STATUS(try_take(pool), POOL_EMPTY);
        CHECK_COUNTS(pool, 0, 3, 0);
        CHECK_INT(step(&s), POOL_ASK_DONE);
        CHECK_COUNTS(pool, 1, 2, 0);
        CHECK_INT(id_of(take(pool)), 1);
        for (int id = 1; id <= 3; id++)
            give(pool, word(id));
    }
}

TEST(a_resource_inside_its_check_is_not_lent)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 1);) {
        stock(pool, 1);
        world.sick[1] = true;
        talk s, r;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        for (int asks = 0; asks < 2; asks++) { /* its check, then its end */
            CHECK_INT(begin_release(&r, pool, word(1)), POOL_ASK_DONE);
            CHECK_STATUS(r.ask.status, POOL_ERR_NOT_OWNED);
            CHECK_COUNTS(pool, 0, 1, 0);
            if (asks == 0)
                CHECK_INT(step(&s), POOL_ASK_DESTROY);
        }
        CHECK_STATUS(finish(&s), POOL_OK);
    }
}

/* ---- Waiters ------------------------------------------------------------------------------- */

TEST(a_resource_that_a_woken_waiter_is_owed_is_left_alone)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 1);) {
        talk w;
        void *held = take(pool);
        CHECK_INT(begin_acquire(&w, pool, 0), POOL_ASK_WAIT);
        give(pool, held);
        CHECK_COUNTS(pool, 1, 0, 0); /* woken, has not run */
        CHECK_INT(reserved(pool), 1);
        CHECK_STATUS(sweep(pool), POOL_OK);
        puts(world.log);
        CHECK_INT(world.checks[1], 0);
        CHECK_PTR(finish_acquire(&w), held);
        give(pool, held);
    }
}

/* Whatever becomes of the one that is looked at, the waiter has its place; nobody else gets it. */
static void check_beside_an_owed_one(pool_t *pool, bool sick)
{
    talk s, owed, late;
    void *one = take(pool), *two = take(pool);
    CHECK_INT(begin_acquire(&owed, pool, 0), POOL_ASK_WAIT);
    give(pool, one);
    give(pool, two);
    CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
    int checked = id_of(s.ask.resource);
    world.sick[checked] = sick;
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_INT(reserved(pool), 1);
    CHECK_STATUS(try_take(pool), POOL_EMPTY);
    CHECK_INT(begin_acquire(&late, pool, 0), POOL_ASK_WAIT);
    void *got = finish_acquire(&owed); /* at once, without a creation */
    CHECK_INT(id_of(got), 3 - checked);
    CHECK_STATUS(finish(&s), POOL_OK);
    CHECK_INT(id_of(finish_acquire(&late)), sick ? 3 : checked);
    CHECK_INT(world.made, sick ? 3 : 2);
    give(pool, got);
    give(pool, late.ask.resource);
}

TEST(s2_a_passing_check_beside_an_owed_resource_lets_nobody_barge)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 2);)
        check_beside_an_owed_one(pool, false);
}

TEST(s2_a_failing_check_beside_an_owed_resource_lets_nobody_barge)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 2);)
        check_beside_an_owed_one(pool, true);
}

TEST(s1_passes_that_free_nothing_wake_nobody_and_keep_position_and_deadline)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk w[2];
        int64_t until[2];
        void *held = take(pool);
        for (int i = 0; i < 2; i++) {
            CHECK_INT(begin_acquire(&w[i], pool, 60000), POOL_ASK_WAIT);
            until[i] = w[i].ask.until_ns;
        }
        for (int pass = 0; pass < 5; pass++) {
            talk s;
            CHECK_INT(begin_sweep(&s, pool), POOL_ASK_DONE);
            CHECK_STATUS(s.ask.status, POOL_OK);
            CHECK_COUNTS(pool, 0, 1, 2);
            CHECK_INT(reserved(pool), 0);
            for (int i = 0; i < 2; i++) { /* one that looks all the same finds nothing changed */
                CHECK_INT(step(&w[i]), POOL_ASK_WAIT);
                CHECK_INT(w[i].ask.until_ns, until[i]);
                CHECK_INT(w[i].ask.ticket, w[0].ask.ticket + (uint64_t)i);
            }
        }
        give(pool, held);
        CHECK_INT(step(&w[1]), POOL_ASK_WAIT);
        for (int i = 0; i < 2; i++) {
            CHECK_PTR(finish_acquire(&w[i]), held);
            CHECK_INT(w[i].ask.turn, w[i].ask.ticket);
            give(pool, held);
        }
    }
}

TEST(b144_a_place_that_a_passing_check_frees_goes_to_the_first_in_line)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 1);) {
        stock(pool, 1);
        talk s, w1, w2;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        CHECK_INT(begin_acquire(&w1, pool, 0), POOL_ASK_WAIT);
        CHECK_INT(begin_acquire(&w2, pool, 0), POOL_ASK_WAIT);
        CHECK_STATUS(finish(&s), POOL_OK);
        CHECK_COUNTS(pool, 1, 0, 1);
        CHECK_STATUS(try_take(pool), POOL_EMPTY);
        CHECK_INT(step(&w2), POOL_ASK_WAIT);
        CHECK_INT(id_of(finish_acquire(&w1)), 1);
        give(pool, word(1));
        CHECK_INT(id_of(finish_acquire(&w2)), 1);
        give(pool, word(1));
    }
}

static void fail_check_with_a_waiter(pool_t *pool)
{
    talk s, w;
    world.sick[1] = true;
    CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
    CHECK_INT(begin_acquire(&w, pool, 0), POOL_ASK_WAIT);
    CHECK_INT(step(&s), POOL_ASK_DESTROY);
    CHECK_COUNTS(pool, 0, 1, 1); /* nothing is free before it has been ended */
    CHECK_STATUS(finish(&s), POOL_OK);
    CHECK_STATUS(try_take(pool), POOL_EMPTY);
    CHECK_INT(id_of(finish_acquire(&w)), 2);
    CHECK_STR(world.log, "check(1) destroy(1) create(2)"); /* by whom it is made does not matter */
    give(pool, word(2));
}

TEST(b144_a_place_that_a_failing_check_frees_goes_to_the_waiter)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 1);) {
        stock(pool, 1);
        fail_check_with_a_waiter(pool);
    }
}

TEST(b144_a_replacement_goes_to_the_waiter)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);)
        fail_check_with_a_waiter(pool);
}

/* ---- min_size ------------------------------------------------------------------------------ */

TEST(b140_dead_ones_are_replaced_only_below_min)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, 4);) {
        stock(pool, 3);
        world.sick[1] = world.sick[2] = true;
        CHECK_STATUS(sweep(pool), POOL_OK);
        CHECK_INT(world.creations, 1);
        CHECK_COUNTS(pool, 2, 0, 0);
        for (int id = 1; id <= 4; id++) {
            CHECK_INT(world.checks[id], id <= 3); /* the new one was not there when it began */
            CHECK_INT(world.alive[id], id >= 3);
        }
    }
}

TEST(b141_a_failing_replacement_ends_with_factory_and_the_rest_is_checked)
{
    for (pool_t *pool = NULL; each_kind(&pool, 4, 4);) {
        world.sick[1] = world.sick[2] = true;
        world.failures = 1;
        CHECK_STATUS(sweep(pool), POOL_ERR_FACTORY);
        for (int id = 1; id <= 4; id++)
            CHECK_INT(world.checks[id], 1);
        CHECK_INT(world.creations, 1); /* no more are tried in this pass */
        CHECK_COUNTS(pool, 2, 0, 0);
        CHECK_STATUS(sweep(pool), POOL_OK);
        CHECK_INT(world.creations, 3);
        CHECK_COUNTS(pool, 4, 0, 0);
    }
}

/* Shows B22. */
TEST(a_pass_makes_what_releases_destroyed)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, 4);) {
        world.refuse_release = true;
        give(pool, take(pool));
        CHECK_COUNTS(pool, 1, 0, 0);
        CHECK_STATUS(sweep(pool), POOL_OK);
        CHECK_COUNTS(pool, 2, 0, 0);
        CHECK_INT(world.creations, 1);
        CHECK_INT(world.checks[2] + world.checks[3], 1);
        CHECK_INT(world.checks[3], 0);
    }
}

/* A pool of one that has lost it, in the middle of making another. */
static void begin_refill(talk *s, pool_t *pool)
{
    world.refuse_release = true;
    give(pool, take(pool));
    world.refuse_release = false;
    world.log[0] = 0;
    CHECK_INT(begin_sweep(s, pool), POOL_ASK_CREATE);
    CHECK_COUNTS(pool, 0, 1, 0);
}

TEST(s3_a_refill_is_counted_while_it_is_made)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s, w;
        begin_refill(&s, pool);
        CHECK_STATUS(try_take(pool), POOL_EMPTY);
        CHECK_INT(begin_acquire(&w, pool, 0), POOL_ASK_WAIT);
        CHECK_STATUS(finish(&s), POOL_OK);
        CHECK_COUNTS(pool, 1, 0, 0);
        CHECK_INT(id_of(finish_acquire(&w)), 2);
        CHECK_STR(world.log, "create(2)");
        give(pool, word(2));
    }
}

TEST(s3_a_refill_that_fails_gives_its_place_to_the_waiter)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s, w;
        begin_refill(&s, pool);
        CHECK_INT(begin_acquire(&w, pool, 0), POOL_ASK_WAIT);
        world.failures = 1;
        CHECK_STATUS(finish(&s), POOL_ERR_FACTORY);
        CHECK_COUNTS(pool, 0, 0, 0);
        CHECK_INT(reserved(pool), 1);
        CHECK_INT(id_of(finish_acquire(&w)), 2);
        give(pool, word(2));
    }
}

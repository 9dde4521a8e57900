/*
 * What came back last is lent first (POOL_F_LIFO), beside passes, which go from the oldest on and leave the order as it
 * is. lending/test_lifo.c has the ways of lending.
 */
#include "sweep_world.h"

static const uint32_t kinds[] = {POOL_F_LIFO, POOL_F_LIFO | POOL_F_REACTOR, POOL_F_LIFO | POOL_F_HOST_DRIVEN};

#define EACH_KIND (int i = 0; i < 3; i++)

static pool_t *lifo(int kind, uint32_t min, uint32_t max) { return new_pool(kinds[kind], min, max); }

/* Takes all of them, which must come in this order, and gives them back, so that the first is the last again. */
static void taken_as(pool_t *pool, const int *ids, int n)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(id_of(take(pool)), ids[i]);
    for (int i = n; i-- > 0;)
        give(pool, word(ids[i]));
}

TEST(p42_a_pass_looks_at_the_oldest_first_and_keeps_the_order)
{
    for
        EACH_KIND
        {
            pool_t *pool = lifo(i, 0, 4);
            stock(pool, 4);
            CHECK_STATUS(sweep(pool), POOL_OK);
            CHECK_STATUS(sweep(pool), POOL_OK);
            CHECK_STR(world.log, "check(1) check(2) check(3) check(4) check(1) check(2) check(3) check(4)");
            taken_as(pool, (int[]){4, 3, 2, 1}, 4);
            end_pool(pool);
        }
}

TEST(p42_who_comes_within_a_pass_is_lent_what_came_back_last_not_what_was_checked)
{
    for
        EACH_KIND
        {
            pool_t *pool = lifo(i, 0, 5);
            stock(pool, 5);
            talk s;
            CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK); /* of 1 */
            CHECK_INT(step(&s), POOL_ASK_HEALTHCHECK);              /* of 2 */
            for (int round = 0; round < 3; round++) {
                void *r = take(pool);
                CHECK_INT(id_of(r), 5);
                give(pool, r);
            }
            CHECK_STATUS(finish(&s), POOL_OK);
            for (int id = 1; id <= 5; id++)
                CHECK_INT(world.checks[id], id < 5); /* 5 came back since it began */
            taken_as(pool, (int[]){5, 4, 3, 2, 1}, 5);
            end_pool(pool);
        }
}

TEST(p42_what_is_lent_and_what_dies_within_a_pass_leaves_the_rest_in_order)
{
    for
        EACH_KIND
        {
            pool_t *pool = lifo(i, 0, 5);
            stock(pool, 5);
            world.sick[2] = true;
            talk s;
            begin_sweep(&s, pool);                     /* 1 is looked at */
            CHECK_INT(step(&s), POOL_ASK_HEALTHCHECK); /* 2, which is sick */
            for (int id = 5; id > 2; id--)
                CHECK_INT(id_of(take(pool)), id); /* all that it has not seen */
            CHECK_INT(id_of(take(pool)), 1);      /* and what it has */
            CHECK_STATUS(finish(&s), POOL_OK);
            CHECK(!world.alive[2]);
            give(pool, word(3));
            give(pool, word(1));
            give(pool, word(5));
            give(pool, word(4));
            CHECK_STATUS(sweep(pool), POOL_OK);
            taken_as(pool, (int[]){4, 5, 1, 3}, 4);
            end_pool(pool);
        }
}

/* What the first was looking at lies down above what the second has seen. */
TEST(p42_of_two_passes_at_once_the_second_sees_all_and_keeps_the_order)
{
    for
        EACH_KIND
        {
            pool_t *pool = lifo(i, 0, 4);
            stock(pool, 4);
            talk s, t;
            begin_sweep(&s, pool);
            CHECK_INT(step(&s), POOL_ASK_HEALTHCHECK); /* has seen 1, and looks at 2 */
            begin_sweep(&t, pool);
            CHECK_STATUS(finish(&t), POOL_OK);
            CHECK_STATUS(finish(&s), POOL_OK);
            CHECK_INT(world.checks[1], 2);
            CHECK(world.checks[2] == 1 && world.checks[3] >= 1 && world.checks[4] >= 1);
            taken_as(pool, (int[]){2, 4, 3, 1}, 4);
            end_pool(pool);
        }
}

TEST(p42_a_close_ends_the_oldest_first)
{
    pool_t *pool = lifo(0, 0, 3);
    stock(pool, 3);
    give(pool, take(pool));
    close_pool(pool);
    CHECK_STR(world.log, "destroy(1) destroy(2) destroy(3)");
    end_pool(pool);
}

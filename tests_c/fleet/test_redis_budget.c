/*
 * A budget that processes share, in a Redis of the test's own. Two members in one process are as good as two processes.
 */
#include "fleet.h"

#include <sched.h>
#include <stdatomic.h>

static void *wants_one(void *pool)
{
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    return NULL;
}

TEST(what_is_idle_goes_to_who_needs_it)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c), *b = opened(&c);
    pool_t *p = pool_of(a), *q = pool_of(b);
    void *r, *s;
    CHECK_STATUS(pool_acquire(p, &r, 0), POOL_OK);
    CHECK_STATUS(pool_acquire(p, &s, 0), POOL_OK);
    CHECK_INT(info(a).used, 2);
    pthread_t other = check_thread(wants_one, q);
    WAIT_FOR(info(b).place == 1);
    CHECK_STATUS(pool_release(p, r), POOL_OK);
    check_join(other); /* it has been served */
    CHECK_INT(info(a).used, 1);
    CHECK_INT(pool_count(p), 1);
    CHECK_STATUS(pool_release(p, s), POOL_OK);
    done(a, p);
    done(b, q);
    stop();
}

TEST(who_dies_gives_its_share_back)
{
    start();
    int tell[2];
    CHECK_INT(pipe(tell), 0);
    pid_t child = fork(); /* it has no pool: the library is loaded, and does not survive a fork */
    if (!child) {
        pool_budget_config_t c = config();
        pool_budget_t *b;
        if (pool_budget_open(&c, &b) != POOL_OK)
            _exit(1);
        for (int taken = 0; taken < 2;)
            pool_budget_take(b, NULL) ? taken++ : usleep(1000);
        _exit(write(tell[1], "x", 1) == 1 ? (pause(), 0) : 1);
    }
    char byte;
    CHECK_INT(read(tell[0], &byte, 1), 1);
    pool_budget_config_t c = config();
    pool_budget_t *b = opened(&c);
    CHECK_INT(info(b).all, 2);
    CHECK(!pool_budget_take(b, NULL));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    WAIT_FOR(pool_budget_take(b, NULL));
    pool_budget_give(b);
    pool_budget_close(b);
    stop();
}

TEST(a_forked_child_is_a_member_with_nothing_from_its_first_call_on)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *b = opened(&c);
    WAIT_FOR(pool_budget_take(b, NULL));
    pid_t child = fork();
    if (!child) {
        pool_budget_info_t i = {.struct_size = sizeof i};
        _exit(pool_budget_info(b, &i) == POOL_OK && i.used == 0 && i.leases == 0 ? 0 : 1);
    }
    int status;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(status, 0);
    CHECK_INT(info(b).used, 1);
    pool_budget_give(b);
    pool_budget_close(b);
    stop();
}

TEST(a_redis_that_has_lost_all_grants_nothing_for_a_lease)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c), *b = opened(&c);
    WAIT_FOR(pool_budget_take(a, NULL));
    WAIT_FOR(pool_budget_take(a, NULL));
    for (int i = 0; i < 3; i++) {
        redis_does("FLUSHALL");
        do
            CHECK(!pool_budget_take(b, NULL));
        while (info(b).grace_ms > 0 || info(b).all != 2);
    }
    pool_budget_give(a);
    WAIT_FOR(pool_budget_take(b, NULL));
    pool_budget_close(a);
    pool_budget_close(b);
    stop();
}

/* Nobody has a lease any more when it is back; but what is used is not there for others. */
TEST(a_redis_that_was_away_for_longer_than_a_lease_and_has_lost_all_grants_nothing_that_is_used)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c), *b = opened(&c);
    WAIT_FOR(pool_budget_take(a, NULL));
    WAIT_FOR(pool_budget_take(a, NULL));
    kill_server();
    WAIT_FOR(info(a).expired && info(b).expired);
    start();
    do
        CHECK(!pool_budget_take(b, NULL));
    while (info(b).expired || info(b).grace_ms > 0 || info(b).all != 2);
    CHECK(!pool_budget_take(b, NULL));
    pool_budget_give(a);
    WAIT_FOR(pool_budget_take(b, NULL));
    pool_budget_close(a);
    pool_budget_close(b);
    stop();
}

/* All that there is, is this process's share: nobody else is asked for anything. */
TEST(of_two_pools_of_a_process_one_has_what_is_idle_in_the_other)
{
    start();
    pool_budget_config_t c = config();
    c.share_min = 2;
    pool_budget_t *b = opened(&c);
    pool_t *p = pool_of(b), *q = pool_of(b);
    void *r, *s;
    CHECK_STATUS(pool_acquire(p, &r, 0), POOL_OK);
    CHECK_STATUS(pool_acquire(p, &s, 0), POOL_OK);
    CHECK_STATUS(pool_release(p, r), POOL_OK);
    CHECK_STATUS(pool_acquire(q, &r, 0), POOL_OK);
    CHECK_INT(pool_count(p), 1); /* what is lent stays */
    CHECK_INT(info(b).used, 2);
    CHECK_STATUS(pool_release(p, s), POOL_OK);
    CHECK_STATUS(pool_acquire(q, &s, 0), POOL_OK);
    CHECK_INT(pool_count(p), 0);
    CHECK_STATUS(pool_release(q, r), POOL_OK);
    CHECK_STATUS(pool_release(q, s), POOL_OK);
    CHECK_STATUS(pool_close(q), POOL_OK);
    pool_unref(q);
    done(b, p);
    stop();
}

static atomic_bool enough;

/* Three of these leave nothing idle in a pool of two. */
static void *uses_one(void *pool)
{
    void *r;
    while (!atomic_load(&enough)) {
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        sched_yield();
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    return NULL;
}

TEST(who_has_less_than_its_share_min_gets_what_comes_back_next_where_nothing_is_idle)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c);
    pool_t *p = pool_of(a);
    pthread_t users[3];
    for (int i = 0; i < 3; i++)
        users[i] = check_thread(uses_one, p);
    WAIT_FOR(info(a).used == 2);
    c.share_min = 1;
    pool_budget_t *b = opened(&c);
    WAIT_FOR(pool_budget_take(b, NULL));
    CHECK_INT(info(b).leases, 1);
    pool_budget_give(b);
    atomic_store(&enough, true);
    for (int i = 0; i < 3; i++)
        check_join(users[i]);
    pool_budget_close(b);
    done(a, p);
    stop();
}

TEST(the_smallest_limit_holds)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c);
    c.limit = 1;
    pool_budget_t *b = opened(&c);
    WAIT_FOR(info(a).limit == 1);
    WAIT_FOR(pool_budget_take(a, NULL));
    CHECK(!pool_budget_take(b, NULL));
    CHECK(!pool_budget_take(a, NULL));
    pool_budget_close(b);
    WAIT_FOR(pool_budget_take(a, NULL));
    pool_budget_close(a);
    stop();
}

TEST(without_redis_nothing_new_is_taken_and_what_is_idle_is_given_up_if_that_is_wished)
{
    start();
    pool_budget_config_t c = config();
    c.flags = POOL_BUDGET_F_AWAY_MIN;
    pool_budget_t *b = opened(&c);
    pool_t *pool = pool_of(b);
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_INT(pool_count(pool), 1);
    kill_server();
    WAIT_FOR(info(b).expired);
    CHECK(info(b).error[0] != 0);
    CHECK(!pool_budget_take(b, NULL));
    WAIT_FOR(pool_count(pool) == 0);
    done(b, pool);
    stop();
}

TEST(a_pool_is_attached_once_and_may_go_before_its_budget)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c), *b = opened(&c);
    pool_t *p = pool_of(a), *q = pool_of(a);
    CHECK_STATUS(pool_budget_attach(a, p), POOL_OK);
    CHECK_STATUS(pool_budget_detach(b, p), POOL_ERR_INVALID);
    void *r, *s;
    CHECK_STATUS(pool_acquire(p, &r, 0), POOL_OK);
    CHECK_STATUS(pool_acquire(q, &s, 0), POOL_OK);
    CHECK_STATUS(pool_release(p, r), POOL_OK);
    CHECK_STATUS(pool_release(q, s), POOL_OK);
    CHECK_STATUS(pool_budget_detach(a, p), POOL_OK);
    CHECK_STATUS(pool_budget_detach(a, p), POOL_ERR_INVALID);
    CHECK_STATUS(pool_budget_detach(a, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_budget_detach(NULL, p), POOL_ERR_INVALID);
    CHECK_STATUS(pool_budget_attach(a, NULL), POOL_ERR_INVALID);

    WAIT_FOR(pool_budget_take(b, NULL)); /* for which only the pool is asked that is attached */
    CHECK_INT(pool_count(p), 1);
    WAIT_FOR(pool_count(q) == 0);
    CHECK_STATUS(pool_close(p), POOL_OK);
    pool_unref(p);
    WAIT_FOR(info(a).used == 0);
    pool_budget_give(b);
    done(a, q);
    pool_budget_close(b);
    stop();
}

TEST(a_redis_that_stands_still_holds_nobody_up_and_is_heard_again)
{
    start();
    pool_budget_config_t c = config();
    c.limit = 1;
    pool_budget_t *b = opened(&c);
    WAIT_FOR(pool_budget_take(b, NULL));
    kill(server, SIGSTOP);
    CHECK(!pool_budget_take(b, NULL));
    WAIT_FOR(info(b).expired && strstr(info(b).error, "has not answered in time"));
    CHECK(info(b).renewals_failed > 0);
    pool_budget_give(b);
    CHECK(!pool_budget_take(b, NULL)); /* another may have it by now */
    kill(server, SIGCONT);             /* which answers now what nobody waits for any more */
    WAIT_FOR(pool_budget_take(b, NULL));
    WAIT_FOR(info(b).error[0] == 0 && info(b).leases == 1 && info(b).all == 1);
    pool_budget_give(b);
    pool_budget_close(b);
    stop();
}

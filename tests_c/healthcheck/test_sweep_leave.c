/*
 * A pass of the healthcheck that meets something else: a close in each step (B143, S4), a cancel
 * in each step, the breaker and its strategy (B148), another pass, and everything at random.
 */
#include "sweep_world.h"

/* ---- close --------------------------------------------------------------------------------- */

/* Shows B115. */
TEST(a_pass_over_a_closed_pool_is_closed)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        close_pool(pool);
        CHECK_STATUS(sweep(pool), POOL_ERR_CLOSED);
        CHECK_STR(world.log, "destroy(1)");
    }
}

/* Closes in the middle of the pass; the rest of it makes nothing and leaves nothing. */
static void close_then_finish(pool_t *pool, talk *s, const char *log)
{
    close_pool(pool);
    CHECK_COUNTS(pool, 0, 1, 0); /* only what the pass holds is left */
    CHECK_STATUS(finish(s), POOL_ERR_CLOSED);
    CHECK_STR(world.log, log);
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(alive(), 0);
}

TEST(b143_what_passes_its_check_after_close_is_destroyed)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, 2);) {
        talk s;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        close_then_finish(pool, &s, "destroy(2) check(1) destroy(1)");
    }
}

TEST(s4_what_fails_its_check_after_close_is_not_replaced)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, 2);) {
        talk s;
        world.sick[1] = true;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        close_then_finish(pool, &s, "destroy(2) check(1) destroy(1)");
    }
}

TEST(s4_what_is_being_destroyed_at_close_is_not_replaced)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, 2);) {
        talk s;
        world.sick[1] = true;
        begin_sweep(&s, pool);
        CHECK_INT(step(&s), POOL_ASK_DESTROY);
        close_then_finish(pool, &s, "check(1) destroy(2) destroy(1)");
    }
}

/* A pass that is about to make one: 2, in a pool of one that has lost it. */
static void begin_refill(talk *s, pool_t *pool)
{
    world.refuse_release = true;
    give(pool, take(pool));
    world.refuse_release = false;
    world.log[0] = 0;
    CHECK_INT(begin_sweep(s, pool), POOL_ASK_CREATE);
}

TEST(a_refill_that_succeeds_after_close_is_destroyed)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s;
        begin_refill(&s, pool);
        close_then_finish(pool, &s, "create(2) destroy(2)");
    }
}

TEST(a_refill_that_fails_after_close_is_closed)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s;
        begin_refill(&s, pool);
        world.failures = 1;
        close_then_finish(pool, &s, "create(0)");
    }
}

/* ---- cancel -------------------------------------------------------------------------------- */

static void check_cancelled(talk *s)
{
    for (int i = 0; i < 2; i++) { /* it stays so */
        CHECK_INT(pool_op_next(&s->op, NULL, &s->ask), POOL_ASK_DONE);
        CHECK_STATUS(s->ask.status, POOL_ERR_CANCELLED);
        CHECK_STATUS(pool_op_cancel(&s->op), POOL_OK);
    }
}

/* Who was in line gets the place that a cancelled pass had. */
static void check_waiter_is_served(pool_t *pool, talk *w)
{
    CHECK_COUNTS(pool, 0, 0, 0);
    CHECK_INT(reserved(pool), 1);
    CHECK_INT(id_of(finish_acquire(w)), 2);
    give(pool, word(2));
}

TEST(a_pass_that_is_cancelled_before_it_begins_does_nothing)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s = {.ask = POOL_ASK_INIT};
        CHECK_STATUS(pool_op_sweep(pool, &s.op), POOL_OK);
        CHECK_STATUS(pool_op_cancel(&s.op), POOL_OK);
        check_cancelled(&s);
        CHECK_COUNTS(pool, 1, 0, 0);
        CHECK_STR(world.log, "");
    }
}

/* Shows B136. */
TEST(a_check_that_is_cancelled_counts_as_failed)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s, w;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        CHECK_INT(begin_acquire(&w, pool, 0), POOL_ASK_WAIT);
        CHECK_STATUS(pool_op_cancel(&s.op), POOL_PENDING);
        CHECK_INT(pool_op_next(&s.op, NULL, &s.ask), POOL_ASK_DESTROY);
        CHECK_INT(id_of(s.ask.resource), 1);
        CHECK_COUNTS(pool, 0, 1, 1);
        CHECK_INT(step(&s), POOL_ASK_DONE); /* it makes no other */
        check_cancelled(&s);
        CHECK_STR(world.log, "destroy(1)");
        check_waiter_is_served(pool, &w);
    }
}

TEST(a_destruction_that_is_cancelled_counts_as_done)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s, w;
        world.sick[1] = true;
        begin_sweep(&s, pool);
        CHECK_INT(step(&s), POOL_ASK_DESTROY);
        CHECK_INT(begin_acquire(&w, pool, 0), POOL_ASK_WAIT);
        world.alive[1] = 0; /* the host ended it, and does not say so */
        CHECK_STATUS(pool_op_cancel(&s.op), POOL_OK);
        check_cancelled(&s);
        CHECK_STR(world.log, "check(1)");
        check_waiter_is_served(pool, &w);
    }
}

TEST(a_refill_that_is_cancelled_gives_its_place_back)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s, w;
        begin_refill(&s, pool);
        CHECK_INT(begin_acquire(&w, pool, 0), POOL_ASK_WAIT);
        CHECK_STATUS(pool_op_cancel(&s.op), POOL_OK);
        check_cancelled(&s);
        check_waiter_is_served(pool, &w);
    }
}

TEST(a_check_that_is_cancelled_after_close_still_destroys)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);) {
        talk s;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        close_pool(pool);
        CHECK_STATUS(pool_op_cancel(&s.op), POOL_PENDING);
        CHECK_INT(pool_op_next(&s.op, NULL, &s.ask), POOL_ASK_DESTROY);
        CHECK_INT(step(&s), POOL_ASK_DONE);
        CHECK_COUNTS(pool, 0, 0, 0);
    }
}

TEST(an_answer_of_null_fails_the_check)
{
    for (pool_t *pool = NULL; each_kind(&pool, 0, 1);) {
        stock(pool, 1);
        talk s;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        CHECK_INT(pool_op_next(&s.op, NULL, &s.ask), POOL_ASK_DESTROY);
        CHECK_STATUS(finish(&s), POOL_OK);
        CHECK_COUNTS(pool, 0, 0, 0);
    }
}

/* Shows P07. */
TEST(a_pass_needs_a_pool_and_an_op)
{
    pool_op_t op;
    CHECK_STATUS(pool_op_sweep(NULL, &op), POOL_ERR_INVALID);
    for (pool_t *pool = NULL; each_kind(&pool, 1, 1);)
        CHECK_STATUS(pool_op_sweep(pool, NULL), POOL_ERR_INVALID);
}

/* ---- The breaker --------------------------------------------------------------------------- */

TEST(b148_passes_work_in_every_state_and_change_none)
{
    for (pool_t *pool = NULL; each_kind(&pool, 1, 2);) {
        pool_status_t (*const moves[])(pool_t *) = {pool_deactivate, pool_recover, pool_activate};
        for (int i = 0; i < 3; i++) {
            CHECK_STATUS(moves[i](pool), POOL_OK);
            pool_circuit_state_t state = pool_state(pool);
            world.sick[world.made] = true;
            CHECK_STATUS(sweep(pool), POOL_OK);
            CHECK_INT(world.made, i + 2);
            CHECK_COUNTS(pool, 1, 0, 0);
            CHECK_INT(pool_state(pool), state);
        }
    }
}

TEST(a_check_is_no_probe)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, 2);) {
        CHECK_STATUS(pool_recover(pool), POOL_OK);
        talk s;
        CHECK_INT(begin_sweep(&s, pool), POOL_ASK_HEALTHCHECK);
        CHECK_INT(id_of(take(pool)), 2); /* the one probe */
        CHECK_STATUS(try_take(pool), POOL_ERR_UNAVAILABLE);
        CHECK_STATUS(finish(&s), POOL_OK);
        CHECK_STATUS(try_take(pool), POOL_ERR_UNAVAILABLE);
        give(pool, word(2));
    }
}

static void success(pool_t *pool, void *ctx)
{
    (void)pool, (void)ctx;
    check_fail(__FILE__, __LINE__, "a pass reported a success");
}

static void failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)pool, (void)error, (void)ctx;
    check_fail(__FILE__, __LINE__, "a pass reported a failure");
}

TEST(b148_no_outcome_of_a_check_is_reported)
{
    static pool_circuit_breaker_strategy_t strategy = {.report_success = success, .report_failure = failure};
    pool_t *pool = new_pool(0, 2, 2);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    world.sick[1] = true;
    CHECK_STATUS(sweep(pool), POOL_OK); /* step() refuses asks for reports */
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 60000, 1), POOL_OK);
    world.sick[2] = world.sick[3] = true;
    CHECK_STATUS(sweep(pool), POOL_OK);
    CHECK_INT(world.made, 5);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(sweep(pool), POOL_OK);
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    end_pool(pool);
}

TEST(b148_a_host_is_not_asked_to_report_a_check)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_DESTROY | POOL_ASKS_HEALTHCHECK | POOL_ASKS_REPORTS;
    config.min_size = config.max_size = 2;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    talk t;
    CHECK_STATUS(pool_op_fill(pool, &t.op), POOL_OK);
    t.ask = (pool_ask_t)POOL_ASK_INIT;
    pool_op_next(&t.op, NULL, &t.ask);
    CHECK_STATUS(finish(&t), POOL_OK);
    world.sick[1] = true;
    CHECK_STATUS(sweep(pool), POOL_OK); /* step() refuses asks for reports */
    CHECK_STR(world.log, "create(1) create(2) check(1) destroy(1) create(3) check(2)");
    end_pool(pool);
}

/* ---- Pools that lack something ------------------------------------------------------------- */

TEST(without_a_healthcheck_a_pass_only_refills)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN; /* and no asks: what is dead just goes */
    config.min_size = config.max_size = 2;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(sweep(pool), POOL_OK);
    CHECK_STATUS(sweep(pool), POOL_OK);
    CHECK_STR(world.log, "create(1) create(2)");
    CHECK_COUNTS(pool, 2, 0, 0);
    close_pool(pool);
    pool_unref(pool);
}

TEST(without_a_destructor_a_dead_one_just_goes)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_HEALTHCHECK;
    config.min_size = 1;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(sweep(pool), POOL_OK);
    world.sick[1] = true;
    CHECK_STATUS(sweep(pool), POOL_OK);
    CHECK_STR(world.log, "create(1) check(1) create(2)");
    CHECK_COUNTS(pool, 1, 0, 0);
    close_pool(pool);
    pool_unref(pool);
}

TEST(b15_null_and_equal_words_are_checked_once_for_each_place)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_HEALTHCHECK;
    config.min_size = config.max_size = 3;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    talk t = {.ask = POOL_ASK_INIT};
    pool_answer_t yes = POOL_ANSWER_INIT;
    yes.ok = true; /* makes NULL, three times */
    CHECK_STATUS(pool_op_fill(pool, &t.op), POOL_OK);
    for (pool_op_next(&t.op, NULL, &t.ask); t.ask.kind == POOL_ASK_CREATE;)
        pool_op_next(&t.op, &yes, &t.ask);
    CHECK_COUNTS(pool, 3, 0, 0);
    int checks = 0;
    for (begin_sweep(&t, pool); t.ask.kind == POOL_ASK_HEALTHCHECK; checks++) {
        CHECK_PTR(t.ask.resource, NULL);
        pool_op_next(&t.op, &yes, &t.ask);
    }
    CHECK_STATUS(t.ask.status, POOL_OK);
    CHECK_INT(checks, 3);
    close_pool(pool);
    pool_unref(pool);
}

/* ---- Several at once ----------------------------------------------------------------------- */

TEST(two_passes_at_once_never_look_at_the_same_one)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, 4);) {
        stock(pool, 4);
        world.sick[2] = world.sick[3] = world.sick[4] = true;
        talk s[2];
        for (int i = 0; i < 2; i++)
            CHECK_INT(begin_sweep(&s[i], pool), POOL_ASK_HEALTHCHECK);
        for (int i = 0; s[0].ask.kind != POOL_ASK_DONE || s[1].ask.kind != POOL_ASK_DONE; i ^= 1) {
            if (s[0].ask.kind != POOL_ASK_DONE && s[1].ask.kind != POOL_ASK_DONE && s[0].ask.kind != POOL_ASK_CREATE &&
                s[1].ask.kind != POOL_ASK_CREATE)
                CHECK(s[0].ask.resource != s[1].ask.resource);
            step(&s[i]);
            CHECK(pool_count(pool) <= 4);
        }
        for (int i = 0; i < 2; i++)
            CHECK_STATUS(s[i].ask.status, POOL_OK);
        CHECK(world.checks[1] <= 2);
        for (int id = 2; id <= 4; id++)
            CHECK_INT(world.checks[id], 1); /* a dead one is found dead once */
        CHECK_INT(world.creations, 1);
        CHECK_COUNTS(pool, 2, 0, 0);
    }
}

enum { PLACES = 4, TALKS = 8, STEPS = 20000 / CHECK_SLOWDOWN };

static uint64_t random_state;

static int random_below(int n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state % (uint64_t)n);
}

/* What a random history has under way: t[0] and t[1] are passes, the others acquire. */
typedef struct history {
    talk t[TALKS];
    bool busy[TALKS];
    void *held[PLACES];
    int holding;
    int served, cancelled;
} history;

static void end_of_op(history *h, int i)
{
    h->busy[i] = false;
    if (i >= 2 && h->t[i].ask.status == POOL_OK) {
        CHECK(h->holding < PLACES);
        h->held[h->holding++] = h->t[i].ask.resource;
        h->served++;
    }
}

static void random_step(history *h, pool_t *pool)
{
    int i = random_below(TALKS);
    talk *t = &h->t[i];
    world.failures = random_below(4) == 0;
    world.refuse_release = random_below(4) == 0;
    if (world.made > 0)
        world.sick[world.made - random_below(PLACES < world.made ? PLACES : world.made)] ^= 1;
    if (!h->busy[i]) {
        h->busy[i] = true;
        if ((i < 2 ? begin_sweep(t, pool) : begin_acquire(t, pool, 0)) == POOL_ASK_DONE)
            end_of_op(h, i);
    } else if (random_below(10) == 0) {
        if (t->ask.kind == POOL_ASK_DESTROY)
            world.alive[id_of(t->ask.resource)] = 0; /* a cancel takes it for done */
        if (pool_op_cancel(&t->op) == POOL_PENDING) {
            CHECK_INT(pool_op_next(&t->op, NULL, &t->ask), POOL_ASK_DESTROY);
            step(t);
        }
        h->busy[i] = false;
        h->cancelled++;
    } else if (step(t) == POOL_ASK_DONE) {
        end_of_op(h, i);
    }
    if (h->holding > 0 && random_below(3) == 0) {
        void *resource = h->held[--h->holding];
        give(pool, resource);
    }
}

/* Everybody holds what the pool says is active, and nothing is counted twice or forgotten. */
static void check_history(const history *h, pool_t *pool)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    int active = h->holding, creating = 0;
    for (int i = 0; i < TALKS; i++) {
        bool asks = h->busy[i] && h->t[i].ask.kind != POOL_ASK_WAIT;
        active += asks;
        creating += asks && h->t[i].ask.kind == POOL_ASK_CREATE;
    }
    CHECK_INT(s.active, active);
    CHECK_INT(s.idle + s.active, alive() + creating);
    CHECK(s.idle + s.active <= PLACES);
    CHECK(s.waiting == 0 || s.active + s.reserved >= PLACES); /* a free place has no waiters */
}

TEST(random_histories_with_passes_count_every_place_once)
{
    for (pool_t *pool = NULL; each_kind(&pool, 2, PLACES);) {
        history h = {.holding = 0};
        random_state = 88172645463325252u;
        for (int i = 0; i < STEPS && world.made < MOST - PLACES; i++) {
            random_step(&h, pool);
            check_history(&h, pool);
        }
        CHECK(h.served > STEPS / 200 && h.cancelled > STEPS / 200);
        for (int i = 0; i < TALKS; i++) {
            if (!h.busy[i])
                continue;
            if (h.t[i].ask.kind == POOL_ASK_DESTROY)
                world.alive[id_of(h.t[i].ask.resource)] = 0;
            if (pool_op_cancel(&h.t[i].op) == POOL_PENDING) {
                pool_op_next(&h.t[i].op, NULL, &h.t[i].ask);
                step(&h.t[i]);
            }
        }
        world.refuse_release = false;
        while (h.holding > 0)
            give(pool, h.held[--h.holding]);
        pool_snapshot_t s = {.struct_size = sizeof s};
        CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
        CHECK_INT(s.idle, alive());
        CHECK_INT(s.active + s.reserved + s.waiting, 0);
    }
}

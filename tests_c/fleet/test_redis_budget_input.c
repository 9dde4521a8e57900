/*
 * A budget that makes no sense, or whose Redis does not want it, is refused in words. And one of a thousand processes.
 */
#include "fleet.h"

static void refused(const pool_budget_config_t *c, pool_status_t status, const char *why)
{
    pool_budget_t *b = (pool_budget_t *)&b;
    CHECK_STATUS(pool_budget_open(c, &b), status);
    CHECK_PTR(b, NULL);
    if (!strstr(pool_budget_error(), why))
        check_fail(__FILE__, __LINE__, "it says \"%s\", not \"%s\"", pool_budget_error(), why);
}

TEST(what_makes_no_budget_is_refused_in_words)
{
    start();
    pool_budget_config_t c = config();
    c.limit = 0;
    refused(&c, POOL_ERR_INVALID, "limit must be at least 1");
    c = config();
    c.share_min = 3;
    refused(&c, POOL_ERR_INVALID, "share_min at most limit");
    c = config();
    c.key = "";
    refused(&c, POOL_ERR_INVALID, "address and key are required");
    const char *none[] = {"redis:0", "redis:1x", "redis: 1", "redis:65536", "redis:", ":1", "[::1", "[::1]1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        c = config();
        c.address = none[i];
        refused(&c, POOL_ERR_INVALID, "host:port");
    }
    c = config();
    c.timeout_ms = LEASE_MS;
    refused(&c, POOL_ERR_INVALID, "at most a quarter");
    c = config();
    c.address = "/nowhere/redis";
    refused(&c, POOL_ERR_UNAVAILABLE, "/nowhere/redis: ");
    refused(NULL, POOL_ERR_INVALID, "config");
    CHECK_STATUS(pool_budget_info(NULL, NULL), POOL_ERR_INVALID);
    pool_budget_give(NULL);
    pool_budget_close(NULL);
    stop();
}

/* What is in Redis under a name of the budget's, and is not the budget's, stays as it is. */
TEST(a_key_of_another_kind_is_told_and_left_alone)
{
    static const char *const ends[4] = {"", ":line", ":ends", ":limits"};
    start();
    for (int i = 0; i < 4; i++) {
        char command[64], key[16];
        snprintf(command, sizeof command, "SET {%d}%s text", i, ends[i]);
        redis_does(command);
        snprintf(key, sizeof key, "%d", i);
        pool_budget_config_t c = config();
        c.key = key;
        refused(&c, POOL_ERR_INVALID, "WRONGTYPE");
        snprintf(command, sizeof command, "GET {%d}%s", i, ends[i]);
        redisReply *reply = redis(command);
        CHECK(reply != NULL);
        CHECK_STR(reply->str, "text");
        freeReplyObject(reply);
    }
    redisReply *reply = redis("DBSIZE");
    CHECK(reply != NULL);
    CHECK_INT(reply->integer, 4);
    freeReplyObject(reply);
    stop();
}

TEST(a_wrong_password_is_told)
{
    start();
    pool_budget_config_t c = config();
    c.password = "secret";
    refused(&c, POOL_ERR_UNAVAILABLE, "AUTH"); /* it has none */
    redis_does("CONFIG SET requirepass secret");
    pool_budget_t *b = opened(&c);
    c.password = "wrong";
    refused(&c, POOL_ERR_UNAVAILABLE, "WRONGPASS");
    c.user = "nobody";
    refused(&c, POOL_ERR_UNAVAILABLE, "WRONGPASS");
    c.user = c.password = NULL;
    refused(&c, POOL_ERR_UNAVAILABLE, "NOAUTH");
    pool_budget_close(b);
    stop();
}

/* What one of many says. */
static void says(redisContext *redis, int id, int number, int want)
{
    pool__budget_script_t script;
    redisReply *reply = redisCommand(redis, "EVAL %s 4 {b} {b}:line {b}:ends {b}:limits %d %d 0 %d 0 0 10 600000 0 0",
                                     pool__budget_script(script), id, number, want);
    CHECK(reply != NULL);
    CHECK_INT(reply->type, REDIS_REPLY_ARRAY);
    freeReplyObject(reply);
}

TEST(one_of_a_thousand_processes_is_served_in_its_turn)
{
    enum { OTHERS = 999, LIMIT = 10 };
    start();
    redisContext *others = redisConnectUnix(path);
    CHECK(others && !others->err);
    says(others, 0, 1, 0);
    redis_does("HSET {b} grace 0"); /* the ledger is new: nobody had anything before */
    for (int i = 0; i < OTHERS; i++)
        says(others, i, 2, 1);
    pool_budget_config_t c = config();
    c.limit = LIMIT;
    c.lease_ms = 600000; /* what the others have does not end, and there is time for each message */
    pool_budget_t *b = opened(&c);
    CHECK(!pool_budget_take(b, NULL));
    CHECK_INT(info(b).processes, OTHERS + 1);
    CHECK_INT(info(b).all, LIMIT);
    CHECK_INT(info(b).place, OTHERS + 1 - LIMIT);
    for (int i = 0; i < OTHERS; i++)
        says(others, i, 3, -1);
    CHECK(pool_budget_take(b, NULL));
    CHECK_INT(info(b).processes, 1);
    CHECK_INT(info(b).all, 1);
    pool_budget_give(b);
    pool_budget_close(b);
    redisFree(others);
    stop();
}

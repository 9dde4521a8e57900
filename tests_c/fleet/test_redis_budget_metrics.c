/*
 * What a budget tells: its numbers, and the text that a scraper reads.
 */
#include "fleet.h"

static char text[8192];

/* What the text says of a metric of the one budget; -1: nothing. */
static double value(pool_budget_t *b, const char *metric)
{
    char name[96];
    size_t length = pool_budget_metrics(&b, 1, text, sizeof text);
    CHECK(length > 0 && length < sizeof text);
    CHECK_INT(strlen(text), length);
    snprintf(name, sizeof name, "\nasyncpool_budget_%s ", metric);
    const char *at = strstr(text, name);
    return at ? atof(at + strlen(name)) : -1;
}

TEST(a_budget_tells_what_it_has_and_how_it_is)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *b = opened(&c);
    WAIT_FOR(pool_budget_take(b, NULL));
    WAIT_FOR(pool_budget_take(b, NULL));
    CHECK_INT(value(b, "granted_total{budget=\"b\"}"), 2);
    CHECK(!pool_budget_take(b, NULL));
    WAIT_FOR(value(b, "state{budget=\"b\",state=\"fine\"}") == 1);
    CHECK(value(b, "refused_total{budget=\"b\"}") >= 1);
    CHECK_INT(value(b, "limit{budget=\"b\"}"), 2);
    CHECK_INT(value(b, "held{budget=\"b\"}"), 2);
    CHECK_INT(value(b, "used{budget=\"b\"}"), 2);
    CHECK_INT(value(b, "all{budget=\"b\"}"), 2);
    CHECK_INT(value(b, "processes{budget=\"b\"}"), 1);
    WAIT_FOR(value(b, "wanted{budget=\"b\"}") == 0); /* who wanted it has not come again */
    double renewals = value(b, "renewals_total{budget=\"b\"}");
    WAIT_FOR(value(b, "renewals_total{budget=\"b\"}") > renewals);
    CHECK(value(b, "lease_left_seconds{budget=\"b\"}") <= LEASE_MS / 1000.0);
    CHECK_INT(info(b).granted, 2);
    CHECK(info(b).left_ms <= LEASE_MS);

    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    server = 0;
    WAIT_FOR(value(b, "state{budget=\"b\",state=\"expired\"}") == 1);
    CHECK_INT(value(b, "state{budget=\"b\",state=\"fine\"}"), 0);
    CHECK_INT(value(b, "lease_left_seconds{budget=\"b\"}"), 0);
    WAIT_FOR(value(b, "renewals_failed_total{budget=\"b\"}") > 1);
    pool_budget_give(b);
    pool_budget_give(b);
    pool_budget_close(b);
    stop();
}

TEST(a_budget_in_a_new_redis_says_so_and_keys_are_text)
{
    start();
    pool_budget_config_t c = config();
    c.lease_ms = 600000;
    pool_budget_t *both[2];
    both[0] = opened(&c);
    c.key = "\"a\\b\n\xc3\xbc%";
    both[1] = opened(&c);
    CHECK_INT(value(both[0], "state{budget=\"b\",state=\"new\"}"), 1);
    CHECK_INT(value(both[1], "state{budget=\"%22a%5Cb%0A%C3%BC%25\",state=\"new\"}"), 1);
    size_t length = pool_budget_metrics(both, 2, text, sizeof text);
    CHECK(strstr(text, "asyncpool_budget_limit{budget=\"b\"} 2\nasyncpool_budget_limit{budget=\"%22a") != NULL);

    char small[16];
    CHECK_INT(pool_budget_metrics(both, 2, NULL, 0), length);
    CHECK_INT(pool_budget_metrics(both, 2, small, sizeof small), length);
    CHECK_STR(small, "# TYPE asyncpoo");
    CHECK_INT(pool_budget_metrics(both, 0, small, sizeof small), 0);
    CHECK_STR(small, "");
    CHECK_INT(pool_budget_metrics(NULL, 1, small, sizeof small), 0);
    CHECK_INT(pool_budget_metrics(both, 2, NULL, 1), 0);
    pool_budget_t *none = NULL;
    CHECK_INT(pool_budget_metrics(&none, 1, small, sizeof small), 0);
    pool_budget_close(both[0]);
    pool_budget_close(both[1]);
    stop();
}

/* What all pools tell, as text (P73, P74). Parsers that others wrote read it in tests_go/metrics. */
#include "edge.h"
#include "fixture.h"

static char text[1 << 16];

/* All of the text, which fits. */
static const char *told(void)
{
    size_t length = pool_metrics(text, sizeof text);
    CHECK(length > 0 && length < sizeof text);
    CHECK_INT(strlen(text), length);
    return text;
}

static pool_t *named(const char *name)
{
    pool_t *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = name;
    config.flags = POOL_F_HOST_DRIVEN;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

/* Is there such a line? */
static bool says(const char *line)
{
    const char *found = strstr(told(), line);
    return found && (found == text || found[-1] == '\n') && found[strlen(line)] == '\n';
}

TEST(p73_without_pools_it_is_an_end)
{
    CHECK_STR(told(), "# EOF\n");
    pool_unref(named("gone"));
    CHECK_STR(told(), "# EOF\n");
}

TEST(p73_it_is_cut_as_snprintf_cuts)
{
    pool_t *pool = fx_pool(0, 1, 1);
    static char whole[sizeof text];
    strcpy(whole, told());
    size_t length = strlen(whole);
    CHECK_INT(pool_metrics(NULL, 0), length);
    for (size_t size = 1; size <= length + 8; size = size < 64 || size > length - 64 ? size + 1 : size + 61) {
        char *buffer = edge_alloc(size);
        CHECK_INT(pool_metrics(buffer, size), length);
        size_t fits = size - 1 < length ? size - 1 : length;
        CHECK_INT(strlen(buffer), fits);
        CHECK(memcmp(buffer, whole, fits) == 0);
        edge_free(buffer, size);
    }
    fx_finish(pool);
}

TEST(p73_a_buffer_that_is_none_is_refused)
{
    char why[128];
    CHECK_INT(pool_metrics(NULL, 1), 0);
    CHECK_STATUS(pool_last_error(NULL, why, sizeof why), POOL_ERR_INVALID);
    CHECK_STR(why, "pool_metrics: buffer is NULL, and size is not 0");
}

TEST(p74_names_are_escaped_cut_at_a_whole_character_and_utf_8)
{
    static const struct {
        const char *name, *label;
    } cases[] = {
        {"plain", "plain"},
        {"a \"b\" \\ c\nd", "a \\\"b\\\" \\\\ c\\nd"},
        {"\xe2\x82\xac \xf0\x9f\x8e\xb2", "\xe2\x82\xac \xf0\x9f\x8e\xb2"},
        {"\xe9t\xe9", "\xef\xbf\xbdt\xef\xbf\xbd"},                                                 /* Latin-1 */
        {"\xc0\x80 \xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* forbidden */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"end \xe2\x82", "end \xef\xbf\xbd\xef\xbf\xbd"},
#define SIXTY "012345678901234567890123456789012345678901234567890123456789"
        {SIXTY "012", SIXTY "012"},
        {SIXTY "0123", SIXTY "012"},
        {SIXTY "01\xc3\xa4", SIXTY "01"},
        {SIXTY "\xf0\x9f\x8e\xb2", SIXTY},
        {SIXTY "\xe2\x82\xac", SIXTY "\xe2\x82\xac"},
        {SIXTY "\xe2\x82\xac\xe2\x82\xac", SIXTY "\xe2\x82\xac"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        pool_t *pool = named(cases[i].name);
        snprintf(line, sizeof line, "asyncpool_lends_total{pool=\"%s\"} 0", cases[i].label);
        CHECK(says(line));
        pool_unref(pool);
    }
    /* The longest label there is, twice. */
    char name[64];
    memset(name, '\xff', sizeof name - 1);
    name[63] = 0;
    pool_t *one = named(name), *other = named(name);
    CHECK(strstr(told(), "\xbf\xbd\",id=\""));
    pool_unref(one);
    pool_unref(other);
}

TEST(p74_pools_of_one_name_are_told_apart_and_no_number_comes_again)
{
    pool_t *alone = named("alone"), *a = named("twin"), *nameless = named(NULL), *b = named("twin");
    CHECK(says("asyncpool_idle{pool=\"alone\"} 0"));
    CHECK(says("asyncpool_idle{pool=\"twin\",id=\"2\"} 0"));
    CHECK(says("asyncpool_idle{pool=\"\",id=\"3\"} 0"));
    CHECK(says("asyncpool_idle{pool=\"twin\",id=\"4\"} 0"));
    pool_unref(a);
    CHECK(says("asyncpool_idle{pool=\"twin\"} 0"));
    a = named("twin");
    CHECK(says("asyncpool_idle{pool=\"twin\",id=\"5\"} 0"));
    pool_unref(alone), pool_unref(a), pool_unref(nameless), pool_unref(b);
    CHECK_STR(told(), "# EOF\n");
}

/* Shows P70. */
TEST(p73_it_says_what_the_stats_say)
{
    char line[128];
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *r = fx_take(pool);
    CHECK_STATUS(pool_discard(pool, fx_take(pool)), POOL_OK);
    pool_stats_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_stats(pool, &s), POOL_OK);
    CHECK(says("asyncpool_lends_total{pool=\"\",id=\"1\"} 2"));
    CHECK(says("asyncpool_active{pool=\"\",id=\"1\"} 1"));
    CHECK(says("asyncpool_destroyed_total{pool=\"\",id=\"1\",reason=\"discarded\"} 1"));
    CHECK(says("asyncpool_create_seconds_count{pool=\"\",id=\"1\"} 2"));
    CHECK(says("asyncpool_create_seconds_bucket{pool=\"\",id=\"1\",le=\"+Inf\"} 2"));
    snprintf(line, sizeof line, "asyncpool_create_seconds_sum{pool=\"\",id=\"1\"} %u.%06u",
             (unsigned)(s.create_us / 1000000), (unsigned)(s.create_us % 1000000));
    CHECK(says(line));
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK(says("asyncpool_circuit{pool=\"\",id=\"1\",state=\"inactive\"} 1"));
    CHECK(says("asyncpool_circuit{pool=\"\",id=\"1\",state=\"active\"} 0"));
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK(says("asyncpool_closed{pool=\"\",id=\"1\"} 1"));
    pool_unref(pool);
    CHECK(says("asyncpool_active{pool=\"\",id=\"1\"} 1")); /* it is there until the last one is back */
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STR(told(), "# EOF\n");
}

TEST(p73_it_never_enters_go)
{
    pool_t *pool = fx_pool(0, 1, 1);
    uint64_t before = pool_debug_crossings();
    told();
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_finish(pool);
}

/* ---- Pools come and go meanwhile ---- */

static atomic_bool stop;

static void *come_and_go(void *arg)
{
    (void)arg;
    for (int i = 0; i < 300; i++) {
        pool_t *pool = fx_pool(0, 1, 2);
        fx_give(pool, fx_take(pool));
        pool_unref(pool);
    }
    return NULL;
}

static void *scrape(void *arg)
{
    static __thread char all[1 << 16];
    (void)arg;
    while (!atomic_load(&stop)) {
        size_t length = pool_metrics(all, sizeof all);
        CHECK(length >= 6);
        if (length < sizeof all)
            CHECK_STR(all + length - 6, "# EOF\n");
    }
    return NULL;
}

TEST(p73_pools_come_and_go_while_it_is_told)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS], scrapers[2];
    fx.quiet = true;
    for (int i = 0; i < 2; i++)
        CHECK_INT(pthread_create(&scrapers[i], NULL, scrape, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, come_and_go, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        CHECK_INT(pthread_join(scrapers[i], NULL), 0);
    CHECK_STR(told(), "# EOF\n");
    CHECK_INT(pool_debug_live(), 0);
}

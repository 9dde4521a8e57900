/* A configuration that contradicts itself makes no pool, and the text says what to leave out: every pair of what can be
 * chosen is tried. */
#include "fixture.h"

#include <string.h>

static int word, disposed;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &word;
    return true;
}

static void end(pool_t *pool, void *resource) { (void)pool, (void)resource; }

static bool pass(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return true;
}

static bool invoke(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    (void)fcall;
    return make(pool, resource);
}

static void dispose(pool_fcall_t *fcall)
{
    (void)fcall;
    disposed++;
}

static bool suspend(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    return true;
}

static void resume(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

static pool_fcall_t callable = {invoke, dispose, NULL};
static const pool_scheduler_t scheduler = {suspend, resume, NULL};

/* What can be chosen. The hooks as callables stand as far behind them as C functions as there are hooks. */
enum choice {
    FACTORY,
    DESTRUCTOR,
    HEALTHCHECK,
    BEFORE_ACQUIRE,
    BEFORE_RELEASE,
    HOOKS,
    FIRST_CALLABLE = HOOKS,
    HOST_DRIVEN = 2 * HOOKS,
    LOOP,
    SCHEDULER,
    ASKS,
    INTERVAL,
    LIMIT,
    DATA,
    CHOICES
};

static void choose(pool_config_t *config, enum choice what)
{
    switch ((int)what) {
    case FACTORY:
        config->factory = make;
        break;
    case DESTRUCTOR:
        config->destructor = end;
        break;
    case HEALTHCHECK:
        config->healthcheck = pass;
        break;
    case BEFORE_ACQUIRE:
        config->before_acquire = pass;
        break;
    case BEFORE_RELEASE:
        config->before_release = pass;
        break;
    case FIRST_CALLABLE + FACTORY:
        config->factory_fcall = &callable;
        break;
    case FIRST_CALLABLE + DESTRUCTOR:
        config->destructor_fcall = &callable;
        break;
    case FIRST_CALLABLE + HEALTHCHECK:
        config->healthcheck_fcall = &callable;
        break;
    case FIRST_CALLABLE + BEFORE_ACQUIRE:
        config->before_acquire_fcall = &callable;
        break;
    case FIRST_CALLABLE + BEFORE_RELEASE:
        config->before_release_fcall = &callable;
        break;
    case HOST_DRIVEN:
        config->flags |= POOL_F_HOST_DRIVEN;
        break;
    case LOOP:
        config->flags |= POOL_F_REACTOR;
        break;
    case SCHEDULER:
        config->scheduler = &scheduler;
        break;
    case ASKS:
        config->asks = POOL_ASKS_DESTROY;
        break;
    case INTERVAL:
        config->healthcheck_interval_ms = UINT32_MAX, config->min_size = 1;
        break;
    case LIMIT:
        config->recovering_limit = 1;
        break;
    case DATA:
        config->user_data = &word, config->name = "chosen";
        break;
    }
}

static bool is_callable(enum choice what) { return what >= FIRST_CALLABLE && what < HOST_DRIVEN; }

/* What a host-driven pool cannot have: all that somebody else than its host would call or serve. */
static bool is_for_others(enum choice what)
{
    return what < HOST_DRIVEN || what == LOOP || what == SCHEDULER || what == INTERVAL;
}

static bool contradict(enum choice one, enum choice other)
{
    bool host_driven = one == HOST_DRIVEN || other == HOST_DRIVEN;
    if (host_driven)
        return is_for_others(one) || is_for_others(other);
    bool the_same_hook = one < HOOKS && (int)other == (int)one + HOOKS;
    return the_same_hook || one == ASKS || other == ASKS;
}

/* The text of the last error, behind the name of the function. */
static void check_refused_with_a_text(void)
{
    static const char function[] = "pool_create_ex: ";
    char text[256];
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_INVALID);
    CHECK(strncmp(text, function, strlen(function)) == 0);
    CHECK(strlen(text) > strlen(function) + 20);
}

TEST(what_contradicts_itself_makes_no_pool_for_every_pair_of_choices)
{
    for (int one = 0; one < CHOICES; one++) {
        for (int other = one; other < CHOICES; other++) {
            pool_config_t config = POOL_CONFIG_INIT;
            pool_t *pool;
            choose(&config, (enum choice)one);
            choose(&config, (enum choice)other);
            bool has_factory = config.factory || config.factory_fcall;
            if (!has_factory && !(config.flags & POOL_F_HOST_DRIVEN))
                config.factory = make; /* which such a pool needs */
            int callables = is_callable((enum choice)one) + (other != one && is_callable((enum choice)other));
            bool bad = contradict((enum choice)one, (enum choice)other);
            disposed = 0;
            CHECK_STATUS(pool_create_ex(&config, &pool), bad ? POOL_ERR_INVALID : POOL_OK);
            CHECK((pool == NULL) == bad);
            if (bad)
                check_refused_with_a_text();
            pool_unref(pool);
            CHECK_INT(disposed, callables);
        }
    }
}

static void refused(pool_config_t config, const char *words)
{
    pool_t *pool = (pool_t *)&word;
    char text[256];
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    CHECK_PTR(pool, NULL);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_INVALID);
    if (!strstr(text, words))
        CHECK_STR(text, words);
}

TEST(a_host_driven_pool_for_a_loop_is_refused_with_a_word_of_what_to_leave_out)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN | POOL_F_REACTOR;
    refused(config, "leave POOL_F_REACTOR out");
    config.asks = POOL_ASKS_HEALTHCHECK;
    config.min_size = 1;
    refused(config, "leave POOL_F_REACTOR out");
}

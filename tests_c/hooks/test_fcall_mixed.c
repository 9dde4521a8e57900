/*
 * Callables and C functions mixed in one pool, and what becomes of callables when a creation fails.
 * Each case shows P36.
 */
#include "callables.h"

/* ---- Mixtures ------------------------------------------------------------------------------- */

static bool make_by_function(pool_t *pool, void **resource)
{
    note(FX_FACTORY, false);
    return make(pool, resource);
}

static void end_by_function(pool_t *pool, void *resource)
{
    CHECK(pool == expected && is_thing(resource));
    note(FX_DESTRUCTOR, false);
    ended++;
}

static bool check_by_function(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return true;
}

static bool lend_by_function(pool_t *pool, void *resource)
{
    CHECK(pool == expected && is_thing(resource));
    note(FX_BEFORE_ACQUIRE, false);
    return true;
}

static bool keep_by_function(pool_t *pool, void *resource)
{
    CHECK(pool == expected && is_thing(resource));
    note(FX_BEFORE_RELEASE, false);
    return true;
}

/* What stands at a place: nothing, a C function, or a callable. */
typedef enum choice { NOTHING, FUNCTION, CALLABLE } choice;

static pool_config_t mixture(const choice *at)
{
    pool_config_t c = POOL_CONFIG_INIT;
    fresh_all();
    c.factory = at[FX_FACTORY] == FUNCTION ? make_by_function : NULL;
    c.destructor = at[FX_DESTRUCTOR] == FUNCTION ? end_by_function : NULL;
    c.healthcheck = at[FX_HEALTHCHECK] == FUNCTION ? check_by_function : NULL;
    c.before_acquire = at[FX_BEFORE_ACQUIRE] == FUNCTION ? lend_by_function : NULL;
    c.before_release = at[FX_BEFORE_RELEASE] == FUNCTION ? keep_by_function : NULL;
    pool_fcall_t **fcalls[FX_HOOKS] = {
        &c.factory_fcall, &c.destructor_fcall, &c.healthcheck_fcall, &c.before_acquire_fcall, &c.before_release_fcall};
    for (int i = 0; i < FX_HOOKS; i++)
        *fcalls[i] = at[i] == CALLABLE ? &calls[i].fcall : NULL;
    return c;
}

/* The table shows what stands at a place. */
#define CHECK_PLACE(pool, hook, member, function)                                              \
    do {                                                                                       \
        if (at[hook] == FUNCTION)                                                              \
            CHECK((pool)->member.internal == (function));                                      \
        else                                                                                   \
            CHECK_PTR((pool)->member.fcall, at[hook] == CALLABLE ? &calls[hook].fcall : NULL); \
    } while (0)

static void check_mixture(const choice *at)
{
    static const unsigned flags[FX_HOOKS] = {
        POOL_F_FACTORY_INTERNAL, POOL_F_DESTRUCTOR_INTERNAL, POOL_F_HEALTHCHECK_INTERNAL,
        POOL_F_BEFORE_ACQUIRE_INTERNAL, POOL_F_BEFORE_RELEASE_INTERNAL};
    static const fx_hook order[] = {FX_FACTORY, FX_BEFORE_RELEASE, FX_BEFORE_ACQUIRE, FX_BEFORE_RELEASE, FX_DESTRUCTOR};
    unsigned want_flags = 0;
    char want[8] = "";
    pool_config_t config = mixture(at);
    pool_t *pool;
    made = ended = 0;
    memset(trace, 0, sizeof trace);
    expected = NULL;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    expected = pool;
    for (int i = 0; i < FX_HOOKS; i++)
        want_flags |= at[i] == FUNCTION ? flags[i] : 0;
    CHECK_INT(pool->handler_flags, want_flags);
    CHECK_PLACE(pool, FX_FACTORY, factory, make_by_function);
    CHECK_PLACE(pool, FX_DESTRUCTOR, destructor, end_by_function);
    CHECK_PLACE(pool, FX_HEALTHCHECK, healthcheck, check_by_function);
    CHECK_PLACE(pool, FX_BEFORE_ACQUIRE, before_acquire, lend_by_function);
    CHECK_PLACE(pool, FX_BEFORE_RELEASE, before_release, keep_by_function);
    for (int i = 0; i < 2; i++)
        give(pool, take(pool));
    pool_unref(pool);
    for (size_t i = 0, n = 0; i < sizeof order / sizeof *order; i++)
        if (at[order[i]] != NOTHING)
            want[n++] = (at[order[i]] == CALLABLE ? "FDHAR" : "fdhar")[order[i]];
    CHECK_STR(trace, want);
    CHECK_INT(ended, at[FX_DESTRUCTOR] == NOTHING ? 0 : 1);
    for (int i = 0; i < FX_HOOKS; i++)
        CHECK_INT(calls[i].disposed, at[i] == CALLABLE);
}

TEST(all_32_mixtures_of_functions_and_callables_are_told_truthfully_and_called)
{
    traced = true;
    for (int bits = 0; bits < 32; bits++) {
        choice at[FX_HOOKS];
        for (int i = 0; i < FX_HOOKS; i++)
            at[i] = bits >> i & 1 ? CALLABLE : FUNCTION;
        check_mixture(at);
    }
}

TEST(the_same_with_optional_hooks_left_out)
{
    traced = true;
    for (int code = 0; code < 2 * 3 * 3 * 3 * 3; code++) {
        choice at[FX_HOOKS];
        int rest = code / 2;
        at[FX_FACTORY] = code % 2 ? CALLABLE : FUNCTION;
        for (int i = 1; i < FX_HOOKS; i++, rest /= 3)
            at[i] = (choice)(rest % 3);
        check_mixture(at);
    }
}

/* ---- Creations that fail -------------------------------------------------------------------- */

static void check_refused(const pool_config_t *config, pool_status_t want, int each)
{
    pool_t *pool = (pool_t *)config; /* must become NULL */
    CHECK_STATUS(pool_create_ex(config, &pool), want);
    CHECK_PTR(pool, NULL);
    check_disposed(each);
    CHECK_INT(pool_debug_live(), 0);
}

static const choice all_callable[FX_HOOKS] = {CALLABLE, CALLABLE, CALLABLE, CALLABLE, CALLABLE};

TEST(a_function_and_a_callable_at_one_place_are_refused)
{
    for (int i = 0; i < FX_HOOKS; i++) {
        pool_config_t c = mixture(all_callable);
        switch (i) {
        case FX_FACTORY:
            c.factory = make_by_function;
            break;
        case FX_DESTRUCTOR:
            c.destructor = end_by_function;
            break;
        case FX_HEALTHCHECK:
            c.healthcheck = check_by_function;
            break;
        case FX_BEFORE_ACQUIRE:
            c.before_acquire = lend_by_function;
            break;
        default:
            c.before_release = keep_by_function;
        }
        check_refused(&c, POOL_ERR_INVALID, 1);
    }
    CHECK_INT(made, 0);
}

TEST(callables_of_a_bad_configuration_are_disposed_of)
{
    pool_config_t c = mixture(all_callable);
    c.max_size = 0;
    check_refused(&c, POOL_ERR_INVALID, 1);
    c = mixture(all_callable);
    c.min_size = c.max_size + 1;
    check_refused(&c, POOL_ERR_INVALID, 1);
    c = mixture(all_callable);
    c.flags = 1u << 30;
    check_refused(&c, POOL_ERR_INVALID, 1);
    c = mixture(all_callable);
    c.asks = POOL_ASKS_DESTROY; /* without POOL_F_HOST_DRIVEN */
    check_refused(&c, POOL_ERR_INVALID, 1);
    c = mixture(all_callable);
    c.flags = POOL_F_HOST_DRIVEN; /* with handlers */
    check_refused(&c, POOL_ERR_INVALID, 1);
    c = mixture(all_callable);
    CHECK_STATUS(pool_create_ex(&c, NULL), POOL_ERR_INVALID);
    check_disposed(1);
    c = mixture(all_callable);
    c.factory_fcall = NULL;
    CHECK_STATUS(pool_create_ex(&c, &expected), POOL_ERR_INVALID);
    CHECK_INT(calls[FX_FACTORY].disposed, 0); /* was not given */
    CHECK_INT(calls[FX_DESTRUCTOR].disposed, 1);
    CHECK_INT(calls[FX_FACTORY].invoked, 0);
}

/* Shows P05. */
TEST(callables_of_a_configuration_of_the_wrong_size_stay_the_callers)
{
    struct {
        pool_config_t config;
        uint64_t future;
    } newer = {mixture(all_callable), 1};
    newer.config.struct_size = sizeof newer;
    check_refused(&newer.config, POOL_ERR_INVALID, 0);
    newer.config.struct_size = 8;
    check_refused(&newer.config, POOL_ERR_INVALID, 0);
    newer.config.struct_size = 0;
    check_refused(&newer.config, POOL_ERR_INVALID, 0);
}

/* Shows P05. */
TEST(an_older_caller_without_callables_gets_none)
{
    static const choice functions[FX_HOOKS] = {FUNCTION, FUNCTION, FUNCTION, FUNCTION, FUNCTION};
    pool_config_t c = mixture(functions);
    pool_t *pool;
    c.factory_fcall = c.before_acquire_fcall = (pool_fcall_t *)8; /* beyond what it says it has */
    c.struct_size = offsetof(pool_config_t, factory_fcall);
    CHECK_STATUS(pool_create_ex(&c, &pool), POOL_OK);
    CHECK_INT(pool->handler_flags, 31);
    expected = pool;
    give(pool, take(pool));
    pool_unref(pool);
    CHECK_INT(made, ended);
}

static bool fail_third(pool_t *pool, int call)
{
    if (call != 3)
        return true;
    pool_set_error(pool, 77, "no third one");
    return false;
}

static bool close_at_second(pool_t *pool, int call)
{
    if (call == 2)
        CHECK_STATUS(pool_close(pool), POOL_OK);
    return true;
}

TEST(callables_are_disposed_of_when_the_first_resources_cannot_be_made)
{
    int code;
    char text[64];
    fresh_all();
    calls[FX_FACTORY].script = fail_third;
    CHECK_PTR(create(3, 3, 0), NULL);
    CHECK_STATUS(pool_last_error(&code, text, sizeof text), POOL_ERR_FACTORY);
    CHECK_INT(code, 77);
    CHECK_STR(text, "no third one");
    CHECK_INT(calls[FX_DESTRUCTOR].invoked, 2);
    check_disposed(1);
    fresh_all();
    calls[FX_FACTORY].script = close_at_second;
    CHECK_PTR(create(3, 3, 0), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_CLOSED);
    check_disposed(1);
    CHECK_INT(made, ended);
}

/* Shows P07. */
TEST(bad_arguments_of_pool_create_are_refused_and_disposed_of)
{
    static const uint32_t sizes[][2] = {{0, 0}, {2, 1}, {UINT32_MAX, 0}};
    for (int i = 0; i < 3; i++) {
        fresh_all();
        CHECK_PTR(create(sizes[i][0], sizes[i][1], 0), NULL);
        CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_INVALID);
        check_disposed(1);
    }
    fresh_all();
    CHECK_PTR(pool_create(NULL, &calls[1].fcall, NULL, NULL, NULL, 0, 1, 0), NULL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_INVALID);
    CHECK_INT(calls[1].disposed, 1);
    CHECK_PTR(pool_create(NULL, NULL, NULL, NULL, NULL, 0, 1, 0), NULL);
    CHECK_INT(made, 0);
}

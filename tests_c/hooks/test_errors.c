/*
 * Errors: which status a caller sees, pool_set_error and pool_last_error, which hook errors reach
 * whom (B37 to B40, B42, B60, B64, B70, B75, B76), bad arguments (B14), and the texts.
 * Each case shows P04.
 */
#include "fixture.h"

#include <limits.h>

static bool refuse_with_error(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    CHECK_STATUS(pool_set_error(pool, 700 + call, "stale"), POOL_OK);
    return false;
}

static void check_last(pool_status_t status, int code, const char *text)
{
    int got_code = -12345;
    char got_text[300] = "not written";
    CHECK_STATUS(pool_last_error(&got_code, got_text, sizeof got_text), status);
    CHECK_INT(got_code, code);
    if (text)
        CHECK_STR(got_text, text);
    else
        CHECK(got_text[0] != 0 && strcmp(got_text, "not written") != 0);
}

/* ---- What the last error is ----------------------------------------------------------------- */

TEST(nothing_has_failed_at_first) { check_last(POOL_OK, POOL_OK, NULL); }

TEST(a_failure_without_a_hooks_error_has_the_status_as_code_and_some_text)
{
    pool_status_t status;
    pool_t *pool = fx_pool(0, 1, 1);
    fx_acquire(pool, -1, &status);
    check_last(POOL_ERR_INVALID, POOL_ERR_INVALID, NULL);
    CHECK_STATUS(pool_release(pool, &status), POOL_ERR_NOT_OWNED);
    check_last(POOL_ERR_NOT_OWNED, POOL_ERR_NOT_OWNED, NULL);
    fx_resource *r = fx_take(pool);
    fx_acquire(pool, 1, &status);
    check_last(POOL_ERR_TIMEOUT, POOL_ERR_TIMEOUT, NULL);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_try(pool, &status);
    check_last(POOL_ERR_CLOSED, POOL_ERR_CLOSED, NULL);
    CHECK_STATUS(pool_close(NULL), POOL_ERR_INVALID);
    check_last(POOL_ERR_INVALID, POOL_ERR_INVALID, NULL);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(success_and_empty_leave_the_last_error)
{
    pool_status_t status;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    fx_acquire(pool, -1, &status);
    fx_resource *r = fx_take(pool);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_EMPTY);
    fx_give(pool, r);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_finish(pool);
    check_last(POOL_ERR_INVALID, POOL_ERR_INVALID, NULL);
}

static void *see_no_error_then_fail(void *arg)
{
    check_last(POOL_OK, POOL_OK, NULL);
    CHECK_STATUS(pool_release(arg, NULL), POOL_ERR_NOT_OWNED);
    check_last(POOL_ERR_NOT_OWNED, POOL_ERR_NOT_OWNED, NULL);
    return NULL;
}

TEST(each_thread_has_its_own_last_error)
{
    pool_status_t status;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_acquire(pool, -1, &status);
    check_join(check_thread(see_no_error_then_fail, pool));
    check_last(POOL_ERR_INVALID, POOL_ERR_INVALID, NULL);
    fx_finish(pool);
}

/* ---- What a hook says ----------------------------------------------------------------------- */

static int hook_code;
static const char *hook_text;

static bool say(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    CHECK_STATUS(pool_set_error(pool, hook_code, hook_text), POOL_OK);
    return false;
}

/* Fails an acquire whose factory sets this error. */
static void fail_with(pool_t *pool, int code, const char *text)
{
    pool_status_t status;
    hook_code = code;
    hook_text = text;
    fx.script[FX_FACTORY] = say;
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
}

TEST(a_hooks_code_and_text_reach_the_caller)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fail_with(pool, 111, "connection refused");
    check_last(POOL_ERR_FACTORY, 111, "connection refused");
    fail_with(pool, INT_MIN, "the lowest code");
    check_last(POOL_ERR_FACTORY, INT_MIN, "the lowest code");
    fail_with(pool, 0, "zero is a code as well");
    check_last(POOL_ERR_FACTORY, 0, "zero is a code as well");
    fail_with(pool, 7, NULL);
    check_last(POOL_ERR_FACTORY, 7, "");
    fx.script[FX_FACTORY] = fx_refuse; /* says nothing: what others said before is gone */
    pool_status_t status;
    fx_acquire(pool, 0, &status);
    check_last(POOL_ERR_FACTORY, POOL_ERR_FACTORY, NULL);
    fx_finish(pool);
}

TEST(a_text_is_copied_and_cut_after_255_bytes)
{
    char text[301], want[256];
    pool_t *pool = fx_pool(0, 0, 1);
    for (int length = 254; length <= 300; length += length < 257 ? 1 : 43) {
        memset(text, 'a' + length % 26, sizeof text);
        text[length] = 0;
        snprintf(want, sizeof want, "%.255s", text);
        fail_with(pool, length, text);
        memset(text, '!', sizeof text);
        check_last(POOL_ERR_FACTORY, length, want);
    }
    fx_finish(pool);
}

TEST(a_small_buffer_gets_the_beginning_and_is_terminated)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fail_with(pool, 5, "0123456789");
    for (size_t size = 0; size <= 12; size++) {
        char text[16], want[16];
        memset(text, '#', sizeof text);
        CHECK_STATUS(pool_last_error(NULL, text, size), POOL_ERR_FACTORY);
        if (size > 0) {
            snprintf(want, size, "0123456789");
            CHECK_STR(text, want);
        }
        for (size_t i = size; i < sizeof text; i++)
            CHECK_INT(text[i], '#'); /* nothing behind the buffer */
    }
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_FACTORY);
    CHECK_STATUS(pool_last_error(NULL, NULL, 100), POOL_ERR_FACTORY);
    fx_finish(pool);
}

/* The first call says something and accepts, later ones refuse in silence. */
static bool say_and_accept(pool_t *pool, fx_resource *r, int call) { return call == 1 && !say(pool, r, call); }

TEST(an_error_set_by_a_hook_that_returns_true_is_dropped)
{
    pool_status_t status;
    hook_code = 9;
    hook_text = "never mind";
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = say_and_accept;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    fx_give(pool, fx_take(pool));
    fx_resource *r = fx_take(pool);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 1);
    check_last(POOL_OK, POOL_OK, NULL);
    fx_acquire(pool, 0, &status); /* nor does a later failure find it */
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    check_last(POOL_ERR_FACTORY, POOL_ERR_FACTORY, NULL);
    fx_give(pool, r);
    fx.calls[FX_FACTORY] = 0;
    CHECK_PTR(fx_try_pool(0, 2, 2), NULL); /* one of the same operation included */
    check_last(POOL_ERR_FACTORY, POOL_ERR_FACTORY, NULL);
    fx_finish(pool);
}

/* Shows S5. */
TEST(an_error_belongs_to_its_own_operation)
{
    pool_status_t status;
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    fx.script[FX_DESTRUCTOR] = refuse_with_error;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_give(pool, fx_take(pool)); /* its destructor sets an error, though nobody asks */
    fx.script[FX_FACTORY] = fx_refuse;
    fx_acquire(pool, 0, &status); /* fails in silence */
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    check_last(POOL_ERR_FACTORY, POOL_ERR_FACTORY, NULL);
    fx_finish(pool);
}

static pool_t *inner_pool;

static bool fail_inside_then_say(pool_t *pool, fx_resource *r, int call)
{
    void *resource;
    if (pool == inner_pool)
        return refuse_with_error(pool, r, call);
    CHECK_STATUS(pool_acquire(inner_pool, &resource, 0), POOL_ERR_FACTORY);
    check_last(POOL_ERR_FACTORY, 700 + call + 1, "stale");
    pool_set_error(pool, 42, "the outer one");
    return false;
}

TEST(an_error_inside_a_hook_does_not_replace_the_hooks_own)
{
    pool_status_t status;
    fx.script[FX_FACTORY] = fail_inside_then_say;
    inner_pool = fx_pool(0, 0, 1);
    pool_t *pool = fx_pool(0, 0, 1);
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    check_last(POOL_ERR_FACTORY, 42, "the outer one");
    pool_unref(inner_pool);
    fx_finish(pool);
}

/* ---- Which errors reach whom ---------------------------------------------------------------- */

static bool fail_twice(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    char text[32];
    CHECK_COUNTS(pool, 0, 1, 0); /* b36: counts while it is made, not once it failed */
    snprintf(text, sizeof text, "attempt %d failed", call);
    if (call <= 2)
        CHECK_STATUS(pool_set_error(pool, 500 + call, text), POOL_OK);
    return call > 2;
}

TEST(b36_b37_b38_each_factory_error_reaches_its_caller_and_the_pool_stays_healthy)
{
    pool_status_t status;
    int code;
    char text[64];
    fx.script[FX_FACTORY] = fail_twice;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_STATUS(pool_last_error(&code, text, sizeof text), POOL_ERR_FACTORY);
    CHECK_INT(code, 501);
    CHECK_STR(text, "attempt 1 failed");
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_acquire(pool, 0, &status); /* does not park, though nobody would ever wake it */
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_STATUS(pool_last_error(&code, text, sizeof text), POOL_ERR_FACTORY);
    CHECK_INT(code, 502);
    CHECK_STR(text, "attempt 2 failed");
    fx_give(pool, fx_take(pool));
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static check_gate gate = CHECK_GATE_INIT;

typedef struct attempt {
    fx_caller caller;
    int code;
} attempt;

static void *acquire_and_keep_the_code(void *arg)
{
    attempt *a = arg;
    a->caller.got = fx_acquire(a->caller.pool, 0, &a->caller.status);
    CHECK_STATUS(pool_last_error(&a->code, NULL, 0), a->caller.status);
    return NULL;
}

static bool fail_always_first_at_gate(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 1)
        check_gate_pass(&gate);
    pool_set_error(pool, call, "down");
    return false;
}

TEST(b39_every_failed_creation_lets_the_next_waiter_try)
{
    enum { N = 8 };
    attempt attempts[N] = {0};
    int seen = 0;
    fx.script[FX_FACTORY] = fail_always_first_at_gate;
    pool_t *pool = fx_pool(0, 0, 1);
    for (int i = 0; i < N; i++) {
        attempts[i].caller.pool = pool;
        attempts[i].caller.thread = check_thread(acquire_and_keep_the_code, &attempts[i]);
    }
    WAIT_FOR(check_gate_waiting(&gate) == 1 && pool_waiting_count(pool) == N - 1);
    check_gate_open(&gate);
    for (int i = 0; i < N; i++) {
        fx_join(&attempts[i].caller);
        CHECK_STATUS(attempts[i].caller.status, POOL_ERR_FACTORY);
        CHECK(attempts[i].code >= 1 && attempts[i].code <= N);
        seen |= 1 << attempts[i].code;
    }
    CHECK_INT(seen, ((1 << N) - 1) << 1); /* each caller has the error of its own attempt */
    CHECK_INT(fx.calls[FX_FACTORY], N);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b40_a_factory_that_fails_silently_is_an_error_and_not_empty)
{
    pool_status_t status;
    int code;
    char text[256];
    fx.script[FX_FACTORY] = fx_refuse;
    pool_t *pool = fx_pool(0, 0, 1);
    for (int i = 0; i < 2; i++) {
        i == 0 ? fx_try(pool, &status) : fx_acquire(pool, 0, &status);
        CHECK_STATUS(status, POOL_ERR_FACTORY);
        CHECK_STATUS(pool_last_error(&code, text, sizeof text), POOL_ERR_FACTORY);
        CHECK_INT(code, POOL_ERR_FACTORY);
        CHECK(text[0] != 0);
    }
    fx_finish(pool);
}

/* Shows B32. */
TEST(b42_a_closed_pool_answers_closed_and_calls_nothing)
{
    pool_status_t status;
    int code;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_CLOSED);
    CHECK_STATUS(pool_last_error(&code, NULL, 0), POOL_ERR_CLOSED);
    CHECK_INT(code, POOL_ERR_CLOSED);
    CHECK_STR(fx_log(), "");
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

TEST(b60_an_error_set_by_a_rejecting_hook_is_swallowed)
{
    pool_status_t status;
    fx.script[FX_BEFORE_ACQUIRE] = refuse_with_error;
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 2);
    fx_resource *r = fx_try(pool, &status);
    CHECK_STATUS(status, POOL_OK);
    CHECK_INT(r->id, 2);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_OK);
    fx_give(pool, r);
    hook_code = 42; /* and when the factory fails then, its error is what the caller sees */
    hook_text = "no connection";
    fx.script[FX_FACTORY] = say;
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE], 2);
    check_last(POOL_ERR_FACTORY, 42, "no connection");
    fx_finish(pool);
}

TEST(b64_an_error_set_by_a_rejecting_release_hook_is_swallowed)
{
    fx.script[FX_BEFORE_RELEASE] = refuse_with_error;
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 5);
    fx_give(pool, fx_try(pool, NULL)); /* checks POOL_OK */
    CHECK_STR(fx_log(), "factory(1) before_release(1) destructor(1)");
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* Shows B113. */
TEST(b70_an_earlier_error_survives_hooks)
{
    pool_status_t status;
    int code;
    fx.script[FX_BEFORE_ACQUIRE] = fx.script[FX_BEFORE_RELEASE] = refuse_with_error;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    fx_acquire(pool, -1, &status);
    CHECK_STATUS(status, POOL_ERR_INVALID);
    fx_give(pool, fx_take(pool)); /* both hooks reject, both calls succeed */
    CHECK_INT(fx.destroyed, 2);
    CHECK_STATUS(pool_last_error(&code, NULL, 0), POOL_ERR_INVALID);
    CHECK_INT(code, POOL_ERR_INVALID);
    fx_finish(pool);
}

/* Shows B114. */
TEST(b75_b76_close_destroys_all_although_every_destructor_complains)
{
    fx.script[FX_DESTRUCTOR] = refuse_with_error;
    pool_t *pool = fx_pool(0, 3, 3);
    fx_log_clear();
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STR(fx_log(), "destructor(1) destructor(2) destructor(3)");
    CHECK(pool_is_closed(pool));
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_OK);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_finish(pool);
}

/* ---- Bad arguments -------------------------------------------------------------------------- */

/* Shows P07. */
TEST(b14_a_null_pool_is_answered_and_never_touched)
{
    void *r = &r;
    CHECK_STATUS(pool_acquire(NULL, &r, 0), POOL_ERR_INVALID);
    CHECK_PTR(r, NULL);
    r = &r;
    CHECK_STATUS(pool_try_acquire(NULL, &r), POOL_ERR_INVALID);
    CHECK_PTR(r, NULL);
    CHECK_STATUS(pool_release(NULL, &r), POOL_ERR_INVALID);
    CHECK_STATUS(pool_close(NULL), POOL_ERR_INVALID);
    CHECK(pool_is_closed(NULL));
    CHECK_INT(pool_count(NULL), 0);
    CHECK_INT(pool_idle_count(NULL), 0);
    CHECK_INT(pool_active_count(NULL), 0);
    CHECK_INT(pool_waiting_count(NULL), 0);
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(NULL, &s), POOL_ERR_INVALID);
    CHECK_STATUS(pool_set_error(NULL, 1, "text"), POOL_ERR_INVALID);
    CHECK_PTR(pool_ref(NULL), NULL);
    pool_unref(NULL);
    pool_config_init(NULL);
}

/* Shows P07. */
TEST(bad_input_calls_nothing_and_changes_nothing)
{
    void *r = &r;
    pool_status_t status;
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 2);
    fx_log_clear();
    CHECK_STATUS(pool_acquire(pool, NULL, 0), POOL_ERR_INVALID);
    CHECK_STATUS(pool_try_acquire(pool, NULL), POOL_ERR_INVALID);
    static const int64_t negative[] = {-1, -1000, INT32_MIN, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        fx_acquire(pool, negative[i], &status); /* checks that its out-pointer became NULL */
        CHECK_STATUS(status, POOL_ERR_INVALID);
    }
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STR(fx_log(), "destructor(1)");
    fx_acquire(pool, -1, &status); /* arguments are looked at before the pool */
    CHECK_STATUS(status, POOL_ERR_INVALID);
    fx_finish(pool);
}

/* Shows P07. */
TEST(bad_input_for_a_snapshot_is_refused)
{
    pool_t *pool = fx_pool(0, 1, 2);
    pool_snapshot_t s = {.struct_size = sizeof s - 1};
    CHECK_STATUS(pool_snapshot(pool, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_ERR_INVALID);
    s.struct_size = 0;
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_ERR_INVALID);
    CHECK_INT(s.idle, 0); /* nothing was written */
    fx_finish(pool);
}

/* ---- Texts and versions --------------------------------------------------------------------- */

TEST(every_status_has_its_name_and_text)
{
#define CHECK_ONE(name, number, text)                        \
    CHECK_INT(POOL_##name, number);                          \
    CHECK_STR(pool_status_name(POOL_##name), "POOL_" #name); \
    CHECK_STR(pool_strerror(POOL_##name), text);
    POOL_STATUS_MAP(CHECK_ONE)
#undef CHECK_ONE
}

TEST(an_unknown_status_is_told_as_such)
{
    static const int unknown[] = {3, -13, 1000, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        CHECK_STR(pool_strerror((pool_status_t)unknown[i]), "unknown status");
        CHECK_STR(pool_status_name((pool_status_t)unknown[i]), "POOL_?");
    }
}

TEST(the_library_has_the_versions_of_its_header)
{
    CHECK_STR(pool_version(), POOL_VERSION);
    CHECK_INT(pool_abi_version(), POOL_ABI_VERSION);
}

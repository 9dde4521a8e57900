/*
 * Replays the scenarios of tests_go/testdata through the C ABI, on pools whose host answers every
 * ask. The README there describes the format; tests_go replays the same files against the core.
 */
#include "check.h"

#include <ctype.h>
#include <stdarg.h>

#ifndef SCENARIO_DIR
#define SCENARIO_DIR "tests_go/testdata" /* from the root, where the tests run */
#endif

#define WORD(n) ((void *)(uintptr_t)(n))
#define HOUR_MS 3600000

enum { ACTORS = 26, MOST_LENT = 64, LINE = 256 };

typedef struct actor {
    pool_op_t op;
    pool_ask_t ask;
    bool begun, busy, pending; /* pending: cancelled, and the ask that is due was not heard yet */
    bool lends, gives;         /* what it does: acquire or try, release */
    void *given;
    int64_t until_ns; /* of its wait; 0 before the first */
} actor;

/* Where the replay is. */
static char file[LINE];
static int line_number;

/* The scenario it is in. */
static pool_t *pool;
static actor actors[ACTORS];
static void *lent[MOST_LENT];
static int lent_count, made, destroyed;
static bool asks_destroy;

/* What was seen after the last action, and how much of it was expected so far. */
static char seen[2][LINE];
static int checked = 2;

#define FAIL(...) check_fail(file, line_number, __VA_ARGS__)

static bool is(const char *text, const char *other) { return strcmp(text, other) == 0; }

/* ---- the books ---- */

static void give_back(void *resource)
{
    for (int i = 0; i < lent_count; i++) {
        if (lent[i] == resource) {
            lent[i] = lent[--lent_count];
            return;
        }
    }
    FAIL("resource %ju was given back and is not lent", (uintmax_t)(uintptr_t)resource);
}

static void on_done(actor *a)
{
    a->busy = false;
    if (a->lends && a->ask.status == POOL_OK) {
        if (lent_count == MOST_LENT)
            FAIL("more than %d are lent", MOST_LENT);
        lent[lent_count++] = a->ask.resource;
    } else if (a->ask.resource) {
        FAIL("done, without a resource to lend, but with resource %p", a->ask.resource);
    } else if (a->gives && a->ask.status != POOL_ERR_NOT_OWNED) {
        give_back(a->given);
    }
}

/* ---- doing ---- */

static void next(actor *a, const pool_answer_t *answer)
{
    a->pending = false;
    pool_ask_kind_t kind = pool_op_next(&a->op, answer, &a->ask);
    if (kind != a->ask.kind)
        FAIL("pool_op_next() returns %d, the ask says %d", kind, a->ask.kind);
    if ((kind == POOL_ASK_CREATE || kind == POOL_ASK_WAIT) && a->ask.resource)
        FAIL("ask %d is about resource %p", kind, a->ask.resource);
    if (kind == POOL_ASK_DONE) {
        on_done(a);
    } else if (kind == POOL_ASK_DESTROY) {
        destroyed++;
    } else if (kind == POOL_ASK_WAIT) {
        if (a->until_ns && a->ask.until_ns != a->until_ns)
            FAIL("the deadline moved");
        a->until_ns = a->ask.until_ns;
    }
}

static bool begin(actor *a, const char *verb, void *resource, bool timeout)
{
    pool_op_t *op = &a->op;
    pool_status_t status;
    if (is(verb, "acquire"))
        status = pool_op_acquire(pool, op, timeout ? HOUR_MS : 0);
    else if (is(verb, "try"))
        status = pool_op_try_acquire(pool, op);
    else if (is(verb, "release"))
        status = pool_op_release(pool, op, resource);
    else if (is(verb, "close"))
        status = pool_op_close(pool, op);
    else if (is(verb, "fill"))
        status = pool_op_fill(pool, op);
    else
        return false;
    check_status(file, line_number, verb, status, POOL_OK);
    a->ask = (pool_ask_t)POOL_ASK_INIT;
    a->begun = a->busy = true;
    a->lends = is(verb, "acquire") || is(verb, "try");
    a->gives = is(verb, "release");
    a->given = resource;
    a->until_ns = 0;
    next(a, NULL);
    return true;
}

static void cancel(actor *a)
{
    bool was_busy = a->busy;
    pool_status_t status = pool_op_cancel(&a->op);
    a->pending = status == POOL_PENDING;
    if (a->pending)
        return;
    check_status(file, line_number, "pool_op_cancel", status, POOL_OK);
    if (pool_op_next(&a->op, NULL, &a->ask) != POOL_ASK_DONE)
        FAIL("pool_op_cancel() says that the op is done; the next ask is %d", a->ask.kind);
    if (was_busy)
        on_done(a);
}

/* The clock at an answer: one nanosecond before the deadline of a wait, or late. */
static int64_t now(const actor *a, bool late)
{
    if (a->ask.kind == POOL_ASK_WAIT)
        return late ? a->ask.until_ns : a->ask.until_ns - 1;
    return late ? INT64_MAX - 1 : 1;
}

static void answer(actor *a, const char *verb, void *resource, bool late)
{
    pool_ask_kind_t kind = a->ask.kind;
    bool ok = is(verb, "made") || is(verb, "yes");
    bool fits = kind == POOL_ASK_CREATE    ? is(verb, "made") || is(verb, "failed")
                : kind == POOL_ASK_DESTROY ? is(verb, "destroyed")
                : kind == POOL_ASK_WAIT    ? is(verb, "wake")
                                           : is(verb, "yes") || is(verb, "no");
    if (!a->busy || a->pending || !fits)
        FAIL("nothing was asked that \"%s\" answers", verb);
    made += is(verb, "made");
    pool_answer_t heard = {sizeof heard, ok, resource, now(a, late)};
    next(a, &heard);
}

/* ---- seeing ---- */

/* A status as scenarios name it: "TIMEOUT" for POOL_ERR_TIMEOUT. */
static const char *short_name(pool_status_t status)
{
    const char *name = pool_status_name(status);
    return name + strlen(strncmp(name, "POOL_ERR_", 9) == 0 ? "POOL_ERR_" : "POOL_");
}

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, LINE - used, format, args);
    va_end(args);
}

static void see_ask(char *text, const actor *a)
{
    uintmax_t word = (uintptr_t)a->ask.resource;
    if (a->pending)
        append(text, "pending");
    else if (a->ask.kind == POOL_ASK_CREATE)
        append(text, "create");
    else if (a->ask.kind == POOL_ASK_BEFORE_ACQUIRE)
        append(text, "before_acquire %ju", word);
    else if (a->ask.kind == POOL_ASK_BEFORE_RELEASE)
        append(text, "before_release %ju", word);
    else if (a->ask.kind == POOL_ASK_DESTROY)
        append(text, "destroy %ju", word);
    else if (a->ask.kind == POOL_ASK_WAIT)
        append(text, "wait ticket %" PRIu64, a->ask.ticket);
    else
        append(text, "done %s", short_name(a->ask.status));
    if (a->busy)
        return;
    if (a->lends && a->ask.status == POOL_OK)
        append(text, " %ju", word);
    if (a->ask.ticket)
        append(text, " ticket %" PRIu64, a->ask.ticket);
    if (a->ask.turn)
        append(text, " turn %" PRIu64, a->ask.turn);
}

static void see(const actor *a)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    const char *woken = " woken";
    snprintf(seen[0], LINE, "%c: ", (char)('A' + (a - actors)));
    see_ask(seen[0], a);
    check_status(file, line_number, "pool_snapshot", pool_snapshot(pool, &s), POOL_OK);
    snprintf(seen[1], LINE, "idle %u active %u reserved %u waiting %u", s.idle, s.active,
             s.reserved, s.waiting);
    for (actor *other = actors; other < actors + ACTORS; other++) {
        /* A wait that ends in the past only says whether the op can go on. */
        if (other->busy && !other->pending && other->ask.kind == POOL_ASK_WAIT &&
            pool_op_wait(&other->op, 0) == POOL_OK) {
            append(seen[1], "%s %c", woken, (char)('A' + (other - actors)));
            woken = "";
        }
    }
    if (s.closed)
        append(seen[1], " closed");
    checked = 0;
}

/* ---- lines ---- */

/* "A release 7", "B acquire timeout", "C made 7 late". */
static void do_action(char *text)
{
    char name, verb[16] = "", word[16] = "", last[16] = "", more;
    int n = sscanf(text, "%c %15s %15s %15s %c", &name, verb, word, last, &more);
    bool has_word = isdigit((unsigned char)word[0]);
    const char *suffix = has_word ? last : word;
    bool timeout = is(suffix, "timeout"), late = is(suffix, "late");
    if (n < 2 || n > 4 || name < 'A' || name > 'Z' || (*suffix && !timeout && !late))
        FAIL("no action: %s", text);
    if (!pool)
        FAIL("an action before the pool");
    actor *a = &actors[name - 'A'];
    void *resource = WORD(strtoul(word, NULL, 10));
    if (is(verb, "cancel") && a->begun) {
        cancel(a);
    } else if (is(verb, "next") && a->pending) {
        next(a, NULL);
    } else if (a->busy || !begin(a, verb, resource, timeout)) {
        answer(a, verb, resource, late);
    }
}

static void begin_pool(const char *text)
{
    pool_config_t config = POOL_CONFIG_INIT;
    char asks[64];
    if (sscanf(text, "pool max=%u min=%u asks=%63s", &config.max_size, &config.min_size, asks) != 3)
        FAIL("no pool: %s", text);
    asks_destroy = strstr(asks, "destroy") != NULL;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = (asks_destroy ? POOL_ASKS_DESTROY : 0) |
                  (strstr(asks, "acquire") ? POOL_ASKS_BEFORE_ACQUIRE : 0) |
                  (strstr(asks, "release") ? POOL_ASKS_BEFORE_RELEASE : 0);
    check_status(file, line_number, "pool_create_ex", pool_create_ex(&config, &pool), POOL_OK);
    memset(actors, 0, sizeof actors);
    lent_count = made = destroyed = 0;
}

/* Everybody leaves, the pool closes, what is lent comes back: nothing must be left then. */
static void end_pool(void)
{
    if (!pool)
        return;
    actor *last = &actors[ACTORS - 1];
    for (actor *a = actors; a < actors + ACTORS; a++) {
        if (a->busy)
            cancel(a);
        while (a->busy)
            next(a, NULL);
    }
    for (begin(last, "close", NULL, false); last->busy;)
        next(last, NULL);
    while (lent_count > 0)
        for (begin(last, "release", lent[0], false); last->busy;)
            next(last, NULL);
    CHECK_COUNTS(pool, 0, 0, 0);
    if (asks_destroy)
        check_int(file, line_number, "resources destroyed", destroyed, made);
    pool_unref(pool);
    pool = NULL;
    check_int(file, line_number, "pool_debug_live() after the scenario", pool_debug_live(), 0);
}

static void do_line(char *text)
{
    bool indented = *text == ' ';
    text += strspn(text, " ");
    text[strcspn(text, "\r\n")] = 0;
    if (!*text || *text == '#')
        return;
    if (indented) {
        if (checked == 2)
            FAIL("one line too many: %s", text);
        check_str(file, line_number, "what was seen", seen[checked++], text);
        return;
    }
    if (checked != 2)
        FAIL("an expectation is missing above; seen was: %s", seen[checked]);
    if (strncmp(text, "scenario ", 9) == 0) {
        end_pool();
    } else if (strncmp(text, "pool ", 5) == 0) {
        begin_pool(text);
    } else {
        do_action(text);
        see(&actors[*text - 'A']);
    }
}

static void replay(const char *name)
{
    char text[LINE];
    snprintf(file, sizeof file, "%s/%s", SCENARIO_DIR, name);
    FILE *f = fopen(file, "r");
    if (!f)
        FAIL("cannot be opened");
    for (line_number = 1; fgets(text, sizeof text, f); line_number++)
        do_line(text);
    fclose(f);
    if (line_number == 1 || checked != 2 || !pool)
        FAIL("the file ends early");
    end_pool();
}

TEST(acquire) { replay("acquire.txt"); }
TEST(release) { replay("release.txt"); }
TEST(waiters) { replay("waiters.txt"); }
TEST(reservation) { replay("reservation.txt"); }
TEST(timeout) { replay("timeout.txt"); }
TEST(cancel) { replay("cancel.txt"); }
TEST(close) { replay("close.txt"); }
TEST(fill) { replay("fill.txt"); }
TEST(ring) { replay("ring.txt"); }

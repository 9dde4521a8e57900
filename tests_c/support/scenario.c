#include "scenario.h"

#include <ctype.h>
#include <stdarg.h>

bool scenario_is(const char *text, const char *other) { return strcmp(text, other) == 0; }

const char *scenario_status(pool_status_t status)
{
    const char *name = pool_status_name(status);
    return name + strlen(strncmp(name, "POOL_ERR_", 9) == 0 ? "POOL_ERR_" : "POOL_");
}

void scenario_append(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, SCENARIO_LINE - used, format, args);
    va_end(args);
}

void scenario_counts(const pool_t *pool, char *text, pool_snapshot_t *snapshot)
{
    *snapshot = (pool_snapshot_t){.struct_size = sizeof *snapshot};
    CHECK_STATUS(pool_snapshot(pool, snapshot), POOL_OK);
    *text = 0;
    scenario_append(text, "idle %u active %u reserved %u waiting %u", snapshot->idle, snapshot->active,
                    snapshot->reserved, snapshot->waiting);
}

/* ---- reading ---- */

typedef struct reader {
    scenario_file *file;
    int line;
    int expected; /* lines that must still follow the action before */
} reader;

#define FAIL(...) check_fail(r->file->path, r->line, __VA_ARGS__)

static scenario *current(reader *r)
{
    if (r->file->count == 0)
        FAIL("this stands before the first scenario");
    return &r->file->all[r->file->count - 1];
}

/* The number of " name=3", 0: there is none. */
static uint32_t number_of(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    return found ? (uint32_t)strtoul(found + strlen(name), NULL, 10) : 0;
}

/* "pool max=1 min=0 asks=acquire,destroy lifo waiting=1 uses=2 idle=1" */
static void read_pool(reader *r, const char *text)
{
    scenario *s = current(r);
    char asks[64];
    if (s->max || sscanf(text, "pool max=%u min=%u asks=%63s", &s->max, &s->min, asks) != 3)
        FAIL("no pool: %s", text);
    s->max_waiting = number_of(text, " waiting=");
    s->max_uses = number_of(text, " uses=");
    s->min_idle = number_of(text, " idle=");
    s->behind = strstr(text, " behind") != NULL;
    s->retries = s->pauses = strstr(text, " retry") != NULL;
    s->asks_acquire = strstr(asks, "acquire") != NULL;
    s->asks_release = strstr(asks, "release") != NULL;
    s->asks_destroy = strstr(asks, "destroy") != NULL;
    s->asks_leaked = strstr(asks, "leaked") != NULL;
    s->lifo = strstr(text, " lifo") != NULL;
}

/* "A release 7", "B acquire timeout", "C made 7 late" */
static void read_action(reader *r, const char *text)
{
    scenario *s = current(r);
    scenario_step step = {.line = r->line};
    char name, word[16] = "", last[16] = "", more;
    int n = sscanf(text, "%c %15s %15s %15s %c", &name, step.verb, word, last, &more);
    bool has_word = isdigit((unsigned char)word[0]);
    bool resizes = scenario_is(step.verb, "resize");
    const char *suffix = resizes ? "" : has_word ? last : word;
    step.timeout = scenario_is(suffix, "timeout");
    step.late = scenario_is(suffix, "late");
    if (n < 2 || n > 4 || name < 'A' || name > 'Z' || (*suffix && !step.timeout && !step.late))
        FAIL("no action: %s", text);
    if (!s->max)
        FAIL("an action before the pool");
    step.actor = name - 'A';
    step.resource = (void *)(uintptr_t)strtoul(word, NULL, 10);
    step.most = resizes ? (uint32_t)strtoul(last, NULL, 10) : 0;
    s->pauses |= scenario_is(step.verb, "later");
    s->steps = realloc(s->steps, sizeof step * (size_t)(s->count + 1));
    CHECK(s->steps != NULL);
    s->steps[s->count++] = step;
    r->expected = 2;
}

static void read_expected(reader *r, const char *text)
{
    if (!r->expected)
        FAIL("one line too many: %s", text);
    scenario *s = current(r);
    scenario_step *step = &s->steps[s->count - 1];
    scenario_append(r->expected-- == 2 ? step->ask : step->counts, "%s", text);
}

static void read_line(reader *r, char *text)
{
    bool indented = *text == ' ';
    text += strspn(text, " ");
    text[strcspn(text, "\r\n")] = 0;
    if (!*text || *text == '#')
        return;
    if (indented) {
        read_expected(r, text);
        return;
    }
    if (r->expected)
        FAIL("an expectation is missing above");
    if (strncmp(text, "scenario ", 9) == 0) {
        scenario_file *f = r->file;
        f->all = realloc(f->all, sizeof *f->all * (size_t)(f->count + 1));
        CHECK(f->all != NULL);
        f->all[f->count++] = (scenario){.count = 0};
        scenario_append(f->all[f->count - 1].title, "%s", text + 9);
    } else if (strncmp(text, "pool ", 5) == 0) {
        read_pool(r, text);
    } else {
        read_action(r, text);
    }
}

scenario_file scenario_load(const char *name)
{
    scenario_file file = {.count = 0};
    reader reading = {.file = &file}, *r = &reading;
    char text[SCENARIO_LINE];
    scenario_append(file.path, "%s/%s", SCENARIO_DIR, name);
    FILE *f = fopen(file.path, "r");
    if (!f)
        FAIL("cannot be opened");
    for (r->line = 1; fgets(text, sizeof text, f); r->line++)
        read_line(r, text);
    fclose(f);
    if (r->expected || file.count == 0 || current(r)->count == 0)
        FAIL("the file ends early");
    return file;
}

void scenario_free(scenario_file *file)
{
    for (int i = 0; i < file->count; i++)
        free(file->all[i].steps);
    free(file->all);
}

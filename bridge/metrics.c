/*
 * What all pools tell, as OpenMetrics text. All pools are read first, each in one instant, since what the text says of
 * one metric stands together. Then it is written by numbers alone: no locale has a say.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LABEL_SIZE = 256, /* of a name of 63 bytes, each of which is three at most, and an id */
    LINE_SIZE = 512
};

typedef struct sample {
    pool_stats_t stats;
    pool_snapshot_t moment;
    uint64_t id;
    uint32_t hash; /* of the label without the id */
    bool twin;     /* another one has the same name */
    bool timed;    /* it is known how long its resources are lent */
    char label[LABEL_SIZE];
} sample_t;

/* ---- text ---- */

typedef struct text {
    char *to;
    size_t size, length; /* room, without the zero byte at the end, and what there is, with all that did not fit */
} text_t;

static void put(text_t *t, const char *piece, size_t n)
{
    if (t->length < t->size)
        memcpy(t->to + t->length, piece, n < t->size - t->length ? n : t->size - t->length);
    t->length += n;
}

static __attribute__((format(printf, 2, 3))) void print(text_t *t, const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put(t, line, (size_t)n);
}

/* How many bytes the first character of some UTF-8 has; 0: it is none. */
static int character(const unsigned char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
    uint32_t c = n == 1 ? s[0] : s[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) /* the end is none, either */
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    bool surrogate = c >= 0xd800 && c < 0xe000;
    return n && c >= least[n] && c <= 0x10ffff && !surrogate ? n : 0;
}

static void put_name(text_t *t, const char *name)
{
    for (const unsigned char *s = (const unsigned char *)name; *s;) {
        int n = character(s);
        if (*s == '\\' || *s == '"')
            put(t, "\\", 1);
        if (*s == '\n')
            put(t, "\\n", 2);
        else if (n == 0)
            put(t, "\xef\xbf\xbd", 3);
        else
            put(t, (const char *)s, (size_t)n);
        s += n ? n : 1;
    }
}

/* ---- what is told ---- */

typedef struct metric {
    const char *name, *help;
    size_t at; /* in the sample */
    bool wide; /* it has 64 bits, and is a counter */
} metric_t;

#define COUNTER(field, help)                                \
    {                                                       \
#field, help, offsetof(sample_t, stats.field), true \
    }
#define GAUGE(name, field, help)                     \
    {                                                \
        name, help, offsetof(sample_t, field), false \
    }

static const metric_t metrics[] = {
    COUNTER(lends, "Resources handed out."),
    COUNTER(waited, "Resources handed out to callers who had stood in line."),
    COUNTER(timeouts, "Acquires that ran out of time."),
    COUNTER(unavailable, "Acquires that the circuit breaker refused."),
    COUNTER(overloaded, "Acquires that found the line full."),
    COUNTER(cancelled, "Acquires that were cancelled."),
    COUNTER(created, "Resources that factories have made."),
    COUNTER(failed, "Creations that failed."),
    COUNTER(detached, "Resources that their holders kept for good."),
    COUNTER(leaked, "Lends that were told as leaked."),
    GAUGE("count", stats.count, "Resources that there are."),
    GAUGE("making", stats.making, "Resources that are being made."),
    GAUGE("idle", moment.idle, "Resources that are free."),
    GAUGE("active", moment.active, "Resources that are lent, being made, in a hook or being destroyed."),
    GAUGE("reserved", moment.reserved, "Places promised to callers who have not taken them yet."),
    GAUGE("waiting", moment.waiting, "Callers in line."),
    GAUGE("max_size", moment.max, "Resources that there may be."),
    GAUGE("peak_active", stats.peak_active, "The most that were ever active."),
    GAUGE("peak_waiting", stats.peak_waiting, "The most that ever stood in line."),
};

#define REASON(reason)                                        \
    {                                                         \
#reason, offsetof(sample_t, stats.destroyed_##reason) \
    }

static const struct {
    const char *reason;
    size_t at;
} reasons[] = {REASON(rejected), REASON(refused), REASON(dead),      REASON(lifetime), REASON(idle),
               REASON(uses),     REASON(evicted), REASON(discarded), REASON(shrunk),   REASON(closed)};

static const char *const circuits[] = {"active", "inactive", "recovering"}; /* as pool_circuit_state_t counts them */

static uint64_t number(const sample_t *s, size_t at, bool wide)
{
    const char *field = (const char *)s + at;
    return wide ? *(const uint64_t *)field : *(const uint32_t *)field;
}

static void begin(text_t *t, const char *name, const char *type, const char *help)
{
    print(t, "# TYPE asyncpool_%s %s\n# HELP asyncpool_%s %s\n", name, type, name, help);
}

static void put_metric(text_t *t, const metric_t *m, const sample_t *samples, size_t n)
{
    begin(t, m->name, m->wide ? "counter" : "gauge", m->help);
    for (size_t i = 0; i < n; i++)
        print(t, "asyncpool_%s%s{%s} %llu\n", m->name, m->wide ? "_total" : "", samples[i].label,
              (unsigned long long)number(&samples[i], m->at, m->wide));
}

static void put_destroyed(text_t *t, const sample_t *samples, size_t n)
{
    begin(t, "destroyed", "counter", "Resources destroyed, and why.");
    for (size_t i = 0; i < n; i++)
        for (size_t why = 0; why < sizeof reasons / sizeof *reasons; why++)
            print(t, "asyncpool_destroyed_total{%s,reason=\"%s\"} %llu\n", samples[i].label, reasons[why].reason,
                  (unsigned long long)number(&samples[i], reasons[why].at, true));
}

static void put_circuit(text_t *t, const sample_t *samples, size_t n)
{
    begin(t, "circuit", "gauge", "1 for the state of the circuit breaker.");
    for (size_t i = 0; i < n; i++)
        for (int state = 0; state < 3; state++)
            print(t, "asyncpool_circuit{%s,state=\"%s\"} %d\n", samples[i].label, circuits[state],
                  (int)samples[i].moment.state == state);
    begin(t, "closed", "gauge", "1 once the pool was closed.");
    for (size_t i = 0; i < n; i++)
        print(t, "asyncpool_closed{%s} %d\n", samples[i].label, samples[i].moment.closed);
}

static void put_seconds(text_t *t, uint64_t us)
{
    print(t, "%llu.%06llu", (unsigned long long)(us / 1000000), (unsigned long long)(us % 1000000));
}

static void put_histogram(text_t *t, const char *name, const sample_t *s, uint64_t us, const uint64_t *buckets)
{
    uint64_t below = 0;
    for (int i = 0; i < AP_BUCKETS; i++) {
        below += buckets[i];
        print(t, "asyncpool_%s_seconds_bucket{%s,le=\"", name, s->label);
        if (i < AP_BUCKETS - 1)
            put_seconds(t, (uint64_t)1 << i);
        else
            put(t, "+Inf", 4);
        print(t, "\"} %llu\n", (unsigned long long)below);
    }
    print(t, "asyncpool_%s_seconds_sum{%s} ", name, s->label);
    put_seconds(t, us);
    print(t, "\nasyncpool_%s_seconds_count{%s} %llu\n", name, s->label, (unsigned long long)below);
}

static void put_times(text_t *t, const sample_t *samples, size_t n)
{
    begin(t, "wait_seconds", "histogram", "Time in line of those who were lent something.");
    print(t, "# UNIT asyncpool_wait_seconds seconds\n");
    for (size_t i = 0; i < n; i++)
        put_histogram(t, "wait", &samples[i], samples[i].stats.wait_us, samples[i].stats.wait_histogram);
    begin(t, "create_seconds", "histogram", "Time that factories took to make something.");
    print(t, "# UNIT asyncpool_create_seconds seconds\n");
    for (size_t i = 0; i < n; i++)
        put_histogram(t, "create", &samples[i], samples[i].stats.create_us, samples[i].stats.create_histogram);
}

/* Of those pools alone that time them. */
static void put_holds(text_t *t, const sample_t *samples, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!samples[i].timed)
            continue;
        if (!any) {
            begin(t, "hold_seconds", "histogram", "Time for which resources were lent, sampled.");
            print(t, "# UNIT asyncpool_hold_seconds seconds\n");
        }
        any = true;
        put_histogram(t, "hold", &samples[i], samples[i].stats.hold_us, samples[i].stats.hold_histogram);
    }
}

static void put_all(text_t *t, const sample_t *samples, size_t n)
{
    for (size_t i = 0; n > 0 && i < sizeof metrics / sizeof *metrics; i++)
        put_metric(t, &metrics[i], samples, n);
    if (n > 0) {
        put_destroyed(t, samples, n);
        put_circuit(t, samples, n);
        put_times(t, samples, n);
        put_holds(t, samples, n);
    }
    put(t, "# EOF\n", 6);
}

/* ---- all pools ---- */

static void read_pool(ap_pool_t *pool, sample_t *s)
{
    text_t label = {s->label, sizeof s->label - 1, 0};
    ap__stats_read(pool, &s->stats, &s->moment);
    s->id = pool->member.id;
    s->timed = pool->flags & POOL_F_TIMED;
    put(&label, "pool=\"", 6);
    put_name(&label, pool->name);
    put(&label, "\"", 1);
    s->label[label.length] = 0;
    for (const char *c = s->label; *c; c++)
        s->hash = s->hash * 31 + (unsigned char)*c;
}

/* Tells those apart that have one name, and those that have none. */
static void tell_apart(sample_t *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        samples[i].twin |= strcmp(samples[i].label, "pool=\"\"") == 0;
        for (size_t j = i + 1; j < n; j++)
            if (samples[i].hash == samples[j].hash && strcmp(samples[i].label, samples[j].label) == 0)
                samples[i].twin = samples[j].twin = true;
    }
    for (size_t i = 0; i < n; i++) {
        size_t end = strlen(samples[i].label);
        if (samples[i].twin)
            snprintf(samples[i].label + end, LABEL_SIZE - end, ",id=\"%llu\"", (unsigned long long)samples[i].id);
    }
}

/* Reads all pools; NULL: there is no memory. */
static sample_t *read_all(size_t *count)
{
    ap_pool_t *pool = ap__pools_hold(count);
    sample_t *samples = ap__alloc(_Alignof(sample_t), (*count + 1) * sizeof *samples);
    for (size_t i = 0; samples && pool; pool = pool->member.next)
        read_pool(pool, &samples[i++]);
    ap__pools_let_go();
    return samples;
}

size_t pool_metrics(char *buffer, size_t size)
{
    const char *function = "pool_metrics";
    size_t count;
    if (buffer && size > 0)
        *buffer = 0;
    if (ap__forked || (!buffer && size > 0)) {
        ap__fail(ap__forked ? POOL_ERR_FORKED : POOL_ERR_INVALID, ap__forked ? NULL : function,
                 ap__forked ? function : "buffer is NULL, and size is not 0");
        return 0;
    }
    sample_t *samples = read_all(&count);
    if (!samples) {
        ap__fail(POOL_ERR_NOMEM, function, pool_strerror(POOL_ERR_NOMEM));
        return 0;
    }
    text_t text = {buffer, size > 0 ? size - 1 : 0, 0};
    tell_apart(samples, count);
    put_all(&text, samples, count);
    ap__dealloc(samples);
    if (size > 0)
        buffer[text.length < size ? text.length : size - 1] = 0;
    return text.length;
}

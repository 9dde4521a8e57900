#include "live.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

/* A wave: the threads work without a break, then they pause before each piece of work. */
#define WAVE_NS (1600 * MS)
#define RUSH_NS (1100 * MS)
#define LULL_PAUSE_MS 10

static bool terminal, utf8, colours;
static atomic_int caught;

/* ---- small helpers ---- */

int64_t live_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

void live_sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * MS};
    nanosleep(&t, NULL);
}

live_text live_count(int64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", n < 0 ? -(long long)n : (long long)n);
    live_text text;
    char *to = text.s;
    if (n < 0)
        *to++ = '-';
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return text;
}

/* A duration, 7 columns wide. The micro sign is two bytes, so printf could not pad it. */
static live_text duration(int64_t ns, int decimals)
{
    static const struct {
        int64_t size;
        const char *ascii, *utf8;
    } units[] = {{SECOND, " s", " s"}, {MS, "ms", "ms"}, {1000, "us", "µs"}};
    size_t u = 0;
    while (u < 2 && ns < units[u].size)
        u++;
    live_text text;
    snprintf(text.s, sizeof text.s, "%4.*f %s", decimals, (double)ns / (double)units[u].size,
             utf8 ? units[u].utf8 : units[u].ascii);
    return text;
}

static const char *colour(const char *code) { return colours ? code : ""; }
static const char *plain(void) { return colour("\033[0m"); }
static const char *bold(void) { return colour("\033[1m"); }
static const char *green(void) { return colour("\033[32m"); }
static const char *blue(void) { return colour("\033[34m"); }
static const char *yellow(void) { return colour("\033[33m"); }
static const char *red(void) { return colour("\033[31m"); }

static void put_times(const char *cell, unsigned n)
{
    while (n--)
        fputs(cell, stdout);
}

/* A bar of value out of whole, in eighths of a cell; one that is not zero always shows. */
static void put_bar(unsigned width, int64_t value, int64_t whole)
{
    static const char *const parts[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    int64_t fill = (value * width * 8 + whole - 1) / whole;
    for (unsigned i = 0; i < width; i++) {
        unsigned part = fill > 8 ? 8 : (unsigned)fill;
        fputs(utf8 ? parts[part] : part > 4 ? "#" : part > 0 ? "-" : " ", stdout);
        fill -= part;
    }
}

/* ---- setting up ---- */

static void on_signal(int number) { atomic_store(&caught, number); }

int live_signal(void) { return atomic_load(&caught); }

void live_setup(live_t *live)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&live->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&live->mutex, NULL);

    setlocale(LC_CTYPE, "");
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    terminal = isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
    colours = terminal && !(no_colour && *no_colour);
    /* SA_ONSTACK: it may arrive on a thread of the library's Go runtime, whose stacks are small. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    /* A reader of our output or a peer that goes away is an error to handle, not the end. */
    signal(SIGPIPE, SIG_IGN);
}

unsigned live_option(const char *name, const char *text, unsigned least, unsigned most)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < least || n > most) {
        fprintf(stderr, "%s: \"%s\" is not a number from %u to %u\n", name, text, least, most);
        exit(2);
    }
    return (unsigned)n;
}

/* ---- the picture ---- */

static void put_places(const pool_snapshot_t *s)
{
    unsigned cells = s->max < 20 ? s->max : 20; /* a cell for each place as long as they fit */
    unsigned lent = (unsigned)(((uint64_t)s->active * cells + s->max - 1) / s->max);
    unsigned idle = (unsigned)(((uint64_t)s->idle * cells + s->max - 1) / s->max);
    if (idle > cells - lent)
        idle = cells - lent;
    fputs(green(), stdout);
    put_times(utf8 ? "█" : "#", lent);
    fputs(blue(), stdout);
    put_times(utf8 ? "▒" : "o", idle);
    fputs(plain(), stdout);
    put_times(utf8 ? "░" : ".", cells - lent - idle);
}

static void draw(live_t *live, int64_t now)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    int64_t done = atomic_load(&live->done);
    if (pool_snapshot(live->pool, &s) != POOL_OK)
        return;
    /* A loop is drawn between two turns, when what came back is promised but not yet lent again. */
    if (live->in_flight > s.active) {
        s.active = live->in_flight < s.max ? live->in_flight : s.max;
        s.idle = s.idle < s.max - s.active ? s.idle : s.max - s.active;
    }
    double seconds = (double)(now - live->shown_ns) / (double)SECOND;
    bool due = !terminal || seconds > 0.95; /* the rate is that of the last second */
    if (due || live->shown_ns == live->began_ns)
        live->rate = (double)(done - live->shown_done) / seconds;
    if (due) {
        live->shown_ns = now;
        live->shown_done = done;
    }
    unsigned percent = (unsigned)(done * 100 / live->total);
    live_text rate = live_count((int64_t)live->rate);
    const char *word = live->in_flight ? "in flight" : "lent";
    live->in_flight = 0;
    if (terminal) {
        /* With wrapping off, a line that is too long for the window is cut instead of scrolling. */
        printf("\r\033[?7l%s%4u %%%s  ", bold(), percent, plain());
        put_places(&s);
        printf("  %s%2u %s%s %s%2u idle%s %7s/s %s%3u waiting ", green(), s.active, word, plain(),
               blue(), s.idle, plain(), rate.s, yellow(), s.waiting);
        put_bar(10, s.waiting, live->threads);
        printf("%s\033[K\033[?7h", plain());
    } else {
        double age = (double)(now - live->began_ns) / (double)SECOND;
        printf("%6.1f s %4u %%   %s %3u   idle %3u   waiting %4u %11s %s %9s/s\n", age, percent,
               word, s.active, s.idle, s.waiting, live_count(done).s, live->unit, rate.s);
    }
    if (fflush(stdout) != 0)
        live_fail(live, "cannot write to the standard output: %s", strerror(errno));
}

/* ---- the run ---- */

typedef struct runner {
    live_t *live;
    unsigned number;
} runner;

static void *run_body(void *argument)
{
    runner *self = argument;
    live_t *live = self->live;
    live->body(live, self->number);
    pthread_mutex_lock(&live->mutex);
    live->running--;
    pthread_cond_signal(&live->ended);
    pthread_mutex_unlock(&live->mutex);
    return NULL;
}

/* Waits until every thread has returned, but not beyond a time; true when they have. */
static bool all_returned(live_t *live, int64_t until_ns)
{
    struct timespec until = {until_ns / SECOND, until_ns % SECOND};
    pthread_mutex_lock(&live->mutex);
    int error = 0;
    while (live->running > 0 && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&live->ended, &live->mutex, &until);
    bool all = live->running == 0;
    pthread_mutex_unlock(&live->mutex);
    return all;
}

bool live_begin(live_t *live)
{
    /* Twice the total: work may have to be repeated. */
    live->waits = calloc(2 * (size_t)live->total, sizeof *live->waits);
    if (!live->waits)
        live_fail(live, "out of memory");
    live->began_ns = live->shown_ns = live_now_ns();
    live->next_ns = live->began_ns + (terminal ? LIVE_TICK_MS * MS : SECOND);
    return live->waits != NULL;
}

bool live_tick(live_t *live)
{
    int64_t now = live_now_ns();
    if (now >= live->next_ns) {
        draw(live, now);
        live->next_ns += terminal ? LIVE_TICK_MS * MS : SECOND;
    }
    if (live_signal())
        atomic_store(&live->stopping, true);
    return atomic_load(&live->stopping);
}

void live_end(live_t *live)
{
    live->ended_ns = live_now_ns();
    draw(live, live->ended_ns);
    if (terminal)
        putchar('\n');
}

static void watch(live_t *live)
{
    bool all = false, closed = false;
    while (!all) {
        int64_t tick = live_now_ns() + LIVE_TICK_MS * MS;
        all = all_returned(live, tick < live->next_ns ? tick : live->next_ns);
        if (!all && live_tick(live) && !closed) {
            pool_close(live->pool);
            closed = true;
        }
    }
    live_end(live);
}

void live_run(live_t *live)
{
    pthread_t *threads = calloc(live->threads, sizeof *threads);
    runner *runners = calloc(live->threads, sizeof *runners);
    bool ready = live_begin(live) && threads && runners;
    if (!ready)
        live_fail(live, "out of memory");

    unsigned started = 0;
    live->running = live->threads;
    while (ready && started < live->threads) {
        runners[started] = (runner){live, started};
        int error = pthread_create(&threads[started], NULL, run_body, &runners[started]);
        if (error) {
            live_fail(live, "cannot start thread %u: %s", started, strerror(error));
            break;
        }
        started++;
    }
    pthread_mutex_lock(&live->mutex);
    live->running -= live->threads - started;
    pthread_mutex_unlock(&live->mutex);
    watch(live);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(runners);
    free(threads);
}

unsigned live_pause_ms(const live_t *live)
{
    return (live_now_ns() - live->began_ns) % WAVE_NS >= RUSH_NS ? LULL_PAUSE_MS : 0;
}

bool live_go_on(live_t *live)
{
    unsigned pause = live_pause_ms(live);
    if (pause)
        live_sleep_ms(pause);
    return !atomic_load(&live->stopping);
}

void live_waited(live_t *live, int64_t ns)
{
    int64_t i = atomic_fetch_add(&live->wait_count, 1);
    if (i < 2 * live->total)
        live->waits[i] = ns;
}

void live_in_flight(live_t *live, unsigned n)
{
    if (n > live->in_flight)
        live->in_flight = n;
}

void live_done(live_t *live) { atomic_fetch_add(&live->done, 1); }

void live_fail(live_t *live, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&live->mutex);
    if (!live->failure[0])
        vsnprintf(live->failure, sizeof live->failure, format, arguments);
    pthread_mutex_unlock(&live->mutex);
    va_end(arguments);
    atomic_store(&live->stopping, true);
}

void live_fail_call(live_t *live, const char *what)
{
    int code;
    char text[256];
    pool_status_t status = pool_last_error(&code, text, sizeof text);
    live_fail(live, "%s: %s: %s (%d)", what, pool_status_name(status), text, code);
}

void live_census_created(live_census *census)
{
    atomic_fetch_add(&census->created, 1);
    unsigned alive = atomic_fetch_add(&census->alive, 1) + 1, peak = atomic_load(&census->peak);
    while (alive > peak && !atomic_compare_exchange_weak(&census->peak, &peak, alive))
        ;
}

void live_census_destroyed(live_census *census)
{
    atomic_fetch_add(&census->destroyed, 1);
    atomic_fetch_sub(&census->alive, 1);
}

/* ---- the end ---- */

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The edge of bucket i: 0, 1 us, 2 us, 5 us, 10 us and so on. */
static int64_t edge(unsigned i)
{
    static const int64_t steps[] = {1, 2, 5};
    if (i == 0)
        return 0;
    int64_t ns = 1000 * steps[(i - 1) % 3];
    for (unsigned decades = (i - 1) / 3; decades > 0; decades--)
        ns *= 10;
    return ns;
}

/* waits is sorted and not empty. */
static void put_histogram(const int64_t *waits, int64_t n)
{
    enum { BUCKETS = 27 }; /* up to 200 s */
    int64_t counts[BUCKETS] = {0}, most = 0, at = 0;
    unsigned first = BUCKETS, last = 0;
    for (unsigned b = 0; b < BUCKETS; b++) {
        for (; at < n && (b == BUCKETS - 1 || waits[at] < edge(b + 1)); at++)
            counts[b]++;
        if (counts[b] > most)
            most = counts[b];
        if (counts[b] && b < first)
            first = b;
        if (counts[b])
            last = b;
    }
    for (unsigned b = first; b <= last; b++) {
        printf("  %s - %s  %s", duration(edge(b), 0).s, duration(edge(b + 1), 0).s, green());
        put_bar(34, counts[b], most);
        printf("%s %5.1f %% %9s\n", plain(), 100.0 * (double)counts[b] / (double)n,
               live_count(counts[b]).s);
    }
}

bool live_check(bool good, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %s%-6s%s  ", good ? green() : red(), good ? "ok" : "FAILED", plain());
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    return good;
}

bool live_summary(live_t *live)
{
    int64_t done = atomic_load(&live->done), n = atomic_load(&live->wait_count);
    double seconds = (double)(live->ended_ns - live->began_ns) / (double)SECOND;
    printf("\n%s%s %s%s in %.2f s, %s a second\n", bold(), live_count(done).s, live->unit, plain(),
           seconds, live_count((int64_t)((double)done / seconds)).s);
    if (n > 2 * live->total)
        n = 2 * live->total;
    if (n > 0) {
        qsort(live->waits, (size_t)n, sizeof *live->waits, by_size);
        printf("\n%sTime in %s%s   p50 %s   p99 %s   max %s\n\n", bold(),
               live->waits_in ? live->waits_in : "pool_acquire()", plain(),
               duration(live->waits[n / 2], 1).s, duration(live->waits[n * 99 / 100], 1).s,
               duration(live->waits[n - 1], 1).s);
        put_histogram(live->waits, n);
    }
    printf("\n%sChecks%s\n\n", bold(), plain());
    return live_signal() || live_check(done == live->total, "%s of %s %s done", live_count(done).s,
                                       live_count(live->total).s, live->unit);
}

bool live_check_census(const live_census *census, unsigned max)
{
    unsigned created = atomic_load(&census->created), destroyed = atomic_load(&census->destroyed);
    unsigned in_use = atomic_load(&census->broken_in_use), idle = atomic_load(&census->broken_idle);
    unsigned by_release = atomic_load(&census->refused_by_release);
    unsigned by_acquire = atomic_load(&census->refused_by_acquire);
    unsigned by_check = atomic_load(&census->refused_by_healthcheck);
    unsigned peak = atomic_load(&census->peak);
    bool good = live_check(created == destroyed, "%s connections created, %s destroyed",
                           live_count(created).s, live_count(destroyed).s);
    good = live_check(peak <= max, "at most %u open at once, %u allowed", peak, max) && good;
    good = live_check(by_release == in_use, "%s broken in use, %s refused by before_release",
                      live_count(in_use).s, live_count(by_release).s) && good;
    /* One that broke at the very end may never have been borrowed again. */
    bool found = by_acquire + by_check <= idle && idle - by_acquire - by_check <= max;
    if (by_check > 0)
        return live_check(found, "%s broken while idle, %s refused by before_acquire, %s by the "
                          "healthcheck", live_count(idle).s, live_count(by_acquire).s,
                          live_count(by_check).s) && good;
    return live_check(found, "%s broken while idle, %s refused by before_acquire",
                      live_count(idle).s, live_count(by_acquire).s) && good;
}

int live_exit_code(live_t *live, bool checks_good)
{
    free(live->waits);
    putchar('\n');
    fflush(stdout);
    if (live->failure[0])
        fprintf(stderr, "failed: %s\n", live->failure);
    else if (live_signal())
        fprintf(stderr, "stopped by signal %d\n", live_signal());
    if (live->failure[0] || !checks_good)
        return 1;
    return live_signal() ? 128 + live_signal() : 0;
}

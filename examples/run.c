#include "run.h"
#include "live.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MS INT64_C(1000000)

/* A wave: the workers work without a break, then they pause before each piece of work. */
#define WAVE_NS (1600 * MS)
#define RUSH_NS (1100 * MS)
#define LULL_PAUSE_MS 10

int64_t run_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 * MS + t.tv_nsec;
}

void run_sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * MS};
    nanosleep(&t, NULL);
}

/* ---- the run ---- */

void run_begin(run_t *run)
{
    run->began_ns = run_now_ns();
    run->draw_ns = run->began_ns + RUN_TICK_MS * MS;
}

void run_tick(run_t *run)
{
    live_draw(run, false);
    if (run_signal())
        atomic_store(&run->stopping, true);
    if (atomic_load(&run->stopping))
        pool_close(run->pool);
}

void run_end(run_t *run)
{
    run->ended_ns = run_now_ns();
    live_draw(run, true);
}

typedef struct crew {
    void (*body)(void *context, unsigned number);
    void *context;
    atomic_uint next; /* number for the next thread */
    atomic_uint working;
} crew;

static void *run_body(void *argument)
{
    crew *c = argument;
    c->body(c->context, atomic_fetch_add(&c->next, 1));
    atomic_fetch_sub(&c->working, 1);
    return NULL;
}

void run_threads(run_t *run, void (*body)(void *context, unsigned number), void *context)
{
    crew c = {.body = body, .context = context};
    pthread_t threads[run->workers];
    unsigned started = 0;
    int error = 0;
    run_begin(run);
    while (started < run->workers && !error) {
        atomic_fetch_add(&c.working, 1);
        error = pthread_create(&threads[started], NULL, run_body, &c);
        started += !error;
    }
    if (error) {
        atomic_fetch_sub(&c.working, 1);
        run_fail(run, "cannot start thread %u: %s", started, strerror(error));
    }
    while (atomic_load(&c.working) > 0) {
        run_sleep_ms(RUN_TICK_MS / 20);
        run_tick(run);
    }
    run_end(run);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

unsigned run_pause_ms(const run_t *run)
{
    return (run_now_ns() - run->began_ns) % WAVE_NS >= RUSH_NS ? LULL_PAUSE_MS : 0;
}

bool run_go_on(run_t *run)
{
    unsigned pause = run_pause_ms(run);
    if (pause)
        run_sleep_ms(pause);
    return !atomic_load(&run->stopping);
}

bool run_acquired(run_t *run, int64_t since_ns, pool_status_t status)
{
    live_waited(run, run_now_ns() - since_ns);
    if (status != POOL_OK && status != POOL_ERR_CLOSED)
        run_fail_call(run, "cannot borrow");
    return status == POOL_OK;
}

void run_released(run_t *run, pool_status_t status)
{
    if (status != POOL_OK)
        run_fail_call(run, "cannot give back");
}

void run_fail(run_t *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!atomic_exchange(&run->failed, true)) {
        fputs("\nfailed: ", stderr);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    }
    va_end(arguments);
    atomic_store(&run->stopping, true);
}

void run_fail_call(run_t *run, const char *what)
{
    int code;
    char text[256];
    pool_status_t status = pool_last_error(&code, text, sizeof text);
    run_fail(run, "%s: %s: %s (%d)", what, pool_status_name(status), text, code);
}

/* ---- the census, and the end ---- */

void run_created(run_t *run)
{
    run_census *c = &run->census;
    unsigned alive = atomic_fetch_add(&c->alive, 1) + 1, most = atomic_load(&c->most);
    atomic_fetch_add(&c->created, 1);
    while (alive > most && !atomic_compare_exchange_weak(&c->most, &most, alive))
        ;
}

void run_destroyed(run_t *run)
{
    atomic_fetch_add(&run->census.destroyed, 1);
    atomic_fetch_sub(&run->census.alive, 1);
}

void run_check(run_t *run, bool good, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %-6s  ", good ? "ok" : "FAILED");
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    if (!good)
        atomic_store(&run->failed, true);
}

static void check_census(run_t *run)
{
    const run_census *c = &run->census;
    unsigned by_release = c->refused_by_release, by_acquire = c->refused_by_acquire,
             by_check = c->refused_by_healthcheck;
    run_check(run, c->created == c->destroyed && c->most <= run->places,
              "%u %s created, %u destroyed, at most %u at once, %u allowed", c->created, run->resources, c->destroyed,
              c->most, run->places);
    if (c->broken_in_use + by_release > 0)
        run_check(run, c->broken_in_use == by_release, "%u broken in use, %u refused by before_release",
                  c->broken_in_use, by_release);
    /* One that broke at the very end may never have been borrowed again. */
    unsigned found = by_acquire + by_check;
    if (c->broken_idle + found > 0)
        run_check(run, found <= c->broken_idle && c->broken_idle - found <= run->places,
                  "%u broken while idle, %u refused by before_acquire, %u by a healthcheck", c->broken_idle, by_acquire,
                  by_check);
}

void run_summary(run_t *run)
{
    double seconds = (double)(run->ended_ns - run->began_ns) / 1e9;
    long long done = run->done, total = run->total;
    printf("\n%lld %s in %.2f s, %.0f a second\n", done, run->unit, seconds, (double)done / seconds);
    live_waits(run);
    puts("\nChecks\n");
    if (total && !run_signal())
        run_check(run, done == total, "%lld of %lld %s done", done, total, run->unit);
    check_census(run);
}

int run_result(const run_t *run)
{
    fflush(stdout);
    if (run_signal())
        fprintf(stderr, "\nstopped by signal %d\n", run_signal());
    if (run->failed)
        return 1;
    return run_signal() ? 128 + run_signal() : 0;
}

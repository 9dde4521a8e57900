#include "check.h"

#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

static check_case *cases;
static const char *_Atomic last_file = "?";
static atomic_int last_line;
char check_about[256];

void check_register(check_case *c)
{
    c->next = cases;
    cases = c;
}

void check_here(const char *file, int line)
{
    atomic_store_explicit(&last_file, file, memory_order_relaxed);
    atomic_store_explicit(&last_line, line, memory_order_relaxed);
}

_Noreturn void check_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s%s", file, line, check_about, *check_about ? ": " : "");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    _exit(1); /* other threads may be anywhere: run no exit handler */
}

void check_int(const char *file, int line, const char *text, long long got, long long want)
{
    check_here(file, line);
    if (got != want)
        check_fail(file, line, "%s is %lld, expected %lld", text, got, want);
}

void check_ptr(const char *file, int line, const char *text, const void *got, const void *want)
{
    check_here(file, line);
    if (got != want)
        check_fail(file, line, "%s is %p, expected %p", text, got, want);
}

void check_str(const char *file, int line, const char *text, const char *got, const char *want)
{
    check_here(file, line);
    if (strcmp(got, want) != 0)
        check_fail(file, line, "%s is\n  \"%s\", expected\n  \"%s\"", text, got, want);
}

void check_status(const char *file, int line, const char *text, pool_status_t got, pool_status_t want)
{
    check_here(file, line);
    if (got != want)
        check_fail(file, line, "%s is %s, expected %s", text, pool_status_name(got), pool_status_name(want));
}

void check_counts(const char *file, int line, pool_t *pool, uint32_t idle, uint32_t active, uint32_t waiting)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    check_status(file, line, "pool_snapshot", pool_snapshot(pool, &s), POOL_OK);
    if (s.idle != idle || s.active != active || s.waiting != waiting)
        check_fail(file, line, "idle/active/waiting is %u/%u/%u, expected %u/%u/%u", s.idle, s.active, s.waiting, idle,
                   active, waiting);
    if (s.idle + s.active > s.max)
        check_fail(file, line, "idle %u + active %u is above max %u", s.idle, s.active, s.max);
}

int64_t check_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t started_ns;

bool check_time_left(void) { return check_now_ns() - started_ns < CHECK_TRY_S * INT64_C(1000000000); }

pthread_t check_thread(void *(*body)(void *), void *arg)
{
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 << 10);
    int error = pthread_create(&thread, &attr, body, arg);
    if (error)
        check_fail(__FILE__, __LINE__, "pthread_create: %s", strerror(error));
    pthread_attr_destroy(&attr);
    return thread;
}

void check_join(pthread_t thread)
{
    int error = pthread_join(thread, NULL);
    if (error)
        check_fail(__FILE__, __LINE__, "pthread_join: %s", strerror(error));
}

void check_gate_pass(check_gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    gate->passing++;
    while (!gate->open)
        pthread_cond_wait(&gate->cond, &gate->mutex);
    gate->passing--;
    pthread_mutex_unlock(&gate->mutex);
}

void check_gate_open(check_gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    gate->open = true;
    pthread_cond_broadcast(&gate->cond);
    pthread_mutex_unlock(&gate->mutex);
}

int check_gate_waiting(check_gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    int n = gate->passing;
    pthread_mutex_unlock(&gate->mutex);
    return n;
}

static void bite(int signal)
{
    (void)signal;
    char text[512];
    int n = snprintf(text, sizeof text, "watchdog: still running after %d s; last check: %s:%d %.200s\n",
                     CHECK_WATCHDOG_S, atomic_load(&last_file), atomic_load(&last_line), check_about);
    if (write(2, text, (size_t)n) < 0)
        _exit(125);
    _exit(124);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CASE; the cases are:\n", argv[0]);
        for (check_case *c = cases; c; c = c->next)
            fprintf(stderr, "  %s\n", c->name);
        return 2;
    }
    struct sigaction action = {.sa_handler = bite, .sa_flags = SA_ONSTACK};
    sigaction(SIGALRM, &action, NULL);
    alarm(CHECK_WATCHDOG_S);
    started_ns = check_now_ns();
    for (check_case *c = cases; c; c = c->next) {
        if (strcmp(c->name, argv[1]) != 0)
            continue;
        c->run();
        check_int(__FILE__, __LINE__, "pool_debug_live()", pool_debug_live(), 0);
        return 0;
    }
    fprintf(stderr, "%s: no case named %s\n", argv[0], argv[1]);
    return 2;
}

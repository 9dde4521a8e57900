/*
 * Checks for the C tests. A test file is a program of cases:
 *
 *     TEST(b25_creates_up_to_max_then_answers_empty) { ... }
 *
 * ctest runs every case in a process of its own ("program case"). A failed check prints both values and
 * ends the process. A watchdog ends a case that hangs, and says in which line it last was.
 */
#ifndef ASYNCPOOL_CHECK_H
#define ASYNCPOOL_CHECK_H

#include <asyncpool/pool.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#ifndef __cplusplus /* which has <atomic> */
#include <stdatomic.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#define CHECK_NORETURN [[noreturn]]
#else
#define CHECK_NORETURN _Noreturn
#endif

/* Seconds before the watchdog bites; CHECK_SLOWDOWN is set by the sanitizer builds. It is the only judgement by time: a
 * busy machine holds any thread up for seconds. So it is long, and "not before its time" is all else that a test says
 * of clocks. */
#ifndef CHECK_SLOWDOWN
#define CHECK_SLOWDOWN 1
#endif
#define CHECK_WATCHDOG_S (300 * CHECK_SLOWDOWN)

/* Races are tried many times, since they are met by chance. How many times is for a machine that has nothing
 * else to do and a program that nothing slows down: this is true for the first CHECK_TRY_S seconds, and a busy
 * machine or a checker tries fewer times. */
#define CHECK_TRY_S 20
bool check_time_left(void);

typedef struct check_case {
    const char *name;
    void (*run)(void);
    struct check_case *next;
} check_case;

/* What the case is about just now; printed with a check that fails. */
extern char check_about[256];

void check_register(check_case *c);
void check_here(const char *file, int line);
CHECK_NORETURN void check_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void check_int(const char *file, int line, const char *text, long long got, long long want);
void check_ptr(const char *file, int line, const char *text, const void *got, const void *want);
void check_str(const char *file, int line, const char *text, const char *got, const char *want);
void check_status(const char *file, int line, const char *text, pool_status_t got, pool_status_t want);
void check_counts(const char *file, int line, pool_t *pool, uint32_t idle, uint32_t active, uint32_t waiting);

#define TEST(id)                                                 \
    static void test_##id(void);                                 \
    __attribute__((constructor)) static void register_##id(void) \
    {                                                            \
        static check_case c = {#id, test_##id, NULL};            \
        check_register(&c);                                      \
    }                                                            \
    static void test_##id(void)

#define CHECK(condition)                                                \
    do {                                                                \
        check_here(__FILE__, __LINE__);                                 \
        if (!(condition))                                               \
            check_fail(__FILE__, __LINE__, "not true: %s", #condition); \
    } while (0)
#define CHECK_INT(got, want) check_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_PTR(got, want) check_ptr(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_STR(got, want) check_str(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_STATUS(got, want) check_status(__FILE__, __LINE__, #got, (got), (want))
/* idle, active and waiting of one instant; count == idle + active <= max with them. */
#define CHECK_COUNTS(pool, idle, active, waiting) check_counts(__FILE__, __LINE__, (pool), (idle), (active), (waiting))
/* Waits for a condition; the watchdog names the line if it never comes. */
#define WAIT_FOR(condition)             \
    do {                                \
        check_here(__FILE__, __LINE__); \
        while (!(condition))            \
            sched_yield();              \
    } while (0)

/* The monotonic clock, in ns. */
int64_t check_now_ns(void);

/* A thread that runs body(arg); check_join waits for it. */
pthread_t check_thread(void *(*body)(void *), void *arg);
void check_join(pthread_t thread);

/* A gate: closed at first; passing waits until it is opened. */
typedef struct check_gate {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    bool open;
    int passing; /* threads that wait at it */
} check_gate;

#define CHECK_GATE_INIT                                               \
    {                                                                 \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0 \
    }
void check_gate_pass(check_gate *gate);
void check_gate_open(check_gate *gate);
int check_gate_waiting(check_gate *gate);

#ifdef __cplusplus
}
#endif

#endif

/*
 * The wall clock is set, forwards and backwards, all the time: nothing of the library looks at it.
 *
 * A test cannot set the machine's clock, so it stands between the library and the C library instead. Where the
 * library reads a clock or waits until a time, this sees which clock that is; the wall clock that it would be told
 * jumps by an hour either way. What waits on the monotonic clock in the kernel is not touched by a step.
 * Each case shows R33.
 */
#define _GNU_SOURCE /* dladdr() */
#include "loop.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define MS 1000000ll

static atomic_int step_s, looks, waits;
static const char *_Atomic forbidden; /* what the library did with the wall clock */

/* ---- between the library and the C library ---- */

/* This call came from the library. */
static bool by_library(void *from)
{
    Dl_info info;
    return dladdr(from, &info) && info.dli_fname && strstr(info.dli_fname, "libasyncpool");
}

static void judge(void *from, bool wall, const char *what, atomic_int *count)
{
    if (!by_library(from))
        return;
    atomic_fetch_add(count, 1);
    if (wall)
        atomic_store(&forbidden, what);
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

int clock_gettime(clockid_t id, struct timespec *t)
{
    int rc = (int)syscall(SYS_clock_gettime, id, t);
    if (id == CLOCK_REALTIME)
        t->tv_sec += atomic_load(&step_s);
    judge(CALLER, id != CLOCK_MONOTONIC, "clock_gettime()", &looks);
    return rc;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    judge(CALLER, true, "gettimeofday()", &looks);
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t id, const struct timespec *until)
{
    static int (*_Atomic real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
    judge(CALLER, id != CLOCK_MONOTONIC, "pthread_cond_clockwait()", &waits);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
    return real(cond, mutex, id, until);
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
    static int (*_Atomic real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    judge(CALLER, true, "pthread_cond_timedwait()", &waits);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    return real(cond, mutex, until);
}

long syscall(long number, ...)
{
    static long (*_Atomic real)(long, ...);
    long a[6];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (number == SYS_futex && a[3] != 0) { /* a time */
        long command = a[1] & FUTEX_CMD_MASK;
        if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET)
            judge(CALLER, a[1] & FUTEX_CLOCK_REALTIME, "futex()", &waits);
    }
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- the clock is set ---- */

static pthread_t setter;
static atomic_bool stop;

static void *set_clock(void *arg)
{
    while (!atomic_load(&stop)) {
        atomic_store(&step_s, 3600);
        sched_yield();
        atomic_store(&step_s, -3600);
        sched_yield();
    }
    return arg;
}

static void begin(void)
{
    fx.quiet = true;
    setter = check_thread(set_clock, NULL);
}

static void end(pool_t *pool)
{
    stop = true;
    check_join(setter);
    if (forbidden)
        check_fail(__FILE__, __LINE__, "the library used the wall clock by %s", atomic_load(&forbidden));
    CHECK(looks > 0);
    fx_finish(pool);
}

TEST(threads_wait_as_long_as_they_said)
{
    begin();
    pool_t *pool = fx_pool(0, 0, 1);
    fx_caller patient, other;
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&patient, pool, 3600 * 1000);
    fx_start_waiting(&other, pool, 0);
    for (int i = 0; i < 5; i++) {
        pool_status_t status;
        int64_t start = check_now_ns();
        CHECK_PTR(fx_acquire(pool, 20, &status), NULL);
        CHECK_STATUS(status, POOL_ERR_TIMEOUT);
        CHECK(check_now_ns() - start >= 20 * MS);
    }
    CHECK_COUNTS(pool, 0, 1, 2);
    fx_give(pool, r);
    fx_join(&patient);
    CHECK_STATUS(patient.status, POOL_OK);
    fx_give(pool, patient.got);
    fx_join(&other);
    CHECK_STATUS(other.status, POOL_OK);
    fx_give(pool, other.got);
    CHECK(waits > 0);
    end(pool);
}

TEST(loops_sleep_as_long_as_they_have_to)
{
    begin();
    pool_t *pool = loop_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    told patient = {0};
    loop_acquire(pool, &patient, 3600 * 1000);
    for (int i = 0; i < 5; i++) {
        told t = {0};
        int64_t start = check_now_ns();
        loop_acquire(pool, &t, 20);
        CHECK(pool_next_timeout(pool) <= 21);
        loop_until_told(pool, &t);
        CHECK_TOLD_ONCE(&t, POOL_ERR_TIMEOUT);
        CHECK(check_now_ns() - start >= 20 * MS);
    }
    CHECK(pool_next_timeout(pool) > 3000 * 1000);
    fx_give(pool, r);
    loop_until_told(pool, &patient);
    CHECK_TOLD_ONCE(&patient, POOL_OK);
    loop_give(&patient);
    end(pool);
}

static void healthchecks(uint32_t flags)
{
    begin();
    pool_config_t config = loop_config(FX_WITH_HEALTHCHECK, 1, 1);
    config.healthcheck_interval_ms = 10;
    config.flags = flags;
    int64_t start = check_now_ns();
    pool_t *pool = loop_pool_of(&config);
    while (fx.calls[FX_HEALTHCHECK] < 10) {
        check_here(__FILE__, __LINE__);
        if (flags & POOL_F_REACTOR)
            CHECK_STATUS(pool_dispatch(pool), POOL_OK);
        sched_yield();
    }
    CHECK(check_now_ns() - start >= 10 * 10 * MS);
    CHECK((flags & POOL_F_REACTOR) || waits > 0);
    end(pool);
}

TEST(healthchecks_come_when_they_are_due) { healthchecks(0); }
TEST(healthchecks_on_a_loop_come_when_they_are_due) { healthchecks(POOL_F_REACTOR); }

TEST(a_breaker_stays_open_as_long_as_it_was_told)
{
    begin();
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 20, 1), POOL_OK);
    for (int i = 0; i < 5; i++) {
        int64_t start = check_now_ns();
        fx_resource *r = NULL;
        CHECK_STATUS(pool_deactivate(pool), POOL_OK);
        while (!r) {
            pool_status_t status;
            r = fx_try(pool, &status);
            CHECK(r || status == POOL_ERR_UNAVAILABLE);
        }
        CHECK(check_now_ns() - start >= 20 * MS);
        fx_give(pool, r);
        CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    }
    end(pool);
}

/**
 * @file
 * @brief Would the Go runtime inside the library start in this process? @ref pool_loading.
 */
/**
 * @defgroup pool_loading What loading the library takes
 *
 * Would the Go runtime inside the library start in this process?
 *
 * Where it does not, it ends the process, and nobody can answer for it; so pool_api_load() of asyncpool/pool_api.h asks
 * this first. Header only.
 * @{
 */
#ifndef ASYNCPOOL_POOL_API_CHECK_H
#define ASYNCPOOL_POOL_API_CHECK_H

#include <asyncpool/pool.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @cond */
/* Why the last pool_api_load(), pool_api_register() or pool_api_check() of a thread failed. */
__attribute__((weak, visibility("hidden"))) __thread char pool_api_text[512];
/** @endcond */

/**
 * @brief Why the last pool_api_load(), pool_api_register() or pool_api_check() of this thread failed.
 *
 * @return The reason in words; "" when none did.
 * @since 1.0
 */
static inline const char *pool_api_error(void) { return pool_api_text; }

/**
 * @name What the Go runtime takes to start
 * Beside the stacks of its first threads. Measured; docs/embedding.md has it.
 * @{
 */
/** Bytes of address space. */
#define POOL_API_ADDRESS_SPACE ((unsigned long long)768 << 20)
/** Bytes of data. */
#define POOL_API_DATA ((unsigned long long)48 << 20)
/** Threads. */
#define POOL_API_THREADS 8u
/** @} */

/** @cond */
/* Is this what the Go runtime takes for GOMEMLIMIT: nothing, "off", or bytes, with B, KiB, MiB, GiB or TiB? */
static inline bool pool_api_is_memory_limit(const char *text)
{
    static const char units[] = "KMGT";
    unsigned long long bytes = 0;
    unsigned shift = 0;
    if (!*text || strcmp(text, "off") == 0)
        return true;
    if (*text == '+')
        text++;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (bytes > (unsigned long long)(INT64_MAX - (*text - '0')) / 10)
            return false;
        bytes = bytes * 10 + (unsigned)(*text - '0');
    }
    for (unsigned i = 0; i < 4; i++)
        if (text[0] == units[i] && text[1] == 'i')
            shift = 10 * (i + 1);
    text += shift ? 2 : 0;
    if (*text == 'B')
        text++;
    else if (shift)
        return false;
    return !*text && bytes <= (unsigned long long)INT64_MAX >> shift;
}

/* The value of GOMEMLIMIT that the process was started with, which is what the Go runtime sees; "": none. */
static inline void pool_api_memory_limit_at_start(char *value, size_t size)
{
    static const char name[] = "GOMEMLIMIT=";
    FILE *file = fopen("/proc/self/environ", "re");
    size_t matched = 0, length = 0; /* of the name; of the value */
    bool other = false;             /* inside of another variable */
    for (int c; file && (c = getc(file)) != EOF && (c || matched < sizeof name - 1);) {
        if (!c) {
            matched = 0;
            other = false;
        } else if (!other && matched == sizeof name - 1) {
            value[length] = (char)c;
            length += length < size - 1;
        } else if (!other && c == name[matched]) {
            matched++;
        } else {
            matched = 0;
            other = true;
        }
    }
    if (file)
        fclose(file);
    value[length] = 0;
}

/* Bytes that this process has in use: of address space, and of data. 0 where that cannot be told. */
static inline void pool_api_in_use(unsigned long long *space, unsigned long long *data)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long long page = (unsigned long long)sysconf(_SC_PAGESIZE);
    *space = *data = 0;
    if (file && fscanf(file, "%llu %*u %*u %*u %*u %llu", space, data) != 2)
        *space = *data = 0;
    if (file)
        fclose(file);
    *space *= page;
    *data *= page;
}

/* Bytes of stack that a thread gets: what the limit was when the process began, or what was set since; a limit that is
 * changed later changes nothing for threads. */
static inline unsigned long long pool_api_stack(void)
{
    pthread_attr_t attributes;
    size_t size = 8u << 20;
    if (pthread_attr_init(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
    }
    return size;
}

/* Does a limit leave so much? Otherwise the text says what is missing. */
static inline bool pool_api_limit_leaves(const char *what, rlim_t limit, unsigned long long used,
                                         unsigned long long needed)
{
    if (limit == RLIM_INFINITY || limit >= used + needed)
        return true;
    snprintf(pool_api_text, sizeof pool_api_text,
             "the limit of %s is %llu KiB, %llu KiB are in use, and the Go runtime needs %llu KiB more to start, or it "
             "ends the process: raise it to %llu KiB at least",
             what, (unsigned long long)limit >> 10, used >> 10, needed >> 10, (used + needed + 1023) >> 10);
    return false;
}

static inline void *pool_api_pass(void *gate)
{
    pthread_mutex_lock((pthread_mutex_t *)gate);
    pthread_mutex_unlock((pthread_mutex_t *)gate);
    return NULL;
}

/* Can as many threads be started as the Go runtime starts? */
static inline bool pool_api_threads_start(void)
{
    pthread_t threads[POOL_API_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    unsigned n = 0;
    int error = 0;
    pthread_mutex_lock(&gate); /* so that all of them are there at once */
    while (n < POOL_API_THREADS && (error = pthread_create(&threads[n], NULL, pool_api_pass, &gate)) == 0)
        n++;
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    if (error)
        snprintf(pool_api_text, sizeof pool_api_text,
                 "only %u threads could be started (%s), and the Go runtime needs %u or ends the process: look at the "
                 "limit of processes (ulimit -u), at pids.max of the cgroup, and at seccomp",
                 n, strerror(error), POOL_API_THREADS);
    return !error;
}

/** @endcond */

/**
 * @brief Would the Go runtime start in this process?
 *
 * A malformed GOMEMLIMIT ends it, and so do limits of address space, data or threads that leave too little.
 *
 * @return POOL_OK; POOL_ERR_UNAVAILABLE, and pool_api_error() names the limit, its value and what is needed.
 * @since 1.0
 */
static inline pool_status_t pool_api_check(void)
{
    const char *now = getenv("GOMEMLIMIT");
    char first[64];
    struct rlimit space, data;
    unsigned long long space_used, data_used, stacks = POOL_API_THREADS * pool_api_stack();
    pool_api_memory_limit_at_start(first, sizeof first);
    const char *wrong = now && !pool_api_is_memory_limit(now) ? now : !pool_api_is_memory_limit(first) ? first : NULL;
    if (wrong) {
        snprintf(pool_api_text, sizeof pool_api_text,
                 "GOMEMLIMIT is \"%.60s\", which the Go runtime cannot read, so that it ends the process: start the "
                 "process without it, or with bytes (500000000), a unit (500MiB), or off",
                 wrong);
        return POOL_ERR_UNAVAILABLE;
    }
    if (getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0)
        return POOL_OK;
    pool_api_in_use(&space_used, &data_used);
    bool room =
        pool_api_limit_leaves("address space (RLIMIT_AS, ulimit -v)", space.rlim_cur, space_used,
                              POOL_API_ADDRESS_SPACE + 2 * stacks) &&
        pool_api_limit_leaves("data (RLIMIT_DATA, ulimit -d)", data.rlim_cur, data_used, POOL_API_DATA + stacks);
    return room && pool_api_threads_start() ? POOL_OK : POOL_ERR_UNAVAILABLE;
}

/** @} */

#ifdef __cplusplus
}
#endif

#endif

/* For the test programs that do not link the library but open it. */
#ifndef ASYNCPOOL_PLAIN_H
#define ASYNCPOOL_PLAIN_H

#include "../../support/process.h"

#include <asyncpool/pool_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Seconds after which a program that hangs ends itself; CHECK_SLOWDOWN is set by the build. */
#define PLAIN_WATCHDOG_S (280 * CHECK_SLOWDOWN)

#define REQUIRE(condition)                                                                               \
    do {                                                                                                 \
        if (!(condition)) {                                                                              \
            const char *why = dlerror();                                                                 \
            fprintf(stderr, "%s:%d: not true: %s %s\n", __FILE__, __LINE__, #condition, why ? why : ""); \
            _exit(1);                                                                                    \
        }                                                                                                \
    } while (0)

static inline void *plain_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL);
    return library;
}

static inline void *plain_find(void *library, const char *name)
{
    void *symbol = dlsym(library, name);
    REQUIRE(symbol != NULL);
    return symbol;
}

/* The table of a library that was opened. */
static inline const pool_api_t *plain_table(void *library)
{
    const pool_api_t *(*get)(uint32_t);
    *(void **)&get = plain_find(library, "pool_api");
    const pool_api_t *table = get(POOL_ABI_VERSION);
    REQUIRE(table != NULL);
    return table;
}

/* Runs it on so many threads, and waits for them. */
static inline void plain_at_once(int n, void *(*body)(void *), void *arg)
{
    pthread_t threads[16];
    REQUIRE(n <= 16);
    for (int i = 0; i < n; i++)
        REQUIRE(pthread_create(&threads[i], NULL, body, arg) == 0);
    for (int i = 0; i < n; i++)
        REQUIRE(pthread_join(threads[i], NULL) == 0);
}

static inline bool plain_make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = malloc(1);
    return *resource != NULL;
}

static inline void plain_end(pool_t *pool, void *resource)
{
    (void)pool;
    free(resource);
}

/* For hooks that are asked: yes. */
static inline bool plain_pass(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return true;
}

#endif

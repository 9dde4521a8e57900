/*
 * The library beside another C shared library in Go, in one process: two Go runtimes, both at
 * work, both collecting garbage, threads that use both, hooks that call the other one.
 *
 *     two_runtimes FIRST SECOND asyncpool|other
 *
 * opens FIRST, then SECOND; the last argument says which of the two FIRST is.
 */
#include "plain.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 300, NUMBERS = 1000 };

static const pool_api_t *api;
static pool_t *pool;
static long (*second_sum)(long);
static long (*second_collect)(void);

static void use_the_other(void) { REQUIRE(second_sum(NUMBERS) == NUMBERS * (NUMBERS + 1L) / 2); }

static bool make(pool_t *self, void **resource)
{
    use_the_other();
    return plain_make(self, resource);
}

static bool pass(pool_t *self, void *resource)
{
    (void)self, (void)resource;
    use_the_other();
    return true;
}

/* Every eighth is refused, so that resources come and go. */
static bool keep(pool_t *self, void *resource)
{
    static int calls;
    return pass(self, resource) && __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) % 8 != 0;
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        void *r;
        pool_status_t status = api->acquire(pool, &r, 1 + i % 3);
        if (status == POOL_OK)
            REQUIRE(api->release(pool, r) == POOL_OK);
        else
            REQUIRE(status == POOL_ERR_TIMEOUT);
        use_the_other();
        if (i % 50 == 0)
            second_collect();
        if (i % 20 == 0) { /* pools come and go as well */
            pool_t *other = api->create_internal(make, plain_end, pass, NULL, NULL, 2, 2, 1);
            REQUIRE(other != NULL);
            api->unref(other);
        }
    }
    return arg;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s FIRST SECOND asyncpool|other\n", argv[0]);
        return 2;
    }
    alarm(100);
    bool ours_first = strcmp(argv[3], "asyncpool") == 0;
    void *first = plain_open(argv[1]), *second = plain_open(argv[2]);
    void *ours = ours_first ? first : second, *theirs = ours_first ? second : first;
    void (*second_load)(long), (*second_rest)(void);
    api = plain_table(ours);
    *(void **)&second_sum = plain_find(theirs, "second_sum");
    *(void **)&second_collect = plain_find(theirs, "second_collect");
    *(void **)&second_load = plain_find(theirs, "second_load");
    *(void **)&second_rest = plain_find(theirs, "second_rest");

    pool = api->create_internal(make, plain_end, pass, pass, keep, 1, 2, 1);
    REQUIRE(pool != NULL);
    long collections = second_collect();
    second_load(2);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_join(threads[i], NULL) == 0);
    second_rest();
    REQUIRE(second_collect() > collections + THREADS);

    pool_snapshot_t s = {.struct_size = sizeof s};
    REQUIRE(api->close(pool) == POOL_OK);
    REQUIRE(api->snapshot(pool, &s) == POOL_OK);
    REQUIRE(s.idle == 0 && s.active == 0 && s.waiting == 0);
    api->unref(pool);
    uint32_t (*live)(void);
    *(void **)&live = plain_find(ours, "pool_debug_live");
    REQUIRE(live() == 0);
    printf("%d threads, %d rounds each, %ld collections\n", THREADS, ROUNDS, second_collect());
    return 0;
}

/*
 * The ways to open the library, and the symbols that a host may have of the same names.
 *
 *     open_ways LIBRARY CASE
 *
 * Each case shows E7.
 */
#define _GNU_SOURCE /* dlmopen(), RTLD_DEEPBIND */
#include "cases.h"

static const char *library_path;
static const pool_api_t *api;
static pool_t *pool;

static void *borrow(void *arg)
{
    void *r;
    for (int i = 0; i < 200; i++) {
        REQUIRE(api->acquire(pool, &r, 0) == POOL_OK);
        REQUIRE(api->release(pool, r) == POOL_OK);
    }
    return arg;
}

static void use(void *library)
{
    REQUIRE(library != NULL);
    api = plain_table(library);
    pool = api->create_internal(plain_make, plain_end, plain_pass, plain_pass, plain_pass, 1, 2, 1);
    REQUIRE(pool != NULL);
    plain_at_once(4, borrow, NULL);
    REQUIRE(api->close(pool) == POOL_OK);
    api->unref(pool);
    uint32_t (*live)(void);
    *(void **)&live = plain_find(library, "pool_debug_live");
    REQUIRE(live() == 0);
}

static void for_everybody(void)
{
    use(dlopen(library_path, RTLD_NOW | RTLD_GLOBAL));
    REQUIRE(dlsym(RTLD_DEFAULT, "pool_acquire") != NULL); /* for those that are loaded later, */
    REQUIRE(dlsym(RTLD_DEFAULT, "apgoCall") == NULL);     /* and of the inside nothing */
    REQUIRE(dlsym(RTLD_DEFAULT, "_cgo_topofstack") == NULL);
}

static void lazily(void) { use(dlopen(library_path, RTLD_LAZY | RTLD_LOCAL)); }
static void bound_deeply(void) { use(dlopen(library_path, RTLD_NOW | RTLD_DEEPBIND)); }

static void *open_it(void *arg)
{
    (void)arg;
    return plain_open(library_path);
}

/* All threads open it at once, for the first time. */
static void by_many_threads(void)
{
    pthread_t threads[8];
    void *first = NULL, *library;
    for (int i = 0; i < 8; i++)
        REQUIRE(pthread_create(&threads[i], NULL, open_it, NULL) == 0);
    for (int i = 0; i < 8; i++) {
        REQUIRE(pthread_join(threads[i], &library) == 0);
        REQUIRE(!first || library == first);
        first = library;
    }
    use(first);
}

static const unlinked_case cases[] = {
    {"for_everybody", for_everybody},     {"lazily", lazily}, {"bound_deeply", bound_deeply},
    {"by_many_threads", by_many_threads}, {NULL, NULL},
};

int main(int argc, char **argv)
{
    library_path = argv[1];
    return cases_run(cases, argc, argv);
}

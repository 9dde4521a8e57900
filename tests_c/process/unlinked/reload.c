/*
 * Opens and closes the library, or an extension that opens it, a hundred times and uses it each
 * time. The library stays where it is: pools of earlier times stay valid, and no thread is
 * added.
 *
 *     reload LIBRARY [EXTENSION]
 */
#include "plain.h"

#include "../../../examples/extension/lender.h"

enum { TIMES = 100, WARM = 20 };

static void reload_library(const char *path)
{
    int threads = 0;
    const pool_api_t *first = NULL;
    pool_t *kept = NULL;
    void *word;
    for (int i = 0; i < TIMES; i++) {
        void *library = plain_open(path);
        const pool_api_t *api = plain_table(library);
        REQUIRE(!first || api == first); /* one library, one runtime */
        pool_t *pool = api->create_internal(plain_make, plain_end, NULL, NULL, NULL, 1, 2, 0);
        REQUIRE(pool != NULL);
        REQUIRE(api->acquire(pool, &word, 1000) == POOL_OK);
        REQUIRE(api->release(pool, word) == POOL_OK);
        if (i == 0) {
            first = api;
            kept = pool;
        } else {
            api->unref(pool);
            REQUIRE(api->acquire(kept, &word, 1000) == POOL_OK);
            REQUIRE(api->release(kept, word) == POOL_OK);
        }
        REQUIRE(dlclose(library) == 0);
        /* Also while nobody has it open. */
        REQUIRE(first->try_acquire(kept, &word) == POOL_OK);
        REQUIRE(first->release(kept, word) == POOL_OK);
        if (i == WARM)
            threads = process_threads();
    }
    printf("threads: %d, at the end %d\n", threads, process_threads());
    REQUIRE(process_threads() <= threads + 2);
    REQUIRE(first->close(kept) == POOL_OK);
    first->unref(kept);
    uint32_t (*live)(void);
    void *library = plain_open(path);
    *(void **)&live = plain_find(library, "pool_debug_live");
    REQUIRE(live() == 0);
}

static void reload_extension(const char *path, const char *extension_path)
{
    int threads = 0;
    for (int i = 0; i < TIMES; i++) {
        int jobs = 0;
        void *extension = plain_open(extension_path);
        lender_entry_fn entry;
        *(void **)&entry = plain_find(extension, "lender_entry");
        const lender_t *lender = entry();
        lender->init_lazily(path);
        REQUIRE(lender->open(2) == POOL_OK);
        REQUIRE(lender->work(1000, &jobs) == POOL_OK);
        REQUIRE(lender->try_work(&jobs) == POOL_OK);
        REQUIRE(jobs == 2); /* twice with the same connection */
        REQUIRE(lender->close() == POOL_OK);
        REQUIRE(lender->connections() == 0);
        REQUIRE(dlclose(extension) == 0);
        REQUIRE(dlopen(extension_path, RTLD_NOW | RTLD_NOLOAD) == NULL); /* really gone */
        REQUIRE(dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL);           /* still here */
        if (i == WARM)
            threads = process_threads();
    }
    printf("threads: %d, at the end %d\n", threads, process_threads());
    REQUIRE(process_threads() <= threads + 2);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s LIBRARY [EXTENSION]\n", argv[0]);
        return 2;
    }
    alarm(60);
    if (argc == 2)
        reload_library(argv[1]);
    else
        reload_extension(argv[1], argv[2]);
    return 0;
}

#include "exits_crowd.h"

const char *library_path;
const pool_api_t *api;
pool_status_t (*acquire_async)(pool_t *, pool_op_t *, int64_t, pool_acquired_fn, void *);
pool_status_t (*dispatch)(pool_t *);
pool_t *pool, *sound, *crowded;
void (*_Atomic at_hook)(void);

static atomic_int blocked; /* hooks that do not come back */

static void block(void)
{
    blocked++;
    for (;;)
        pause();
}

static bool hook(void)
{
    void (*there)(void) = at_hook;
    if (there)
        there();
    return true;
}

bool make(pool_t *self, void **resource) { return plain_make(self, resource) && hook(); }
bool pass(pool_t *self, void *resource) { return (void)self, (void)resource, hook(); }

static void load(void)
{
    void *library = plain_open(library_path);
    api = plain_table(library);
    *(void **)&acquire_async = plain_find(library, "pool_acquire_async");
    *(void **)&dispatch = plain_find(library, "pool_dispatch");
    sound = api->create_internal(plain_make, plain_end, plain_pass, plain_pass, plain_pass, 2, 4, 1);
    REQUIRE(sound != NULL);
}

void *borrow(void *from)
{
    void *r;
    api->acquire(from, &r, 0);
    return NULL;
}

static void *work(void *with)
{
    void *r;
    for (;;)
        if (api->acquire(with, &r, 0) == POOL_OK)
            api->release(with, r);
    return NULL;
}

void start(void *(*body)(void *), void *arg)
{
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, body, arg) == 0);
    pthread_detach(thread);
}

static pool_snapshot_t counts(pool_t *of)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    REQUIRE(api->snapshot(of, &s) == POOL_OK);
    return s;
}

void fill(void)
{
    load();
    crowded = api->create_internal(plain_make, plain_end, NULL, NULL, NULL, 0, 1, 0);
    pool = api->create_internal(make, plain_end, pass, NULL, NULL, 1, 4, 1);
    REQUIRE(crowded && pool);
    borrow(crowded);
    for (int i = 0; i < 3; i++)
        start(borrow, crowded);
    at_hook = block;
    while (blocked < 1)
        sched_yield();
    start(borrow, pool);
    start(work, api->ref(sound)); /* its own, since it never ends */
    start(work, api->ref(sound));
    while (counts(crowded).waiting < 3 || blocked < 2)
        sched_yield();
}

/* Observers that are called within each other, more of them than a thread's calls can be told apart. */
#include "watcher.h"

enum { DEEP = 40 };

static pool_t *pools[DEEP];
static watcher watchers[DEEP];
static fx_resource *lent[DEEP];

/* Gives the next pool's resource back, which calls that one's observer. */
static void give_next(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)pool;
    int next = (int)(self - watchers) + 1;
    if (kind == POOL_EVENT_AVAILABLE && next < DEEP)
        fx_give(pools[next], lent[next]);
}

TEST(forty_are_called_within_each_other_and_each_may_go_afterwards)
{
    for (int i = 0; i < DEEP; i++) {
        pools[i] = fx_pool(0, 0, 1);
        lent[i] = fx_take(pools[i]);
        watchers[i].script = give_next;
        CHECK_STATUS(watcher_add(&watchers[i], pools[i]), POOL_OK);
    }
    for (int round = 0; round < 3; round++) { /* what a thread remembers of its calls is not used up */
        fx_give(pools[0], lent[0]);
        for (int i = 0; i < DEEP; i++) {
            CHECK_TOLD(&watchers[i], 1, 0);
            CHECK_COUNTS(pools[i], 1, 0, 0);
            lent[i] = fx_take(pools[i]);
        }
    }
    for (int i = 0; i < DEEP; i++) {
        CHECK_STATUS(watcher_del(&watchers[i]), POOL_OK); /* waits for nobody */
        CHECK_INT(watchers[i].disposed, 1);
        fx_give(pools[i], lent[i]);
        pool_unref(pools[i]);
    }
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

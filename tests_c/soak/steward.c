/*
 * The steward: gives back what others have acquired and handed over, since any thread may release; cancels
 * threads, and puts new ones in the places of those that have ended.
 */
#include "actor.h"

enum { ERRANDS = 32 };
static struct {
    world *world;
    void *resource;
} errand_list[ERRANDS];
static unsigned errands;
static pthread_mutex_t errand_lock = PTHREAD_MUTEX_INITIALIZER;

void errand(world *w, void *resource)
{
    pthread_mutex_lock(&errand_lock);
    bool taken = errands < ERRANDS;
    if (taken) {
        errand_list[errands].world = w;
        errand_list[errands++].resource = resource;
    }
    pthread_mutex_unlock(&errand_lock);
    if (!taken) {
        world_give(w, resource);
        world_leave(w);
    }
}

void errands_run(void)
{
    for (;;) {
        pthread_mutex_lock(&errand_lock);
        unsigned left = errands;
        world *w = left ? errand_list[left - 1].world : NULL;
        void *resource = left ? errand_list[left - 1].resource : NULL;
        errands -= left > 0;
        pthread_mutex_unlock(&errand_lock);
        if (!w)
            return;
        world_give(w, resource);
        world_leave(w);
    }
}

/* ---- the steward ---- */

static actor steward;

static void *stewardship(void *arg)
{
    actor *a = arg;
    hooks_may_sleep = true;
    actor_is_here(a);
    for (;;) {
        errands_run();
        if (!epoch_runs()) {
            /* The others may wait for what the last errands hold: until they rest there may be more. */
            if (!actor_rest(a))
                break;
            continue;
        }
        actor_does(a, "replaces threads", -1);
        threads_settle();
        if (dice_one_in(&a->dice, 4))
            threads_cancel_one(&a->dice);
        soak_nap_us(500 + dice_below(&a->dice, 1500));
    }
    actor_gone(a);
    return NULL;
}

void steward_start(void)
{
    actor_register(&steward, "steward", 0);
    actor_start(&steward, stewardship);
}

void steward_join(void) { actor_join(&steward); }

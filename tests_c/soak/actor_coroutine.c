/*
 * Coroutines: many on each of a few threads. The pools of one site have the scheduler of one thread; there
 * the coroutines wait, suspended. Elsewhere they try. Hooks yield, too.
 */
#include "actor.h"

#include <asyncpool/ucontext.h>

enum { COROUTINES = 48 };

typedef struct troupe troupe;

typedef struct player {
    troupe *troupe;
    int number;
    dice dice;
} player;

struct troupe {
    actor actor;
    pool_ucontext_t tasks;
    site *own;
    atomic_bool ready;
    player players[COROUTINES];
};

static troupe troupes[COROUTINE_THREADS];
static _Thread_local troupe *mine;

static void yield_in_hook(void) { pool_ucontext_yield(&mine->tasks); }

static void act(player *p)
{
    dice *d = &p->dice;
    bool waits = !dice_one_in(d, 4);
    world *w = site_enter(waits ? p->troupe->own : site_for_threads(d));
    void *resource;
    pool_status_t status;
    if (!w) {
        pool_ucontext_yield(&p->troupe->tasks);
        return;
    }
    if (waits) {
        int64_t timeout_ms = dice_one_in(d, 8) ? 0 : 1 + dice_below(d, dice_one_in(d, 2) ? 5 : 500);
        int64_t began_ns = soak_now_ns();
        status = pool_acquire(w->pool, &resource, timeout_ms);
        world_waited(w, status, began_ns, timeout_ms);
    } else {
        status = pool_try_acquire(w->pool, &resource);
        world_outcome(w, status);
    }
    if (status == POOL_OK) {
        world_lent(w, resource);
        if (dice_one_in(d, 2))
            pool_ucontext_sleep(&p->troupe->tasks, dice_below(d, 4));
        world_give(w, resource);
    } else {
        pool_ucontext_sleep(&p->troupe->tasks, 1);
    }
    world_leave(w);
}

static void play(void *arg)
{
    player *p = arg;
    TALLY(coroutines);
    for (uint32_t life = 5 + dice_below(&p->dice, 300); life > 0 && epoch_runs(); life--) {
        if (actor_awake(&(actor){.rank = (uint32_t)p->number * 1000 / COROUTINES}))
            act(p);
        else
            pool_ucontext_sleep(&p->troupe->tasks, 5 + dice_below(&p->dice, 20));
    }
    if (epoch_runs() && !pool_ucontext_spawn(&p->troupe->tasks, play, p))
        soak_fail("no coroutine");
}

static void *body(void *arg)
{
    troupe *t = arg;
    actor_is_here(&t->actor);
    hooks_pause = yield_in_hook;
    mine = t;
    if (!pool_ucontext_init(&t->tasks, 0))
        soak_fail("no scheduler");
    pool_ucontext_outside(&t->tasks, true); /* threads and loops give back, too */
    atomic_store(&t->ready, true);
    do {
        actor_does(&t->actor, "runs coroutines at", t->own->number);
        for (int i = 0; i < COROUTINES && epoch_runs(); i++)
            if (!pool_ucontext_spawn(&t->tasks, play, &t->players[i]))
                soak_fail("no coroutine");
        if (!pool_ucontext_run(&t->tasks))
            soak_fail("pool_ucontext_run() fails");
    } while (actor_rest(&t->actor));
    actor_gone(&t->actor);
    /* The pools are still there: the scheduler ends with coroutines_join(). */
    return NULL;
}

void coroutines_start(void)
{
    for (int i = 0; i < COROUTINE_THREADS; i++) {
        troupe *t = &troupes[i];
        t->own = site_of(HOME_COROUTINES, (unsigned)i);
        actor_register(&t->actor, "coroutines", (unsigned)i);
        for (int k = 0; k < COROUTINES; k++)
            t->players[k] = (player){t, k, dice_of(10000 + (uint64_t)(i * COROUTINES + k))};
        actor_start(&t->actor, body);
        while (!atomic_load(&t->ready))
            sched_yield();
        t->own->scheduler = &t->tasks.scheduler;
    }
}

void coroutines_join(void)
{
    for (int i = 0; i < COROUTINE_THREADS; i++) {
        actor_join(&troupes[i].actor);
        if (!pool_ucontext_destroy(&troupes[i].tasks))
            soak_fail("a coroutine has not ended");
    }
}

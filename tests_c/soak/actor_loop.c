/*
 * Event loops: each is a thread with many tasks that acquire without waiting. All have a reactor, with which
 * they use the pools of everybody; the pools of some sites are attached to the first one's; two loops also
 * watch the descriptors of pools that have no reactor, one of which makes what others wait for there.
 */
#include "actor.h"

#include <poll.h>

enum { TASKS = 32, WATCHED = 16 };

typedef enum task_state { IDLE, ASKED, HOLDS } task_state;

typedef struct task {
    actor *loop;
    pool_op_t op;
    task_state state;
    bool cancelled;
    world *world;
    void *resource;
    int64_t timeout_ms, began_ns, until_ns;
} task;

typedef struct loop {
    actor actor;
    pool_reactor_t *reactor;
    site *own; /* whose pools it dispatches itself; NULL: none */
    world *watched[WATCHED];
    int watching;
    task tasks[TASKS];
} loop;

static loop loops[LOOPS];

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    task *t = data;
    if (op != &t->op || t->state != ASKED)
        soak_fail("%s: a callback comes that nobody waits for", world_text(t->world));
    if (t->cancelled && status != POOL_ERR_CANCELLED)
        soak_fail("%s: a cancelled op hears %s", world_text(t->world), pool_status_name(status));
    world_waited(t->world, status, t->began_ns, t->timeout_ms);
    if (status != POOL_OK) {
        t->state = IDLE;
        world_leave(t->world);
        return;
    }
    world_lent(t->world, resource);
    t->resource = resource;
    t->state = HOLDS;
    t->until_ns = soak_now_ns() + (dice_one_in(&t->loop->dice, 2) ? 0 : dice_below(&t->loop->dice, 3000000));
}

static void ask(loop *l, task *t)
{
    dice *d = &l->actor.dice;
    world *w;
    pool_reactor_t *by = l->reactor;
    if (l->own && dice_one_in(d, 2)) {
        if (l->watching == 0)
            return;
        w = world_stay(l->watched[l->watching - 1]);
        by = NULL;
    } else if (l == loops && dice_one_in(d, 2)) {
        w = site_enter(site_of(HOME_ATTACHED, dice_below(d, 2)));
        by = NULL;
    } else {
        w = site_enter(site_for_threads(d));
    }
    if (!w)
        return;
    t->world = w;
    t->state = ASKED;
    t->cancelled = false;
    t->timeout_ms = dice_one_in(d, 8) ? 0 : 1 + dice_below(d, dice_one_in(d, 2) ? 5 : 500);
    t->began_ns = soak_now_ns();
    pool_status_t status = by ? pool_reactor_acquire(by, w->pool, &t->op, t->timeout_ms, acquired, t)
                              : pool_acquire_async(w->pool, &t->op, t->timeout_ms, acquired, t);
    if (status == POOL_PENDING)
        return;
    t->state = IDLE;
    world_outcome(w, status);
    world_leave(w);
}

/* Lets each task go on; answers when the next one has to. */
static int64_t step(loop *l, bool runs)
{
    int64_t now = soak_now_ns(), next = now + 5000000;
    for (int i = 0; i < TASKS; i++) {
        task *t = &l->tasks[i];
        if (t->state == HOLDS && t->until_ns <= now) {
            world_give(t->world, t->resource);
            world_leave(t->world);
            t->state = IDLE;
        } else if (t->state == HOLDS) {
            next = t->until_ns < next ? t->until_ns : next;
        } else if (t->state == ASKED && !t->cancelled && dice_one_in(&l->actor.dice, 400)) {
            t->cancelled = true;
            pool_op_cancel(&t->op);
        } else if (t->state == IDLE && runs && actor_awake(&(actor){.rank = (uint32_t)i * 1000 / TASKS})) {
            ask(l, t);
        }
    }
    return next;
}

/* Watches the present pool of the loop's own site, and those before it that a task still waits for. */
static void watch(loop *l)
{
    int kept = 0;
    world *now = site_enter(l->own);
    for (int i = 0; i < l->watching; i++) {
        world *w = l->watched[i];
        bool needed = w == now;
        for (int k = 0; k < TASKS; k++)
            needed = needed || (l->tasks[k].state == ASKED && l->tasks[k].world == w);
        if (needed)
            l->watched[kept++] = w;
        else
            world_leave(w);
    }
    l->watching = kept;
    if (now && (kept == 0 || l->watched[kept - 1] != now) && kept < WATCHED)
        l->watched[l->watching++] = now;
    else if (now)
        world_leave(now);
}

static int64_t sooner_ms(int64_t a, int64_t b) { return b < 0 || (a >= 0 && a < b) ? a : b; }

static void turn(loop *l, bool runs)
{
    struct pollfd fds[1 + WATCHED];
    int n = 0;
    if (l->own)
        watch(l);
    int64_t next = step(l, runs) - soak_now_ns();
    int64_t ms = sooner_ms(next <= 0 ? 0 : (next + 999999) / 1000000, pool_reactor_next_timeout(l->reactor));
    fds[n++] = (struct pollfd){.fd = pool_reactor_fd(l->reactor), .events = POLLIN};
    for (int i = 0; i < l->watching; i++) {
        fds[n++] = (struct pollfd){.fd = pool_fd(l->watched[i]->pool), .events = POLLIN};
        ms = sooner_ms(ms, pool_next_timeout(l->watched[i]->pool));
    }
    for (int i = 0; i < n; i++)
        if (fds[i].fd < 0)
            soak_fail("a loop has no descriptor to watch");
    actor_does(&l->actor, "polls", -1);
    poll(fds, (nfds_t)n, (int)ms);
    actor_does(&l->actor, "dispatches", -1);
    if (pool_reactor_dispatch(l->reactor) != POOL_OK)
        soak_fail("pool_reactor_dispatch() fails");
    for (int i = 0; i < l->watching; i++)
        if (pool_dispatch(l->watched[i]->pool) != POOL_OK)
            soak_fail("%s: pool_dispatch() fails", world_text(l->watched[i]));
}

/* Does anybody wait for what this loop does? */
static bool busy(const loop *l)
{
    if (l->own && site_makes_in_dispatch(l->own) && !epoch_others_rest())
        return true;
    for (int i = 0; i < TASKS; i++)
        if (l->tasks[i].state != IDLE)
            return true;
    return false;
}

static void *body(void *arg)
{
    loop *l = arg;
    actor_is_here(&l->actor);
    do {
        while (epoch_runs() || busy(l))
            turn(l, epoch_runs());
        while (l->watching > 0)
            world_leave(l->watched[--l->watching]);
    } while (actor_rest(&l->actor));
    actor_gone(&l->actor);
    return NULL;
}

void loops_start(void)
{
    for (int i = 0; i < LOOPS; i++) {
        loop *l = &loops[i];
        l->reactor = pool_reactor_create();
        if (!l->reactor)
            soak_fail("no reactor");
        l->own = i >= 2 ? site_of(HOME_OWN_FD, (unsigned)i - 2) : NULL;
        for (int k = 0; k < TASKS; k++)
            l->tasks[k].loop = &l->actor;
        actor_register(&l->actor, "loop", (unsigned)i);
        actor_start(&l->actor, body);
    }
    site_of(HOME_ATTACHED, 0)->reactor = loops[0].reactor;
    site_of(HOME_ATTACHED, 1)->reactor = loops[0].reactor;
}

void loops_join(void)
{
    for (int i = 0; i < LOOPS; i++) {
        actor_join(&loops[i].actor);
        pool_reactor_unref(loops[i].reactor);
    }
}

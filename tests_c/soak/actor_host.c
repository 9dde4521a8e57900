/*
 * Hosts that drive ops themselves: each thread keeps many ops on the pools of one host-driven site, answers
 * their asks, and lets those go on that pool_op_woken() and pool_hand_on() name.
 */
#include "actor.h"

enum { TASKS = 24 };

typedef enum task_state { IDLE, WAITS, HOLDS } task_state;

typedef struct task {
    pool_op_t op;
    task_state state;
    world *world;
    void *resource;
    int64_t timeout_ms, began_ns, until_ns;
} task;

typedef struct host {
    actor actor;
    site *own;
    task tasks[TASKS];
} host;

static host hosts[HOSTS];

static void done(host *h, task *t, pool_status_t status, void *resource)
{
    world_waited(t->world, status, t->began_ns, t->timeout_ms);
    if (status != POOL_OK) {
        t->state = IDLE;
        world_leave(t->world);
        return;
    }
    world_lent(t->world, resource);
    t->resource = resource;
    t->state = HOLDS;
    t->until_ns = soak_now_ns() + (dice_one_in(&h->actor.dice, 2) ? 0 : dice_below(&h->actor.dice, 2000000));
}

/* Goes on with an op until it waits or is done; answer: NULL: it has just been begun. */
static void advance(host *h, task *t, const pool_answer_t *answer)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t next;
    while (pool_op_next(&t->op, answer, &ask) != POOL_ASK_DONE) {
        if (!drive_answer(t->world, &ask, &next, &h->actor.dice)) {
            if (ask.kind != POOL_ASK_WAIT)
                soak_fail("%s: ask %d", world_text(t->world), (int)ask.kind);
            t->state = WAITS;
            t->until_ns = ask.until_ns;
            return;
        }
        answer = &next;
    }
    done(h, t, ask.status, ask.resource);
}

static void go_on(host *h, task *t)
{
    const pool_answer_t nothing = POOL_ANSWER_INIT;
    void *resource = pool_op_take(&t->op);
    if (resource)
        done(h, t, POOL_OK, resource);
    else
        advance(h, t, &nothing);
}

static void begin(host *h, task *t)
{
    dice *d = &h->actor.dice;
    world *w = site_enter(h->own);
    if (!w)
        return;
    t->world = w;
    t->timeout_ms = dice_one_in(d, 6) ? 0 : 1 + dice_below(d, dice_one_in(d, 2) ? 5 : 300);
    t->began_ns = soak_now_ns();
    if (dice_one_in(d, 2)) {
        if (pool_op_join(w->pool, &t->op, t->timeout_ms)) {
            t->state = WAITS;
            t->until_ns = pool_op_until_ns(&t->op);
            t->op.data = t;
            return;
        }
    } else if (pool_op_acquire(w->pool, &t->op, t->timeout_ms) != POOL_OK) {
        soak_fail("%s: pool_op_acquire() fails", world_text(w));
    }
    t->op.data = t;
    advance(h, t, NULL);
}

static void give(host *h, task *t)
{
    world *w = t->world;
    void *resource = t->resource;
    t->state = IDLE;
    world_let_go(w, resource);
    pool_op_t *next = dice_one_in(&h->actor.dice, 2) ? pool_hand_on(w->pool, resource) : NULL;
    if (next)
        go_on(h, next->data);
    else
        drive_release(w, resource);
    world_leave(w);
}

static void cancel(task *t)
{
    void *nothing;
    if (pool_op_cancel(&t->op) == POOL_PENDING)
        drive(t->world, &t->op, false, &nothing);
    TALLY(cancelled_ops);
    t->state = IDLE;
    world_leave(t->world);
}

static void sweep(host *h)
{
    world *w = site_enter(h->own);
    pool_op_t op;
    void *nothing;
    if (w && pool_op_sweep(w->pool, &op) == POOL_OK)
        drive(w, &op, false, &nothing);
    if (w)
        world_leave(w);
}

/* Answers whether any task is under way. */
static bool turn(host *h, bool runs)
{
    bool busy = false;
    actor_does(&h->actor, "drives ops at", h->own->number);
    for (int i = 0; i < TASKS; i++) {
        task *t = &h->tasks[i];
        int64_t now = soak_now_ns();
        if (t->state == WAITS) {
            world *w = world_stay(t->world);
            for (pool_op_t *op; (op = pool_op_woken(w->pool)) != NULL;)
                go_on(h, op->data);
            world_leave(w);
        }
        if (t->state == WAITS && t->until_ns <= now)
            go_on(h, t);
        else if (t->state == WAITS && dice_one_in(&h->actor.dice, 500))
            cancel(t);
        else if (t->state == HOLDS && t->until_ns <= now)
            give(h, t);
        else if (t->state == IDLE && runs && actor_awake(&(actor){.rank = (uint32_t)i * 1000 / TASKS}))
            begin(h, t);
        busy = busy || t->state != IDLE;
    }
    return busy;
}

static void *body(void *arg)
{
    host *h = arg;
    hooks_may_sleep = true;
    actor_is_here(&h->actor);
    do {
        while (turn(h, epoch_runs()) || epoch_runs()) {
            if (dice_one_in(&h->actor.dice, 200))
                sweep(h);
            soak_nap_us(200);
        }
    } while (actor_rest(&h->actor));
    actor_gone(&h->actor);
    return NULL;
}

void hosts_start(void)
{
    for (int i = 0; i < HOSTS; i++) {
        hosts[i].own = site_of(HOME_HOST, (unsigned)i);
        actor_register(&hosts[i].actor, "host", (unsigned)i);
        actor_start(&hosts[i].actor, body);
    }
}

void hosts_join(void)
{
    for (int i = 0; i < HOSTS; i++)
        actor_join(&hosts[i].actor);
}

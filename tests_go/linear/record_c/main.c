/*
 * Records histories: threads use a pool through the C ABI at random and write down what they see.
 *
 *     record HISTORIES SEED
 *
 * Before each history stands a line "pool MAX LIMIT MADE HOOKS WAITING BEHIND": places, probes at once, resources made up
 * front (1 to MADE), which hooks there are (1 before_acquire, 2 before_release), how many may be in line (0: any
 * number), and whether no acquire makes its resource. After it, an empty line.
 */
#include "spans.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLIENTS = 6, MAKERS = 5, CALLS = 14, HOLDS = 3, PLACES = 3 };
enum { MOVES_BREAKER = 1, CLOSES = 2, FAILS = 4, DRAINS = 8, RESIZES = 16, EVICTS = 32, TAKES_OUT = 64, MAKES = 128 };

static pool_t *pool;
static unsigned habits;               /* what the threads of this history do besides acquire and release */
static atomic_uintptr_t made;         /* resources are numbers, from 1 */
static client_t clients[CLIENTS + 1]; /* the last is the main thread */
static client_t makers[MAKERS];       /* threads of the library that make behind */
static atomic_int makers_seen;        /* in this history; if more than there are it is not told */
static unsigned histories_begun;
static int64_t begun_ns; /* this history */
static bool up_front;
static pthread_barrier_t begin, end;

/* Hooks take a moment at times, so that others come in between. */
static bool hook(const char *said, const char *yes, const char *no, uintptr_t resource)
{
    span_said(said, resource);
    if (any(3) == 0)
        sched_yield();
    bool ok = !no || any(6) > 0;
    span_heard(ok ? yes : no, resource);
    return ok;
}

/*
 * A thread of the library makes one. When it began is not known, but that it had ended the one before; the interval
 * begins when that was made, or with the history.
 */
static void maker_comes(void)
{
    static _Thread_local unsigned of_history;
    int64_t from = begun_ns;
    if (of_history == histories_begun) {
        span_said("ended", 0);
        from = self->spans[self->count - 1].from;
    } else {
        static _Thread_local client_t untold = {.number = -1};
        int i = atomic_fetch_add(&makers_seen, 1);
        self = i < MAKERS ? &makers[i] : &untold;
        self->count = 0;
        of_history = histories_begun;
    }
    span_heard("make", 0);
    self->spans[self->count].from = from;
}

static bool make(pool_t *p, void **resource)
{
    (void)p;
    if (up_front) {
        *resource = (void *)atomic_fetch_add(&made, 1);
        return true;
    }
    if (!self || self->number > CLIENTS || self->number < 0)
        maker_comes();
    span_said("create", 0);
    if (any(3) == 0)
        sched_yield();
    if (habits & FAILS && any(5) == 0) {
        span_heard("failed", 0);
        return false;
    }
    uintptr_t number = atomic_fetch_add(&made, 1);
    *resource = (void *)number;
    span_heard("created", number);
    return true;
}

static void destroy(pool_t *p, void *resource)
{
    (void)p;
    hook("destroy", "destroyed", NULL, (uintptr_t)resource);
}

static bool before_acquire(pool_t *p, void *resource)
{
    (void)p;
    return hook("check", "passed", "refused", (uintptr_t)resource);
}

static bool before_release(pool_t *p, void *resource)
{
    (void)p;
    return hook("inspect", "kept", "dropped", (uintptr_t)resource);
}

/* What a client holds, or has held. */
typedef struct hold {
    pool_lease_t lease;
    int number; /* of the lease, in this history; 0: by word */
} hold_t;

/* A number for a lend that may begin now; 0 at times: it is by word. */
static int number_lease(void) { return any(2) ? 0 : self->number * 32 + ++self->leases; }

static pool_status_t acquire(hold_t *hold)
{
    pool_status_t status;
    int64_t timeout_ms = 1 + any(3);
    hold->number = number_lease();
    span_heard_by_lease("acquire", (uintptr_t)timeout_ms * 1000000, hold->number);
    if (hold->number)
        status = pool_acquire_lease(pool, &hold->lease, timeout_ms);
    else
        status = pool_acquire(pool, &hold->lease.resource, timeout_ms);
    span_status(status, (uintptr_t)hold->lease.resource);
    return status;
}

static pool_status_t try_acquire(hold_t *hold)
{
    pool_status_t status;
    hold->number = number_lease();
    span_heard_by_lease("try", 0, hold->number);
    if (hold->number)
        status = pool_try_acquire_lease(pool, &hold->lease);
    else
        status = pool_try_acquire(pool, &hold->lease.resource);
    span_status(status, (uintptr_t)hold->lease.resource);
    return status;
}

static pool_status_t take(hold_t *hold)
{
    hold->number = 0;
    span_heard("take", 0);
    hold->lease.resource = pool_take(pool);
    pool_status_t status = hold->lease.resource ? POOL_OK : POOL_PENDING;
    span_status(status, (uintptr_t)hold->lease.resource);
    return status;
}

/* Goes on with an op that has nothing left but to destroy. */
static pool_status_t finish(pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    while (pool_op_next(op, NULL, &ask) != POOL_ASK_DONE)
        destroy(pool, ask.resource);
    return ask.status;
}

/* Ends an op early. What was kept for it, and what is left to a drain, may have to be destroyed first. */
static void cancel(pool_op_t *op)
{
    span_heard("cancel", 0);
    pool_status_t status = pool_op_cancel(op);
    span_status(status == POOL_PENDING ? finish(op) : status, 0);
}

/* A drain step by step. What it waits for may be its own client's, so it gives up soon. */
static void drain(void)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    int64_t timeout_ms = any(3);

    span_heard("drain", (uintptr_t)timeout_ms * 1000000);
    pool_op_drain(pool, &op, timeout_ms);
    while (pool_op_next(&op, NULL, &ask) != POOL_ASK_DONE) {
        if (ask.kind == POOL_ASK_DESTROY) {
            destroy(pool, ask.resource);
            continue;
        }
        span_said("wait", 0);
        if (timeout_ms > 0)
            pool_op_wait(&op, ask.until_ns);
        else
            sched_yield();
        if (any(3) == 0) {
            cancel(&op);
            return;
        }
        span_heard("back", 0);
    }
    span_status(ask.status, 0);
}

/* An acquire step by step, so that it is known when it joins the line. It gives up at times. */
static pool_status_t op_acquire(hold_t *hold)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    int64_t timeout_ms = 1 + any(3);

    hold->number = number_lease();
    span_heard_by_lease("step", (uintptr_t)timeout_ms * 1000000, hold->number);
    pool_op_acquire(pool, &op, timeout_ms);
    pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask);
    for (; kind != POOL_ASK_DONE; kind = pool_op_next(&op, &answer, &ask)) {
        answer.ok = true;
        switch (kind) {
        case POOL_ASK_CREATE:
            answer.ok = make(pool, &answer.resource);
            break;
        case POOL_ASK_BEFORE_ACQUIRE:
            answer.ok = before_acquire(pool, ask.resource);
            break;
        case POOL_ASK_DESTROY:
            destroy(pool, ask.resource);
            break;
        default:
            span_said("wait", 0);
            if (any(5) > 0)
                pool_op_wait(&op, ask.until_ns);
            if (any(12) == 0) {
                cancel(&op);
                return POOL_ERR_CANCELLED;
            }
            span_heard("back", 0);
        }
    }
    hold->lease = (pool_lease_t){ask.resource, ask.lease};
    span_status(ask.status, (uintptr_t)ask.resource);
    return ask.status;
}

/* The ways in which a lend ends: by its word, or by its lease. */
typedef struct ending {
    const char *name;
    pool_status_t (*by_word)(pool_t *, void *);
    pool_status_t (*by_lease)(pool_t *, const pool_lease_t *);
} ending_t;

static const ending_t endings[] = {{"release", pool_release, pool_release_lease},
                                   {"discard", pool_discard, pool_discard_lease},
                                   {"detach", pool_detach, pool_detach_lease}};

static const ending_t *any_ending(void) { return habits & TAKES_OUT && any(4) == 0 ? &endings[1 + any(2)] : endings; }

static void end_by_word(const ending_t *way, uintptr_t resource)
{
    span_heard(way->name, resource);
    span_status(way->by_word(pool, (void *)resource), 0);
}

static void give_back(const hold_t *hold)
{
    const ending_t *way = any_ending();
    if (!hold->number || any(4) == 0) {
        end_by_word(way, (uintptr_t)hold->lease.resource);
        return;
    }
    span_heard_by_lease(way->name, (uintptr_t)hold->lease.resource, hold->number);
    span_status(way->by_lease(pool, &hold->lease), 0);
}

/* Makes a resource for who is in line. The pool's loop would do so, too, but it never dispatches. */
static void make_behind(void)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    span_heard("make", 0);
    pool_op_create_behind(pool, &op);
    pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask);
    for (; kind != POOL_ASK_DONE; kind = pool_op_next(&op, &answer, &ask)) {
        if (kind == POOL_ASK_CREATE)
            answer.ok = make(pool, &answer.resource);
        else
            destroy(pool, ask.resource);
    }
    span_status(ask.status, 0);
}

static void resize(void)
{
    pool_op_t op;
    uint32_t max_size = 1 + any(PLACES), min_size = any(max_size + 1);
    bool by_op = any(2);
    span_heard("resize", max_size);
    if (by_op)
        pool_op_resize(pool, &op, min_size, max_size);
    span_status(by_op ? finish(&op) : pool_resize(pool, min_size, max_size), 0);
}

static void evict(void)
{
    pool_op_t op;
    bool by_op = any(2);
    span_heard("evict", 0);
    if (by_op)
        pool_op_evict(pool, &op);
    span_status(by_op ? finish(&op) : pool_evict(pool), 0);
}

static void call(const char *name, pool_status_t (*function)(pool_t *))
{
    span_heard(name, 0);
    span_status(function(pool), 0);
}

static void snapshot(void)
{
    pool_snapshot_t counts = {.struct_size = sizeof(counts)};
    span_heard("look", 0);
    pool_snapshot(pool, &counts);
    span_said("counts", 0);
    self->spans[self->count - 1].snapshot = counts;
}

static void move_breaker(void)
{
    switch (any(3)) {
    case 0:
        call("activate", pool_activate);
        break;
    case 1:
        call("deactivate", pool_deactivate);
        break;
    default:
        call("recover", pool_recover);
    }
}

static void use(void)
{
    hold_t held[HOLDS], ended = {.number = 0};
    int holds = 0;
    for (int i = 0; i < CALLS; i++) {
        unsigned dice = any(100);
        if (dice < 12) {
            snapshot();
        } else if (dice < 16) { /* any that there is, was or will be: others may hold it */
            end_by_word(any_ending(), 1 + any((unsigned)atomic_load(&made) + 1));
        } else if (dice < 24 && habits & MOVES_BREAKER) {
            move_breaker();
        } else if (dice < 26 && habits & CLOSES && i > CALLS / 2) {
            call("close", pool_close);
        } else if (dice < 29 && habits & DRAINS && i > CALLS / 2) {
            drain();
        } else if (dice >= 30 && dice < 37 && habits & RESIZES) {
            resize();
        } else if (dice >= 37 && dice < 41 && habits & EVICTS) {
            evict();
        } else if (dice >= 41 && dice < 75 && habits & MAKES) {
            make_behind();
        } else if (dice >= 75 && dice < 80 && ended.number) { /* a lease of before: somebody may have it by another */
            give_back(&ended);
        } else if (holds < HOLDS && (holds == 0 || any(4) == 0)) {
            pool_status_t (*const ways[])(hold_t *) = {acquire, acquire, op_acquire, op_acquire, try_acquire, take};
            if (ways[any(6)](&held[holds]) == POOL_OK)
                holds++;
        } else if (holds > 0) {
            if (any(3) == 0)
                sched_yield();
            ended = held[--holds];
            give_back(&ended);
            if (any(8) == 0)
                give_back(&ended); /* twice */
        }
    }
    while (holds > 0)
        give_back(&held[--holds]);
}

static void *client(void *argument)
{
    self = argument;
    for (;;) {
        pthread_barrier_wait(&begin);
        if (!pool)
            return NULL;
        use();
        pthread_barrier_wait(&end);
    }
}

/* Waits until the threads of the library have ended what they make. Where a place was lost they seem not to. */
static void await_makers(void)
{
    pool_snapshot_t now = {.struct_size = sizeof(now)};
    int64_t deadline = span_now() + 5000000000;
    while (pool_snapshot(pool, &now) == POOL_OK && now.active > pool_lends(pool, NULL, 0) && span_now() < deadline)
        sched_yield();
    for (int i = 0; i < MAKERS && i < atomic_load(&makers_seen); i++) {
        self = &makers[i];
        span_said("ended", 0);
    }
}

/* False: it cannot be told. */
static bool history(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    client_t *m = &clients[CLIENTS];
    self = m;
    unsigned hooks = any(4);
    config.factory = make;
    config.destructor = destroy;
    config.before_acquire = hooks & 1 ? before_acquire : NULL;
    config.before_release = hooks & 2 ? before_release : NULL;
    config.max_size = 1 + any(PLACES);
    config.min_size = any(config.max_size + 1);
    config.recovering_limit = 1 + any(2);
    config.max_waiting = any(4);
    bool behind = any(3) == 0;
    habits = any(MAKES) | (behind && any(2) ? MAKES : 0);
    config.flags = (behind ? POOL_F_CREATE_BEHIND : 0) | (habits & MAKES ? POOL_F_REACTOR : 0);
    atomic_store(&made, 1);
    atomic_store(&makers_seen, 0);
    histories_begun++;
    up_front = true;
    if (pool_create_ex(&config, &pool) != POOL_OK)
        exit(2);
    up_front = false;
    begun_ns = span_now();
    for (int i = 0; i <= CLIENTS; i++)
        clients[i].count = clients[i].leases = 0;
    pthread_barrier_wait(&begin);
    pthread_barrier_wait(&end);
    if (behind)
        await_makers();
    self = m;
    snapshot();
    call("close", pool_close);
    snapshot();
    bool told = atomic_load(&makers_seen) <= MAKERS;
    if (told) {
        printf("pool %u %u %u %u %u %d\n", config.max_size, config.recovering_limit, config.min_size, hooks,
               config.max_waiting, behind);
        for (int i = 0; i <= CLIENTS; i++)
            spans_print(&clients[i]);
        for (int i = 0; i < atomic_load(&makers_seen); i++)
            spans_print(&makers[i]);
        printf("\n");
    }
    /* What was released by others may have been lent again: that keeps the pool, and no more. */
    for (uintptr_t r = 1; r < atomic_load(&made); r++)
        end_by_word(endings, r), m->count = 0;
    pool_unref(pool);
    return told;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int histories = atoi(argv[1]);
    pthread_t threads[CLIENTS];
    pthread_barrier_init(&begin, NULL, CLIENTS + 1);
    pthread_barrier_init(&end, NULL, CLIENTS + 1);
    for (int i = 0; i <= CLIENTS; i++) {
        clients[i].number = i;
        clients[i].random = strtoull(argv[2], NULL, 10) * 1000003 + (uint64_t)i;
    }
    for (int i = 0; i < MAKERS; i++) {
        makers[i].number = CLIENTS + 1 + i;
        makers[i].random = clients[0].random + 1000 + (uint64_t)i;
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&threads[i], NULL, client, &clients[i]);
    while (histories > 0)
        histories -= history();
    pool = NULL;
    pthread_barrier_wait(&begin);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    /* A thread of the library that was called, and has yet to find that nothing is due any more, keeps its pool. */
    for (int64_t deadline = span_now() + 5000000000; pool_debug_live() != 0 && span_now() < deadline;)
        sched_yield();
    if (pool_debug_live() != 0) {
        fprintf(stderr, "record: %u pools are left\n", pool_debug_live());
        return 1;
    }
    return 0;
}

/* The pool as an event: its observers and the handlers of pool_event_t. */
#include "visit.h"

#include <string.h>

static ap_pool_t *pool_of(pool_event_t *event)
{
    _Static_assert(offsetof(struct pool_s, event) == 0, "struct pool_s must begin with its event");
    return ap__pool((pool_t *)event);
}

static ap_callback_t **observers(ap_pool_t *pool) { return pool->pub.event.callbacks; }

/* The number of the latest observer of this process. */
static _Atomic uint64_t numbers;

/* Its place in the vector, or its length. */
static uint32_t find(ap_pool_t *pool, const pool_event_callback_t *callback)
{
    uint32_t i = 0;
    while (i < pool->pub.event.callback_count && observers(pool)[i]->observer != callback)
        i++;
    return i;
}

/* Appends under the lock; observers are few and come rarely, so the vector is made anew. */
static pool_status_t append(ap_pool_t *pool, ap_callback_t *registered)
{
    pool_event_t *event = &pool->pub.event;
    if (pool->state.gate & (AP_GATE_CLOSED | AP_GATE_DRAINING))
        return POOL_ERR_CLOSED;
    if (find(pool, registered->observer) < event->callback_count)
        return POOL_ERR_INVALID;
    ap_callback_t **grown = ap__alloc(AP_WORD, (event->callback_count + 1) * sizeof *grown);
    if (!grown)
        return POOL_ERR_NOMEM;
    if (event->callback_count > 0)
        memcpy(grown, event->callbacks, event->callback_count * sizeof *grown);
    registered->number = atomic_fetch_add(&numbers, 1) + 1; /* under the lock: in the vector they rise */
    grown[event->callback_count++] = registered;
    ap__dealloc(event->callbacks);
    event->callbacks = grown;
    pool->state.gate |= AP_GATE_OBSERVED;
    return POOL_OK;
}

static pool_status_t add_callback(pool_event_t *event, pool_event_callback_t *callback)
{
    const char *function = "pool_event_t.add_callback";
    AP_REFUSE_FORKED(function);
    ap_pool_t *pool = pool_of(event);
    if (!pool || !callback || !callback->callback)
        return ap__fail(POOL_ERR_INVALID, function, "event, callback or its function is NULL");
    ap_callback_t *registered = ap__callback_new();
    pool_status_t status = POOL_ERR_NOMEM;
    if (registered) {
        registered->observer = callback;
        ap__lock(pool);
        status = append(pool, registered);
        ap__unlock(pool);
        if (status != POOL_OK)
            ap__callback_drop(registered);
    }
    if (status == POOL_ERR_INVALID)
        return ap__fail(status, function, "the callback is there already");
    return status == POOL_OK ? POOL_OK : ap__fail(status, function, pool_strerror(status));
}

static pool_status_t del_callback(pool_event_t *event, pool_event_callback_t *callback)
{
    const char *function = "pool_event_t.del_callback";
    AP_REFUSE_FORKED(function);
    ap_pool_t *pool = pool_of(event);
    if (!pool || !callback)
        return ap__fail(POOL_ERR_INVALID, function, "event or callback is NULL");
    ap__lock(pool);
    uint32_t i = find(pool, callback);
    if (i == event->callback_count) {
        ap__unlock(pool);
        return ap__fail(POOL_ERR_INVALID, function, "the callback is not there");
    }
    ap_callback_t *registered = observers(pool)[i];
    event->callback_count--;
    memmove(&observers(pool)[i], &observers(pool)[i + 1], (event->callback_count - i) * sizeof(ap_callback_t *));
    if (event->callback_count == 0)
        pool->state.gate &= ~(uint32_t)AP_GATE_OBSERVED;
    bool last = ap__callback_remove(pool, registered);
    ap__unlock(pool);
    if (last)
        ap__callback_free(registered);
    return POOL_OK;
}

static void nothing(pool_event_t *event) { (void)event; }

static void dispose(pool_event_t *event) { pool_unref((pool_t *)event); }

static int info(pool_event_t *event, char *buffer, size_t size)
{
    return (int)pool_describe((pool_t *)event, buffer, size);
}

void ap__event_handlers(ap_pool_t *pool)
{
    pool_event_t *event = &pool->pub.event;
    event->add_callback = add_callback;
    event->del_callback = del_callback;
    event->start = nothing;
    event->stop = nothing;
    event->dispose = dispose;
    event->info = info;
}

/* The place of the first observer that came after number. */
static uint32_t place_after(ap_pool_t *pool, uint64_t number)
{
    uint32_t from = 0, to = pool->pub.event.callback_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (observers(pool)[middle]->number > number)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* Begins the call of the first observer that came after number and not after limit, if there is one. */
static ap_callback_call_t enter_next(ap_pool_t *pool, uint64_t number, uint64_t limit)
{
    ap_callback_call_t call = {.pool = pool};
    if (AP_UNLIKELY(ap__forked)) /* the one before has forked */
        return call;
    ap__lock(pool);
    uint32_t place = place_after(pool, number);
    if (place < pool->pub.event.callback_count && observers(pool)[place]->number <= limit) {
        call.callback = observers(pool)[place];
        call.run = ap__callback_enter(call.callback);
    }
    ap__unlock(pool);
    return call;
}

typedef struct telling {
    ap_visit_t visit; /* first */
    ap_pool_t *pool;
    pool_event_callback_t *observer;
    pool_event_kind_t kind;
} telling;

static AP_HOT bool tell(ap_visit_t *visit)
{
    telling *t = (telling *)visit;
    t->observer->callback(&t->pool->pub.event, t->observer, t->kind);
    return true;
}

AP_HOT void ap__event_tell(ap_pool_t *pool, pool_event_kind_t kind)
{
    uint64_t number = 0, limit = atomic_load(&numbers);
    for (;;) {
        ap_callback_call_t call __attribute__((cleanup(ap__callback_end))) = enter_next(pool, number, limit);
        if (!call.callback)
            return;
        number = call.callback->number;
        telling t = {{.kind = AP_VISIT_CALLBACK, .of = call.callback, .run = call.run, .make = tell},
                     pool,
                     call.callback->observer,
                     kind};
        ap__visit(&t.visit);
    }
}

void ap__event_free(ap_pool_t *pool)
{
    for (uint32_t i = 0; i < pool->pub.event.callback_count; i++)
        ap__callback_free(observers(pool)[i]);
    ap__dealloc(pool->pub.event.callbacks);
}

/*
 * Guests: observers and strategies, which any thread may take away while others run them.
 *
 * A guest is freed when the pool has let it go and no call of it runs. Whoever takes it away waits for
 * the calls on other threads, so that what the guest uses can be freed afterwards, but not for its own: a
 * guest may take itself away. Which calls are a thread's own is remembered by number, not on the stack,
 * because a call may leave by longjmp, or end in another order than it began (coroutines).
 */
#include "internal.h"

#include <limits.h>

enum { DISTINCT = 32 }; /* guests that a thread may be inside of at once and still tell apart */

static __thread struct {
    uint64_t number;
    uint32_t calls;
} inside[DISTINCT];

static _Atomic uint64_t numbers;

ap_guest_t *ap__guest_new(void)
{
    ap_guest_t *guest = ap__alloc(AP_WORD, sizeof *guest);
    if (guest) {
        guest->refs = 1;
        guest->number = atomic_fetch_add(&numbers, 1) + 1;
    }
    return guest;
}

uint64_t ap__guest_latest(void) { return atomic_load(&numbers); }

void ap__guest_free(ap_guest_t *guest)
{
    pool_event_callback_t *observer = guest->observer;
    ap__dealloc(guest);
    if (observer && observer->dispose)
        observer->dispose(observer);
}

/* This thread's count of calls of a guest; NULL: it has none, or no room for one more guest. */
static uint32_t *own_calls(const ap_guest_t *guest)
{
    for (unsigned i = 0; i < DISTINCT; i++)
        if (inside[i].number == guest->number)
            return &inside[i].calls;
    return NULL;
}

static uint32_t *new_calls(const ap_guest_t *guest)
{
    for (unsigned i = 0; i < DISTINCT; i++) {
        if (inside[i].calls == 0) {
            inside[i].number = guest->number;
            return &inside[i].calls;
        }
    }
    return NULL;
}

void ap__guest_enter(ap_guest_t *guest)
{
    guest->refs++;
    guest->running++;
    uint32_t *calls = own_calls(guest);
    if (!calls)
        calls = new_calls(guest);
    if (calls)
        ++*calls;
}

void ap__guest_end(ap_guest_call_t *call)
{
    ap_pool_t *pool = call->pool;
    ap_guest_t *guest = call->guest;
    if (!guest || ap__forked)
        return;
    uint32_t *calls = own_calls(guest);
    if (calls && *calls > 0)
        --*calls;
    ap__lock(pool);
    guest->running--;
    bool last = --guest->refs == 0, awaited = guest->awaited;
    _Atomic uint32_t *guests = &pool->guests;
    atomic_fetch_add(guests, 1);
    ap__unlock(pool);
    if (awaited)
        ap__futex_wake(guests, INT_MAX);
    if (last)
        ap__guest_free(guest);
}

bool ap__guest_remove(ap_pool_t *pool, ap_guest_t *guest)
{
    const uint32_t *calls = own_calls(guest);
    while (guest->running > (calls ? *calls : 0)) {
        guest->awaited = true;
        uint32_t seen = atomic_load(&pool->guests);
        ap__unlock(pool);
        ap__futex_wait(&pool->guests, seen);
        ap__lock(pool);
    }
    return --guest->refs == 0;
}

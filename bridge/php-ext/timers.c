/* Twin: bridge/php/src/Internal/Timers.php. */

/* What is to happen at some time: a heap of times, in which each timer knows its place. No PHP code runs here. */
#include "internal.h"

#include <time.h>

#define LONGEST_MS (INT64_MAX / 2000000)

static asyncpool_timers_t *timers(void) { return &ASYNCPOOL_G(loop).timers; }

int64_t asyncpool_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t asyncpool_in(zend_long milliseconds) { return asyncpool_now() + MIN(milliseconds, LONGEST_MS) * 1000000; }

static bool before(const asyncpool_timer_t *one, const asyncpool_timer_t *other)
{
    return one->ns < other->ns || (one->ns == other->ns && one->number < other->number);
}

static void put(asyncpool_timers_t *t, size_t place, asyncpool_timer_t *timer)
{
    t->heap[place - 1] = timer;
    timer->place = place;
}

/* Puts it where it belongs, from this place on, which is free. */
static void settle(asyncpool_timers_t *t, size_t place, asyncpool_timer_t *timer)
{
    for (; place > 1 && before(timer, t->heap[place / 2 - 1]); place /= 2)
        put(t, place, t->heap[place / 2 - 1]);
    for (;;) {
        size_t child = 2 * place;
        if (child < t->count && before(t->heap[child], t->heap[child - 1]))
            child++;
        if (child > t->count || before(timer, t->heap[child - 1]))
            break;
        put(t, place, t->heap[child - 1]);
        place = child;
    }
    put(t, place, timer);
}

void asyncpool_timer_set(asyncpool_timer_t *timer, int64_t ns)
{
    asyncpool_timers_t *t = timers();
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 16;
        t->heap = safe_erealloc(t->heap, room, sizeof *t->heap, 0);
        t->room = room;
    }
    timer->ns = ns;
    timer->number = ++t->last;
    t->deadlines += timer->deadline;
    t->count++;
    settle(t, t->count, timer);
}

void asyncpool_timer_cancel(asyncpool_timer_t *timer)
{
    asyncpool_timers_t *t = timers();
    size_t place = timer->place;
    if (place == 0)
        return;
    timer->place = 0;
    t->deadlines -= timer->deadline;
    asyncpool_timer_t *last = t->heap[--t->count];
    if (last != timer)
        settle(t, place, last);
}

int64_t asyncpool_timers_next(void) { return timers()->count ? timers()->heap[0]->ns : ASYNCPOOL_NEVER; }

void asyncpool_timers_ring(void)
{
    asyncpool_timers_t *t = timers();
    if (t->count == 0)
        return;
    int64_t now = asyncpool_now();
    while (t->count && t->heap[0]->ns <= now) {
        asyncpool_timer_t *timer = t->heap[0];
        asyncpool_timer_cancel(timer);
        timer->ring(timer);
    }
}

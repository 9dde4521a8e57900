#include "wheel.h"

enum { BITS = 6 };

static uint64_t group(uint64_t tick, unsigned level) { return tick >> (level * BITS) & (AP_WHEEL_SLOTS - 1); }

static void link_at(ap_wheel_t *wheel, ap_timer_t *timer, unsigned level)
{
    uint64_t slot = group(timer->tick, level);
    ap_timer_t **head = &wheel->slots[level * AP_WHEEL_SLOTS + slot];
    timer->slot = (uint32_t)(level * AP_WHEEL_SLOTS + slot) + 1;
    timer->prev = NULL;
    timer->next = *head;
    if (*head)
        (*head)->prev = timer;
    *head = timer;
    wheel->used[level] |= UINT64_C(1) << slot;
}

/* A timer that is due goes to the slot of now at level 0, where expire() finds it. */
static void put(ap_wheel_t *wheel, ap_timer_t *timer)
{
    uint64_t differs = timer->tick ^ wheel->now;
    link_at(wheel, timer, differs ? (unsigned)(63 - __builtin_clzll(differs)) / BITS : 0);
}

void ap__wheel_set(ap_wheel_t *wheel, ap_timer_t *timer, uint64_t tick)
{
    const uint64_t farthest = (UINT64_C(1) << (AP_WHEEL_LEVELS * BITS)) - 1;
    if (tick <= wheel->now)
        tick = wheel->now + 1;
    timer->tick = tick < farthest ? tick : farthest;
    put(wheel, timer);
}

void ap__wheel_clear(ap_wheel_t *wheel, ap_timer_t *timer)
{
    if (timer->slot == 0)
        return;
    uint32_t place = timer->slot - 1;
    if (timer->next)
        timer->next->prev = timer->prev;
    if (timer->prev)
        timer->prev->next = timer->next;
    else if (!(wheel->slots[place] = timer->next))
        wheel->used[place / AP_WHEEL_SLOTS] &= ~(UINT64_C(1) << place % AP_WHEEL_SLOTS);
    timer->next = timer->prev = NULL;
    timer->slot = 0;
}

/* The highest level at which timers wait in the slot of now itself, to move down; 0: there is none. */
static unsigned unmoved(const ap_wheel_t *wheel)
{
    unsigned level = AP_WHEEL_LEVELS - 1;
    while (level > 0 && !(wheel->used[level] >> group(wheel->now, level) & 1))
        level--;
    return level;
}

/* The lowest slot that is in use: no timer is before its beginning. NULL: none is. */
static const ap_timer_t *first_slot(const ap_wheel_t *wheel, uint64_t *begin)
{
    for (unsigned level = 0; level < AP_WHEEL_LEVELS; level++) {
        /* A lower level lies before every slot of a higher one, so the first hit is the next. */
        if (wheel->used[level] == 0)
            continue;
        uint64_t slot = (uint64_t)__builtin_ctzll(wheel->used[level]);
        uint64_t above = wheel->now >> ((level + 1) * BITS);
        *begin = ((above << BITS) + slot) << (level * BITS);
        return wheel->slots[level * AP_WHEEL_SLOTS + slot];
    }
    return NULL;
}

bool ap__wheel_next(const ap_wheel_t *wheel, uint64_t *tick)
{
    if (unmoved(wheel) > 0) {
        *tick = wheel->now;
        return true;
    }
    const ap_timer_t *first = first_slot(wheel, tick);
    if (!first)
        return false;
    uint64_t next = first->tick;
    int looked = 1;
    for (const ap_timer_t *timer = first->next; timer && looked <= AP_WHEEL_LOOKS; timer = timer->next, looked++)
        if (timer->tick < next)
            next = timer->tick;
    if (looked <= AP_WHEEL_LOOKS)
        *tick = next;
    return true;
}

/* All that there is to know about a part that was not finished is where the timers are: those that have yet to move
 * are in slots of now itself above level 0, those that are due in that of level 0. */
ap_timer_t *ap__wheel_expire(ap_wheel_t *wheel, uint64_t tick, unsigned *steps)
{
    while (*steps > 0) {
        unsigned level = unmoved(wheel);
        ap_timer_t *timer = wheel->slots[level * AP_WHEEL_SLOTS + group(wheel->now, level)];
        if (timer) {
            --*steps;
            ap__wheel_clear(wheel, timer);
            if (level == 0)
                return timer; /* its time has come */
            put(wheel, timer);
            continue;
        }
        uint64_t next;
        if (!first_slot(wheel, &next) || next > tick) {
            if (tick > wheel->now)
                wheel->now = tick;
            return NULL;
        }
        wheel->now = next; /* the beginning of a slot: what waits in it moves down */
    }
    return NULL;
}

/*
 * A timing wheel: any number of timers, each set, cleared and expired in constant time, without memory
 * of its own (the timers are their owners'). Time is counted in ticks of a millisecond.
 *
 * Level l has 64 slots of 64^l ticks each. A timer waits at the highest level at which its time differs
 * from now, in the slot of that time; when now reaches the slot it moves to a lower level, or expires.
 * So at each level only slots above now's own are in use, but for those whose timers have yet to move: a slot may
 * have any number of them, and to move on can be done in parts. Between two parts everything may be called.
 */
#ifndef ASYNCPOOL_WHEEL_H
#define ASYNCPOOL_WHEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ap_timer {
    struct ap_timer *next, *prev; /* in its slot; free for other use while it is not set */
    uint64_t tick;
    uint32_t slot; /* level * 64 + slot + 1; 0: not set */
    uint32_t kind; /* the owner's */
} ap_timer_t;

enum { AP_WHEEL_LEVELS = 8, AP_WHEEL_SLOTS = 64, AP_WHEEL_LOOKS = 16 };

typedef struct ap_wheel {
    uint64_t now;                   /* ticks */
    uint64_t used[AP_WHEEL_LEVELS]; /* a bit for each slot that has timers */
    ap_timer_t *slots[AP_WHEEL_LEVELS * AP_WHEEL_SLOTS];
} ap_wheel_t;

#pragma GCC visibility push(hidden)

/* Sets a timer; a time that is not after now expires at the next tick. */
void ap__wheel_set(ap_wheel_t *wheel, ap_timer_t *timer, uint64_t tick);
/* Clears a timer; one that is not set is fine. */
void ap__wheel_clear(ap_wheel_t *wheel, ap_timer_t *timer);
/* The time of the next timer; where more than AP_WHEEL_LOOKS are near it one that may be earlier, at which to come back;
 * now, while moving on is not finished; false: none is set. */
bool ap__wheel_next(const ap_wheel_t *wheel, uint64_t *tick);
/* Moves on to a time; expired timers come out one by one, cleared. Touches no more than *steps timers, and takes
 * them off the number. NULL: all are out, it is that time; or, with no steps left, there may be more to do. */
ap_timer_t *ap__wheel_expire(ap_wheel_t *wheel, uint64_t tick, unsigned *steps);

#pragma GCC visibility pop

#endif

/* The monotonic clock, in place of the C library's: while it stands, an input always meets the same times. */
#include "fuzz.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t stands_at; /* ns; 0: it goes on */

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int64_t ns = clock == CLOCK_MONOTONIC ? atomic_load_explicit(&stands_at, memory_order_relaxed) : 0;
    if (ns == 0)
        return (int)syscall(SYS_clock_gettime, clock, t);
    *t = (struct timespec){ns / 1000000000, ns % 1000000000};
    return 0;
}

int64_t clock_now(void) { return atomic_load(&stands_at); }

/* Each input begins at the same time, that of a machine that has run for some hours: when microseconds have
 * just filled 32 bits. */
void clock_stop(void) { atomic_store(&stands_at, ((INT64_C(1) << 32) - 3) * 1000); }

void clock_go_on(void) { atomic_store(&stands_at, 0); }

void clock_add(int64_t ns) { atomic_fetch_add(&stands_at, ns); }

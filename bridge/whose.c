/* Whose a lend is: see whose.h. */
#include "whose.h"
#include "ages.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static __thread const char *tag;
static __thread uint32_t number; /* of this thread, as the system counts them; 0: nobody has asked */
_Atomic bool ap__any_tag;

static uint32_t thread_number(void)
{
    if (AP_UNLIKELY(number == 0))
        number = (uint32_t)syscall(SYS_gettid);
    return number;
}

void ap__whose_forked(void) { number = 0; }

/* A tag that is no text where texts can be is none. */
static uint64_t note_of(const char *text)
{
    uint64_t note = (uintptr_t)text;
    return note >> AP_TAG_BITS ? 0 : note;
}

/* Milliseconds behind at most, and a fraction of the price. */
static int64_t coarse_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

AP_HOT void ap__whose_note(ap_pool_t *pool)
{
    ap_state_t *st = &pool->state;
    bool sampled = false, measured = ap__holds(pool) && ap__hold_chosen(pool, &sampled);
    int64_t now = st->ages.check_after || measured ? ap__now() : st->ages.timed ? coarse_now() : 0;
    if (now)
        ap__tick(st, now);
    if (st->ages.timed)
        st->ages.thread = thread_number();
    st->ages.note = note_of(tag) | (measured ? ap__hold_mark(pool, now, sampled) : 0);
}

AP_HOT void ap__whose_begin(ap_op_t *op)
{
    if (op->kind > AP_KIND_TRY)
        return;
    if (op->pool->state.ages.timed) /* constant */
        op->own.thread = thread_number();
    op->own.note = note_of(tag);
}

void pool_tag(const char *text)
{
    if (text)
        atomic_store_explicit(&ap__any_tag, true, memory_order_relaxed);
    tag = text;
}

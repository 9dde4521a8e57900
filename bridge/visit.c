/*
 * Calling the host. Every call of its code goes through one function, for two reasons.
 *
 * What the host's code leaves behind on its thread must not reach the library: with a type of cancellation that is
 * asynchronous the library would be cancelled while it has a lock, and with cancellation disabled, or enabled where
 * the caller had disabled it, its waits would be something else than the caller has asked for. So both are put back.
 *
 * And it must be known what a thread is inside of: a callback that takes itself away does not wait for itself, an error
 * belongs to the hook that says it. Nothing that is kept per thread can tell, since coroutines change threads within
 * a hook, and a hook may be left by longjmp, which nobody hears of. The stack can: a visit is found by walking up the
 * frames until that of ap__visit(), which has the visit's address at a known place. That costs some microseconds and
 * is done only where something depends on it. Of code without unwind tables the walk sees nothing.
 */
#include "visit.h"

#include <unwind.h>

/* How far the local variable of ap__visit() lies below its frame's end. */
static _Atomic ptrdiff_t depth;

AP_HOT AP_SEALED pthread_t ap__self(void) { return pthread_self(); }

typedef struct cancellation {
    pthread_t thread;
    int state, type;
} cancellation;

static AP_HOT __attribute__((noinline)) cancellation remember(void)
{
    cancellation c = {.thread = ap__self()};
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &c.state);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &c.type);
    if (c.type != PTHREAD_CANCEL_DEFERRED)
        pthread_setcanceltype(c.type, NULL);
    pthread_setcancelstate(c.state, NULL);
    return c;
}

/* The type first: from there on nothing happens at any moment any more. If it does before, no lock is held, and all
 * frames outside of this are in a call. On another thread than it began on there is nothing to put back. */
static AP_HOT __attribute__((noinline)) void put_back(const cancellation *c)
{
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    if (!pthread_equal(c->thread, ap__self()))
        return;
    pthread_setcancelstate(c->state, NULL);
    if (c->type != PTHREAD_CANCEL_DEFERRED)
        pthread_setcanceltype(c->type, NULL);
}

/* One frame of one layout: sealed, and the address of the visit in memory. */
AP_HOT AP_SEALED bool ap__visit(ap_visit_t *visit)
{
    ap_visit_t *volatile here = visit;
    ptrdiff_t below = (char *)__builtin_dwarf_cfa() - (char *)&here;
    if (AP_UNLIKELY(atomic_load_explicit(&depth, memory_order_relaxed) != below))
        atomic_store_explicit(&depth, below, memory_order_relaxed);
    cancellation before = remember();
    bool ok = visit->make(visit);
    put_back(&before);
    here = NULL;
    return ok;
}

typedef struct walk {
    bool (*see)(const ap_visit_t *visit, void *arg);
    void *arg;
    bool inside; /* the frame before this one is that of ap__visit() */
} walk;

/* The end of a frame is where the next one begins. */
static __attribute__((no_sanitize("address", "thread"))) _Unwind_Reason_Code step(struct _Unwind_Context *frame,
                                                                                  void *arg)
{
    walk *w = arg;
    if (w->inside) {
        const char *end = (const char *)_Unwind_GetCFA(frame);
        const ap_visit_t *visit = *(ap_visit_t *const *)(end - atomic_load_explicit(&depth, memory_order_relaxed));
        if (w->see(visit, w->arg))
            return _URC_NORMAL_STOP;
    }
    w->inside = _Unwind_GetRegionStart(frame) == (uintptr_t)ap__visit;
    return _URC_NO_REASON;
}

void ap__visits_around(bool (*see)(const ap_visit_t *visit, void *arg), void *arg)
{
    walk w = {.see = see, .arg = arg};
    _Unwind_Backtrace(step, &w);
}

typedef struct search {
    const ap_pool_t *pool;
    const ap_visit_t *hook;
} search;

static bool is_its_hook(const ap_visit_t *visit, void *arg)
{
    search *s = arg;
    if (visit->kind != AP_VISIT_HOOK || visit->of != s->pool)
        return false;
    s->hook = visit;
    return true;
}

const ap_visit_t *ap__hook_around(const ap_pool_t *pool)
{
    search s = {.pool = pool};
    ap__visits_around(is_its_hook, &s);
    return s.hook;
}

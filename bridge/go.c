/*
 * First calls into Go, by flat combining: how a thread that has never been inside gets its call made.
 *
 * The runtime sets up a thread of its own for each that enters for the first time, and lends it one of a few
 * rights to run (see procs.go), which it takes back only later from who has left. A thousand threads that enter at
 * once poll for one lock of the runtime and take seconds; one after the other they wait a tenth of a millisecond each
 * for such a right when all are lent.
 *
 * So one at a time goes in, and makes the calls of those who come meanwhile as well, in order of arrival: they
 * sleep, need no first entry, and find the work done. After so many another one takes over: who sleeps for each call
 * pays more for it than who has been inside, so that everybody should be soon.
 */
#include "go.h"

#include <signal.h>

__thread bool ap__entered;
__thread uint64_t ap__crossings;

uint64_t pool_debug_crossings(void) { return ap__forked ? 0 : ap__crossings; }

static ap_lock_t lock;
static ap_go_call_t *head, **tail = &head; /* the calls that nobody has taken */
static bool busy;                          /* somebody is inside, or was told to go in */

/* Takes the first in line. NULL: nobody is there any more, and nobody is inside. */
static ap_go_call_t *take(void)
{
    ap__lock_take(&lock);
    ap_go_call_t *c = head;
    if (c) {
        head = c->next;
        if (!head)
            tail = &head;
    } else {
        busy = false;
    }
    ap__lock_give(&lock);
    return c;
}

/* Stands in line; false: nobody is inside, and this one is to go in. */
static bool join(ap_go_call_t *c)
{
    ap__lock_take(&lock);
    bool waits = busy;
    busy = true;
    if (waits) {
        *tail = c;
        tail = &c->next;
    }
    ap__lock_give(&lock);
    return waits;
}

static uint32_t await(ap_go_call_t *c)
{
    uint32_t word;
    while ((word = atomic_load_explicit(&c->word, memory_order_acquire)) == AP_CALL_WAITS)
        ap__futex_wait(&c->word, AP_CALL_WAITS);
    return word;
}

static void tell(ap_go_call_t *c, uint32_t word)
{
    atomic_store_explicit(&c->word, word, memory_order_release); /* its memory may be gone after this */
    ap__futex_wake(&c->word, 1);
}

/* The thread's own entry. Go leaves a new thread with some signals unblocked that its owner had blocked. */
static void enter(void)
{
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    apgoCall(&(ap_go_call_t){.what = AP_GO_ENTER});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    ap__entered = true;
    ap__crossings++;
}

/* Makes this thread's own call and those of who has come meanwhile. */
static void go_in(ap_go_call_t *own)
{
    enum { MOST = 32 };
    enter();
    apgoCall(own);
    ap_go_call_t *c = take();
    for (int n = 1; c && n < MOST; n++) {
        apgoCall(c);
        tell(c, AP_CALL_DONE);
        c = take();
    }
    if (c)
        tell(c, AP_CALL_TURN);
}

void ap__go_first(ap_go_call_t *call)
{
    ap__crossings++;
    if (!join(call) || await(call) == AP_CALL_TURN)
        go_in(call);
}

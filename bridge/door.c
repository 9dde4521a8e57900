/*
 * The door to Go: how a thread that has never been inside gets its first call made.
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
static ap_call_t *head, **tail = &head; /* the calls that nobody has taken */
static bool busy;                       /* somebody is inside, or was told to go in */

static void make(ap_call_t *c)
{
    void *const *with = c->with;
    const int64_t *number = c->number;
    switch (c->function) {
    case AP_GO_NEW:
        c->status = (((ap_pool_t *)with[0])->core = apgoNew(&((ap_pool_t *)with[0])->state)) != NULL;
        break;
    case AP_GO_FREE:
        apgoFree(c->core);
        break;
    case AP_GO_NEXT:
        c->status = apgoNext(c->core, with[0], with[1], with[2]);
        break;
    case AP_GO_CANCEL:
        c->status = apgoCancel(c->core, with[0]);
        break;
    case AP_GO_SET_CIRCUIT:
        c->status = apgoSetCircuit(c->core, (uint32_t)number[0], number[1]);
        break;
    case AP_GO_SET_STRATEGY:
        c->status = apgoSetStrategy(c->core, (uint32_t)number[0]);
        break;
    case AP_GO_SET_THRESHOLD:
        c->status = apgoSetThreshold(c->core, (uint32_t)number[0], (uint32_t)number[1], number[2]);
        break;
    }
}

/* Takes the first in line. NULL: nobody is there any more, and the door is free. */
static ap_call_t *take(void)
{
    ap__lock_take(&lock);
    ap_call_t *c = head;
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
static bool join(ap_call_t *c)
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

static uint32_t await(ap_call_t *c)
{
    uint32_t word;
    while ((word = atomic_load_explicit(&c->word, memory_order_acquire)) == AP_CALL_WAITS)
        ap__futex_wait(&c->word, AP_CALL_WAITS);
    return word;
}

static void tell(ap_call_t *c, uint32_t word)
{
    atomic_store_explicit(&c->word, word, memory_order_release); /* its memory may be gone after this */
    ap__futex_wake(&c->word, 1);
}

/* The thread's own entry. Go leaves a new thread with some signals unblocked that its owner had blocked. */
static void enter(void)
{
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    apgoEnter();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    ap__entered = true;
    ap__crossings++;
}

/* Makes this thread's own call and those of who has come meanwhile. */
static void go_in(ap_call_t *own)
{
    enum { MOST = 32 };
    enter();
    make(own);
    ap_call_t *c = take();
    for (int n = 1; c && n < MOST; n++) {
        make(c);
        tell(c, AP_CALL_DONE);
        c = take();
    }
    if (c)
        tell(c, AP_CALL_TURN);
}

int ap__go_first(ap_call_t call)
{
    ap__crossings++;
    if (!join(&call) || await(&call) == AP_CALL_TURN)
        go_in(&call);
    return call.status;
}

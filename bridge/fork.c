/*
 * A child of a fork inherits the memory of the Go runtime but none of its threads, so a call that needs one of them
 * would hang. A flag set in the child makes every function answer before it enters Go. A fork inside a hook comes
 * back into a call that is under way: whatever calls the host looks at the flag again afterwards, before it takes a
 * lock, since a thread that is not there may have it.
 */
#include "whose.h"

int ap__forked;

static void in_child(void)
{
    ap__forked = 1;
    ap__whose_forked();
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

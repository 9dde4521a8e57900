// Package membarrier proves the protocol of the pool's lock (bridge/lock.h) by trying every order of its steps.
//
// An unlock is a plain store and a look at whether somebody sleeps, and a processor may look before the others see
// the store. Who is about to sleep makes up for it, by membarrier(2). The model has what can go wrong with that: each
// thread has a store buffer, as x86 has, which reaches the memory at some time; a locked operation and a system call
// empty the thread's own; membarrier(2) empties those of the others one after the other, while they go on; a futex is
// looked at and slept on in one step, wakes whom it likes, and wakes without cause. A thread may stand still between
// any two steps for as long as it likes.
//
// Other processors, as arm64's, may also look before it is time for it, as soon as the thread tries the lock; but what an
// interrupt comes upon is looked at once more after it. And the store that frees a lock may stay behind while the thread
// takes another one: C11 allows it of a release and an acquire, and so do processors, though not arm64, whose acquiring
// exchange waits for a releasing store. Their other liberties are none here: but for the store that frees a lock, the look
// after it, and the first try, whose failure settles nothing, all steps are sequentially consistent operations or system
// calls.
//
// A [World] is a few threads that take and give back a lock or two, as often as they like, and stop when they like.
// [World.Search] visits every state that can come of it.
//
//	exclusion  a lock is held by one thread at a time
//	wake-ups   when nothing happens any more but what has no cause, everybody has stopped
//
// The second one is enough for "nobody sleeps for ever while the lock is free": every thread may stop wherever it holds
// nothing, so a sleeper whom only luck would wake is found in the state where the others have stopped. And there is
// a way to that end from every state, so nobody runs in circles for ever.
//
// The protocol is searched in its three modes (the kernel has membarrier(2), it has none, or it begins and ceases to
// refuse it at any time), and with each of many defects, to see that the search finds them.
package membarrier

// Package core is the machine that decides for every kind of caller. It is no API: the C driver (package bridge),
// the driver for goroutines (package pool) and the tests use it, and it changes with them.
//
// The core decides, and others act. It is a state machine. It calls no hook, blocks nowhere, takes no lock and
// reads no clock; imports_test.go sees to that. Whoever drives an operation keeps an [Op] and asks [Core.Next]
// what to do; the core answers with one ask (make a resource, check this one, destroy that one, wait, done), and
// the driver comes back with the answer. All calls for one pool must be serialised by the driver, which holds its
// lock for the call and for nothing else. Between two calls, these hold at every instant, for every observer:
//
//	I1  Idle + Active <= MaxSize: what exists, or is about to, is counted exactly once. A pool that has shrunk has
//	    at most what existed then, and never more again.
//	I2  A place granted to a waiter is reserved: nobody else takes it, nor the resource that goes with it, which
//	    is the one that is idle longest, or the next that becomes idle.
//	I3  Waiters are granted places in the order of their tickets; leaving keeps the others' order.
//	I4  While a place is surplus (MaxSize - Active - Reserved > 0), nobody without a grant waits; while creations
//	    that fail are waited out, or made behind, while such a place and an idle resource are.
//	I5  Each resource is idle, or held by somebody, or destroyed once.
//	I6  No hook of C runs below a Go frame: the core only says which one is due.
//	I7  After a close nothing is idle, nobody waits, nothing new is created.
//	I8  A place leaves its op on every path: success, refusal, failure, timeout, cancel, close.
//	I9  What existed when an evict began is not lent again.
//	I10 What was created is there, or was destroyed or detached: the counts agree.
//
// [Check] tests I1 to I5, I7, I9 and I10 on a state. The names of the fields say who keeps what; finish in
// places.go is the one way out of an op and keeps I8.
//
// The state that both sides of the language border see ([State], [Op], [Entry]) lives in memory that the driver
// supplies ([Memory]); no Go pointer is stored in it unless the driver itself is Go. Its C twins, in bridge/state.h,
// are made from the types here, comments included: a field that is called otherwise in C, or is of another type
// there, has a tag that says so.
package core

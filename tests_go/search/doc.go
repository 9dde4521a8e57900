// Package search proves the core (package core) by trying everything in small worlds.
//
// A [World] is a pool of one to three places with a few actors: callers, sweepers, closers, some who fill,
// and a hand that moves the breaker. Every actor may at every moment do everything that its world lets it
// do, again and again: begin, answer a hook this way or that, come back from a wait without cause, pass its
// deadline, cancel, give back what it or another holds. [World.Search] visits each state that can come of
// this, breadth first, and takes every move out of it. Actors never get tired: there is no limit on the
// length of a history. The states are finite because what only grows (tickets, turns, terms, the clock) is
// compared in the ways in which the core compares it, and because names (of resources, of callers that are
// alike) do not count: see key.go.
//
// After each move the state is compared with an account that the search keeps from the outside: it knows
// what the actors were told and what they answered, and nothing of how the core works.
//
//	I1, I8   idle, active, reserved, waiting, ops and probes are exactly what the account says
//	I2       a place is only taken by who was promised one, or when one is free
//	I3       those who are woken are woken in the order of the account's line, and for the right reason;
//	         nobody in line is served before who stands before it
//	I4       nobody is in line while a place is free and the breaker admits; while creations are put off, while
//	         something is idle besides
//	patience no creation begins before a pause is over, or beside another until one has succeeded
//	I5       a resource is made once, in one hand at a time, and destroyed once by who has it
//	I7       nothing is made or lent on a closed pool, nothing is idle once a close has ended
//	probes   while the breaker recovers, at most so many have a slot, and nobody is served without one
//	truth    CLOSED, UNAVAILABLE, TIMEOUT, EMPTY, FACTORY, CANCELLED, NOMEM are only told when they are so
//	reports  each release is reported once before it ends, unless it is cancelled before
//	leases   a lend has a number that there never was before, and whoever comes with one that has ended gets nothing,
//	         in any state, by any way
//	nothing  the release of what is not lent, a second cancel, a breaker call on a closed pool change nothing
//	told     observers are told of no step of an acquire that asks for something: the driver of a loop counts
//	         on it (bridge/async.c)
//	fast     what the fast paths of C and of Go do is what the core does, word by word in memory: they
//	         themselves are asked in each state, see fast.go
//	ends     from each state there is a way for everybody who waits to be served or told: see drain.go
//
// I6 is about drivers and has no meaning here. pool.Check is asked as well. A violation is printed with the
// shortest history that leads to it.
//
//	go test -v ./tests_go/search                            the worlds of the suite: a minute on 2 cores
//	go test -v ./tests_go/search -short                     the small ones of them, and few random histories
//	go test -v ./tests_go/search -run Worlds/each/NAME      one world
//	go test -v ./tests_go/search -run Worlds -large -timeout 0
//	                                                        larger ones, too: a quarter of an hour, 4 GB of memory
//	go test -v ./tests_go/search -run Random -seed 7        random histories of one seed
//
// With -v each world tells how many states and transitions it has, and all together what ops were asked and
// told. Under the race detector only the smallest worlds are searched.
//
// # To extend it
//
// A new world is an entry in worlds.go. A new thing to do is a verb in moves.go. What it means to those
// outside is said in the account: answered.go for what actors do, asked.go and ended.go for what they may
// hear, line.go and terms.go for the waiting line and the breaker. What of it influences the future goes
// into key.go; key_test.go finds what was forgotten there. A core that is broken in the new way goes into
// defects_test.go, a function of the fast path into fast_defects_test.go, to see that it is found.
//
// Random histories (random_test.go) go on where worlds get too large for the search: dozens of actors and
// places, compared with a model of its own (model_test.go). One that fails is printed as a scenario of
// tests_go/testdata (story_test.go), which replays it unless it is about the breaker or about passes.
package search

// Package pool lends resources to goroutines: what [Config] makes, at most MaxSize of it, in the order in which
// callers come. [New] makes a pool, [Pool.Acquire] and [Pool.Release] lend and take back; the context of an Acquire
// ends its wait.
//
// Nothing in it needs C. What is decided is decided by package core, which the C library asks as well: so both
// lend, queue, check and refuse alike. This package is a driver of it, with a mutex, hooks as Go functions and
// cancellation by context.
package pool

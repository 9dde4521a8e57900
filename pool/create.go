package pool

import (
	"context"
	"runtime"
	"sync/atomic"

	"asyncpool/pool/core"
)

// A factory may take long, and know nothing of its context. So that its caller can leave, it runs on a goroutine of its
// own, if the caller has a context that can end. What holds:
//
//   - The op of a creation is driven by one goroutine at a time. It is the caller's until that leaves, and the
//     factory's from then on. Both change the state of the creation once, by a compare-and-swap, whoever is first: the
//     factory has ended, and the caller goes on, or the caller has left, and the factory's goroutine goes on.
//   - While the factory runs, its place is taken, whether somebody waits for it or not: there are never more than
//     MaxSize. Whoever drives the op when it ends hands the place on: I8.
//   - What is made for one who has left is lent to its op, and given back at once, unseen by BeforeRelease: it goes to
//     the first in line, or is idle, or is destroyed if the pool has closed or shrunk, or it is evicted. What fails
//     then is a failure of the service all the same.
//   - A factory that is left by a panic or Goexit loses no place. The caller goes the same way, if it is there; if
//     not, the panic is that of the factory's goroutine, and ends the program.
//   - The context of the factory ends with the pool. A caller who hears of that by the factory's error hears ErrClosed.

// creation is a factory that runs on a goroutine of its own.
type creation[T any] struct {
	call     *call[T]
	state    atomic.Uint32
	done     chan struct{} // closed when the factory has ended, if the caller has not left before
	item     *item[T]
	failure  error
	returned bool
	panicked any
}

// The states of a creation.
const (
	creating uint32 = iota
	created
	left
)

// create has a resource made for a call. Not stays: the caller has left, and the call is no longer its own.
func (p *Pool[T]) create(ctx context.Context, c *call[T]) (i *item[T], failure error, stays bool) {
	own, stop := p.contextFor(ctx)
	if ctx.Done() == nil || c.op.Kind == core.KindSweep { // nobody would leave
		defer stop()
		i, failure = p.manufacture(own)
		return i, failure, true
	}
	kind := c.op.Kind
	n := &creation[T]{call: c, done: make(chan struct{})}
	go func() {
		defer stop()
		defer p.factoryEnded(n)
		n.item, n.failure = p.manufacture(own)
		n.returned = true
	}()
	select {
	case <-n.done:
	case <-ctx.Done():
		if n.state.CompareAndSwap(creating, left) {
			p.countLeft(ctx, kind)
			return nil, nil, false
		}
		<-n.done
	}
	switch {
	case n.panicked != nil:
		panic(n.panicked)
	case !n.returned:
		runtime.Goexit()
	}
	return n.item, n.failure, true
}

// factoryEnded is deferred by the goroutine of a factory.
func (p *Pool[T]) factoryEnded(n *creation[T]) {
	switch {
	case n.state.CompareAndSwap(creating, created):
		n.panicked = recover()
		close(n.done)
	case n.returned:
		p.goOnAlone(n)
	default: // a panic goes on
		n.call.op.Flags |= core.FlagLeft
		p.abandon(n.call)
	}
}

// goOnAlone ends the op of a caller who has left.
func (p *Pool[T]) goOnAlone(n *creation[T]) {
	n.call.made = n.item
	n.call.op.Flags |= core.FlagLeft
	if n.call.op.Kind == core.KindAcquire {
		n.call.op.Kind = core.KindTry // nobody is there to wait for another
	}
	ask := p.next(n.call, madeOrNot(n.call, n.failure))
	if r, _ := p.driveFrom(context.Background(), n.call, ask); r != nil {
		p.mu.Lock()
		p.takeBack(r.item, true)
	}
}

// factoryContext is what a factory gets: the deadline and the values of its caller, whose leaving does not concern it.
type factoryContext struct {
	context.Context // ends with the deadline, or with the pool
	caller          context.Context
}

// Value asks the context first that ends this one: so package context finds what to wait for.
func (c factoryContext) Value(key any) any {
	if value := c.Context.Value(key); value != nil {
		return value
	}
	return c.caller.Value(key)
}

// contextFor makes it.
func (p *Pool[T]) contextFor(ctx context.Context) (own context.Context, stop context.CancelFunc) {
	own, stop = p.life, func() {}
	if deadline, ok := ctx.Deadline(); ok {
		own, stop = context.WithDeadline(own, deadline)
	}
	return factoryContext{own, ctx}, stop
}

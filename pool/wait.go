package pool

import (
	"context"
	"sync/atomic"
	"time"
	"unsafe"

	"asyncpool/pool/core"
)

// call is an operation of the front and a place to wait in, reused by later ones.
type call[T any] struct {
	op       core.Op // first: an Op of a list is a *call
	resource *item[T]
	fresh    *Resource[T]  // the lend of what it is lent, unless there was none left
	made     *item[T]      // by the factory; the core has yet to hear of it
	ask      core.AskKind  // the last one of op
	until    int64         // while it waits: when it looks again, or Never
	since    time.Duration // of the pool's life: when it joined the line, or what it has made was begun
	waited   time.Duration // how long it stood in line
	state    atomic.Uint32
	unseen   bool     // gives back what nobody has had
	idle     bool     // takes what is idle, and makes nothing
	tag      string   // of its context
	leak     Lend     // that a pass has found
	one      bool     // makes one resource, whatever MinSize is
	woken    *call[T] // the next one to be woken
	failure  error    // of its factory; the pool has yet to hear of it
	why      error    // the pool's at the end of its context
	wake     chan struct{}
}

// The states of a call that waits. Whoever finds it parked puts a token into its channel.
const (
	waiting uint32 = iota // looks at its state now and then
	parked                // sleeps on its channel, or is about to
	called                // shall look: it is in line, and its op is not its own
	awake                 // has its turn, and its op is its own
)

// callOf is the call that an op is the first field of.
func callOf[T any](op *core.Op) *call[T] {
	return (*call[T])(unsafe.Pointer(op))
}

// begin makes a call ready for a new operation.
func (p *Pool[T]) begin(kind core.Kind, given *item[T]) *call[T] {
	c := p.calls.Get().(*call[T])
	c.op = core.Op{Kind: kind, Deadline: core.Never}
	if given != nil {
		c.op.Resource, c.resource = given.word, given
	}
	c.ask = core.AskDone
	c.failure, c.why, c.waited, c.tag = nil, nil, 0, ""
	c.unseen, c.idle, c.one = false, false, false
	c.until = core.Never
	c.state.Store(waiting)
	return c
}

// settle takes the next step for ops that were granted a place or sent away, in the place of their goroutines, which in
// most cases have nothing left to do but to take the resource. Those that sleep are appended to a chain, first come
// first. There may be very many when the pool closes, and others wait for the lock: it does so many at once.
func (p *Pool[T]) settle(woken **call[T]) {
	for *woken != nil {
		woken = &(*woken).woken
	}
	const most = 64
	for n := 0; n < most && p.st.Ready.Head != nil; n++ {
		op := p.st.Ready.Pop()
		c := callOf[T](op)
		if op.Flags&core.FlagDenied != 0 {
			c.why = p.failed
		}
		switch p.step(c, core.Answer{}) {
		case core.AskDone:
		case core.AskWait: // it may have to look earlier than it knows
			if c.state.Swap(called) == parked {
				*woken = c
				woken = &c.woken
			}
			continue
		default: // a hook is due: on its own goroutine, if it is not too late by then
			op.Flags |= core.FlagUnasked
			c.ask = core.AskDone
		}
		if c.state.Swap(awake) == parked {
			*woken = c
			woken = &c.woken
		}
	}
	if op := p.st.Called; op != nil {
		p.st.Called = nil
		if c := callOf[T](op); c.state.Swap(called) == parked {
			*woken = c
		}
	}
	if p.st.Gate&core.GatePutsOff == 0 && p.st.Ready.Head == nil {
		p.failed = nil
	}
}

// wakeAll wakes a chain of calls. A call is its goroutine's again once it has its token.
func (c *call[T]) wakeAll() {
	for c != nil {
		next := c.woken
		c.woken = nil
		c.wake <- struct{}{}
		c = next
	}
}

// wait sleeps until the op has its turn, shall look, or the context ends, and says what is next.
func (p *Pool[T]) wait(ctx context.Context, c *call[T]) core.AskKind {
	if c.state.CompareAndSwap(waiting, parked) {
		return p.goOn(ctx, c, p.sleep(ctx, c))
	}
	return p.goOn(ctx, c, wokenUp)
}

// goOn asks the core what is next: it leaves the line, looks after the breaker, or its turn has come. What was handed
// over is lent, also if the context ended in that moment.
func (p *Pool[T]) goOn(ctx context.Context, c *call[T], end wakening) core.AskKind {
	if end != wokenUp && !c.state.CompareAndSwap(parked, waiting) {
		<-c.wake // it was woken in this moment
	}
	if c.state.Load() == awake && c.op.Step == core.StepDone {
		return core.AskDone
	}
	leaves := end == endOfContext || ended(ctx) // not under the lock: a context's methods may be anybody's
	late := leaves && ctx.Err() == context.DeadlineExceeded
	p.mu.Lock()
	switch {
	case c.op.Step == core.StepDone:
		p.mu.Unlock()
		return core.AskDone
	case leaves:
		if late {
			c.op.Flags |= core.FlagLate
		}
		c.state.Store(waiting) // it may have to wait once more, until what it was granted is destroyed
		return p.cancelLocked(c)
	}
	c.state.Store(waiting)
	return p.nextLocked(c, core.Answer{})
}

// How a sleep ends.
type wakening uint8

const (
	wokenUp wakening = iota
	endOfContext
	endOfPatience
)

// sleep ends with a wake-up, with the context, or when it is time to look after the breaker.
func (p *Pool[T]) sleep(ctx context.Context, c *call[T]) wakening {
	end := ctx.Done()
	switch {
	case c.until != core.Never:
		timer := time.NewTimer(time.Duration(c.until) - time.Since(p.born))
		defer timer.Stop()
		select {
		case <-c.wake:
			return wokenUp
		case <-end:
			return endOfContext
		case <-timer.C:
			return endOfPatience
		}
	case end == nil: // a plain receive costs half of a select
		<-c.wake
		return wokenUp
	}
	select {
	case <-c.wake:
		return wokenUp
	case <-end:
		return endOfContext
	}
}

package pool

import (
	"context"

	"asyncpool/pool/core"
)

// Do lends a resource to a function, as [Pool.Acquire] does, and releases it when that returns, whatever it returns. After
// a panic, or [runtime.Goexit], the resource is discarded, as nobody knows what state it is in. The error is that of the
// Acquire, or of the function.
func (p *Pool[T]) Do(ctx context.Context, use func(T) error) error {
	r, err := p.Acquire(ctx)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			p.Discard(r)
		}
	}()
	err = use(r.Value())
	done = true
	p.Release(r)
	return err
}

// AcquireAllIdle lends all resources that are idle and that nobody was promised, as so many calls of
// [Pool.TryAcquire] with Background would that make nothing: while the circuit breaker is open that is none, and
// what BeforeAcquire refuses is destroyed. It is for a look at each of them; whoever comes meanwhile waits, or has
// a new one made.
func (p *Pool[T]) AcquireAllIdle() []*Resource[T] {
	var all []*Resource[T]
	done := false
	defer func() {
		for !done && len(all) > 0 { // a hook was left by a panic
			r := all[0]
			all = all[1:]
			p.mu.Lock()
			p.ends(r)
			p.takeBack(r.item, true)
		}
	}()
	for range p.Stats().Idle {
		r := p.takeIdle()
		if r == nil {
			break
		}
		all = append(all, r)
	}
	done = true
	return all
}

// takeIdle lends an idle resource; nil: there is none that may be lent now. It gives the lock up each time, as others
// wait for it.
func (p *Pool[T]) takeIdle() *Resource[T] {
	p.mu.Lock()
	if i := p.take(""); i != nil {
		return p.lend(i)
	}
	c := p.begin(core.KindTry, nil)
	c.idle = true
	r, _ := p.driveFrom(context.Background(), c, p.nextLocked(c, core.Answer{}))
	return r
}

// Create makes one resource more, which goes to the first in line, or is idle: so a pool is warm before it is needed.
// Neither the circuit breaker nor a [Threshold] is concerned. It ends with an error that errors.Is finds to be
//
//   - [ErrFull] when as many exist as may, or places are promised to those who have been in line;
//   - ctx.Err(), and context.Cause(ctx), when the context ends before Factory: what that makes is not lost;
//   - [ErrClosed] when the pool is closed, or drained, before or meanwhile;
//   - [ErrFactory], and the error of Factory, when that fails.
func (p *Pool[T]) Create(ctx context.Context) error {
	if ended(ctx) {
		return gaveUp(ctx)
	}
	p.mu.Lock()
	st := &p.st
	exist, taken := uint64(st.Idle)+uint64(st.Active), uint64(st.Active)+uint64(st.Reserved)
	if st.Gate&(core.GateClosed|core.GateDraining|core.GateBroken) == 0 && max(exist, taken) >= uint64(st.MaxSize) {
		p.mu.Unlock()
		return ErrFull
	}
	c := p.begin(core.KindFill, nil)
	c.one = true
	_, err := p.driveFrom(ctx, c, p.nextLocked(c, core.Answer{}))
	return err
}

// least has the core hear another MinSize while it takes a step of Create, which is a fill: first that one is missing,
// then that none is, so that it makes exactly one.
func (p *Pool[T]) least(c *call[T]) (restore uint32) {
	restore = p.st.MinSize
	p.st.MinSize = 0
	if c.op.Step == core.StepBegin {
		p.st.MinSize = p.st.Idle + p.st.Active + 1
	}
	return restore
}

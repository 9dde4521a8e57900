package pool

import (
	"context"
	"sync"
)

// Budget is what pools of many processes share: so many resources at most, for all of them. A pool takes a place before
// each Factory, and gives it back when that has made nothing, and after each Destroy, however any of them ends. So the
// places taken and not given are the resources that exist, and those that are being made or destroyed. What is detached
// keeps its place: whoever has it calls Give, when it is closed. [asyncpool/pool/redisbudget] is one that is kept in Redis.
//
// A budget whose other pools need what is idle here has a third method, Attach([Trimmer]) func(). [New] calls it with the
// pool, and a pool that has closed, or has been drained, calls the result. Until then the budget keeps the pool. One that
// has a method Refused([Trimmer]) is told by it for which pool a Take has failed.
type Budget interface {
	// Take takes a place; its error is as one of Factory. That of [TryLater] has the caller wait on, first in line as
	// before; with any other one the creation has failed. The context is that of the Factory. It may block, as a
	// Factory may.
	Take(context.Context) error
	// Give gives a place back. It should not block: who waits for the place of the pool waits for it.
	Give()
}

// Trimmer is a pool as a budget sees it.
type Trimmer interface {
	Trim(keepIdle int) error
	Stats() Stats
}

// Shed gives one resource up, as soon as there is one to be had: it stands in line as [Pool.Acquire] does, and what it is
// lent is destroyed. It is for who must have fewer although nothing is idle; what is idle, [Pool.Trim] destroys.
func (p *Pool[T]) Shed(ctx context.Context) error {
	r, err := p.Acquire(ctx)
	if err != nil {
		return err
	}
	return p.Discard(r)
}

// manufacture runs the factory, with a place of the budget.
func (p *Pool[T]) manufacture(ctx context.Context) (made *item[T], err error) {
	if budget := p.config.Budget; budget != nil {
		if err := budget.Take(ctx); err != nil {
			if b, ok := budget.(interface{ Refused(Trimmer) }); ok {
				b.Refused(p)
			}
			return nil, err
		}
		defer func() {
			if made == nil { // also when it was left by a panic
				budget.Give()
			}
		}()
	}
	value, err := p.config.Factory(ctx)
	if err != nil {
		return nil, err
	}
	return &item[T]{value: value, pool: p}, nil
}

// destroy runs Destroy, and gives the place back.
func (p *Pool[T]) destroy(ctx context.Context, value T) {
	if p.config.Budget != nil {
		defer p.config.Budget.Give()
	}
	if p.config.Destroy != nil {
		p.config.Destroy(ctx, value)
	}
}

// attach has the budget know the pool, if it wants to.
func (p *Pool[T]) attach() {
	if b, ok := p.config.Budget.(interface{ Attach(Trimmer) func() }); ok {
		p.leave = sync.OnceFunc(b.Attach(p)) // a pool may be closed twice
	}
}

// over ends the life of a pool that is closed.
func (p *Pool[T]) over() {
	p.end(ErrClosed)
	if p.leave != nil {
		p.leave()
	}
}

package pool

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"asyncpool/pool/core"
)

// Pool lends resources of type T: at most MaxSize of them exist, callers wait in line when all are lent and
// are served strictly in the order in which they came. Any goroutine may release what another acquired. In
// steady state neither Acquire nor Release allocates, whether a caller waits or not, but for the lend itself: 16 bytes,
// for 128 lends at once.
//
// A pool that checks the health of its resources has a goroutine, which keeps it from being collected until
// it is closed. A pool without one may be dropped, but its resources are destroyed by [Pool.Close] alone.
type Pool[T any] struct {
	mu      lock // held in the core and for what the fast path does, never while a hook runs
	st      core.State
	handles handles[T]
	times   times
	fresh   freshLends[T]

	core   *core.Core
	config Config[T]
	noted  bool      // tags of lends are, since there are ages
	calls  sync.Pool // of *call[T]; each pool has its own, as channels must stay in their synctest bubble
	born   time.Time
	health *healthLoop     // nil: no healthchecks
	life   context.Context // ends when the pool closes; its cause is ErrClosed
	end    context.CancelCauseFunc
	leave  func() // has the budget forget the pool; nil: there is none that knows it
	failed error  // of the factory that failed last, while creations are put off, or somebody is yet to be told
	coming uint32 // goroutines that are to make behind, and have not begun
}

// Acquire lends the resource that was idle longest (with LIFO the one that came back last), or a new one while there
// are fewer than MaxSize, or waits for one. It ends with an error that errors.Is finds to be
//
//   - ctx.Err(), and context.Cause(ctx), when the context ends first, also while Factory runs: what that makes
//     goes to the next in line then, or is idle. A resource that is made, or handed over, in the same moment is
//     lent. BeforeAcquire and Destroy are not interrupted, but hear of the end by their context;
//   - [ErrClosed] when the pool is closed, before or meanwhile;
//   - [ErrUnavailable] while the circuit breaker is open, also if it opens meanwhile;
//   - [ErrOverloaded] when MaxWaiting callers are in line;
//   - [ErrFactory], and the error of Factory, when that fails. With CreateRetry, or after [TryLater], only when the
//     context's deadline passes while factories fail or put it off: with the last one's error, and the context's too.
func (p *Pool[T]) Acquire(ctx context.Context) (*Resource[T], error) {
	if ended(ctx) {
		return nil, gaveUp(ctx)
	}
	tag := p.tagOf(ctx)
	p.mu.Lock()
	if i := p.take(tag); i != nil {
		return p.lend(i), nil
	}
	c := p.begin(core.KindAcquire, nil)
	c.tag = tag
	if p.join(c) {
		p.mu.Unlock()
		return p.driveFrom(ctx, c, core.AskWait)
	}
	return p.driveFrom(ctx, c, p.nextLocked(c, core.Answer{}))
}

// TryAcquire is Acquire without the wait in line: [ErrEmpty] when it would have to. It may wait for Factory, as long as
// the context lets it.
func (p *Pool[T]) TryAcquire(ctx context.Context) (*Resource[T], error) {
	if ended(ctx) {
		return nil, gaveUp(ctx)
	}
	tag := p.tagOf(ctx)
	p.mu.Lock()
	if i := p.take(tag); i != nil {
		return p.lend(i), nil
	}
	c := p.begin(core.KindTry, nil)
	c.tag = tag
	return p.driveFrom(ctx, c, p.nextLocked(c, core.Answer{}))
}

// Release takes a resource back. It goes to the first in line, or is idle, or is destroyed if BeforeRelease
// refuses it or the pool was closed. A lend ends once: of one that has ended, and of one of another pool, it says
// [ErrNotOwned] and changes nothing, whoever has the resource by now.
func (p *Pool[T]) Release(r *Resource[T]) error {
	if !p.endLend(r) {
		return ErrNotOwned
	}
	return p.takeBack(r.item, false)
}

// endLend ends a lend, and has the lock then; false: there is none, and nothing has changed.
func (p *Pool[T]) endLend(r *Resource[T]) bool {
	if r == nil || r.item == nil || r.item.pool != p {
		return false
	}
	p.mu.Lock()
	if r.ended {
		p.mu.Unlock()
		return false
	}
	p.ends(r)
	return true
}

// ends notes that a lend has ended.
func (p *Pool[T]) ends(r *Resource[T]) {
	r.ended = true
	if p.config.Timed {
		p.held(r.item)
	}
}

// takeBack takes back what was lent. The lock is held on entry, and given up. Unseen: nobody has had it, and
// BeforeRelease is not asked.
func (p *Pool[T]) takeBack(i *item[T], unseen bool) error {
	if p.giveBack(i) {
		p.mu.Unlock()
		return nil
	}
	if done, next := p.handOver(i); done {
		p.mu.Unlock()
		next.wakeAll()
		runtime.Gosched() // or it would soon be in line again, behind all the others, and the line stay as long
		return nil
	}
	c := p.begin(core.KindRelease, i)
	c.unseen = unseen
	_, err := p.driveFrom(context.Background(), c, p.nextLocked(c, core.Answer{}))
	return err
}

// Discard takes back a resource that shall not be lent again: it is destroyed, BeforeRelease is not asked, and no
// [Threshold] counts it. Its place goes to the first in line. Otherwise it is as Release.
func (p *Pool[T]) Discard(r *Resource[T]) error {
	return p.takeOut(r, core.KindDiscard)
}

// Detach ends the lend of a resource that is the caller's from now on: Destroy is not called for it, now or later. Its
// place goes to the first in line; that of a [Budget] stays taken until the caller gives it back. Otherwise it is as
// Release.
func (p *Pool[T]) Detach(r *Resource[T]) error {
	return p.takeOut(r, core.KindDetach)
}

func (p *Pool[T]) takeOut(r *Resource[T], kind core.Kind) error {
	if !p.endLend(r) {
		return ErrNotOwned
	}
	if kind == core.KindDetach {
		p.fresh = freshLends[T]{} // or the pool would keep the resource by its array of lends, for long
	}
	_, err := p.drive(context.Background(), kind, r.item)
	return err
}

// Drain sends newcomers away with [ErrClosed], serves who stands in line, and returns when everything is back and
// destroyed: the pool is closed then. When the context ends first it closes the pool, and says why it ended. A caller
// that holds a resource itself waits for ever, or for its context.
func (p *Pool[T]) Drain(ctx context.Context) error {
	if p.health != nil {
		p.health.stop()
		defer p.health.wait()
	}
	p.mu.Lock()
	_, err := p.drive(ctx, core.KindDrain, nil)
	switch {
	case err == nil:
		p.over()
	case ended(ctx):
		p.Close()
	}
	return err
}

// Evict has nothing that exists now lent again: what is idle is destroyed by this call, what is lent when it comes back.
// What is being made just now is lent to who has it made, and destroyed when it comes back. No lend ends, and who waits
// keeps its place. [ErrClosed].
func (p *Pool[T]) Evict() error {
	p.mu.Lock()
	_, err := p.drive(context.Background(), core.KindEvict, nil)
	return err
}

// Resize changes MinSize and MaxSize. Growing serves who waits at once. Shrinking takes nothing from anybody: what is
// idle above MaxSize is destroyed by this call, what was idle longest first, what is lent above it when it comes back;
// until then more exists than MaxSize, and nothing is made. What is missing to MinSize is made by the healthchecks, if there are
// any, at once. [ErrConfig] for sizes that make no pool; [ErrClosed].
func (p *Pool[T]) Resize(minSize, maxSize int) error {
	if err := checkSizes(minSize, maxSize); err != nil {
		return err
	}
	p.mu.Lock()
	raised := uint32(minSize) > p.st.MinSize
	c := p.begin(core.KindResize, nil)
	c.op.Visits, c.op.Pass = uint32(minSize), uint32(maxSize)
	_, err := p.driveFrom(context.Background(), c, p.nextLocked(c, core.Answer{}))
	if err == nil && raised && p.health != nil {
		p.health.hurry()
	}
	return err
}

// Trim destroys what is idle and not needed just now: of what is idle keepIdle are kept, the others go, what was idle
// longest first. What the healthchecks would make again stays: MinIdle, and MinSize of all. This is no limit, see
// [Pool.Resize]: the pool grows again as it is needed. [ErrConfig] when keepIdle is negative; [ErrClosed].
func (p *Pool[T]) Trim(keepIdle int) error {
	if keepIdle < 0 {
		return fmt.Errorf("%w: keepIdle is negative", ErrConfig)
	}
	p.mu.Lock()
	c := p.begin(core.KindTrim, nil)
	c.op.Visits = uint32(min(keepIdle, math.MaxUint32))
	_, err := p.driveFrom(context.Background(), c, p.nextLocked(c, core.Answer{}))
	return err
}

// Close sends everybody in line away with [ErrClosed] and destroys what is idle; what is lent is destroyed
// by its Release, which Close does not wait for. Nor does it wait for a Factory that runs, whose context ends, and whose
// resource is destroyed. It returns when the healthchecks have ended. Called from
// inside one, be it of another pool, it does not wait; called from a goroutine that one has started, it does, so
// a hook must not wait for another goroutine that closes the pool. A second Close is fine.
func (p *Pool[T]) Close() {
	if p.health != nil {
		p.health.stop()
		defer p.health.wait()
	}
	p.mu.Lock()
	c := p.begin(core.KindClose, nil)
	ask := p.nextLocked(c, core.Answer{})
	p.over() // now that nobody else would begin a creation, which would end at once
	p.driveFrom(context.Background(), c, ask)
}

// Circuit is the state of the circuit breaker.
type Circuit = core.Circuit

// The states of the circuit breaker.
const (
	Active     = core.Active     // the service works, and the pool lends
	Inactive   = core.Inactive   // it is down: callers get [ErrUnavailable] at once
	Recovering = core.Recovering // a few callers find out whether it works again
)

// Activate closes the circuit breaker: the service works, and the pool lends. [ErrClosed] on a closed pool.
func (p *Pool[T]) Activate() error {
	return p.setCircuit(Active)
}

// Deactivate opens the circuit breaker: everybody in line gets [ErrUnavailable], and so does who comes.
func (p *Pool[T]) Deactivate() error {
	return p.setCircuit(Inactive)
}

// Recover puts the service on probation: at most RecoveringLimit resources are lent at once; who comes for
// more gets [ErrUnavailable].
func (p *Pool[T]) Recover() error {
	return p.setCircuit(Recovering)
}

package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"asyncpool/pool/core"
)

// The driver for goroutines: it answers the asks of an op by calling the hooks, with no lock held, and by
// waiting.

// drive runs an op to its end: a lend, if it is an acquire. The lock is held on entry, and given up.
func (p *Pool[T]) drive(ctx context.Context, kind core.Kind, given *item[T]) (*Resource[T], error) {
	c := p.begin(kind, given)
	return p.driveFrom(ctx, c, p.nextLocked(c, core.Answer{}))
}

// driveFrom goes on from an ask. Whatever leaves a hook by panic or Goexit passes the deferred function,
// which hands the place on.
func (p *Pool[T]) driveFrom(ctx context.Context, c *call[T], ask core.AskKind) (*Resource[T], error) {
	done := false
	defer func() {
		if !done {
			p.abandon(c)
		}
	}()
	var failure error
	for ask != core.AskDone {
		switch ask {
		case core.AskWait:
			ask = p.wait(ctx, c)
		case core.AskCreate:
			var made *item[T]
			var stays bool
			if made, failure, stays = p.create(ctx, c); !stays {
				done = true
				return nil, late(ctx, p.lastFailure())
			}
			c.made = made
			ask = p.next(c, madeOrNot(c, failure))
		default:
			ask = p.next(c, core.Answer{OK: p.answer(ctx, c, ask)})
		}
	}
	done = true
	return p.outcome(ctx, c, failure)
}

// outcome ends a call.
func (p *Pool[T]) outcome(ctx context.Context, c *call[T], failure error) (*Resource[T], error) {
	i, fresh, status, why := c.resource, c.fresh, c.op.Status, c.why
	c.resource, c.fresh = nil, nil
	p.calls.Put(c)
	switch status {
	case core.OK:
		if i == nil {
			return nil, nil
		}
		return p.lent(i, fresh), nil
	case core.Cancelled:
		return nil, late(ctx, why)
	case core.Factory:
		if failure == nil { // it was not asked: creations are put off
			failure = why
		}
		if errors.Is(failure, context.Canceled) && ended(p.life) { // and has ended the factory
			return nil, fmt.Errorf("%w: %w", ErrClosed, failure)
		}
	}
	return nil, statusError(status, failure)
}

// answer calls the hook that the core asks for, but for the factory.
func (p *Pool[T]) answer(ctx context.Context, c *call[T], ask core.AskKind) bool {
	switch ask {
	case core.AskBeforeAcquire:
		return p.config.BeforeAcquire(ctx, c.resource.value)
	case core.AskBeforeRelease:
		return c.unseen || p.config.BeforeRelease(ctx, c.resource.value)
	case core.AskHealthcheck:
		return p.config.Healthcheck(ctx, c.resource.value)
	case core.AskLeaked:
		lend := c.leak
		c.leak = Lend{}
		p.config.OnLeak(lend)
	case core.AskDestroy:
		p.destroy(context.WithoutCancel(ctx), c.resource.value)
	}
	return true
}

// abandon ends the op of a goroutine that is leaving. What must still be destroyed is; a Destroy that is left
// in the same way hands the rest on to the same guard.
func (p *Pool[T]) abandon(c *call[T]) {
	p.mu.Lock()
	ask := p.cancelLocked(c)
	done := false
	defer func() {
		if !done {
			p.abandon(c)
		}
	}()
	for ask != core.AskDone {
		p.answer(context.Background(), c, ask)
		ask = p.next(c, core.Answer{OK: true})
	}
	done = true
}

// next is one step of an op through the core.
func (p *Pool[T]) next(c *call[T], answer core.Answer) core.AskKind {
	p.mu.Lock()
	return p.nextLocked(c, answer)
}

// nextLocked is the same with the lock held, which is given up. A pass that pauses goes on at once.
func (p *Pool[T]) nextLocked(c *call[T], answer core.Answer) core.AskKind {
	ask := p.nextOnce(c, answer)
	for ask == core.AskDone && c.op.Step == core.StepPause {
		p.mu.Lock()
		ask = p.nextOnce(c, core.Answer{})
	}
	return ask
}

func (p *Pool[T]) nextOnce(c *call[T], answer core.Answer) (ask core.AskKind) {
	sound, woken := false, (*call[T])(nil)
	defer p.unlock(&sound, &woken)
	p.dropDestroyed(c)
	if c.failure != nil {
		p.failed, c.failure = c.failure, nil
	}
	if c.made != nil {
		answer.Resource = p.handles.add(c.made)
		c.made = nil
	}
	ask = p.step(c, answer)
	c.until = c.op.Until
	c.why = p.failed
	p.settle(&woken)
	sound = true
	return ask
}

// cancelLocked ends an op early. It answers with what must still be done for it: destructions, or nothing.
func (p *Pool[T]) cancelLocked(c *call[T]) (ask core.AskKind) {
	sound, woken := false, (*call[T])(nil)
	defer p.unlock(&sound, &woken)
	p.dropDestroyed(c)
	c.why = p.failed
	if p.core.Cancel(&c.op) == core.Pending {
		ask = p.step(c, core.Answer{})
	}
	p.settle(&woken)
	sound = true
	return ask
}

// dropDestroyed is called before the core hears that a resource is destroyed.
func (p *Pool[T]) dropDestroyed(c *call[T]) {
	if c.ask == core.AskDestroy {
		p.handles.drop(c.resource)
		var none T
		c.resource.value = none // lends that have ended keep the item for as long as somebody keeps one of their array
		c.ask = core.AskDone
	}
}

// step asks the core, and keeps what the ask is about.
func (p *Pool[T]) step(c *call[T], answer core.Answer) core.AskKind {
	var ask core.Ask
	answer.Now = p.now(answer.Later)
	from := c.op.Step
	if c.one {
		least := p.least(c)
		p.core.Next(&c.op, &answer, &ask)
		p.st.MinSize = least
	} else {
		p.core.Next(&c.op, &answer, &ask)
	}
	if c.idle && ask.Kind == core.AskCreate {
		cancelled, failed := p.st.Counts.Cancelled, p.st.Counts.Failed
		p.core.Cancel(&c.op)
		p.st.Counts.Cancelled, p.st.Counts.Failed = cancelled, failed // nobody has left, and nothing was begun
		ask = core.Ask{}
	}
	p.stepped(c, from, answer.OK)
	c.ask = ask.Kind
	if ask.Kind == core.AskDone && c.op.Kind == core.KindDetach && c.op.Status == core.OK {
		p.handles.drop(c.resource)
	}
	c.resource = p.handles.at(ask.Resource)
	if ask.Kind == core.AskLeaked {
		c.leak = p.lendOf(c.op.Entry, c.resource, time.Duration(answer.Now))
	}
	if ask.Kind == core.AskDone && c.resource != nil {
		c.resource.entry = c.op.Entry
		if p.noted {
			c.resource.tag = c.tag
		}
		c.fresh = p.fresh.take()
	}
	return ask.Kind
}

// unlock gives the lock up and wakes those whose turn has come. A panic of the core itself breaks the pool:
// nothing it says can be trusted any more, and nobody shall wait for it.
func (p *Pool[T]) unlock(sound *bool, woken **call[T]) {
	for more := p.unlockOnce(sound, woken); more; {
		more = p.settleMore()
	}
}

// unlockOnce is unlock for one round; true: there are more to be woken, and others may have the lock before.
func (p *Pool[T]) unlockOnce(sound *bool, woken **call[T]) bool {
	for !*sound {
		p.core.Break()
		p.settle(woken)
		*sound = p.st.Ready.Head == nil
	}
	more := p.st.Ready.Head != nil
	p.prompt()
	p.callMakers()
	p.mu.Unlock()
	(*woken).wakeAll()
	return more
}

func (p *Pool[T]) settleMore() (more bool) {
	p.mu.Lock()
	sound, woken := false, (*call[T])(nil)
	defer func() { more = p.unlockOnce(&sound, &woken) }()
	p.settle(&woken)
	sound = true
	return more
}

// now is the core's clock, read while the strategy of the breaker needs one, creations that fail are waited out, or
// resources have ages.
func (p *Pool[T]) now(later int64) int64 {
	gate := p.st.Gate
	ages := gate&core.GateAges != 0
	if p.st.Breaker.Failures == 0 && p.st.Patience.Retry == 0 && gate&core.GatePutsOff == 0 && later == 0 && !ages {
		return 0
	}
	now := int64(time.Since(p.born))
	if ages {
		p.tick(now)
	}
	return now
}

func (p *Pool[T]) setCircuit(to Circuit) error {
	p.mu.Lock()
	sound, woken := false, (*call[T])(nil)
	defer p.unlock(&sound, &woken)
	status := p.core.SetCircuit(to, int64(time.Since(p.born)))
	p.settle(&woken)
	sound = true
	return statusError(status, nil)
}

package search

import (
	"fmt"
	"slices"

	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// Some calls change nothing. They are tried in each state, and the core's memory is compared.

func (b *Board) tryNothing() error {
	before := *b.memory
	if err := b.tryReleases(); err != nil {
		return err
	}
	if err := b.tryStale(); err != nil {
		return err
	}
	if err := b.tryCancels(); err != nil {
		return err
	}
	if err := b.tryBreaker(); err != nil {
		return err
	}
	if err := b.tryResizes(); err != nil {
		return err
	}
	if err := b.tryBehind(); err != nil {
		return err
	}
	if *b.memory != before {
		*b.memory = before
		return fmt.Errorf("nothing: a call that was refused, or had nothing to do, changed something")
	}
	return nil
}

// tryReleases gives back what is not lent: what is idle, what is in an op, and what there never was.
func (b *Board) tryReleases() error {
	op := &b.memory.ops[maxActors]
	var absent bool
	for word := uint8(1); word <= maxWords; word++ {
		where := b.account.things[word].where
		if where == lent || where == nowhere && absent {
			continue
		}
		absent = absent || where == nowhere
		for _, kind := range kindsBack {
			*op = core.Op{Kind: kind, Resource: uintptr(word), Deadline: core.Never}
			var ask core.Ask
			if err := b.tryFastRelease(op); err != nil {
				return err
			}
			b.core.Next(op, &core.Answer{Now: b.account.now}, &ask)
			*op = core.Op{}
			if ask.Kind != core.AskDone || ask.Status != core.NotOwned || ask.Resource != 0 {
				return fmt.Errorf("nothing: the %s of what is not lent is answered with %s %s", kindNames[kind],
					askNames[ask.Kind], statusNames[ask.Status])
			}
		}
	}
	return nil
}

// tryFastRelease has the fast path of C refuse it, which it does while the pool is open and the breaker active; what is
// given back in another way is left to the core.
func (b *Board) tryFastRelease(op *core.Op) error {
	const others = core.GateClosed | core.GateDraining | core.GateBroken | core.GateBreaker | core.GateAbove |
		core.GatePutsOff
	begun := *op
	expected := op.Kind == core.KindRelease && b.memory.state.Gate&others == 0
	refused := cfast.Step(&b.memory.state, op, false, b.account.now)
	ended := *op
	*op = begun
	switch {
	case refused != expected:
		return fmt.Errorf("nothing: does the fast path refuse the release of what is not lent? %t", refused)
	case refused && (ended.Step != core.StepDone || ended.Status != core.NotOwned || ended.Resource != 0):
		return fmt.Errorf("nothing: the fast path answers the release of what is not lent with %s", statusNames[ended.Status])
	}
	return nil
}

// tryCancels cancels what is cancelled already, and what has not begun.
func (b *Board) tryCancels() error {
	for i := range b.world.actors() {
		if b.account.parties[i].unheard {
			if status := b.core.Cancel(&b.memory.ops[i]); status != core.Pending {
				return fmt.Errorf("nothing: a second cancel is answered with %s", statusNames[status])
			}
		}
	}
	for kind := core.KindAcquire; int(kind) < len(kindNames); kind++ {
		if err := b.tryCancel(kind); err != nil {
			return err
		}
	}
	return nil
}

// tryCancel cancels an op that has not begun, twice.
func (b *Board) tryCancel(kind core.Kind) error {
	op := &b.memory.ops[maxActors]
	*op = core.Op{Kind: kind, Deadline: core.Never}
	for i := range b.world.Callers {
		if held := b.account.parties[i].held; held != 0 && slices.Contains([]core.Kind{core.KindRelease, core.KindDiscard, core.KindDetach}, kind) {
			op.Resource = uintptr(held)
		}
	}
	var ask core.Ask
	begun := *op
	if !cfast.Cancel(&b.memory.state, op) || op.Step != core.StepDone || op.Status != core.Cancelled || op.Resource != 0 {
		return fmt.Errorf("nothing: the fast path does not cancel a %s that has not begun", kindNames[kind])
	}
	*op = begun
	for range 2 {
		status := b.core.Cancel(op)
		b.core.Next(op, &core.Answer{}, &ask)
		if status != core.OK || ask.Kind != core.AskDone || ask.Status != core.Cancelled || ask.Resource != 0 {
			return fmt.Errorf("nothing: the cancel of a %s that has not begun is answered with %s, %s",
				kindNames[kind], statusNames[status], textOf(&ask))
		}
	}
	*op = core.Op{}
	return nil
}

// tryBreaker moves the breaker to where it is, to where it cannot be, and anywhere on a closed pool.
func (b *Board) tryBreaker() error {
	for to := core.Active; to <= core.Recovering+1; to++ {
		expected := core.OK
		switch {
		case to > core.Recovering:
			expected = core.Invalid
		case b.account.closed:
			expected = core.Closed
		case to != b.account.circuit:
			continue
		}
		if status := b.core.SetCircuit(to, b.account.now); status != expected {
			return fmt.Errorf("nothing: the breaker answers %s, not %s", statusNames[status], statusNames[expected])
		}
	}
	return nil
}

// tryResizes gives sizes that make no pool, and any to a closed one.
func (b *Board) tryResizes() error {
	op := &b.memory.ops[maxActors]
	for _, size := range [][2]uint32{{0, 0}, {2, 1}, {1, 2}} {
		expected := core.Invalid
		if b.account.shut() {
			expected = core.Closed
		} else if size[0] <= size[1] && size[1] != 0 {
			continue
		}
		*op = core.Op{Kind: core.KindResize, Deadline: core.Never, Visits: size[0], Pass: size[1]}
		var ask core.Ask
		b.core.Next(op, &core.Answer{Now: b.account.now}, &ask)
		*op = core.Op{}
		if ask.Kind != core.AskDone || ask.Status != expected {
			return fmt.Errorf("nothing: a resize to %d..%d is answered with %s", size[0], size[1], textOf(&ask))
		}
	}
	return nil
}

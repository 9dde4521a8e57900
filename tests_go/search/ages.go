package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// How long resources live, as the account has it. What is worn is never lent, never asked about and never kept; who
// meets it destroys it.

// tick is the clock of the core, and what passes of time at once in a world with ages.
const tick = int64(1) << 22

// limited says whether there is a limit that passes look after.
func (a *account) limited() bool {
	w := a.world
	return w.Lifetime != 0 || w.Uses != 0 || w.IdleTimeout != 0
}

// worn says whether a resource is not to be lent again.
func (a *account) worn(word uint8) bool {
	t, w := &a.things[word], a.world
	return w.Uses != 0 && t.uses >= w.Uses || w.Lifetime != 0 && a.now-t.born >= int64(w.Lifetime)*tick
}

// wear says why one that is worn is so.
func (a *account) wear(word uint8) core.Why {
	if w := a.world; w.Uses != 0 && a.things[word].uses >= w.Uses {
		return core.WhyUses
	}
	return core.WhyLifetime
}

// spare says whether a pass that looks at an idle resource removes it. It notes since when it is idle, if none has.
func (a *account) spare(word uint8) bool {
	t, w := &a.things[word], a.world
	if w.IdleTimeout == 0 {
		return false
	}
	if !t.dated && w.CheckAfter == 0 {
		t.since, t.dated = a.now, true
	}
	return a.now-t.since >= int64(w.IdleTimeout)*tick && a.exist()-a.going() > int(a.min) && int(a.idle.n) > int(w.MinIdle)
}

// unchecked says whether before_acquire need not be asked.
func (a *account) unchecked(word uint8) bool {
	w := a.world
	return w.CheckAfter != 0 && a.now-a.things[word].since < int64(w.CheckAfter)*tick
}

// meets is what a caller would be lent.
func (a *account) meets(p *party) uint8 {
	switch {
	case p.kept != 0:
		return p.kept
	case a.world.LIFO:
		return a.idle.items[a.idle.n-1]
	}
	return a.idle.items[0]
}

// discards is what it means that an op which has no resource destroys one: it has met one that is worn.
func (a *account) discards(actor int, p *party) error {
	if p.word != 0 {
		return nil
	}
	switch p.kind {
	case core.KindAcquire, core.KindTry:
		if a.makesOwn(p) {
			return fmt.Errorf("a caller destroys something, and nothing is idle")
		}
		if err := a.mayTake(p); err != nil {
			return err
		}
		a.takeIdle(p)
	case core.KindSweep:
		bit := a.sweeperBit(actor)
		a.passOver(p, bit)
		if p.visits == 0 || a.below == a.idle.n {
			return fmt.Errorf("a pass destroys something, and has nothing to look at")
		}
		p.visits--
		spare := !a.worn(a.idle.items[a.below]) && a.spare(a.idle.items[a.below])
		a.takeIdle(p)
		p.goes = true
		a.things[p.word].seen |= bit
		if spare {
			p.verdict, p.why = refused, core.WhyIdle
			return nil
		}
	default:
		return nil
	}
	if !a.worn(p.word) {
		return fmt.Errorf("resource %d is destroyed, and is not worn", p.word)
	}
	p.verdict, p.why = refused, a.wear(p.word)
	return nil
}

// passOver is what a pass does that has nobody check: it leaves those that are not worn where they are, or, where the
// oldest is lent first, makes each the youngest.
func (a *account) passOver(p *party, bit uint8) (n uint32) {
	for ; !p.cancelled && !a.shut() && n < a.glances() && a.passes(p, bit); n++ {
		p.visits--
		word := a.idle.items[a.below]
		t := &a.things[word]
		t.seen |= bit
		t.due, t.old = 0, 0 // other passes need not look, either
		if a.world.LIFO {
			a.below++
			continue
		}
		a.idle.push(a.takeAt(0))
	}
	return n
}

// passes says whether a pass would pass one over.
func (a *account) passes(p *party, bit uint8) bool {
	if p.visits == 0 || a.below == a.idle.n || a.wants(core.AsksHealthcheck) || a.shortFor(p) && !p.failed {
		return false
	}
	word := a.idle.items[a.below]
	return a.things[word].old&bit != 0 && !a.worn(word) && !a.spare(word)
}

func (a *account) glances() uint32 {
	if a.world.Glances == 0 {
		return maxWords
	}
	return a.world.Glances
}

// pauses judges the pause of a pass: it has looked at as many as it may, and there is more to look at.
func (a *account) pauses(actor int, hunting bool) error {
	p, bit := &a.parties[actor], a.sweeperBit(actor)
	p.asked, p.pauses = core.AskDone, true
	switch {
	case p.kind != core.KindSweep || p.cancelled || p.word != 0:
		return fmt.Errorf("an op of kind %d pauses", p.kind)
	case hunting:
		return nil
	case p.hunts != 0:
		return a.overlooksLeaks(p)
	case a.passOver(p, bit) != a.glances() || p.visits == 0:
		return fmt.Errorf("a pass pauses, and has looked at little, or all")
	}
	return nil
}

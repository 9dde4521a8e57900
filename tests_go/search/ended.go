package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// done judges the end of an op, and says what it means.
func (a *account) done(actor int, ask *core.Ask, starved bool) error {
	p := &a.parties[actor]
	if p.owes != core.AskDone {
		return fmt.Errorf("reports: %s is owed at the end", askNames[p.owes])
	}
	if p.cancelled != (ask.Status == core.Cancelled) {
		return fmt.Errorf("truth: %s is told, and cancelled is %t", statusNames[ask.Status], p.cancelled)
	}
	var err error
	switch p.kind {
	case core.KindAcquire, core.KindTry:
		err = a.doneAcquire(actor, ask, starved)
	case core.KindRelease, core.KindDiscard, core.KindDetach:
		err = a.doneRelease(p, ask.Status)
	default:
		err = a.doneChore(actor, ask.Status, starved)
	}
	if err != nil {
		return err
	}
	if err := a.ends(p, actor, ask); err != nil {
		return err
	}
	if p.hunts != 0 && ask.Status != core.Cancelled && ask.Status != core.Closed {
		return a.overlooksLeaks(p)
	}
	if p.kind > core.KindTry && ask.Resource != 0 {
		return fmt.Errorf("an op of kind %d ends with resource %d", p.kind, ask.Resource)
	}
	if p.word != 0 || p.place {
		return fmt.Errorf("I8: an op ends with resource %d, place %t", p.word, p.place)
	}
	a.line.remove(uint8(actor))
	a.came.remove(uint8(actor))
	a.withdraw(uint8(actor))
	*p = party{held: p.held, lease: p.lease}
	return nil
}

func (a *account) doneAcquire(actor int, ask *core.Ask, starved bool) error {
	p := &a.parties[actor]
	if ask.Status == core.OK {
		return a.lend(p, ask.Resource)
	}
	a.counts.ended(ask.Status)
	if ask.Resource != 0 {
		return fmt.Errorf("a caller is told %s, with resource %d", statusNames[ask.Status], ask.Resource)
	}
	if p.leaves && !p.cancelled && p.mayEnd&bitOf(ask.Status) == 0 || !p.leaves && !a.mayEndWith(p, ask.Status, starved) {
		return fmt.Errorf("truth: a caller is told %s, and it is not so", statusNames[ask.Status])
	}
	if ask.Status == core.NoMemory && p.word != 0 { // it has made one, and there is no id for its lend
		a.putIdle(p)
	}
	return nil
}

// mayEndWith says whether it is true what a caller is told whose acquire fails.
func (a *account) mayEndWith(p *party, status core.Status, starved bool) bool {
	true := false
	late := p.timed && p.late && p.asked != core.AskDone && p.sentAway == core.OK && !a.closed
	switch status {
	case core.Closed:
		true = p.sentAway == core.Closed || p.sentAway == core.OK && (a.closed || a.draining && p.asked == core.AskDone)
	case core.Unavail:
		refuses := a.circuit == core.Inactive ||
			!a.admits() && !p.slot && !p.claims() && !a.line.has(a.numberOf(p))
		true = p.sentAway == core.Unavail || p.sentAway == core.OK && refuses && !a.closed
	case core.Timeout:
		true = late && !a.putsOff()
	case core.Empty:
		full := a.free() <= 0 && !p.promised
		off := a.putsOff() && a.makesOwn(p) && (!a.mayCreate() || !p.promised && a.line.n > 0)
		off = off || a.world.Behind && a.makesOwn(p)
		admitted := a.admits() || off && (p.slot || p.claims())
		true = p.kind == core.KindTry && ((full || off) && admitted && !a.closed || p.put)
	case core.Overloaded:
		true = p.kind == core.KindAcquire && a.full() && !p.queued && (a.free() <= 0 || a.putsOff() || a.world.Behind && a.makesOwn(p)) &&
			a.admits() && !a.closed
	case core.Factory:
		true = p.failed || late && a.putsOff() || p.sentAway == core.Factory
	case core.Cancelled:
		true = p.cancelled
	case core.NoMemory:
		idle := a.idle.n > 0 || p.kept != 0
		true = starved && (!idle || a.probesByCreating(p)) && !a.closed && !a.world.Behind || p.sentAway == core.NoMemory ||
			a.lacksLease(p)
	}
	return true
}

// mayEnd are all statuses that would be true now.
func (a *account) mayEnd(p *party, starved bool) (bits uint16) {
	for status := core.Internal; status <= core.Empty; status++ {
		if a.mayEndWith(p, status, starved) {
			bits |= bitOf(status)
		}
	}
	return bits
}

func bitOf(status core.Status) uint16 { return 1 << max(status, -status) }

// lend judges a good end of an acquire: the resource is the op's own, or the oldest idle one if no hook
// has to see it.
func (a *account) lend(p *party, word uintptr) error {
	fresh := p.made
	if p.word == 0 && (a.idle.n > 0 || p.kept != 0) && !a.probesByCreating(p) &&
		(fresh || !a.wants(core.AsksBeforeAcquire) || a.unchecked(a.meets(p))) {
		if err := a.mayTake(p); err != nil {
			return err
		}
		a.takeIdle(p)
		if !fresh && a.worn(p.word) {
			return fmt.Errorf("resource %d is lent, and is worn", p.word)
		}
	}
	made := p.asked == core.AskCreate && !p.failed
	switch {
	case p.word == 0 || word != uintptr(p.word):
		return fmt.Errorf("I5: resource %d is lent, it should be %d", word, p.word)
	case p.verdict == refused:
		return fmt.Errorf("a refused resource is lent")
	case !made && a.things[p.word].gone:
		return fmt.Errorf("I9: resource %d is lent again, and was evicted", p.word)
	case made && a.closed:
		return fmt.Errorf("I7: a resource that was made for a closed pool is lent")
	}
	a.counts.lends++
	if p.queued {
		a.counts.waited++
	}
	t := &a.things[p.word]
	*t = t.to(lent)
	t.by, t.out = uint8(a.numberOf(p))+1, a.now
	t.probe, t.stale = p.slot, p.opened
	t.uses++
	p.held, p.word, p.place = p.word, 0, false
	return nil
}

func (a *account) doneRelease(p *party, status core.Status) error {
	if status != core.OK && status != core.Cancelled {
		return fmt.Errorf("truth: the release of what was lent ends with %s", statusNames[status])
	}
	if p.word == 0 {
		return nil // it was destroyed
	}
	if p.verdict != passed || !a.keeps(p) || a.worn(p.word) {
		return fmt.Errorf("I5: a release ends, and resource %d is neither kept nor destroyed", p.word)
	}
	a.putIdle(p)
	return nil
}

// doneChore judges the end of a close, a fill or a pass.
func (a *account) doneChore(actor int, status core.Status, starved bool) error {
	p := &a.parties[actor]
	switch p.kind {
	case core.KindBehind:
		return a.doneBehind(p, status, starved)
	case core.KindSweep:
		a.passOver(p, a.sweeperBit(actor))
	case core.KindResize, core.KindEvict, core.KindTrim:
		switch {
		case status == core.Closed && a.shut() && p.asked == core.AskDone:
		case (status == core.OK || status == core.Cancelled) && !a.superfluous() && !a.hasToTrim(p):
		default:
			return fmt.Errorf("truth: it is told %s, %d of %d are idle, %d evicted", statusNames[status], a.idle.n, a.max,
				a.doomed.n)
		}
		return nil
	}
	if p.kind == core.KindDrain {
		a.drains.remove(uint8(actor))
		switch {
		case status == core.OK && !p.expired && a.drained():
			a.closed = true
		case status == core.Timeout && p.expired && a.rests() == 0, status == core.Cancelled && !a.superfluous():
		default:
			return fmt.Errorf("truth: a drain is told %s, and %d exist", statusNames[status], a.exist())
		}
		return nil
	}
	if p.kind == core.KindClose {
		if a.rests() == 0 && (status == core.OK || status == core.Cancelled) {
			return nil
		}
		return fmt.Errorf("I7: a close ends with %s and leaves %d idle", statusNames[status], a.rests())
	}
	true := false
	switch status {
	case core.OK:
		true = !a.shut() && !p.failed && !a.shortFor(p) && !a.overlooked(actor)
	case core.Closed:
		true = a.shut()
	case core.Factory:
		denied := p.kind == core.KindFill && a.short() && !a.mayCreate()
		true = denied || p.failed && (p.kind == core.KindFill || !a.closed && !a.overlooked(actor))
	case core.Cancelled:
		true = p.cancelled
	case core.NoMemory:
		true = starved && a.shortFor(p)
	}
	if !true {
		return fmt.Errorf("truth: an op of kind %d is told %s, and it is not so", p.kind, statusNames[status])
	}
	return nil
}

// overlooked says whether a pass leaves out a resource that was there all along and that it might take.
func (a *account) overlooked(actor int) bool {
	switch {
	case a.parties[actor].kind != core.KindSweep || a.idle.n == 0:
		return false
	case a.world.LIFO && uint8(actor) != a.latest: // it may leave the rest to the pass that has begun since
		return false
	}
	for i := range a.things {
		if a.things[i].due&a.sweeperBit(actor) != 0 {
			return true
		}
	}
	return false
}

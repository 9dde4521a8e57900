package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// asked judges an ask and says what it means.
func (a *account) asked(actor int, ask *core.Ask, deadline int64) error {
	p := &a.parties[actor]
	if p.owes != core.AskDone && ask.Kind != p.owes {
		return fmt.Errorf("reports: %s is owed, not %s", askNames[p.owes], askNames[ask.Kind])
	}
	if p.cancelled && ask.Kind != core.AskDestroy {
		return fmt.Errorf("a cancelled op is asked for %s", askNames[ask.Kind])
	}
	var err error
	switch ask.Kind {
	case core.AskCreate:
		err = a.askedCreate(p, ask)
	case core.AskWait:
		err = a.askedWait(actor, ask, deadline)
	case core.AskShouldRecover:
		err = a.askedShouldRecover(p)
	case core.AskBeforeAcquire:
		err = a.askedBeforeAcquire(p, ask)
	case core.AskBeforeRelease:
		if p.kind != core.KindRelease || p.asked != core.AskDone || !a.wants(core.AsksBeforeRelease) {
			err = fmt.Errorf("before_release is not due")
		}
	case core.AskReportSuccess, core.AskReportFailure:
		if p.owes != ask.Kind {
			err = fmt.Errorf("reports: %s is not due", askNames[ask.Kind])
		}
		p.owes = core.AskDone
	case core.AskHealthcheck:
		err = a.askedHealthcheck(p, a.sweeperBit(actor))
	case core.AskDestroy:
		err = a.askedDestroy(actor, p)
	case core.AskLeaked:
		err = a.askedLeaked(p, uint8(ask.Resource))
	default:
		err = fmt.Errorf("ask %d is none", ask.Kind)
	}
	if err == nil && p.hunts != 0 && ask.Kind != core.AskLeaked && !p.cancelled && !a.shut() {
		err = a.overlooksLeaks(p)
	}
	if err == nil && ask.Kind != core.AskWait && ask.Kind != core.AskLeaked && ask.Resource != uintptr(p.word) {
		err = fmt.Errorf("I5: %s is about resource %d, and it should be %d",
			askNames[ask.Kind], ask.Resource, p.word)
	}
	p.asked = ask.Kind
	return err
}

// mayTake says whether a caller may take a place, and makes it take it.
func (a *account) mayTake(p *party) error {
	switch {
	case p.kind != core.KindAcquire && p.kind != core.KindTry:
		return fmt.Errorf("an op of kind %d is served like a caller", p.kind)
	case a.closed || a.draining && p.asked == core.AskDone:
		return fmt.Errorf("I7: a caller is served on a closed pool")
	case p.sentAway != core.OK:
		return fmt.Errorf("truth: a caller who was sent away with %s is served", statusNames[p.sentAway])
	case p.late && p.asked != core.AskDone:
		return fmt.Errorf("truth: a caller whose deadline has passed is served")
	case a.circuit == core.Inactive:
		return fmt.Errorf("probes: a caller is served while the breaker is open")
	case !p.slot && !p.claims() && !a.admits():
		return fmt.Errorf("probes: a caller is served while %d of %d are out", a.probes(), a.world.Limit)
	case p.place:
		return fmt.Errorf("I8: a caller who has a place takes another")
	case !p.promised && a.free() <= 0:
		return fmt.Errorf("I2: a caller takes a place that it was not promised, and none is free")
	case a.inLine(p) && a.putsOff() && a.isFirst(p): // makes a resource
		a.line.remove(a.numberOf(p))
	case a.putsOff() && !p.promised && !a.isFirst(p):
		return fmt.Errorf("I3: a caller is served before who stands in line")
	case a.inLine(p):
		return fmt.Errorf("I3: a caller in line is served, and it is not its turn")
	}
	a.owed.remove(a.numberOf(p))
	p.slot = p.slot || a.circuit == core.Recovering && !p.claims()
	p.promised, p.made = false, false
	p.place = true
	p.opened = false
	return nil
}

func (a *account) askedCreate(p *party, ask *core.Ask) error {
	switch p.kind {
	case core.KindAcquire, core.KindTry:
		switch probes := a.probesByCreating(p); {
		case probes && a.makesRoom(p):
			return fmt.Errorf("I1: a probe makes a resource, and there is no room for it")
		case probes: // what was kept for it is for others
			a.handOn(p)
		case a.idle.n > 0 || p.kept != 0:
			return fmt.Errorf("a resource is made while %d are idle, and %d kept", a.idle.n, p.kept)
		}
		if a.world.Behind {
			return fmt.Errorf("behind: a caller makes its resource")
		}
		if p.created {
			return fmt.Errorf("one acquire creates twice")
		}
		if !a.mayCreate() {
			return fmt.Errorf("patience: a resource is made too early, or beside another")
		}
		a.over = false
		p.created, p.making, p.old, p.put = true, true, false, false
		return a.mayTake(p)
	case core.KindBehind:
		return a.askedBehind(p)
	case core.KindFill, core.KindSweep:
		if a.shut() || p.failed || p.place || !a.shortFor(p) {
			return fmt.Errorf("I7: a resource is made that is not missing, or not any more")
		}
		if !a.mayCreate() {
			return fmt.Errorf("patience: a resource is made too early, or beside another")
		}
		a.over = false
		p.place, p.making, p.old, p.put = true, true, false, false
		return nil
	}
	return fmt.Errorf("an op of kind %d makes a resource", p.kind)
}

func (a *account) askedWait(actor int, ask *core.Ask, deadline int64) error {
	p := &a.parties[actor]
	if p.kind == core.KindDrain {
		return a.askedDrain(actor, ask, deadline)
	}
	promised := p.promised
	if promised && a.makesOwn(p) && a.mustWait() {
		a.standAgain(uint8(actor))
	}
	a.seesOver(p, promised)
	if until := a.looks(p, deadline); ask.Until != until {
		return fmt.Errorf("a caller waits until %d, and should look at %d", ask.Until, until)
	}
	inLine := a.line.has(uint8(actor))
	switch {
	case a.putsOff() && a.isFirst(p) && a.free() > 0 && a.admits() && (!a.makesOwn(p) || !a.mustWait()):
		return fmt.Errorf("I4: the first in line waits, and may make a resource")
	case !inLine && a.free() > 0 && a.admits() && !a.putsOff() && !(a.world.Behind && a.makesOwn(p)):
		return fmt.Errorf("I4: a caller joins the line, and a place is free")
	case p.kind != core.KindAcquire:
		return fmt.Errorf("an op of kind %d waits", p.kind)
	case a.closed || a.circuit == core.Inactive || p.sentAway != core.OK || a.draining && p.asked == core.AskDone:
		return fmt.Errorf("I7: a caller waits on a pool that is closed or unavailable")
	case p.late && p.asked != core.AskDone:
		return fmt.Errorf("truth: a caller waits whose deadline has passed")
	case p.promised || p.place:
		return fmt.Errorf("I4: a caller waits that has a place, or was promised one")
	case !inLine && !a.admits():
		return fmt.Errorf("probes: a caller waits while all probes are out")
	case !p.queued && a.full():
		return fmt.Errorf("a caller joins a line of %d, which is full", a.line.n)
	}
	if !p.queued {
		p.queued = true
		a.came.push(uint8(actor))
	}
	if !inLine {
		a.line.push(uint8(actor))
	}
	return nil
}

// askedDrain judges the wait of one who drains: there is nothing for it to do, and something is left.
func (a *account) askedDrain(actor int, ask *core.Ask, deadline int64) error {
	p := &a.parties[actor]
	switch {
	case ask.Until != deadline:
		return fmt.Errorf("a drain waits until %d, and its deadline is %d", ask.Until, deadline)
	case a.superfluous() || a.drained() || p.expired || p.late && p.asked != core.AskDone:
		return fmt.Errorf("drain: it waits, and has something to do")
	}
	a.drains.push(uint8(actor))
	return nil
}

func (a *account) askedShouldRecover(p *party) error {
	if p.asked != core.AskDone || !a.wants(core.AsksShouldRecover) || a.shut() ||
		a.circuit != core.Inactive || p.kind != core.KindAcquire && p.kind != core.KindTry {
		return fmt.Errorf("should_recover is not due")
	}
	return nil
}

func (a *account) askedBeforeAcquire(p *party, ask *core.Ask) error {
	if !a.wants(core.AsksBeforeAcquire) || a.idle.n == 0 && p.kept == 0 {
		return fmt.Errorf("before_acquire is not due: %d idle", a.idle.n)
	}
	if p.made {
		return fmt.Errorf("before_acquire is asked about what has just been made")
	}
	if a.probesByCreating(p) {
		return fmt.Errorf("probes: a probe of creations takes what is idle")
	}
	if err := a.mayTake(p); err != nil {
		return err
	}
	a.takeIdle(p)
	if a.worn(p.word) {
		return fmt.Errorf("before_acquire is asked about resource %d, which is worn", p.word)
	}
	if a.unchecked(p.word) {
		return fmt.Errorf("before_acquire is asked about resource %d, which came back just now", p.word)
	}
	return nil
}

func (a *account) askedHealthcheck(p *party, bit uint8) error {
	switch {
	case p.kind != core.KindSweep || !a.wants(core.AsksHealthcheck):
		return fmt.Errorf("healthcheck is not due")
	case a.shut() || p.place:
		return fmt.Errorf("I7: a healthcheck on a closed pool, or two at once")
	case a.idle.n == 0:
		return fmt.Errorf("I2: a pass takes one of %d idle resources, and all of them are promised", a.rests())
	case p.visits == 0:
		return fmt.Errorf("a pass looks at more resources than there were")
	case a.below == a.idle.n:
		return fmt.Errorf("a pass looks at one of %d idle resources, and was shown all", a.idle.n)
	case a.things[a.idle.items[a.below]].seen&bit != 0:
		return fmt.Errorf("a pass looks at a resource twice")
	}
	p.visits--
	if word := a.idle.items[a.below]; a.worn(word) || a.spare(word) {
		return fmt.Errorf("healthcheck is asked about resource %d, which is worn or spare", word)
	}
	a.takeIdle(p)
	a.things[p.word].seen |= bit
	return nil
}

// askedDestroy judges a destruction: the op has the resource, and a reason.
func (a *account) askedDestroy(actor int, p *party) error {
	switch {
	case p.word != 0:
	case p.purges() && (a.superfluous() || a.hasToTrim(p)):
		a.takeIdle(p)
		p.goes, p.why = true, a.unkept(p)
	case p.kind <= core.KindTry:
		if err := a.drops(p, false); err != nil {
			return err
		}
	case p.kind == core.KindBehind:
		a.makesRoomBehind(p)
	}
	met := p.word == 0
	if err := a.discards(actor, p); err != nil {
		return err
	}
	tooMany := !p.goes && p.kind == core.KindRelease && !a.keeps(p)
	switch {
	case tooMany:
		p.why = a.unkept(p)
	case !p.goes && p.kind == core.KindRelease && a.worn(p.word):
		p.why = a.wear(p.word)
	}
	switch {
	case p.word == 0:
		return fmt.Errorf("I5: an op destroys what it does not have")
	case p.asked == core.AskDestroy && !p.cancelled && !p.purges() && !p.leaves && !met:
		return fmt.Errorf("I5: an op destroys a second resource")
	case !a.closed && !p.cancelled && p.verdict != refused && !p.goes && !tooMany && !a.worn(p.word):
		return fmt.Errorf("I5: a good resource is destroyed")
	case p.leaves && p.mayEnd == 0:
		return fmt.Errorf("I5: what was kept for a caller is destroyed, and it need not end")
	}
	p.goes = p.goes || p.kind == core.KindRelease
	return nil
}

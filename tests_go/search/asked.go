package search

import (
	"fmt"

	"asyncpool/pool"
)

// asked judges an ask and says what it means.
func (a *account) asked(actor int, ask *pool.Ask, deadline int64) error {
	p := &a.parties[actor]
	if p.owes != pool.AskDone && ask.Kind != p.owes {
		return fmt.Errorf("reports: %s is owed, not %s", askNames[p.owes], askNames[ask.Kind])
	}
	if p.cancelled && ask.Kind != pool.AskDestroy {
		return fmt.Errorf("a cancelled op is asked for %s", askNames[ask.Kind])
	}
	var err error
	switch ask.Kind {
	case pool.AskCreate:
		err = a.askedCreate(p, ask)
	case pool.AskWait:
		err = a.askedWait(actor, ask, deadline)
	case pool.AskShouldRecover:
		err = a.askedShouldRecover(p)
	case pool.AskBeforeAcquire:
		err = a.askedBeforeAcquire(p, ask)
	case pool.AskBeforeRelease:
		if p.kind != pool.KindRelease || p.asked != pool.AskDone || !a.wants(pool.AsksBeforeRelease) {
			err = fmt.Errorf("before_release is not due")
		}
	case pool.AskReportSuccess, pool.AskReportFailure:
		if p.owes != ask.Kind {
			err = fmt.Errorf("reports: %s is not due", askNames[ask.Kind])
		}
		p.owes = pool.AskDone
	case pool.AskHealthcheck:
		err = a.askedHealthcheck(p, a.sweeperBit(actor))
	case pool.AskDestroy:
		err = a.askedDestroy(p)
	default:
		err = fmt.Errorf("ask %d is none", ask.Kind)
	}
	if err == nil && ask.Kind != pool.AskWait && ask.Resource != uintptr(p.word) {
		err = fmt.Errorf("I5: %s is about resource %d, and it should be %d",
			askNames[ask.Kind], ask.Resource, p.word)
	}
	p.asked = ask.Kind
	return err
}

// mayTake says whether a caller may take a place, and makes it take it.
func (a *account) mayTake(p *party) error {
	switch {
	case p.kind != pool.KindAcquire && p.kind != pool.KindTry:
		return fmt.Errorf("an op of kind %d is served like a caller", p.kind)
	case a.closed:
		return fmt.Errorf("I7: a caller is served on a closed pool")
	case p.sentAway != pool.OK:
		return fmt.Errorf("truth: a caller who was sent away with %s is served", statusNames[p.sentAway])
	case p.late && p.asked != pool.AskDone:
		return fmt.Errorf("truth: a caller whose deadline has passed is served")
	case a.circuit == pool.Inactive:
		return fmt.Errorf("probes: a caller is served while the breaker is open")
	case !p.slot && !p.claims() && !a.admits():
		return fmt.Errorf("probes: a caller is served while %d of %d are out", a.probes(), a.world.Limit)
	case p.place:
		return fmt.Errorf("I8: a caller who has a place takes another")
	case !p.promised && a.free() <= 0:
		return fmt.Errorf("I2: a caller takes a place that it was not promised, and none is free")
	case a.inLine(p):
		return fmt.Errorf("I3: a caller in line is served, and it is not its turn")
	}
	a.owed.remove(a.numberOf(p))
	p.slot = p.slot || a.circuit == pool.Recovering && !p.claims()
	p.promised = false
	p.place = true
	p.opened = false
	return nil
}

func (a *account) askedCreate(p *party, ask *pool.Ask) error {
	switch p.kind {
	case pool.KindAcquire, pool.KindTry:
		if a.idle.n > 0 || p.kept != 0 {
			return fmt.Errorf("a resource is made while %d are idle, and %d kept", a.idle.n, p.kept)
		}
		if p.created {
			return fmt.Errorf("one acquire creates twice")
		}
		p.created = true
		return a.mayTake(p)
	case pool.KindFill, pool.KindSweep:
		if a.closed || p.failed || p.place || !a.short() {
			return fmt.Errorf("I7: a resource is made that is not missing, or not any more")
		}
		p.place = true
		return nil
	}
	return fmt.Errorf("an op of kind %d makes a resource", p.kind)
}

func (a *account) askedWait(actor int, ask *pool.Ask, deadline int64) error {
	p := &a.parties[actor]
	if until := a.looks(deadline); ask.Until != until {
		return fmt.Errorf("a caller waits until %d, and should look at %d", ask.Until, until)
	}
	inLine := a.line.has(uint8(actor))
	switch {
	case !inLine && a.free() > 0 && a.admits():
		return fmt.Errorf("I4: a caller joins the line, and a place is free")
	case p.kind != pool.KindAcquire:
		return fmt.Errorf("an op of kind %d waits", p.kind)
	case a.closed || a.circuit == pool.Inactive || p.sentAway != pool.OK:
		return fmt.Errorf("I7: a caller waits on a pool that is closed or unavailable")
	case p.late && p.asked != pool.AskDone:
		return fmt.Errorf("truth: a caller waits whose deadline has passed")
	case p.promised || p.place:
		return fmt.Errorf("I4: a caller waits that has a place, or was promised one")
	case !inLine && !a.admits():
		return fmt.Errorf("probes: a caller waits while all probes are out")
	}
	if !inLine {
		a.line.push(uint8(actor))
	}
	return nil
}

func (a *account) askedShouldRecover(p *party) error {
	if p.asked != pool.AskDone || !a.wants(pool.AsksShouldRecover) || a.closed ||
		a.circuit != pool.Inactive || p.kind != pool.KindAcquire && p.kind != pool.KindTry {
		return fmt.Errorf("should_recover is not due")
	}
	return nil
}

func (a *account) askedBeforeAcquire(p *party, ask *pool.Ask) error {
	if !a.wants(pool.AsksBeforeAcquire) || a.idle.n == 0 && p.kept == 0 {
		return fmt.Errorf("before_acquire is not due: %d idle", a.idle.n)
	}
	if err := a.mayTake(p); err != nil {
		return err
	}
	a.takeIdle(p)
	return nil
}

func (a *account) askedHealthcheck(p *party, bit uint8) error {
	switch {
	case p.kind != pool.KindSweep || !a.wants(pool.AsksHealthcheck):
		return fmt.Errorf("healthcheck is not due")
	case a.closed || p.place:
		return fmt.Errorf("I7: a healthcheck on a closed pool, or two at once")
	case a.idle.n == 0:
		return fmt.Errorf("I2: a pass takes one of %d idle resources, and all of them are promised", a.rests())
	case p.visits == 0:
		return fmt.Errorf("a pass looks at more resources than there were")
	case a.things[a.idle.items[0]].seen&bit != 0:
		return fmt.Errorf("a pass looks at a resource twice")
	}
	p.visits--
	a.takeIdle(p)
	a.things[p.word].seen |= bit
	return nil
}

// askedDestroy judges a destruction: the op has the resource, and a reason.
func (a *account) askedDestroy(p *party) error {
	if p.kind == pool.KindClose && p.word == 0 && a.rests() > 0 {
		a.takeIdle(p)
	}
	switch {
	case p.word == 0:
		return fmt.Errorf("I5: an op destroys what it does not have")
	case p.asked == pool.AskDestroy && !p.cancelled && p.kind != pool.KindClose:
		return fmt.Errorf("I5: an op destroys a second resource")
	case !a.closed && !p.cancelled && p.verdict != refused:
		return fmt.Errorf("I5: a good resource is destroyed")
	}
	return nil
}

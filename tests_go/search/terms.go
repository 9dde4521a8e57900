package search

import "asyncpool/pool/core"

// The breaker and its built-in strategy, as the account has them.

// move changes the state of the breaker. Every change begins a term, with all slots free.
func (a *account) move(to core.Circuit) {
	if a.circuit == to {
		return
	}
	a.circuit = to
	a.streak = 0
	if to == core.Inactive {
		for i := range a.parties {
			p := &a.parties[i]
			p.opened = p.opened || p.place || p.promised
		}
		for i := range a.things {
			a.things[i].stale = a.things[i].stale || a.things[i].where == lent
		}
		a.sendAway(core.Unavail)
	}
	a.newTerm()
}

// newTerm makes all slots free: those who have one are probes no more.
func (a *account) newTerm() {
	a.since = a.now
	for i := range a.parties {
		a.parties[i].slot = false
	}
	for i := range a.things {
		a.things[i].probe = false
	}
	a.settle()
}

// probesByCreating says whether a caller who is served now is a probe of a strategy that counts creations alone: it
// makes its resource, whatever is idle.
func (a *account) probesByCreating(p *party) bool {
	return a.probing() && !p.made && (p.slot || !p.claims())
}

// count is the built-in strategy.
func (a *account) count(p *party, what uint32, success bool) {
	if !a.builtIn || p.opened || a.closed || a.world.counts()&what == 0 {
		return
	}
	switch a.circuit {
	case core.Active:
		if success {
			a.streak = 0
			return
		}
		a.streak++
		if uint32(a.streak) >= a.world.Failures {
			a.move(core.Inactive)
		}
	case core.Recovering:
		if !success {
			a.move(core.Inactive)
			return
		}
		a.streak++
		if uint32(a.streak) >= a.world.Successes {
			a.move(core.Active)
		}
	}
}

// patience is how long the built-in strategy waits: for an open breaker to be probed, and for its probes to
// come back.
func (a *account) patience() int64 {
	if a.circuit == core.Recovering {
		return max(openFor, probeFor)
	}
	return openFor
}

// elapsed says whether it has waited for long enough.
func (a *account) elapsed() bool {
	return a.now-a.since >= a.patience()
}

// nextDue is the next moment at which the built-in strategy may look at the breaker differently, or a resource may be
// worn.
func (a *account) nextDue() int64 {
	if a.builtIn || a.world.Failures != 0 || a.world.patient() {
		if due := a.nextTerm(); due > a.now {
			return due
		}
	}
	for i := range a.things {
		t, w := &a.things[i], a.world
		young := w.Lifetime != 0 && !a.worn(uint8(i))
		recent := t.where != lent && a.now-t.since < int64(max(w.IdleTimeout, w.CheckAfter))*tick
		held := t.where == lent && a.now-t.out < int64(w.LeakAfter)*tick
		if t.where != nowhere && (young || recent || held) {
			return a.now + tick
		}
	}
	return a.now
}

// nextTerm is the next moment at which it may do so because of what it has counted.
func (a *account) nextTerm() int64 {
	switch {
	case a.putsOff() && a.now < a.until:
		return a.until
	case !a.builtIn && a.world.patient():
		return a.now
	case a.circuit != core.Active && a.now < a.since+openFor:
		return a.since + openFor
	case a.circuit == core.Recovering && a.now < a.since+probeFor:
		return a.since + probeFor
	}
	return a.now
}

// comes is what a caller finds who comes, or comes back: the built-in strategy may be due to let probes
// through, or new ones in place of those that did not come back.
func (a *account) comes(p *party) {
	if !a.builtIn || !a.elapsed() || a.closed || p.cancelled || p.sentAway != core.OK {
		return
	}
	switch {
	case a.circuit == core.Inactive:
		a.move(core.Recovering)
	default:
		a.giveUpProbes()
	}
}

// giveUpProbes is what happens whenever something happens: lost probes make room for new ones.
func (a *account) giveUpProbes() {
	if a.builtIn && a.circuit == core.Recovering && a.elapsed() && !a.closed && a.probes() >= int(a.world.Limit) {
		a.newTerm()
	}
}

// looks is when who waits comes back by itself: at its deadline, or when the probes must be back, or when
// it shall make a resource.
func (a *account) looks(p *party, deadline int64) int64 {
	if a.isFirst(p) && a.awaits() {
		deadline = min(deadline, a.until)
	}
	switch {
	case !a.builtIn || a.circuit != core.Recovering:
		return deadline
	case a.elapsed():
		return min(deadline, a.now+a.patience())
	}
	return min(deadline, a.since+a.patience())
}

// claims says whether the caller was promised its place, and the breaker did not open since: it is served
// also when it is no probe.
func (p *party) claims() bool {
	return p.promised && !p.opened
}

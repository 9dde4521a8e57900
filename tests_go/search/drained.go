package search

import "asyncpool/pool/core"

// What the account has of a pool that is drained: newcomers are sent away, and who stands in line is served.

// shut says whether newcomers are sent away.
func (a *account) shut() bool { return a.closed || a.draining }

// unneeded says whether what is idle is destroyed: nobody waits who is to be served.
func (a *account) unneeded() bool { return a.draining && a.line.n == 0 && a.owed.n == 0 }

// drained says whether nothing is left, and nobody who is to be served.
func (a *account) drained() bool { return a.exist()+a.promises()+int(a.line.n) == 0 }

// mayStay says whether what was kept for one who leaves is kept for others.
func (a *account) mayStay(p *party) bool {
	return !a.above() && !a.things[p.kept].gone && !a.unneeded()
}

// close ends the line, and what was promised.
func (a *account) close() {
	a.closed = true
	for i := range a.parties {
		a.parties[i].promised = false
	}
	a.sendAway(core.Closed)
}

// drains is what one who drains finds when it goes on.
func (a *account) drainsOn(p *party) {
	a.drains.remove(a.numberOf(p))
	if p.late && p.asked != core.AskDone && !p.cancelled && !p.expired && !a.superfluous() && !a.drained() {
		p.expired = true
		a.close()
	}
}

// callDrains wakes those who drain when there is something for them to do.
func (a *account) callDrains() {
	for a.drains.n > 0 && (a.superfluous() || a.drained()) {
		a.woken.push(a.drains.pop())
	}
}

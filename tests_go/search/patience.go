package search

import "asyncpool/pool/core"

// Creations that fail, or are put off, as the account has it.

func (a *account) putsOff() bool { return a.until != 0 }

// mayCreate says whether a creation may begin now.
func (a *account) mayCreate() bool {
	return !a.putsOff() || a.makings() == 0 && a.now >= a.until
}

// grants says whether a free place is of use to who waits: it may make a resource there, or is lent what is idle.
func (a *account) grants() bool {
	return !a.putsOff() && !a.world.Behind || a.idle.n > 0 && !a.probing()
}

// makesOwn says whether a caller that has a place is to make its resource.
func (a *account) makesOwn(p *party) bool {
	return a.probesByCreating(p) || a.idle.n == 0 && p.kept == 0
}

// makings is how many factories are at work.
func (a *account) makings() int {
	n := 0
	for i := range a.parties {
		if a.parties[i].making {
			n++
		}
	}
	return n
}

// awaits says whether the first in line is to make a resource when the pause is over.
func (a *account) awaits() bool {
	return a.putsOff() && a.makings() == 0 && a.makers() == 0 && !a.over && a.free() > 0 && a.admits()
}

// putsFor is for how long a factory puts one off: it would make the pause of one that fails shorter, or be made so by it.
func (a *account) putsFor() int64 {
	if a.putsOff() {
		return putMore
	}
	return putFor
}

// creationEnds is what the end of a creation means for others.
func (a *account) creationEnds(p *party, ok bool) {
	p.making = false
	switch {
	case a.closed:
	case ok:
		a.pause, a.until = 0, 0
	case p.cancelled:
	case p.put:
		a.until = max(a.until, a.now+a.putsFor())
	case !a.world.Retry:
		if a.now >= a.until {
			a.until = 0
		}
	case !p.old:
		a.pause = min(max(2*a.pause, retryFor), retryMost)
		a.until = max(a.until, a.now+a.pause)
		for i := range a.parties {
			a.parties[i].old = a.parties[i].making
		}
	}
}

// triesAgain says whether an acquire whose creation did not succeed waits on.
func (a *account) triesAgain(p *party) bool {
	return p.kind == core.KindAcquire && !p.cancelled && !a.closed && (p.put || a.world.Retry)
}

// standAgain puts a caller into the line that had a place, or was promised one: before all who came later.
func (a *account) standAgain(actor uint8) {
	p := &a.parties[actor]
	a.withdraw(actor)
	p.promised, p.made, p.slot, p.opened = false, false, false, false
	p.created, p.put, p.old = false, false, false
	if !p.queued {
		p.queued, p.first = true, true
		at := uint8(0)
		for at < a.came.n && a.parties[a.came.items[at]].first {
			at++
		}
		a.came.insert(at, actor)
	}
	at := uint8(0)
	for at < a.line.n && a.came.place(a.line.items[at]) < a.came.place(actor) {
		at++
	}
	a.line.insert(at, actor)
}

// isFirst says whether one is the first in line, or would be.
func (a *account) isFirst(p *party) bool {
	return a.line.n == 0 || &a.parties[a.line.items[0]] == p
}

// passDecides: a pass that may not make what is missing makes no more.
func (a *account) passDecides(p *party) {
	p.failed = p.failed || p.busy && p.kind == core.KindSweep && !a.closed && a.shortFor(p) && !a.mayCreate()
}

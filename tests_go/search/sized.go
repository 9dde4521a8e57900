package search

import "asyncpool/pool/core"

// What the account has of a pool whose size changes.

// exist is how many resources there are, or are being made or destroyed.
func (a *account) exist() int { return a.rests() + a.active() }

// going is how many of them are on their way out, and their places with them.
func (a *account) going() int {
	n := 0
	for i := range a.parties {
		if a.parties[i].goes {
			n++
		}
	}
	return n
}

// above says whether more of them stay than there are places.
func (a *account) above() bool { return a.exist()-a.going() > int(a.max) }

// keeps says whether what is good, and nobody's, is kept.
func (a *account) keeps() bool { return !a.closed && !a.above() }

// superfluous says whether something is idle that is not kept.
func (a *account) superfluous() bool {
	return a.closed && a.rests() > 0 || a.above() && a.idle.n > 0
}

// resize is what another size means. Who was promised a place to make one resource too many stands in line again, the
// youngest promises first; if the breaker has opened since the promise it is sent away.
func (a *account) resize(least, most uint32) {
	if a.closed {
		return
	}
	a.min, a.max = least, most
	a.most = a.exist()
	for a.owed.n > 0 && int(a.owed.n) > max(0, int(a.max)-a.exist()) {
		actor := a.owed.items[a.owed.n-1]
		a.owed.remove(actor)
		p := &a.parties[actor]
		p.promised, p.slot, p.awake = false, false, true
		if p.opened {
			p.sentAway = core.Unavail
		} else {
			a.line.pushFront(actor)
		}
	}
	a.settle()
}

// shrinks notes how many there are: more than places only for as long as fewer and fewer are.
func (a *account) shrinks() {
	a.most = min(a.most, a.exist())
	if a.most <= int(a.max) {
		a.most = 0
	}
}

// leave makes one that ends take what was kept for it, which is one too many, to have it destroyed before.
func (a *account) leave(p *party, starved bool) {
	p.mayEnd = a.mayEnd(p, starved)
	a.takeIdle(p)
	p.promised, p.goes, p.leaves = false, true, true
}

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

// keeps says whether the op's resource is kept, if it is good.
func (a *account) keeps(p *party) bool {
	return !a.closed && !a.above() && !a.things[p.word].gone && !a.unneeded()
}

// superfluous says whether something is idle that is not kept.
func (a *account) superfluous() bool {
	return a.closed && a.rests() > 0 || a.doomed.n > 0 ||
		(a.above() || a.unneeded()) && a.idle.n > 0
}

// resize is what another size means. Who was promised a place to make one resource too many stands in line again, the
// youngest promises first; if the breaker has opened since the promise it is sent away. Where it was not told of that
// promise it is told then.
func (a *account) resize(least, most uint32) {
	if a.shut() {
		return
	}
	a.min, a.max = least, most
	a.most = a.exist()
	for a.owed.n > 0 && int(a.owed.n) > max(0, int(a.max)-a.exist()) {
		actor := a.owed.items[a.owed.n-1]
		a.owed.remove(actor)
		p := &a.parties[actor]
		p.awake = true
		if p.opened {
			p.promised, p.slot = false, false
			p.sentAway = core.Unavail
			if a.world.Listed {
				a.woken.push(actor)
			}
		} else {
			a.standAgain(actor)
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
	p.promised, p.goes, p.leaves, p.why = false, true, true, a.unkept(p)
}

// evict makes all that there is, and is being made, something that is not lent again.
func (a *account) evict() {
	if a.shut() {
		return
	}
	for i := range a.things {
		a.things[i].gone = a.things[i].gone || a.things[i].where != nowhere
	}
	for i := range a.parties {
		p := &a.parties[i]
		p.outdated = p.outdated || p.busy && p.asked == core.AskCreate && !p.unheard
	}
	for a.idle.n > 0 {
		a.doomed.push(a.takeAt(0))
	}
}

// trim is what a trim may destroy: what is idle beyond what it keeps, and exists beyond the least, as of now.
func (a *account) trim(p *party, keep uint32) {
	if !a.shut() {
		p.keeps = uint8(max(keep, a.world.MinIdle))
		p.trims = uint8(max(min(int(a.idle.n)-int(p.keeps), a.exist()-a.going()-int(a.min)), 0))
	}
}

// hasToTrim says whether a trim has something more to destroy.
func (a *account) hasToTrim(p *party) bool {
	return p.kind == core.KindTrim && p.trims > 0 && a.idle.n > p.keeps && a.exist()-a.going() > int(a.min)
}

// evicted is how many there are of those.
func (a *account) evicted() int {
	n := 0
	for i := range a.things {
		if a.things[i].gone {
			n++
		}
	}
	return n
}

// makesRoom says whether a probe of creations has to destroy what is idle before it makes its own: there are as many as
// may be, or what was kept for it is not to be lent. Once it has, it makes its own.
func (a *account) makesRoom(p *party) bool {
	if p.asked == core.AskDestroy || !a.probesByCreating(p) {
		return false
	}
	mayTake := p.kept != 0 || a.rests() > int(a.bound.n)
	return p.kept != 0 && !a.mayStay(p) || mayTake && a.exist() >= int(a.max) && !a.mustWait()
}

// drops has a caller take what is not to be lent, to have it destroyed: it was kept for it, or there is no other room.
// Whether it ends then, or has the place for its next try.
func (a *account) drops(p *party, starved bool) error {
	switch ends := a.mayEnd(p, starved) != 0; {
	case p.kept != 0 && a.closed:
		return nil
	case p.kept != 0 && !a.mayStay(p) && ends:
		a.leave(p, starved)
		return nil
	case p.kept != 0 && a.things[p.kept].gone:
	case p.kept == 0 && a.idle.n == 0 && a.doomed.n > 0 && a.exist() >= int(a.max) && !ends && !a.mustWait():
	case a.makesRoom(p) && !ends:
	default:
		return nil
	}
	if err := a.mayTake(p); err != nil {
		return err
	}
	p.verdict = refused
	spoilt := p.kept != 0 && !a.mayStay(p)
	if spoilt || a.doomed.n == 0 {
		a.takeIdle(p)
		p.why = a.unkept(p)
		return nil
	}
	p.why = core.WhyEvicted
	a.handOn(p)
	p.word = a.doomed.pop()
	a.takes(p)
	return nil
}

package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// begin is what the beginning of an op means.
func (a *account) begin(actor int, kind core.Kind, word uint8) {
	p := &a.parties[actor]
	*p = party{busy: true, kind: kind, held: p.held, lease: p.lease}
	switch kind {
	case core.KindAcquire, core.KindTry:
		if !a.draining { // else it is sent away
			a.comes(p)
		}
	case core.KindRelease:
		a.giveUpProbes()
		a.beginRelease(p, word)
	case core.KindDiscard, core.KindDetach:
		a.giveUpProbes()
		a.comesBack(p, word)
		p.verdict, p.goes, p.why = refused, true, core.WhyDiscarded
		if kind == core.KindDetach { // it is not the pool's any more
			p.why = core.WhyDetached
			a.destroyed(p)
			p.place = false
			a.settle()
		}
	case core.KindEvict:
		a.evict()
	case core.KindClose:
		a.close()
	case core.KindDrain:
		a.draining = a.draining || !a.closed
	case core.KindSweep:
		a.giveUpProbes()
		a.beginPass(p, a.sweeperBit(actor))
		a.passDecides(p)
		a.below, a.latest = 0, uint8(actor)
	}
}

func (a *account) beginRelease(p *party, word uint8) {
	a.comesBack(p, word)
	if !a.wants(core.AsksBeforeRelease) {
		a.returned(p, true)
	}
}

// comesBack is the end of a lend. A probe's slot comes back with the resource.
func (a *account) comesBack(p *party, word uint8) {
	t := &a.things[word]
	for i := range a.parties {
		if a.parties[i].held == word {
			a.parties[i].held = 0
			a.leaseEnds(&a.parties[i])
		}
		a.parties[i].hunts &^= 1 << word
	}
	p.word, p.place, p.slot, p.opened = word, true, t.probe, t.stale
	*t = t.to(inOp)
	t.since, t.dated = a.now, false
}

// returned is what before_release says, or nobody says because it is not asked for.
func (a *account) returned(p *party, ok bool) {
	report := core.AskReportSuccess
	p.verdict = passed
	if !ok {
		report = core.AskReportFailure
		p.verdict, p.goes, p.why = refused, true, core.WhyRefused
	}
	a.count(p, core.CountReleases, ok)
	if a.wants(core.AsksReports) {
		p.owes = report
	}
}

func (a *account) beginPass(p *party, bit uint8) {
	a.hunt(p)
	for i := range a.things {
		t := &a.things[i]
		t.seen &^= bit
		t.due &^= bit
		t.old &^= bit
		if t.where == idle && (a.wants(core.AsksHealthcheck) || a.limited()) {
			p.visits++
			t.old |= bit
			if a.idle.has(uint8(i)) { // else it is kept for somebody
				t.due |= bit
			}
		}
	}
}

// sweeperBit is the bit of a sweeper in thing.
func (a *account) sweeperBit(actor int) uint8 {
	return 1 << (actor - len(a.world.Callers))
}

// answered is what the answer to the ask that is out means, before the core says anything.
func (a *account) answered(actor int, ok bool, word uint8) {
	p := &a.parties[actor]
	lends := p.kind == core.KindAcquire || p.kind == core.KindTry
	defer a.passDecides(p)
	switch p.asked {
	case core.AskWait:
		if p.kind == core.KindDrain {
			a.drainsOn(p)
			return
		}
		p.awake = false
		a.comes(p)
	case core.AskShouldRecover:
		if ok && a.circuit == core.Inactive && !a.closed {
			a.move(core.Recovering)
		}
		a.comes(p)
	case core.AskCreate:
		a.made(p, ok, word, lends)
	case core.AskBeforeAcquire:
		p.verdict = verdictOf(ok && !a.things[p.word].gone)
		if p.why = core.WhyRejected; ok {
			p.why = core.WhyEvicted
		}
	case core.AskHealthcheck:
		p.verdict = verdictOf(ok)
		if p.goes = !ok || !a.keeps(p); p.goes {
			p.verdict = refused
			if p.why = core.WhyDead; ok {
				p.why = a.unkept(p)
			}
		} else {
			a.putIdle(p)
		}
	case core.AskBeforeRelease:
		if p.cancelled { // lost in the hook: nobody knows what it would have said
			p.verdict, p.goes, p.why = refused, true, core.WhyRefused
		} else {
			a.returned(p, ok)
		}
	case core.AskDestroy:
		a.destroyed(p)
		if p.makes { // it has made room
			p.verdict = unknown
			return
		}
		p.place = false
		if lends && p.verdict == refused && !a.closed && !p.leaves {
			p.verdict = unknown // it keeps the place for its next try
			a.hold(p, uint8(actor), true)
			a.comes(p)
		} else {
			a.settle()
		}
		if p.kind == core.KindDrain {
			a.drainsOn(p)
		}
	}
}

// made is what came of a creation.
func (a *account) made(p *party, ok bool, word uint8, lends bool) {
	a.creationEnds(p, ok)
	switch {
	case ok:
		a.counts.created++
		a.things[word] = thing{where: inOp, gone: p.outdated, born: a.now, since: a.now}
		p.word, p.outdated = word, false
		if p.kind == core.KindBehind {
			p.makes, p.created = false, true
			a.countMade(p)
		}
		p.why = a.unkept(p)
		switch {
		case lends || a.closed:
		case !a.keeps(p):
			p.verdict, p.goes = refused, true
			a.settle()
		case p.kind == core.KindBehind:
			a.madeBehind(p)
		default:
			a.putIdle(p)
		}
		if lends {
			a.countMade(p)
		}
	case p.kind == core.KindBehind:
		a.notMadeBehind(p)
	case a.triesAgain(p):
		put := p.put
		p.place = false
		if !put {
			a.counts.failed++
			a.count(p, core.CountCreations, false)
		}
		p.outdated, p.opened = false, false
		if p.failed = a.circuit == core.Inactive; !p.failed {
			a.standAgain(a.numberOf(p))
			a.settle()
			a.comes(p)
		}
	default:
		if !p.put {
			a.counts.failed++
		}
		p.failed, p.outdated = !p.put || p.kind != core.KindTry, false
		p.place = false
		a.settle()
		if lends && !p.cancelled && !p.put {
			a.count(p, core.CountCreations, false)
		}
	}
}

// countMade tells the built-in strategy of a success of the factory.
func (a *account) countMade(p *party) {
	if a.world.counts() == core.CountCreations {
		a.count(p, core.CountCreations, true)
	}
}

func verdictOf(ok bool) verdict {
	if ok {
		return passed
	}
	return refused
}

// pending is what it means that a cancelled op has yet to destroy something.
func (a *account) pending(actor int) error {
	p := &a.parties[actor]
	switch {
	case p.word != 0 && p.kind == core.KindRelease && p.verdict == passed: // it was reported, and is not kept
		if p.why = a.unkept(p); a.keeps(p) {
			p.why = a.wear(p.word)
		}
	case p.word != 0:
	case p.purges() && (a.superfluous() || a.hasToTrim(p)):
		a.takeIdle(p) // it goes on
		p.goes, p.why = true, a.unkept(p)
	case p.kept != 0 && !a.mayStay(p) && !a.closed:
		a.leave(p, false)
	}
	p.goes = p.goes || p.kind == core.KindRelease
	if p.word == 0 {
		return fmt.Errorf("a cancelled op with nothing to destroy is not done")
	}
	return nil
}

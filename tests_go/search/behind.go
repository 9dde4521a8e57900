package search

import (
	"fmt"

	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// Creations behind, as the account has them: no caller makes its resource, ops for that do, as many as callers in line
// have none being made and as there are places. What is made is idle, or goes to the first in line.

// probing says whether those who are served are probes of a strategy that counts creations alone.
func (a *account) probing() bool {
	return a.builtIn && a.world.counts() == core.CountCreations && a.circuit == core.Recovering
}

// mustWait says whether a caller that is to have its resource made waits for it in line.
func (a *account) mustWait() bool { return a.world.Behind || !a.mayCreate() }

// makers is how many ops make a resource behind, or room for one.
func (a *account) makers() int {
	n := 0
	for i := range a.parties {
		if a.parties[i].makes {
			n++
		}
	}
	return n
}

// due is how many shall begin.
func (a *account) due() int {
	if !a.world.Behind || a.shutFor() {
		return 0
	}
	room := int(a.max) - a.exist()
	if a.probing() { // what is idle makes room
		room = a.free()
	}
	n := min(int(a.line.n)-a.makers(), room)
	if a.circuit == core.Recovering {
		n = min(n, int(a.world.Limit)-a.probes())
	}
	switch {
	case a.putsOff() && !a.over:
		return 0
	case a.putsOff():
		n = min(n, 1)
	}
	return max(n, 0)
}

// shutFor says whether nobody in line is served any more.
func (a *account) shutFor() bool { return a.closed || a.circuit == core.Inactive }

// freeForOthers is how many places are free for who comes, as observers hear of it.
func (a *account) freeForOthers() int {
	n := a.free()
	if a.world.Behind {
		n -= int(a.line.n)
	}
	switch {
	case a.putsOff() && a.probing():
		n = 0
	case a.putsOff():
		n = min(n, int(a.idle.n))
	}
	return max(n, 0)
}

// seesOver: a caller that waits for its resource to be made sees that the pause is over, if it is its turn.
func (a *account) seesOver(p *party, promised bool) {
	turn := promised || a.isFirst(p) && a.free() > 0 && a.admits()
	if a.world.Behind && a.putsOff() && a.mayCreate() && turn && a.makesOwn(p) {
		a.over = true
	}
}

// makesBehind has an op make a resource, or room for one.
func (a *account) makesBehind(p *party) {
	p.makes, p.place, p.opened = true, true, false
	p.slot = p.slot || a.circuit == core.Recovering
	a.over = false
}

// askedBehind judges that a resource is made behind.
func (a *account) askedBehind(p *party) error {
	switch {
	case p.asked == core.AskDone && (a.due() == 0 || p.lost):
		return fmt.Errorf("behind: a resource is made, and none is due")
	case p.asked == core.AskDone && a.exist() >= int(a.max):
		return fmt.Errorf("I1: a resource is made behind, and there is no room for it")
	case p.asked != core.AskDone && !a.stillDue(p):
		return fmt.Errorf("behind: a resource is made, and none is due any more")
	case !a.mayCreate():
		return fmt.Errorf("patience: a resource is made too early, or beside another")
	}
	a.makesBehind(p)
	p.making, p.old, p.put = true, false, false
	return nil
}

// stillDue says whether one that has made room is to make a resource in it.
func (a *account) stillDue(p *party) bool {
	return p.makes && p.asked == core.AskDestroy && !p.cancelled && !a.closed && (p.slot || a.admits()) &&
		int(a.line.n) >= a.makers() && a.mayCreate() && a.exist() <= int(a.max)
}

// makesRoomBehind takes what is idle, to have it destroyed: there is no other room for what a probe has to have made.
func (a *account) makesRoomBehind(p *party) {
	if p.asked != core.AskDone || a.due() == 0 || a.exist() < int(a.max) || !a.probing() {
		return
	}
	a.makesBehind(p)
	if a.doomed.n > 0 {
		p.word = a.doomed.pop()
	} else {
		p.word = a.next()
	}
	a.takes(p)
	p.verdict, p.why = refused, a.unkept(p)
}

// madeBehind hands on what was made: to who is first in line, or it is idle.
func (a *account) madeBehind(p *party) {
	useful := !a.probing() || p.slot
	p.slot, p.place = false, false
	hands := a.line.n > 0 && useful && a.free() > 0 && a.admits()
	p.place = true
	if !hands {
		a.putIdle(p)
		return
	}
	t := &a.things[p.word]
	*t = t.to(idle)
	first := a.line.pop()
	a.woken.push(first)
	f := &a.parties[first]
	f.promised, f.made, f.slot, f.opened = true, true, a.circuit == core.Recovering, false
	a.bind(first, p.word)
	p.word, p.place = 0, false
	a.settle()
}

// notMadeBehind is a creation that failed, or was put off: the first in line may have to go for it.
func (a *account) notMadeBehind(p *party) {
	p.makes, p.failed, p.outdated = false, true, false
	if !p.put {
		a.counts.failed++
	}
	if p.cancelled || !p.put && !a.world.Retry {
		a.deny(core.Factory)
	}
	p.place = false
	if !p.cancelled && !p.put {
		a.count(p, core.CountCreations, false)
	}
	p.slot = false
	a.settle()
}

// deny sends the first in line away.
func (a *account) deny(why core.Status) {
	if a.line.n > 0 {
		first := a.line.pop()
		a.parties[first].sentAway = why
		a.woken.push(first)
	}
}

// doneBehind judges the end of an op that makes resources behind.
func (a *account) doneBehind(p *party, status core.Status, starved bool) error {
	begins, hasRoom := p.asked == core.AskDone, p.makes && p.asked == core.AskDestroy
	true := false
	switch status {
	case core.OK:
		true = p.created
	case core.Empty:
		true = !a.closed && !p.created && (begins && a.due() == 0 || hasRoom && !a.stillDue(p))
	case core.Closed:
		true = a.closed
	case core.Factory:
		true = p.failed
	case core.Cancelled:
		true = p.cancelled
	case core.NoMemory:
		true = (starved || p.lost) && (begins && a.due() > 0 || hasRoom && a.stillDue(p))
		a.deny(core.NoMemory)
	}
	if !true {
		return fmt.Errorf("truth: an op that makes behind is told %s, and it is not so", statusNames[status])
	}
	if p.makes {
		p.makes, p.place, p.slot = false, false, false
		a.settle()
	}
	return nil
}

// checkBehind compares what is due, and what is free for others, with what the core and its twin in C say.
func (b *Board) checkBehind() error {
	st, a := &b.memory.state, &b.account
	for _, n := range [...]struct {
		name          string
		core, outside int
	}{
		{"due", int(st.Due()), a.due()},
		{"due, by C", int(cfast.Due(st)), a.due()},
		{"makers", int(st.Makers), a.makers()},
		{"the pause is over", int(st.Patience.Over), int(bits(a.over))},
	} {
		if n.core != n.outside {
			return fmt.Errorf("behind: %s: the core says %d, the account %d", n.name, n.core, n.outside)
		}
	}
	for _, free := range [...]uint32{st.Free(), cfast.FreePlaces(st)} {
		if int(free) != a.freeForOthers() {
			return fmt.Errorf("told: %d places are free for others, the account says %d", free, a.freeForOthers())
		}
	}
	if a.makers() > 0 && !a.world.Behind {
		return fmt.Errorf("behind: a resource is made behind, and callers make their own")
	}
	return nil
}

// tryBehind begins one that is not due.
func (b *Board) tryBehind() error {
	if b.account.due() > 0 {
		return nil
	}
	op := &b.memory.ops[maxActors]
	*op = core.Op{Kind: core.KindBehind, Deadline: core.Never}
	expected := core.Empty
	if b.account.closed {
		expected = core.Closed
	}
	var ask core.Ask
	b.core.Next(op, &core.Answer{Now: b.account.now}, &ask)
	*op = core.Op{}
	if ask.Kind != core.AskDone || ask.Status != expected {
		return fmt.Errorf("nothing: a creation that is not due is answered with %s", textOf(&ask))
	}
	return nil
}

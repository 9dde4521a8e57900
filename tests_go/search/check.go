package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// wake lets those go on whom the core has woken, as the C driver does (bridge/change.c), and compares them
// with those the account expects: the same, in the same order, for the same reason.
func (b *Board) wake() error {
	a, ready := &b.account, &b.memory.state.Ready
	for i := range a.woken.n {
		op := ready.Head
		if op == nil {
			return fmt.Errorf("I4: %s was not woken", b.world.nameOf(int(a.woken.items[i])))
		}
		l := linksOf(op)
		ready.Head = l.next
		if l.next != nil {
			linksOf(l.next).prev = nil
		} else {
			ready.Tail = nil
		}
		*l = links{}
		op.List = 0
		if b.world.Listed {
			pushBack(&b.memory.state.Woken, op, listWoken)
		}
		op.Wake = 1
		if err := b.wokenRightly(int(op.Host), int(a.woken.items[i])); err != nil {
			return err
		}
	}
	if op := ready.Head; op != nil {
		return fmt.Errorf("%s was woken for nothing", b.world.nameOf(int(op.Host)))
	}
	a.woken = queue{}
	return b.call()
}

// call has the first in line look, as the C driver does, if the core says so: for a reason. A host that looks up who
// was woken leaves it to be found there.
func (b *Board) call() error {
	op := b.memory.state.Called
	if op == nil {
		return nil
	}
	if late, first := b.late(); op.Wake == 0 && (!late || op != first) {
		return fmt.Errorf("%s is called to look for nothing", b.world.nameOf(int(op.Host)))
	}
	op.Wake = 1
	b.account.parties[op.Host].awake = true
	if !b.world.Listed {
		b.memory.state.Called = nil
	}
	return nil
}

// late says whether the first in line means to come back only after the probes must be back.
func (b *Board) late() (bool, *core.Op) {
	a := &b.account
	if a.line.n == 0 {
		return false, nil
	}
	first := &b.memory.ops[a.line.items[0]]
	if a.awaits() && first.Until > a.until {
		return true, first
	}
	return a.builtIn && a.circuit == core.Recovering && first.Until-a.patience() > a.since, first
}

// checkCalled: whoever is first in line looks in time, and nobody else is awake there.
func (b *Board) checkCalled() error {
	a := &b.account
	for i := range a.line.n {
		op := &b.memory.ops[a.line.items[i]]
		called := op.Flags&core.FlagCalled != 0
		if awake := a.parties[a.line.items[i]].awake; awake != (op.Wake != 0) || called && (i > 0 || !awake) {
			return fmt.Errorf("I3: %s is in line, and awake: %t, called: %t", b.world.nameOf(int(op.Host)),
				op.Wake != 0, called)
		}
		if i == 0 && a.awaits() && op.Until > a.until && !called {
			return fmt.Errorf("patience: %s is first in line, and does not look in time", b.world.nameOf(int(op.Host)))
		}
		if late, _ := b.late(); i == 0 && late && !called && op.Until-a.patience() > a.now {
			return fmt.Errorf("probes: %s is first in line, and does not look in time", b.world.nameOf(int(op.Host)))
		}
	}
	return nil
}

func (b *Board) wokenRightly(actor, expected int) error {
	if actor != expected {
		return fmt.Errorf("I3: %s was woken, it is the turn of %s", b.world.nameOf(actor), b.world.nameOf(expected))
	}
	p, op := &b.account.parties[actor], &b.memory.ops[actor]
	for i := range b.memory.ops { // those who are still to be woken have later turns
		if other := &b.memory.ops[i]; p.promised && other != op && other.List == 0 && other.Turn >= op.Turn {
			return fmt.Errorf("I3: %s has turn %d, and %s has %d", b.world.nameOf(actor), op.Turn,
				b.world.nameOf(i), other.Turn)
		}
	}
	if p.kind == core.KindDrain {
		return nil
	}
	// A promise that was made before the breaker opened, or the pool closed, within the same move stays one.
	why := b.memory.state.SentAway(op)
	if p.sentAway != core.OK && why != p.sentAway {
		return fmt.Errorf("%s was not sent away with %s", b.world.nameOf(actor), statusNames[p.sentAway])
	}
	if p.sentAway == core.OK && (op.Flags&core.FlagReserved == 0 || why != core.OK) {
		return fmt.Errorf("%s was woken without a place", b.world.nameOf(actor))
	}
	return nil
}

// check compares the core's numbers with the account, and looks for what must never be.
func (b *Board) check() error {
	st, a := &b.memory.state, &b.account
	free := a.free()
	for _, n := range [...]struct {
		name          string
		core, outside int
	}{
		{"I1: idle", int(st.Idle), a.rests()},
		{"I1: active", int(st.Active), a.active()},
		{"I2: reserved", int(st.Reserved), a.promises()},
		{"I3: waiting", int(st.Waiting), int(a.line.n)},
		{"I8: ops", int(st.Ops), a.ops()},
		{"I5: live resources", int(st.Registry.Live), a.live()},
		{"breaker", int(st.Breaker.Circuit), int(a.circuit)},
		{"I8: probes", int(st.Breaker.Probes), a.probes()},
		{"ops that destroy what is idle", int(st.Purges), a.purges()},
		{"resources that go", int(st.Going), a.going()},
		{"I9: evicted", int(st.Evicted), a.evicted()},
		{"I1: places", int(st.MaxSize), int(a.max)},
		{"least", int(st.MinSize), int(a.min)},
		{"what passes make or check", int(st.Ahead), a.ahead()},
		{"streak", int(st.Breaker.Count), int(a.streak)},
		{"patience: pause", int(st.Patience.Pause), int(a.pause)},
		{"patience: until", int(st.Patience.Until), int(a.until)},
		{"patience: making", int(st.Patience.Making), a.makings()},
	} {
		if n.core != n.outside {
			return fmt.Errorf("%s: the core says %d, the account %d", n.name, n.core, n.outside)
		}
	}
	switch {
	case (st.Gate&core.GateClosed != 0) != a.closed:
		return fmt.Errorf("closed: the core says %t, the account %t", !a.closed, a.closed)
	case (st.Gate&core.GateDraining != 0) != a.draining:
		return fmt.Errorf("draining: the core says %t, the account %t", !a.draining, a.draining)
	case a.exist() > max(int(a.max), a.most):
		return fmt.Errorf("I1: %d exist, %d places, and %d when it shrank or less since", a.exist(), a.max, a.most)
	case free < 0 && (a.exist() <= int(a.max) || a.owed.n > 0):
		return fmt.Errorf("I1: %d places too many are in use", -free)
	case a.line.n > 0 && free > 0 && a.admits() && a.grants():
		return fmt.Errorf("I4: %d in line while %d places are free", a.line.n, free)
	case a.line.n > 0 && (a.closed || a.circuit == core.Inactive):
		return fmt.Errorf("I7: %d in line on a pool that is closed or unavailable", a.line.n)
	case a.probes() > int(b.world.Limit):
		return fmt.Errorf("probes: %d of %d", a.probes(), b.world.Limit)
	case a.closed && a.rests() > 0 && !b.purging():
		return fmt.Errorf("I7: %d idle after a close has ended", a.rests())
	}
	if a.superfluous() && !b.purging() && b.drainer() {
		return fmt.Errorf("I1: %d idle of %d places, %d evicted, and nobody destroys what is too many", a.idle.n, a.max,
			a.doomed.n)
	}
	a.shrinks()
	if err := b.checkBehind(); err != nil {
		return err
	}
	if err := b.checkCounts(); err != nil {
		return err
	}
	return b.checkOrder()
}

// drainer says whether somebody is there to destroy what nobody needs: a drain that was cancelled leaves it to a close.
func (b *Board) drainer() bool {
	a := &b.account
	return a.closed || a.above() || a.doomed.n > 0
}

// purging says whether a close or a resize is under way.
func (b *Board) purging() bool {
	for i := range b.account.parties {
		if p := &b.account.parties[i]; p.busy && p.purges() {
			return true
		}
	}
	return false
}

// checkWoken looks at the list of the woken.
func (b *Board) checkWoken() error {
	if !b.world.Listed {
		return nil
	}
	listed := 0
	var last *core.Op
	for op := b.memory.state.Woken.Head; op != nil; op = linksOf(op).next {
		if op.List != listWoken || linksOf(op).prev != last || op.Wake == 0 {
			return fmt.Errorf("the list of the woken is broken at %s", b.world.nameOf(int(op.Host)))
		}
		last = op
		listed++
	}
	for i := range b.memory.ops {
		if b.memory.ops[i].List == listWoken {
			listed--
		}
	}
	for i := range b.account.parties {
		p, op := &b.account.parties[i], &b.memory.ops[i]
		if p.asked == core.AskWait && p.sentAway != core.OK && op.List != listWoken {
			return fmt.Errorf("I4: %s was sent away, and is told nothing", b.world.nameOf(i))
		}
	}
	if listed != 0 || last != b.memory.state.Woken.Tail {
		return fmt.Errorf("the list of the woken is not complete")
	}
	return nil
}

// checkPromises compares what was promised with the account: which resource, and who is first.
func (b *Board) checkPromises() error {
	a, st := &b.account, &b.memory.state
	for i := range a.parties {
		op, kept := &b.memory.ops[i], a.parties[i].kept
		if (op.Flags&core.FlagBound != 0) != (kept != 0) {
			return fmt.Errorf("I2: resource %d is kept for %s, flags %#x", kept, b.world.nameOf(i), op.Flags)
		}
		if kept != 0 && b.memory.entry(op.Entry).Word != uintptr(kept) {
			return fmt.Errorf("I2: resource %d is kept for %s, the core keeps %d", kept, b.world.nameOf(i),
				b.memory.entry(op.Entry).Word)
		}
	}
	for _, l := range [...]struct {
		core    core.Reservations
		outside *queue
	}{{st.Bound, &a.bound}, {st.Owed, &a.owed}} {
		if (l.core.Head != nil) != (l.outside.n > 0) || l.core.Head != nil &&
			(l.core.Head.Host != uintptr(l.outside.items[0]) || l.core.Tail.Host != uintptr(l.outside.items[l.outside.n-1])) {
			return fmt.Errorf("I3: the core and the account do not agree on who was promised something first")
		}
	}
	return nil
}

// checkOrder compares the idle resources, the line and the lent ones with the account, one by one.
func (b *Board) checkOrder() error {
	m, a := b.memory, &b.account
	for i := range a.idle.n {
		if word := m.idleEntry(uint32(i)).Word; word != uintptr(a.idle.items[i]) {
			return fmt.Errorf("I5: idle resource %d is %d, it should be %d", i, word, a.idle.items[i])
		}
	}
	at := m.state.Doomed.Head
	for i := range a.doomed.n {
		if word := m.entry(at).Word; word != uintptr(a.doomed.items[i]) {
			return fmt.Errorf("I5: evicted resource %d is %d, it should be %d", i, word, a.doomed.items[i])
		}
		at = m.entry(at).Link
	}
	if seen := m.seen(); seen != a.below {
		return fmt.Errorf("a pass has seen %d of the idle ones, it should be %d", seen, a.below)
	}
	op := m.state.Waiters.Head
	for i := range a.line.n {
		if op == nil || op.Host != uintptr(a.line.items[i]) {
			return fmt.Errorf("I3: the line is not as the callers came")
		}
		op = linksOf(op).next
	}
	if err := b.checkCalled(); err != nil {
		return err
	}
	if err := b.checkWoken(); err != nil {
		return err
	}
	if err := b.checkPromises(); err != nil {
		return err
	}
	for word := uint8(1); word <= maxWords; word++ {
		t := &a.things[word]
		e := m.lentEntry(word)
		if (t.where == lent) != (e != nil) {
			return fmt.Errorf("I5: whether resource %d is lent: the core says %t", word, e != nil)
		}
		if e != nil && (e.Label != uint8(m.state.Label)) != t.gone {
			return fmt.Errorf("I9: resource %d has label %d of %d, and is evicted: %t", word, e.Label, m.state.Label, t.gone)
		}
		if e != nil && (e.Flags&core.EntryTold != 0) != t.told {
			return fmt.Errorf("leaks: whether resource %d was told as leaked: the account says %t", word, t.told)
		}
		if r := m.lentRecord(word); r != nil && (r.Older != uint32(t.by) || r.Note != uint64(t.out)) {
			return fmt.Errorf("resource %d is lent to %d since %d, the account says to %d since %d", word, r.Older, r.Note,
				t.by, t.out)
		}
		if e != nil && (m.isProbe(e) != t.probe || m.isStale(e) != t.stale) {
			return fmt.Errorf("resource %d: flags %d, term %d of %d, the account says probe %t, stale %t",
				word, e.Flags, e.Mark, m.state.Term, t.probe, t.stale)
		}
	}
	return nil
}

// seen is how many idle ones, from the oldest on, the core says that the last pass has seen.
func (m *memory) seen() uint8 {
	n, i := uint8(0), m.state.Queue.Head
	for ; m.state.Seen != 0 && n < maxWords; n++ {
		if m.state.Seen == i+1 {
			return n + 1
		}
		i = m.entry(i).Link
	}
	return n
}

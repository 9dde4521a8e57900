package search

// What is promised, as the account has it: a place, and with it the resource that is to be lent next, or the next one
// that becomes idle. Nobody else takes it.

// hold promises a place to a party. One that has destroyed a resource has made room for its own; another one gets what
// is evicted, if nothing else is idle, to make room by that.
func (a *account) hold(p *party, actor uint8, hasRoom bool) {
	p.promised = true
	switch {
	case a.idle.n > 0:
		a.bind(actor, a.next())
	case !hasRoom && a.doomed.n > 0:
		a.bind(actor, a.doomed.pop())
	default:
		a.owed.push(actor)
	}
}

// bind keeps an idle resource for one who was promised a place. A pass need not look at it.
func (a *account) bind(actor uint8, word uint8) {
	a.parties[actor].kept = word
	a.things[word].due = 0
	a.bound.push(actor)
}

// lay makes a resource idle that is in nobody's hands: for who was owed it first, or for anybody.
func (a *account) lay(word uint8) bool {
	if a.owed.n == 0 {
		return false
	}
	a.bind(a.owed.pop(), word)
	return true
}

// withdraw ends the promise of one who leaves without a place. What was kept for it is the next to be lent.
func (a *account) withdraw(actor uint8) {
	a.owed.remove(actor)
	a.handOn(&a.parties[actor])
}

// handOn gives what was kept for one who does not take it to the next.
func (a *account) handOn(p *party) {
	if word := p.kept; word != 0 {
		a.bound.remove(a.numberOf(p))
		p.kept, p.made = 0, false
		switch {
		case a.lay(word):
		case a.world.LIFO:
			a.things[word].old = 0
			a.idle.push(word)
		default:
			a.idle.pushFront(word)
		}
	}
}

// revoke is what a close does to the promises of resources: the first loses its own first.
func (a *account) revoke() uint8 {
	actor := a.bound.pop()
	word := a.parties[actor].kept
	a.parties[actor].kept, a.parties[actor].made = 0, false
	return word
}

// rests is how many resources are idle, for anybody or for somebody.
func (a *account) rests() int { return int(a.idle.n) + int(a.bound.n) + int(a.doomed.n) }

// numberOf is the actor behind a party.
func (a *account) numberOf(p *party) uint8 {
	for i := range a.parties {
		if &a.parties[i] == p {
			return uint8(i)
		}
	}
	return noActor
}

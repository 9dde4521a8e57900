package search

import "asyncpool/pool/core"

// settle promises free places to those in line, in order, as far as the breaker admits.
func (a *account) settle() {
	for a.line.n > 0 && a.free() > 0 && a.admits() && a.grants() {
		actor := a.line.pop()
		a.woken.push(actor)
		p := &a.parties[actor]
		p.opened = false
		a.hold(p, actor, false)
		p.slot = a.circuit == core.Recovering
	}
}

// inLine says whether this one stands in line, asleep.
func (a *account) inLine(p *party) bool {
	for i := range a.line.n {
		if &a.parties[a.line.items[i]] == p {
			return true
		}
	}
	return false
}

// wakesNotItself: an actor that was promised a place while it came back for it anyway goes on at once.
func (a *account) wakesNotItself(actor uint8) {
	if actor != noActor && a.parties[actor].asked != core.AskWait {
		a.woken.remove(actor)
	}
}

// sendAway tells everybody in line why they will not be served.
func (a *account) sendAway(why core.Status) {
	for a.line.n > 0 {
		actor := a.line.pop()
		a.parties[actor].sentAway = why
		a.woken.push(actor)
	}
}

// queue is a short list of small numbers.
type queue struct {
	items [maxActors + 1]uint8
	n     uint8
}

func (q *queue) push(x uint8) {
	q.items[q.n] = x
	q.n++
}

func (q *queue) pushFront(x uint8) { q.insert(0, x) }

func (q *queue) insert(at, x uint8) {
	copy(q.items[at+1:], q.items[at:q.n])
	q.items[at] = x
	q.n++
}

func (q *queue) pop() uint8 {
	x := q.items[0]
	q.remove(x)
	return x
}

func (q *queue) remove(x uint8) {
	for i := range q.n {
		if q.items[i] == x {
			copy(q.items[i:q.n], q.items[i+1:q.n])
			q.n--
			q.items[q.n] = 0
			return
		}
	}
}

func (q *queue) has(x uint8) bool {
	for i := range q.n {
		if q.items[i] == x {
			return true
		}
	}
	return false
}

package search

import "asyncpool/pool"

// settle promises free places to those in line, in order, as far as the breaker admits. With barging, the
// first in line is only called while the breaker is active, unless it is overdue by then. The time of one who was
// called is looked at when something was released.
func (a *account) settle() {
	defer func() { a.reminds = false }()
	for {
		p, actor := a.first()
		if p == nil || a.free() <= 0 || !a.admits() {
			return
		}
		mayBeOvertaken := a.world.Barging && a.free() == 1 && a.circuit == pool.Active && (p.called && !a.reminds || !p.overdue)
		if !p.called {
			a.line.pop()
			a.woken.push(actor)
		}
		p.called = mayBeOvertaken
		if mayBeOvertaken {
			return
		}
		p.promised, p.opened, p.overdue = true, false, false
		p.slot = a.circuit == pool.Recovering
	}
}

// first is who is first in line: who was called, or who has waited longest; or nil.
func (a *account) first() (*party, uint8) {
	for i := 0; a.world.Barging && i < len(a.parties); i++ {
		if a.parties[i].called {
			return &a.parties[i], uint8(i)
		}
	}
	if a.line.n == 0 {
		return nil, noActor
	}
	return &a.parties[a.line.items[0]], a.line.items[0]
}

// hasCalled says whether somebody was called and has not come yet.
func (a *account) hasCalled() bool {
	first, _ := a.first()
	return first != nil && first.called
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
	if actor != noActor && a.parties[actor].asked != pool.AskWait {
		a.woken.remove(actor)
	}
}

// sendAway tells everybody in line why they will not be served. Who was called is awake already.
func (a *account) sendAway(why pool.Status) {
	if first, _ := a.first(); first != nil && first.called {
		first.called = false
		first.sentAway = why
	}
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

func (q *queue) pushFront(x uint8) {
	copy(q.items[1:], q.items[:q.n])
	q.items[0] = x
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

package search

import (
	"slices"

	"asyncpool/pool/core"
)

// The rules of the model that are not the course of an op: places, the line, the breaker.

func (m *model) active() int { return len(m.lent) + m.busy }

// free is how many places are neither active nor promised.
func (m *model) free() int { return int(m.max) - m.active() - m.reserved() }

// above says whether more stays than there are places; keeps, whether what is good is kept.
func (m *model) above() bool { return m.rests()+m.active()-m.going > int(m.max) }
func (m *model) keeps(r *thingy) bool {
	return !m.closed && !m.above() && !m.evicted(r) && !m.unneeded()
}

// superfluous says whether something is idle that is not kept.
func (m *model) superfluous() bool {
	return m.closed && m.rests() > 0 || len(m.doomed) > 0 || len(m.idle) > 0 && (m.above() || m.unneeded())
}

// unneeded says whether nobody waits for what is idle, in a pool that is drained.
func (m *model) unneeded() bool { return m.draining && len(m.line) == 0 && m.owed() == nil }

// drained says whether nothing is left, and nobody who is to be served.
func (m *model) drained() bool { return m.rests()+m.active()+m.reserved()+len(m.line) == 0 }

// evicted says whether a resource is not to be lent again.
func (m *model) evicted(r *thingy) bool { return r.evicts != m.evicts }

// reserved is how many promises count: a close has ended all of them.
func (m *model) reserved() int {
	if m.closed {
		return 0
	}
	return len(m.promised)
}

// rests is how many resources are idle, for anybody or for somebody.
func (m *model) rests() int {
	n := len(m.idle) + len(m.doomed)
	for _, c := range m.promised {
		if c.kept != nil {
			n++
		}
	}
	return n
}

// hold promises a place to a client, and the next idle resource with it, or one that makes room.
func (m *model) hold(c *client, hasRoom bool) {
	m.promised = append(m.promised, c)
	if len(m.idle) > 0 {
		c.kept = m.next()
	} else if !hasRoom && len(m.doomed) > 0 {
		c.kept, m.doomed = m.doomed[0], m.doomed[1:]
	}
}

// next takes the idle resource that is to be lent next.
func (m *model) next() *thingy {
	if m.lifo {
		return m.takeAt(len(m.idle) - 1)
	}
	return m.takeAt(0)
}

// takeAt takes an idle resource, wherever it is.
func (m *model) takeAt(i int) *thingy {
	r := m.idle[i]
	m.idle = slices.Delete(m.idle, i, i+1)
	if i < m.checked {
		m.checked--
	}
	return r
}

// layChecked makes a resource idle that a pass has looked at.
func (m *model) layChecked(r *thingy) {
	if !m.lifo || m.owed() != nil {
		m.lay(r)
		return
	}
	r.since = m.passes
	m.idle = slices.Insert(m.idle, m.checked, r)
	m.checked++
}

// owed is who was promised a place first of those for whom nothing is kept, or nil.
func (m *model) owed() *client {
	for _, c := range m.promised {
		if c.kept == nil {
			return c
		}
	}
	return nil
}

// lay makes a resource idle.
func (m *model) lay(r *thingy) {
	r.since = m.passes
	if c := m.owed(); c != nil {
		c.kept = r
	} else {
		m.idle = append(m.idle, r)
	}
}

func (m *model) short() bool {
	return m.rests()+m.active() < int(m.min) && m.free() > 0
}

// lacks says whether fewer are idle than there shall be, and one more may be made.
func (m *model) lacks() bool {
	return !m.closed && !m.draining && len(m.idle)+m.ahead+m.beyond() < int(m.minIdle) && m.rests()+m.active() < int(m.max) && m.free() > 0
}

// freePlace ends the use of a place by an op.
func (m *model) freePlace() {
	m.busy--
	m.promise()
}

// entitled says whether the client may take a place now.
func (m *model) entitled(c *client) bool {
	if slices.Contains(m.promised, c) {
		return true
	}
	inTurn := !slices.Contains(m.line, c)
	if m.putsOff() { // nobody is called for a place in which there may be nothing to make
		inTurn = len(m.line) == 0 || m.line[0] == c
	}
	return m.free() > 0 && inTurn && (m.admits() || m.slots[c.slot])
}

// full says whether the line has no room for a client that was never in it.
func (m *model) full(c *client) bool {
	return c.ticket == 0 && m.waiting != 0 && len(m.line) >= int(m.waiting)
}

// queue puts a client at the end of the line, unless it is there.
func (m *model) queue(c *client) {
	if !slices.Contains(m.line, c) {
		m.tickets++
		c.ticket = m.tickets
		m.line = append(m.line, c)
	}
}

// promise promises free places to those in line.
func (m *model) promise() {
	for m.free() > 0 && m.admits() && len(m.line) > 0 && m.grants() {
		c := m.line[0]
		m.line = m.line[1:]
		m.woken = append(m.woken, c)
		if m.circuit == core.Recovering {
			m.takeSlot(c)
		}
		c.opening = m.openings
		m.turns++
		c.turn = m.turns
		m.hold(c, false)
	}
}

func (m *model) sendAway(why core.Status) {
	for _, c := range m.line {
		c.told = why
		m.woken = append(m.woken, c)
	}
	m.line = nil
}

// depart is the end of an op: what it was promised goes to the next.
func (m *model) depart(c *client) {
	m.line = without(m.line, c)
	m.promised = without(m.promised, c)
	r := c.kept
	c.kept = nil
	m.handOn(r)
	delete(m.slots, c.slot)
	m.promise()
}

// handOn gives what was kept for one who does not take it to the next. Nil: nothing was.
func (m *model) handOn(r *thingy) {
	if r == nil {
		return
	}
	if next := m.owed(); next != nil {
		next.kept = r
	} else if m.lifo {
		m.lay(r)
	} else {
		m.idle = slices.Insert(m.idle, 0, r)
	}
}

func without(clients []*client, c *client) []*client {
	return slices.DeleteFunc(clients, func(other *client) bool { return other == c })
}

// admits says whether the breaker has room for one more.
func (m *model) admits() bool {
	switch m.circuit {
	case core.Active:
		return true
	case core.Recovering:
		return len(m.slots) < int(m.limit)
	}
	return false
}

// claims says whether the client's promise is as old as the last opening, or younger: then it is served
// while the breaker recovers, probe or not.
func (m *model) claims(c *client) bool {
	return m.circuit == core.Recovering && slices.Contains(m.promised, c) && c.opening == m.openings
}

// probesByCreating says whether a client who is served is a probe that must make its resource.
func (m *model) probesByCreating(c *client) bool {
	return m.probing() && !c.made && (m.slots[c.slot] || !m.claims(c))
}

// lets says whether this client may be served, or stay in line.
func (m *model) lets(c *client) bool {
	return m.admits() || m.slots[c.slot] || m.claims(c) || slices.Contains(m.line, c)
}

func (m *model) takeSlot(c *client) {
	c.slot = &slot{}
	m.slots[c.slot] = true
}

// move changes the state of the breaker.
func (m *model) move(to core.Circuit) {
	if to == m.circuit {
		return
	}
	m.circuit = to
	m.row = 0
	if to == core.Inactive {
		m.openings++
		m.sendAway(core.Unavail)
	}
	m.newTerm()
}

// newTerm makes room for new probes.
func (m *model) newTerm() {
	m.since = m.now
	m.slots = map[*slot]bool{}
	m.promise()
}

// beDue does what the built-in strategy does by the clock.
func (m *model) beDue() {
	waited := m.now - m.since
	switch {
	case m.failures == 0:
	case m.circuit == core.Inactive && waited >= m.openFor:
		m.move(core.Recovering)
	default:
		m.loseProbes()
	}
}

// loseProbes makes room for new probes when those that are out have had their time.
func (m *model) loseProbes() {
	if m.failures != 0 && m.circuit == core.Recovering && m.now-m.since >= max(m.openFor, patience) && !m.admits() && !m.closed {
		m.newTerm()
	}
}

// looks is when who waits comes back by itself.
func (m *model) looks(c *client) int64 {
	if c.verb == core.KindDrain {
		return c.deadline
	}
	deadline := c.deadline
	if m.line[0] == c && m.putsOff() && m.making+m.makers == 0 && !m.over && m.free() > 0 && m.admits() {
		deadline = min(deadline, m.until)
	}
	if m.failures == 0 || m.circuit != core.Recovering {
		return deadline
	}
	from, wait := m.since, max(m.openFor, patience)
	if m.now-from >= wait {
		from = m.now
	}
	return min(deadline, from+wait)
}

// count is what the built-in strategy makes of a success or a failure.
func (m *model) count(opening int, what uint32, success bool) {
	switch {
	case m.failures == 0 || m.counting&what == 0 || m.closed || opening != m.openings || m.circuit == core.Inactive:
	case m.circuit == core.Active && success:
		m.row = 0
	case m.circuit == core.Active:
		if m.row++; m.row >= m.failures {
			m.move(core.Inactive)
		}
	case success:
		if m.row++; m.row >= m.successes {
			m.move(core.Active)
		}
	default:
		m.move(core.Inactive)
	}
}

// seenSince says whether the resource was not idle when this pass began, or was looked at since.
func (r *thingy) seenSince(pass int) bool {
	return r.since >= pass
}

// strategy says who decides about the breaker from now on.
func (m *model) strategy(asks, counts, failures, successes uint32, openFor int64) {
	m.woken = nil
	m.asks = m.asks&^strategyAsks | asks&strategyAsks
	m.counting, m.failures, m.successes, m.openFor, m.row = counts, failures, successes, openFor, 0
	m.promise()
	m.callDrains()
}

// by is a move of the breaker by hand.
func (m *model) by(to core.Circuit) core.Status {
	m.woken = nil
	if m.closed {
		return core.Closed
	}
	m.move(to)
	m.callDrains()
	return core.OK
}

// worn says whether a resource is too old to be lent, or used up.
func (m *model) worn(r *thingy) bool {
	return m.uses != 0 && r.uses >= m.uses || m.lifetime != 0 && m.now/tick-r.born/tick >= int64(m.lifetime)
}

// spare says whether a pass that looks at an idle resource removes it.
func (m *model) spare(r *thingy) bool {
	if m.idleTimeout == 0 {
		return false
	}
	if !r.dated && m.checkAfter == 0 {
		r.came, r.dated = m.now, true
	}
	return m.now/tick-r.came/tick >= int64(m.idleTimeout) && m.rests()+m.active()-m.going > int(m.min) &&
		len(m.idle) > int(m.minIdle)
}

// unchecked says whether before_acquire need not see a resource.
func (m *model) unchecked(r *thingy) bool {
	return m.checkAfter != 0 && m.now/tick-r.came/tick < int64(m.checkAfter)
}

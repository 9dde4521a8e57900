package search

import (
	"slices"

	"asyncpool/pool/core"
)

// The course of each op.

func (m *model) acquire(c *client, ask asker) (core.Status, uintptr) {
	first, refused := true, false
	for {
		switch {
		case c.told != core.OK:
			return c.told, 0
		case m.closed || m.draining && first:
			return core.Closed, 0
		case c.cancelled:
			return core.Cancelled, 0
		}
		m.beDue()
		if !m.lets(c) {
			if !first || m.circuit != core.Inactive || m.asks&core.AsksShouldRecover == 0 {
				return core.Unavail, 0
			}
			first = false
			if ask(core.AskShouldRecover, 0).ok && m.circuit == core.Inactive && !m.closed {
				m.move(core.Recovering)
			}
			continue
		}
		if !first && m.now >= c.deadline && c.deadline != core.Never {
			if m.putsOff() {
				return core.Factory, 0
			}
			return core.Timeout, 0
		}
		first = false
		if !m.entitled(c) {
			if c.verb == core.KindTry {
				return core.Empty, 0
			}
			if m.full(c) {
				return core.Overloaded, 0
			}
			m.queue(c)
			ask(core.AskWait, 0)
			continue
		}
		probes := m.probesByCreating(c)
		own := probes || c.kept == nil && len(m.idle) == 0
		spoilt := c.kept != nil && (m.evicted(c.kept) || probes && !refused && !m.keeps(c.kept))
		made := c.made
		c.made = false
		if own && !spoilt && (m.behind || !m.mayCreate()) {
			refused = false
			switch {
			case c.verb == core.KindTry:
				return core.Empty, 0
			case slices.Contains(m.promised, c):
				m.standAgain(c)
			case m.full(c):
				return core.Overloaded, 0
			default:
				m.queue(c)
			}
			m.over = m.over || m.behind && m.putsOff() && m.mayCreate()
			ask(core.AskWait, 0)
			continue
		}
		if m.circuit == core.Recovering && !m.slots[c.slot] && !m.claims(c) {
			m.takeSlot(c)
		}
		makesRoom := own && !spoilt && !refused && m.rests()+m.active() >= int(m.max)
		m.line = without(m.line, c)
		m.promised = without(m.promised, c)
		m.woken = without(m.woken, c) // it is here, also if it waits again because what it takes is worn
		m.busy++
		c.opening = m.openings
		r := c.kept
		c.kept = nil
		switch {
		case spoilt:
		case makesRoom && len(m.doomed) > 0:
			m.handOn(r)
			r, m.doomed = m.doomed[0], m.doomed[1:]
		case makesRoom && r != nil:
		case (makesRoom || !own) && r == nil && len(m.idle) > 0:
			r = m.next()
		case own:
			m.handOn(r)
			status, word, again := m.create(c, ask)
			if !again {
				return status, word
			}
			refused = false
			continue
		}
		if !own && (made || !m.worn(r)) && !m.evicted(r) &&
			(made || m.unchecked(r) || ask(core.AskBeforeAcquire, r.word).ok && !m.evicted(r)) {
			m.busy--
			return m.lend(c, r)
		}
		refused = true
		ask(core.AskDestroy, r.word)
		m.busy-- // and the place is the client's again, unless the pool is closed
		if !m.closed {
			m.hold(c, true)
		}
	}
}

// create makes a client's resource. Again: it did not succeed, and the client is in line again.
func (m *model) create(c *client, ask asker) (status core.Status, word uintptr, again bool) {
	evicts := m.evicts
	made := m.makes(c, ask)
	switch {
	case !made.ok && c.verb == core.KindAcquire && !c.cancelled && !m.closed && (made.later != 0 || m.retry != 0):
		m.busy--
		if made.later == 0 {
			m.count(c.opening, core.CountCreations, false)
		}
		if m.circuit == core.Inactive {
			return core.Factory, 0, false
		}
		m.standAgain(c)
		m.promise()
		return 0, 0, true
	case !made.ok:
		m.freePlace()
		if !c.cancelled && made.later == 0 {
			m.count(c.opening, core.CountCreations, false)
		}
		if c.verb == core.KindTry && made.later != 0 {
			return core.Empty, 0, false
		}
		return core.Factory, 0, false
	case m.closed:
		ask(core.AskDestroy, made.word)
		m.freePlace()
		return core.Closed, 0, false
	}
	if m.failures != 0 && m.counting == core.CountCreations {
		m.count(c.opening, core.CountCreations, true)
	}
	m.busy--
	status, word = m.lend(c, &thingy{word: made.word, since: m.passes, evicts: evicts, born: m.now, came: m.now})
	return status, word, false
}

func (m *model) lend(c *client, r *thingy) (core.Status, uintptr) {
	r.opening, r.slot, c.slot = c.opening, c.slot, nil
	r.uses++
	m.lent = append(m.lent, r)
	return core.OK, r.word
}

func (m *model) release(c *client, ask asker) core.Status {
	i := slices.IndexFunc(m.lent, func(r *thingy) bool { return r.word == c.word })
	if i < 0 {
		return core.NotOwned
	}
	m.loseProbes()
	r := m.lent[i]
	m.lent = slices.Delete(m.lent, i, i+1)
	m.busy++
	r.came, r.dated = m.now, false
	c.slot, r.slot = r.slot, nil
	good := ask(core.AskBeforeRelease, r.word).ok
	if !good {
		m.going++
	}
	if !c.cancelled {
		m.count(r.opening, core.CountReleases, good)
		if good {
			ask(core.AskReportSuccess, r.word)
		} else {
			ask(core.AskReportFailure, r.word)
		}
	}
	switch {
	case good && m.keeps(r) && !m.worn(r):
		m.lay(r)
	case good:
		m.destroy(ask, r.word)
	default:
		ask(core.AskDestroy, r.word)
		m.going--
	}
	m.freePlace()
	return core.OK
}

// destroy has a resource destroyed whose place will be free then.
func (m *model) destroy(ask asker, word uintptr) {
	m.going++
	ask(core.AskDestroy, word)
	m.going--
}

// giveUp is the end of an acquire for which something is kept that is one too many.
func (m *model) giveUp(c *client, ask asker) {
	if r := c.kept; r != nil && !m.closed && !m.keeps(r) {
		c.kept = nil
		m.promised = without(m.promised, c)
		m.busy++
		m.destroy(ask, r.word)
		m.freePlace()
	}
}

// takeOut is a discard, or a detach, which asks for nothing.
func (m *model) takeOut(c *client, ask asker) core.Status {
	i := slices.IndexFunc(m.lent, func(r *thingy) bool { return r.word == c.word })
	if i < 0 {
		return core.NotOwned
	}
	m.loseProbes()
	r := m.lent[i]
	m.lent = slices.Delete(m.lent, i, i+1)
	m.busy++
	c.slot, r.slot = r.slot, nil
	if c.verb == core.KindDiscard {
		m.destroy(ask, r.word)
	}
	m.freePlace()
	return core.OK
}

func (m *model) close(ask asker) core.Status {
	m.closed = true
	m.sendAway(core.Closed)
	m.purge(ask)
	return core.OK
}

// drain sends newcomers away, and waits until nothing is left; at its deadline it closes the pool.
func (m *model) drain(c *client, ask asker) core.Status {
	m.draining = m.draining || !m.closed
	for first := true; ; first = false {
		m.drains = without(m.drains, c)
		for m.purges < 8 && m.superfluous() {
			m.purgeOne(ask)
			first = false
		}
		switch {
		case c.cancelled:
			return core.Cancelled
		case m.drained():
			m.closed = true
			return core.OK
		case !first && c.deadline != core.Never && m.now >= c.deadline:
			m.close(ask)
			return core.Timeout
		}
		m.drains = append(m.drains, c)
		ask(core.AskWait, 0)
	}
}

// callDrains wakes those who drain when there is something for them to do.
func (m *model) callDrains() {
	if m.superfluous() && m.purges < 8 || m.drained() {
		m.woken = append(m.woken, m.drains...)
		m.drains = nil
	}
}

// resize makes the pool larger or smaller. Who was promised a place to make what would be one too many is in line again,
// the youngest promises first, or sent away, if the breaker has opened since.
func (m *model) resize(c *client, ask asker) core.Status {
	switch {
	case m.closed || m.draining:
		return core.Closed
	case c.max == 0 || c.min > c.max:
		return core.Invalid
	}
	m.min, m.max = c.min, c.max
	var owed []*client
	for _, p := range m.promised {
		if p.kept == nil {
			owed = append(owed, p)
		}
	}
	for len(owed) > max(0, int(m.max)-m.rests()-m.active()) {
		last := owed[len(owed)-1]
		owed = owed[:len(owed)-1]
		m.promised = without(m.promised, last)
		if last.opening == m.openings {
			m.standAgain(last)
		} else {
			delete(m.slots, last.slot)
			last.slot, last.turn = nil, 0
			last.told = core.Unavail
		}
	}
	m.promise()
	m.purge(ask)
	return core.OK
}

// evict has nothing lent again that exists, or is being made.
func (m *model) evict(ask asker) core.Status {
	if m.closed || m.draining {
		return core.Closed
	}
	m.evicts++
	m.doomed = append(m.doomed, m.idle...)
	m.idle, m.checked = nil, 0
	m.purge(ask)
	return core.OK
}

// trim destroys the oldest of what is idle, but those that are to be kept.
func (m *model) trim(c *client, ask asker) core.Status {
	if m.closed || m.draining {
		return core.Closed
	}
	keep := max(int(c.min), int(m.minIdle))
	beyond := func() int { return m.rests() + m.active() - m.going - int(m.min) }
	for most := min(len(m.idle)-keep, beyond()); m.purges < 8; {
		trims := most > 0 && len(m.idle) > keep && beyond() > 0
		if !m.superfluous() && !trims {
			break
		}
		if !m.superfluous() {
			most--
		}
		m.purgeOne(ask)
	}
	return core.OK
}

// purge destroys what is idle and not kept.
func (m *model) purge(ask asker) {
	for m.purges < 8 && m.superfluous() {
		m.purgeOne(ask)
	}
}

// purgeOne destroys the next: a close what is kept for others first.
func (m *model) purgeOne(ask asker) {
	var r *thingy
	i := slices.IndexFunc(m.promised, func(c *client) bool { return c.kept != nil })
	switch {
	case m.closed && i >= 0:
		r, m.promised[i].kept = m.promised[i].kept, nil
		m.promised = slices.Delete(m.promised, i, i+1)
	case len(m.doomed) > 0:
		r, m.doomed = m.doomed[0], m.doomed[1:]
	default:
		r = m.takeAt(0)
	}
	m.busy++
	m.purges++
	m.destroy(ask, r.word)
	m.purges--
	m.freePlace()
}

func (m *model) fill(c *client, ask asker) core.Status {
	if m.closed || m.draining {
		return core.Closed
	}
	for m.short() && !c.cancelled {
		if !m.mayCreate() {
			return core.Factory
		}
		if status := m.createAhead(c, ask); status != core.OK {
			return status
		}
	}
	return core.OK
}

// createAhead makes a resource that is idle then.
func (m *model) createAhead(c *client, ask asker) core.Status {
	m.busy++
	evicts := m.evicts
	m.ahead++
	made := m.makes(c, ask)
	m.ahead--
	switch {
	case !made.ok:
		m.freePlace()
		return core.Factory
	case m.closed:
		ask(core.AskDestroy, made.word)
		m.freePlace()
		return core.Closed
	}
	if r := (&thingy{word: made.word, evicts: evicts, born: m.now, came: m.now}); m.keeps(r) {
		m.lay(r)
	} else {
		m.promise()
		m.destroy(ask, made.word)
	}
	m.freePlace()
	if m.closed || m.draining {
		return core.Closed
	}
	return core.OK
}

// checkUp has a resource checked that will be idle again, if it is good.
func (m *model) checkUp(ask asker, r *thingy) bool {
	m.ahead++
	defer func() { m.ahead-- }()
	return ask(core.AskHealthcheck, r.word).ok
}

// pass is one of the healthcheck: at each turn it replaces what is missing, or looks at the next one.
func (m *model) pass(c *client, ask asker) core.Status {
	m.loseProbes()
	m.passes++
	m.checked = 0
	number := m.passes
	visits := 0
	if m.asks&core.AsksHealthcheck != 0 || m.lifetime != 0 || m.uses != 0 || m.idleTimeout != 0 {
		visits = m.rests()
	}
	failed := false
	for {
		failed = failed || (m.short() || m.lacks()) && !m.mayCreate()
		switch {
		case m.closed || m.draining:
			return core.Closed
		case c.cancelled:
			return core.Cancelled
		case (m.short() || m.lacks()) && !failed:
			switch m.createAhead(c, ask) {
			case core.Factory:
				failed = true
			case core.Closed:
				return core.Closed
			}
			continue
		}
		if visits == 0 || len(m.idle) == m.checked || m.idle[m.checked].seenSince(number) {
			break
		}
		visits--
		worn := m.worn(m.idle[m.checked]) || m.spare(m.idle[m.checked])
		r := m.takeAt(m.checked)
		if !worn && m.asks&core.AsksHealthcheck == 0 {
			m.layChecked(r)
			continue
		}
		m.busy++
		if !worn && m.checkUp(ask, r) && m.keeps(r) {
			m.layChecked(r)
		} else {
			m.destroy(ask, r.word)
		}
		m.freePlace()
	}
	if failed {
		return core.Factory
	}
	return core.OK
}

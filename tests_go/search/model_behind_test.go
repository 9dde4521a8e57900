package search

import "asyncpool/pool/core"

// The rules of the model about what is made behind.

// probing says whether those who are served are probes of a strategy that counts creations alone.
func (m *model) probing() bool {
	return m.failures != 0 && m.counting == core.CountCreations && m.circuit == core.Recovering
}

// due is how many creations shall begin.
func (m *model) due() int {
	room := int(m.max) - m.rests() - m.active()
	if m.probing() {
		room = m.free()
	}
	n := min(len(m.line)-m.makers, room)
	if m.circuit == core.Recovering {
		n = min(n, int(m.limit)-len(m.slots))
	}
	switch {
	case !m.behind || m.closed || m.putsOff() && !m.over:
		return 0
	case m.putsOff():
		n = min(n, 1)
	}
	return max(n, 0)
}

// beyond is how many are made that nobody waits for any more.
func (m *model) beyond() int { return max(m.makers-len(m.line), 0) }

// makeBehind makes a resource for the first in line, whoever that will be.
func (m *model) makeBehind(c *client, ask asker) core.Status {
	switch {
	case m.closed:
		return core.Closed
	case m.due() == 0:
		return core.Empty
	}
	full := m.rests()+m.active() >= int(m.max)
	m.makers++
	m.busy++
	m.over = false
	m.probes(c)
	if full {
		r := &thingy{}
		if len(m.doomed) > 0 {
			r, m.doomed = m.doomed[0], m.doomed[1:]
		} else {
			r = m.next()
		}
		ask(core.AskDestroy, r.word)
		lets := m.admits() || m.slots[c.slot]
		above := m.rests()+m.active() > int(m.max)
		if m.closed || c.cancelled || !lets || above || len(m.line) < m.makers || !m.mayCreate() {
			return m.makesNone(c)
		}
		m.probes(c)
	}
	evicts := m.evicts
	made := m.makes(c, ask)
	if !made.ok {
		if c.cancelled || made.later == 0 && m.retry == 0 {
			m.deny()
		}
		if !c.cancelled && made.later == 0 {
			m.makers--
			m.busy--
			m.count(c.opening, core.CountCreations, false)
			m.makers++
			m.busy++
		}
		m.makesNone(c)
		return core.Factory
	}
	m.makers--
	if m.failures != 0 && m.counting == core.CountCreations {
		m.count(c.opening, core.CountCreations, true)
	}
	r := &thingy{word: made.word, evicts: evicts, since: m.passes, born: m.now, came: m.now}
	switch {
	case m.closed:
		ask(core.AskDestroy, r.word)
		m.freePlace()
		return core.Closed
	case !m.keeps(r):
		m.promise()
		m.destroy(ask, r.word)
	default:
		useful := m.slots[c.slot] || !m.probing()
		delete(m.slots, c.slot)
		if useful && len(m.line) > 0 && m.free() >= 0 && m.admits() {
			m.hand(r)
		} else {
			m.lay(r)
		}
	}
	m.freePlace()
	return core.OK
}

// probes makes one that creates a probe, while the breaker recovers.
func (m *model) probes(c *client) {
	if m.circuit == core.Recovering && !m.slots[c.slot] {
		m.takeSlot(c)
	}
	c.opening = m.openings
}

// makesNone ends one that has a place, and has made nothing.
func (m *model) makesNone(c *client) core.Status {
	m.makers--
	delete(m.slots, c.slot)
	m.freePlace()
	if m.closed {
		return core.Closed
	}
	return core.Empty
}

// deny sends the first in line away.
func (m *model) deny() {
	if len(m.line) > 0 {
		m.line[0].told = core.Factory
		m.woken = append(m.woken, m.line[0])
		m.line = m.line[1:]
	}
}

// hand promises what was made to the first in line.
func (m *model) hand(r *thingy) {
	c := m.line[0]
	m.line = m.line[1:]
	m.woken = append(m.woken, c)
	if m.circuit == core.Recovering {
		m.takeSlot(c)
	}
	c.opening = m.openings
	m.turns++
	c.turn = m.turns
	c.kept, c.made = r, true
	m.promised = append(m.promised, c)
}

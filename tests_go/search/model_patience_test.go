package search

import (
	"slices"

	"asyncpool/pool/core"
)

// The rules of the model about creations that fail, or are put off.

func (m *model) putsOff() bool { return m.until != 0 }

func (m *model) mayCreate() bool { return !m.putsOff() || m.making == 0 && m.now >= m.until }

// grants says whether those in line have a use for a free place.
func (m *model) grants() bool {
	return !m.putsOff() && !m.behind || len(m.idle) > 0 && !m.probing()
}

// makes asks for a resource, and takes note of what came of it. Whatever had begun before a pause is no reason for
// another.
func (m *model) makes(c *client, ask asker) reply {
	m.over = false
	m.making++
	round := m.round
	made := ask(core.AskCreate, 0)
	m.making--
	switch {
	case m.closed:
	case made.ok:
		m.pause, m.until = 0, 0
	case c.cancelled:
	case made.later != 0:
		m.until = max(m.until, m.now+made.later)
	case m.retry == 0 && m.now < m.until: // put off by another one
	case m.retry == 0:
		m.until = 0
	case round == m.round:
		m.pause = min(max(2*m.pause, m.retry), m.longest)
		m.until = max(m.until, m.now+m.pause)
		m.round++
	}
	return made
}

// standAgain puts one in line that had a place, or was promised one, before all who came later.
func (m *model) standAgain(c *client) {
	m.promised = without(m.promised, c)
	r := c.kept
	c.kept = nil
	m.handOn(r)
	delete(m.slots, c.slot)
	c.slot, c.turn, c.opening, c.made = nil, 0, m.openings, false
	if c.ticket == 0 {
		m.tickets++
		c.ticket, c.first = m.tickets, true
	}
	at := slices.IndexFunc(m.line, func(other *client) bool {
		if other.first != c.first {
			return c.first
		}
		return c.ticket < other.ticket
	})
	if at < 0 {
		at = len(m.line)
	}
	m.line = slices.Insert(m.line, at, c)
}

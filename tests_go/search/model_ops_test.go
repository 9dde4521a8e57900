package search

import (
	"slices"

	"asyncpool/pool"
)

// The course of each op.

func (m *model) acquire(c *client, ask asker) (pool.Status, uintptr) {
	first := true
	for {
		switch {
		case c.told != pool.OK:
			return c.told, 0
		case m.closed:
			return pool.Closed, 0
		case c.cancelled:
			return pool.Cancelled, 0
		}
		m.beDue()
		if !m.lets(c) {
			if !first || m.circuit != pool.Inactive || m.asks&pool.AsksShouldRecover == 0 {
				return pool.Unavail, 0
			}
			first = false
			if ask(pool.AskShouldRecover, 0).ok && m.circuit == pool.Inactive && !m.closed {
				m.move(pool.Recovering)
			}
			continue
		}
		if !first && m.now >= c.deadline && c.deadline != pool.Never {
			return pool.Timeout, 0
		}
		first = false
		if !m.entitled(c) {
			if c.verb == pool.KindTry {
				return pool.Empty, 0
			}
			m.queue(c)
			ask(pool.AskWait, 0)
			continue
		}
		if m.circuit == pool.Recovering && !m.slots[c.slot] && !m.claims(c) {
			m.takeSlot(c)
		}
		m.promised = without(m.promised, c)
		m.busy++
		c.opening = m.openings
		r := c.kept
		c.kept = nil
		if r == nil {
			if len(m.idle) == 0 {
				return m.create(c, ask)
			}
			r = m.idle[0]
			m.idle = m.idle[1:]
		}
		if ask(pool.AskBeforeAcquire, r.word).ok {
			m.busy--
			return m.lend(c, r)
		}
		ask(pool.AskDestroy, r.word)
		m.busy-- // and the place is the client's again, unless the pool is closed
		if !m.closed {
			m.hold(c)
		}
	}
}

func (m *model) create(c *client, ask asker) (pool.Status, uintptr) {
	made := ask(pool.AskCreate, 0)
	switch {
	case !made.ok:
		m.freePlace()
		if !c.cancelled {
			m.count(c.opening, false)
		}
		return pool.Factory, 0
	case m.closed:
		ask(pool.AskDestroy, made.word)
		m.freePlace()
		return pool.Closed, 0
	}
	m.busy--
	return m.lend(c, &thingy{word: made.word, since: m.passes})
}

func (m *model) lend(c *client, r *thingy) (pool.Status, uintptr) {
	r.opening, r.slot, c.slot = c.opening, c.slot, nil
	m.lent = append(m.lent, r)
	return pool.OK, r.word
}

func (m *model) release(c *client, ask asker) pool.Status {
	i := slices.IndexFunc(m.lent, func(r *thingy) bool { return r.word == c.word })
	if i < 0 {
		return pool.NotOwned
	}
	m.loseProbes()
	r := m.lent[i]
	m.lent = slices.Delete(m.lent, i, i+1)
	m.busy++
	c.slot, r.slot = r.slot, nil
	good := ask(pool.AskBeforeRelease, r.word).ok
	if !c.cancelled {
		m.count(r.opening, good)
		if good {
			ask(pool.AskReportSuccess, r.word)
		} else {
			ask(pool.AskReportFailure, r.word)
		}
	}
	if good && !m.closed {
		m.lay(r)
	} else {
		ask(pool.AskDestroy, r.word)
	}
	m.freePlace()
	return pool.OK
}

func (m *model) close(ask asker) pool.Status {
	m.closed = true
	m.sendAway(pool.Closed)
	for {
		var r *thingy
		if i := slices.IndexFunc(m.promised, func(c *client) bool { return c.kept != nil }); i >= 0 {
			r, m.promised[i].kept = m.promised[i].kept, nil
			m.promised = slices.Delete(m.promised, i, i+1)
		} else if len(m.idle) > 0 {
			r, m.idle = m.idle[0], m.idle[1:]
		} else {
			break
		}
		m.busy++
		ask(pool.AskDestroy, r.word)
		m.freePlace()
	}
	return pool.OK
}

func (m *model) fill(c *client, ask asker) pool.Status {
	if m.closed {
		return pool.Closed
	}
	for m.short() {
		if status := m.createAhead(ask); status != pool.OK {
			return status
		}
	}
	return pool.OK
}

// createAhead makes a resource that is idle then.
func (m *model) createAhead(ask asker) pool.Status {
	m.busy++
	made := ask(pool.AskCreate, 0)
	switch {
	case !made.ok:
		m.freePlace()
		return pool.Factory
	case m.closed:
		ask(pool.AskDestroy, made.word)
		m.freePlace()
		return pool.Closed
	}
	m.lay(&thingy{word: made.word})
	m.freePlace()
	return pool.OK
}

// pass is one of the healthcheck: at each turn it replaces what is missing, or looks at the next one.
func (m *model) pass(c *client, ask asker) pool.Status {
	m.loseProbes()
	m.passes++
	number := m.passes
	visits := 0
	if m.asks&pool.AsksHealthcheck != 0 {
		visits = m.rests()
	}
	failed := false
	for {
		switch {
		case m.closed:
			return pool.Closed
		case c.cancelled:
			return pool.Cancelled
		case m.short() && !failed:
			switch m.createAhead(ask) {
			case pool.Factory:
				failed = true
			case pool.Closed:
				return pool.Closed
			}
			continue
		}
		if visits == 0 || len(m.idle) == 0 || m.idle[0].seenSince(number) {
			break
		}
		visits--
		r := m.idle[0]
		m.idle = m.idle[1:]
		m.busy++
		if ask(pool.AskHealthcheck, r.word).ok && !m.closed {
			m.lay(r)
		} else {
			ask(pool.AskDestroy, r.word)
		}
		m.freePlace()
	}
	if failed {
		return pool.Factory
	}
	return pool.OK
}

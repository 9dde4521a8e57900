package tests_go

import (
	"iter"
	"slices"

	"asyncpool/pool/core"
)

// model is the pool of the documents, written down a second time: each op is a plain function that asks
// its questions where it has them, and everything is a slice. It shares no idea with the core but the
// words, and is what the core is compared with.
type model struct {
	setup    setup
	closed   bool
	idle     []uintptr // oldest first, without what is kept for clients
	lent     []uintptr
	busy     int       // places inside ops: a creation, a hook, a destruction
	line     []*client // who waits, in order
	promised []*client // who was promised a place and has not come for it, in that order
	tickets  uint64
	turns    uint64
	clients  [26]*client
}

// client is an actor of the model. Its op is a coroutine that stops at each question.
type client struct {
	verb      string
	word      uintptr // release: what is given back
	timeout   bool
	cancelled bool
	pending   bool
	woken     bool
	kept      uintptr // idle, and promised with the place; 0: nothing was idle
	ticket    uint64
	turn      uint64

	resume   func() (question, bool)
	question question
	reply    reply
	done     bool
	status   core.Status
	got      uintptr
}

type question struct {
	kind core.AskKind
	word uintptr
}

type reply struct {
	ok   bool
	word uintptr
	late bool
}

// do performs an action that fits, and tells what should be seen.
func (m *model) do(act action) outcome {
	i := act.actor - 'A'
	switch c := m.clients[i]; act.verb {
	case "acquire", "try", "release", "close", "fill":
		c = &client{verb: act.verb, word: act.word, timeout: act.timeout}
		c.resume, _ = iter.Pull(m.op(c))
		m.clients[i] = c
		m.goOn(c, reply{})
	case "cancel":
		// A second cancel of an op that has something to destroy changes nothing.
		if !c.done && !c.pending {
			c.cancelled = true
			m.goOn(c, reply{})
			c.pending = !c.done
		}
	case "next":
		c.pending = false
	default:
		ok := act.verb != "failed" && act.verb != "no"
		m.goOn(c, reply{ok: ok, word: act.word, late: act.late})
	}
	return m.outcome(m.clients[i])
}

// goOn gives the client the answer to its question.
func (m *model) goOn(c *client, r reply) {
	c.reply = r
	if q, more := c.resume(); more {
		c.question = q
	} else {
		c.done = true
		if c.cancelled {
			c.status, c.got = core.Cancelled, 0
		}
	}
}

// op is the coroutine of an op.
func (m *model) op(c *client) iter.Seq[question] {
	return func(yield func(question) bool) {
		ask := func(kind core.AskKind, word uintptr) reply {
			if bit := wanted[kind]; bit != 0 && m.setup.asks&bit == 0 {
				return reply{ok: true, late: c.reply.late}
			}
			yield(question{kind, word})
			return c.reply
		}
		switch c.verb {
		case "acquire", "try":
			c.status, c.got = m.acquire(c, ask)
			m.depart(c)
		case "release":
			c.status = m.release(c.word, ask)
		case "close":
			c.status = m.close(ask)
		case "fill":
			c.status = m.fill(ask)
		}
	}
}

// wanted are the asks that a host may leave out.
var wanted = map[core.AskKind]uint32{
	core.AskBeforeAcquire: core.AsksBeforeAcquire,
	core.AskBeforeRelease: core.AsksBeforeRelease,
	core.AskDestroy:       core.AsksDestroy,
}

type asker func(kind core.AskKind, word uintptr) reply

func (m *model) acquire(c *client, ask asker) (core.Status, uintptr) {
	late := false
	for {
		switch {
		case m.closed:
			return core.Closed, 0
		case c.cancelled:
			return core.Cancelled, 0
		case late && c.timeout:
			return core.Timeout, 0
		}
		if !slices.Contains(m.promised, c) && m.free() == 0 {
			if c.verb == "try" {
				return core.Empty, 0
			}
			m.joinLine(c)
			late = ask(core.AskWait, 0).late
			continue
		}
		m.promised = without(m.promised, c)
		m.busy++
		word := c.kept
		c.kept = 0
		if word == 0 {
			if len(m.idle) == 0 {
				return m.create(ask)
			}
			word = m.idle[0]
			m.idle = m.idle[1:]
		}
		if ask(core.AskBeforeAcquire, word).ok {
			m.busy--
			m.lent = append(m.lent, word)
			return core.OK, word
		}
		late = ask(core.AskDestroy, word).late
		m.busy-- // and the place is the client's again, unless the pool is closed
		if !m.closed {
			m.hold(c)
		}
	}
}

func (m *model) create(ask asker) (core.Status, uintptr) {
	made := ask(core.AskCreate, 0)
	switch {
	case !made.ok:
		m.freePlace()
		return core.Factory, 0
	case m.closed:
		ask(core.AskDestroy, made.word)
		m.freePlace()
		return core.Closed, 0
	}
	m.busy--
	m.lent = append(m.lent, made.word)
	return core.OK, made.word
}

func (m *model) release(word uintptr, ask asker) core.Status {
	i := slices.Index(m.lent, word)
	if i < 0 {
		return core.NotOwned
	}
	m.lent = slices.Delete(m.lent, i, i+1)
	m.busy++
	if ask(core.AskBeforeRelease, word).ok && !m.closed {
		m.lay(word)
	} else {
		ask(core.AskDestroy, word)
	}
	m.freePlace()
	return core.OK
}

func (m *model) close(ask asker) core.Status {
	m.closed = true
	for _, c := range m.line {
		c.woken = true
	}
	m.line = nil
	for {
		word := uintptr(0)
		if i := slices.IndexFunc(m.promised, func(c *client) bool { return c.kept != 0 }); i >= 0 {
			word, m.promised[i].kept = m.promised[i].kept, 0
			m.promised = slices.Delete(m.promised, i, i+1)
		} else if len(m.idle) > 0 {
			word, m.idle = m.idle[0], m.idle[1:]
		} else {
			break
		}
		m.busy++
		ask(core.AskDestroy, word)
		m.freePlace()
	}
	return core.OK
}

func (m *model) fill(ask asker) core.Status {
	if m.closed {
		return core.Closed
	}
	for uint32(m.rests()+m.active()) < m.setup.min && m.free() > 0 {
		m.busy++
		made := ask(core.AskCreate, 0)
		switch {
		case !made.ok:
			m.freePlace()
			return core.Factory
		case m.closed:
			ask(core.AskDestroy, made.word)
			m.freePlace()
			return core.Closed
		}
		m.lay(made.word)
		m.freePlace()
	}
	return core.OK
}

func (m *model) active() int { return len(m.lent) + m.busy }

// free is how many places are neither active nor promised.
func (m *model) free() int { return int(m.setup.max) - m.active() - m.reserved() }

// reserved is how many promises count: a close has ended all of them.
func (m *model) reserved() int {
	if m.closed {
		return 0
	}
	return len(m.promised)
}

// rests is how many resources are idle, for anybody or for somebody.
func (m *model) rests() int {
	n := len(m.idle)
	for _, c := range m.promised {
		if c.kept != 0 {
			n++
		}
	}
	return n
}

// hold promises a place to a client, and the oldest idle resource with it.
func (m *model) hold(c *client) {
	m.promised = append(m.promised, c)
	if len(m.idle) > 0 {
		c.kept, m.idle = m.idle[0], m.idle[1:]
	}
}

// lay makes a resource idle: for who was promised a place first and has none, or for anybody.
func (m *model) lay(word uintptr) {
	if !m.keep(word) {
		m.idle = append(m.idle, word)
	}
}

func (m *model) keep(word uintptr) bool {
	i := slices.IndexFunc(m.promised, func(c *client) bool { return c.kept == 0 })
	if i >= 0 {
		m.promised[i].kept = word
	}
	return i >= 0
}

// freePlace ends the use of a place by an op.
func (m *model) freePlace() {
	m.busy--
	m.promise()
}

// promise promises free places to those who wait, in order.
func (m *model) promise() {
	for len(m.line) > 0 && m.free() > 0 {
		c := m.line[0]
		m.line = m.line[1:]
		m.hold(c)
		m.turns++
		c.turn = m.turns
		c.woken = true
	}
}

func (m *model) joinLine(c *client) {
	if !slices.Contains(m.line, c) {
		m.line = append(m.line, c)
		m.tickets++
		c.ticket = m.tickets
	}
}

// depart takes the client out of the line, and hands on what it was promised.
func (m *model) depart(c *client) {
	m.line = without(m.line, c)
	m.promised = without(m.promised, c)
	if c.kept != 0 && !m.keep(c.kept) {
		m.idle = slices.Insert(m.idle, 0, c.kept)
	}
	m.promise()
}

func without(clients []*client, c *client) []*client {
	return slices.DeleteFunc(clients, func(other *client) bool { return other == c })
}

func (m *model) outcome(c *client) outcome {
	o := outcome{
		pending: c.pending,
		idle:    uint32(m.rests()), active: uint32(m.active()),
		reserved: uint32(m.reserved()), waiting: uint32(len(m.line)),
		closed: m.closed,
	}
	for i, other := range m.clients {
		if other != nil && !other.done && other.question.kind == core.AskWait && other.woken {
			if o.woken != "" {
				o.woken += " "
			}
			o.woken += string(rune('A' + i))
		}
	}
	switch {
	case c.pending:
	case c.done:
		o.status, o.ticket, o.turn = c.status, c.ticket, c.turn
		if o.lends = c.status == core.OK && (c.verb == "acquire" || c.verb == "try"); o.lends {
			o.word = c.got
		}
	default:
		o.kind, o.word = c.question.kind, c.question.word
		if o.kind == core.AskWait {
			o.ticket = c.ticket
		}
	}
	return o
}

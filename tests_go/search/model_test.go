package search

import (
	"iter"

	"asyncpool/pool/core"
)

// model is the pool of the documents with breaker, passes and strategies, written down in the plainest way:
// each op is a function that asks its questions where it has them, and everything is a slice. It is a third
// account, beside the core's and that of the search, with which it shares nothing. There is no limit on how
// many take part.
type model struct {
	options
	closed   bool
	draining bool      // newcomers are sent away
	drains   []*client // those that wait for the pool to be empty
	circuit  core.Circuit
	openings int
	since    int64          // when the breaker's term began
	slots    map[*slot]bool // taken in this term
	row      uint32         // failures or successes in a row
	pause    int64          // the last one after a creation that failed; 0: the last one did not
	until    int64          // none begins before; 0: nothing is put off
	round    int            // pauses begun
	making   int            // creations under way
	makers   int            // of those who make behind, or make room for it
	over     bool           // it was seen that the pause is over
	idle     []*thingy      // oldest first, without what is kept for clients
	doomed   []*thingy      // those that are evicted
	evicts   int
	checked  int // with lifo: so many of them, from the oldest on, the last pass has looked at
	lent     []*thingy
	busy     int       // places inside ops
	going    int       // of them, with a resource that is on its way out, and the place with it
	purges   int       // idle resources that are being destroyed by ops for that
	ahead    int       // resources that fills and passes make or check
	line     []*client // in the order in which they came
	promised []*client // in the order of their promises
	woken    []*client // by the last action
	ops      int
	passes   int    // begun
	tickets  uint64 // given to those who joined the line
	turns    uint64 // and to those who were promised a place there
	now      int64
}

// options are what a pool is like; some of it changes.
type options struct {
	max, min, limit     uint32
	waiting             uint32 // in line, at most; 0: any number
	asks                uint32
	failures, successes uint32
	counting            uint32 // core.CountX, while failures is not 0
	openFor             int64
	retry, longest      int64  // the pause after a creation that failed, and at most; 0: there is none
	old                 bool   // the numbers that only grow are about to wrap
	behind              bool   // clients wait for what others make
	lifo                bool   // what came back last is lent first
	lifetime            uint32 // ticks
	uses                uint32 // lends of one resource
	idleTimeout         uint32 // ticks
	checkAfter          uint32 // ticks
	minIdle             uint32 // so many are kept idle
}

// slot is a probe's: it goes from a promise to an op to what it lends, and back through a release.
type slot struct{ _ byte }

// thingy is a resource.
type thingy struct {
	word    uintptr
	opening int // openings of the breaker when its lease took its place
	slot    *slot
	since   int // passes begun when it became idle
	evicts  int // begun before it was made
	born    int64
	came    int64 // when it came back, was made, or was first seen idle by a pass
	dated   bool
	uses    uint32
}

// client is an op of the model: a coroutine that stops at each question.
type client struct {
	verb      core.Kind
	word      uintptr
	deadline  int64
	min, max  uint32 // what a resize says; min: what a trim keeps
	cancelled bool
	pending   bool
	told      core.Status // it was sent away from the line
	slot      *slot
	opening   int     // openings when it was promised its place
	kept      *thingy // idle, and promised with the place
	ticket    uint64
	first     bool // it had a place before it was in line
	made      bool // what is kept for it was made for it
	turn      uint64
	resume    func() (question, bool)
	question  question
	reply     reply
	done      bool
	status    core.Status
	got       uintptr
}

type question struct {
	kind core.AskKind
	word uintptr
}

type reply struct {
	ok    bool
	word  uintptr
	later int64 // a factory puts it off for so long
}

// patience is the least time that a probe of the built-in strategy has: pool_strategy_threshold.
const patience = 30_000_000_000

// start begins an op.
func (m *model) start(c *client) {
	m.woken = nil
	m.ops++
	c.resume, _ = iter.Pull(m.op(c))
	m.goOn(c, reply{})
	m.callDrains()
}

// answer goes on with an op.
func (m *model) answer(c *client, r reply) {
	m.woken = nil
	m.goOn(c, r)
	m.callDrains()
}

// cancel ends an op early.
func (m *model) cancel(c *client) {
	m.woken = nil
	if !c.done && !c.pending {
		c.cancelled = true
		m.goOn(c, reply{})
		c.pending = !c.done
	}
	m.callDrains()
}

func (m *model) goOn(c *client, r reply) {
	c.reply = r
	q, more := c.resume()
	if more {
		c.question = q
		return
	}
	c.done = true
	m.ops--
	if c.cancelled {
		c.status, c.got = core.Cancelled, 0
	}
}

type asker func(kind core.AskKind, word uintptr) reply

// wanted are the asks that a host may leave out.
var wanted = map[core.AskKind]uint32{
	core.AskBeforeAcquire: core.AsksBeforeAcquire, core.AskBeforeRelease: core.AsksBeforeRelease,
	core.AskDestroy: core.AsksDestroy, core.AskReportSuccess: core.AsksReports,
	core.AskReportFailure: core.AsksReports, core.AskShouldRecover: core.AsksShouldRecover,
	core.AskHealthcheck: core.AsksHealthcheck,
}

func (m *model) op(c *client) iter.Seq[question] {
	return func(yield func(question) bool) {
		ask := func(kind core.AskKind, word uintptr) reply {
			if bit := wanted[kind]; bit != 0 && m.asks&bit == 0 {
				return reply{ok: true}
			}
			yield(question{kind, word})
			return c.reply
		}
		switch c.verb {
		case core.KindAcquire, core.KindTry:
			c.status, c.got = m.acquire(c, ask)
			m.giveUp(c, ask)
		case core.KindRelease:
			c.status = m.release(c, ask)
		case core.KindDiscard, core.KindDetach:
			c.status = m.takeOut(c, ask)
		case core.KindClose:
			c.status = m.close(ask)
		case core.KindResize:
			c.status = m.resize(c, ask)
		case core.KindDrain:
			c.status = m.drain(c, ask)
		case core.KindEvict:
			c.status = m.evict(ask)
		case core.KindTrim:
			c.status = m.trim(c, ask)
		case core.KindFill:
			c.status = m.fill(c, ask)
		case core.KindBehind:
			c.status = m.makeBehind(c, ask)
		case core.KindSweep:
			c.status = m.pass(c, ask)
		}
		m.depart(c)
	}
}

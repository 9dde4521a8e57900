package search

import (
	"strings"
	"testing"

	"asyncpool/pool"
)

// The search is tested with cores that are broken on purpose: each must be found, by pool.Check or by the
// account, and by the account alone.

// broken is a core with a defect: something happens instead of a step, before it or after it.
type broken struct {
	*pool.Core
	st *pool.State
	defect
}

// defect is one way to be wrong.
type defect struct {
	name     string
	world    World
	expected string           // what the account says
	instead  func(*call) bool // true: the core is not asked
	before   func(*call)
	after    func(*call)
	move     func(b *broken, to pool.Circuit, now int64) pool.Status // instead of SetCircuit
}

// call is one call of the core.
type call struct {
	core   *pool.Core
	st     *pool.State
	op     *pool.Op
	was    pool.Op     // the op before the call
	wasAll pool.State  // and the state
	answer pool.Answer // zero when the op is cancelled
	ask    *pool.Ask   // nil when the op is cancelled
}

func (b *broken) Next(op *pool.Op, answer *pool.Answer, ask *pool.Ask) {
	b.do(&call{core: b.Core, st: b.st, op: op, was: *op, wasAll: *b.st, answer: *answer, ask: ask})
}

func (b *broken) Cancel(op *pool.Op) pool.Status {
	return b.do(&call{core: b.Core, st: b.st, op: op, was: *op, wasAll: *b.st})
}

func (b *broken) do(c *call) pool.Status {
	if b.instead != nil && b.instead(c) {
		return pool.OK
	}
	if b.before != nil {
		b.before(c)
	}
	var status pool.Status
	if c.ask == nil {
		status = c.core.Cancel(c.op)
	} else {
		c.core.Next(c.op, &c.answer, c.ask)
	}
	if b.after != nil {
		b.after(c)
	}
	return status
}

func (b *broken) SetCircuit(to pool.Circuit, now int64) pool.Status {
	if b.move != nil {
		return b.move(b, to, now)
	}
	return b.Core.SetCircuit(to, now)
}

// newcomer says whether the op is one that comes, and not for a place that it was promised.
func (c *call) newcomer() bool {
	return c.ask != nil && c.op.Step == pool.StepBegin && c.op.Kind <= pool.KindTry
}

// expose puts what was promised first into the queue, too.
func (c *call) expose() {
	putQueuedBack(c.st, c.st.Bound.Head.Entry)
}

// ended says whether the call was the end of the op.
func (c *call) ended() bool { return c.was.Step != pool.StepDone && c.op.Step == pool.StepDone }

// closed says whether the pool is closed.
func (c *call) closed() bool { return c.st.Gate&pool.GateClosed != 0 }

// openly does the call as if the pool were not closed, when it is.
func (c *call) openly() {
	closed := c.st.Gate & pool.GateClosed
	c.st.Gate &^= closed
	c.core.Next(c.op, &c.answer, c.ask)
	c.st.Gate |= closed
}

// again asks for the same once more, and says so; the second time it does not.
func (c *call) again(step pool.Step, kind pool.AskKind) bool {
	if c.ask == nil || c.op.Step != step || c.op.Guard != 0 {
		return false
	}
	c.op.Guard = 1
	*c.ask = pool.Ask{Kind: kind, Resource: c.op.Resource}
	return true
}

func TestTheSearchFindsBrokenCores(t *testing.T) {
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for _, blind := range []bool{false, true} {
				w := d.world
				w.Name, w.Blind = d.name, blind
				w.Wrap = func(core *pool.Core, st *pool.State) Machine { return &broken{core, st, d} }
				report, violation, err := w.Search(1_000_000)
				switch {
				case err != nil:
					t.Fatal(err)
				case violation == nil:
					t.Fatalf("blind %t: not found in %d states", blind, report.States)
				case blind && !strings.Contains(violation.Err.Error(), d.expected):
					t.Fatalf("expected %q\n%s", d.expected, violation)
				case blind:
					t.Logf("%s", violation)
				}
			}
		})
	}
}

// TestTheWorldsOfTheDefectsAreGood: it is the defect that is found, and nothing else.
func TestTheWorldsOfTheDefectsAreGood(t *testing.T) {
	if slow {
		t.Skip("the race detector has nothing to find here")
	}
	for _, d := range defects {
		w := d.world
		w.Name = d.name
		if _, violation, err := w.Search(1_000_000); err != nil || violation != nil {
			t.Fatal(err, violation)
		}
	}
}

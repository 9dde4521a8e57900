package search

import (
	"strings"
	"testing"

	"asyncpool/pool/core"
)

// The search is tested with cores that are broken on purpose: each must be found, by core.Check or by the
// account, and by the account alone.

// broken is a core with a defect: something happens instead of a step, before it or after it.
type broken struct {
	*core.Core
	st *core.State
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
	move     func(b *broken, to core.Circuit, now int64) core.Status // instead of SetCircuit
}

// call is one call of the core.
type call struct {
	core   *core.Core
	st     *core.State
	op     *core.Op
	was    core.Op     // the op before the call
	wasAll core.State  // and the state
	answer core.Answer // zero when the op is cancelled
	ask    *core.Ask   // nil when the op is cancelled
}

func (b *broken) Next(op *core.Op, answer *core.Answer, ask *core.Ask) {
	b.do(&call{core: b.Core, st: b.st, op: op, was: *op, wasAll: *b.st, answer: *answer, ask: ask})
}

func (b *broken) Cancel(op *core.Op) core.Status {
	return b.do(&call{core: b.Core, st: b.st, op: op, was: *op, wasAll: *b.st})
}

func (b *broken) do(c *call) core.Status {
	if b.instead != nil && b.instead(c) {
		return core.OK
	}
	if b.before != nil {
		b.before(c)
	}
	var status core.Status
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

func (b *broken) SetCircuit(to core.Circuit, now int64) core.Status {
	if b.move != nil {
		return b.move(b, to, now)
	}
	return b.Core.SetCircuit(to, now)
}

// newcomer says whether the op is one that comes, and not for a place that it was promised.
func (c *call) newcomer() bool {
	return c.ask != nil && c.op.Step == core.StepBegin && c.op.Kind <= core.KindTry
}

// expose puts what was promised first into the queue, too.
func (c *call) expose() {
	putQueuedBack(c.st, c.st.Bound.Head.Entry)
}

// ended says whether the call was the end of the op.
func (c *call) ended() bool { return c.was.Step != core.StepDone && c.op.Step == core.StepDone }

// closed says whether the pool is closed.
func (c *call) closed() bool { return c.st.Gate&core.GateClosed != 0 }

// openly does the call as if the pool were not closed, when it is.
func (c *call) openly() {
	closed := c.st.Gate & core.GateClosed
	c.st.Gate &^= closed
	c.core.Next(c.op, &c.answer, c.ask)
	c.st.Gate |= closed
}

// roomily does the call as if a pool that has shrunk had not. False: it has not, and nothing was done.
func (c *call) roomily() bool {
	if c.st.Gate&core.GateAbove == 0 {
		return false
	}
	places := c.st.MaxSize
	c.st.MaxSize = maxWords
	if c.ask != nil {
		c.core.Next(c.op, &c.answer, c.ask)
	} else {
		c.core.Cancel(c.op)
	}
	c.st.MaxSize = places
	return true
}

// relabel has the op's resource be one that is not evicted.
func (c *call) relabel() {
	if e := entry(c.st, c.op.Entry); e.Label != uint8(c.st.Label) {
		e.Label = uint8(c.st.Label)
		c.st.Evicted--
	}
}

// again asks for the same once more, and says so; the second time it does not.
func (c *call) again(step core.Step, kind core.AskKind) bool {
	if c.ask == nil || c.op.Step != step || c.op.Magic != 0 {
		return false
	}
	c.op.Magic = 1
	*c.ask = core.Ask{Kind: kind, Resource: c.op.Resource}
	return true
}

// Shows I1 to I5, I7, I8.
func TestTheSearchFindsBrokenCores(t *testing.T) {
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for _, blind := range []bool{false, true} {
				w := d.world
				w.Name, w.Blind = d.name, blind
				w.Wrap = func(machine *core.Core, st *core.State) Machine { return &broken{machine, st, d} }
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

// TestTheWorldsOfTheDefectsAreGood: it is the defect that is found, and nothing else. Shows I1 to I5, I7, I8.
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

package search

import (
	"fmt"
	"testing"

	"asyncpool/pool/core"
)

// lost are worlds in which probes may be out for ever: the breaker moves by itself, and by hand or with strategies that
// come and go, while others stand in line already.
var lost = []World{
	{Name: "lost", Max: 2, Min: 1, Asks: core.AsksBeforeAcquire, Callers: four, Failures: 1, Successes: 2},
	{Name: "lost-by-hand", Max: 2, Callers: three, Hand: anywhere, Failures: 1, Successes: 2},
	{Name: "lost-and-swap", Max: 2, Asks: core.AsksReports, Callers: []Caller{plain, plain, plain}, Hand: anywhere,
		Swap: true, Failures: 1, Successes: 2},
	{Name: "lost-listed", Max: 2, Callers: []Caller{plain, plain, plain}, Hand: anywhere, Failures: 1, Successes: 2,
		Listed: true},
}

// TestNobodyWaitsForLostProbes: in each state in which the probes are out, a place is free and somebody stands in line,
// time alone helps, whenever who stands there came. Whoever is first in line comes back when it said it would, or at
// once if it is told to look, and is served.
func TestNobodyWaitsForLostProbes(t *testing.T) {
	for _, w := range lost {
		t.Run(w.Name, func(t *testing.T) {
			if slow {
				w.Callers = w.Callers[:len(w.Callers)-1]
			}
			looked := 0
			w.Look = func(b *Board) error {
				a := &b.account
				if a.line.n == 0 || a.free() <= 0 || a.circuit != core.Recovering || !a.builtIn {
					return nil
				}
				looked++
				return b.timeHelps()
			}
			if _, violation, err := w.Search(5_000_000); err != nil || violation != nil {
				t.Fatal(err, violation)
			}
			if looked == 0 && !slow {
				t.Error("nobody ever waited while the probes were out and a place was free")
			}
			t.Logf("%d looks", looked)
		})
	}
}

// timeHelps lets time pass, and the first in line go on when it shall.
func (b *Board) timeHelps() error {
	a, first := &b.account, b.account.line.items[0]
	op := &b.memory.ops[first]
	latest := a.now + 3*probeFor
	for a.line.has(first) { // the probes may be others by then, which have their time as well
		if op.Flags&core.FlagCalled != 0 {
			if err := b.Do(Move{first, Yes, 0}); err != nil {
				return err
			}
			continue
		}
		if op.Until > latest {
			return fmt.Errorf("%s waits for lost probes until %d, and it is %d", b.world.nameOf(int(first)), op.Until, a.now)
		}
		if a.now >= latest {
			return fmt.Errorf("%s looks for lost probes, and goes on waiting", b.world.nameOf(int(first)))
		}
		a.now = max(a.now, op.Until)
		if err := b.Do(Move{first, Yes, 0}); err != nil {
			return err
		}
	}
	return nil
}

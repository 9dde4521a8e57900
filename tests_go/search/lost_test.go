package search

import (
	"fmt"
	"testing"

	"asyncpool/pool"
)

// TestNobodyWaitsForLostProbes: in each state in which the probes are out, a place is free and somebody stands in line,
// time alone helps. Whoever is first in line comes back when it said it would, and is served.
func TestNobodyWaitsForLostProbes(t *testing.T) {
	looked := 0
	w := World{Name: "lost", Max: 2, Min: 1, Asks: pool.AsksBeforeAcquire, Callers: four, Failures: 1, Successes: 2}
	if slow {
		w.Callers = three
	}
	w.Look = func(b *Board) error {
		a := &b.account
		if a.line.n == 0 || a.free() <= 0 || a.circuit != pool.Recovering || !a.builtIn {
			return nil
		}
		first := a.line.items[0]
		op := &b.memory.ops[first]
		if op.Until == pool.Never || a.parties[first].timed {
			return nil // it told so before the breaker recovered; or it has a deadline
		}
		looked++
		for range 2 { // the probes may be others by then, which have their time as well
			a.now = max(a.now, op.Until)
			if err := b.Do(Move{first, Yes, 0}); err != nil {
				return err
			}
			if !a.line.has(first) {
				return nil
			}
		}
		return fmt.Errorf("%s looks for lost probes, and goes on waiting", b.world.nameOf(int(first)))
	}
	if _, violation, err := w.Search(5_000_000); err != nil || violation != nil {
		t.Fatal(err, violation)
	}
	if looked == 0 {
		t.Error("nobody ever waited while the probes were out and a place was free")
	}
	t.Logf("%d looks", looked)
}

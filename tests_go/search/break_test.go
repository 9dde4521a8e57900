package search

import (
	"fmt"
	"testing"

	"asyncpool/pool/core"
)

// TestABrokenPoolTellsEverybody breaks the core in each state of a world, as a driver does that caught a
// panic of it. Whoever waits is woken, in order; who was busy and who comes later is told INTERNAL.
func TestABrokenPoolTellsEverybody(t *testing.T) {
	broken := 0
	w := World{Name: "break", Max: 2, Min: 1, Asks: allAsks, Callers: two, Sweepers: 1, Closers: 1, Fillers: 1}
	w.Look = func(b *Board) error {
		broken++
		b.core.(*core.Core).Break()
		for i := range b.account.line.n {
			op := b.memory.state.Ready.Head
			if op == nil || op.Host != uintptr(b.account.line.items[i]) {
				return fmt.Errorf("a break does not wake %s", b.world.nameOf(int(b.account.line.items[i])))
			}
			unlink(&b.memory.state.Ready, op)
		}
		b.memory.ops[maxActors] = core.Op{Kind: core.KindAcquire, Deadline: core.Never}
		for i := range b.memory.ops {
			if i < maxActors && !b.account.parties[i].busy {
				continue
			}
			if err := b.tryBroken(&b.memory.ops[i], i%2 == 0); err != nil {
				return err
			}
		}
		if b.memory.state.Waiters != (core.List{}) || b.memory.state.Ready != (core.List{}) {
			return fmt.Errorf("an op of a broken pool is still in a list")
		}
		return nil
	}
	report, violation, err := w.Search(1_000_000)
	if err != nil || violation != nil {
		t.Fatal(err, violation)
	}
	if broken != report.States || broken < 1000 {
		t.Errorf("%d states, broken in %d", report.States, broken)
	}
}

// tryBroken goes on with an op of a broken pool, or cancels it.
func (b *Board) tryBroken(op *core.Op, cancel bool) error {
	if cancel {
		if status := b.core.Cancel(op); status != core.Internal {
			return fmt.Errorf("the cancel of an op of a broken pool is answered with %s", statusNames[status])
		}
	}
	var ask core.Ask
	for range 2 {
		b.core.Next(op, &core.Answer{OK: true}, &ask)
		if ask.Kind != core.AskDone || ask.Status != core.Internal || ask.Resource != 0 {
			return fmt.Errorf("an op of a broken pool is told %s", textOf(&ask))
		}
	}
	return nil
}

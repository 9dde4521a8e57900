package search

import (
	"fmt"
	"slices"
	"testing"

	"asyncpool/pool/core"
)

// future is what may come next, without names: sorted.
type future []string

func (b *Board) future() (future, error) {
	here := situation{*b.memory, b.account}
	var f future
	for _, m := range b.Moves(nil) {
		if err := b.Do(m); err != nil {
			return nil, err
		}
		told := b.told.Kind
		if m.Actor == noActor {
			told = 0
		}
		f = append(f, fmt.Sprint(m.Verb, told, b.told.Status, b.Key()))
		b.restore(&here)
	}
	slices.Sort(f)
	return f, nil
}

// TestStatesOfOneKeyHaveOneFuture: the search looks at the first state of each key, and what it leaves out
// is like it. Here two states of a key are both looked at. Shows I1 to I5, I7, I8.
func TestStatesOfOneKeyHaveOneFuture(t *testing.T) {
	pairs := 20_000
	if slow {
		pairs = 1000
	}
	for _, w := range []World{
		{Name: "places", Max: 2, Asks: hooks, Callers: three, Closers: 2},
		{Name: "sweeps", Max: 2, Min: 2, Asks: allHooks, Callers: two, Sweepers: 1, Closers: 1},
		{Name: "breaker", Max: 1, Asks: allAsks, Callers: two, Sweepers: 1, Hand: anywhere},
		{Name: "strategies", Max: 2, Asks: allAsks, Callers: two, Hand: anywhere,
			Swap: true, Failures: 2, Successes: 2},
		{Name: "listed", Max: 1, Asks: hooks, Callers: three, Hand: anywhere, Listed: true},
		{Name: "full line", Max: 1, Asks: hooks, Callers: []Caller{plain, plain, plain, plain}, Closers: 1, Waiting: 1},
		{Name: "leaks", Max: 2, Asks: core.AsksLeaked | hooks, Callers: two, Sweepers: 1, LeakAfter: 1,
			Glances: 1},
		{Name: "memory", Max: 2, Min: 1, Asks: core.AsksReports, Callers: two, Sweepers: 1,
			Fillers: 1, Starve: true},
	} {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			b, err := NewBoard(&w)
			if err != nil {
				t.Fatal(err)
			}
			first := situation{*b.memory, b.account}
			futures := map[Key]future{}
			queue := [][]Move{nil}
			compared := 0
			for len(queue) > 0 && compared < pairs {
				history := queue[0]
				queue = queue[1:]
				b.restore(&first)
				for _, m := range history {
					if err := b.Do(m); err != nil {
						t.Fatal(err)
					}
				}
				key := b.Key()
				f, err := b.future()
				if err != nil {
					t.Fatal(err)
				}
				if known, ok := futures[key]; ok {
					compared++
					if !slices.Equal(known, f) {
						t.Fatalf("two states of one key; one goes on with\n%v\nthe other with\n%v\n%s",
							known, f, &Violation{History: history, world: &w})
					}
					continue
				}
				futures[key] = f
				for _, m := range b.Moves(nil) {
					queue = append(queue, append(slices.Clone(history), m))
				}
			}
			t.Logf("%d keys, %d pairs", len(futures), compared)
			if compared < 1000 {
				t.Errorf("only %d pairs were compared", compared)
			}
		})
	}
}

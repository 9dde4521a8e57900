package search

import "testing"

// Shows I1 to I5, I7, I8.
func TestCirclesAreFound(t *testing.T) {
	for _, c := range []struct {
		next     []uint32
		expected int
	}{
		{[]uint32{0}, -1},
		{[]uint32{1, 2, 2}, -1},
		{[]uint32{2, 1, 1, 0}, -1},
		{[]uint32{1, 0}, 0},
		{[]uint32{3, 2, 1, 3}, 1},
		{[]uint32{0, 3, 1, 2, 1}, 1},
	} {
		if got := circles(c.next); got != c.expected {
			t.Errorf("circles(%v) is %d, not %d", c.next, got, c.expected)
		}
	}
}

// TestAStateAtRestMustBeEmpty: what the end of a way to rest is looked at for. Shows I1 to I5, I7, I8.
func TestAStateAtRestMustBeEmpty(t *testing.T) {
	for expected, spoil := range map[string]func(b *Board){
		"A waits for ever": func(b *Board) { b.account.parties[0].busy = true },
		"left: active 1, reserved 0, waiting 0, ops 0, probes 0": func(b *Board) { b.memory.state.Active = 1 },
		"left: active 0, reserved 0, waiting 0, ops 1, probes 0": func(b *Board) { b.memory.state.Ops = 1 },
		"left: active 0, reserved 0, waiting 0, ops 0, probes 1": func(b *Board) {
			b.memory.state.Breaker.Probes = 1
		},
		"left: 1 resources, 0 of them idle, closed false": func(b *Board) { b.memory.state.Registry.Live = 1 },
		"left: 1 resources, 1 of them idle, closed true": func(b *Board) {
			b.memory.state.Registry.Live, b.memory.state.Idle, b.account.closed = 1, 1, true
		},
	} {
		b, err := NewBoard(&World{Max: 1, Callers: two})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.atRest(); err != nil {
			t.Error(err)
		}
		spoil(b)
		if err := b.atRest(); err == nil || err.Error() != expected {
			t.Errorf("expected %q, got %v", expected, err)
		}
	}
}

package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// Nobody waits for ever: from each state there is a way on which everybody who waits is served or told,
// without the help of a deadline, a cancel, a close or the breaker. The search looks at two such ways. On
// both nobody begins anything new, who was woken comes back, and whoever holds a resource gives it back; on
// one all hooks say yes, on the other all say no. In the graph of all states these are paths of which each
// goes from one visited state to the next; they must not run in circles, and where one ends everything must
// have come to rest.

// ways are what the hooks say on each of them.
var ways = [2]Verb{Yes, No}

// onward is the next move on a way; false at its end.
func (b *Board) onward(says Verb) (Move, bool) {
	for i := range b.world.actors() {
		p := &b.account.parties[i]
		waits := p.asked == core.AskWait && b.memory.ops[i].Wake == 0
		switch {
		case !p.busy || waits && !p.unheard:
		case p.unheard:
			return Move{uint8(i), Hear, 0}, true
		case p.pauses || p.asked == core.AskCreate && b.world.patient(): // else for ever
			return Move{uint8(i), Yes, 0}, true
		case mayRefuse(p.asked):
			return Move{uint8(i), says, 0}, true
		default:
			return Move{uint8(i), Yes, 0}, true
		}
	}
	for i := range b.world.Callers {
		if b.account.parties[i].held != 0 {
			return Move{uint8(i), Release, uint8(i)}, true
		}
	}
	if b.account.due() > 0 {
		for i := range b.world.actors() {
			if i >= len(b.world.Callers) && b.world.kindOf(i) == core.KindBehind && !b.account.parties[i].busy {
				return Move{uint8(i), Make, 0}, true
			}
		}
	}
	if a := &b.account; a.line.n > 0 && a.putsOff() {
		if a.now < a.until {
			return Move{noActor, Elapse, 0}, true
		}
		if first := a.line.items[0]; b.memory.ops[first].Until <= a.now {
			return Move{first, Yes, 0}, true
		}
	}
	return Move{Actor: noActor}, false
}

// atRest tells what is wrong in a state from which no way leads on.
func (b *Board) atRest() error {
	a, st := &b.account, &b.memory.state
	for i := range a.parties {
		if a.parties[i].busy {
			return fmt.Errorf("%s waits for ever", b.world.nameOf(i))
		}
	}
	if st.Active != 0 || st.Reserved != 0 || st.Waiting != 0 || st.Ops != 0 || st.Breaker.Probes != 0 ||
		st.Waiters != (core.List{}) || st.Ready != (core.List{}) || st.Woken != (core.List{}) ||
		st.Bound != (core.Reservations{}) || st.Owed != (core.Reservations{}) || st.Called != nil {
		return fmt.Errorf("left: active %d, reserved %d, waiting %d, ops %d, probes %d",
			st.Active, st.Reserved, st.Waiting, st.Ops, st.Breaker.Probes)
	}
	if st.Registry.Live != st.Idle || a.closed && st.Idle != 0 {
		return fmt.Errorf("left: %d resources, %d of them idle, closed %t", st.Registry.Live, st.Idle, a.closed)
	}
	return nil
}

// circles finds a state whose way runs in circles, or -1. next is the following state on the way of each
// one; those at rest follow themselves.
func circles(next []uint32) int {
	const fresh, onPath, ends = 0, 1, 2
	marks := make([]uint8, len(next))
	for i := range next {
		j := uint32(i)
		for marks[j] == fresh {
			marks[j] = onPath
			j = next[j]
		}
		if marks[j] == onPath && next[j] != j {
			return int(j)
		}
		for j := uint32(i); marks[j] == onPath; j = next[j] {
			marks[j] = ends
		}
	}
	return -1
}

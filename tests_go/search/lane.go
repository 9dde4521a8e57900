package search

import (
	"fmt"

	"asyncpool/pool"
)

// The C driver takes and gives back idle resources without the core while the gate lets it (bridge/lane.h).
// This is the same in Go. Wherever it may be used, it must do what the core does, and in no more calls.

// laneMove does a caller's move in the lane; false: the gate does not let it, or it is not for the lane.
func (b *Board) laneMove(m Move) bool {
	switch m.Verb {
	case Acquire, AcquireTimed, AcquireLate, Try:
		return b.laneAcquire(m.Actor)
	case Release:
		return b.laneRelease(b.account.parties[m.Arg].held)
	}
	return false
}

func (b *Board) laneAcquire(actor uint8) bool {
	const harmless = pool.GateReleaseHook | pool.GateReports | pool.GateObserved
	st, a := &b.memory.state, &b.account
	if st.Gate&^harmless != 0 || st.Idle == 0 {
		return false
	}
	b.memory.idleEntry(0).State = pool.EntryLent
	st.Ring.Head++
	st.Idle--
	st.Active++
	word := a.idle.pop()
	a.things[word] = thing{where: lent, seen: a.things[word].seen}
	a.parties[actor].held = word
	return true
}

func (b *Board) laneRelease(word uint8) bool {
	const harmless = pool.GateAcquireHook | pool.GateReserved
	st, a := &b.memory.state, &b.account
	if st.Gate&^harmless != 0 {
		return false
	}
	e := b.memory.lentEntry(word)
	e.State, e.Flags = pool.EntryIdle, 0
	for i := range st.Registry.Fresh {
		if b.memory.entry(i) == e {
			b.memory.setIdle(st.Ring.Tail, i)
		}
	}
	st.Ring.Tail++
	st.Idle++
	st.Active--
	for i := range a.parties {
		if a.parties[i].held == word {
			a.parties[i].held = 0
		}
	}
	a.things[word] = thing{where: idle, seen: a.things[word].seen}
	a.idle.push(word)
	return true
}

// tryLane compares the lane with the core, whose answer to the same move has this key.
func (b *Board) tryLane(m Move, expected Key) error {
	if !b.laneMove(m) {
		return nil
	}
	if err := b.check(); err != nil {
		return fmt.Errorf("lane: %w", err)
	}
	if b.Key() != expected {
		return fmt.Errorf("lane: it does something else than the core")
	}
	return nil
}

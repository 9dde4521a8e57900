package search

import (
	"fmt"
	"unsafe"

	"asyncpool/pool/core"
	"asyncpool/tests_go/search/clane"
)

// The C driver takes and gives back idle resources, joins the line, hands places on and comes back to them
// without the core, where nothing is to be decided (bridge/lane.h and line.h). In each state each move is
// first shown to that code. What it leaves to the core it must not touch; what it does must leave the memory
// as the core leaves it, word by word: who is to be woken, in which order, with which ticket and turn.

// LaneWay is a way through the C code.
type LaneWay uint8

// The ways.
const (
	LaneAcquire  LaneWay = iota // an idle resource, without an op
	LaneTake                    // the same for an op
	LaneRelease                 // back to the idle ones
	LaneOwed                    // or to who is owed it
	LanePromise                 // and its place is promised to the first in line
	LaneJoin                    // the line
	LaneEarly                   // back too early
	LanePromised                // back to a promised place
	LaneCancel                  // away from the line
	laneWays
)

var laneNames = [laneWays]string{"acquire", "take", "release", "owed", "promise", "join", "early", "promised", "cancel"}

// lane is what the C code made of a move.
type lane struct {
	way      LaneWay
	resource uintptr
	waits    bool
	memory   memory
}

// tryLanes shows a move to the C code, in each way that fits it.
func (s *searcher) tryLanes(m Move) error {
	s.tried = 0
	s.board.keeps = false
	switch m.Verb {
	case Acquire, AcquireTimed, AcquireLate, Try:
		if err := s.tryLane(m, (*Board).laneAcquire); err != nil {
			return err
		}
		s.board.memory.ops[m.Actor] = s.board.opOf(m)
		return s.tryLane(m, (*Board).laneStep)
	case Release:
		return s.tryLane(m, (*Board).laneRelease)
	case Cancel:
		return s.tryLane(m, (*Board).laneCancel)
	case Yes, Late:
		if s.board.account.parties[m.Actor].asked == core.AskWait {
			s.board.tell(m)
			return s.tryLane(m, (*Board).laneStep)
		}
	}
	return nil
}

// tryLane goes one way, and back.
func (s *searcher) tryLane(m Move, way func(*Board, Move, *lane) bool) error {
	b, l, here := s.board, &s.lanes[s.tried], &s.path[len(s.path)-1].memory
	l.waits, l.resource = false, 0
	op := &b.memory.ops[m.Actor]
	before := *op
	if way(b, m, l) {
		l.memory = *b.memory
		*b.memory = *here
		s.tried++
		b.keeps = true
		return nil
	}
	untouched := *op == before
	*op = here.ops[m.Actor]
	if !untouched || *b.memory != *here {
		return fmt.Errorf("lane: it leaves a move to the core, and has changed something")
	}
	return nil
}

// compareLanes compares what the C code made of a move with what the core has made of it.
func (s *searcher) compareLanes() error {
	b := s.board
	for i := range s.tried {
		l := &s.lanes[i]
		s.report.Lane[l.way]++
		if b.told.Kind == core.AskWait != l.waits || b.told.Resource != l.resource {
			return fmt.Errorf("lane: resource %d, waits %t, and the core says %s", l.resource, l.waits, textOf(&b.told))
		}
		if l.memory != b.left {
			return fmt.Errorf("lane: it does something else than the core: %s", difference(&l.memory, &b.left))
		}
	}
	return nil
}

// difference tells where two memories differ first.
func difference(got, expected *memory) string {
	size, ops := unsafe.Sizeof(core.Op{}), unsafe.Offsetof(got.ops)
	for at := uintptr(0); at < unsafe.Sizeof(*got); at += 8 {
		a, b := *got.word(at), *expected.word(at)
		switch {
		case a == b:
		case at < ops:
			return fmt.Sprintf("%#x, not %#x, at %d of the state", a, b, at)
		case at < unsafe.Offsetof(got.entries):
			return fmt.Sprintf("%#x, not %#x, at %d of op %d", a, b, (at-ops)%size, (at-ops)/size)
		default:
			return fmt.Sprintf("%#x, not %#x, at %d of the memory", a, b, at)
		}
	}
	return "nothing"
}

func (m *memory) word(at uintptr) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(m), at)) }

func (b *Board) laneAcquire(_ Move, l *lane) bool {
	l.way, l.resource = LaneAcquire, clane.Acquire(&b.memory.state)
	return l.resource != 0
}

func (b *Board) laneRelease(m Move, l *lane) bool {
	st := &b.memory.state
	owed := st.Owed.Head != nil
	if !clane.Release(st, uintptr(b.account.parties[m.Arg].held)) {
		return false
	}
	switch {
	case st.Ready.Head != nil:
		l.way = LanePromise
	case owed:
		l.way = LaneOwed
	default:
		l.way = LaneRelease
	}
	return true
}

// laneCancel ends an op early.
func (b *Board) laneCancel(m Move, l *lane) bool {
	op := &b.memory.ops[m.Actor]
	if !clane.Cancel(&b.memory.state, op) {
		return false
	}
	l.way = LaneCancel
	*op = core.Op{}
	return true
}

// laneStep makes a step of an op, and lets go of it at its end, as heard does.
func (b *Board) laneStep(m Move, l *lane) bool {
	op := &b.memory.ops[m.Actor]
	begins, promised := op.Step == core.StepBegin, op.Flags&core.FlagHolds != 0
	if !clane.Step(&b.memory.state, op, b.account.now) {
		return false
	}
	l.waits, l.resource = op.Step == core.StepWait, op.Resource
	switch {
	case begins && l.waits:
		l.way = LaneJoin
	case begins:
		l.way = LaneTake
	case promised:
		l.way = LanePromised
	default:
		l.way = LaneEarly
	}
	if op.Step == core.StepDone {
		*op = core.Op{}
	}
	return true
}

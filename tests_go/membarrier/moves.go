package membarrier

import (
	"fmt"
	"math/bits"
)

// move is a step out of a state.
type move struct {
	who  int8
	does pc   // what the thread does
	whom int8 // and to which other one, or -1
	then state
	luck bool // it has no cause: nobody may count on it
}

// What is no step of a thread's own.
const (
	drains  = pcs + iota // its store reaches the memory
	changes              // the kernel begins or ceases to refuse membarrier(2)
	glances              // its processor looks early
)

func (m move) String() string {
	switch {
	case m.does == changes && m.then.refused:
		return "membarrier is refused from now on"
	case m.does == changes:
		return "membarrier is there again"
	case m.does == drains:
		return fmt.Sprintf("%d: its store reaches the memory", m.who)
	case m.does == glances:
		return fmt.Sprintf("%d: its processor looks early", m.who)
	case m.does == barrier && m.whom >= 0:
		return fmt.Sprintf("%d: has %d pass the barrier", m.who, m.whom)
	case m.does == wake && m.whom >= 0:
		return fmt.Sprintf("%d: wakes %d", m.who, m.whom)
	}
	return fmt.Sprintf("%d: %s", m.who, names[m.does])
}

// moves are the steps that can be taken out of a state.
type moves struct {
	*World
	from state
	all  []move
}

// add is a step of a thread, which does next what it is told.
func (m *moves) add(s state, i int, next pc) *move {
	t := &s.threads[i]
	t.pc = next
	if next == idle || next == stopped {
		t.lock, t.timed = 0, false
	}
	m.all = append(m.all, move{who: int8(i), does: m.from.threads[i].pc, whom: -1, then: s})
	return &m.all[len(m.all)-1]
}

// drain empties the store buffer of a thread.
func (s *state) drain(i int) {
	if t := &s.threads[i]; t.buffer != nothing {
		s.held[t.buffer] = false
		t.buffer = nothing
	}
}

// pass has a thread pass the barrier: an interrupt comes between two of its steps, those before it are done, and those
// after it have not begun.
func (m *moves) pass(s *state, i int) {
	s.drain(i)
	if t := &s.threads[i]; t.canGlance() && m.Defect != EarlyKept {
		t.early, t.seen = false, false
	}
}

// canGlance says whether its processor may look before it is time to: from when it reads that the lock is free, which
// may be before others see it taken.
func (t *thread) canGlance() bool { return t.pc == try || t.pc == again || t.pc == held }

func (m *moves) find() {
	if m.Mode == RefusedAtTimes {
		s := m.from
		s.refused = !s.refused
		m.all = append(m.all, move{does: changes, then: s, luck: true})
	}
	for i := range m.Threads {
		s := m.from
		if s.threads[i].buffer != nothing {
			s.drain(i)
			m.all = append(m.all, move{who: int8(i), does: drains, then: s})
		}
		s = m.from
		if t := &s.threads[i]; m.Early && t.canGlance() && !t.early {
			t.early, t.seen = true, s.sleeps
			m.all = append(m.all, move{who: int8(i), does: glances, then: s})
		}
		m.step(m.from, i)
	}
}

// step is what a thread can do.
func (m *moves) step(s state, i int) {
	t := &s.threads[i]
	switch t.pc {
	case idle:
		m.add(s, i, stopped)
		for _, lock := range m.Threads[i] {
			t.lock = lock
			m.add(s, i, try)
		}
	case try:
		if !m.Late || t.buffer == t.lock { // a thread sees its own stores
			s.drain(i)
		}
		switch {
		case s.held[t.lock]:
			t.early, t.seen = false, false
			m.add(s, i, m.tells())
		case m.Defect == PlainTake:
			m.add(s, i, grab)
		default:
			s.held[t.lock] = true
			m.add(s, i, held)
		}
	case grab:
		s.held[t.lock] = true
		m.add(s, i, held)
	case tell, ask, barrier, again, sleep, asleep, awake, mark:
		m.sleeper(s, i)
	default:
		m.unlocker(s, i)
	}
}

// tells is where it begins to go to sleep.
func (m *moves) tells() pc {
	if m.Defect == BarrierFirst {
		return ask
	}
	return tell
}

// sleeper is the way of a thread that finds the lock taken.
func (m *moves) sleeper(s state, i int) {
	t := &s.threads[i]
	s.drain(i) // all its steps are locked operations or system calls
	after := again
	if m.Defect == NoSecondTry {
		after = sleep
	}
	switch t.pc {
	case tell:
		said := s.sleeps
		s.sleeps = true
		if m.Defect == TimedOnce {
			t.timed = false
		}
		if said || m.Mode == UnlockersPay || m.Defect == NoBarrier || m.Defect == BarrierFirst {
			m.add(s, i, after) // who said it first pays
		} else {
			m.add(s, i, ask)
		}
	case ask:
		if s.refused {
			t.timed = m.Defect != Untimed
			m.add(s, i, after)
			return
		}
		for other := range m.Threads {
			if other != i {
				t.behind |= 1 << other
			}
		}
		m.add(s, i, barrier)
	case barrier:
		if t.behind == 0 || m.Defect == BarrierForOne && bits.OnesCount8(t.behind) == 1 {
			t.behind = 0
			if m.Defect == BarrierFirst {
				after = tell
			}
			m.add(s, i, after)
		}
		for other := range m.Threads {
			if m.from.threads[i].behind&(1<<other) != 0 {
				then := m.from
				then.drain(i)
				m.pass(&then, other)
				then.threads[i].behind &^= 1 << other
				m.add(then, i, barrier).whom = int8(other)
			}
		}
	case again:
		if s.held[t.lock] {
			t.early, t.seen = false, false
			m.add(s, i, sleep)
		} else {
			s.held[t.lock] = true
			m.add(s, i, held)
		}
	case sleep:
		if s.sleeps || m.Defect == BlindSleep {
			m.add(s, i, asleep)
		} else {
			m.add(s, i, awake)
		}
	case asleep:
		m.add(s, i, awake).luck = !t.timed
	case awake:
		switch {
		case s.held[t.lock]:
			m.add(s, i, m.tells())
		case m.Defect == TakenQuietly:
			s.held[t.lock] = true
			m.add(s, i, held)
		default:
			s.held[t.lock] = true
			m.add(s, i, mark)
		}
	case mark:
		s.sleeps = true
		m.add(s, i, held)
	}
}

// unlocker is the way of a thread that gives the lock back.
func (m *moves) unlocker(s state, i int) {
	t := &s.threads[i]
	switch t.pc {
	case held:
		if t.buffer != nothing {
			return // until the one before has reached the memory
		}
		t.timed = false
		if m.Defect == LookFirst {
			t.seen = s.sleeps
			m.add(s, i, store)
		} else {
			t.buffer = t.lock
			m.add(s, i, look)
		}
	case store:
		t.buffer = t.lock
		m.add(s, i, look)
	case look:
		if m.Defect != LookFirst && !t.early {
			t.seen = s.sleeps
		}
		t.early = false
		m.looked(s, i, m.Mode == UnlockersPay && m.Defect != NoFence)
	case fence:
		s.drain(i)
		if m.Defect != LookFirst {
			t.seen = s.sleeps
		}
		m.looked(s, i, false)
	case claim:
		s.drain(i)
		claimed := s.sleeps
		s.sleeps = false
		switch {
		case m.Defect == ClaimedLate:
			m.add(s, i, idle)
		case claimed:
			m.add(s, i, wake)
		default:
			m.add(s, i, idle)
		}
	case wake:
		s.drain(i)
		next := idle
		if m.Defect == ClaimedLate {
			next = claim
		}
		nobody := true
		for other := range m.Threads {
			if s.threads[other].pc == asleep {
				then := s
				then.threads[other].pc = awake
				m.add(then, i, next).whom = int8(other)
				nobody = false
			}
		}
		if nobody {
			m.add(s, i, next)
		}
	}
}

// looked goes on after an unlock has looked, perhaps without the order that it needs.
func (m *moves) looked(s state, i int, pays bool) {
	seen := s.threads[i].seen
	if !pays {
		s.threads[i].seen = false // it has done its part
	}
	switch {
	case pays:
		m.add(s, i, fence)
	case !seen:
		m.add(s, i, idle)
	case m.Defect == ClaimedLate:
		m.add(s, i, wake)
	default:
		m.add(s, i, claim)
	}
}

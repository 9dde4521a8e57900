package core

import "fmt"

// Check tests the invariants on a state between two calls, at a cost that grows with its size: for
// tests, searches and checked builds.
func Check(st *State) error {
	above := st.Gate&GateAbove != 0
	if above != (uint64(st.Idle)+uint64(st.Active) > uint64(st.MaxSize)) {
		return fmt.Errorf("I1: idle %d + active %d > max %d, and that it has shrunk is %t", st.Idle, st.Active,
			st.MaxSize, above)
	}
	closed := st.Gate&GateClosed != 0
	promised := uint64(st.Active) + uint64(st.Reserved)
	if promised > uint64(st.MaxSize) && (!above || st.Owed.Head != nil) {
		return fmt.Errorf("I2: active %d + reserved %d > max %d", st.Active, st.Reserved, st.MaxSize)
	}
	b := &st.Breaker
	admitsMore := b.Circuit == Active || b.Circuit == Recovering && b.Probes < b.Limit
	if st.Waiting > 0 && promised < uint64(st.MaxSize) && admitsMore && st.grants() {
		return fmt.Errorf("I4: %d wait while active %d + reserved %d < max %d",
			st.Waiting, st.Active, st.Reserved, st.MaxSize)
	}
	if (closed || b.Circuit == Inactive) && st.Waiting > 0 {
		return fmt.Errorf("I7: %d wait on a pool that is closed or unavailable", st.Waiting)
	}
	if b.Probes > b.Limit || (b.Circuit != Recovering && b.Probes != 0) {
		return fmt.Errorf("%d probes of %d in state %d", b.Probes, b.Limit, b.Circuit)
	}
	if err := checkLine(st); err != nil {
		return err
	}
	if err := checkReservations(st); err != nil {
		return err
	}
	if err := checkResources(st); err != nil {
		return err
	}
	return checkCounts(st)
}

// checkLine tests the lists of ops: I3 and the links.
func checkLine(st *State) error {
	var waiting uint32
	var before *Op
	for op := st.Waiters.Head; op != nil; op = op.next {
		if op.List != listWaiters || op.Step != StepWait || op.Flags&FlagReserved != 0 {
			return fmt.Errorf("waiter %d: list %d, step %d, flags %d", op.Ticket, op.List, op.Step, op.Flags)
		}
		if why := st.SentAway(op); why != OK {
			return fmt.Errorf("I7: ticket %d is in line, where it was sent away with %d", op.Ticket, why)
		}
		if before != nil && !before.standsBefore(op) {
			return fmt.Errorf("I3: ticket %d waits behind ticket %d", op.Ticket, before.Ticket)
		}
		if (op.next == nil) != (op == st.Waiters.Tail) || (op.next != nil && op.next.prev != op) {
			return fmt.Errorf("waiter %d: broken links", op.Ticket)
		}
		before = op
		waiting++
	}
	if op := st.Called; op != nil && (op != st.Waiters.Head || op.Flags&FlagCalled == 0) {
		return fmt.Errorf("ticket %d is called, and is not first in line: list %d, flags %d", op.Ticket, op.List, op.Flags)
	}
	if waiting != st.Waiting {
		return fmt.Errorf("%d ops in line, %d counted", waiting, st.Waiting)
	}
	var turn uint64
	for op := st.Ready.Head; op != nil; op = op.next {
		if op.List != listReady && (op.List != listWaiters || st.SentAway(op) == OK) {
			return fmt.Errorf("ready op %d: list %d", op.Ticket, op.List)
		}
		if op.Turn != 0 && op.Turn <= turn {
			return fmt.Errorf("I3: turn %d is woken behind turn %d", op.Turn, turn)
		}
		turn = max(turn, op.Turn)
	}
	return nil
}

// checkReservations tests the lists of those who were promised a place: I2, in the order of their promises.
func checkReservations(st *State) error {
	closed := st.Gate&GateClosed != 0
	var held uint32
	var owed, turn uint64
	for i, l := range [...]*Reservations{&st.Bound, &st.Owed} {
		flags := [...]uint32{FlagReserved | FlagBound, FlagReserved}[i]
		for op := l.Head; op != nil; op = op.later {
			switch {
			case op.Flags&(FlagReserved|FlagBound) != flags || op.Step != StepWait && !closed:
				return fmt.Errorf("I2: op %d was promised something: step %d, flags %d", op.Ticket, op.Step, op.Flags)
			case (op.later == nil) != (op == l.Tail) || op.later != nil && op.later.earlier != op:
				return fmt.Errorf("op %d was promised something: broken links", op.Ticket)
			case op.Turn <= turn && !closed:
				return fmt.Errorf("I3: turn %d was promised its due behind turn %d", op.Turn, turn)
			}
			turn = op.Turn
			held++
			if l == &st.Owed {
				owed++
			}
		}
	}
	if held != st.Reserved && !closed {
		return fmt.Errorf("I2: %d ops were promised a place, %d counted", held, st.Reserved)
	}
	if owed > 0 && st.Behind != 0 {
		return fmt.Errorf("I2: op %d is owed a resource that is made behind", st.Owed.Head.Ticket)
	}
	if idle := st.queued() + st.Doomed.len(); owed > 0 && idle > 0 {
		return fmt.Errorf("I2: op %d is owed a resource while %d are idle", st.Owed.Head.Ticket, idle)
	}
	if exist := uint64(st.Idle) + uint64(st.Active); owed > 0 && exist+owed > uint64(st.MaxSize) {
		return fmt.Errorf("I2: %d are owed a resource while %d of %d exist", owed, exist, st.MaxSize)
	}
	return nil
}

// checkResources tests queue and registry: I5, as far as one state can show it.
func checkResources(st *State) error {
	g := &st.Registry
	if err := checkRegistry(g); err != nil {
		return err
	}
	var count [EntryGroup + 1]uint32
	var evicted uint32
	g.each(func(_ uint32, e *Entry) {
		count[e.State]++
		if e.State != EntryGroup && e.Label != uint8(st.Label) {
			evicted++
		}
	})
	if evicted != st.Evicted || (evicted > 0) != (st.Gate&GateEvicted != 0) {
		return fmt.Errorf("I9: %d evicted, counted %d, and the gate is %#x", evicted, st.Evicted, st.Gate)
	}
	live := count[EntryIdle] + count[EntryLent] + count[EntryHook]
	if live != g.Live || count[EntryIdle] != st.Idle || count[EntryLent]+count[EntryHook] > st.Active {
		return fmt.Errorf("I5: %d idle, %d lent, %d in hooks; counted %d live, %d idle, %d active",
			count[EntryIdle], count[EntryLent], count[EntryHook], g.Live, st.Idle, st.Active)
	}
	seen := make(map[uint32]bool, st.Idle)
	for op := st.Bound.Head; op != nil; op = op.later {
		if seen[op.Entry] || g.entry(op.Entry).State != EntryIdle {
			return fmt.Errorf("I5: entry %d is bound twice, or not idle", op.Entry)
		}
		seen[op.Entry] = true
	}
	if bound := uint32(len(seen)); bound+st.queued()+st.Doomed.len() != st.Idle {
		return fmt.Errorf("I5: %d bound, %d in the queue, %d idle, %d doomed", bound, st.queued(), st.Idle,
			st.Doomed.len())
	}
	if st.lifo() {
		if err := checkLinks(st); err != nil {
			return err
		}
	}
	if err := checkQueue(st, &st.Queue, st.queued(), seen, false); err != nil {
		return err
	}
	return checkQueue(st, &st.Doomed, st.Doomed.len(), seen, true)
}

// checkQueue tests a queue of idle resources: those that may be lent, or those that are evicted. A closed pool has both
// in one.
func checkQueue(st *State, q *Idle, n uint32, seen map[uint32]bool, evicted bool) error {
	last := q.Tail
	for i := q.Head; n > 0; n-- {
		e := st.Registry.entry(i)
		if seen[i] || e.State != EntryIdle {
			return fmt.Errorf("I5: entry %d in the queue twice, or bound, or not idle", i)
		}
		if st.isEvicted(i) != evicted && st.Gate&GateClosed == 0 {
			return fmt.Errorf("I9: entry %d is in the wrong queue: whether it is evicted is %t", i, !evicted)
		}
		seen[i], last, i = true, i, e.Link
	}
	if last != q.Tail {
		return fmt.Errorf("I5: entry %d is the last in the queue, and not its tail", last)
	}
	return nil
}

// checkLinks tests the queue where it is linked both ways: its links, and that the present pass finds what it has yet to
// see above all that it has seen, and below all that it need not see.
func checkLinks(st *State) error {
	g, seen, older, young := &st.Registry, st.Seen, uint32(0), false
	for i, n := st.Queue.Head, st.queued(); n > 0; n-- {
		e := g.entry(i)
		if g.record(i).Older != older {
			return fmt.Errorf("entry %d in the queue is above entry %d, and says %d", i, int64(older)-1,
				int64(g.record(i).Older)-1)
		}
		if seen == 0 {
			if young && before(e.Mark, st.Passes) {
				return fmt.Errorf("a pass must see entry %d, which is above what it need not see", i)
			}
			young = !before(e.Mark, st.Passes)
		}
		if seen == i+1 {
			seen = 0
		}
		older, i = i+1, e.Link
	}
	if seen != 0 {
		return fmt.Errorf("entry %d was the last that a pass has seen, and is not in the queue", seen-1)
	}
	return nil
}

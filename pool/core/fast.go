package core

// The fast path: what needs no decision, done under the driver's lock without a step of the machine. Each function
// looks at the bits of the gate that concern it, and says false, having touched nothing, when one is set: the core
// must decide then. Where it says true it has done what the steps of the core would do that its comment names.
//
// This is the one for goroutines. Its twin for the C driver is bridge/fast.h, where the same names do the same;
// tests_go/search compares both with the core, in every state. Here what comes back is lent to the first in line at
// once, who need not come for it; there it is promised its place, and comes back for it by a step.

// FastTake lends the resource that is next: decide, takeIdle and lend of an acquire that begins.
func (c *Core) FastTake() (word uintptr, entry uint32, ok bool) {
	// What is evicted is not in the queue.
	const harmless = GateReleaseHook | GateReports | GateReserved | GateEvicted | GateLIFO | GateAges | keptIdle
	st := c.st
	q, gate := &st.Queue, st.Gate
	if q.Taken >= q.Put {
		return 0, 0, false
	}
	if gate&GateAges != 0 && st.unchecked(st.next()) {
		gate &^= GateAcquireHook
	}
	if gate&^harmless != 0 || st.worn(st.next()) {
		return 0, 0, false
	}
	entry = st.lendNext()
	e := st.Registry.entry(entry)
	st.Registry.lend(entry, st.Term, 0)
	st.isLent(entry)
	st.Idle--
	st.Active++
	st.watchFast()
	return e.Word, entry, true
}

// lentAs is the entry of a resource that is lent, or nil. The entry of one that was destroyed may be another's.
func (c *Core) lentAs(word uintptr, entry uint32) *Entry {
	e := c.st.Registry.entry(entry)
	if e.State != EntryLent || e.Word != word {
		return nil
	}
	return e
}

// FastGive makes a lent resource idle: checkIn, reportedSuccess and putIdle of a release while nobody waits. What is
// not lent is for the core to refuse.
func (c *Core) FastGive(word uintptr, entry uint32) bool {
	const harmless = GateAcquireHook | GateReserved | GateEvicted | GateLIFO | GateAges | keptIdle
	st := c.st
	if st.Gate&^harmless != 0 {
		return false
	}
	e := c.lentAs(word, entry)
	if e == nil || st.isEvicted(entry) || st.worn(entry) {
		return false
	}
	st.isBack(entry)
	if e.Shared {
		st.Registry.comeIn(entry)
	}
	st.setIdle(entry)
	owed := c.bindNext(entry)
	if !owed {
		st.lay(entry)
	}
	st.Active--
	if owed {
		st.level()
	}
	st.watchFast()
	return true
}

// FastJoin puts an acquire that begins at the end of the line: decide and park. With all places active nothing is
// idle and nothing promised, and there is nothing else that the core could say.
func (c *Core) FastJoin(op *Op) bool {
	const harmless = GateReleaseHook | GateAcquireHook | GateReports | GateWaiters | GateEvicted | GateLIFO | GateAges | keptIdle
	st := c.st
	if st.Gate&^harmless != 0 || st.Active < st.MaxSize || c.overloaded(op) {
		return false
	}
	st.Ops++
	c.park(op, 0) // the breaker is active: the time does not matter
	st.Gate |= GateWaiters
	st.PeakWaiting = max(st.PeakWaiting, st.Waiting)
	return true
}

// FastHandOver lends a resource that comes back to the first in line, whose acquire is done then and is the result:
// a release, the grant of its place, and what decide, takeIdle and lend make of the one who was waiting. While nothing
// is promised and somebody waits, nothing is idle: what comes back is all there is. Who has a deadline must be
// asked whether it has passed. Nil is false.
func (c *Core) FastHandOver(word uintptr, entry uint32) *Op {
	st := c.st
	if st.Gate&^(GateEvicted|GateLIFO|GateAges|keptIdle) != GateWaiters {
		return nil
	}
	e := c.lentAs(word, entry)
	if e == nil || st.isEvicted(entry) || st.worn(entry) {
		return nil
	}
	op := st.Waiters.Head
	if op.Deadline != Never {
		return nil
	}
	e.Flags, e.Mark = 0, st.Term
	st.isBack(entry)
	st.isLent(entry)
	c.unlink(op)
	if st.Waiting == 0 {
		st.Gate &^= GateWaiters
	}
	st.Counts.Lends++
	st.Counts.Waited++
	st.Turns++
	op.Turn, op.Entry, op.Resource = st.Turns, entry, word
	op.Step, op.Status = StepDone, OK
	st.Ops--
	st.watchFast()
	return op
}

// keptIdle are the bits of a pool that keeps some idle.
const keptIdle = GateMinIdle | GateLacks

// watchFast is what regate does about them.
func (st *State) watchFast() {
	if st.Gate&GateMinIdle != 0 {
		st.watch()
	}
}

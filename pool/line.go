package pool

// park puts the op at the end of the line, unless it is in line already. One that was called, and came too
// late, is first again.
func (c *Core) park(op *Op, now int64) {
	st := c.st
	op.Step = StepWait
	switch {
	case op.List == listWaiters:
		return
	case st.Called == op:
		st.Called = nil
		c.unlink(op) // nobody may have told it yet
		st.Waiters.pushFront(op, listWaiters)
	default:
		st.Tickets++
		op.Ticket = st.Tickets
		op.Joined = micros(now)
		st.Waiters.push(op, listWaiters)
	}
	op.Wake = 0
	st.Waiting++
}

// micros is a time for [Op.Joined].
func micros(ns int64) uint32 {
	return uint32(ns / 1000)
}

// Barging: with a limit, a place that becomes free is not promised at once. The first in line is called, and
// until it comes a newcomer may take the place. That saves the wait for a thread to wake up, in which the
// place would lie idle. Who was called and came too late keeps its position. One who has waited longer than
// the limit is promised the place, as in a pool without barging, whether it was called or not; and so are those
// first in line when there are more places than one. I4 becomes: if
// there is an unpromised place, nobody waits, or the first in line is awake.

// mayOvertake says whether newcomers may still take the surplus place before this op, which is first in line. One
// who was called is awake, and its time is looked at when something is released. Of several places it is promised
// one, so that those behind it need not wait for it to move. A breaker that counts probes needs strict order.
func (c *Core) mayOvertake(op *Op) bool {
	single := uint64(c.st.Active)+uint64(c.st.Reserved)+1 == uint64(c.st.MaxSize)
	return c.st.Barging != 0 && single && c.st.Breaker.Circuit == Active && (c.st.Called == op || !c.overdue(op))
}

// overdue says whether the op has waited longer than it may be overtaken.
func (c *Core) overdue(op *Op) bool {
	return micros(c.now)-op.Joined >= c.st.Barging
}

// remind promises a place to who was called and has not come in time.
func (c *Core) remind() {
	if op := c.st.Called; op != nil && c.surplus() && c.admitsMore() && c.overdue(op) {
		c.promise(op)
	}
}

// first in line: who was called, or the head of the waiters.
func (c *Core) first() *Op {
	if c.st.Called != nil {
		return c.st.Called
	}
	return c.st.Waiters.Head
}

// call wakes the first in line, unless it is awake already.
func (c *Core) call(op *Op) {
	if c.st.Called == op {
		return
	}
	c.unlink(op)
	c.st.Called = op
	c.st.Ready.push(op, listReady)
}

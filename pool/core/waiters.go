package core

// overloaded says whether the op may not join the line, since as many as may stand in it already. Who has a ticket has
// been in line, and is never refused.
func (c *Core) overloaded(op *Op) bool {
	return op.Ticket == 0 && c.st.MaxWaiting != 0 && c.st.Waiting >= c.st.MaxWaiting
}

// park puts the op at the end of the line, unless it is in line already. It comes back when it is woken, at its
// deadline, or when it shall look after the breaker or make a resource, whichever is first. One that was called lies
// down again.
func (c *Core) park(op *Op, now int64) {
	op.Step = StepWait
	op.Until, op.Plan = op.Deadline, 0
	if b := &c.st.Breaker; b.Failures != 0 && b.Circuit == Recovering {
		op.Until, op.Plan = min(op.Deadline, c.lookAgain(now)), b.Plan
	}
	if first := c.st.Waiters.Head; (first == nil || first == op) && c.awaitsCreation() {
		op.Until = min(op.Until, c.st.Patience.Until)
	}
	if op.List == listWaiters {
		c.hear(op)
		op.Wake = 0
		return
	}
	op.Epoch = c.st.Breaker.Epoch
	c.st.Tickets++
	op.Ticket = c.st.Tickets
	op.Wake = 0
	c.st.Waiters.push(op, listWaiters)
	c.st.Waiting++
}

package pool

// park puts the op at the end of the line, unless it is in line already. It comes back when it is woken, at its
// deadline, or when it shall look after the breaker, whichever is first.
func (c *Core) park(op *Op, now int64) {
	op.Step = StepWait
	op.Until = min(op.Deadline, c.lookAgain(now))
	if op.List == listWaiters {
		return
	}
	op.Epoch = c.st.Breaker.Epoch
	c.st.Tickets++
	op.Ticket = c.st.Tickets
	op.Wake = 0
	c.st.Waiters.push(op, listWaiters)
	c.st.Waiting++
}

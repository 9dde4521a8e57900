package pool

// park puts the op at the end of the line, unless it is in line already.
func (c *Core) park(op *Op) {
	op.Step = StepWait
	if op.List == listWaiters {
		return
	}
	c.st.Tickets++
	op.Ticket = c.st.Tickets
	op.Wake = 0
	c.st.Waiters.push(op, listWaiters)
	c.st.Waiting++
}

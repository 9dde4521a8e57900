package pool

// close begins a close; a second one only helps to destroy what is still idle.
func (c *Core) close(op *Op) {
	c.st.Gate |= GateClosed
	c.st.Reserved = 0
	c.dismiss()
	c.purge(op)
}

// dismiss wakes everybody in line; each then finds out why. In order, so that the first who came is the
// first to know.
func (c *Core) dismiss() {
	for op := c.st.Waiters.Head; op != nil; op = c.st.Waiters.Head {
		c.unlink(op)
		c.st.Ready.push(op, listReady)
	}
}

// purge destroys the next idle resource; when none is left the close is done. It does not stop for a
// cancelled driver: a closed pool keeps nothing idle (I7).
func (c *Core) purge(op *Op) {
	if c.st.Idle == 0 {
		c.finish(op, OK)
		return
	}
	c.takeOldest(op)
	op.Step = StepPurge
}

// purged goes on after one is destroyed.
func (c *Core) purged(op *Op) {
	c.forget(op)
	c.leave()
	c.purge(op)
}

package pool

// maxPurges is how many closes of a pool destroy at once. A destructor may close the pool it is called
// for, which begins another close within the first: without a limit, as deep as there are idle ones.
const maxPurges = 8

// close begins a close; a second one only helps to destroy what is still idle.
func (c *Core) close(op *Op) {
	c.st.Gate |= GateClosed
	c.st.Reserved = 0
	c.dismiss(Closed)
	c.purge(op)
}

// dismiss sends everybody in line away, in order: the first who came is the first to know. The verdict
// stands, whatever happens before they hear it.
func (c *Core) dismiss(why Status) {
	for op := c.st.Waiters.Head; op != nil; op = c.st.Waiters.Head {
		c.unlink(op)
		op.Flags |= FlagDismissed
		op.Status = why
		c.st.Ready.push(op, listReady)
	}
}

// purge destroys the next idle resource; when none is left the close is done. It does not stop for a
// cancelled driver: a closed pool keeps nothing idle (I7).
func (c *Core) purge(op *Op) {
	if c.st.Idle == 0 || c.st.Purges == maxPurges {
		c.finish(op, OK)
		return
	}
	c.takeIdle(op)
	c.st.Purges++
	op.Step = StepPurge
}

// purged goes on after one is destroyed.
func (c *Core) purged(op *Op) {
	c.st.Purges--
	c.forget(op)
	c.leave()
	c.purge(op)
}

package core

// maxPurges is how many ops of a pool destroy what is idle at once. A destructor may close the pool it is called for,
// or resize it, which begins another such op within the first: without a limit, as deep as there are idle ones.
const maxPurges = 8

// close begins a close; a second one only helps to destroy what is still idle.
func (c *Core) close(op *Op) {
	c.st.Gate |= GateClosed
	c.st.Reserved = 0
	c.dismiss()
	c.purge(op)
}

// dismiss sends everybody in line away, in order: the first who came is the first to know. However long the line,
// this takes one step: the line as a whole is to be woken, and why is asked for when one of it goes on, see
// [State.SentAway].
func (c *Core) dismiss() {
	c.st.Ready.splice(&c.st.Waiters)
	c.st.Called = nil // it goes with the others
	c.st.Waiting = 0
}

// SentAway says why an op that has waited must go, OK: it need not. The line is sent away as a whole when the
// breaker opens, the pool closes or the core breaks, so who joined it before is no longer in it. The first verdict
// stands, whatever happens before it is heard: nothing opens after a close, and an opening leaves nobody behind.
func (st *State) SentAway(op *Op) Status {
	switch {
	case op.Step != StepWait || op.Turn != 0: // not, or no longer, in line
		return OK
	case op.Flags&FlagDenied != 0:
		return op.Status
	case op.Epoch != st.Breaker.Epoch:
		return Unavail
	case st.Gate&GateClosed != 0:
		return Closed
	case st.Gate&GateBroken != 0:
		return Internal
	}
	return OK
}

// purge destroys the next idle resource that is not kept, or that the op trims; when there is none, or enough ops do so
// already, the op is done. It does not stop for a cancelled driver: a closed pool keeps nothing idle (I7), and another nothing
// that is evicted, and no more than there are places.
func (c *Core) purge(op *Op) {
	if !c.superfluous() && !c.trims(op) || c.st.Purges == maxPurges {
		c.finish(op, op.Status) // of a drain whose time is over, or OK
		return
	}
	if c.superfluous() {
		c.take(op, c.nextSuperfluous())
	} else {
		op.Pass--
		c.take(op, c.st.takeOldest())
	}
	c.st.Purges++
	c.goes(op, StepPurge, c.unkept(op))
}

// superfluous says whether something is idle that is not kept.
func (c *Core) superfluous() bool {
	return c.closed() && c.st.Idle > 0 || c.st.Doomed.len() > 0 ||
		(c.above() || c.unneeded()) && c.st.queued() > 0
}

// nextSuperfluous takes it from where it is, the oldest first.
func (c *Core) nextSuperfluous() uint32 {
	if c.closed() {
		if entry, found := c.revoke(); found {
			return entry
		}
	}
	if c.st.Doomed.len() > 0 {
		return c.st.Doomed.take(&c.st.Registry)
	}
	return c.st.takeOldest()
}

// purged goes on after one is destroyed.
func (c *Core) purged(op *Op, now int64) {
	c.st.Purges--
	c.gone(op)
	if op.Kind == KindDrain && op.Status == OK {
		c.drainOn(op, now)
	} else {
		c.purge(op)
	}
}

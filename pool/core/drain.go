package core

// A drain is the end of a pool that serves who stands in line. Newcomers are sent away from its beginning; what comes
// back is handed over while somebody needs it, and destroyed otherwise. When nothing is left the pool is closed. An op
// that drains waits for that, in a list of its own, and destroys what is idle and not needed whenever there is
// something: so it is woken for either. It does not keep anybody: a close, or its deadline, ends the line, and then it
// goes on as a close does.

// shut says whether newcomers are sent away.
func (c *Core) shut() bool { return c.st.Gate&(GateClosed|GateDraining) != 0 }

// needed says whether somebody who is still served waits for a resource.
func (c *Core) needed() bool { return c.st.Waiting > 0 || c.st.Owed.Head != nil }

// unneeded says whether nothing is kept, since the pool is drained and nobody waits.
func (c *Core) unneeded() bool { return c.st.Gate&GateDraining != 0 && !c.needed() }

// drained says whether nothing is left, and nobody who is to be served.
func (c *Core) drained() bool {
	st := c.st
	return st.Idle == 0 && st.Active == 0 && st.Reserved == 0 && st.Waiting == 0
}

// drain begins a drain. It waits for the end of a pool that is closed, too.
func (c *Core) drain(op *Op, now int64) {
	if !c.closed() {
		c.st.Gate |= GateDraining
	}
	c.drainOn(op, now)
}

// drainOn is what a drain does next, whenever something has changed.
func (c *Core) drainOn(op *Op, now int64) {
	c.unlink(op)
	switch {
	case c.superfluous() && c.st.Purges < maxPurges:
		c.purge(op)
	case op.Flags&FlagCancelled != 0:
		c.finish(op, Cancelled)
	case c.drained():
		c.st.Gate |= GateClosed
		c.finish(op, OK)
	case op.Deadline != Never && now >= op.Deadline && op.Step != StepBegin:
		op.Status = Timeout
		c.close(op)
	default:
		op.Step = StepWait
		op.Until, op.Plan = op.Deadline, 0
		op.Wake = 0
		c.st.Drains.push(op, listDrains)
	}
}

// callDrains wakes those who drain when there is something for them to do: not while enough ops destroy what there is.
func (c *Core) callDrains() {
	if c.st.Drains.Head != nil && (c.superfluous() && c.st.Purges < maxPurges || c.drained()) {
		c.wakeDrains()
	}
}

// wakeDrains wakes all of them; there are few.
func (c *Core) wakeDrains() {
	for c.st.Drains.Head != nil {
		c.st.Ready.push(c.st.Drains.Pop(), listReady)
	}
}

package core

// checkIn begins a release: only what is lent can come back. The resource stays active until it is idle
// or destroyed. A probe's slot comes back with it.
func (c *Core) checkIn(op *Op, now int64) {
	entry, found := c.st.Registry.Lent(op.Resource)
	if !found {
		c.finish(op, NotOwned)
		return
	}
	c.giveUpProbes(now)
	e := c.st.Registry.takeBack(entry)
	op.Entry = entry
	if e.Flags&EntryProbe != 0 && e.Mark == c.st.Term {
		op.Flags |= FlagProbe
		op.Term = e.Mark
	}
	if c.isStale(e) {
		op.Flags |= FlagStale
	}
	op.Epoch = c.st.Breaker.Epoch
	op.Step = StepCheckIn
}

// checkedIn hears before_release, counts for the built-in strategy, and has the other one told. A driver
// that was lost in the hook says nothing about the service.
func (c *Core) checkedIn(op *Op, ok bool, now int64) {
	if op.Flags&FlagCancelled != 0 {
		op.Step = StepRemove
		return
	}
	c.count(op, ok, now)
	if ok {
		op.Step = StepReportSuccess
	} else {
		op.Step = StepReportFailure
	}
}

// reportedSuccess keeps the resource, unless the pool was closed meanwhile.
func (c *Core) reportedSuccess(op *Op) {
	if c.closed() {
		op.Step = StepRemove
		return
	}
	c.putIdle(op)
	c.finish(op, OK)
}

// removed ends the release of a resource that was not kept.
func (c *Core) removed(op *Op) {
	c.forget(op)
	c.freePlace()
	c.finish(op, OK)
}

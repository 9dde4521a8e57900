package core

// comesBack ends the lend of the op's resource, which is in a hook then: only what is lent can come back. The place
// stays active. A probe's slot comes back with the resource. False: the op is done, it was not lent.
func (c *Core) comesBack(op *Op, now int64) bool {
	entry, found := c.comesFor(op)
	if !found {
		c.finish(op, NotOwned)
		return false
	}
	c.giveUpProbes(now)
	e := c.st.Registry.takeBack(entry)
	c.st.isBack(entry)
	op.Entry = entry
	if e.Flags&EntryProbe != 0 && e.Mark == c.st.Term {
		op.Flags |= FlagProbe
		op.Term = e.Mark
	}
	if c.isStale(e) {
		op.Flags |= FlagStale
	}
	op.Epoch = c.st.Breaker.Epoch
	return true
}

// checkIn begins a release: before_release is to say whether the resource is kept.
func (c *Core) checkIn(op *Op, now int64) {
	if c.comesBack(op, now) {
		op.Step = StepCheckIn
	}
}

// discard begins a release that keeps nothing, whatever before_release would say. It is nobody's success or failure: a
// probe's slot is free again for another.
func (c *Core) discard(op *Op, now int64) {
	if c.comesBack(op, now) {
		c.goes(op, StepRemove, WhyDiscarded)
	}
}

// detach is a discard without a destruction: the resource is not the pool's any more.
func (c *Core) detach(op *Op, now int64) {
	if c.comesBack(op, now) {
		c.goes(op, StepRemove, WhyDetached)
		c.removed(op)
	}
}

// checkedIn hears before_release, counts for the built-in strategy, and has the other one told. A driver
// that was lost in the hook says nothing about the service.
func (c *Core) checkedIn(op *Op, ok bool, now int64) {
	if op.Flags&FlagCancelled != 0 {
		c.goes(op, StepRemove, WhyRefused)
		return
	}
	c.count(op, CountReleases, ok, now)
	if ok {
		op.Step = StepReportSuccess
	} else {
		c.goes(op, StepReportFailure, WhyRefused)
	}
}

// reportedSuccess keeps the resource, unless it is worn, or evicted, or the pool was closed meanwhile, or has shrunk.
func (c *Core) reportedSuccess(op *Op) {
	switch {
	case !c.keeps(op):
		c.goes(op, StepRemove, c.unkept(op))
		return
	case c.st.worn(op.Entry):
		c.goes(op, StepRemove, c.st.wear(op.Entry))
		return
	}
	c.putIdle(op)
	c.finish(op, OK)
}

// removed ends an op whose resource was not kept. Its place goes to the next in line.
func (c *Core) removed(op *Op) {
	c.gone(op)
	c.finish(op, op.Status)
}

package pool

// checkIn begins a release: only what is lent can come back. The resource stays active until it is idle
// or destroyed.
func (c *Core) checkIn(op *Op) {
	entry, found := c.st.Registry.lent(op.Resource)
	if !found {
		c.finish(op, NotOwned)
		return
	}
	at(c.st.Registry.Entries, entry).State = EntryHook
	op.Entry = entry
	op.Step = StepCheckIn
}

// checkedIn hears before_release: keep the resource, unless the pool was closed meanwhile.
func (c *Core) checkedIn(op *Op, ok bool) {
	if !ok || c.closed() {
		op.Step = StepRemove
		return
	}
	c.putIdle(op)
	c.finish(op, OK)
}

// removed ends the release of a resource that was not kept.
func (c *Core) removed(op *Op) {
	c.forget(op)
	c.leave()
	c.finish(op, OK)
}

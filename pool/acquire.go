package pool

// decide is the order of decisions of an acquire, asked again after every wait and every refusal:
// closed, cancelled, out of time, not entitled, idle, capacity.
func (c *Core) decide(op *Op, now int64) {
	switch {
	case c.closed():
		c.finish(op, Closed)
	case op.Flags&FlagCancelled != 0:
		c.finish(op, Cancelled)
	case now >= op.Deadline:
		c.finish(op, Timeout)
	case !c.entitled(op) && op.Kind == KindTry:
		c.finish(op, Empty)
	case !c.entitled(op):
		c.park(op)
	case c.st.Idle > 0:
		c.unlink(op)
		c.takeOldest(op)
		op.Step = StepCheckOut
	case !c.room():
		c.finish(op, NoMemory)
	default:
		c.unlink(op)
		c.occupy(op)
		op.Step = StepCreate
	}
}

// lend ends an acquire well.
func (c *Core) lend(op *Op) {
	at(c.st.Registry.Entries, op.Entry).State = EntryLent
	c.finish(op, OK)
}

// checkedOut hears before_acquire. One that began before a close and passes is lent all the same: the
// resource was good, and its release will destroy it.
func (c *Core) checkedOut(op *Op, ok bool) {
	if ok {
		c.lend(op)
	} else {
		op.Step = StepReject
	}
}

// rejected goes on after a refused resource is destroyed. The op keeps the place and tries the next
// idle one, or the factory: nobody may take it in between.
func (c *Core) rejected(op *Op, now int64) {
	c.forget(op)
	c.vacate(op)
	c.decide(op, now)
}

// created hears the factory, of an acquire or of a fill. A place whose creation failed goes to the next
// in line at once.
func (c *Core) created(op *Op, answer *Answer) {
	if !answer.OK {
		c.leave()
		c.finish(op, Factory)
		return
	}
	op.Resource = answer.Resource
	op.Entry = c.st.Registry.add(op.Resource, EntryHook)
	switch {
	case c.closed():
		op.Step = StepDiscard
	case op.Kind == KindFill:
		c.putIdle(op)
		op.Resource = 0
		c.fillOn(op)
	default:
		c.lend(op)
	}
}

// discarded ends a creation that outlived the pool.
func (c *Core) discarded(op *Op) {
	c.forget(op)
	c.leave()
	c.finish(op, Closed)
}

// fill begins to create what is missing to MinSize.
func (c *Core) fill(op *Op) {
	if c.closed() {
		c.finish(op, Closed)
		return
	}
	c.fillOn(op)
}

// fillOn creates the next one, while the count is below MinSize and a place is surplus.
func (c *Core) fillOn(op *Op) {
	switch {
	case c.st.Idle+c.st.Active >= c.st.MinSize || !c.surplus():
		c.finish(op, OK)
	case !c.room():
		c.finish(op, NoMemory)
	default:
		c.occupy(op)
		op.Step = StepCreate
	}
}

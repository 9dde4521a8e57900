package core

// A sweep looks once at each resource that is idle when it begins, oldest first, one at a time, and
// makes up for what is missing to MinSize. The breaker does not concern it.
//
// A driver may run a pass in parts, with an op for each, so that no op is out between two of them: before an answer
// that is to be the last of a part it sets Visits to 0 and FlagNoRefill, and the op is done after it. The op of
// the next part begins with FlagGoesOn, the Pass of the first, and what was left of Visits.

// sweep begins a pass, or goes on with one.
func (c *Core) sweep(op *Op, now int64) {
	if op.Flags&FlagGoesOn != 0 {
		c.sweepOn(op, now)
		return
	}
	if c.st.Asks&AsksHealthcheck != 0 {
		op.Visits = c.st.Idle
	}
	c.st.Passes++
	c.st.Seen = 0
	op.Pass = c.st.Passes
	c.sweepOn(op, now)
}

// sweepOn finds the next thing to do: replace what is missing, look at the next one, or be done.
func (c *Core) sweepOn(op *Op, now int64) {
	if c.short() && !c.mayCreate(now) {
		op.Flags |= FlagNoRefill
	}
	switch {
	case c.shut():
		c.finish(op, Closed)
	case op.Flags&FlagCancelled != 0:
		c.finish(op, Cancelled)
	case c.short() && op.Flags&FlagNoRefill == 0 && !c.room():
		c.finish(op, NoMemory)
	case c.short() && op.Flags&FlagNoRefill == 0:
		c.create(op)
	case op.Visits > 0 && c.mayCheck(op.Pass):
		op.Visits--
		c.takeIdle(op)
		op.Step = StepCheckUp
	case op.Flags&FlagNoRefill != 0:
		c.finish(op, Factory)
	default:
		c.finish(op, OK)
	}
}

// mayCheck says whether the oldest idle resource that nobody was promised may be taken for a check: it is there, and
// it was idle before this pass began and not seen since. What becomes idle is marked with the passes begun by then, so
// if the oldest need not be looked at, none need. Where the pass has left some where they were, they do not count.
func (c *Core) mayCheck(pass uint32) bool {
	st := c.st
	oldest, found := st.Queue.Head, st.queued() > 0
	if st.lifo() {
		oldest, found = st.unseen()
	}
	return found && before(st.Registry.entry(oldest).Mark, pass)
}

// checkedUp hears the healthcheck. A good one is idle again, or destroyed if the pool closed meanwhile, or has shrunk.
func (c *Core) checkedUp(op *Op, ok bool, now int64) {
	switch {
	case !ok:
		c.goes(op, StepBury, WhyDead)
		return
	case !c.keeps(op):
		c.goes(op, StepBury, c.unkept(op))
		return
	}
	c.putIdle(op)
	op.Resource = 0
	c.sweepOn(op, now)
}

// buried goes on after a dead one is destroyed, or one too many.
func (c *Core) buried(op *Op, now int64) {
	c.gone(op)
	if op.Kind == KindFill {
		c.fill(op, now)
	} else {
		c.sweepOn(op, now)
	}
}

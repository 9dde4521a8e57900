package core

// A sweep looks once at each resource that is idle when it begins, oldest first, one at a time, and makes up for what
// is missing to MinSize, and to MinIdle. Before all that it looks for leaks (leaks.go). The breaker does not concern
// it.
//
// Where nobody checks, or has to, the pass itself looks at the ages of all. That takes no ask, so it pauses now and then:
// whoever waits for the lock gets it, and the driver comes back.
//
// A driver may run a pass in parts, with an op for each, so that no op is out between two of them: before an answer
// that is to be the last of a part it sets Visits and Plan to 0 and FlagNoRefill, and the op is done after it. The op of
// the next part begins with FlagGoesOn, the Pass of the first, and what was left of Visits and Plan.

// sweep begins a pass, or goes on with one.
func (c *Core) sweep(op *Op, now int64) {
	if op.Flags&FlagGoesOn != 0 {
		c.passOn(op, now)
		return
	}
	if c.st.Ages.LeakAfter != 0 {
		op.Plan = 1
	}
	if c.st.Asks&AsksHealthcheck != 0 || c.st.Ages.limited() {
		op.Visits = c.st.Idle
	}
	c.st.Passes++
	c.st.Seen = 0
	op.Pass = c.st.Passes
	c.passOn(op, now)
}

// glances is at how many a pass looks without a pause, and how many an op destroys that nobody is asked to.
const glances = 64

// sweepOn finds the next thing to do: replace what is missing, look at the next one, pause, or be done.
func (c *Core) sweepOn(op *Op, now int64) {
	if c.short(op) && !c.mayCreate(now) {
		op.Flags |= FlagNoRefill
	}
	more := true
	for left := c.st.glances(); more; left-- {
		more = c.sweepStep(op, left)
	}
}

// glances is at how many a pass of this pool looks without a pause.
func (st *State) glances() uint32 {
	if st.Glances != 0 {
		return st.Glances
	}
	return glances
}

// sweepStep finds the next thing to do; true: it was to pass one over, and there is more.
func (c *Core) sweepStep(op *Op, left uint32) bool {
	switch {
	case c.shut():
		c.finish(op, Closed)
	case op.Flags&FlagCancelled != 0:
		c.finish(op, Cancelled)
	case c.short(op) && op.Flags&FlagNoRefill == 0 && !c.room():
		c.finish(op, NoMemory)
	case c.short(op) && op.Flags&FlagNoRefill == 0:
		c.create(op)
	case op.Visits > 0 && c.mayCheck(op.Pass) && left == 0:
		op.Step = StepPause
	case op.Visits > 0 && c.mayCheck(op.Pass):
		op.Visits--
		return !c.look(op)
	case op.Flags&FlagNoRefill != 0:
		c.finish(op, Factory)
	default:
		c.finish(op, OK)
	}
	return false
}

// look looks at the oldest that the pass has not seen; false: it stays where it is, and nothing is asked.
func (c *Core) look(op *Op) bool {
	st := c.st
	oldest := st.nextUnseen()
	why, goes := st.removes(oldest)
	if !goes && st.Asks&AsksHealthcheck == 0 {
		st.passOver(oldest)
		return false
	}
	c.takeIdle(op)
	if goes {
		c.goes(op, StepBury, why)
		return true
	}
	st.Ahead++
	op.Step = StepCheckUp
	return true
}

// mayCheck says whether the oldest idle resource that nobody was promised may be taken for a check: it is there, and
// it was idle before this pass began and not seen since. What becomes idle is marked with the passes begun by then, so
// if the oldest need not be looked at, none need. Where the pass has left some where they were, they do not count.
func (c *Core) mayCheck(pass uint32) bool {
	st := c.st
	found := st.queued() > 0
	if found && st.lifo() {
		_, found = st.unseen()
	}
	return found && before(st.Registry.entry(st.nextUnseen()).Mark, pass)
}

// checkedUp hears the healthcheck. A good one is idle again, or destroyed if the pool closed meanwhile, or has shrunk.
func (c *Core) checkedUp(op *Op, ok bool, now int64) {
	c.st.Ahead--
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

// buried goes on after one that was dead, worn, spare, or one too many is destroyed.
func (c *Core) buried(op *Op, now int64) {
	c.gone(op)
	switch op.Kind {
	case KindFill:
		c.fill(op, now)
	case KindBehind:
		c.finish(op, OK)
	default:
		c.sweepOn(op, now)
	}
}

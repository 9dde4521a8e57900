package core

// fill begins, or goes on, to create what is missing to MinSize.
func (c *Core) fill(op *Op, now int64) {
	switch {
	case c.shut():
		c.finish(op, Closed)
	case op.Flags&FlagCancelled != 0: // and what it made was destroyed
		c.finish(op, Cancelled)
	default:
		c.fillOn(op, now)
	}
}

// fillOn creates the next one, while the count is below MinSize and a place is surplus. It does not wait where
// creations are put off.
func (c *Core) fillOn(op *Op, now int64) {
	switch {
	case !c.short(op):
		c.finish(op, OK)
	case !c.mayCreate(now):
		c.finish(op, Factory)
	case !c.room():
		c.finish(op, NoMemory)
	default:
		c.create(op)
	}
}

// short says whether there are too few resources, and a place to make one; for a pass, or too few idle ones.
func (c *Core) short(op *Op) bool {
	return c.st.Idle+c.st.Active < c.st.MinSize && c.surplus() || op.Kind == KindSweep && c.st.lacks()
}

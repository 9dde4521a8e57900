package core

// A pool has as many places as was said last. Growing serves who waits at once. Shrinking takes nothing from anybody:
// what is lent above MaxSize is destroyed when it comes back, what is idle by the op, the oldest first; until then more
// exists, and nothing is made. Who was promised a place and a resource has them. Who was promised a place to make a
// resource that would be one too many is in line again, before all who came later: its turn comes a second time.

// resize begins a resize.
func (c *Core) resize(op *Op) {
	switch {
	case c.shut():
		c.finish(op, Closed)
		return
	case op.Pass == 0 || op.Visits > op.Pass:
		c.finish(op, Invalid)
		return
	}
	c.st.MinSize, c.st.MaxSize = op.Visits, op.Pass
	c.recall()
	c.grant()
	c.purge(op)
}

// recall ends the promises to make a resource that cannot be kept, the youngest first.
func (c *Core) recall() {
	room := uint64(0)
	if n := c.exist(); n < uint64(c.st.MaxSize) {
		room = uint64(c.st.MaxSize) - n
	}
	keep := c.st.Owed.Head
	for ; keep != nil && room > 0; room-- {
		keep = keep.later
	}
	for keep != nil { // it and those behind it
		last := c.st.Owed.Tail
		if last == keep {
			keep = nil
		}
		c.standAgain(last)
	}
}

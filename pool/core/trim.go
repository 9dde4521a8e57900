package core

// trim begins a trim: of what is idle so many are kept, the others are destroyed, the oldest first. It leaves what passes
// would make again, MinIdle of what is idle and MinSize of all. It destroys at most as many as were too many when it
// began, however many come back meanwhile.
func (c *Core) trim(op *Op) {
	if c.shut() {
		c.finish(op, Closed)
		return
	}
	op.Visits = max(op.Visits, c.st.MinIdle)
	op.Pass = min(c.st.queued()-min(c.st.queued(), op.Visits), c.beyondMin())
	c.purge(op)
}

// trims says whether there is one more for the op to destroy.
func (c *Core) trims(op *Op) bool {
	return op.Kind == KindTrim && op.Pass > 0 && c.st.queued() > op.Visits && c.beyondMin() > 0
}

// beyondMin is how many more there are, and stay, than MinSize.
func (c *Core) beyondMin() uint32 {
	stay := c.exist() - uint64(c.st.Going)
	return uint32(stay - min(stay, uint64(c.st.MinSize)))
}

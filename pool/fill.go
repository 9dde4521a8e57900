package pool

// fill begins to create what is missing to MinSize.
func (c *Core) fill(op *Op) {
	if c.closed() {
		c.finish(op, Closed)
		return
	}
	c.spread()
	c.fillOn(op)
}

// spread makes room for all that is to be created, as far as there is memory: arrays that grow step by step
// leave holes behind.
func (c *Core) spread() {
	const most = 1 << 17
	n := min(uint64(c.st.MinSize), most)
	_ = n > 0 && c.st.Ring.reserve(n, c.mem) && c.st.Registry.reserve(n, c.mem)
}

// fillOn creates the next one, while the count is below MinSize and a place is surplus.
func (c *Core) fillOn(op *Op) {
	switch {
	case !c.short():
		c.finish(op, OK)
	case !c.room():
		c.finish(op, NoMemory)
	default:
		c.occupy(op)
		op.Step = StepCreate
	}
}

// short says whether there are too few resources, and a place to make one.
func (c *Core) short() bool {
	return c.st.Idle+c.st.Active < c.st.MinSize && c.surplus()
}

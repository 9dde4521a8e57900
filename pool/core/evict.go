package core

// What exists when an evict begins is never lent again: each resource has a label, and all labels but the present one
// mean that it is evicted. So an evict takes a new label, and what is idle to a queue of its own, in a few steps however
// much there is. Ops destroy what is idle there; what is bound is destroyed by who comes for it, and what is lent when
// it comes back. An acquire that finds no other room destroys one, as after a refusal.
//
// There are 255 labels for what was made since some evict, and 0 for what is older. An evict gives that one to a part of
// the registry, and has been everywhere before a label comes again: a page or two of each 256, which are entries of a
// million resources.

const labels = 255

// evict begins an evict.
func (c *Core) evict(op *Op) {
	st := c.st
	if c.shut() {
		c.finish(op, Closed)
		return
	}
	for range st.Registry.Pages/(labels/2) + 1 {
		st.Scanned = st.Registry.relabel(st.Scanned)
	}
	st.Label = st.Label%labels + 1
	st.Evicts++
	st.Evicted = st.Registry.Live
	st.doom()
	st.Seen = 0
	c.purge(op)
}

// relabel gives label 0 to what is in a page, all of which is evicted by now, and tells the next page.
func (g *Registry) relabel(number uint32) uint32 {
	if number >= g.Pages {
		number = 0
	}
	if p := g.page(number); p.Entries != nil {
		for i := range p.Fresh {
			at(p.Entries, i).Label = 0
		}
	}
	return number + 1
}

// isEvicted says whether a resource is not to be lent again.
func (st *State) isEvicted(entry uint32) bool {
	return st.Evicted > 0 && st.Registry.entry(entry).Label != uint8(st.Label)
}

// setLabel labels what the op has had made: as evicted, if an evict has begun meanwhile.
func (c *Core) setLabel(op *Op) {
	if op.Evicts == c.st.Evicts {
		c.st.Registry.entry(op.Entry).Label = uint8(c.st.Label)
	} else {
		c.st.Evicted++ // the label is 0
	}
}

// doom moves all of the queue behind what is doomed already.
func (st *State) doom() {
	q, doomed, n := &st.Queue, &st.Doomed, st.queued()
	switch {
	case n == 0:
		return
	case doomed.len() == 0:
		doomed.Head = q.Head
	default:
		st.Registry.entry(doomed.Tail).Link = q.Head
	}
	doomed.Tail = q.Tail
	doomed.Put += n
	q.Put, st.Spare = q.Taken, 0
}

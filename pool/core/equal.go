package core

// Resources that are the same word (a factory may return one many times, NULL too) make a group: one entry in
// the index that stands for all of them, and keeps those that are lent in a list, which any of them joins and
// leaves in a few steps. So it does not count how many there are, neither for them nor for others in the same
// bucket.

// join puts an entry into the group of its twin, which is made if there is none. False: there is no room for it,
// as n resources must find theirs; the two are in the index side by side then.
func (g *Registry) join(i, twin uint32, n uint64) bool {
	group, t := twin, g.entry(twin)
	if t.State != EntryGroup {
		if g.need(n)+1 > uint64(g.Cap) {
			return false
		}
		group = g.take()
		*g.slot(twin) = group + 1
		*g.entry(group) = Entry{Word: t.Word, Chain: t.Chain, Mark: 1, State: EntryGroup}
		t.Chain, t.Shared = group+1, true
		if t.State == EntryLent {
			g.goOut(twin)
		}
	}
	e := g.entry(i)
	e.Chain, e.Shared = group+1, true
	g.entry(group).Mark++
	return true
}

// part takes an entry that is not lent out of its group; last: the group is empty.
func (g *Registry) part(i uint32) (group uint32, last bool) {
	group = g.entry(i).Chain - 1
	e := g.entry(group)
	e.Mark--
	return group, e.Mark == 0
}

// goOut puts an entry that was lent among the lent ones of its group: what is lent by lease at the end, since who comes
// by word, and is given the first, mostly comes for what was lent by word.
func (g *Registry) goOut(i uint32) {
	e := g.entry(i)
	group := g.entry(e.Chain - 1)
	first := group.Link
	e.Chain, e.Link = 0, i+1
	if first != 0 {
		f := g.entry(first - 1)
		e.Link, f.Link = f.Link, i+1
		if e.Flags&EntryLeased != 0 {
			g.entry(e.Link - 1).Chain = i + 1
			return
		}
		e.Chain = first
	}
	group.Link = i + 1
}

// comeIn takes an entry out of the lent ones of its group.
func (g *Registry) comeIn(i uint32) {
	e := g.entry(i)
	group, _ := g.twin(e.Word)
	first := &g.entry(group).Link
	if *first == i+1 {
		*first = e.Chain
	} else {
		g.entry(e.Link - 1).Chain = e.Chain
	}
	switch {
	case e.Chain != 0:
		g.entry(e.Chain - 1).Link = e.Link
	case *first != 0: // it was the last
		g.entry(*first - 1).Link = e.Link
	}
	e.Chain = group + 1
}

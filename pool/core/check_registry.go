package core

import "fmt"

// checkRegistry tests that the pages and the index agree: each entry is found where it must be, and counted.
func checkRegistry(g *Registry) error {
	var live, used, words uint32
	members := map[uint32]uint32{} // of each group
	var err error
	g.each(func(i uint32, e *Entry) {
		switch {
		case err != nil:
		case e.State > EntryGroup:
			err = fmt.Errorf("entry %d in state %d", i, e.State)
		default:
			err = checkEntry(g, i, e, members)
		}
		used++
		if e.State != EntryGroup {
			live++
		}
		if !e.Shared {
			words++
		}
	})
	if err != nil {
		return err
	}
	g.each(func(i uint32, e *Entry) {
		if e.State == EntryGroup && e.Mark != members[i] {
			err = fmt.Errorf("group %d has %d members, and says %d", i, members[i], e.Mark)
		}
	})
	if live != g.Live || used != g.Used || words != g.Words {
		return fmt.Errorf("I5: %d live, %d used, %d in the index; counted %d live, %d used, %d in the index",
			live, used, words, g.Live, g.Used, g.Words)
	}
	if err == nil {
		err = checkPages(g)
	}
	if err == nil {
		err = checkLeases(g)
	}
	return err
}

// checkEntry looks an entry up.
func checkEntry(g *Registry, i uint32, e *Entry, members map[uint32]uint32) error {
	group := uint32(0)
	for n := *g.bucket(g.home(e.Word)); n != 0; n = g.entry(n - 1).Chain {
		if n == i+1 && !e.Shared {
			return nil
		}
		if t := g.entry(n - 1); t.State == EntryGroup && t.Word == e.Word {
			group = n
		}
	}
	if !e.Shared || group == 0 {
		return fmt.Errorf("entry %d (word %#x) is not in the index", i, e.Word)
	}
	members[group-1]++
	if e.State != EntryLent {
		if e.Chain != group {
			return fmt.Errorf("entry %d is of group %d, and says %d", i, group-1, int64(e.Chain)-1)
		}
		return nil
	}
	found, leased, last := false, false, uint32(0)
	for n := g.entry(group - 1).Link; n != 0; n = g.entry(n - 1).Chain {
		t := g.entry(n - 1)
		byLease := t.Flags&EntryLeased != 0
		if last != 0 && t.Link != last || t.State != EntryLent || leased && !byLease {
			return fmt.Errorf("entry %d: broken links among the lent ones of group %d", n-1, group-1)
		}
		found, leased, last = found || n == i+1, byLease, n
	}
	if !found || g.entry(g.entry(group-1).Link-1).Link != last {
		return fmt.Errorf("entry %d is lent, and not among the lent ones of group %d", i, group-1)
	}
	return nil
}

// checkLeases tests that whatever is lent by lease has an id, by which it is found.
func checkLeases(g *Registry) error {
	var err error
	l := &g.Leases
	g.each(func(i uint32, e *Entry) {
		last := g.lastID(i)
		if last != nil && *last-l.Base < l.Room+l.Step && l.Room != 0 && *last&(l.Step-1) != uint64(i) {
			err = fmt.Errorf("leases: entry %d has id %#x of another", i, *last)
		}
		if e.State != EntryLent || e.Flags&EntryLeased == 0 {
			return
		}
		if last == nil {
			err = fmt.Errorf("leases: entry %d is lent by lease, and has no id", i)
		} else if found, _ := g.Leased(*last); found != i {
			err = fmt.Errorf("leases: entry %d is lent by lease, and not found by its id", i)
		}
	})
	return err
}

// checkPages counts the pages.
func checkPages(g *Registry) error {
	var room, used uint32
	for number := range g.Pages {
		if p := g.page(number); p.Entries != nil {
			room += p.Cap
			used += p.Used
		}
	}
	last := uint32(0)
	for n := g.Roomy; n != 0; n = g.page(n - 1).Next {
		if p := g.page(n - 1); p.Used == p.Cap || p.Prev != last {
			return fmt.Errorf("page %d is full, or has broken links", n-1)
		}
		last = n
	}
	if room != g.Cap || used != g.Used || g.Count > g.Room {
		return fmt.Errorf("pages: room for %d, %d used; counted %d, %d; %d buckets of %d",
			room, used, g.Cap, g.Used, g.Count, g.Room)
	}
	return nil
}

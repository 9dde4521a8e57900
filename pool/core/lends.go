package core

// EachLent calls f with what is lent among so many entries, from one on, until it says false, and says with which to go
// on; false: there are no more. An entry keeps its number, so that whoever goes on so meets each lend once that lasts,
// whatever happens between two parts.
func (st *State) EachLent(from, most uint32, f func(i uint32, e *Entry) bool) (next uint32, more bool) {
	g := &st.Registry
	number, first := from>>PageBits, from&(pageSize-1)
	if number >= g.Pages {
		return from, false
	}
	p, end := g.page(number), uint32(0)
	if p.Entries != nil {
		end = p.Fresh
	}
	last := min(first+most, end)
	for i := first; i < last; i++ {
		if e := at(p.Entries, i); e.State == EntryLent && !f(number<<PageBits|i, e) {
			last = i + 1
		}
	}
	if last < end {
		return number<<PageBits | last, true
	}
	return (number + 1) << PageBits, number+1 < g.Pages
}

// Note is what the driver has noted of a lend, and how often its resource was lent, this lend included. Both are 0 where
// there are no ages.
func (st *State) Note(i uint32) (note uint64, uses uint32) {
	if st.Gate&GateAges == 0 {
		return 0, 0
	}
	r := st.Registry.record(i)
	return r.Note, r.Uses
}

package core

// What is lent for longer than LeakAfter is told as leaked, once for each lend, by a pass. It stays lent, and nothing
// follows: who holds it may give it back as ever.
//
// A pass looks at all entries, since nobody keeps a list of what is lent, in pieces between which others have the lock.
// The op keeps how far it has come: entries keep their numbers. So a lend that was too long when the pass began, and has
// not ended, is met, and found by one pass only, if there are several: it is marked when it is found.

// piece is at how many entries a pass looks for leaks without a pause.
const piece = 1024

func (st *State) piece() uint32 {
	if st.Glances != 0 {
		return st.Glances
	}
	return piece
}

// passOn goes on with a pass: it looks for leaks from the entry on that is op.Plan less one, while that is not 0, and
// then at what is idle. Leaks are told one by one; where nobody wants to hear of them they are counted alone.
func (c *Core) passOn(op *Op, now int64) {
	st := c.st
	if op.Plan == 0 || c.shut() || op.Flags&FlagCancelled != 0 {
		c.sweepOn(op, now)
		return
	}
	told := st.Asks&AsksLeaked != 0
	op.Step = StepPause
	next, more := st.EachLent(op.Plan-1, st.piece(), func(i uint32, e *Entry) bool {
		if !st.leaks(i, e) {
			return true
		}
		e.Flags |= EntryTold
		st.Counts.Leaked++
		if told {
			op.Step, op.Entry, op.Resource = StepLeaked, i, e.Word
		}
		return !told
	})
	if op.Plan = next + 1; more {
		return
	}
	op.Plan = 0
	if op.Step == StepPause {
		c.sweepOn(op, now)
	}
}

// leaks says whether a lend lasts for too long, and nobody has been told.
func (st *State) leaks(i uint32, e *Entry) bool {
	return e.Flags&EntryTold == 0 && st.Ages.Clock-st.Registry.record(i).Since >= st.Ages.LeakAfter
}

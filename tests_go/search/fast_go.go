package search

import "asyncpool/pool/core"

// What the driver for goroutines calls of pool/core/fast.go. It knows the entry of what it gives back.

// goTake takes what is idle.
func (b *Board) goTake(op *core.Op, f *fast) (ok bool) {
	f.way = GoTake
	f.resource, _, ok = b.plain.FastTake()
	return ok && letGo(op)
}

// goGive gives back while nobody is in line.
func (b *Board) goGive(op *core.Op, f *fast) bool {
	st := &b.memory.state
	f.way = GoGive
	if st.Owed.Head != nil {
		f.way = GoGiveOwed
	}
	entry, found := st.Registry.Lent(op.Resource)
	return found && b.plain.FastGive(op.Resource, entry) && letGo(op)
}

// goJoin goes to the end of the line. The driver does not try it with anything but an acquire.
func (b *Board) goJoin(op *core.Op, f *fast) bool {
	f.way, f.kind = GoJoin, core.AskWait
	return op.Kind == core.KindAcquire && op.ByLease == 0 && b.plain.FastJoin(op)
}

// goHandOver lends what comes back to the first in line.
func (b *Board) goHandOver(op *core.Op, f *fast) bool {
	f.way = GoHandOver
	entry, found := b.memory.state.Registry.Lent(op.Resource)
	if first := b.memory.state.Waiters.Head; !found || first != nil && first.ByLease != 0 { // nobody does there
		return false
	}
	f.served = b.plain.FastHandOver(op.Resource, entry)
	return f.served != nil && letGo(op)
}

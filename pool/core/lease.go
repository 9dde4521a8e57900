package core

import (
	"math/bits"
	"unsafe"
)

// A lease is one lend, and has a number, its id, that is never used again in the process. So who comes with an id comes
// for that lend or for none, whatever was lent since under the same word.
//
// Beside its entries a page keeps the last id of each, once something in it is lent by lease (Leases.First, More). What
// is lent by lease has a flag as well, EntryLeased: a lend that ends in whatever way leaves an entry that is not lent,
// and the next lend one with other flags, or another id. So who takes or gives back by word need not know of ids, and
// the lane does nothing for them.
//
// The ids of a pool are a block of numbers, a power of two of them for each entry: one that fits is the entry's number
// in its last bits, the place in Leases.Step. So an entry is found by an id without a hash, and its next id is the last
// one and Step. An entry that has used up its part, or is beyond Step, has the pool take another block; the others go
// there when they are lent next. What is lent by an id of an older block, with fewer bits for the number, is found by
// trying those. Of a page that is given back nobody knows the ids any more, so the block of that time is left.

// leasesOfEntry is how many leases of one entry a block is for.
const leasesOfEntry = 1 << 16

// Leases is what a pool knows of the ids that it gives.
type Leases struct {
	First   *uint64  // the last id of each entry of the first page; nil: nothing there was lent by lease
	More    **uint64 // the same of the pages after the first
	MoreCap uint32   // places in More
	Step    uint64   // a power of two, more than the numbers of entries that are in the block; 0: there was none yet
	Base    uint64   // the first id of the block, a multiple of Step
	Room    uint64   // an id that is less than so much beyond Base has a next one in the block; 0: there is no block
}

// ids are the last ids of the entries of a page, or nil.
func (l *Leases) ids(number uint32) *uint64 {
	switch {
	case number == 0:
		return l.First
	case number-1 < l.MoreCap:
		return *at(l.More, number-1)
	}
	return nil
}

// lastID is where the last id of an entry is, or nil.
func (g *Registry) lastID(i uint32) *uint64 {
	ids := g.Leases.ids(i >> PageBits)
	if ids == nil {
		return nil
	}
	return at(ids, i&(pageSize-1))
}

// Leased finds the entry that is lent by the lease of this id.
func (g *Registry) Leased(id uint64) (entry uint32, found bool) {
	for step := g.Leases.Step; step != 0; step >>= 1 {
		entry = uint32(id & (step - 1))
		if last := g.lastID(entry); last != nil && *last == id {
			e := g.entry(entry)
			return entry, e.State == EntryLent && e.Flags&EntryLeased != 0
		}
	}
	return 0, false
}

// leasable makes sure that there is a place for the id of an entry. False: there is no memory.
func (g *Registry) leasable(i uint32, mem Memory) bool {
	l, number := &g.Leases, i>>PageBits
	if l.ids(number) != nil {
		return true
	}
	if number > l.MoreCap {
		more := enlarge(l.More, l.MoreCap, g.MoreCap, mem)
		if more == nil {
			return false
		}
		if l.More != nil {
			mem.Free(unsafe.Pointer(l.More))
		}
		l.More, l.MoreCap = more, g.MoreCap
	}
	ids := (*uint64)(mem.Alloc(uintptr(g.page(number).Cap) * unsafe.Sizeof(uint64(0))))
	switch {
	case ids == nil:
		return false
	case number == 0:
		l.First = ids
	default:
		*at(l.More, number-1) = ids
	}
	return true
}

// newID gives the lend of an entry its id, or 0: there is no memory, or no number.
func (g *Registry) newID(i uint32, mem Memory) uint64 {
	if !g.leasable(i, mem) {
		return 0
	}
	last := g.lastID(i)
	id := g.Leases.next(i, *last)
	if id == 0 {
		if !g.newBlock(i, mem) {
			return 0
		}
		id = g.Leases.Base + uint64(i)
	}
	*last = id
	return id
}

// next is the id after the last one of an entry, or 0: another block is needed.
func (l *Leases) next(i uint32, last uint64) uint64 {
	switch used := last - l.Base; {
	case used < l.Room:
		return last + l.Step
	case used >= l.Room+l.Step && uint64(i) < l.Step && l.Room != 0: // it has none of this block
		return l.Base + uint64(i)
	}
	return 0
}

// newBlock takes another block of ids, in which the entry has its part.
func (g *Registry) newBlock(i uint32, mem Memory) bool {
	l := &g.Leases
	step := max(l.Step, uint64(1)<<bits.Len32(max(i, g.Cap-1)))
	base := mem.IDs(step * leasesOfEntry)
	if base == 0 {
		return false
	}
	l.Step, l.Base, l.Room = step, base, step*(leasesOfEntry-1)
	return true
}

// forgetIDs goes with a page that is given back.
func (g *Registry) forgetIDs(number uint32, mem Memory) {
	l := &g.Leases
	if ids := l.ids(number); ids != nil {
		*at(l.More, number-1) = nil
		mem.Free(unsafe.Pointer(ids))
		l.Base, l.Room = 0, 0
	}
	if g.Cap == pageSize && l.More != nil { // only the first is left
		more := l.More
		l.More, l.MoreCap = nil, 0
		mem.Free(unsafe.Pointer(more))
	}
}

// growIDs goes with a first page that has grown from so many entries. False: there is no memory.
func (g *Registry) growIDs(from, to uint32, mem Memory) bool {
	l := &g.Leases
	if l.First == nil {
		return true
	}
	ids := enlarge(l.First, from, to, mem)
	if ids == nil {
		return false
	}
	mem.Free(unsafe.Pointer(l.First))
	l.First = ids
	return true
}

// beginLease gives the lend of the op's resource an id, if that is wanted. False: there is none, and the op goes on
// without the resource.
func (c *Core) beginLease(op *Op) bool {
	if op.ByLease == 0 {
		return true
	}
	op.Lease = c.st.Registry.newID(op.Entry, c.mem)
	if op.Lease != 0 || op.ByLease != LeaseWanted {
		return true
	}
	op.Status = NoMemory
	if !c.keeps(op) {
		c.goes(op, StepRemove, c.unkept(op))
		return false
	}
	c.putIdle(op)
	c.finish(op, NoMemory)
	return false
}

// lacksLease says whether the op must have an id for what it would take, and there is no memory for it.
func (c *Core) lacksLease(op *Op) bool {
	if op.ByLease != LeaseWanted || c.makesOwn(op) {
		return false
	}
	entry := op.Entry
	if op.Flags&FlagBound == 0 {
		entry = c.st.next()
	}
	return !c.st.Registry.leasable(entry, c.mem)
}

// comesFor finds what the op gives back: what is lent by its lease, or under its word.
func (c *Core) comesFor(op *Op) (entry uint32, found bool) {
	if op.ByLease == 0 {
		return c.st.Registry.Lent(op.Resource)
	}
	if entry, found = c.st.Registry.Leased(op.Lease); found {
		op.Resource = c.st.Registry.entry(entry).Word
	}
	return entry, found
}

// lease is what the end of an acquire tells of the id.
func (op *Op) lease() uint64 {
	if op.Step == StepDone && op.Status == OK && op.Kind <= KindTry {
		return op.Lease
	}
	return 0
}

package core

import "unsafe"

// EntryState says where a live resource is.
type EntryState uint8

// The states of an entry.
const (
	EntryFree  EntryState = iota
	EntryIdle             // in the queue of the idle, or bound to who was promised it
	EntryLent             // held by a caller
	EntryHook             // in an op: a hook runs on it, or it is being destroyed
	EntryGroup            // no resource: it stands for those that are one word, see equal.go
)

// Entry is one live resource, from its creation to its destruction. What a field means depends on the state, so
// that a resource costs 24 bytes. "+1" is a number whose 0 means none.
type Entry struct {
	Word  uintptr
	Chain uint32 // the next of its bucket +1; one that shares its word: its group +1, while lent the next lent one +1
	// free: next free one +1; idle: next younger; lent and sharing: lent one before +1, of the first the last, and
	// otherwise, where there are ages, the ticks for which it had been idle; group: first lent +1
	Link uint32
	// idle: passes begun when it became so; lent: the breaker's term at that time; group: members
	Mark   uint32 `both:"standing"`
	State  EntryState
	Flags  uint8 // lent: EntryProbe, EntryStale, EntryLeased, EntryTold; idle: EntryDated
	Shared bool  // it is one of several that are the same word
	Label  uint8 // it is evicted unless this is State.Label
}

// Record is what some pools keep of a resource beside its entry: see pages.go. Times are ticks, see ages.go.
type Record struct {
	Note  uint64 // when it was lent: Ages.Note of that moment
	Born  uint32 // when it was made
	Uses  uint32 // lends, and stays at the largest number there is
	Since uint32 // when it was lent, or came back
	Older uint32 // idle, with OptionLIFO: the next older one +1; lent: Ages.Thread of that moment
}

// Flags of a lent entry, and of an idle one.
const (
	EntryProbe  = 1 << 0 // lent as a probe of the breaker's term of that time
	EntryStale  = 1 << 1 // its place was taken before the breaker last opened
	EntryDated  = 1 << 2 // idle: a pass has seen it, and has noted since when it is idle
	EntryLeased = 1 << 3 // lent by lease, see lease.go
	EntryTold   = 1 << 4 // lent for too long, as has been told
)

// Registry knows every live resource: pages of entries (pages.go), and an index from the word of a resource
// to its entry (index.go). One word may have several entries: a factory may return the same word twice.
//
// Nothing in it is ever done in proportion to how much it holds: entries stay where they are and the index
// grows by a bucket or two for each word that comes. So a step takes as long with two million entries as with two
// thousand, and nobody who waits for the lock meets a growth.
type Registry struct {
	First          Page    // entries 0 to pageSize-1; fewer in a small pool
	Buckets        *uint32 // the same of the index: first entry of each bucket +1
	Seed           [2]uint64
	Mask           uint32   // the smallest 2^n-1 that is no bucket less than the last
	Count          uint32   // buckets in use
	More           *Page    // the pages after the first
	MoreBuckets    **uint32 // and of the index
	MoreCap        uint32   // places in More
	MoreBucketsCap uint32   // places in MoreBuckets
	Pages          uint32   // pages that there are, or have been: numbers below it are a page or a hole
	Hole           uint32   // first number without a page +1
	Roomy          uint32   // first page with room +1
	Cap            uint32   // entries there is room for
	Used           uint32   // of them, groups included
	Live           uint32   // resources
	Words          uint32   // in the chains of the index: words, but for a few that have more than one entry there
	Room           uint32   // buckets there is room for
	Records        bool     // each entry has a record, constant
	Leases         Leases
}

// entry is the entry of this number.
func (g *Registry) entry(i uint32) *Entry {
	if i < pageSize {
		return at(g.First.Entries, i)
	}
	return at(at(g.More, i>>PageBits-1).Entries, i&(pageSize-1))
}

// record is the record of the entry of this number, in a registry that has records.
func (g *Registry) record(i uint32) *Record {
	return g.page(i >> PageBits).record(i & (pageSize - 1))
}

// grow makes room for n resources, n at least those that live. False when there is no memory; nothing that
// counts has changed then.
func (g *Registry) grow(n uint64, mem Memory) bool {
	for uint64(g.Cap) < g.need(n) {
		if !g.growPages(mem) {
			return false
		}
	}
	for uint64(g.Room) < bucketsFor(n) {
		if !g.growBuckets(mem) {
			return false
		}
	}
	return true
}

// need is how many entries there must be for n resources: groups take entries, too.
func (g *Registry) need(n uint64) uint64 {
	return uint64(g.Used-g.Live) + n
}

// add makes an entry for a new resource, in a hook; reserve has made the room. Of all entries n resources
// must find room.
func (g *Registry) add(word uintptr, n uint64) uint32 {
	i := g.take()
	*g.entry(i) = Entry{Word: word, State: EntryHook}
	if g.Records {
		*g.record(i) = Record{}
	}
	g.Live++
	if twin, found := g.twin(word); !found || !g.join(i, twin, n) {
		g.link(i)
	}
	return i
}

// lend marks an entry as lent in a term of the breaker.
func (g *Registry) lend(i, term uint32, flags uint8) {
	e := g.entry(i)
	e.State, e.Flags, e.Mark = EntryLent, flags, term
	if e.Shared {
		g.goOut(i)
	}
}

// Lent finds an entry of this word that is lent.
func (g *Registry) Lent(word uintptr) (entry uint32, found bool) {
	if g.Count == 0 {
		return 0, false
	}
	for n := *g.bucket(g.home(word)); n != 0; {
		e := g.entry(n - 1)
		if e.Word == word {
			switch {
			case e.State == EntryLent:
				return n - 1, true
			case e.State == EntryGroup && e.Link != 0:
				return e.Link - 1, true
			}
		}
		n = e.Chain
	}
	return 0, false
}

// takeBack ends the lend of an entry, which is in a hook then.
func (g *Registry) takeBack(i uint32) *Entry {
	e := g.entry(i)
	if e.Shared {
		g.comeIn(i)
	}
	e.State = EntryHook
	return e
}

// remove forgets an entry that is not lent, and gives memory back that n resources do not need.
func (g *Registry) remove(i uint32, n uint64, mem Memory) {
	if !g.entry(i).Shared {
		g.unlink(i)
	} else if group, last := g.part(i); last {
		g.unlink(group)
		g.give(group, n, mem)
	}
	g.Live--
	g.give(i, n, mem)
	g.shrinkBuckets(n, mem)
}

// each calls f with every entry that is in use.
func (g *Registry) each(f func(i uint32, e *Entry)) {
	for number := range g.Pages {
		p := g.page(number)
		for i := uint32(0); p.Entries != nil && i < p.Fresh; i++ {
			if e := at(p.Entries, i); e.State != EntryFree {
				f(number<<PageBits+i, e)
			}
		}
	}
}

// enlarge moves an array to a larger or smaller place; nil, and nothing changed, when there is no memory.
// Only what is bounded is moved so: first pages, and the lists of pages.
func enlarge[T any](old *T, keep, size uint32, mem Memory) *T {
	var element T
	p := (*T)(mem.Alloc(uintptr(size) * unsafe.Sizeof(element)))
	if p == nil {
		return nil
	}
	for i := range keep {
		*at(p, i) = *at(old, i)
	}
	return p
}

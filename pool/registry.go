package pool

import (
	"math/bits"
	"unsafe"
)

// EntryState says where a live resource is.
type EntryState uint8

// The states of an entry.
const (
	EntryFree EntryState = iota
	EntryIdle            // in the ring, or bound to who was promised it
	EntryLent            // held by a caller
	EntryHook            // in an op: a hook runs on it, or it is being destroyed
)

// Entry is one live resource, from its creation to its destruction. Its C twin is ap_entry_t.
type Entry struct {
	Word  uintptr
	Link  uint32 // while free: next free entry + 1, 0 at the end; else the last sweep that saw it
	State EntryState
	Flags uint8
	_     [2]uint8
}

// Flags of a lent entry.
const (
	EntryProbe = 1 << 0 // lent as a probe of the breaker's present term
	EntryStale = 1 << 1 // lent before the breaker last opened
)

// Registry knows every live resource: a slab of entries, which never move in number, and an index from
// the resource word to its entries (open addressing, linear probing, seeded hash). One word may have
// several entries: a factory may return the same word twice.
type Registry struct {
	Entries *Entry
	Index   *uint32 // entry + 1, or 0; twice as many slots as entries
	Seed    [2]uint64
	Cap     uint32 // entries there is room for
	Mask    uint32 // index slots - 1
	Fresh   uint32 // entries below it have been used
	Free    uint32 // first free entry + 1 among those
	Live    uint32
	Most    uint32 // entries there may ever be: there is never room for more; 0: no limit
}

// home is the index slot at which a word's probe begins. The C lane computes the same. The second
// multiplication breaks up what the first leaves of words that are evenly spaced, as addresses are.
func (g *Registry) home(word uintptr) uint32 {
	hi, lo := bits.Mul64(uint64(word)^g.Seed[0], g.Seed[1]|1)
	return uint32((hi^lo)*0x9e3779b97f4a7c15>>32) & g.Mask
}

// reserve makes room for n live entries. False, and nothing changed, when there is no memory.
func (g *Registry) reserve(n uint64, mem Memory) bool {
	if uint64(g.Cap) >= n {
		return true
	}
	capacity := capacityFor(n)
	if capacity > 1<<31 {
		return false // the index would not be addressable by 32 bits
	}
	room := capacity
	if g.Most != 0 {
		room = min(room, uint64(g.Most))
	}
	entries := (*Entry)(mem.Alloc(uintptr(room) * unsafe.Sizeof(Entry{})))
	if entries == nil {
		return false
	}
	index := (*uint32)(mem.Alloc(uintptr(capacity) * 2 * unsafe.Sizeof(uint32(0))))
	if index == nil {
		mem.Free(unsafe.Pointer(entries))
		return false
	}
	old := *g
	g.Entries, g.Index = entries, index
	g.Cap, g.Mask = uint32(room), uint32(capacity*2-1)
	for i := range old.Fresh {
		e := at(entries, i)
		*e = *at(old.Entries, i)
		if e.State != EntryFree {
			g.link(e.Word, i)
		}
	}
	if old.Cap != 0 {
		mem.Free(unsafe.Pointer(old.Entries))
		mem.Free(unsafe.Pointer(old.Index))
	}
	return true
}

// link puts an entry into the first free slot of its word's probe.
func (g *Registry) link(word uintptr, entry uint32) {
	i := g.home(word)
	for *at(g.Index, i) != 0 {
		i = (i + 1) & g.Mask
	}
	*at(g.Index, i) = entry + 1
}

// add makes an entry for a new resource; reserve has made the room.
func (g *Registry) add(word uintptr, state EntryState) uint32 {
	var entry uint32
	if g.Free != 0 {
		entry = g.Free - 1
		g.Free = at(g.Entries, entry).Link
	} else {
		entry = g.Fresh
		g.Fresh++
	}
	*at(g.Entries, entry) = Entry{Word: word, State: state}
	g.link(word, entry)
	g.Live++
	return entry
}

// lent finds an entry of this word that is lent.
func (g *Registry) lent(word uintptr) (entry uint32, found bool) {
	if g.Cap == 0 {
		return 0, false
	}
	for i := g.home(word); ; i = (i + 1) & g.Mask {
		slot := *at(g.Index, i)
		if slot == 0 {
			return 0, false
		}
		if e := at(g.Entries, slot-1); e.Word == word && e.State == EntryLent {
			return slot - 1, true
		}
	}
}

// remove forgets an entry. The slots behind it move up, so that no probe meets a gap before its goal.
func (g *Registry) remove(entry uint32) {
	e := at(g.Entries, entry)
	i := g.home(e.Word)
	for *at(g.Index, i) != entry+1 {
		i = (i + 1) & g.Mask
	}
	for j := (i + 1) & g.Mask; ; j = (j + 1) & g.Mask {
		slot := *at(g.Index, j)
		if slot == 0 {
			break
		}
		// The slot may fill the gap unless its probe begins behind the gap.
		home := g.home(at(g.Entries, slot-1).Word)
		if (j-home)&g.Mask >= (j-i)&g.Mask {
			*at(g.Index, i) = slot
			i = j
		}
	}
	*at(g.Index, i) = 0
	*e = Entry{Link: g.Free}
	g.Free = entry + 1
	g.Live--
}

package core

import "unsafe"

// Entries lie in pages. A page never moves but the first, which begins small and doubles until it is a whole
// page: what that copies is bounded. A page of which nothing is used goes back to the driver, wherever it is,
// once there would be room enough without it and half a page besides; so what a peak has left behind goes as
// soon as its resources do, and a count that moves up and down at the edge of a page takes no memory each time.
//
// Where a pool keeps more of a resource than its entry, each page has records behind its entries, one for each: in the
// same piece of memory, so that there are never entries without records. Other pools pay nothing for them.

// PageBits are the bits of a number that say where in its page something is.
const PageBits = 12

const (
	pageSize = 1 << PageBits
	smallest = 8 // size of the first page at first
)

// Page is what is known of a page of entries; without Entries it is a hole.
type Page struct {
	Entries *Entry
	Cap     uint32 // entries there is room for
	Fresh   uint32 // those below it have been used
	Free    uint32 // first free one of them +1, as numbered in the registry
	Used    uint32
	Next    uint32 // the next page with room +1; of a hole: the next hole +1
	Prev    uint32 // the one before +1
}

func (g *Registry) page(number uint32) *Page {
	if number == 0 {
		return &g.First
	}
	return at(g.More, number-1)
}

// record is the i-th record of a page that has records.
func (p *Page) record(i uint32) *Record {
	return at((*Record)(unsafe.Pointer(at(p.Entries, p.Cap))), i)
}

// newPage gives memory for the entries of a page, and for their records; what is used of an old one comes along. Nil:
// there is none.
func (g *Registry) newPage(size uint32, old *Page, mem Memory) *Entry {
	each := unsafe.Sizeof(Entry{})
	if g.Records {
		each += unsafe.Sizeof(Record{})
	}
	entries := (*Entry)(mem.Alloc(uintptr(size) * each))
	if entries == nil {
		return nil
	}
	page := Page{Entries: entries, Cap: size}
	for i := range old.Fresh {
		*at(entries, i) = *at(old.Entries, i)
		if g.Records {
			*page.record(i) = *old.record(i)
		}
	}
	return entries
}

// growPages makes room for more entries.
func (g *Registry) growPages(mem Memory) bool {
	if g.First.Cap < pageSize {
		return g.growFirst(mem)
	}
	number := g.Hole - 1
	if g.Hole == 0 {
		if number = g.Pages; number == 1<<31>>PageBits { // numbers +1 have 32 bits
			return false
		}
		if number-1 == g.MoreCap && !g.growMore(mem) {
			return false
		}
	}
	entries := g.newPage(pageSize, &Page{}, mem)
	if entries == nil {
		return false
	}
	p := g.page(number)
	if g.Hole == 0 {
		g.Pages++
	} else {
		g.Hole = p.Next
	}
	*p = Page{Entries: entries, Cap: pageSize}
	g.Cap += pageSize
	g.hasRoom(number)
	return true
}

// growFirst doubles the first page.
func (g *Registry) growFirst(mem Memory) bool {
	p := &g.First
	size := max(2*p.Cap, smallest)
	old := p.Entries
	entries := g.newPage(size, p, mem)
	if entries == nil {
		return false
	}
	if !g.growIDs(p.Cap, size, mem) {
		mem.Free(unsafe.Pointer(entries))
		return false
	}
	full := p.Used == p.Cap
	p.Entries, p.Cap = entries, size
	if old != nil {
		mem.Free(unsafe.Pointer(old))
	}
	g.Cap, g.Pages = size, 1
	if full {
		g.hasRoom(0)
	}
	return true
}

// growMore doubles the list of pages, which is a thousandth of what it lists.
func (g *Registry) growMore(mem Memory) bool {
	size := max(2*g.MoreCap, smallest)
	old := g.More
	more := enlarge(old, g.MoreCap, size, mem)
	if more == nil {
		return false
	}
	g.More, g.MoreCap = more, size
	if old != nil {
		mem.Free(unsafe.Pointer(old))
	}
	return true
}

// take gives a free entry; there is one.
func (g *Registry) take() uint32 {
	number := g.Roomy - 1
	p := g.page(number)
	i := p.Free - 1
	if p.Free != 0 {
		p.Free = g.entry(i).Link
	} else {
		i = number<<PageBits + p.Fresh
		p.Fresh++
	}
	p.Used++
	g.Used++
	if p.Used == p.Cap {
		g.isFull(number)
	}
	return i
}

// give makes an entry free again, and its page, if nobody needs it.
func (g *Registry) give(i uint32, n uint64, mem Memory) {
	number := i >> PageBits
	p := g.page(number)
	*g.entry(i) = Entry{Link: p.Free}
	p.Free = i + 1
	if p.Used == p.Cap {
		g.hasRoom(number)
	}
	p.Used--
	g.Used--
	if p.Used != 0 || number == 0 || g.need(n)+pageSize+pageSize/2 > uint64(g.Cap) {
		return
	}
	g.isFull(number)
	g.Cap -= pageSize
	entries, more := p.Entries, g.More
	*p = Page{Next: g.Hole}
	g.Hole = number + 1
	g.forgetIDs(number, mem)
	if g.Cap == pageSize { // only the first is left
		g.More, g.MoreCap, g.Pages, g.Hole = nil, 0, 1, 0
		mem.Free(unsafe.Pointer(more))
	}
	mem.Free(unsafe.Pointer(entries))
}

// hasRoom puts a page at the head of those with room: pages that were full are filled up first, so that
// others become empty.
func (g *Registry) hasRoom(number uint32) {
	p := g.page(number)
	p.Prev, p.Next = 0, g.Roomy
	if g.Roomy != 0 {
		g.page(g.Roomy - 1).Prev = number + 1
	}
	g.Roomy = number + 1
}

// isFull takes a page out of those with room.
func (g *Registry) isFull(number uint32) {
	p := g.page(number)
	if p.Next != 0 {
		g.page(p.Next - 1).Prev = p.Prev
	}
	if p.Prev != 0 {
		g.page(p.Prev - 1).Next = p.Next
	} else {
		g.Roomy = p.Next
	}
	p.Prev, p.Next = 0, 0
}

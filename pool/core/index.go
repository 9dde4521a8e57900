package core

import (
	"math/bits"
	"unsafe"
)

// The index finds an entry by its word: linear hashing, with chains through the entries. There are three buckets for
// two words at least, and each word that comes splits the two that this takes; of more than two buckets for a word
// each word that goes merges two. So there is never a rehash. Buckets lie in pages as entries do.

// bucketsFor is how many buckets n words have at least.
func bucketsFor(n uint64) uint64 { return n + n/2 }

// hash of a word. The fast path of C computes the same. The second multiplication breaks up what the first leaves of
// words that are evenly spaced, as addresses are.
func (g *Registry) hash(word uintptr) uint32 {
	hi, lo := bits.Mul64(uint64(word)^g.Seed[0], g.Seed[1]|1)
	return uint32((hi ^ lo) * 0x9e3779b97f4a7c15 >> 32)
}

// home is the bucket of a word: buckets that are not there yet are still in those they will be split from.
func (g *Registry) home(word uintptr) uint32 {
	h := g.hash(word)
	b := h & g.Mask
	if b >= g.Count {
		b = h & (g.Mask >> 1)
	}
	return b
}

func (g *Registry) bucket(b uint32) *uint32 {
	if b < pageSize {
		return at(g.Buckets, b)
	}
	return at(*at(g.MoreBuckets, b>>PageBits-1), b&(pageSize-1))
}

// link puts an entry into its bucket, and splits one if there are more words than buckets.
func (g *Registry) link(i uint32) {
	e := g.entry(i)
	head := g.bucket(g.home(e.Word))
	e.Chain = *head
	*head = i + 1
	g.Words++
	for range 2 {
		if g.Count < g.Room && uint64(g.Count) < bucketsFor(uint64(g.Words)) {
			g.split()
		}
	}
}

// unlink takes an entry out of its bucket.
func (g *Registry) unlink(i uint32) {
	*g.slot(i) = g.entry(i).Chain
	g.Words--
}

// slot is what refers to an entry in its bucket.
func (g *Registry) slot(i uint32) *uint32 {
	slot := g.bucket(g.home(g.entry(i).Word))
	for *slot != i+1 {
		slot = &g.entry(*slot - 1).Chain
	}
	return slot
}

// twin finds an entry in the index that is this word: its group, if there is one.
func (g *Registry) twin(word uintptr) (twin uint32, found bool) {
	for n := *g.bucket(g.home(word)); n != 0; {
		e := g.entry(n - 1)
		if e.Word == word {
			twin, found = n-1, true
			if e.State == EntryGroup {
				break
			}
		}
		n = e.Chain
	}
	return twin, found
}

// split makes one more bucket, of what belongs there in the one it was a part of.
func (g *Registry) split() {
	b := g.Count
	if b > g.Mask {
		g.Mask = 2*g.Mask + 1
	}
	g.Count++
	from, to := g.bucket(b&(g.Mask>>1)), g.bucket(b)
	for *from != 0 {
		n := *from
		e := g.entry(n - 1)
		if g.hash(e.Word)&g.Mask != b {
			from = &e.Chain
			continue
		}
		*from = e.Chain
		e.Chain = 0
		*to = n
		to = &e.Chain
	}
}

// merge puts what is in the last bucket back where it was split from.
func (g *Registry) merge() {
	g.Count--
	last := g.bucket(g.Count)
	into := g.bucket(g.Count & (g.Mask >> 1))
	end := last
	for *end != 0 {
		end = &g.entry(*end - 1).Chain
	}
	*end = *into
	*into = *last
	if into != last {
		*last = 0
	}
	if g.Count == g.Mask>>1+1 {
		g.Mask >>= 1
	}
}

// growBuckets makes room for more buckets, and uses those of the first page at once.
func (g *Registry) growBuckets(mem Memory) bool {
	if g.Room < pageSize {
		size := max(2*g.Room, smallest)
		old := g.Buckets
		buckets := enlarge(old, g.Count, size, mem)
		if buckets == nil {
			return false
		}
		g.Buckets, g.Room = buckets, size
		if old != nil {
			mem.Free(unsafe.Pointer(old))
		} else {
			g.Count, g.Mask = smallest, smallest-1
		}
		return true
	}
	number := g.Room >> PageBits
	if number-1 == g.MoreBucketsCap {
		size := max(2*g.MoreBucketsCap, smallest)
		old := g.MoreBuckets
		more := enlarge(old, g.MoreBucketsCap, size, mem)
		if more == nil {
			return false
		}
		g.MoreBuckets, g.MoreBucketsCap = more, size
		if old != nil {
			mem.Free(unsafe.Pointer(old))
		}
	}
	page := (*uint32)(mem.Alloc(pageSize * unsafe.Sizeof(uint32(0))))
	if page == nil {
		return false
	}
	*at(g.MoreBuckets, number-1) = page
	g.Room += pageSize
	return true
}

// shrinkBuckets merges, when there are far more buckets than words, and gives a page back that is not used and
// that n resources do not need.
func (g *Registry) shrinkBuckets(n uint64, mem Memory) {
	for range 2 {
		if g.Count > smallest && g.Words < g.Count/2 {
			g.merge()
		}
	}
	if g.Room <= pageSize || max(uint64(g.Count), bucketsFor(n))+pageSize+pageSize/2 > uint64(g.Room) {
		return
	}
	g.Room -= pageSize
	slot := at(g.MoreBuckets, g.Room>>PageBits-1)
	page, more := *slot, g.MoreBuckets
	*slot = nil
	if g.Room == pageSize {
		g.MoreBuckets, g.MoreBucketsCap = nil, 0
		mem.Free(unsafe.Pointer(more))
	}
	mem.Free(unsafe.Pointer(page))
}

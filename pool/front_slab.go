package pool

import "unsafe"

// slab numbers the live resources: the core knows them as words, and words are no pointers. Like the registry it
// lies in pages, so that nothing large is ever copied under the lock.
type slab[T any] struct {
	pages [][]slot[T]
	free  uintptr // the first word that is free again; 0: none
	last  uintptr // the largest word yet
	live  int
}

// slot is one number; word 0 is none.
type slot[T any] struct {
	r    *Resource[T]
	next uintptr // while free: the next free word
}

// add gives a new resource its word.
func (s *slab[T]) add(r *Resource[T]) uintptr {
	s.live++
	if s.free != 0 {
		slot := s.slot(s.free)
		r.word, s.free = s.free, slot.next
		slot.r = r
		return r.word
	}
	s.last++
	r.word = s.last
	page := int(r.word >> PageBits)
	if page == len(s.pages) {
		s.pages = append(s.pages, nil)
	}
	if r.word == 1 {
		s.pages[0] = append(s.pages[0], slot[T]{})
	}
	s.pages[page] = append(s.pages[page], slot[T]{r: r})
	return r.word
}

// drop forgets a destroyed resource; its word may be another's from now on.
func (s *slab[T]) drop(r *Resource[T]) {
	slot := s.slot(r.word)
	slot.r, slot.next = nil, s.free
	s.free = r.word
	r.word = 0
	if s.live--; s.live == 0 {
		*s = slab[T]{}
	}
}

func (s *slab[T]) slot(word uintptr) *slot[T] {
	return &s.pages[word>>PageBits][word&(pageSize-1)]
}

// at is the resource of a word, nil for 0.
func (s *slab[T]) at(word uintptr) *Resource[T] {
	if word == 0 {
		return nil
	}
	return s.slot(word).r
}

// heap is Go's memory for the registry. The pages refer to each other where no collector looks, so they are
// kept here.
type heap struct {
	blocks map[unsafe.Pointer][]uint64
}

func (h *heap) Alloc(size uintptr) unsafe.Pointer {
	block := make([]uint64, (size+7)/8)
	p := unsafe.Pointer(unsafe.SliceData(block))
	if h.blocks == nil {
		h.blocks = make(map[unsafe.Pointer][]uint64)
	}
	h.blocks[p] = block
	return p
}

func (h *heap) Free(p unsafe.Pointer) { delete(h.blocks, p) }

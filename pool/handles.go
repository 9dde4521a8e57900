package pool

import (
	"unsafe"

	"asyncpool/pool/core"
)

const pageSize = 1 << core.PageBits

// handles numbers the live resources: the core knows them as words, and words are no pointers. Like the registry it
// lies in pages, so that nothing large is ever copied under the lock.
type handles[T any] struct {
	pages [][]slot[T]
	free  uintptr // the first word that is free again; 0: none
	last  uintptr // the largest word yet
	live  int
}

// slot is one number; word 0 is none.
type slot[T any] struct {
	item *item[T]
	next uintptr // while free: the next free word
}

// add gives a new resource its word.
func (h *handles[T]) add(i *item[T]) uintptr {
	h.live++
	if h.free != 0 {
		slot := h.slot(h.free)
		i.word, h.free = h.free, slot.next
		slot.item = i
		return i.word
	}
	h.last++
	i.word = h.last
	page := int(i.word >> core.PageBits)
	if page == len(h.pages) {
		h.pages = append(h.pages, nil)
	}
	if i.word == 1 {
		h.pages[0] = append(h.pages[0], slot[T]{})
	}
	h.pages[page] = append(h.pages[page], slot[T]{item: i})
	return i.word
}

// drop forgets a resource that was destroyed or detached; its word may be another's from now on.
func (h *handles[T]) drop(i *item[T]) {
	slot := h.slot(i.word)
	slot.item, slot.next = nil, h.free
	h.free = i.word
	i.word = 0
	if h.live--; h.live == 0 {
		*h = handles[T]{}
	}
}

func (h *handles[T]) slot(word uintptr) *slot[T] {
	return &h.pages[word>>core.PageBits][word&(pageSize-1)]
}

// at is the resource of a word, nil for 0.
func (h *handles[T]) at(word uintptr) *item[T] {
	if word == 0 {
		return nil
	}
	return h.slot(word).item
}

// heap is Go's memory for the registry. The pages refer to each other where no collector looks, so they are
// kept here.
type heap struct {
	blocks map[unsafe.Pointer][]uint64
}

func (m *heap) Alloc(size uintptr) unsafe.Pointer {
	block := make([]uint64, (size+7)/8)
	p := unsafe.Pointer(unsafe.SliceData(block))
	if m.blocks == nil {
		m.blocks = make(map[unsafe.Pointer][]uint64)
	}
	m.blocks[p] = block
	return p
}

func (m *heap) Free(p unsafe.Pointer) { delete(m.blocks, p) }

// IDs has none: who holds a Resource holds one lend, so nobody here asks for ids.
func (m *heap) IDs(uint64) uint64 { return 0 }

package tests_go

import "unsafe"

// heap is Go memory for a core. It keeps what it gave out alive, and panics when something is freed
// that it did not give out.
type heap struct {
	blocks map[unsafe.Pointer][]uint64
	ids    uint64
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

func (h *heap) Free(p unsafe.Pointer) {
	if _, ok := h.blocks[p]; !ok {
		panic("heap: freed what was never allocated")
	}
	delete(h.blocks, p)
}

func (h *heap) IDs(n uint64) uint64 {
	first := (h.ids/n + 1) * n
	h.ids = first + n - 1
	return first
}

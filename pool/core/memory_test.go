package core

import "unsafe"

// testMemory is Go memory that keeps its blocks alive, counts, and can run out.
type testMemory struct {
	blocks map[unsafe.Pointer][]uint64
	bytes  uintptr // given out, ever
	freed  int     // blocks
	calls  int     // of Alloc
	failAt int     // this call fails, counting from 1
	fails  bool    // every call fails
	ids    uint64  // the last one given out
}

func (m *testMemory) Alloc(size uintptr) unsafe.Pointer {
	m.calls++
	if m.fails || m.calls == m.failAt {
		return nil
	}
	block := make([]uint64, (size+7)/8)
	p := unsafe.Pointer(unsafe.SliceData(block))
	if m.blocks == nil {
		m.blocks = make(map[unsafe.Pointer][]uint64)
	}
	m.blocks[p] = block
	m.bytes += size
	return p
}

func (m *testMemory) Free(p unsafe.Pointer) {
	if _, ok := m.blocks[p]; !ok {
		panic("freed what was never allocated")
	}
	delete(m.blocks, p)
	m.freed++
}

func (m *testMemory) IDs(n uint64) uint64 {
	first := (m.ids/n + 1) * n
	m.ids = first + n - 1
	return first
}

// held is how many bytes are given out at present.
func (m *testMemory) held() (bytes uintptr) {
	for _, block := range m.blocks {
		bytes += uintptr(len(block)) * 8
	}
	return bytes
}

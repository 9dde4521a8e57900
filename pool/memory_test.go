package pool

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// testMemory is Go memory that keeps its blocks alive, counts, and can run out.
type testMemory struct {
	blocks map[unsafe.Pointer][]uint64
	bytes  uintptr // given out, ever
	calls  int     // of Alloc
	failAt int     // this call fails, counting from 1
	fails  bool    // every call fails
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
}

func TestCapacityIsThePowerOfTwoThatHoldsThemAll(t *testing.T) {
	for n, expected := range map[uint64]uint64{
		0: 8, 1: 8, 8: 8, 9: 16, 16: 16, 17: 32, 1000: 1024, 1 << 31: 1 << 31, 1<<31 + 1: 1 << 32,
	} {
		assert.Equal(t, expected, capacityFor(n), "for %d", n)
	}
}

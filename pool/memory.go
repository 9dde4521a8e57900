package pool

import "unsafe"

// Memory is where the ring and the registry of a pool live. Both are words without pointers, so the
// memory may be C's.
type Memory interface {
	// Alloc returns size zeroed bytes, aligned for a word, or nil when there are none.
	Alloc(size uintptr) unsafe.Pointer
	// Free takes back what Alloc returned.
	Free(p unsafe.Pointer)
}

// smallest is the first capacity of ring and registry.
const smallest = 8

// capacityFor is the power of two that holds n, at least smallest.
func capacityFor(n uint64) uint64 {
	c := uint64(smallest)
	for c < n {
		c *= 2
	}
	return c
}

// at is the i-th element of the array that p points to. Bounds are the caller's: every index comes out
// of a mask or out of the registry itself.
func at[T any](p *T, i uint32) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}

package core

import "unsafe"

// Memory is where the registry of a pool lives: the pages of its entries and of its index, and the lists of
// those pages. It keeps what it gave out until it is freed, even if nothing that a collector looks at refers
// to it. It may be C's.
type Memory interface {
	// Alloc returns size zeroed bytes, aligned for a word, or nil when there are none.
	Alloc(size uintptr) unsafe.Pointer
	// Free takes back what Alloc returned. It is called under the driver's lock, and to give memory back may
	// take long: a driver whose callers would feel that does it after the lock.
	Free(p unsafe.Pointer)
	// IDs returns the first of n numbers that nobody in the process was given before, a multiple of n, which is a power
	// of two; 0 when none are left.
	IDs(n uint64) uint64
}

// at is the i-th element of the array that p points to. Bounds are the caller's: every index comes out
// of a mask or out of the registry itself.
func at[T any](p *T, i uint32) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}

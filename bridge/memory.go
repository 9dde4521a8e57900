package bridge

// #include "internal.h"
import "C"

import "unsafe"

// memory is C's heap: ring and registry are read by C without entering Go.
type memory struct{}

func (memory) Alloc(size uintptr) unsafe.Pointer {
	return C.ap__alloc(C.AP_WORD, C.size_t(size))
}

func (memory) Free(p unsafe.Pointer) {
	C.ap__dealloc(p)
}

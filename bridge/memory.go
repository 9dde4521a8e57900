package bridge

// #include "internal.h"
import "C"

import (
	"unsafe"

	"asyncpool/pool/core"
)

// memory is C's heap: the registry is read by C without entering Go. What is freed is put aside until the lock is
// given up: see ap__unlock_and_wake in change.c.
type memory struct {
	spent *unsafe.Pointer
}

func memoryOf(st *core.State) memory { return memory{&st.Spent} }

func (memory) Alloc(size uintptr) unsafe.Pointer {
	return C.ap__alloc(C.AP_WORD, C.size_t(size))
}

func (memory) IDs(n uint64) uint64 { return uint64(C.ap__ids(C.uint64_t(n))) }

func (m memory) Free(p unsafe.Pointer) {
	*(*unsafe.Pointer)(p) = *m.spent
	*m.spent = p
}

// Package bridge stands between C and the core: the Go functions that its C files call, and the C files,
// which implement include/asyncpool/pool.h. Every export is called under the lock of its pool (but for
// apgoNew and apgoFree, which are alone with it), and none of them lets a panic out.
package bridge

// #cgo CFLAGS: -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fexceptions
// #cgo LDFLAGS: -pthread
// #include "internal.h"
import "C"

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/mattn/go-pointer"

	"asyncpool/bridge/headroom"
	"asyncpool/pool/core"
)

// apgoEnter does nothing: a thread's first call into Go, see door.c.
//
//export apgoEnter
func apgoEnter() {}

// apgoNew makes the core of a pool and returns its handle, or nil.
//
//export apgoNew
func apgoNew(state *C.ap_state_t) (handle unsafe.Pointer) {
	defer func() {
		if recover() != nil {
			handle = nil
		}
	}()
	st := (*core.State)(unsafe.Pointer(state))
	machine, err := core.NewCore(st, memoryOf(st))
	if err != nil {
		return nil
	}
	return pointer.Save(machine)
}

// apgoFree forgets a core.
//
//export apgoFree
func apgoFree(handle unsafe.Pointer) {
	defer func() { _ = recover() }()
	pointer.Unref(handle)
}

// apgoNext is [core.Core.Next]; 0, or an internal error when the core panicked.
//
//export apgoNext
func apgoNext(handle unsafe.Pointer, op *C.ap_op_t, answer, ask unsafe.Pointer) (status C.int) {
	headroom.Reserve()
	defer caught(handle, &status)
	coreOf(handle).Next((*core.Op)(unsafe.Pointer(op)), (*core.Answer)(answer), (*core.Ask)(ask))
	return C.int(core.OK)
}

// apgoCancel is [core.Core.Cancel].
//
//export apgoCancel
func apgoCancel(handle unsafe.Pointer, op *C.ap_op_t) (status C.int) {
	headroom.Reserve()
	defer caught(handle, &status)
	return C.int(coreOf(handle).Cancel((*core.Op)(unsafe.Pointer(op))))
}

// apgoSetCircuit is [core.Core.SetCircuit].
//
//export apgoSetCircuit
func apgoSetCircuit(handle unsafe.Pointer, to C.uint32_t, now C.int64_t) (status C.int) {
	headroom.Reserve()
	defer caught(handle, &status)
	return C.int(coreOf(handle).SetCircuit(core.Circuit(to), int64(now)))
}

// apgoSetStrategy is [core.Core.SetStrategy].
//
//export apgoSetStrategy
func apgoSetStrategy(handle unsafe.Pointer, asks C.uint32_t) (status C.int) {
	headroom.Reserve()
	defer caught(handle, &status)
	return C.int(coreOf(handle).SetStrategy(uint32(asks)))
}

// apgoSetThreshold is [core.Core.SetThreshold].
//
//export apgoSetThreshold
func apgoSetThreshold(handle unsafe.Pointer, failures, successes C.uint32_t, openFor C.int64_t) (status C.int) {
	headroom.Reserve()
	defer caught(handle, &status)
	return C.int(coreOf(handle).SetThreshold(uint32(failures), uint32(successes), int64(openFor)))
}

// coreOf is the core that a handle stands for.
func coreOf(handle unsafe.Pointer) *core.Core { return pointer.Restore(handle).(*core.Core) }

// caught turns a panic into an internal error. A panic is a defect of the core, so its account is not
// trusted any more: the pool answers Internal from then on. The text goes to standard error, since the
// caller learns no more than the status.
func caught(handle unsafe.Pointer, status *C.int) {
	reason := recover()
	if reason == nil {
		return
	}
	*status = C.int(core.Internal)
	fmt.Fprintf(os.Stderr, "asyncpool: defect: %v\n", reason)
	defer func() { _ = recover() }()
	coreOf(handle).Break()
}

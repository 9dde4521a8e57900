// Package bridge stands between C and the core: the one Go function that its C files call, and the C files,
// which implement include/asyncpool/pool.h.
package bridge

// #cgo CFLAGS: -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fexceptions
// #cgo LDFLAGS: -pthread
// #include "go.h"
import "C"

//go:generate go run ./gen ../pool/core state.h

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/mattn/go-pointer"

	"asyncpool/bridge/headroom"
	"asyncpool/pool/core"
)

// apgoCall is the one way in from C: it does what the call says, with the types of the core. A call that has to do with
// a pool is made under the pool's lock, but for those that make a core and forget it, which are alone with it. No panic
// gets out.
//
//export apgoCall
func apgoCall(c *C.ap_go_call_t) {
	headroom.Reserve()
	defer caught(c)
	switch c.what {
	case C.AP_GO_ENTER: // a thread's first call into Go, see go.c
	case C.AP_GO_NEW:
		c.core = newCore((*core.State)(unsafe.Pointer(c.state)))
	case C.AP_GO_FREE:
		pointer.Unref(c.core)
	case C.AP_GO_NEXT:
		coreOf(c).Next(opOf(c), (*core.Answer)(unsafe.Pointer(c.answer)), (*core.Ask)(unsafe.Pointer(c.ask)))
	case C.AP_GO_CANCEL:
		c.status = C.int32_t(coreOf(c).Cancel(opOf(c)))
	case C.AP_GO_SET_CIRCUIT:
		c.status = C.int32_t(coreOf(c).SetCircuit(core.Circuit(c.circuit), int64(c.ns)))
	case C.AP_GO_SET_STRATEGY:
		c.status = C.int32_t(coreOf(c).SetStrategy(uint32(c.asks)))
	case C.AP_GO_SET_THRESHOLD:
		c.status = C.int32_t(coreOf(c).SetThresholdOn(uint32(c.counts), uint32(c.failures), uint32(c.successes), int64(c.ns)))
	}
}

// newCore makes the core of a pool and returns its handle, or nil.
func newCore(st *core.State) unsafe.Pointer {
	machine, err := core.NewCore(st, memoryOf(st))
	if err != nil {
		return nil
	}
	return pointer.Save(machine)
}

// coreOf is the core that a call's handle stands for.
func coreOf(c *C.ap_go_call_t) *core.Core { return pointer.Restore(c.core).(*core.Core) }

func opOf(c *C.ap_go_call_t) *core.Op { return (*core.Op)(unsafe.Pointer(c.op)) }

// caught turns a panic into an internal error. A panic is a defect of the core, so its account is not
// trusted any more: the pool answers Internal from then on. The text goes to standard error, since the
// caller learns no more than the status.
func caught(c *C.ap_go_call_t) {
	reason := recover()
	if reason == nil {
		return
	}
	c.status = C.int32_t(core.Internal)
	fmt.Fprintf(os.Stderr, "asyncpool: defect: %v\n", reason)
	defer func() { _ = recover() }()
	coreOf(c).Break()
}

package bridge

// #include "internal.h"
import "C"

import (
	"unsafe"

	"asyncpool/pool"
)

// The types of pool/state.go and their C twins must agree to the byte. Each line compiles only if the
// two numbers are equal: they are array lengths, and an array of another length is another type.
var (
	_ = [C.sizeof_ap_state_t]byte([unsafe.Sizeof(pool.State{})]byte{})
	_ = [C.AP_AT_STATE_IDLE]byte([unsafe.Offsetof(pool.State{}.Idle)]byte{})
	_ = [C.AP_AT_STATE_OPS]byte([unsafe.Offsetof(pool.State{}.Ops)]byte{})
	_ = [C.AP_AT_STATE_RING]byte([unsafe.Offsetof(pool.State{}.Ring)]byte{})
	_ = [C.AP_AT_STATE_REGISTRY]byte([unsafe.Offsetof(pool.State{}.Registry)]byte{})
	_ = [C.AP_AT_STATE_WAITERS]byte([unsafe.Offsetof(pool.State{}.Waiters)]byte{})
	_ = [C.AP_AT_STATE_READY]byte([unsafe.Offsetof(pool.State{}.Ready)]byte{})
	_ = [C.AP_AT_STATE_TURNS]byte([unsafe.Offsetof(pool.State{}.Turns)]byte{})
	_ = [C.sizeof_ap_ring_t]byte([unsafe.Sizeof(pool.Ring{})]byte{})
	_ = [C.AP_AT_RING_TAIL]byte([unsafe.Offsetof(pool.Ring{}.Tail)]byte{})
	_ = [C.sizeof_ap_registry_t]byte([unsafe.Sizeof(pool.Registry{})]byte{})
	_ = [C.AP_AT_REGISTRY_SEED]byte([unsafe.Offsetof(pool.Registry{}.Seed)]byte{})
	_ = [C.AP_AT_REGISTRY_LIVE]byte([unsafe.Offsetof(pool.Registry{}.Live)]byte{})
	_ = [C.sizeof_ap_entry_t]byte([unsafe.Sizeof(pool.Entry{})]byte{})
	_ = [C.AP_AT_ENTRY_STATE]byte([unsafe.Offsetof(pool.Entry{}.State)]byte{})
	_ = [C.sizeof_ap_op_t]byte([unsafe.Sizeof(pool.Op{})]byte{})
	_ = [C.AP_AT_OP_POOL]byte([unsafe.Offsetof(pool.Op{}.Host)]byte{})
	_ = [C.AP_AT_OP_DEADLINE]byte([unsafe.Offsetof(pool.Op{}.Deadline)]byte{})
	_ = [C.AP_AT_OP_TURN]byte([unsafe.Offsetof(pool.Op{}.Turn)]byte{})
	_ = [C.AP_AT_OP_WAKE]byte([unsafe.Offsetof(pool.Op{}.Wake)]byte{})
	_ = [C.AP_AT_OP_STATUS]byte([unsafe.Offsetof(pool.Op{}.Status)]byte{})
	_ = [C.AP_AT_OP_KIND]byte([unsafe.Offsetof(pool.Op{}.Kind)]byte{})
	_ = [C.AP_AT_OP_STEP]byte([unsafe.Offsetof(pool.Op{}.Step)]byte{})
	_ = [C.AP_AT_OP_GUARD]byte([unsafe.Offsetof(pool.Op{}.Guard)]byte{})
	_ = [C.sizeof_pool_ask_t]byte([unsafe.Sizeof(pool.Ask{})]byte{})
	_ = [C.AP_AT_ASK_STATUS]byte([unsafe.Offsetof(pool.Ask{}.Status)]byte{})
	_ = [C.AP_AT_ASK_UNTIL]byte([unsafe.Offsetof(pool.Ask{}.Until)]byte{})
	_ = [C.AP_AT_ASK_TURN]byte([unsafe.Offsetof(pool.Ask{}.Turn)]byte{})
	_ = [C.sizeof_pool_answer_t]byte([unsafe.Sizeof(pool.Answer{})]byte{})
	_ = [C.AP_AT_ANSWER_OK]byte([unsafe.Offsetof(pool.Answer{}.OK)]byte{})
	_ = [C.AP_AT_ANSWER_NOW]byte([unsafe.Offsetof(pool.Answer{}.Now)]byte{})

	// The numbers that both sides use.
	_ = [C.AP_GATE_CLOSED]byte([pool.GateClosed]byte{})
	_ = [C.AP_GATE_WAITERS]byte([pool.GateWaiters]byte{})
	_ = [C.AP_GATE_RESERVED]byte([pool.GateReserved]byte{})
	_ = [C.AP_GATE_ACQUIRE_HOOK]byte([pool.GateAcquireHook]byte{})
	_ = [C.AP_GATE_RELEASE_HOOK]byte([pool.GateReleaseHook]byte{})
	_ = [C.AP_GATE_BROKEN]byte([pool.GateBroken]byte{})
	_ = [C.AP_ENTRY_IDLE]byte([pool.EntryIdle]byte{})
	_ = [C.AP_ENTRY_LENT]byte([pool.EntryLent]byte{})
	_ = [C.AP_KIND_ACQUIRE]byte([pool.KindAcquire]byte{})
	_ = [C.AP_KIND_TRY]byte([pool.KindTry]byte{})
	_ = [C.AP_KIND_RELEASE]byte([pool.KindRelease]byte{})
	_ = [C.AP_KIND_CLOSE]byte([pool.KindClose]byte{})
	_ = [C.AP_KIND_FILL]byte([pool.KindFill]byte{})
	_ = [C.AP_STEP_WAIT]byte([pool.StepWait]byte{})
	_ = [C.AP_STEP_DONE]byte([pool.StepDone]byte{})
	_ = [C.POOL_ASK_CREATE]byte([pool.AskCreate]byte{})
	_ = [C.POOL_ASK_WAIT]byte([pool.AskWait]byte{})
	_ = [C.POOL_ASKS_DESTROY]byte([pool.AsksDestroy]byte{})
	_ = [C.POOL_ASKS_BEFORE_ACQUIRE]byte([pool.AsksBeforeAcquire]byte{})
	_ = [C.POOL_ASKS_BEFORE_RELEASE]byte([pool.AsksBeforeRelease]byte{})
)

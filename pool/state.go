package pool

import (
	"math"
	"unsafe"
)

// Never is the deadline of an op that waits for ever.
const Never = int64(math.MaxInt64)

// Gate bits. While the gate is zero a driver may take and give back idle resources by itself.
const (
	GateClosed      = 1 << 0 // the pool is closed
	GateWaiters     = 1 << 1 // somebody waits without a grant
	GateReserved    = 1 << 2 // a granted waiter has not taken its place yet
	GateAcquireHook = 1 << 3 // before_acquire is asked for
	GateReleaseHook = 1 << 4 // before_release is asked for
	GateBroken      = 1 << 5 // the core met a defect in itself and answers Internal from then on
	GateBreaker     = 1 << 6 // the circuit breaker is not active
	GateReports     = 1 << 7 // a release is reported to a strategy
	GateObserved    = 1 << 8 // the driver tells observers about free places; its own bit
)

// Asks bits: which optional asks the host wants.
const (
	AsksDestroy       = 1 << 0
	AsksHealthcheck   = 1 << 1
	AsksBeforeAcquire = 1 << 2
	AsksBeforeRelease = 1 << 3
	AsksReports       = 1 << 4 // both reports
	AsksShouldRecover = 1 << 5
)

// Circuit is the state of the breaker. Numbers are those of pool_circuit_state_t.
type Circuit uint32

// The states of the breaker.
const (
	Active Circuit = iota
	Inactive
	Recovering
	circuits
)

// State is the hot state of one pool, seen by Go and C; its C twin is ap_state_t.
//
// What an acquire and a release touch comes first: with the driver's lock before it, it fills one cache line.
type State struct {
	Gate     uint32 // GateX bits, kept by regate
	MaxSize  uint32 // places, constant
	Idle     uint32 // resources in the queue, and those that are bound
	Active   uint32 // lent, being made, in a hook, or being destroyed
	Reserved uint32 // places promised and not yet taken
	Waiting  uint32 // ops in Waiters
	Queue    Idle
	Passes   uint32 // sweeps begun; wraps
	Term     uint32 // changes of the breaker's state, and of its probes; wraps
	Registry Registry
	Ready    List     // ops that the driver has yet to wake
	Waiters  List     // ops without a grant, oldest first
	Woken    List     // ops of a host that asks which ones can go on; filled by the driver
	Bound    Promises // ops that were promised a place and a resource
	Owed     Promises // ops that were promised a place while nothing was idle
	Tickets  uint64   // given to ops that had to wait
	Turns    uint64   // given to ops that were granted a place
	Asks     uint32   // AsksX bits; the driver changes those of the strategy
	MinSize  uint32   // resources made up front, constant
	Ops      uint32   // ops begun and not done
	Purges   uint32   // idle resources that closes are destroying
	Breaker  Breaker
	Spent    unsafe.Pointer // the driver's: memory to be freed after its lock
	Called   *Op            // the first in line, if the driver has yet to have it look: it stays in line
}

// Kind is what an op is for.
type Kind uint8

// The kinds of ops.
const (
	KindAcquire Kind = iota
	KindTry
	KindRelease
	KindClose
	KindFill
	KindSweep
)

// Step is where an op stands. Each step but the first has one ask, see asks.
type Step uint8

// The steps of an op.
const (
	StepBegin         Step = iota // nothing asked yet
	StepShouldRecover             // the breaker is open: may this caller be a probe?
	StepWait                      // in line, or granted and not yet back
	StepCreate                    // a resource is being made; its place is active
	StepCheckOut                  // before_acquire runs on an idle resource, which is active for it
	StepReject                    // it was refused and is being destroyed; the op keeps the place
	StepDiscard                   // it was made for a pool that closed meanwhile and is being destroyed
	StepCheckIn                   // before_release runs on a returned resource
	StepReportSuccess             // it passed, and the strategy hears of it
	StepReportFailure             // it did not
	StepRemove                    // it is not kept and is being destroyed
	StepPurge                     // a close destroys an idle resource
	StepCheckUp                   // a sweep checks an idle resource, which is active for it
	StepBury                      // it was found dead and is being destroyed
	StepDone                      // finished: Status says how
	steps
)

// Flags of an op: a number space of their own, of 32 bits.
const (
	FlagHolds     = 1 << 0 // holds a reservation
	FlagCancelled = 1 << 1 // its driver leaves; only destructions are still asked for
	FlagUnasked   = 1 << 2 // the ask of Step has not been told to the driver yet
	FlagProbe     = 1 << 3 // has a probe slot of the breaker's present term
	FlagGoesOn    = 1 << 4 // a sweep that goes on with a pass: Pass and Visits are set
	FlagNoRefill  = 1 << 5 // a sweep whose factory failed
	FlagStale     = 1 << 6 // a release of what was lent before the breaker last opened
	FlagBound     = 1 << 7 // was promised the resource of Entry, too
	FlagCalled    = 1 << 8 // is first in line, and shall look when to come back; it has not yet
)

// Op is one operation: the driver's memory, at one address until StepDone. Its C twin is ap_op_t, which
// keeps more of the driver's at the end.
type Op struct {
	next, prev *Op     // links of the list it is in
	Host       uintptr // the driver's, not looked at here
	Deadline   int64   // monotonic ns, or Never
	Resource   uintptr
	Ticket     uint64 // its number in line, 0 while it never waited
	Turn       uint64 // the number of its grant, 0 without one
	Entry      uint32 // registry entry of Resource, while it has one, or of what it was promised
	Wake       uint32 // the driver's: 0 when the op joins the line, set by whoever wakes it
	Status     Status
	Kind       Kind
	Step       Step
	List       uint8 // listX: which list it is in
	_          uint8
	Guard      uint32 // the driver's, not looked at here
	Term       uint32 // the breaker's term in which it got its probe slot
	Epoch      uint32 // openings of the breaker when it took its place
	Visits     uint32 // sweep: idle resources still to look at
	Pass       uint32 // sweep: its number
	Flags      uint32 // FlagX bits
	later      *Op    // links of State.Bound or State.Owed
	earlier    *Op
	Until      int64      // while it waits: when it comes back by itself, at its deadline or before
	Plan       uint32     // while it waits: the plan of the built-in strategy after which it looks, 0: it does not
	_          [31]uint32 // the driver's, and room for what ops will need
	Data       uintptr    // the host's, not looked at here
}

// until is what an ask tells of the time.
func (op *Op) until() int64 {
	if op.Step == StepWait {
		return op.Until
	}
	return op.Deadline
}

// AskKind is what the driver shall do. Numbers are those of pool_ask_kind_t.
type AskKind int32

// The asks.
const (
	AskDone AskKind = iota
	AskCreate
	AskBeforeAcquire
	AskBeforeRelease
	AskDestroy
	AskWait
	AskHealthcheck
	AskReportSuccess
	AskReportFailure
	AskShouldRecover
	askKinds
)

// Ask is what the core wants done; its C twin is pool_ask_t.
type Ask struct {
	Size     uintptr
	Kind     AskKind
	Status   Status  // AskDone: the outcome
	Resource uintptr // what the ask is about
	Until    int64   // AskWait: when to come back without having been woken, or Never
	Ticket   uint64
	Turn     uint64
}

// Answer is what came of an ask; its C twin is pool_answer_t.
type Answer struct {
	Size     uintptr
	OK       bool    // AskCreate, AskBefore...: the outcome
	Resource uintptr // AskCreate: what was made
	Now      int64   // the driver's clock; needed if the op has a deadline or the pool a threshold
}

// Status is the outcome of an op. Numbers are those of pool_status_t.
type Status int32

// The statuses that the core answers.
const (
	OK        Status = 0
	Pending   Status = 1
	Empty     Status = 2
	Invalid   Status = -1
	Closed    Status = -2
	Unavail   Status = -3
	Timeout   Status = -4
	Factory   Status = -5
	Cancelled Status = -6
	NotOwned  Status = -7
	NoMemory  Status = -8
	Internal  Status = -12
)

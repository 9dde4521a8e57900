package core

import "math"

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
	KindDiscard
	KindDetach
	KindResize
	KindEvict
	KindDrain
	KindBehind
	KindTrim
	kinds
)

// Step is where an op stands. Each step but the first has one ask, see asks.
type Step uint8

// The steps of an op.
const (
	StepBegin         Step = iota // nothing asked yet
	StepShouldRecover             // the breaker is open: may this caller be a probe?
	StepWait                      // in line, or granted and not yet back; a drain: until the pool is empty
	StepCreate                    // a resource is being made; its place is active
	StepCheckOut                  // before_acquire runs on an idle resource, which is active for it
	StepReject                    // it was refused, or has to make room, and is being destroyed; the op keeps the place
	StepUnwanted                  // it was made for a pool that closed meanwhile and is being destroyed
	StepCheckIn                   // before_release runs on a returned resource
	StepReportSuccess             // it passed, and the strategy hears of it
	StepReportFailure             // it did not
	StepRemove                    // it is not kept and is being destroyed
	StepPurge                     // an idle resource that is not kept is being destroyed
	StepCheckUp                   // a sweep checks an idle resource, which is active for it
	StepBury                      // it was found dead and is being destroyed
	StepLeaked                    // a sweep tells of a lend that lasts for too long
	StepPause                     // a sweep has looked at many, and lets others have the lock: not done, and nothing is asked
	StepDone                      // finished: Status says how
	steps
)

// Flags of an op: a number space of their own, of 32 bits.
const (
	FlagReserved  = 1 << 0  // holds a reservation
	FlagCancelled = 1 << 1  // its driver leaves; only destructions are still asked for
	FlagUnasked   = 1 << 2  // the ask of Step has not been told to the driver yet
	FlagProbe     = 1 << 3  // has a probe slot of the breaker's present term
	FlagGoesOn    = 1 << 4  // a sweep that goes on with a pass: Pass and Visits are set
	FlagNoRefill  = 1 << 5  // a sweep that makes no more: its factory failed, or creations are put off; behind: nobody is there to make it
	FlagStale     = 1 << 6  // a release of what was lent before the breaker last opened
	FlagBound     = 1 << 7  // was promised the resource of Entry, too
	FlagCalled    = 1 << 8  // is first in line, and shall look when to come back; it has not yet
	FlagLate      = 1 << 9  // its driver cancels it because its time is up: it counts so
	FlagLeft      = 1 << 10 // its caller has left, and is counted: it is no lend
	FlagFirst     = 1 << 11 // had a place before it stood in line for the first time
	FlagDenied    = 1 << 12 // in line no more, since what was to be made for it failed: Status says how
	FlagMade      = 1 << 13 // what it was promised has just been made, and is lent unseen
)

// What an acquire wants of leases.
const (
	LeaseTold   = 1 // its lend has an id, if there is memory for it; else it is by word
	LeaseWanted = 2 // its lend has an id
)

// Never is the deadline of an op that waits for ever.
const Never = int64(math.MaxInt64)

// Op is one operation: the driver's memory, at one address until StepDone.
type Op struct {
	next, prev *Op     // links of the list it is in
	Host       uintptr `c:"ap_pool_t *pool"` // the driver's, nothing to the core
	Deadline   int64   // monotonic ns, or Never
	Resource   uintptr // what it is about, or got
	Ticket     uint64  // its number in line, 0 while it never waited
	Turn       uint64  // the number of its grant, 0 without one
	Entry      uint32  // registry entry of Resource, while it has one, or of what it was promised
	Wake       uint32  `c:"_Atomic uint32_t wake"` // the driver's: 0 when the op joins the line, set by whoever wakes it
	Status     Status  // of StepDone: how it ended
	Kind       Kind
	Step       Step
	List       uint8  // listX: which list it is in
	Why        Why    // while its resource is destroyed: why
	Magic      uint32 // the driver's, nothing to the core
	Term       uint32 // the breaker's term in which it got its probe slot
	Epoch      uint32 // openings of the breaker when it took its place
	Visits     uint32 // sweep: idle resources still to look at; resize: the new MinSize; trim: how many are kept idle
	Pass       uint32 // sweep: its number; resize: the new MaxSize; trim: how many it may destroy yet
	Flags      uint32 // FlagX bits
	later      *Op    // links of State.Bound or State.Owed
	earlier    *Op
	Until      int64      // while it waits: when it comes back by itself, at its deadline or before
	Plan       uint32     // while it waits: the plan of the built-in strategy after which it looks, 0: none; sweep: see leaks.go
	Evicts     uint32     // while it has something made: the evicts begun before
	Round      uint32     // while it has something made: the pauses begun before
	ByLease    uint32     // LeaseX; not 0, of who gives back: what Lease says comes back, whatever Resource is
	Driver     [10]uint64 `c:"ap_op_own_t own"` // the driver's, nothing to the core
	Lease      uint64     // with ByLease: the id of the lend that it got, or gives back
	_          [3]uint64  `c:"room"`       // for what ops will need
	Data       uintptr    `c:"void *data"` // the host's
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
	AskLeaked
	askKinds
)

// Ask is what the core wants done: pool_ask_t.
type Ask struct {
	Size     uintptr `c:"struct_size"`
	Kind     AskKind
	Status   Status  // AskDone: the outcome
	Resource uintptr // what the ask is about
	Until    int64   `c:"until_ns"` // AskWait: when to come back without having been woken, or Never
	Ticket   uint64
	Turn     uint64
	Lease    uint64  // AskDone of an acquire that is OK: the id of its lend
	Lend     uintptr `c:"const pool_lend_t *lend"` // AskLeaked: the driver's
}

// Answer is what came of an ask: pool_answer_t.
type Answer struct {
	Size     uintptr `c:"struct_size"`
	OK       bool    // AskCreate, AskBefore...: the outcome
	Resource uintptr // AskCreate: what was made
	Now      int64   `c:"now_ns"`   // the driver's clock; 0 unless the op has a deadline, or the pool a threshold or patience
	Later    int64   `c:"later_ns"` // AskCreate, not OK: it is nobody's failure, and none shall begin for so long; 0: it is one
}

// Status is the outcome of an op. Numbers are those of pool_status_t.
type Status int32

// The statuses that the core answers.
const (
	OK         Status = 0
	Pending    Status = 1
	Empty      Status = 2
	Invalid    Status = -1
	Closed     Status = -2
	Unavail    Status = -3
	Timeout    Status = -4
	Factory    Status = -5
	Cancelled  Status = -6
	NotOwned   Status = -7
	NoMemory   Status = -8
	Overloaded Status = -10
	Internal   Status = -12
)

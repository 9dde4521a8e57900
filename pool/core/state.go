package core

import "unsafe"

// Gate bits. While the gate is zero a driver may take and give back idle resources by itself.
const (
	GateClosed      = 1 << 0  // the pool is closed
	GateWaiters     = 1 << 1  // somebody waits without a grant
	GateReserved    = 1 << 2  // a granted waiter has not taken its place yet
	GateAcquireHook = 1 << 3  // before_acquire is asked for
	GateReleaseHook = 1 << 4  // before_release is asked for
	GateBroken      = 1 << 5  // the core met a defect in itself and answers Internal from then on
	GateBreaker     = 1 << 6  // the circuit breaker is not active
	GateReports     = 1 << 7  // a release is reported to a strategy
	GateObserved    = 1 << 8  // the driver tells observers about free places; its own bit
	GateAbove       = 1 << 9  // more exists than MaxSize: the pool has shrunk
	GateEvicted     = 1 << 10 // something exists that is not to be lent again
	GateDraining    = 1 << 11 // newcomers are sent away, and who waits is still served
	GatePutsOff     = 1 << 12 // creations are put off: places may be free while somebody waits
	GateLIFO        = 1 << 13 // what came back last is lent first
	GateAges        = 1 << 14 // resources have ages, which may be up
	GateMinIdle     = 1 << 15 // so many are kept idle
	GateLacks       = 1 << 16 // fewer are, and one more may be made
)

// Asks bits: which optional asks the host wants.
const (
	AsksDestroy       = 1 << 0
	AsksHealthcheck   = 1 << 1
	AsksBeforeAcquire = 1 << 2
	AsksBeforeRelease = 1 << 3
	AsksReports       = 1 << 4 // both reports
	AsksShouldRecover = 1 << 5
	AsksLeaked        = 1 << 6
)

// Options of a pool: a number space of their own.
const (
	OptionLIFO = 1 << 0 // what came back last is lent first
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

// State is the hot state of one pool, seen by Go and C.
//
// What an acquire and a release touch comes first: with the driver's lock before it, it fills one cache line.
type State struct {
	Gate        uint32 // GateX bits, kept by regate
	MaxSize     uint32 // places; while GateAbove is set more are in use
	Idle        uint32 `both:"resources"` // resources in the queue, and those that are bound
	Active      uint32 // lent, being made, in a hook, or being destroyed
	Reserved    uint32 // places promised and not yet taken
	Waiting     uint32 // ops in Waiters
	Queue       Idle
	Passes      uint32 // sweeps begun; wraps
	Term        uint32 // changes of the breaker's state, and of its probes; wraps
	Registry    Registry
	Ready       List         // ops that the driver has yet to wake
	Waiters     List         // ops without a grant, oldest first
	Drains      List         // ops that wait for the pool to be empty
	Woken       List         // ops of a host that asks which ones can go on; filled by the driver
	Bound       Reservations // ops that were promised a place and a resource
	Owed        Reservations // ops that were promised a place while nothing was idle
	Tickets     uint64       // given to ops that had to wait
	Turns       uint64       // given to ops that were granted a place
	Asks        uint32       // AsksX bits; the driver changes those of the strategy
	MinSize     uint32       // resources made up front, and by passes
	Ops         uint32       // ops begun and not done
	Purges      uint32       // idle resources that are being destroyed by closes, resizes and evicts
	Breaker     Breaker
	Spent       unsafe.Pointer // the driver's: memory to be freed after its lock
	Patience    Patience
	Called      *Op    // the first in line, if the driver has yet to have it look: it stays in line
	Going       uint32 // of Active, resources that are being destroyed, and give their place up
	Evicted     uint32 // resources that are not to be lent again
	Doomed      Idle   // of them, those that are idle and that nobody was promised
	Evicts      uint32 // evicts begun; wraps
	Label       uint32 // of what was made since the last one; of everything, before the first
	Scanned     uint32 // the page that the next evict begins to relabel with
	MaxWaiting  uint32 // ops in Waiters at most, constant; 0: any number
	Spare       uint32 // of the queue, what was never in use beside all that is; not in Queue.Put, see stats.go
	PeakActive  uint32 // the most of Active, ever
	PeakWaiting uint32 // the most of Waiting
	Counts      Counts
	Options     uint32 // OptionX bits, constant
	Seen        uint32 // with OptionLIFO: the youngest idle one that the present pass has seen +1, see lifo.go
	Ages        Ages
	Glances     uint32 // at how many idle ones a pass looks without a pause, 0: as many as are good; constant
	MinIdle     uint32 // resources that passes keep idle, constant; 0: none
	Ahead       uint32 // resources that fills and passes are making or checking, and that will be idle
	Prompt      uint32 // 1: a pass shall begin at once; the driver takes it back
	Behind      uint32 // constant; 1: acquires have nothing made, ops of KindBehind do
	Makers      uint32 // of those, ops that make a resource, or room for one
}

package core

import (
	"errors"
	"fmt"
)

// Core decides for one pool. Its methods must be called one at a time.
type Core struct {
	st  *State
	mem Memory
}

// ErrSize is the answer to sizes that make no pool.
var ErrSize = errors.New("max_size must be at least 1 and min_size at most max_size")

// NewCore makes the core of a pool whose state is zero but for the constants (Asks, MinSize, MaxSize, MinIdle, Options, Ages)
// and the registry's seed. State and memory stay the driver's and must outlive the core.
func NewCore(st *State, mem Memory) (*Core, error) {
	if st.MaxSize == 0 || st.MinSize > st.MaxSize {
		return nil, ErrSize
	}
	if st.Breaker.Limit == 0 {
		st.Breaker.Limit = 1
	}
	st.Registry.Records = st.Options&OptionLIFO != 0 || st.Ages.any()
	c := &Core{st: st, mem: mem}
	c.regate()
	return c, nil
}

// asks tells the ask of each step.
var asks = [steps]AskKind{
	StepShouldRecover: AskShouldRecover,
	StepWait:          AskWait,
	StepCreate:        AskCreate,
	StepCheckOut:      AskBeforeAcquire,
	StepReject:        AskDestroy,
	StepUnwanted:      AskDestroy,
	StepCheckIn:       AskBeforeRelease,
	StepReportSuccess: AskReportSuccess,
	StepReportFailure: AskReportFailure,
	StepRemove:        AskDestroy,
	StepPurge:         AskDestroy,
	StepCheckUp:       AskHealthcheck,
	StepBury:          AskDestroy,
	StepLeaked:        AskLeaked,
	StepPause:         AskDone,
	StepDone:          AskDone,
}

// wanted tells which Asks bit makes the host want an ask; without one it is always asked.
var wanted = [askKinds]uint32{
	AskBeforeAcquire: AsksBeforeAcquire,
	AskBeforeRelease: AsksBeforeRelease,
	AskDestroy:       AsksDestroy,
	AskReportSuccess: AsksReports,
	AskReportFailure: AsksReports,
	AskLeaked:        AsksLeaked,
}

// Next hears the answer to the ask before (zero at the beginning of an op) and tells the next ask.
func (c *Core) Next(op *Op, answer *Answer, ask *Ask) {
	if c.broken() {
		c.giveUp(op)
	}
	switch {
	case op.Flags&FlagUnasked == 0:
		c.advance(op, answer)
	case c.isOff(op):
		op.Flags &^= FlagUnasked
		c.callOff(op)
		c.skip(op, answer.Now)
	default:
		op.Flags &^= FlagUnasked
	}
	*ask = Ask{
		Size: ask.Size, Kind: asks[op.Step], Resource: op.Resource, Until: op.until(),
		Ticket: op.Ticket, Turn: op.Turn, Lease: op.lease(),
	}
	switch {
	case op.Step == StepDone:
		ask.Status = op.Status
	case op.Step == StepPause, ask.Kind == AskDestroy && c.st.Asks&AsksDestroy == 0:
		ask.Status = Pending // the driver goes on at once, after others had the lock
	}
}

// Cancel ends an op early. An ask that is out counts as answered with failure; one that the driver has not
// heard yet has done no harm to its resource. It says Pending when a resource must still be destroyed; the
// driver then goes on with Next until the op is done.
func (c *Core) Cancel(op *Op) Status {
	switch {
	case op.Step == StepDone:
		return OK
	case c.broken():
		c.giveUp(op)
		return Internal
	case op.Step == StepBegin:
		op.Step, op.Status, op.Resource = StepDone, Cancelled, 0
		return OK
	case op.Flags&FlagUnasked != 0 && asks[op.Step] == AskDestroy:
		return Pending
	}
	op.Flags |= FlagCancelled
	if op.Flags&FlagUnasked != 0 {
		op.Flags &^= FlagUnasked
		c.callOff(op)
		c.skip(op, 0)
	} else {
		c.advance(op, &Answer{})
	}
	return c.outcome(op)
}

// outcome of a cancel: whether the driver must go on.
func (c *Core) outcome(op *Op) Status {
	if op.Step == StepDone {
		return OK
	}
	op.Flags |= FlagUnasked
	return Pending
}

// giveUp ends an op of a broken core, without an account.
func (c *Core) giveUp(op *Op) {
	c.unlink(op)
	if op.Step != StepDone {
		op.Step, op.Status, op.Resource = StepDone, Internal, 0
	}
}

// Break makes every call answer Internal from now on and wakes everybody who waits. For a driver that
// caught a panic of the core: the account can no longer be trusted, and the pool is never freed.
func (c *Core) Break() {
	c.st.Gate |= GateBroken
	c.dismiss()
	c.wakeDrains()
}

// advance moves the op from the answer it got to the next ask the host wants to hear.
func (c *Core) advance(op *Op, answer *Answer) {
	c.step(op, answer)
	c.skip(op, answer.Now)
}

// skip answers the asks that the host does not want to hear. Of many resources that are to be destroyed it leaves one to
// the driver now and then, as others wait for the lock.
func (c *Core) skip(op *Op, now int64) {
	for left := c.st.glances(); ; {
		bit := wanted[asks[op.Step]]
		if bit == 0 || c.st.Asks&bit != 0 {
			break
		}
		if bit == AsksDestroy {
			if left == 0 {
				break
			}
			left--
		}
		c.step(op, &Answer{OK: true, Now: now})
	}
	prompt := c.st.Prompt
	c.regate()
	if op.Kind == KindSweep {
		c.st.Prompt = prompt
	}
}

// step is the whole machine: what follows on the answer to each step.
func (c *Core) step(op *Op, answer *Answer) {
	switch op.Step {
	case StepBegin:
		c.begin(op, answer.Now)
	case StepWait:
		if op.Kind == KindDrain {
			c.drainOn(op, answer.Now)
		} else {
			c.decide(op, answer.Now)
		}
	case StepCreate:
		c.created(op, answer)
	case StepCheckOut:
		c.checkedOut(op, answer.OK)
	case StepReject:
		c.rejected(op, answer.Now)
	case StepUnwanted:
		c.unmade(op)
	case StepShouldRecover:
		c.mayRecover(op, answer)
	case StepCheckIn:
		c.checkedIn(op, answer.OK, answer.Now)
	case StepReportSuccess:
		c.reportedSuccess(op)
	case StepReportFailure:
		op.Step = StepRemove // it is going already
	case StepCheckUp:
		c.checkedUp(op, answer.OK, answer.Now)
	case StepBury:
		c.buried(op, answer.Now)
	case StepPause:
		c.passOn(op, answer.Now)
	case StepLeaked:
		op.Resource = 0
		c.passOn(op, answer.Now)
	case StepRemove:
		c.removed(op)
	case StepPurge:
		c.purged(op, answer.Now)
	case StepDone:
	default:
		panic(fmt.Sprintf("pool: op in step %d", op.Step))
	}
}

// begin starts an op.
func (c *Core) begin(op *Op, now int64) {
	c.st.Ops++
	switch op.Kind {
	case KindAcquire, KindTry:
		c.decide(op, now)
	case KindRelease:
		c.checkIn(op, now)
	case KindDiscard:
		c.discard(op, now)
	case KindDetach:
		c.detach(op, now)
	case KindClose:
		c.close(op)
	case KindResize:
		c.resize(op)
	case KindEvict:
		c.evict(op)
	case KindTrim:
		c.trim(op)
	case KindDrain:
		c.drain(op, now)
	case KindFill:
		c.fill(op, now)
	case KindBehind:
		c.makeBehind(op)
	case KindSweep:
		c.giveUpProbes(now)
		c.sweep(op, now)
	default:
		panic(fmt.Sprintf("pool: op of kind %d", op.Kind))
	}
}

// closed says whether the pool is closed.
func (c *Core) closed() bool {
	return c.st.Gate&GateClosed != 0
}

// broken says whether the core met a defect in itself.
func (c *Core) broken() bool {
	return c.st.Gate&GateBroken != 0
}

// regate sets the gate to what the state says, after whatever happens. Closed, draining, broken and observed are
// kept in the gate itself.
func (c *Core) regate() {
	c.callHead()
	c.callDrains()
	c.st.level()
	gate := c.st.Gate & (GateClosed | GateDraining | GateBroken | GateObserved | GateLacks)
	if c.st.Waiting > 0 {
		gate |= GateWaiters
	}
	if c.st.Reserved > 0 {
		gate |= GateReserved
	}
	if c.st.Asks&AsksBeforeAcquire != 0 {
		gate |= GateAcquireHook
	}
	if c.st.Asks&AsksBeforeRelease != 0 {
		gate |= GateReleaseHook
	}
	if c.st.Breaker.Circuit != Active {
		gate |= GateBreaker
	}
	// A success changes nothing for the built-in strategy before the first failure.
	if c.st.putsOff() {
		gate |= GatePutsOff
	}
	b := &c.st.Breaker
	if c.st.Asks&AsksReports != 0 || b.Count > 0 && b.Counts&CountReleases != 0 {
		gate |= GateReports
	}
	if c.exist() > uint64(c.st.MaxSize) {
		gate |= GateAbove
	}
	if c.st.Evicted > 0 {
		gate |= GateEvicted
	}
	if c.st.Options&OptionLIFO != 0 {
		gate |= GateLIFO
	}
	if c.st.Ages.any() {
		gate |= GateAges
	}
	if c.st.MinIdle != 0 {
		gate |= GateMinIdle
	}
	c.st.Gate = gate
	c.st.watch()
}

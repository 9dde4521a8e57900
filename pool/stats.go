package pool

import (
	"context"
	"math/bits"
	"time"

	"asyncpool/pool/core"
)

// Stats is what a pool looks like in one instant, and what has happened in it since it was made. Each resource that was
// created is there, or was destroyed or detached: Created is Destroyed + Detached + Count.
type Stats struct {
	Idle     int     // resources that wait to be lent
	Active   int     // resources that are lent, in a hook, being made or being destroyed
	Reserved int     // places promised to callers that have been in line and are on their way
	Waiting  int     // callers in line
	Max      int     // MaxSize
	State    Circuit // of the circuit breaker: Active, Inactive, Recovering
	Closed   bool

	Count  int // resources that there are, idle or active
	Making int // resources that factories are making

	Lends       uint64 // resources handed out; not what is made for one who has left
	Waited      uint64 // of these, to callers who had stood in line
	Timeouts    uint64 // acquires that ended because the deadline of their context had passed
	Unavailable uint64 // with [ErrUnavailable]
	Overloaded  uint64 // with [ErrOverloaded]
	Cancelled   uint64 // because their context was cancelled, or a hook was left by a panic or [runtime.Goexit]
	Created     uint64 // creations that succeeded, for whomever
	Failed      uint64 // creations that did not
	Detached    uint64 // by [Pool.Detach]
	Destroyed   uint64 // the sum of the reasons below

	DestroyedRejected  uint64 // by BeforeAcquire
	DestroyedRefused   uint64 // by BeforeRelease
	DestroyedDead      uint64 // by Healthcheck
	DestroyedLifetime  uint64 // too old
	DestroyedIdle      uint64 // idle for too long
	DestroyedUses      uint64 // used up
	DestroyedEvicted   uint64 // by [Pool.Evict]
	DestroyedDiscarded uint64 // by [Pool.Discard]
	DestroyedShrunk    uint64 // too many after a [Pool.Resize], or by [Pool.Trim], or for the resource that a probe has to make
	DestroyedClosed    uint64 // the pool was closed, or drained
	Leaked             uint64 // lends that lasted longer than LeakAfter; each counts once

	PeakActive  int // the most that Active has been
	PeakWaiting int // the most that Waiting has been

	WaitUs   uint64 // microseconds in line, of the lends that Waited counts, together
	CreateUs uint64 // microseconds that the creations took that Created counts, together
	HoldUs   uint64 // with Config.Timed: microseconds that resources were lent that came back, together

	// A bucket for what took less than a microsecond, and then one for each power of two: bucket i is for 2^(i-1)
	// microseconds and more, up to 2^i; the last has all above.
	WaitHistogram   [32]uint64 // its sum is Waited
	CreateHistogram [32]uint64 // its sum is Created
	HoldHistogram   [32]uint64 // with Config.Timed: its sum is the lends that have ended
}

// Stats takes a snapshot.
func (p *Pool[T]) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	st, n := &p.st, &p.st.Counts
	s := Stats{
		Idle: int(st.Idle), Active: int(st.Active), Reserved: int(st.Reserved), Waiting: int(st.Waiting),
		Max: int(st.MaxSize), State: st.Breaker.Circuit, Closed: st.Gate&(core.GateClosed|core.GateDraining) != 0,

		Count: int(st.Registry.Live), Making: int(st.Making()),
		PeakActive: int(st.PeakActive), PeakWaiting: int(st.PeakWaiting),

		Lends: st.Lends(), Waited: n.Waited, Timeouts: n.Timeouts, Unavailable: n.Unavailable,
		Leaked: n.Leaked, Overloaded: n.Overloaded, Cancelled: n.Cancelled, Created: n.Created, Failed: n.Failed,

		Detached:           n.Gone[core.WhyDetached],
		DestroyedRejected:  n.Gone[core.WhyRejected],
		DestroyedRefused:   n.Gone[core.WhyRefused],
		DestroyedDead:      n.Gone[core.WhyDead],
		DestroyedLifetime:  n.Gone[core.WhyLifetime],
		DestroyedIdle:      n.Gone[core.WhyIdle],
		DestroyedUses:      n.Gone[core.WhyUses],
		DestroyedEvicted:   n.Gone[core.WhyEvicted],
		DestroyedDiscarded: n.Gone[core.WhyDiscarded],
		DestroyedShrunk:    n.Gone[core.WhyShrunk],
		DestroyedClosed:    n.Gone[core.WhyClosed],

		WaitUs:        uint64(p.times.waits.sum.Microseconds()),
		CreateUs:      uint64(p.times.creations.sum.Microseconds()),
		HoldUs:        uint64(p.times.holds.sum.Microseconds()),
		HoldHistogram: p.times.holds.histogram,
		WaitHistogram: p.times.waits.histogram, CreateHistogram: p.times.creations.histogram,
	}
	for _, times := range n.Gone[:core.WhyDetached] { // it is the last, and the others are destructions
		s.Destroyed += times
	}
	return s
}

// times is what waits and creations took. The clock is read by who joins the line, and when it is served, and before and
// after a creation: nobody else pays.
type times struct {
	waits     spans // of those that ended in a lend
	creations spans // of those that succeeded
	holds     spans // of those that have ended, if lends are timed
}

type spans struct {
	sum       time.Duration
	histogram [32]uint64
}

func (s *spans) add(took time.Duration) {
	s.sum += took
	s.histogram[min(bits.Len64(uint64(took.Microseconds())), len(s.histogram)-1)]++
}

// countLeft counts an acquire whose caller has left while something is made for it.
func (p *Pool[T]) countLeft(ctx context.Context, kind core.Kind) {
	if kind > core.KindTry {
		return
	}
	late := ctx.Err() == context.DeadlineExceeded
	p.mu.Lock()
	defer p.mu.Unlock()
	if late {
		p.st.Counts.Timeouts++
	} else {
		p.st.Counts.Cancelled++
	}
}

// joins notes when a call joined the line.
func (p *Pool[T]) joins(c *call[T]) { c.since = time.Since(p.born) }

// served counts the wait of a call that is lent what it stood in line for.
func (p *Pool[T]) served(c *call[T]) { p.times.waits.add(c.waited + time.Since(p.born) - c.since) }

// held counts for how long a resource was lent that comes back.
func (p *Pool[T]) held(i *item[T]) {
	note, _ := p.st.Note(i.entry)
	p.times.holds.add(time.Since(p.born) - time.Duration(note))
}

// stepped notes the time of a step that began there, and is over. Made: a resource was made before it.
func (p *Pool[T]) stepped(c *call[T], from core.Step, made bool) {
	to := c.op.Step
	waits := from == core.StepWait && to != core.StepWait
	creates := from == core.StepCreate && made
	begins := to == core.StepCreate || to == core.StepWait && from != core.StepWait
	ends := to == core.StepDone && c.op.Kind == core.KindAcquire && c.op.Status == core.OK
	lent := ends && c.op.Ticket != 0 && c.op.Flags&core.FlagLeft == 0
	if !waits && !creates && !begins && !lent {
		return
	}
	now := time.Since(p.born)
	if waits {
		c.waited += now - c.since // it may stand in line more than once
	}
	if creates {
		p.times.creations.add(now - c.since)
	}
	if begins {
		c.since = now
	}
	if lent {
		p.times.waits.add(c.waited)
	}
}

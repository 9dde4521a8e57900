package core

import "math"

// How long resources live. A limit that is zero is none; without any, records have no ages.
//
// Time is a coarse clock, Ages.Clock, in ticks: whoever reads a clock anyhow sets it, passes above all. Nobody who
// lends or takes back what is idle reads one. So what is due is noticed a tick too late, or a pass.
//
// What is worn, too old or used up, is not lent: an acquire that meets it destroys it and goes on as after a refusal, a
// release destroys it in place of keeping it, a pass does when it comes along. It is asked of the clock each time, so
// nothing has to be marked, and what is worn stays so.

// tickBits are the bits of a time in nanoseconds that are less than a tick, which is 4.2 ms. A clock of 32 bits goes
// round in 208 days, several times the longest limit.
const tickBits = 22

// Ages is how long the resources of a pool may live, and what time it is.
type Ages struct {
	Clock       uint32 // ticks; wraps
	Lifetime    uint32 // ticks after which a resource is not lent again
	Jitter      uint32 // each one's own lifetime is shorter by a part of this
	MaxUses     uint32 // lends after which it is not lent again
	IdleTimeout uint32 // idle ticks after which it goes, while there are more than MinSize, and more than MinIdle are idle
	CheckAfter  uint32 // before_acquire is asked about what was idle for so many ticks
	Timed       uint32 // 1: it is known since when a resource is lent, and who has it
	LeakAfter   uint32 // ticks after which a lend is told as leaked; lends are timed then
	Thread      uint32 // who is lent something now, and what more is to be known of that lend: the driver says both before
	Note        uint64 // each step, and finds them in the record; they mean nothing to the core
}

// Ticks is the limit in ticks for one in milliseconds. Both ends of what is measured are cut off, so one more is needed
// for none to be noticed early.
func Ticks(ms int64) uint32 {
	if ms == 0 {
		return 0
	}
	ticks := (uint64(ms)*1_000_000+(1<<tickBits)-1)>>tickBits + 1
	return uint32(min(ticks, math.MaxInt32))
}

// JitterTicks is the random part of a limit in ticks: cut off, so that none is noticed early for it.
func JitterTicks(ms int64) uint32 {
	return uint32(min(uint64(ms)*1_000_000>>tickBits, math.MaxInt32))
}

// any says whether there is anything for which resources need ages.
func (a *Ages) any() bool {
	return a.limited() || a.CheckAfter != 0 || a.Timed != 0 || a.LeakAfter != 0
}

// limited says whether there is a limit that passes look after.
func (a *Ages) limited() bool { return a.Lifetime != 0 || a.MaxUses != 0 || a.IdleTimeout != 0 }

// Tick says what time it is. A clock that was read a little before one that was heard of already says nothing.
func (st *State) Tick(now int64) {
	const little = 1 << 16
	if tick := uint32(now >> tickBits); st.Ages.Clock-tick > little {
		st.Ages.Clock = tick
	}
}

// worn says whether a resource is not to be lent again.
func (st *State) worn(i uint32) bool {
	if st.Gate&GateAges == 0 {
		return false
	}
	a, r := &st.Ages, st.Registry.record(i)
	if a.MaxUses != 0 && r.Uses >= a.MaxUses {
		return true
	}
	age := a.Clock - r.Born
	return a.Lifetime != 0 && age >= a.Lifetime-a.Jitter && age >= a.Lifetime-st.jitter(i, r)
}

// jitter is the part by which the lifetime of a resource is shorter. It follows from when and where the resource was
// made, so it need not be kept.
func (st *State) jitter(i uint32, r *Record) uint32 {
	h := st.Registry.hash(uintptr(uint64(r.Born)<<32 | uint64(i)))
	return uint32(uint64(h) * (uint64(st.Ages.Jitter) + 1) >> 32)
}

// wear says why a resource that is worn is so.
func (st *State) wear(i uint32) Why {
	if a := &st.Ages; a.MaxUses != 0 && st.Registry.record(i).Uses >= a.MaxUses {
		return WhyUses
	}
	return WhyLifetime
}

// removes says whether a pass removes a resource that it looks at, and why.
func (st *State) removes(i uint32) (why Why, goes bool) {
	switch {
	case st.worn(i):
		return st.wear(i), true
	case st.idles(i):
		return WhyIdle, true
	}
	return 0, false
}

// idles says whether a resource was idle for long, and is not needed.
//
// When it came back is known by a clock that may be a pass behind, and nothing shall go that was needed just now. So the
// first pass that finds a resource idle dates that anew, unless those who take back read a clock.
func (st *State) idles(i uint32) bool {
	a := &st.Ages
	if a.IdleTimeout == 0 {
		return false
	}
	e, r := st.Registry.entry(i), st.Registry.record(i)
	if a.CheckAfter == 0 && e.Flags&EntryDated == 0 {
		e.Flags |= EntryDated
		r.Since = a.Clock
	}
	return a.Clock-r.Since >= a.IdleTimeout && st.Idle+st.Active-st.Going > st.MinSize && st.queued() > st.MinIdle
}

// unchecked says whether before_acquire need not be asked about an idle resource: it came back just now.
func (st *State) unchecked(i uint32) bool {
	a := &st.Ages
	return a.CheckAfter != 0 && a.Clock-st.Registry.record(i).Since < a.CheckAfter
}

// isBorn notes that a resource was made.
func (st *State) isBorn(i uint32) {
	if st.Gate&GateAges != 0 {
		r := st.Registry.record(i)
		r.Born, r.Since = st.Ages.Clock, st.Ages.Clock
	}
}

// isLent notes that a resource is lent, after it was marked so.
func (st *State) isLent(i uint32) {
	if st.Gate&GateAges == 0 {
		return
	}
	e, r := st.Registry.entry(i), st.Registry.record(i)
	if !e.Shared {
		e.Link = st.Ages.Clock - r.Since
	}
	r.Since, r.Older, r.Note = st.Ages.Clock, st.Ages.Thread, st.Ages.Note
	if r.Uses != math.MaxUint32 {
		r.Uses++
	}
}

// isBack notes that a resource comes back.
func (st *State) isBack(i uint32) {
	if st.Gate&GateAges != 0 {
		st.Registry.record(i).Since = st.Ages.Clock
	}
}

// Age is what is known of a resource, for who holds it: times in nanoseconds, which are never too much. All are 0 where
// there are no ages.
func (st *State) Age(i uint32) (age, idle int64, uses uint32) {
	if st.Gate&GateAges == 0 {
		return 0, 0, 0
	}
	e, r := st.Registry.entry(i), st.Registry.record(i)
	away := st.Ages.Clock - r.Since
	if e.State == EntryLent {
		if away = e.Link; e.Shared {
			away = 0
		}
	}
	return span(st.Ages.Clock - r.Born), span(away), r.Uses
}

// span is the time that so many ticks are at least: both ends of them were cut off.
func span(ticks uint32) int64 { return int64(max(ticks, 1)-1) << tickBits }

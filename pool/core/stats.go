package core

import "fmt"

// What a pool tells of its past. Everything is counted where it is decided, under the driver's lock, so that at any
// instant what was created is what was destroyed, was detached, or is there ([Check]). Times are the drivers' affair.
//
// The lane, which lends and takes back what is idle without an op, counts nothing for it, and compares nothing more:
//
//   - A lend of the lane is one more that left the queue, and State.Queue.Taken counts those anyhow. Lends has the
//     difference: lends of what was not in the queue, and what left it without having been lent. Taken would wrap:
//     whoever takes something beyond the lane's reach moves it to Lends first.
//   - The lane moves resources between the queue and those who use them. So more are active than ever before just when
//     fewer are in the queue than ever since anything else happened. State.Spare is how many these are at least, and is
//     left out of State.Queue.Put: the lane, which takes while Taken is less than Put, ends there. Who goes on takes
//     note of the new peak.

// Why says why a resource is not the pool's any more.
type Why uint8

// The reasons.
const (
	WhyRejected  Why = iota // by before_acquire
	WhyRefused              // by before_release
	WhyDead                 // by the healthcheck
	WhyLifetime             // it was too old
	WhyIdle                 // it was idle for too long
	WhyUses                 // it was used up
	WhyEvicted              // it existed when an evict began
	WhyDiscarded            // by who held it
	WhyShrunk               // there was no place for it any more, or for what a probe has to make
	WhyClosed               // the pool was closed, or drained
	WhyDetached             // it was not destroyed, and is its holder's
	whys
)

// Counts is what has happened in a pool.
type Counts struct {
	Lends       uint64 // resources handed out, but for those that the queue has counted
	Waited      uint64 // lends to callers who had stood in line
	Timeouts    uint64 // acquires that ended so
	Unavailable uint64
	Overloaded  uint64
	Cancelled   uint64
	Created     uint64       // creations that succeeded
	Failed      uint64       // creations that did not
	Leaked      uint64       // lends that lasted for too long
	Gone        [whys]uint64 // resources that the pool has no more, by WhyX
}

// Lends is how many resources were handed out.
func (st *State) Lends() uint64 { return st.Counts.Lends + uint64(st.Queue.Taken) }

// Making is how many places are taken by what is being made.
func (st *State) Making() uint32 { return st.Idle + st.Active - st.Registry.Live }

// queued is how many idle resources nobody was promised.
func (st *State) queued() uint32 { return st.Queue.len() + st.Spare }

// level takes note of peaks, and says how far the lane may go. It follows on whatever else changes the queue or Active.
func (st *State) level() {
	q, n := &st.Queue, st.queued()
	st.PeakActive = max(st.PeakActive, st.Active)
	st.PeakWaiting = max(st.PeakWaiting, st.Waiting)
	within := min(n, st.PeakActive-st.Active)
	st.Spare = n - within
	q.Put = q.Taken + within
}

// uncounted is for one that leaves the queue as what is no lend, or counted as one later.
func (st *State) uncounted() {
	if q := &st.Queue; q.Taken >= q.Put {
		st.Counts.Lends += uint64(q.Taken)
		q.Put -= q.Taken
		q.Taken = 0
	}
	st.Counts.Lends--
}

// ended counts an acquire that is over.
func (st *State) ended(op *Op) {
	n := &st.Counts
	switch status := op.Status; {
	case op.Flags&FlagLeft != 0: // it is counted
	case status == Timeout, status == Cancelled && op.Flags&FlagLate != 0:
		n.Timeouts++
	case status == Unavail:
		n.Unavailable++
	case status == Overloaded:
		n.Overloaded++
	case status == Cancelled:
		n.Cancelled++
	}
}

// unkept says why a resource is not kept that is good. While a pool is drained, that is so because it is being closed.
func (c *Core) unkept(op *Op) Why {
	switch {
	case c.closed():
		return WhyClosed
	case c.st.isEvicted(op.Entry):
		return WhyEvicted
	case c.unneeded():
		return WhyClosed
	}
	return WhyShrunk
}

// checkCounts tests that everything that was created is somewhere, and what the lane relies on.
func checkCounts(st *State) error {
	gone := uint64(0)
	for _, n := range st.Counts.Gone {
		gone += n
	}
	if n := &st.Counts; n.Created != gone+uint64(st.Registry.Live) {
		return fmt.Errorf("I10: %d were created, %d are gone, %d are there", n.Created, gone, st.Registry.Live)
	}
	if st.Active > st.PeakActive || st.Waiting > st.PeakWaiting {
		return fmt.Errorf("peaks: %d active of %d, %d waiting of %d", st.Active, st.PeakActive, st.Waiting, st.PeakWaiting)
	}
	if within := st.Queue.len(); within != min(st.queued(), st.PeakActive-st.Active) {
		return fmt.Errorf("peaks: the lane may take %d of %d, %d are active of %d", within, st.queued(), st.Active,
			st.PeakActive)
	}
	return nil
}

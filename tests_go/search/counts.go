package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// counts is what those outside have seen happen.
type counts struct {
	lends, waited                                uint32
	timeouts, unavailable, overloaded, cancelled uint32 // acquires that ended so
	created, failed, leaked                      uint32
	gone                                         [len(core.Counts{}.Gone)]uint32 // by core.WhyX
	peakActive, peakWaiting                      uint32
}

// ended counts an acquire that was told why it got nothing.
func (n *counts) ended(status core.Status) {
	switch status {
	case core.Timeout:
		n.timeouts++
	case core.Unavail:
		n.unavailable++
	case core.Overloaded:
		n.overloaded++
	case core.Cancelled:
		n.cancelled++
	}
}

// unkept says why the op's resource is not kept, which is good.
func (a *account) unkept(p *party) core.Why {
	switch {
	case a.closed:
		return core.WhyClosed
	case a.things[p.word].gone:
		return core.WhyEvicted
	case a.unneeded():
		return core.WhyClosed
	}
	return core.WhyShrunk
}

// checkCounts compares what the core tells of the past with what happened.
func (b *Board) checkCounts() error {
	st, a := &b.memory.state, &b.account
	n, seen := &st.Counts, &a.counts
	seen.peakActive = max(seen.peakActive, uint32(a.active()))
	seen.peakWaiting = max(seen.peakWaiting, uint32(a.line.n))
	making := uint32(0)
	for i := range a.parties {
		if p := &a.parties[i]; p.busy && p.place && p.word == 0 {
			making++
		}
	}
	for _, c := range [...]struct {
		name          string
		core, outside uint64
	}{
		{"lends", st.Lends(), uint64(seen.lends)},
		{"lends after a wait", n.Waited, uint64(seen.waited)},
		{"timeouts", n.Timeouts, uint64(seen.timeouts)},
		{"unavailable", n.Unavailable, uint64(seen.unavailable)},
		{"overloaded", n.Overloaded, uint64(seen.overloaded)},
		{"cancelled", n.Cancelled, uint64(seen.cancelled)},
		{"created", n.Created, uint64(seen.created)},
		{"failed", n.Failed, uint64(seen.failed)},
		{"leaked", n.Leaked, uint64(seen.leaked)},
		{"being made", uint64(st.Making()), uint64(making)},
		{"most active", uint64(st.PeakActive), uint64(seen.peakActive)},
		{"most waiting", uint64(st.PeakWaiting), uint64(seen.peakWaiting)},
	} {
		if c.core != c.outside {
			return fmt.Errorf("counts: %s: the core says %d, the account %d", c.name, c.core, c.outside)
		}
	}
	for why, times := range seen.gone {
		if n.Gone[why] != uint64(times) {
			return fmt.Errorf("counts: gone for reason %d: the core says %d, the account %d", why, n.Gone[why], times)
		}
	}
	return nil
}

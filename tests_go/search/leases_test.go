package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// leaseBook knows the leases of a history in which no two resources are one word.
type leaseBook struct {
	of    map[uintptr]uint64 // what is lent by lease, and by which
	seen  map[uint64]*client
	stale []uint64 // those that have ended
}

// note is what the end of an op means for leases. It may be told more than once.
func (b *leaseBook) note(a *actor) error {
	c, id := a.client, a.ask.Lease
	lends := c.verb <= core.KindTry && a.ask.Status == core.OK && !a.inFast && a.op.ByLease != 0
	switch {
	case lends != (id != 0):
		return fmt.Errorf("DONE %s tells the lease %#x", statusNames[a.ask.Status], id)
	case lends && b.seen[id] == c: // once more
	case lends && b.seen[id] != nil:
		return fmt.Errorf("the lease %#x is given twice", id)
	case lends:
		if b.of == nil {
			b.of, b.seen = map[uintptr]uint64{}, map[uint64]*client{}
		}
		b.of[a.ask.Resource], b.seen[id] = id, c
	}
	return nil
}

// end is what it means that a lend is about to end, or that something is lent by word.
func (b *leaseBook) end(word uintptr) {
	if id := b.of[word]; id != 0 {
		b.stale = append(b.stale, id)
		delete(b.of, word)
	}
}

// giveByLease gives back by lease, the rest being as for start.
func (r *rig) giveByLease(a *actor, kind core.Kind, id uint64, word uintptr) error {
	return r.startOp(a, core.Op{Kind: kind, Deadline: core.Never, Resource: word, ByLease: 1, Lease: id})
}

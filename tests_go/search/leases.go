package search

import (
	"fmt"
	"slices"

	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// What the account has of leases: each has a number that there never was before, which ends with its lend, in whatever
// way that ends. From then on nobody gets anything for it.

// byLease says whether it acquires by lease.
func (a *account) byLease(actor int) bool {
	return actor < len(a.world.Callers) && a.world.Callers[actor].Lease
}

// ends judges the number that the end of an op tells.
func (a *account) ends(p *party, actor int, ask *core.Ask) error {
	lends := p.kind <= core.KindTry && ask.Status == core.OK
	switch {
	case (lends && a.byLease(actor)) != (ask.Lease != 0):
		return fmt.Errorf("leases: an end with %s tells the number %#x", statusNames[ask.Status], ask.Lease)
	case ask.Lease == 0:
		return nil
	case slices.Contains(a.stale[:], ask.Lease), a.isLease(ask.Lease):
		return fmt.Errorf("leases: the number %#x is given twice", ask.Lease)
	}
	p.lease = ask.Lease
	return nil
}

// isLease says whether this is the number of a lend.
func (a *account) isLease(id uint64) bool {
	return slices.ContainsFunc(a.parties[:], func(p party) bool { return p.lease == id })
}

// leaseEnds is what it means that the lend of who held something has ended.
func (a *account) leaseEnds(p *party) {
	if p.lease != 0 {
		a.stale[a.ended%uint8(len(a.stale))] = p.lease
		a.ended++
		p.lease = 0
	}
}

// lacksLease says whether it wants a number, and there is no memory for it: neither for one that is to be lent, nor for
// one that it has made.
func (a *account) lacksLease(p *party) bool {
	meets := (a.idle.n > 0 || p.kept != 0) && !a.closed && a.circuit != core.Inactive && p.sentAway == core.OK
	return a.byLease(int(a.numberOf(p))) && !a.numbered && (p.word != 0 || meets)
}

// tryStale gives back by leases that have ended, and by numbers that are none, in each way: nobody gets anything for it.
func (b *Board) tryStale() error {
	a, st := &b.account, &b.memory.state
	if !b.world.leases() {
		return nil
	}
	numbers := append([]uint64{0, 1, st.Registry.Leases.Base}, a.stale[:]...)
	for i := range a.parties {
		if id := a.parties[i].lease; id != 0 {
			numbers = append(numbers, id+1, id+st.Registry.Leases.Step, id-st.Registry.Leases.Step, id^1<<40)
		}
	}
	op := &b.memory.ops[maxActors]
	for _, id := range numbers {
		if id != 0 && a.isLease(id) {
			continue
		}
		if cfast.GiveLease(st, id) || cfast.GiveLeaseShort(st, id) {
			return fmt.Errorf("leases: the fast path takes %#x, which is no lease", id)
		}
		for _, kind := range kindsBack {
			*op = core.Op{Kind: kind, ByLease: 1, Lease: id, Deadline: core.Never}
			if err := b.tryFastRelease(op); err != nil {
				return err
			}
			var ask core.Ask
			b.core.Next(op, &core.Answer{Now: a.now}, &ask)
			*op = core.Op{}
			if ask.Kind != core.AskDone || ask.Status != core.NotOwned || ask.Resource != 0 || ask.Lease != 0 {
				return fmt.Errorf("leases: the %s of %#x, which is no lease, is answered with %s", kindNames[kind], id,
					textOf(&ask))
			}
		}
	}
	return nil
}

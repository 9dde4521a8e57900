package search

import (
	"hash/maphash"
	"math"

	"asyncpool/pool/core"
)

// Key stands for a state of a world. Two states have the same key when whatever may come after is the same
// but for names. (128 bits of hash: among 100 million states, two different ones are mixed up with a chance
// of less than one in 10^22.)
type Key [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// block is what there is to know about one actor.
type block [29]byte

// Key is the key of the present state. It is made of all that the core and the account may look at later:
//
//   - numbers that only grow are replaced by how they compare: tickets by the order of the line, terms,
//     epochs and passes by whether they are the present ones, the clock by whether a deadline has passed;
//   - resources have no names: each is in one place (the ring, an op, a hand) and is described there;
//   - actors that are alike are sorted, so that it does not count which of them is which.
//
// What the core and the account both know (that they agree was checked) is put in once.
func (b *Board) Key() Key {
	var buffer [300]byte
	bytes := b.numbers(b.header(buffer[:0]))
	for i := range b.account.idle.n {
		word := b.account.idle.items[i]
		bytes = append(bytes, b.resource(b.memory.idleEntry(uint32(i)), word), b.age(word), b.idleness(word))
		bytes = append(bytes, b.numbered(b.memory.idleEntry(uint32(i))))
	}
	var blocks [maxActors]block
	n := b.world.actors()
	for i := range n {
		blocks[i] = b.actor(i)
	}
	for i := range n { // insertion sort within those that are alike
		for j := i; j > 0 && b.world.alike(j-1, j) && less(&blocks[j], &blocks[j-1]); j-- {
			blocks[j-1], blocks[j] = blocks[j], blocks[j-1]
		}
	}
	for i := range n {
		bytes = append(bytes, blocks[i][:]...)
	}
	return Key{maphash.Bytes(seeds[0], bytes), maphash.Bytes(seeds[1], bytes)}
}

func less(a, b *block) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// header is what concerns the pool as a whole.
func (b *Board) header(bytes []byte) []byte {
	st, a := &b.memory.state, &b.account
	breaker := &st.Breaker
	return append(bytes,
		byte(st.Gate), byte(st.Gate>>8), byte(st.Asks),
		byte(st.Idle), byte(st.Active), byte(st.Reserved), byte(st.Waiting), byte(st.Ops),
		byte(breaker.Circuit), byte(breaker.Probes), byte(breaker.Count),
		byte(breaker.Failures), byte(breaker.Successes),
		bits(breaker.Circuit != core.Active && a.now >= a.since+openFor,
			breaker.Circuit == core.Recovering && a.now >= a.since+probeFor, breaker.OpenFor != 0, a.builtIn,
			b.memory.taken[0], b.memory.taken[1], b.memory.taken[2]),
		b.memory.starved, byte(st.MinSize), byte(st.MaxSize), byte(st.Going), byte(a.most), byte(a.doomed.n),
		bits(a.putsOff(), a.now >= a.until, a.over)|byte(a.pause/retryFor)<<3,
		a.below<<4|a.latest, byte(st.Ahead), byte(st.Gate>>16),
	)
}

// resource is what there is to know about a resource: what it was lent as, which passes are to look at it.
func (b *Board) resource(e *core.Entry, word uint8) byte {
	t := &b.account.things[word]
	entry := byte(0)
	switch e.State {
	case core.EntryLent:
		entry = bits(b.memory.isProbe(e), b.memory.isStale(e), e.Flags&core.EntryLeased != 0)
	case core.EntryIdle:
		for i := range b.world.Sweepers {
			op := &b.memory.ops[len(b.world.Callers)+i]
			entry |= bits(op.Pass != 0 && int32(e.Mark-op.Pass) < 0) << (2 + i)
		}
	}
	account := byte(0)
	for i := range b.world.Sweepers { // an ended pass does not count
		if sweeper := len(b.world.Callers) + i; b.account.parties[sweeper].busy {
			bit := b.account.sweeperBit(sweeper)
			account |= bits(t.seen&bit != 0, t.due&bit != 0) << (2 * i)
		}
	}
	return entry | account<<4
}

// age is how old a resource is, as far as that counts.
func (b *Board) age(word uint8) byte {
	t, w := &b.account.things[word], b.world
	return byte(min((b.account.now-t.born)/tick, int64(w.Lifetime)))<<4 | min(t.uses, w.Uses)
}

// numbered is the number of an entry, where passes look for leaks: they go by it.
func (b *Board) numbered(e *core.Entry) byte {
	if b.world.LeakAfter == 0 {
		return 0
	}
	for i := range b.memory.state.Registry.First.Fresh {
		if b.memory.entry(i) == e {
			return byte(i) + 1
		}
	}
	return 0
}

// numbers are those that new resources will have, where that counts.
func (b *Board) numbers(bytes []byte) []byte {
	if b.world.LeakAfter == 0 {
		return bytes
	}
	first := &b.memory.state.Registry.First
	bytes = append(bytes, byte(first.Fresh))
	for free := first.Free; free != 0; free = b.memory.entry(free - 1).Link {
		bytes = append(bytes, byte(free))
	}
	return append(bytes, 0)
}

// lendOf is for how long a resource is lent, as far as that counts, and who has yet to tell of it.
func (b *Board) lendOf(word uint8) byte {
	t, w := &b.account.things[word], b.world
	hunted := byte(0)
	for i := range w.Sweepers {
		hunted |= byte(b.account.parties[len(w.Callers)+i].hunts>>word&1) << i
	}
	return bits(t.told) | hunted<<1 | byte(min((b.account.now-t.out)/tick, int64(w.LeakAfter)))<<4
}

// idleness is for how long it was idle, as far as that counts.
func (b *Board) idleness(word uint8) byte {
	t, w := &b.account.things[word], b.world
	return byte(min((b.account.now-t.since)/tick, int64(max(w.IdleTimeout, w.CheckAfter)))) | bits(t.dated)<<7
}

// actor is what there is to know about an actor.
func (b *Board) actor(i int) block {
	p, op, breaker := &b.account.parties[i], &b.memory.ops[i], &b.memory.state.Breaker
	var k block
	if p.held != 0 {
		k[0] = 1 | bits(b.account.things[p.held].gone)<<1
		k[1] = b.resource(b.memory.lentEntry(p.held), p.held)
		k[22] = b.age(p.held)
		k[24], k[25] = b.numbered(b.memory.lentEntry(p.held)), b.lendOf(p.held)
	}
	if !p.busy {
		return k
	}
	k[2] = byte(op.Kind)<<4 | byte(op.Step)
	k[3] = byte(op.Flags)
	if op.Flags&^(core.FlagCalled|core.FlagFirst|core.FlagDenied|core.FlagMade) > math.MaxUint8 {
		panic("the key has one byte for the flags of an op, and a bit for each of some others")
	}
	k[4] = op.List
	k[5] = byte(b.memory.state.SentAway(op))
	k[6] = b.account.line.place(uint8(i))
	k[7] = bits(op.Flags&core.FlagProbe != 0 && op.Term == b.memory.state.Term, op.Wake != 0,
		op.Deadline != core.Never, op.Deadline <= b.account.now)
	if p.place || p.promised || op.Step == core.StepWait {
		k[7] |= bits(op.Epoch == breaker.Epoch) << 4
	}
	switch {
	case p.word != 0:
		k[8] = b.resource(b.memory.entry(op.Entry), p.word)
		k[20], k[21] = b.age(p.word), b.idleness(p.word)
	case p.kept != 0:
		k[8] = b.resource(b.memory.entry(op.Entry), p.kept)
		k[20], k[21] = b.age(p.kept), b.idleness(p.kept)
	}
	k[14] = b.account.bound.place(uint8(i))<<4 | b.account.owed.place(uint8(i))
	if p.word != 0 || p.kept != 0 {
		k[26] = b.numbered(b.memory.entry(op.Entry))
	}
	if op.Kind == core.KindSweep {
		k[27] = byte(op.Plan)
		k[9] = byte(op.Visits)<<4 | p.visits
	}
	if op.Kind == core.KindTrim {
		k[9] = byte(op.Pass)<<4 | byte(op.Visits)
	}
	k[10] = byte(p.asked)<<4 | byte(p.owes)
	k[11] = bits(p.unheard, p.place, p.promised, p.slot, p.timed, p.late, p.opened, p.cancelled)
	k[12] = bits(p.failed, p.created, p.word != 0) | byte(p.verdict)<<3
	k[19] = bits(p.queued && (b.world.Waiting != 0 || b.world.patient()), p.first, p.making, p.old, p.put,
		op.Flags&core.FlagFirst != 0, op.Round == b.memory.state.Patience.Round,
		b.account.putsOff() && op.Until > b.account.until)
	if b.world.patient() {
		k[23] = b.account.came.place(uint8(i))
	}
	if op.List == listWaiters {
		knows := op.Plan == breaker.Plan
		k[12] |= bits(op.Flags&core.FlagCalled != 0, knows, !knows && op.Until-probeFor > b.account.since) << 5
	}
	k[13] = byte(p.sentAway) | bits(p.pauses)<<7
	k[15] = byte(op.Status)
	k[16] = bits(p.goes, p.leaves, p.awake) | byte(p.mayEnd>>8)<<3
	k[17] = byte(p.mayEnd)
	k[18] = bits(b.account.things[p.word].gone, b.account.things[p.kept].gone, p.outdated, p.expired) | b.account.drains.place(uint8(i))<<4
	k[28] = bits(p.makes, p.made, op.Flags&core.FlagDenied != 0, op.Flags&core.FlagMade != 0)
	return k
}

// place is 1 for the first in a queue, 0 for who is not there.
func (q *queue) place(x uint8) byte {
	for i := range q.n {
		if q.items[i] == x {
			return i + 1
		}
	}
	return 0
}

func bits(values ...bool) byte {
	x := byte(0)
	for i, v := range values {
		if v {
			x |= 1 << i
		}
	}
	return x
}

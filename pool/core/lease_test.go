package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lease begins an acquire by lease, and has what it asks for be made.
func (r *rig) lease(word uintptr) (*Op, Ask) {
	r.t.Helper()
	op := &Op{Kind: KindAcquire, Deadline: Never, ByLease: LeaseWanted}
	ask := r.next(op, Answer{})
	if ask.Kind == AskCreate {
		ask = r.next(op, Answer{OK: true, Resource: word})
	}
	return op, ask
}

// endBy ends a lend by its lease.
func (r *rig) endBy(kind Kind, id uint64) Status {
	r.t.Helper()
	op := &Op{Kind: kind, Deadline: Never, ByLease: LeaseWanted, Lease: id}
	ask := r.next(op, Answer{})
	for ask.Kind != AskDone {
		ask = r.next(op, Answer{OK: true})
	}
	return ask.Status
}

// Shows P46.
func TestALeaseIsOneLend(t *testing.T) {
	r := newRig(t, 1, allAsks)
	_, ask := r.lease(7)
	require.Equal(t, OK, ask.Status)
	first := ask.Lease
	require.NotZero(t, first)
	assert.Equal(t, OK, r.endBy(KindRelease, first))
	for _, kind := range []Kind{KindRelease, KindDiscard, KindDetach} {
		assert.Equal(t, NotOwned, r.endBy(kind, first), "idle")
	}
	op, _ := r.begin(KindAcquire, 0)
	r.next(op, Answer{OK: true}) // before_acquire
	assert.Equal(t, NotOwned, r.endBy(KindRelease, first), "lent by word")
	r.keep(7)
	op, ask = r.lease(7)
	require.Equal(t, AskBeforeAcquire, ask.Kind)
	assert.Equal(t, NotOwned, r.endBy(KindRelease, first), "in a hook")
	second := r.next(op, Answer{OK: true}).Lease
	assert.NotEqual(t, first, second)
	assert.Equal(t, NotOwned, r.endBy(KindRelease, first), "lent by another lease")
	r.keep(7) // by word: the same lend
	assert.Equal(t, NotOwned, r.endBy(KindRelease, second))
}

// Ids of pools with few and many entries, that come and go, are never the same. Shows P46.
func TestIDsAreNeverTheSame(t *testing.T) {
	b := newLedger(t, 3)
	const most = 3 * pageSize
	seen := map[uint64]bool{0: true}
	var all []uint32
	lend := func(i uint32) uint64 {
		id := b.g.newID(i, &b.mem)
		require.False(t, seen[id], "%#x", id)
		seen[id] = true
		b.g.lend(i, 0, EntryLeased)
		found, lent := b.g.Leased(id)
		require.True(t, lent)
		require.Equal(t, i, found)
		return id
	}
	old := lend(b.add(1)) // lent all the time, by an id with few bits for the entry
	for range 3 {
		for n := uintptr(0); len(all) < most; n++ {
			i := b.add(n * 3)
			all = append(all, i)
			if n%2 == 0 {
				lend(i)
			}
		}
		require.NoError(t, checkRegistry(&b.g))
		for len(all) > 10 { // pages go, and what is known of their ids with them
			i := all[len(all)-1]
			all = all[:len(all)-1]
			if b.g.entry(i).State == EntryLent {
				b.g.takeBack(i)
			}
			b.g.remove(i, uint64(b.g.Live), &b.mem)
			delete(b.held, i)
		}
		require.NoError(t, checkRegistry(&b.g))
		assert.Less(t, b.g.Cap, uint32(most))
	}
	_, lent := b.g.Leased(old)
	assert.True(t, lent)
	for range 3 * leasesOfEntry { // more than a block has
		b.g.takeBack(0)
		lend(0)
	}
	_, lent = b.g.Leased(old)
	assert.False(t, lent)
}

// What nobody was given is the lease of nothing, whatever it looks like.
func TestNumbersThatAreNoLeases(t *testing.T) {
	r := newRig(t, 8, 0)
	for _, id := range []uint64{0, 1, 1 << 20, 1<<64 - 1} {
		assert.Equal(t, NotOwned, r.endBy(KindRelease, id), "before there is one")
	}
	_, ask := r.lease(1)
	id, l := ask.Lease, &r.st.Registry.Leases
	for _, other := range []uint64{0, id + 1, id + l.Step, id - l.Step, id ^ 1<<63, 1<<64 - 1, l.Base} {
		if other != id {
			assert.Equal(t, NotOwned, r.endBy(KindRelease, other), "%#x", other)
		}
	}
	assert.Equal(t, OK, r.endBy(KindDetach, id))
}

// Who comes by word is given what was lent by word, as long as there is some; a lease names its own. Shows P47.
func TestOfEqualWordsALeaseEndsItsOwnLend(t *testing.T) {
	r := newRig(t, 6, 0)
	var ids []uint64
	for i := range 6 {
		if i%2 == 0 {
			_, ask := r.lease(7)
			ids = append(ids, ask.Lease)
		} else {
			r.lend(7)
		}
	}
	r.keep(7)
	assert.Equal(t, OK, r.endBy(KindRelease, ids[1]))
	r.keep(7)
	r.keep(7)
	assert.Equal(t, OK, r.endBy(KindRelease, ids[0]), "three came back by word, and three were lent so")
	r.keep(7) // the last one is, by lease
	assert.Equal(t, NotOwned, r.endBy(KindRelease, ids[2]))
	assert.Equal(t, [5]uint32{6, 0, 0, 0, 0}, r.counts())
}

// Without memory for an id nothing is lent, and what was made is kept. Shows P12, P46.
func TestWithoutMemoryThereIsNoLease(t *testing.T) {
	r := newRig(t, 1, 0)
	op := &Op{Kind: KindAcquire, Deadline: Never, ByLease: LeaseWanted}
	require.Equal(t, AskCreate, r.next(op, Answer{}).Kind)
	r.mem.fails = true
	ask := r.next(op, Answer{OK: true, Resource: 7})
	assert.Equal(t, Ask{Status: NoMemory, Until: Never}, ask)
	assert.Equal(t, [5]uint32{1, 0, 0, 0, 0}, r.counts())
	_, ask = r.lease(8) // one that is idle
	assert.Equal(t, NoMemory, ask.Status)
	assert.Equal(t, [5]uint32{1, 0, 0, 0, 0}, r.counts())
	r.mem.fails = false
	_, ask = r.lease(8)
	assert.Equal(t, OK, ask.Status)
	assert.Equal(t, uintptr(7), ask.Resource)
}

// Who does not insist on one is lent by word then. Shows P12, P48.
func TestWithoutMemoryALeaseThatIsOnlyToldIsNone(t *testing.T) {
	r := newRig(t, 1, 0)
	r.lend(7)
	r.keep(7)
	r.mem.fails = true
	op := &Op{Kind: KindAcquire, Deadline: Never, ByLease: LeaseTold}
	ask := r.next(op, Answer{})
	assert.Equal(t, OK, ask.Status)
	assert.Zero(t, ask.Lease)
	assert.Equal(t, NotOwned, r.endBy(KindRelease, 0))
	r.keep(7)
	r.mem.fails = false
	ask = r.next(&Op{Kind: KindTry, Deadline: Never, ByLease: LeaseTold}, Answer{})
	assert.NotZero(t, ask.Lease)
}

// The same of one that is not kept: the pool has shrunk, and there are too many.
func TestWithoutMemoryForItsLeaseWhatIsTooManyGoes(t *testing.T) {
	r := newRig(t, 2, AsksDestroy)
	r.lend(1)
	op := &Op{Kind: KindAcquire, Deadline: Never, ByLease: LeaseWanted}
	require.Equal(t, AskCreate, r.next(op, Answer{}).Kind)
	resize := &Op{Kind: KindResize, Deadline: Never, Pass: 1}
	require.Equal(t, OK, r.next(resize, Answer{}).Status)
	r.mem.fails = true
	ask := r.next(op, Answer{OK: true, Resource: 7})
	assert.Equal(t, AskDestroy, ask.Kind)
	ask = r.next(op, Answer{OK: true})
	assert.Equal(t, NoMemory, ask.Status)
	assert.Zero(t, ask.Lease)
	assert.Equal(t, [5]uint32{0, 1, 0, 0, 0}, r.counts())
}

// Every allocation fails in turn, while the first page grows and others come. Shows P12.
func TestEveryAllocationForLeasesMayFailInTurn(t *testing.T) {
	for failAt := 1; ; failAt++ {
		b := newLedger(t, 1)
		b.mem.failAt = failAt
		failed := false
		for n := uint64(1); n <= 2*pageSize && !failed; n++ {
			if failed = !b.g.grow(n, &b.mem); failed {
				break
			}
			i := b.g.add(uintptr(n), n)
			id := b.g.newID(i, &b.mem)
			if failed = id == 0; failed {
				break
			}
			b.g.lend(i, 0, EntryLeased)
		}
		require.NoError(t, checkRegistry(&b.g))
		if !failed {
			require.Greater(t, failAt, 20)
			break
		}
	}
}

// No number is left: nothing is lent by lease.
func TestNoNumbersAreLeft(t *testing.T) {
	r := newRig(t, 1, 0)
	r.core.mem = spent{&r.mem}
	_, ask := r.lease(7)
	assert.Equal(t, NoMemory, ask.Status)
	assert.Equal(t, [5]uint32{1, 0, 0, 0, 0}, r.counts())
}

// spent is memory without numbers.
type spent struct{ Memory }

func (spent) IDs(uint64) uint64 { return 0 }

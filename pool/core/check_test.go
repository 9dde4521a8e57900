package core

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// busyState is a pool of four places in the middle of things: resources 1 and 2 are idle and promised
// to the first two of four waiters, who are yet to be woken; 3 and 4 are lent.
func busyState(t *testing.T) (st *State, waiters []*Op) {
	r := newRig(t, 4, 0)
	for word := range uintptr(4) {
		r.lend(word + 1)
	}
	for range 4 {
		op, _ := r.begin(KindAcquire, 0)
		waiters = append(waiters, op)
	}
	r.keep(1)
	r.keep(2)
	require.Equal(t, [5]uint32{2, 2, 2, 2, 4}, r.counts())
	return &r.st, waiters
}

// nobodyWaits lets a place be surplus.
func nobodyWaits(st *State) { st.Waiters, st.Waiting = List{}, 0 }

// entryOf finds the entry of a word.
func entryOf(st *State, word uintptr) *Entry {
	var found *Entry
	st.Registry.each(func(_ uint32, e *Entry) {
		if e.Word == word {
			found = e
		}
	})
	return found
}

// Shows I1 to I5, I7.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	for name, c := range map[string]struct {
		corrupt  func(st *State, waiters []*Op)
		expected string
	}{
		"more resources than places": {
			func(st *State, _ []*Op) { st.MaxSize = 3 }, "I1: idle 2 + active 2 > max 3"},
		"idle that are not there": {
			func(st *State, _ []*Op) { st.Idle = 3 }, "I1: idle 3 + active 2 > max 4"},
		"more promises than places": {
			func(st *State, _ []*Op) { st.Reserved = 3 }, "I2: active 2 + reserved 3 > max 4"},
		"a lost wake-up": {
			func(st *State, _ []*Op) { st.Reserved = 1 }, "I4: 2 wait while active 2 + reserved 1 < max 4"},
		"waiters on a closed pool": {
			func(st *State, _ []*Op) { st.Gate |= GateClosed }, "I7: 2 wait on a pool that is closed"},
		"tickets out of order": {
			func(_ *State, w []*Op) { w[2].Ticket = 9 }, "I3: ticket 4 waits behind ticket 9"},
		"the same ticket twice": {
			func(_ *State, w []*Op) { w[3].Ticket = 3 }, "I3: ticket 3 waits behind ticket 3"},
		"turns out of order": {
			func(_ *State, w []*Op) { w[0].Turn = 9 }, "I3: turn 2 is woken behind turn 9"},
		"a waiter that says it is in no list": {
			func(_ *State, w []*Op) { w[2].List = listNone }, fmt.Sprintf("waiter 3: list 0, step %d, flags 0", StepWait)},
		"a waiter that is done": {
			func(_ *State, w []*Op) { w[3].Step = StepDone }, fmt.Sprintf("waiter 4: list 1, step %d, flags 0", StepDone)},
		"a waiter that holds a promise": {
			func(_ *State, w []*Op) { w[3].Flags = FlagReserved }, fmt.Sprintf("waiter 4: list 1, step %d, flags 1", StepWait)},
		"a wrong tail": {
			func(st *State, w []*Op) { st.Waiters.Tail = w[2] }, "waiter 3: broken links"},
		"a wrong link back": {
			func(_ *State, w []*Op) { w[3].prev = w[0] }, "waiter 3: broken links"},
		"a waiter that is not counted": {
			func(st *State, _ []*Op) { st.Waiting = 1 }, "2 ops in line, 1 counted"},
		"a woken op that says it waits": {
			func(_ *State, w []*Op) { w[1].List = listWaiters }, "ready op 2: list 1"},
		"an entry in no state": {
			func(st *State, _ []*Op) { entryOf(st, 3).State = EntryGroup + 1 }, "entry 2 in state 5"},
		"an entry that cannot be found": {
			func(st *State, _ []*Op) {
				for i := range st.Registry.Count {
					*st.Registry.bucket(i) = 0
				}
			}, "is not in the index"},
		"a resource that is not counted": {
			func(st *State, _ []*Op) { st.Registry.Live = 3 }, "counted 3 live"},
		"a resource both idle and lent": {
			func(st *State, _ []*Op) { entryOf(st, 1).State = EntryLent }, "I5: 1 idle, 3 lent, 0 in hooks"},
		"a lent resource that is lost": {
			func(st *State, _ []*Op) { entryOf(st, 4).State = EntryFree }, "I5: 3 live, 3 used, 3 in the index; counted 4 live"},
		"a resource too many in hooks": {
			func(st *State, _ []*Op) {
				st.Registry.add(5, 5)
				st.Active, st.Reserved = 2, 2
			}, "I5: 2 idle, 2 lent, 1 in hooks"},
		"a queue that is too long": {
			func(st *State, _ []*Op) { st.Queue.Put++ }, "I5: 2 bound, 1 in the queue, 2 idle"},
		"a resource in the queue twice": {
			func(st *State, w []*Op) {
				nobodyWaits(st)
				(&Core{st: st}).unreserve(w[0])
				(&Core{st: st}).unreserve(w[1])
				st.lay(w[0].Entry)
				st.lay(w[0].Entry)
			}, "in the queue twice, or bound, or not idle"},
		"a resource in the queue that is bound": {
			func(st *State, w []*Op) {
				nobodyWaits(st)
				(&Core{st: st}).unreserve(w[1])
				st.lay(w[0].Entry)
			}, "in the queue twice, or bound, or not idle"},
		"a lent resource in the queue": {
			func(st *State, w []*Op) {
				nobodyWaits(st)
				(&Core{st: st}).unreserve(w[1])
				st.lay(3)
			}, "I5: entry 3 in the queue twice, or bound, or not idle"},
		"a resource that is bound twice": {
			func(_ *State, w []*Op) { w[1].Entry = w[0].Entry }, "I5: entry 0 is bound twice, or not idle"},
		"a lent resource that is bound": {
			func(_ *State, w []*Op) { w[1].Entry = 3 }, "I5: entry 3 is bound twice, or not idle"},
		"a promise that is not counted": {
			func(st *State, _ []*Op) {
				nobodyWaits(st)
				st.Reserved = 1
			}, "I2: 2 ops were promised a place, 1 counted"},
		"a promise of a place in the list of those of resources": {
			func(_ *State, w []*Op) { w[0].Flags = FlagReserved },
			fmt.Sprintf("I2: op 1 was promised something: step %d, flags 1", StepWait)},
		"a promise to one who does not wait": {
			func(_ *State, w []*Op) { w[0].Step = StepCreate },
			fmt.Sprintf("I2: op 1 was promised something: step %d, flags 129", StepCreate)},
		"promises that are not linked": {
			func(_ *State, w []*Op) { w[1].earlier = nil }, "op 1 was promised something: broken links"},
		"promises out of order": {
			func(st *State, w []*Op) { w[1].Turn, st.Ready = 1, List{} }, "I3: turn 1 was promised its due behind turn 1"},
		"one who is owed what is idle": {
			func(st *State, w []*Op) {
				c := Core{st: st}
				c.unreserve(w[1])
				w[1].Flags = FlagReserved
				st.Reserved++
				st.Owed.push(w[1])
				st.lay(w[1].Entry)
			}, "I2: op 2 is owed a resource while 1 are idle"},
		"a page that is said to have room": {
			func(st *State, _ []*Op) { st.Registry.First.Cap = 4 }, "page 0 is full, or has broken links"},
		"room that is not there": {
			func(st *State, _ []*Op) { st.Registry.Cap = 9 }, "pages: room for 8, 4 used; counted 9, 4"},
	} {
		t.Run(name, func(t *testing.T) {
			st, waiters := busyState(t)
			require.NoError(t, Check(st))
			c.corrupt(st, waiters)
			assert.ErrorContains(t, Check(st), c.expected)
		})
	}
}

func TestCheckOfAnEmptyPool(t *testing.T) {
	assert.NoError(t, Check(&State{MaxSize: 1}))
}

package core

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// queue is a state with n resources in hooks.
func queue(t *testing.T, n uintptr) *State {
	st, mem := &State{MaxSize: math.MaxUint32}, &testMemory{}
	for word := range n {
		require.True(t, st.Registry.grow(uint64(word)+1, mem))
		require.Equal(t, uint32(word), st.Registry.add(word, uint64(word)+1))
	}
	t.Cleanup(func() { _ = mem.calls }) // the memory stays that long
	return st
}

func TestWhatIsPutBackIsTheOldestAgain(t *testing.T) {
	st := queue(t, 3)
	st.Queue.Put, st.Queue.Taken = math.MaxUint32, math.MaxUint32 // they wrap
	st.lay(0)
	st.lay(1)
	for range 3 {
		st.layBack(st.takeOldest())
	}
	one, other := st.takeOldest(), st.takeOldest()
	require.Equal(t, [2]uint32{0, 1}, [2]uint32{one, other})
	st.layBack(other)
	st.layBack(one)
	st.lay(2)
	for i := range uint32(3) {
		require.Equal(t, i, st.takeOldest())
	}
	require.Zero(t, st.queued())
}

// Shows B12.
func TestIdleOnesComeOutInTheOrderInWhichTheyCame(t *testing.T) {
	st := queue(t, 100)
	for round := range uint32(3) {
		for i := range uint32(100) {
			st.lay((i*7 + round) % 100)
		}
		for i := range uint32(100) {
			require.Equal(t, (i*7+round)%100, st.takeOldest())
		}
		require.Zero(t, st.queued())
	}
}

// Shows B12.
func TestIdleOnesGoRound(t *testing.T) {
	st := queue(t, 5)
	for i := range uint32(5) {
		st.lay(i)
	}
	for i := range uint32(100) {
		require.Equal(t, i%5, st.takeOldest())
		st.lay(i % 5)
		require.Equal(t, uint32(5), st.queued())
	}
}

// Shows B12.
func TestTheQueueNeedsNoMemory(t *testing.T) {
	r := newRig(t, 100, 0)
	for word := range uintptr(100) {
		r.lend(word)
	}
	r.mem.fails = true
	for word := range uintptr(100) {
		r.keep(word)
	}
	assert.Equal(t, uint32(100), r.st.Idle)
}

// A pass looks at what was idle when it began, also when the number of passes wraps.
func TestPassesMayWrap(t *testing.T) {
	r := newRig(t, 3, AsksHealthcheck)
	for word := range uintptr(3) {
		r.lend(word + 1)
	}
	r.st.Passes = math.MaxUint32 - 2
	for word := range uintptr(3) {
		r.keep(word + 1)
	}
	for range 6 {
		op, ask := r.begin(KindSweep, 0)
		for word := range uintptr(3) {
			require.Equal(t, AskHealthcheck, ask.Kind, "pass %d", op.Pass)
			require.Equal(t, word+1, ask.Resource)
			ask = r.next(op, Answer{OK: true})
		}
		require.Equal(t, AskDone, ask.Kind, "pass %d", op.Pass)
	}
	assert.Equal(t, uint32(3), r.st.Passes)
}

// A resource that is out while passes come and go, however many, is looked at by the first that finds it idle.
func TestAPassLooksAtWhatWasOutForLong(t *testing.T) {
	r := newRig(t, 1, AsksHealthcheck)
	r.lend(1)
	r.st.Passes += 1<<31 + 5
	r.keep(1)
	_, ask := r.begin(KindSweep, 0)
	assert.Equal(t, AskHealthcheck, ask.Kind)
}

// What is lent remembers its term; nobody is told when one ends, and the numbers may wrap.
func TestTermsMayWrap(t *testing.T) {
	r := newRig(t, 3, AsksReports)
	r.st.Term = math.MaxUint32 - 2
	r.st.Breaker.Opened = r.st.Term
	r.lend(1)
	i, _ := r.st.Registry.Lent(1)
	e := r.st.Registry.entry(i)
	for range 3 {
		require.Equal(t, OK, r.core.SetCircuit(Recovering, 0))
		require.Equal(t, OK, r.core.SetCircuit(Active, 0))
		require.False(t, r.core.isStale(e))
	}
	require.Equal(t, OK, r.core.SetCircuit(Recovering, 0))
	r.lend(2)
	require.Equal(t, uint32(1), r.st.Breaker.Probes)
	require.Equal(t, OK, r.core.SetCircuit(Inactive, 0))
	assert.True(t, r.core.isStale(e))
	assert.Equal(t, uint32(5), r.st.Term)
	require.Equal(t, OK, r.core.SetCircuit(Recovering, 0))
	r.keep(2) // a probe of before frees no slot of today
	assert.Zero(t, r.st.Breaker.Probes)
}

// What came back last first, over two pages of the registry, beside passes: as a plain list has it. Shows P42.
func TestTheLastOneComesFirst(t *testing.T) {
	const n = pageSize + 10
	st := &State{MaxSize: n, Options: OptionLIFO}
	mem := &testMemory{}
	defer runtime.KeepAlive(mem) // or the blocks that the registry has are collected
	_, err := NewCore(st, mem)
	require.NoError(t, err)
	for word := range uintptr(n) {
		require.True(t, st.Registry.grow(uint64(word)+1, mem))
		require.Equal(t, uint32(word), st.Registry.add(word, uint64(word)+1))
	}
	random := rand.New(rand.NewPCG(1, 2))
	var idle, lent []uint32
	seen := 0
	for i := range uint32(n) {
		lent = append(lent, i)
	}
	takeAt := func(i int) uint32 {
		x := idle[i]
		idle = slices.Delete(idle, i, i+1)
		lent = append(lent, x)
		if i < seen {
			seen--
		}
		return x
	}
	for step := range 100_000 {
		switch dice := random.IntN(16); {
		case dice == 0:
			st.Seen, seen = 0, 0
		case dice < 3 && len(idle) > 0:
			require.Equal(t, takeAt(0), st.takeOldest())
		case dice < 6 && len(idle) > 0:
			require.Equal(t, takeAt(len(idle)-1), st.takeNext())
		case dice < 10 && seen < len(idle):
			i, found := st.unseen()
			require.True(t, found)
			st.takeOut(i)
			require.Equal(t, takeAt(seen), i)
			lent = lent[:len(lent)-1]
			st.laySeen(i)
			idle = slices.Insert(idle, seen, i)
			seen++
		case len(lent) > 0:
			at := random.IntN(len(lent))
			st.lay(lent[at])
			idle = append(idle, lent[at])
			lent = slices.Delete(lent, at, at+1)
		}
		_, found := st.unseen()
		require.Equal(t, seen < len(idle), found)
		require.Equal(t, len(idle), int(st.queued()))
		if step%1000 == 0 {
			require.NoError(t, checkLinks(st))
		}
	}
	for len(idle) > 0 {
		require.Equal(t, takeAt(len(idle)-1), st.takeNext())
	}
}

// What is known of a resource beside its entry stays with it while the first page grows. Shows P42.
func TestRecordsMoveWithTheFirstPage(t *testing.T) {
	st, mem := &State{MaxSize: 100, Options: OptionLIFO}, &testMemory{}
	_, err := NewCore(st, mem)
	require.NoError(t, err)
	for word := range uintptr(100) {
		require.True(t, st.Registry.grow(uint64(word)+1, mem))
		i := st.Registry.add(word, uint64(word)+1)
		st.lay(i)
		require.NoError(t, checkLinks(st))
	}
	for word := 99; word >= 0; word-- {
		require.Equal(t, uint32(word), st.takeNext())
	}
}

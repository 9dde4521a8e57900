package core

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// eachLent collects what is lent, in pieces of so many, and does something between two of them.
func eachLent(st *State, most uint32, between func()) map[uint32]int {
	found, more := map[uint32]int{}, true
	for next := uint32(0); more; between() {
		next, more = st.EachLent(next, most, func(i uint32, e *Entry) bool {
			found[i]++
			return true
		})
	}
	return found
}

// Shows P75.
func TestEachLendIsMetOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	b := newLedger(t, 3)
	for word := uintptr(1); word <= 3*pageSize+5; word++ {
		b.add(word)
	}
	for _, i := range b.shuffled(random) { // the second page is given back, and leaves a hole
		if i>>PageBits == 1 {
			b.remove(i)
		}
	}
	lent := map[uint32]int{}
	for i := range b.held {
		if random.IntN(2) == 0 {
			b.lend(i)
			lent[i] = 1
		}
	}
	defer runtime.KeepAlive(b) // or the blocks that the registry has are collected
	st := &State{Registry: b.g}
	for _, most := range []uint32{1, 7, pageSize - 1, pageSize, pageSize + 1} {
		assert.Equal(t, lent, eachLent(st, most, func() {}), "in pieces of %d", most)
	}
	runtime.KeepAlive(b) // it has the memory that the state points to
	assert.Empty(t, eachLent(&State{}, 1, func() {}), "a pool that never had anything")
}

// Shows P75.
func TestWhatStaysLentIsMetOnceWhateverHappensMeanwhile(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	b := newLedger(t, 6)
	stays := map[uint32]bool{}
	for word := uintptr(1); word <= 300; word++ {
		if i := b.add(word); word%3 == 0 {
			b.lend(i)
			stays[i] = true
		}
	}
	defer runtime.KeepAlive(b)
	st := &State{}
	word := uintptr(1000)
	found := eachLent(st, 2, func() { st.Registry = b.g })
	assert.Empty(t, found)
	found = eachLent(st, 2, func() {
		for range 50 {
			switch i := b.any(random); {
			case stays[i]:
			case random.IntN(2) == 0:
				b.remove(i)
			default:
				b.lend(b.add(word))
				word++
			}
		}
		st.Registry = b.g
	})
	for i := range stays {
		assert.Equal(t, 1, found[i], "entry %d", i)
	}
	for i, times := range found {
		assert.Equal(t, 1, times, "entry %d", i)
	}
}

package core

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lends are counted by a number of 32 bits while they are of the lane, and that none is lost when it wraps. Shows P70.
func TestLendsGoOnWhereTheNumbersOfTheQueueEnd(t *testing.T) {
	for left := range uint32(8) {
		r := newRig(t, 3, 0)
		for word := range uintptr(3) {
			r.lend(word + 1)
		}
		for word := range uintptr(3) {
			r.keep(word + 1)
		}
		q := &r.st.Queue
		lends := r.st.Lends()
		shift := math.MaxUint32 - left - q.Taken
		q.Taken += shift
		q.Put += shift
		r.st.Counts.Lends -= uint64(shift)
		require.Equal(t, lends, r.st.Lends())
		fast := 0
		for range 10 {
			var words []uintptr
			for range 2 {
				word, entry, ok := r.core.FastTake()
				if !ok {
					op, ask := r.begin(KindAcquire, 0)
					require.Equal(t, OK, ask.Status)
					word, entry = ask.Resource, op.Entry
				} else {
					fast++
				}
				require.True(t, entry < 3)
				words = append(words, word)
				lends++
				require.Equal(t, lends, r.st.Lends())
			}
			for _, word := range words {
				entry, _ := r.st.Registry.Lent(word)
				require.True(t, r.core.FastGive(word, entry))
				require.NoError(t, Check(&r.st))
			}
		}
		assert.GreaterOrEqual(t, fast, 17, "the lane goes on")
	}
}

// Where the lane ends is seen by what was lent beside it. Shows P71.
func TestTheLaneEndsAtAPeak(t *testing.T) {
	r := newRig(t, 3, 0)
	r.st.MinSize = 3
	op, ask := r.begin(KindFill, 0)
	for word := uintptr(1); ask.Kind == AskCreate; word++ {
		ask = r.next(op, Answer{OK: true, Resource: word})
	}
	require.EqualValues(t, 3, r.st.Idle)
	require.EqualValues(t, 1, r.st.PeakActive)
	_, _, ok := r.core.FastTake()
	require.True(t, ok)
	_, _, ok = r.core.FastTake()
	require.False(t, ok, "two are more than ever")
	_, ask = r.begin(KindAcquire, 0)
	require.Equal(t, OK, ask.Status)
	require.EqualValues(t, 2, r.st.PeakActive)
	require.EqualValues(t, 2, r.st.Lends())
}

// Shows P70.
func TestCheckFindsCountsThatDisagree(t *testing.T) {
	for _, wrong := range []func(*State){
		func(st *State) { st.Counts.Created++ },
		func(st *State) { st.Counts.Gone[WhyDead]++ },
		func(st *State) { st.PeakActive = 0 },
		func(st *State) { st.PeakWaiting = 0; st.Waiting = 1 },
		func(st *State) { st.Queue.Put--; st.Spare++ },
	} {
		r := newRig(t, 2, 0)
		r.lend(1)
		r.lend(2)
		r.keep(2)
		require.NoError(t, checkCounts(&r.st))
		wrong(&r.st)
		assert.Error(t, checkCounts(&r.st))
	}
}

package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failures has one caller's creations fail, each as soon as the pause before is over, and answers with the pauses.
func failures(r *rig, n int) (pauses []int64) {
	now := int64(1)
	op, ask := r.begin(KindAcquire, 0)
	for range n {
		require.Equal(r.t, AskCreate, ask.Kind)
		ask = r.next(op, Answer{Now: now})
		require.Equal(r.t, AskWait, ask.Kind)
		pauses = append(pauses, ask.Until-now)
		ask = r.next(op, Answer{Now: ask.Until - 1})
		require.Equal(r.t, AskWait, ask.Kind, "it looks too early")
		now = ask.Until
		ask = r.next(op, Answer{Now: now})
	}
	require.Equal(r.t, OK, r.next(op, Answer{OK: true, Resource: 1, Now: now}).Status)
	return pauses
}

func patientRig(t *testing.T, retry, longest int64) *rig {
	r := newRig(t, 1, 0)
	r.core.st.Patience.Retry, r.core.st.Patience.Longest = retry, longest
	return r
}

// discard has what was made go, so that another may be.
func discard(r *rig) {
	_, ask := r.begin(KindDiscard, 1)
	require.Equal(r.t, OK, ask.Status)
}

// Shows P67.
func TestPausesDoubleUpToTheLongestAndBeginAnewAfterASuccess(t *testing.T) {
	r := patientRig(t, 100, 1000)
	assert.Equal(t, []int64{100, 200, 400, 800, 1000, 1000}, failures(r, 6))
	discard(r)
	assert.Equal(t, []int64{100, 200}, failures(r, 2))
	discard(r)
	r = patientRig(t, 100, 100)
	assert.Equal(t, []int64{100, 100, 100}, failures(r, 3))
}

// Shows P67.
func TestAPauseIsAFifthShorterOrLongerByChance(t *testing.T) {
	const pause, n = 1000, 4000
	r := patientRig(t, pause, pause)
	r.core.st.Patience.Random = 1
	var below, sum int64
	for _, p := range failures(r, n) {
		require.InDelta(t, pause, p, pause/5)
		sum += p
		if p < pause {
			below++
		}
	}
	assert.InDelta(t, pause, sum/n, pause/50)
	assert.InDelta(t, n/2, below, n/20)
}

// Shows P67.
func TestPausesOfAnyLengthEnd(t *testing.T) {
	for _, retry := range []int64{1, 4, Never / 2, Never - 1, Never} {
		for _, random := range []uint64{0, 1} {
			r := patientRig(t, retry, Never)
			r.core.st.Patience.Random = random
			op, _ := r.begin(KindAcquire, 0)
			for range 3 {
				ask := r.next(op, Answer{Now: 5})
				require.Equal(t, AskWait, ask.Kind)
				require.Greater(t, ask.Until, int64(4))
				require.Less(t, ask.Until, Never)
				require.Equal(t, AskCreate, r.next(op, Answer{Now: ask.Until}).Kind)
			}
			require.Equal(t, OK, r.next(op, Answer{OK: true, Resource: 1, Now: 5}).Status)
		}
	}
}

// Whatever had begun before. Shows P68.
func TestWhatIsPutOffStaysSoWhenAnotherCreationFails(t *testing.T) {
	for _, retry := range []int64{0, 10} {
		r := newRig(t, 3, 0)
		r.core.st.Patience.Retry, r.core.st.Patience.Longest = retry, retry
		other, ask := r.begin(KindAcquire, 0)
		require.Equal(t, AskCreate, ask.Kind)
		op, ask := r.begin(KindAcquire, 0)
		require.Equal(t, AskCreate, ask.Kind)
		require.Equal(t, AskWait, r.next(op, Answer{Now: 5, Later: 1000}).Kind)
		r.next(other, Answer{Now: 6})
		ask = r.next(op, Answer{Now: 500})
		require.Equal(t, AskWait, ask.Kind, "it is asked before the time is over")
		require.Equal(t, int64(1005), ask.Until)
		require.Equal(t, AskCreate, r.next(op, Answer{Now: 1005}).Kind)
		require.Equal(t, OK, r.next(op, Answer{OK: true, Resource: 1, Now: 1006}).Status)
	}
}

// What the factory puts off is never before a pause that is under way, and is no reason for a longer one. Shows P68.
func TestWhatIsPutOffDoesNotDouble(t *testing.T) {
	r := patientRig(t, 100, 1000)
	op, _ := r.begin(KindAcquire, 0)
	now := int64(1)
	for _, later := range []int64{50, 70, 300} {
		ask := r.next(op, Answer{Now: now, Later: later})
		require.Equal(t, now+later, ask.Until)
		now = ask.Until
		require.Equal(t, AskCreate, r.next(op, Answer{Now: now}).Kind)
	}
	assert.Equal(t, now+100, r.next(op, Answer{Now: now}).Until)
}

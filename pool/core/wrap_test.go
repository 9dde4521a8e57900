package core

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pass is one sweep to its end; it says how many resources were looked at.
func (r *rig) pass() (looks int) {
	r.t.Helper()
	op, ask := r.begin(KindSweep, 0)
	for ask.Kind == AskHealthcheck {
		looks++
		ask = r.next(op, Answer{OK: true})
	}
	require.Equal(r.t, AskDone, ask.Kind)
	require.Equal(r.t, OK, ask.Status)
	return looks
}

// The numbers of passes wrap, and each pass still looks once at everything, at what was never seen as well.
func TestPassesGoOnWhenTheirNumbersWrap(t *testing.T) {
	r := newRig(t, 4, AsksHealthcheck)
	r.st.Passes = math.MaxUint32 - 3
	for word := range uintptr(3) {
		r.lend(word + 1)
	}
	r.keep(1)
	r.keep(2)
	for i := range 8 {
		assert.Equal(t, 2, r.pass(), "pass %d", i)
	}
	r.keep(3)
	assert.Equal(t, 3, r.pass())
	assert.Equal(t, 3, r.pass())
}

// Two passes at once, on both sides of the end, do not look at what the other has seen since they began.
func TestTwoPassesShareTheWorkAcrossTheEnd(t *testing.T) {
	for first := uint32(math.MaxUint32 - 2); first != 2; first++ {
		r := newRig(t, 2, AsksHealthcheck)
		r.st.Passes = first
		for word := range uintptr(2) {
			r.lend(word + 1)
		}
		r.keep(1)
		r.keep(2)
		one, ask := r.begin(KindSweep, 0)
		require.Equal(t, AskHealthcheck, ask.Kind)
		require.Equal(t, 1, r.pass(), "the other one is looked at")
		require.Equal(t, AskDone, r.next(one, Answer{OK: true}).Kind, "and not again: the pass began at %d", first)
	}
}

// A probe has its slot in its own term, and what was lent before an opening is known for it, however both are numbered.
func TestTermsAndOpeningsWrap(t *testing.T) {
	r := newRig(t, 2, 0)
	b := &r.st.Breaker
	r.st.Term, b.Opened, b.Epoch = math.MaxUint32-1, math.MaxUint32-1, math.MaxUint32-1
	r.lend(1)
	r.keep(1)
	for i := range 4 {
		require.Equal(t, OK, r.core.SetCircuit(Recovering, 0))
		_, ask := r.begin(KindAcquire, 0)
		require.Equal(t, OK, ask.Status)
		require.EqualValues(t, 1, b.Probes)
		_, refused := r.begin(KindAcquire, 0)
		require.Equal(t, Unavail, refused.Status, "turn %d", i)
		require.Equal(t, OK, r.core.SetCircuit(Inactive, 0))
		require.Equal(t, OK, r.core.SetCircuit(Recovering, 0))
		op := &Op{Kind: KindRelease, Deadline: Never, Resource: ask.Resource}
		require.Equal(t, AskDone, r.next(op, Answer{}).Kind)
		assert.NotZero(t, op.Flags&FlagStale, "turn %d", i)
		assert.Zero(t, b.Probes, "it has no slot of this term, turn %d", i)
		require.Equal(t, OK, r.core.SetCircuit(Active, 0))
	}
}

// Very many terms after an opening what was lent since is not taken for older than it.
func TestAnOpeningThatIsLongGoneStaysBehind(t *testing.T) {
	r := newRig(t, 1, 0)
	r.st.Term = 1 << 30
	for range 100 {
		require.Equal(t, OK, r.core.SetCircuit(Recovering, 0))
		require.Equal(t, OK, r.core.SetCircuit(Active, 0))
		require.LessOrEqual(t, r.st.Term-r.st.Breaker.Opened, uint32(1<<30))
	}
	r.lend(1)
	op := &Op{Kind: KindRelease, Deadline: Never, Resource: 1}
	require.Equal(t, AskDone, r.next(op, Answer{}).Kind)
	assert.Zero(t, op.Flags&FlagStale)
}

// At the end of time nobody looks again: what is added to a time does not wrap.
func TestALookAtTheEndOfTimeDoesNotOverflow(t *testing.T) {
	r := newRig(t, 1, 0)
	require.Equal(t, OK, r.core.SetThreshold(1, 1, math.MaxInt64-1))
	r.lend(1)
	require.Equal(t, OK, r.core.SetCircuit(Recovering, Never-2))
	op := &Op{Kind: KindAcquire, Deadline: Never}
	assert.Equal(t, Never, r.next(op, Answer{Now: Never - 1}).Until)
	timed := &Op{Kind: KindAcquire, Deadline: Never - 1}
	assert.Equal(t, Never-1, r.next(timed, Answer{Now: Never - 2}).Until)
}

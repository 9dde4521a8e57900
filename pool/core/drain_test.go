package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// As many ops as may destroy at once are at it: one more that drains is not called for what is left, else it would be
// called again and again until one of them is done. Shows P62.
func TestADrainSleepsWhileEnoughOthersDestroy(t *testing.T) {
	r := newRig(t, maxPurges+1, AsksDestroy)
	for word := uintptr(1); word <= maxPurges+1; word++ {
		r.lend(word)
	}
	for word := uintptr(1); word <= maxPurges+1; word++ {
		r.keep(word)
	}
	var ops []*Op
	for range maxPurges {
		op, ask := r.begin(KindDrain, 0)
		require.Equal(t, AskDestroy, ask.Kind)
		ops = append(ops, op)
	}
	last, ask := r.begin(KindDrain, 0)
	require.Equal(t, AskWait, ask.Kind)
	assert.Nil(t, r.core.st.Ready.Head)
	for i, op := range ops {
		ask = r.next(op, Answer{})
		if i == 0 {
			require.Equal(t, AskDestroy, ask.Kind) // what is left
			ask = r.next(op, Answer{})
		}
		require.Contains(t, []AskKind{AskWait, AskDone}, ask.Kind)
	}
	ask = r.next(last, Answer{})
	assert.Equal(t, AskDone, ask.Kind)
	assert.Equal(t, OK, ask.Status)
}

package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is made and comes back meanwhile is not trimmed in place of what was to be kept as the least.
func TestATrimDestroysNoMoreThanWereTooManyWhenItBegan(t *testing.T) {
	r := newRig(t, 6, AsksDestroy)
	r.st.MinSize = 3
	for word := range uintptr(4) {
		r.lend(word + 1)
	}
	for word := range uintptr(4) {
		r.keep(word + 1)
	}
	trim, ask := r.begin(KindTrim, 0)
	require.Equal(t, AskDestroy, ask.Kind)
	for range 3 {
		_, ask := r.begin(KindAcquire, 0)
		require.Equal(t, AskDone, ask.Kind)
	}
	r.lend(5)
	r.lend(6)
	for word := range uintptr(5) {
		r.keep(word + 2)
	}
	assert.Equal(t, AskDone, r.next(trim, Answer{}).Kind)
	assert.EqualValues(t, 5, r.st.Idle)
}

package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Resources that are the same word are lent and come back one by one.
func TestTheFastPathKnowsEqualWords(t *testing.T) {
	const word = 7
	r := newRig(t, 2, 0)
	for range 2 {
		r.lend(word)
	}
	for range 2 {
		r.keep(word)
	}
	var entries []uint32
	for range 2 {
		got, entry, ok := r.core.FastTake()
		require.True(t, ok)
		require.EqualValues(t, word, got)
		require.NoError(t, Check(&r.st))
		entries = append(entries, entry)
	}
	for _, entry := range entries {
		require.True(t, r.core.FastGive(word, entry))
		require.NoError(t, Check(&r.st))
		require.False(t, r.core.FastGive(word, entry), "it is not lent")
	}
	assert.EqualValues(t, 2, r.st.Idle)
}

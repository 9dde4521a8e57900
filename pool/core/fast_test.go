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

// A resource is handed over to who waits for ever; the core asks the others whether their time has passed.
func TestTheFastPathHandsNothingOverToADeadline(t *testing.T) {
	for deadline, handed := range map[int64]bool{Never: true, 9: false} {
		r := newRig(t, 1, 0)
		r.lend(1)
		op := &Op{Kind: KindAcquire, Deadline: deadline}
		require.True(t, r.core.FastJoin(op))
		entry, _ := r.st.Registry.Lent(1)
		require.Nil(t, r.core.FastHandOver(2, entry), "it is not lent")
		before := r.st
		if !handed {
			assert.Nil(t, r.core.FastHandOver(1, entry))
			assert.Equal(t, before, r.st)
			continue
		}
		assert.Same(t, op, r.core.FastHandOver(1, entry))
		assert.Equal(t, []any{StepDone, OK, uintptr(1)}, []any{op.Step, op.Status, op.Resource})
		assert.Equal(t, [5]uint32{0, 1, 0, 0, 0}, r.counts())
		require.NoError(t, Check(&r.st))
	}
}

// Who gets a resource is no probe because who had it was one, and is not stale with it. The search takes such marks of
// former terms for no difference, so it does not see them here.
func TestTheFastPathForgetsAsWhatAResourceWasLent(t *testing.T) {
	for _, inLine := range []bool{false, true} {
		r := newRig(t, 1, 0)
		r.lend(1)
		entry, _ := r.st.Registry.Lent(1)
		e := r.st.Registry.entry(entry)
		e.Flags, r.st.Term = EntryProbe|EntryStale, r.st.Term+1
		if inLine {
			require.True(t, r.core.FastJoin(&Op{Kind: KindAcquire, Deadline: Never}))
			require.NotNil(t, r.core.FastHandOver(1, entry))
		} else {
			require.True(t, r.core.FastGive(1, entry))
			_, _, taken := r.core.FastTake()
			require.True(t, taken)
		}
		assert.Equal(t, Entry{Word: 1, State: EntryLent, Mark: r.st.Term}, *e)
		require.NoError(t, Check(&r.st))
	}
}

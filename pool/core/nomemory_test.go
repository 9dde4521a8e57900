package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P12.
func TestWithoutMemoryNothingIsMade(t *testing.T) {
	for _, kind := range []Kind{KindAcquire, KindTry, KindFill} {
		r := newRig(t, 1, 0)
		r.st.MinSize = 1
		r.mem.fails = true
		_, ask := r.begin(kind, 0)
		assert.Equal(t, AskDone, ask.Kind, "kind %d", kind)
		assert.Equal(t, NoMemory, ask.Status, "kind %d", kind)
		assert.Equal(t, [5]uint32{}, r.counts(), "kind %d", kind)
		r.mem.fails = false
		r.lend(1)
	}
}

// Eight are lent, so the next creation needs more memory. Its right belongs to a waiter. Shows P12.
func TestWithoutMemoryThePlaceGoesToTheNext(t *testing.T) {
	r := newRig(t, 9, 0)
	for word := range uintptr(8) {
		r.lend(word)
	}
	failing, _ := r.begin(KindAcquire, 0)
	first, _ := r.begin(KindAcquire, 0)
	second, _ := r.begin(KindAcquire, 0)
	r.next(failing, Answer{OK: false}) // made way for the ninth; now what is there is used up
	require.Equal(t, []*Op{first}, members(t, &r.st.Ready))
	for r.st.Registry.Used < r.st.Registry.Cap {
		r.st.Registry.take()
	}
	r.mem.fails = true
	require.Equal(t, NoMemory, r.unchecked(first).Status)
	assert.Equal(t, []*Op{second}, members(t, &r.st.Ready))
	assert.Equal(t, [5]uint32{0, 8, 1, 0, 1}, r.counts())
	r.mem.fails = false
	assert.Equal(t, AskCreate, r.unchecked(second).Kind)
}

// unchecked is next without the checks, in a registry that has lost entries.
func (r *rig) unchecked(op *Op) Ask {
	var ask Ask
	r.core.Next(op, &Answer{}, &ask)
	return ask
}

// Shows P12.
func TestEveryAllocationMayFailInTurn(t *testing.T) {
	for failAt := 1; ; failAt++ {
		r := newRig(t, 40, 0)
		r.mem.failAt = failAt
		failed := 0
		for word := range uintptr(40) {
			op, ask := r.begin(KindAcquire, 0)
			if ask.Kind == AskDone {
				require.Equal(t, NoMemory, ask.Status)
				failed++
				op, ask = r.begin(KindAcquire, 0)
			}
			require.Equal(t, AskCreate, ask.Kind)
			require.Equal(t, OK, r.next(op, Answer{OK: true, Resource: word}).Status)
		}
		for word := range uintptr(40) {
			r.keep(word)
		}
		require.Equal(t, [5]uint32{40, 0, 0, 0, 0}, r.counts())
		require.Len(t, r.mem.blocks, 2, "entries and buckets")
		if failAt > r.mem.calls {
			require.Zero(t, failed)
			return
		}
		require.Equal(t, 1, failed, "allocation %d", failAt)
	}
}

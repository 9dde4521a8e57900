package pool

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func length(r *Ring) int { return int(r.Tail - r.Head) }

// pops takes everything out.
func pops(r *Ring) []uint32 {
	var entries []uint32
	for length(r) > 0 {
		entries = append(entries, r.pop())
	}
	return entries
}

func sequence(from, to uint32) []uint32 {
	var all []uint32
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}

func TestRingKeepsTheOrder(t *testing.T) {
	var r Ring
	require.True(t, r.reserve(1, &testMemory{}))
	for i := range uint32(8) {
		r.push(i + 1)
	}
	assert.Equal(t, sequence(1, 8), pops(&r))
}

func TestRingGrowsByDoublingAndKeepsTheOrder(t *testing.T) {
	var r Ring
	mem := &testMemory{}
	for i := range uint32(70) {
		require.True(t, r.reserve(uint64(i)+1, mem))
		assert.Equal(t, uint32(capacityFor(uint64(i)+1)-1), r.Mask, "with %d entries", i+1)
		r.push(i)
	}
	assert.Equal(t, 5, mem.calls, "8, 16, 32, 64, 128")
	assert.Len(t, mem.blocks, 1, "the smaller ones are freed")
	assert.Equal(t, sequence(0, 69), pops(&r))
}

func TestRingReserveWithRoomLeftDoesNothing(t *testing.T) {
	var r Ring
	mem := &testMemory{}
	require.True(t, r.reserve(3, mem))
	r.push(1)
	before := r
	for n := range uint64(9) {
		require.True(t, r.reserve(n, mem))
	}
	assert.Equal(t, before, r)
	assert.Equal(t, 1, mem.calls)
}

func TestRingGrowsWhereverItsHeadIs(t *testing.T) {
	for capacity := uint32(8); capacity <= 32; capacity *= 2 {
		for turned := range capacity {
			var r Ring
			mem := &testMemory{}
			require.True(t, r.reserve(uint64(capacity), mem))
			for range turned {
				r.push(0)
				r.pop()
			}
			for i := range capacity {
				r.push(i + 1)
			}
			require.True(t, r.reserve(uint64(capacity)+1, mem))
			r.push(capacity + 1)
			require.Equal(t, sequence(1, capacity+1), pops(&r), "capacity %d, head %d", capacity, turned)
		}
	}
}

func TestRingGoesRoundItsSlots(t *testing.T) {
	var r Ring
	require.True(t, r.reserve(8, &testMemory{}))
	for i := range uint32(5) {
		r.push(i)
	}
	for i := range uint32(100) {
		require.Equal(t, i, r.pop())
		r.push(i + 5)
	}
	assert.Equal(t, sequence(100, 104), pops(&r))
}

func TestRingCountersMayOverflow(t *testing.T) {
	r := Ring{}
	mem := &testMemory{}
	require.True(t, r.reserve(8, mem))
	r.Head, r.Tail = math.MaxUint32-2, math.MaxUint32-2
	for i := range uint32(8) {
		r.push(i)
	}
	assert.Equal(t, 8, length(&r))
	assert.Less(t, r.Tail, r.Head)
	require.True(t, r.reserve(9, mem))
	r.push(8)
	assert.Equal(t, sequence(0, 8), pops(&r))
}

func TestRingWithoutMemoryStaysAsItIs(t *testing.T) {
	var r Ring
	mem := &testMemory{fails: true}
	assert.False(t, r.reserve(1, mem))
	assert.Equal(t, Ring{}, r)

	mem.fails = false
	require.True(t, r.reserve(8, mem))
	for i := range uint32(8) {
		r.push(i)
	}
	before := r
	mem.fails = true
	assert.False(t, r.reserve(9, mem))
	assert.Equal(t, before, r)
	assert.Len(t, mem.blocks, 1)
	assert.Equal(t, sequence(0, 7), pops(&r))
}

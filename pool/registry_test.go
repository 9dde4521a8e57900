package pool

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newRegistry(t *testing.T, n uint64, mem Memory) *Registry {
	t.Helper()
	g := &Registry{Seed: [2]uint64{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}}
	require.True(t, g.reserve(n, mem))
	return g
}

// intact checks the registry against what it should hold, by entry: every entry is found by its word,
// and the index holds nothing else.
func intact(t *testing.T, g *Registry, expected map[uint32]Entry) {
	t.Helper()
	require.Equal(t, uint32(len(expected)), g.Live)
	slots := map[uint32]uint32{} // entry to slot
	for i := uint32(0); g.Cap != 0 && i <= g.Mask; i++ {
		if slot := *at(g.Index, i); slot != 0 {
			require.NotContains(t, slots, slot-1, "entry is in the index twice")
			slots[slot-1] = i
		}
	}
	require.Len(t, slots, len(expected))
	for entry, e := range expected {
		require.Equal(t, e, *at(g.Entries, entry))
		slot, found := slots[entry]
		require.True(t, found, "entry %d is not in the index", entry)
		for i := g.home(e.Word); i != slot; i = (i + 1) & g.Mask {
			require.NotZero(t, *at(g.Index, i), "a gap before entry %d", entry)
		}
	}
}

func TestRegistryFindsWhatIsLent(t *testing.T) {
	g := newRegistry(t, 8, &testMemory{})
	a, b := g.add(0x1000, EntryLent), g.add(0x2000, EntryLent)
	for word, entry := range map[uintptr]uint32{0x1000: a, 0x2000: b} {
		found, ok := g.lent(word)
		assert.True(t, ok)
		assert.Equal(t, entry, found)
	}
	_, ok := g.lent(0x3000)
	assert.False(t, ok, "never added")
}

func TestRegistryLendsOnlyWhatIsLent(t *testing.T) {
	g := newRegistry(t, 8, &testMemory{})
	entry := g.add(0x1000, EntryHook)
	for state, expected := range map[EntryState]bool{EntryIdle: false, EntryHook: false, EntryLent: true} {
		at(g.Entries, entry).State = state
		_, ok := g.lent(0x1000)
		assert.Equal(t, expected, ok, "state %d", state)
	}
	g.remove(entry)
	_, ok := g.lent(0x1000)
	assert.False(t, ok, "removed")
}

func TestRegistryWithoutRoomFindsNothing(t *testing.T) {
	var g Registry
	_, ok := g.lent(0)
	assert.False(t, ok)
}

func TestRegistryKnowsTheWordZero(t *testing.T) {
	g := newRegistry(t, 8, &testMemory{})
	_, ok := g.lent(0)
	assert.False(t, ok)
	entry := g.add(0, EntryLent)
	found, ok := g.lent(0)
	assert.True(t, ok)
	assert.Equal(t, entry, found)
}

func TestRegistryHoldsOneWordSeveralTimes(t *testing.T) {
	g := newRegistry(t, 8, &testMemory{})
	expected := map[uint32]Entry{}
	for range 5 {
		expected[g.add(7, EntryLent)] = Entry{Word: 7, State: EntryLent}
	}
	intact(t, g, expected)
	for len(expected) > 0 {
		entry, ok := g.lent(7)
		require.True(t, ok)
		require.Contains(t, expected, entry)
		g.remove(entry)
		delete(expected, entry)
		intact(t, g, expected)
	}
	_, ok := g.lent(7)
	assert.False(t, ok)
}

func TestRegistryFindsTheLentOneAmongTwins(t *testing.T) {
	g := newRegistry(t, 8, &testMemory{})
	g.add(7, EntryIdle)
	lent := g.add(7, EntryLent)
	g.add(7, EntryHook)
	entry, ok := g.lent(7)
	assert.True(t, ok)
	assert.Equal(t, lent, entry)
}

func TestRegistryUsesFreeEntriesAgain(t *testing.T) {
	g := newRegistry(t, 8, &testMemory{})
	for i := range uintptr(8) {
		g.add(i, EntryLent)
	}
	g.remove(2)
	g.remove(5)
	assert.Equal(t, uint32(5), g.add(100, EntryLent))
	assert.Equal(t, uint32(2), g.add(101, EntryLent))
	assert.Equal(t, uint32(8), g.Fresh)
	assert.Equal(t, uint32(8), g.Live)
}

// Few slots and few words, so that probes collide, lie across the end of the index and meet twins.
func TestRegistryAgreesWithAMap(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		g := &Registry{Seed: [2]uint64{random.Uint64(), random.Uint64()}}
		require.True(t, g.reserve(16, &testMemory{}))
		expected := map[uint32]Entry{}
		for range 500 {
			if len(expected) < 16 && random.IntN(2) == 0 {
				e := Entry{
					Word:  uintptr(random.IntN(24)),
					State: EntryIdle + EntryState(random.IntN(3)),
				}
				entry := g.add(e.Word, e.State)
				require.NotContains(t, expected, entry)
				expected[entry] = e
			} else {
				for entry := range expected { // any
					g.remove(entry)
					delete(expected, entry)
					break
				}
			}
			intact(t, g, expected)
			for word := range uintptr(24) {
				entry, ok := g.lent(word)
				require.Equal(t, holdsLent(expected, word), ok, "seed %d, word %d", seed, word)
				require.True(t, !ok || expected[entry] == Entry{Word: word, State: EntryLent})
			}
		}
	}
}

func holdsLent(entries map[uint32]Entry, word uintptr) bool {
	for _, e := range entries {
		if e.Word == word && e.State == EntryLent {
			return true
		}
	}
	return false
}

func TestRegistryGrowsAndKeepsTheEntries(t *testing.T) {
	mem := &testMemory{}
	g := newRegistry(t, 1, mem)
	expected := map[uint32]Entry{}
	for i := range uint64(70) {
		require.True(t, g.reserve(i+1, mem))
		require.Equal(t, uint32(capacityFor(i+1)), g.Cap)
		require.Equal(t, 2*g.Cap-1, g.Mask)
		e := Entry{Word: uintptr(i % 50), State: EntryIdle + EntryState(i%3)}
		expected[g.add(e.Word, e.State)] = e
		if i%7 == 0 {
			entry := uint32(i / 2)
			if _, there := expected[entry]; there {
				g.remove(entry)
				delete(expected, entry)
			}
		}
		intact(t, g, expected)
	}
	assert.Len(t, mem.blocks, 2, "the smaller ones are freed")
	for len(expected) < 100 { // free entries of before the growth are still used
		require.True(t, g.reserve(uint64(g.Live)+1, mem))
		expected[g.add(9, EntryIdle)] = Entry{Word: 9, State: EntryIdle}
	}
	intact(t, g, expected)
}

func TestRegistryWithoutMemoryStaysAsItIs(t *testing.T) {
	for failing := 1; failing <= 2; failing++ { // entries, index
		mem := &testMemory{failAt: failing}
		empty := Registry{Seed: [2]uint64{1, 2}}
		g := empty
		assert.False(t, g.reserve(1, mem))
		assert.Equal(t, empty, g)
		assert.Empty(t, mem.blocks)

		mem.calls, mem.failAt = 0, 0
		require.True(t, g.reserve(8, mem))
		expected := map[uint32]Entry{}
		for i := range uintptr(8) {
			expected[g.add(i, EntryLent)] = Entry{Word: i, State: EntryLent}
		}
		before := g
		mem.failAt = mem.calls + failing
		assert.False(t, g.reserve(9, mem))
		assert.Equal(t, before, g)
		assert.Len(t, mem.blocks, 2)
		intact(t, &g, expected)
	}
}

func TestRegistryRefusesWhatItsIndexCannotAddress(t *testing.T) {
	var g Registry
	mem := &testMemory{}
	assert.False(t, g.reserve(1<<31+1, mem))
	assert.Zero(t, mem.calls)
	assert.Equal(t, Registry{}, g)
}

func TestRegistrySeedsPutWordsElsewhere(t *testing.T) {
	homes := func(seed [2]uint64) [64]uint32 {
		g := Registry{Seed: seed, Mask: 1<<16 - 1}
		var all [64]uint32
		for i := range all {
			all[i] = g.home(0x7f0000000000 + 64*uintptr(i))
		}
		return all
	}
	random := rand.New(rand.NewPCG(3, 4))
	seen := map[[64]uint32]bool{}
	for range 50 {
		seed := [2]uint64{random.Uint64(), random.Uint64()}
		all := homes(seed)
		assert.Equal(t, all, homes(seed), "the same seed, the same homes")
		assert.False(t, seen[all], "other seed, same homes")
		seen[all] = true
	}
}

// What is lent lies at regular distances in memory, and the index is half full at most: with a typical
// seed a look-up meets a slot or two.
func TestRegistryProbesAreShortForAddresses(t *testing.T) {
	for _, stride := range []uintptr{1, 16, 64, 4096, 1 << 20} {
		var means []float64
		for seed := range uint64(51) {
			random := rand.New(rand.NewPCG(seed, 0))
			g := &Registry{Seed: [2]uint64{random.Uint64(), random.Uint64()}}
			require.True(t, g.reserve(1024, &testMemory{}))
			probes := 0
			for i := range uintptr(1024) {
				word := 0x7f0000000000 + stride*i
				entry := g.add(word, EntryLent)
				slot := g.home(word)
				for probes++; *at(g.Index, slot) != entry+1; probes++ {
					slot = (slot + 1) & g.Mask
				}
			}
			means = append(means, float64(probes)/1024)
		}
		slices.Sort(means)
		assert.Less(t, means[len(means)/2], 2.0, "stride %d", stride)
	}
}

package core

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ledger is a registry with a list of what it should hold.
type ledger struct {
	t    *testing.T
	g    Registry
	mem  testMemory
	held map[uint32]Entry // word and state by number
}

func newLedger(t *testing.T, seed uint64) *ledger {
	random := rand.New(rand.NewPCG(seed, 0))
	b := &ledger{t: t, held: map[uint32]Entry{}}
	b.g.Seed = [2]uint64{random.Uint64(), random.Uint64()}
	return b
}

func (b *ledger) add(word uintptr) uint32 {
	b.t.Helper()
	n := uint64(b.g.Live) + 1
	require.True(b.t, b.g.grow(n, &b.mem))
	i := b.g.add(word, n)
	if _, there := b.held[i]; there {
		b.t.Fatalf("entry %d is in use", i)
	}
	b.held[i] = Entry{Word: word, State: EntryHook}
	return i
}

func (b *ledger) lend(i uint32) {
	b.g.lend(i, 0, 0)
	b.held[i] = Entry{Word: b.held[i].Word, State: EntryLent}
}

func (b *ledger) takeBack(i uint32) {
	b.g.takeBack(i)
	b.held[i] = Entry{Word: b.held[i].Word, State: EntryHook}
}

func (b *ledger) remove(i uint32) {
	if b.held[i].State == EntryLent {
		b.takeBack(i)
	}
	b.g.remove(i, uint64(b.g.Live), &b.mem)
	delete(b.held, i)
}

// lent says whether an entry of this word is lent.
func (b *ledger) lent(word uintptr) bool {
	for _, e := range b.held {
		if e.Word == word && e.State == EntryLent {
			return true
		}
	}
	return false
}

// agree compares all of it.
func (b *ledger) agree() {
	b.t.Helper()
	require.NoError(b.t, checkRegistry(&b.g))
	require.Equal(b.t, uint32(len(b.held)), b.g.Live)
	for i, held := range b.held {
		e := b.g.entry(i)
		require.Equal(b.t, held, Entry{Word: e.Word, State: e.State})
	}
}

// finds looks a word up.
func (b *ledger) finds(word uintptr) {
	b.t.Helper()
	i, found := b.g.Lent(word)
	require.Equal(b.t, b.lent(word), found, "word %d", word)
	require.True(b.t, !found || b.held[i] == Entry{Word: word, State: EntryLent})
}

// any is some entry that is held.
func (b *ledger) any(random *rand.Rand) uint32 {
	all := make([]uint32, 0, len(b.held))
	for i := range b.held {
		all = append(all, i)
	}
	slices.Sort(all)
	return all[random.IntN(len(all))]
}

func TestRegistryFindsWhatIsLentAndNothingElse(t *testing.T) {
	b := newLedger(t, 1)
	_, found := b.g.Lent(0)
	assert.False(t, found, "without room")
	for word := range uintptr(3) { // 0 is a word as others
		b.finds(word)
		i := b.add(word)
		b.finds(word)
		b.lend(i)
		b.finds(word)
		b.g.takeBack(i).State = EntryIdle
		_, found := b.g.Lent(word)
		assert.False(t, found, "idle")
		b.lend(i)
	}
	b.agree()
	for word := range uintptr(3) {
		i, _ := b.g.Lent(word)
		b.remove(i)
		b.finds(word)
	}
	b.agree()
}

// Few words, so that they collide and are equal; numbers that rise and fall, so that buckets are split and merged.
func TestRegistryAgreesWithAMap(t *testing.T) {
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, 1))
		b := newLedger(t, seed)
		words := 4 << (seed % 5)
		for step := range 600 {
			grows := 60
			if step/150%2 == 1 {
				grows = 30
			}
			switch r := random.IntN(100); {
			case r < grows || len(b.held) == 0:
				i := b.add(uintptr(random.IntN(words)))
				if random.IntN(2) == 0 {
					b.lend(i)
				}
			case r < 80:
				b.remove(b.any(random))
			default:
				if i := b.any(random); b.held[i].State == EntryLent {
					b.takeBack(i)
				} else {
					b.lend(i)
				}
			}
			b.agree()
			b.finds(uintptr(random.IntN(words)))
		}
	}
}

func TestRegistryGoesThroughPagesAndGivesThemBack(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	b := newLedger(t, 7)
	const peak = 5*pageSize + 100
	for round := range 3 {
		for word := range uintptr(peak) {
			b.lend(b.add(word))
			if word%7 == 0 {
				b.remove(b.lentOne(word))
			}
		}
		b.agree()
		for word := range uintptr(peak) {
			b.findsOnce(word)
		}
		high := b.mem.held()
		for _, i := range b.shuffled(random) {
			b.remove(i)
		}
		b.agree()
		require.Zero(t, b.g.Live)
		require.Equal(t, uint32(smallest), b.g.Count)
		require.Less(t, b.mem.held(), high/3, "round %d", round)
		require.LessOrEqual(t, b.g.Cap, uint32(2*pageSize), "round %d", round)
	}
}

// lentOne is the entry of this word, which is lent.
func (b *ledger) lentOne(word uintptr) uint32 {
	i, found := b.g.Lent(word)
	require.True(b.t, found)
	return i
}

// findsOnce is finds for words that are held once at most.
func (b *ledger) findsOnce(word uintptr) {
	if i, found := b.g.Lent(word); found {
		require.Equal(b.t, word, b.held[i].Word)
	} else {
		require.Zero(b.t, word%7, "word %d", word)
	}
}

func (b *ledger) shuffled(random *rand.Rand) []uint32 {
	var all []uint32
	for i := range b.held {
		all = append(all, i)
	}
	slices.Sort(all)
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// What a peak has left behind may lie anywhere: the pages between go all the same, and numbers stay.
func TestRegistryGivesBackThePagesBetweenThoseThatAreUsed(t *testing.T) {
	b := newLedger(t, 3)
	var stays []uint32
	for word := range uintptr(6 * pageSize) {
		i := b.add(word)
		if i%(2*pageSize) == pageSize {
			stays = append(stays, i)
		}
	}
	require.Len(t, stays, 3)
	for _, i := range b.shuffled(rand.New(rand.NewPCG(1, 1))) {
		if !slices.Contains(stays, i) {
			b.remove(i)
		}
	}
	b.agree()
	assert.LessOrEqual(t, b.g.Cap, uint32(5*pageSize), "the first, the three, and one to spare")
	for range 6 * pageSize {
		b.add(uintptr(len(b.held)) << 20)
	}
	b.agree()
	assert.LessOrEqual(t, b.g.Pages, uint32(7), "holes are filled")
}

// A count that goes up and down at the edge of a page takes no memory each time.
func TestRegistryKeepsAPageThatIsSoonNeededAgain(t *testing.T) {
	b := newLedger(t, 4)
	var all []uint32
	for word := range uintptr(3 * pageSize) {
		all = append(all, b.add(word))
	}
	b.add(3 * pageSize)
	calls := b.mem.calls
	for range 5 {
		for n := range 100 {
			b.remove(all[len(all)-1-n])
		}
		for n := range 100 {
			all[len(all)-1-n] = b.add(uintptr(n))
		}
	}
	assert.Equal(t, calls, b.mem.calls)
	b.agree()
}

// Shows P12.
func TestRegistryWithoutMemoryStaysAsItIs(t *testing.T) {
	for failing := 1; ; failing++ {
		b := newLedger(t, 5)
		b.mem.failAt = failing
		failed := false
		for word := range uintptr(2*pageSize + 10) {
			n := uint64(b.g.Live) + 1
			if !b.g.grow(n, &b.mem) {
				require.False(t, failed)
				failed = true
				require.NoError(t, checkRegistry(&b.g))
				require.True(t, b.g.grow(n, &b.mem))
			}
			b.g.add(word, n)
		}
		require.NoError(t, checkRegistry(&b.g))
		if !failed {
			require.Greater(t, failing, 20)
			return
		}
	}
}

func TestRegistryRefusesWhatItCannotNumber(t *testing.T) {
	g := Registry{Cap: 1 << 31, Pages: 1 << 31 >> PageBits}
	g.First.Cap = pageSize
	mem := &testMemory{}
	assert.False(t, g.grow(1<<31+1, mem))
	assert.Zero(t, mem.calls)
}

func TestRegistrySeedsPutWordsElsewhere(t *testing.T) {
	homes := func(seed [2]uint64) [64]uint32 {
		g := Registry{Seed: seed, Mask: 1<<16 - 1, Count: 1 << 16}
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

// What is lent lies at regular distances in memory: with a typical seed a look-up meets an entry or two.
func TestRegistryChainsAreShortForAddresses(t *testing.T) {
	for _, stride := range []uintptr{1, 16, 64, 4096, 1 << 20} {
		var means []float64
		for seed := range uint64(51) {
			b := newLedger(t, seed)
			for i := range uintptr(1024) {
				b.add(0x7f0000000000 + stride*i)
			}
			steps := 0
			for i := range uint32(1024) {
				for n := *b.g.bucket(b.g.home(b.g.entry(i).Word)); n != i+1; n = b.g.entry(n - 1).Chain {
					steps++
				}
			}
			means = append(means, 1+float64(steps)/1024)
		}
		slices.Sort(means)
		assert.Less(t, means[len(means)/2], 1.6, "stride %d", stride)
	}
}

func TestRegistryMemoryOfAResource(t *testing.T) {
	b := newLedger(t, 6)
	const n = 1 << 18
	for word := range uintptr(n) {
		require.True(t, b.g.grow(uint64(word)+1, &b.mem))
		b.g.add(word, uint64(word)+1)
	}
	assert.LessOrEqual(t, b.mem.held(), uintptr(31*n))
}

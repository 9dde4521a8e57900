package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEqualWordsAreOneInTheIndex(t *testing.T) {
	b := newLedger(t, 1)
	for range 1000 {
		b.lend(b.add(7))
	}
	b.agree()
	assert.Equal(t, uint32(1), b.g.Words)
	assert.Equal(t, uint32(smallest), b.g.Count)
	for len(b.held) > 0 {
		i, found := b.g.Lent(7)
		require.True(t, found)
		b.remove(i)
	}
	b.agree()
	assert.Zero(t, b.g.Words)
	assert.Zero(t, b.g.Used, "the group has gone with its last")
	b.finds(7)
}

// The one that is lent is found at once, wherever it is among those that are not.
func TestOfEqualWordsTheLentOnesAreFound(t *testing.T) {
	b := newLedger(t, 1)
	var all []uint32
	for range 50 {
		all = append(all, b.add(7))
	}
	for _, i := range all {
		b.lend(i)
		found, ok := b.g.Lent(7)
		require.True(t, ok)
		require.Equal(t, i, found)
		b.agree()
		b.takeBack(i)
		b.finds(7)
	}
	for _, i := range all {
		b.lend(i)
	}
	for n := range all { // leave from the middle, too: who holds a number need not ask for the word
		b.takeBack(all[n*7%50])
		b.agree()
	}
}

// Without room for the group they stand side by side.
func TestEqualWordsWithoutRoomForTheirGroup(t *testing.T) {
	b := newLedger(t, 1)
	for word := range uintptr(7) {
		b.lend(b.add(word))
	}
	b.lend(b.add(3))
	require.Equal(t, b.g.Cap, b.g.Used)
	assert.Equal(t, uint32(8), b.g.Words)
	b.agree()
	for range 2 {
		i, found := b.g.Lent(3)
		require.True(t, found)
		b.takeBack(i)
		b.agree()
	}
	b.finds(3)
}

// No step looks at more entries because there are more: neither of the same word, nor of others.
func TestNoStepGrowsWithTheNumberOfResources(t *testing.T) {
	longest := func(g *Registry) (most uint32) {
		for i := range g.Count {
			n := uint32(0)
			for e := *g.bucket(i); e != 0; e = g.entry(e - 1).Chain {
				n++
			}
			most = max(most, n)
		}
		return most
	}
	for _, n := range []uintptr{1000, 200_000} {
		b := newLedger(t, 2)
		largest := uintptr(0)
		for word := range n {
			before := b.mem.bytes
			total := uint64(word) + 1
			if !b.g.grow(total, &b.mem) {
				t.Fatal("no room")
			}
			b.g.lend(b.g.add(word%(n/2), total), 0, 0) // each word twice
			largest = max(largest, b.mem.bytes-before)
		}
		require.NoError(t, checkRegistry(&b.g))
		assert.LessOrEqual(t, longest(&b.g), uint32(12), "of %d", n)
		assert.LessOrEqual(t, largest, uintptr(pageSize*24+pageSize*4+8192), "given out at once, of %d", n)
		before := b.mem.bytes
		for word := range n {
			i, found := b.g.Lent(word % (n / 2))
			if !found {
				t.Fatalf("word %d is not found", word)
			}
			b.g.takeBack(i)
			freed := b.mem.freed
			b.g.remove(i, uint64(b.g.Live), &b.mem)
			if b.mem.freed-freed > 5 {
				t.Fatalf("%d blocks given back at once, of %d", b.mem.freed-freed, n)
			}
		}
		assert.Equal(t, before, b.mem.bytes, "to forget takes no memory")
	}
}

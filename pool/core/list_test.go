package core

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// members walks the list forwards, and checks that backwards is the same.
func members(t *testing.T, l *List) []*Op {
	t.Helper()
	var forwards, backwards []*Op
	for op := l.Head; op != nil; op = op.next {
		forwards = append(forwards, op)
	}
	for op := l.Tail; op != nil; op = op.prev {
		backwards = append(backwards, op)
	}
	slices.Reverse(backwards)
	require.Equal(t, forwards, backwards)
	return forwards
}

// Shows B80.
func TestListKeepsTheOrderOfArrival(t *testing.T) {
	var l List
	a, b, c := &Op{Ticket: 1}, &Op{Ticket: 2}, &Op{Ticket: 3}
	for _, op := range []*Op{a, b, c} {
		l.push(op, listWaiters)
		assert.Equal(t, listWaiters, op.List)
	}
	assert.Equal(t, []*Op{a, b, c}, members(t, &l))
}

func TestListIsLeftFromAnywhere(t *testing.T) {
	for gone := range 3 {
		var l List
		ops := []*Op{{Ticket: 1}, {Ticket: 2}, {Ticket: 3}}
		for _, op := range ops {
			l.push(op, listReady)
		}
		l.remove(ops[gone])
		assert.Equal(t, Op{Ticket: uint64(gone) + 1}, *ops[gone], "nothing of the list is left in it")
		assert.Equal(t, slices.Delete(ops, gone, gone+1), members(t, &l))
	}
}

func TestListOfOneIsEmptyAfterIt(t *testing.T) {
	var l List
	op := &Op{}
	l.push(op, listWaiters)
	l.remove(op)
	assert.Equal(t, List{}, l)
	l.push(op, listReady)
	assert.Equal(t, []*Op{op}, members(t, &l))
}

func TestListAgreesWithASlice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var l List
	var in []*Op
	out := make([]*Op, 10)
	for i := range out {
		out[i] = &Op{Ticket: uint64(i)}
	}
	for range 5000 {
		if i := random.IntN(10); i < len(in) {
			l.remove(in[i])
			out = append(out, in[i])
			in = slices.Delete(in, i, i+1)
		} else {
			i -= len(in)
			l.push(out[i], listWaiters)
			in = append(in, out[i])
			out = slices.Delete(out, i, i+1)
		}
		require.True(t, slices.Equal(in, members(t, &l)))
	}
}

package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lineUp makes a pool whose only place is lent, and a line of so many.
func lineUp(t *testing.T, n int) (*rig, []*Op) {
	r := newRig(t, 1, 0)
	r.lend(1)
	line := make([]*Op, n)
	for i := range line {
		line[i] = &Op{Kind: KindAcquire, Deadline: Never}
		var ask Ask
		r.core.Next(line[i], &Answer{}, &ask)
	}
	require.NoError(t, Check(&r.st))
	return r, line
}

// However long the line is, an end of it touches the ops at its ends alone; the others hear of it when they go on.
func TestALineIsSentAwayInOneStep(t *testing.T) {
	for why, end := range map[Status]func(r *rig){
		Closed:  func(r *rig) { r.begin(KindClose, 0) },
		Unavail: func(r *rig) { require.Equal(t, OK, r.core.SetCircuit(Inactive, 0)) },
	} {
		r, line := lineUp(t, 100)
		var before []Op
		for _, op := range line[1 : len(line)-1] {
			before = append(before, *op)
		}
		end(r)
		for i, op := range line[1 : len(line)-1] {
			require.Equal(t, before[i], *op)
		}
		assert.Zero(t, r.st.Waiting)
		assert.Equal(t, line, members(t, &r.st.Ready))
		require.NoError(t, Check(&r.st))
		for _, op := range line {
			assert.Equal(t, why, r.next(op, Answer{}).Status)
		}
		assert.Equal(t, List{}, r.st.Ready)
	}
}

// The first verdict stands: what happens before it is heard changes it no more, and who comes later stands apart.
func TestEachLineHasItsOwnVerdict(t *testing.T) {
	r, line := lineUp(t, 3)
	require.Equal(t, OK, r.core.SetCircuit(Inactive, 0))
	require.Equal(t, OK, r.core.SetCircuit(Active, 0))
	second, ask := r.begin(KindAcquire, 0)
	require.Equal(t, AskWait, ask.Kind)
	assert.EqualValues(t, 1, r.st.Waiting)
	assert.Equal(t, line, members(t, &r.st.Ready), "the second line is none of the first")
	assert.Equal(t, OK, r.cancel(line[1]))
	assert.EqualValues(t, 1, r.st.Waiting, "who was sent away is not counted any more")
	r.begin(KindClose, 0)
	assert.Equal(t, Unavail, r.next(line[0], Answer{}).Status)
	assert.Equal(t, Cancelled, line[1].Status)
	assert.Equal(t, Closed, r.next(second, Answer{}).Status)
	assert.Equal(t, Unavail, r.next(line[2], Answer{}).Status)
	assert.Equal(t, List{}, r.st.Ready)
}

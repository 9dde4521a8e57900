package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P13.
func TestTheBreakerHasNoFourthState(t *testing.T) {
	st := State{MaxSize: 1}
	core, err := NewCore(&st, &testMemory{})
	require.NoError(t, err)
	assert.Equal(t, Invalid, core.SetCircuit(circuits, 0))
	assert.Equal(t, Active, st.Breaker.Circuit)
}

// Shows I1.
func TestCheckFindsProbesWhereThereAreNone(t *testing.T) {
	st := State{MaxSize: 1, Breaker: Breaker{Limit: 1, Probes: 1}}
	assert.ErrorContains(t, Check(&st), "probes")
}

// Shows P13.
func TestACancelOnABrokenCoreSaysSo(t *testing.T) {
	st := State{MaxSize: 1}
	core, err := NewCore(&st, &testMemory{})
	require.NoError(t, err)
	op := Op{Kind: KindAcquire, Deadline: Never}
	core.Next(&op, &Answer{}, &Ask{})
	core.Break()
	assert.Equal(t, Internal, core.Cancel(&op))
	assert.Equal(t, StepDone, op.Step)
	assert.Equal(t, Internal, op.Status)
}

// Shows P13.
func TestTheBreakerOfABrokenCoreIsLeftAlone(t *testing.T) {
	st := State{MaxSize: 1}
	core, err := NewCore(&st, &testMemory{})
	require.NoError(t, err)
	core.Break()
	before := st.Breaker
	assert.Equal(t, Internal, core.SetCircuit(Inactive, 1))
	assert.Equal(t, Internal, core.SetStrategy(AsksReports))
	assert.Equal(t, Internal, core.SetThreshold(1, 1, 1))
	assert.Equal(t, before, st.Breaker)
}

package core

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inStep makes a pool of one place and an op that stands in the step.
func inStep(t *testing.T, step Step, asks uint32) (*rig, *Op) {
	r := newRig(t, 1, asks)
	var op *Op
	switch step {
	case StepBegin:
		return r, &Op{Kind: KindAcquire, Deadline: Never}
	case StepWait:
		r.lend(1)
		op, _ = r.begin(KindAcquire, 0)
	case StepCreate, StepUnwanted:
		op, _ = r.begin(KindAcquire, 0)
		if step == StepUnwanted {
			r.begin(KindClose, 0)
			r.next(op, Answer{OK: true, Resource: 1})
		}
	case StepCheckOut, StepReject:
		r.lend(1)
		r.keep(1)
		op, _ = r.begin(KindAcquire, 0)
		if step == StepReject {
			r.next(op, Answer{})
		}
	case StepCheckIn, StepRemove:
		r.lend(1)
		op, _ = r.begin(KindRelease, 1)
		if step == StepRemove {
			r.next(op, Answer{})
		}
	case StepPurge:
		r.lend(1)
		r.keep(1)
		op, _ = r.begin(KindClose, 0)
	case StepDone:
		op, _ = r.begin(KindAcquire, 0)
		r.next(op, Answer{})
	}
	require.Equal(t, step, op.Step)
	return r, op
}

// Shows S9.
func TestCancelInEveryStep(t *testing.T) {
	for _, c := range []struct {
		step     Step
		cancel   Status
		destroys bool // the resource must still be destroyed
		status   Status
		active   uint32 // at the end
	}{
		{StepBegin, OK, false, Cancelled, 0},
		{StepWait, OK, false, Cancelled, 1}, // lent to somebody else
		{StepCreate, OK, false, Cancelled, 0},
		{StepCheckOut, Pending, true, Cancelled, 0},
		{StepReject, OK, false, Cancelled, 0},
		{StepUnwanted, OK, false, Cancelled, 0},
		{StepCheckIn, Pending, true, Cancelled, 0},
		{StepRemove, OK, false, Cancelled, 0},
		{StepPurge, OK, false, Cancelled, 0},
		{StepDone, OK, false, Factory, 0},
	} {
		t.Run(fmt.Sprintf("step %d", c.step), func(t *testing.T) {
			r, op := inStep(t, c.step, allAsks)
			assert.Equal(t, c.cancel, r.cancel(op))
			if c.destroys {
				assert.Equal(t, Pending, r.cancel(op), "again, before the ask was heard")
				ask := r.next(op, Answer{OK: true})
				assert.Equal(t, AskDestroy, ask.Kind)
				assert.Equal(t, uintptr(1), ask.Resource)
				assert.Equal(t, uint32(1), r.st.Active, "counted until it is destroyed")
				r.next(op, Answer{})
			}
			ask := r.next(op, Answer{OK: true})
			assert.Equal(t, AskDone, ask.Kind)
			assert.Equal(t, c.status, ask.Status)
			assert.Zero(t, ask.Resource)
			assert.Equal(t, OK, r.cancel(op), "once more, when it is done")
			assert.Equal(t, [5]uint32{0, c.active, 0, 0, 0}, r.counts())
			assert.Equal(t, c.active, r.st.Registry.Live)
		})
	}
}

func TestCancelOfACloseStillDestroysAll(t *testing.T) {
	r := newRig(t, 3, AsksDestroy)
	for word := range uintptr(3) {
		r.lend(word + 1)
	}
	for word := range uintptr(3) {
		r.keep(word + 1)
	}
	op, ask := r.begin(KindClose, 0)
	assert.Equal(t, uintptr(1), ask.Resource)
	assert.Equal(t, Pending, r.cancel(op))
	assert.Equal(t, uintptr(2), r.next(op, Answer{}).Resource)
	assert.Equal(t, uintptr(3), r.next(op, Answer{}).Resource)
	assert.Equal(t, Cancelled, r.next(op, Answer{}).Status)
	assert.Equal(t, [5]uint32{}, r.counts())
}

// Shows P13.
func TestBreakEndsEverythingWithInternal(t *testing.T) {
	for _, step := range []Step{StepBegin, StepWait, StepCreate, StepCheckOut, StepCheckIn, StepPurge} {
		r, op := inStep(t, step, allAsks)
		r.core.Break()
		ask := r.next(op, Answer{OK: true, Resource: 9})
		assert.Equal(t, AskDone, ask.Kind, "step %d", step)
		assert.Equal(t, Internal, ask.Status, "step %d", step)
	}
	r := newRig(t, 1, 0)
	r.core.Break()
	for kind := KindAcquire; kind < kinds; kind++ {
		_, ask := r.begin(kind, 1)
		assert.Equal(t, AskDone, ask.Kind, "kind %d", kind)
		assert.Equal(t, Internal, ask.Status, "kind %d", kind)
	}
}

// Shows P13.
func TestAnOpThatIsNoneIsADefect(t *testing.T) {
	r := newRig(t, 1, 0)
	assert.PanicsWithValue(t, fmt.Sprintf("pool: op of kind %d", kinds), func() { r.begin(kinds, 0) })
	assert.PanicsWithValue(t, fmt.Sprintf("pool: op in step %d", steps), func() { r.next(&Op{Step: steps}, Answer{}) })
	assert.PanicsWithValue(t, "pool: op in step 255", func() { r.next(&Op{Step: 255}, Answer{}) })
}

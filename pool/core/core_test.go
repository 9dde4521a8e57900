package core

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rig is a core with its state and memory, and checks the invariants after every call.
type rig struct {
	t    *testing.T
	st   State
	mem  testMemory
	core *Core
}

const allAsks = AsksBeforeAcquire | AsksBeforeRelease | AsksDestroy

func newRig(t *testing.T, maxSize, asks uint32) *rig {
	t.Helper()
	r := &rig{t: t}
	r.st.MaxSize, r.st.Asks = maxSize, asks
	core, err := NewCore(&r.st, &r.mem)
	require.NoError(t, err)
	r.core = core
	return r
}

// begin makes an op and hears its first ask.
func (r *rig) begin(kind Kind, word uintptr) (*Op, Ask) {
	r.t.Helper()
	op := &Op{Kind: kind, Deadline: Never, Resource: word}
	return op, r.next(op, Answer{})
}

func (r *rig) next(op *Op, answer Answer) Ask {
	r.t.Helper()
	var ask Ask
	r.core.Next(op, &answer, &ask)
	if r.st.Gate&GateBroken == 0 {
		require.NoError(r.t, Check(&r.st))
	}
	return ask
}

func (r *rig) cancel(op *Op) Status {
	r.t.Helper()
	status := r.core.Cancel(op)
	require.NoError(r.t, Check(&r.st))
	return status
}

// lend makes a resource and lends it.
func (r *rig) lend(word uintptr) {
	r.t.Helper()
	op, ask := r.begin(KindAcquire, 0)
	require.Equal(r.t, AskCreate, ask.Kind)
	require.Equal(r.t, OK, r.next(op, Answer{OK: true, Resource: word}).Status)
}

// keep makes a resource idle that is lent.
func (r *rig) keep(word uintptr) {
	r.t.Helper()
	op, ask := r.begin(KindRelease, word)
	for ask.Kind != AskDone {
		ask = r.next(op, Answer{OK: true})
	}
	require.Equal(r.t, OK, ask.Status)
}

// counts are idle, active, reserved, waiting, ops.
func (r *rig) counts() [5]uint32 {
	return [5]uint32{r.st.Idle, r.st.Active, r.st.Reserved, r.st.Waiting, r.st.Ops}
}

func TestNewRefusesSizesThatMakeNoPool(t *testing.T) {
	for _, c := range []struct {
		min, max uint32
		err      error
	}{
		{0, 0, ErrSize}, {1, 0, ErrSize}, {2, 1, ErrSize}, {math.MaxUint32, 1, ErrSize},
		{0, 1, nil}, {1, 1, nil}, {math.MaxUint32, math.MaxUint32, nil},
	} {
		mem := &testMemory{}
		core, err := NewCore(&State{MinSize: c.min, MaxSize: c.max}, mem)
		assert.Equal(t, c.err, err, "min %d, max %d", c.min, c.max)
		assert.Equal(t, c.err == nil, core != nil, "min %d, max %d", c.min, c.max)
		assert.Zero(t, mem.calls, "nothing is allocated up front")
	}
}

// Shows R56.
func TestAHugeMaxCostsNothing(t *testing.T) {
	r := newRig(t, math.MaxUint32, 0)
	assert.Zero(t, r.mem.calls)
	r.lend(1)
	r.keep(1)
	assert.Less(t, r.mem.bytes, uintptr(1024))
}

func TestTheGateSaysWhatADriverMayDoByItself(t *testing.T) {
	r := newRig(t, 1, 0)
	assert.Zero(t, r.st.Gate)
	r.lend(1)
	assert.Zero(t, r.st.Gate)
	waiter, _ := r.begin(KindAcquire, 0)
	assert.Equal(t, uint32(GateWaiters), r.st.Gate)
	r.keep(1)
	assert.Equal(t, uint32(GateReserved), r.st.Gate)
	r.next(waiter, Answer{})
	assert.Zero(t, r.st.Gate)
	r.begin(KindClose, 0)
	assert.Equal(t, uint32(GateClosed), r.st.Gate)

	assert.Equal(t, uint32(GateAcquireHook), newRig(t, 1, AsksBeforeAcquire).st.Gate)
	assert.Equal(t, uint32(GateReleaseHook), newRig(t, 1, AsksBeforeRelease).st.Gate)
	assert.Zero(t, newRig(t, 1, AsksDestroy).st.Gate)
}

func TestADoneOpStaysDone(t *testing.T) {
	r := newRig(t, 1, allAsks)
	op, _ := r.begin(KindAcquire, 0)
	first := r.next(op, Answer{OK: true, Resource: 7})
	before := r.st
	for range 3 {
		assert.Equal(t, first, r.next(op, Answer{OK: true, Resource: 8}))
	}
	assert.Equal(t, before, r.st)
}

// A driver may go on with an op that it has not yet taken off the list of those to wake.
func TestAWokenOpMayGoOnFromTheReadyList(t *testing.T) {
	r := newRig(t, 1, 0)
	r.lend(1)
	granted, _ := r.begin(KindAcquire, 0)
	dismissed, _ := r.begin(KindAcquire, 0)
	r.keep(1)
	assert.Equal(t, []*Op{granted}, members(t, &r.st.Ready))
	assert.Equal(t, OK, r.next(granted, Answer{}).Status)
	assert.Equal(t, List{}, r.st.Ready)

	r.begin(KindClose, 0)
	assert.Equal(t, []*Op{dismissed}, members(t, &r.st.Ready))
	assert.Equal(t, OK, r.cancel(dismissed))
	assert.Equal(t, List{}, r.st.Ready)
}

// Once it has taken its place it must not be woken any more: it may be busy with a hook, or gone.
func TestAnOpLeavesTheReadyListWhenItTakesItsPlace(t *testing.T) {
	for _, next := range []AskKind{AskCreate, AskBeforeAcquire} {
		r := newRig(t, 1, AsksBeforeAcquire|AsksBeforeRelease)
		r.lend(1)
		granted, _ := r.begin(KindAcquire, 0)
		release, _ := r.begin(KindRelease, 1)
		r.next(release, Answer{OK: next == AskBeforeAcquire})
		assert.Equal(t, next, r.next(granted, Answer{}).Kind)
		assert.Equal(t, List{}, r.st.Ready)
	}
	r := newRig(t, 1, 0)
	r.lend(1)
	waiter, _ := r.begin(KindAcquire, 0)
	r.core.Break()
	assert.Equal(t, Internal, r.next(waiter, Answer{}).Status)
	assert.Equal(t, List{}, r.st.Ready)
}

func TestWaitersAreWokenInOrder(t *testing.T) {
	for _, how := range []string{"granted", "closed", "broken"} {
		r := newRig(t, 3, 0)
		var waiters []*Op
		for word := range uintptr(3) {
			r.lend(word)
		}
		for range 3 {
			op, ask := r.begin(KindAcquire, 0)
			assert.Equal(t, uint64(len(waiters)+1), ask.Ticket)
			waiters = append(waiters, op)
		}
		switch how {
		case "granted":
			for word := range uintptr(3) {
				r.keep(word)
			}
		case "closed":
			r.begin(KindClose, 0)
		case "broken":
			r.core.Break()
		}
		assert.Equal(t, waiters, members(t, &r.st.Ready), how)
		assert.Zero(t, r.st.Waiting, how)
	}
}

package search

import (
	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// What the C driver calls of bridge/fast.h and fast_op.h. Who is done lets go of its op, as heard does.

// cTake takes what is idle without an op.
func (b *Board) cTake(op *core.Op, f *fast) bool {
	f.way, f.resource = CTake, cfast.Take(&b.memory.state)
	return f.resource != 0 && letGo(op)
}

func (b *Board) cTakeShort(op *core.Op, f *fast) bool {
	f.way, f.resource = CTakeShort, cfast.TakeShort(&b.memory.state)
	return f.resource != 0 && letGo(op)
}

// cGive gives back without an op.
func (b *Board) cGive(op *core.Op, f *fast) bool {
	st := &b.memory.state
	owed := st.Owed.Head != nil
	if !cfast.Give(st, op.Resource) {
		return false
	}
	switch {
	case st.Ready.Head != nil:
		f.way = CGivePromised
	case owed:
		f.way = CGiveOwed
	default:
		f.way = CGive
	}
	return letGo(op)
}

func (b *Board) cGiveShort(op *core.Op, f *fast) bool {
	f.way = CGiveShort
	return cfast.GiveShort(&b.memory.state, op.Resource) && letGo(op)
}

// cTakeLease takes what is idle by lease, without an op.
func (b *Board) cTakeLease(op *core.Op, f *fast) bool {
	f.way = CTakeLease
	f.resource, f.lease = cfast.TakeLease(&b.memory.state)
	return f.lease != 0 && letGo(op)
}

func (b *Board) cTakeLeaseShort(op *core.Op, f *fast) bool {
	f.way = CTakeLeaseShort
	f.resource, f.lease = cfast.TakeLeaseShort(&b.memory.state)
	return f.lease != 0 && letGo(op)
}

// cGiveLease gives back by lease, without an op.
func (b *Board) cGiveLease(op *core.Op, f *fast) bool {
	f.way = CGiveLease
	return cfast.GiveLease(&b.memory.state, op.Lease) && letGo(op)
}

func (b *Board) cGiveLeaseShort(op *core.Op, f *fast) bool {
	f.way = CGiveLeaseShort
	return cfast.GiveLeaseShort(&b.memory.state, op.Lease) && letGo(op)
}

// cStep makes a step of an op.
func (b *Board) cStep(op *core.Op, f *fast) bool {
	was := *op
	if !cfast.Step(&b.memory.state, op, f.ok, b.account.now) {
		return false
	}
	f.way, f.kind, f.status, f.resource = wayOf(&was, op), askOf(op), op.Status, op.Resource
	if f.kind == core.AskDone && f.status == core.OK && op.Kind <= core.KindTry {
		f.lease = op.Lease
	}
	return f.kind != core.AskDone || letGo(op)
}

// askOf is what an op that stands where the fast path leaves it has its driver do.
func askOf(op *core.Op) core.AskKind {
	switch op.Step {
	case core.StepWait:
		return core.AskWait
	case core.StepCheckOut:
		return core.AskBeforeAcquire
	case core.StepCheckIn:
		return core.AskBeforeRelease
	case core.StepReportSuccess:
		return core.AskReportSuccess
	}
	return core.AskDone
}

// wayOf is the way that a step was.
func wayOf(was, op *core.Op) FastWay {
	switch {
	case op.Step == core.StepCheckOut:
		return CCheckOut
	case op.Step == core.StepCheckIn:
		return CCheckIn
	case op.Step == core.StepReportSuccess:
		return CReport
	case op.Step == core.StepWait && was.Step == core.StepBegin:
		return CJoin
	case op.Step == core.StepWait:
		return CEarly
	case op.Status == core.Empty:
		return CEmpty
	case op.Status == core.Overloaded:
		return COverloaded
	case op.Status == core.Timeout:
		return CLate
	case op.Kind == core.KindRelease:
		return CKeep
	case was.Step == core.StepCheckOut:
		return CPassed
	case was.Step == core.StepBegin:
		return CLend
	default:
		return CPromised
	}
}

// cCancel ends an op early.
func (b *Board) cCancel(op *core.Op, f *fast) bool {
	f.way, f.status = CCancel, core.Cancelled
	if op.Flags&core.FlagReserved != 0 {
		f.way = CCancelPromised
	}
	return cfast.Cancel(&b.memory.state, op) && letGo(op)
}

// letGo ends the use of an op.
func letGo(op *core.Op) bool {
	*op = core.Op{}
	return true
}

package search

import (
	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// What the C driver calls of bridge/fast.h. Who is done lets go of its op, as heard does.

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

// cStep makes a step of an op.
func (b *Board) cStep(op *core.Op, f *fast) bool {
	begins, promised := op.Step == core.StepBegin, op.Flags&core.FlagHolds != 0
	if !cfast.Step(&b.memory.state, op, b.account.now) {
		return false
	}
	f.waits, f.resource = op.Step == core.StepWait, op.Resource
	switch {
	case begins && f.waits:
		f.way = CJoin
	case begins:
		f.way = CLend
	case promised:
		f.way = CPromised
	default:
		f.way = CEarly
	}
	return op.Step != core.StepDone || letGo(op)
}

// cCancel ends an op early.
func (b *Board) cCancel(op *core.Op, f *fast) bool {
	f.way = CCancel
	return cfast.Cancel(&b.memory.state, op) && letGo(op)
}

// letGo ends the use of an op.
func letGo(op *core.Op) bool {
	*op = core.Op{}
	return true
}

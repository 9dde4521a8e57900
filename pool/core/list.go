package core

// Which list an op is in: at most one.
const (
	listNone uint8 = iota
	listWaiters
	listReady
	listWoken
	listDrains
)

// List is a queue of ops linked through themselves: joining, leaving from the middle and popping cost
// the same however long it is, and allocate nothing.
type List struct {
	Head, Tail *Op
}

func (l *List) push(op *Op, list uint8) {
	op.List = list
	op.prev, op.next = l.Tail, nil
	if l.Tail != nil {
		l.Tail.next = op
	} else {
		l.Head = op
	}
	l.Tail = op
}

// insert puts an op before another, or at the end: before nil.
func (l *List) insert(op, before *Op, list uint8) {
	if before == nil {
		l.push(op, list)
		return
	}
	op.List = list
	op.prev, op.next = before.prev, before
	if before.prev != nil {
		before.prev.next = op
	} else {
		l.Head = op
	}
	before.prev = op
}

// splice appends all of another list, which is empty then. The ops keep the name of that list.
func (l *List) splice(other *List) {
	switch {
	case other.Head == nil:
		return
	case l.Tail == nil:
		l.Head = other.Head
	default:
		l.Tail.next, other.Head.prev = other.Head, l.Tail
	}
	l.Tail = other.Tail
	*other = List{}
}

func (l *List) remove(op *Op) {
	if op.prev != nil {
		op.prev.next = op.next
	} else {
		l.Head = op.next
	}
	if op.next != nil {
		op.next.prev = op.prev
	} else {
		l.Tail = op.prev
	}
	op.prev, op.next = nil, nil
	op.List = listNone
}

// Pop takes the first out; there is one.
func (l *List) Pop() *Op {
	op := l.Head
	l.remove(op)
	return op
}

package search

import (
	"unsafe"

	"asyncpool/pool/core"
)

// What the core has of its own, from outside.

const listReady = 2 // those to be woken

func entry(st *core.State, i uint32) *core.Entry {
	return &(*[8]core.Entry)(unsafe.Pointer(st.Registry.First.Entries))[i]
}

// record is the record of an entry, in a pool that has records.
func record(st *core.State, i uint32) *core.Record {
	records := unsafe.Add(unsafe.Pointer(st.Registry.First.Entries), uintptr(st.Registry.First.Cap)*unsafe.Sizeof(core.Entry{}))
	return &(*[8]core.Record)(records)[i]
}

// queued is how many are in the queue of the idle.
func queued(st *core.State) uint32 { return st.Queue.Put - st.Queue.Taken + st.Spare }

// takeQueued takes the oldest out.
func takeQueued(st *core.State) uint32 {
	i := st.Queue.Head
	st.Queue.Head = entry(st, i).Link
	st.Queue.Put--
	return i
}

// putQueuedBack makes an entry the oldest.
func putQueuedBack(st *core.State, i uint32) {
	if queued(st) == 0 {
		st.Queue.Tail = i
	} else {
		entry(st, i).Link = st.Queue.Head
	}
	st.Queue.Head = i
	st.Queue.Put++
}

func unlink(l *core.List, op *core.Op) {
	links := linksOf(op)
	if links.prev != nil {
		linksOf(links.prev).next = links.next
	} else {
		l.Head = links.next
	}
	if links.next != nil {
		linksOf(links.next).prev = links.prev
	} else {
		l.Tail = links.prev
	}
	links.next, links.prev = nil, nil
	op.List = 0
}

func pushFront(l *core.List, op *core.Op) {
	op.List = listWaiters
	linksOf(op).next = l.Head
	if l.Head != nil {
		linksOf(l.Head).prev = op
	} else {
		l.Tail = op
	}
	l.Head = op
}

// promises are the links of an op among those who were promised something: behind its pass.
func promises(op *core.Op) *struct{ later, earlier *core.Op } {
	return (*struct{ later, earlier *core.Op })(unsafe.Add(unsafe.Pointer(op), unsafe.Offsetof(op.Pass)+8))
}

// unreserve takes back what was promised last.
func unreserve(st *core.State, op *core.Op) {
	l := &st.Owed
	if op.Flags&core.FlagBound != 0 {
		l = &st.Bound
		putQueuedBack(st, op.Entry)
	}
	if l.Tail = promises(op).earlier; l.Tail != nil {
		promises(l.Tail).later = nil
	} else {
		l.Head = nil
	}
	*promises(op) = struct{ later, earlier *core.Op }{}
	op.Flags &^= core.FlagReserved | core.FlagBound
}

// promise promises a place, and what is idle longest.
func promise(st *core.State, op *core.Op) {
	l := &st.Owed
	op.Flags |= core.FlagReserved
	if queued(st) != 0 {
		l = &st.Bound
		op.Entry = takeQueued(st)
		op.Flags |= core.FlagBound
	}
	promises(op).earlier = l.Tail
	if l.Tail != nil {
		promises(l.Tail).later = op
	} else {
		l.Head = op
	}
	l.Tail = op
}

// ungrant puts the one who was woken first back to the head of the line.
func ungrant(st *core.State) {
	op := st.Ready.Head
	if op == nil || op.Flags&core.FlagReserved == 0 {
		return
	}
	unlink(&st.Ready, op)
	pushFront(&st.Waiters, op)
	unreserve(st, op)
	op.Turn = 0
	st.Turns--
	st.Reserved--
	st.Waiting++
}

// grant promises a place to one in line; nobody else is to be woken.
func grant(st *core.State, op *core.Op) {
	unlink(&st.Waiters, op)
	st.Waiting--
	st.Reserved++
	st.Turns++
	op.Turn = st.Turns
	promise(st, op)
	op.List = listReady
	st.Ready = core.List{Head: op, Tail: op}
}

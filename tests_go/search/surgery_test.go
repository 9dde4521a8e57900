package search

import (
	"unsafe"

	"asyncpool/pool"
)

// What the core has of its own, from outside. Lists: 1 is the line, 2 are those to be woken.
const (
	listWaiters = 1
	listReady   = 2
)

func entry(st *pool.State, i uint32) *pool.Entry {
	return &(*[8]pool.Entry)(unsafe.Pointer(st.Registry.Entries))[i]
}

func ringSlot(st *pool.State, i uint32) *uint32 {
	return &(*[8]uint32)(unsafe.Pointer(st.Ring.Slots))[i&7]
}

func unlink(l *pool.List, op *pool.Op) {
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

func pushFront(l *pool.List, op *pool.Op) {
	op.List = listWaiters
	linksOf(op).next = l.Head
	if l.Head != nil {
		linksOf(l.Head).prev = op
	} else {
		l.Tail = op
	}
	l.Head = op
}

// ungrant puts the one who was woken first back to the head of the line.
func ungrant(st *pool.State) {
	op := st.Ready.Head
	if op == nil || op.Flags&pool.FlagHolds == 0 {
		return
	}
	unlink(&st.Ready, op)
	pushFront(&st.Waiters, op)
	op.Flags &^= pool.FlagHolds
	op.Turn = 0
	st.Turns--
	st.Reserved--
	st.Waiting++
}

// grant promises a place to one in line; nobody else is to be woken.
func grant(st *pool.State, op *pool.Op) {
	unlink(&st.Waiters, op)
	st.Waiting--
	st.Reserved++
	st.Turns++
	op.Turn = st.Turns
	op.Flags |= pool.FlagHolds
	op.List = listReady
	st.Ready = pool.List{Head: op, Tail: op}
}

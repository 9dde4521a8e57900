package pool

import "unsafe"

// Ring is the queue of idle resources, as registry entries, oldest first. Capacity is a power of two;
// Head and Tail count up for ever and are masked on use, so no element moves except on growth.
type Ring struct {
	Slots *uint32
	Mask  uint32 // capacity - 1, when Slots is set
	Head  uint32 // next to pop
	Tail  uint32 // next to push
}

// reserve makes room for n entries. False, and nothing changed, when there is no memory.
func (r *Ring) reserve(n uint64, mem Memory) bool {
	if r.Slots != nil && uint64(r.Mask)+1 >= n {
		return true
	}
	capacity := capacityFor(n)
	slots := (*uint32)(mem.Alloc(uintptr(capacity) * unsafe.Sizeof(*r.Slots)))
	if slots == nil {
		return false
	}
	length := r.Tail - r.Head
	for i := range length {
		*at(slots, i) = *at(r.Slots, (r.Head+i)&r.Mask)
	}
	if r.Slots != nil {
		mem.Free(unsafe.Pointer(r.Slots))
	}
	r.Slots, r.Mask = slots, uint32(capacity-1)
	r.Head, r.Tail = 0, length
	return true
}

// push appends an entry; reserve has made the room.
func (r *Ring) push(entry uint32) {
	*at(r.Slots, r.Tail&r.Mask) = entry
	r.Tail++
}

// putBack makes an entry the oldest again; reserve has made the room.
func (r *Ring) putBack(entry uint32) {
	r.Head--
	*at(r.Slots, r.Head&r.Mask) = entry
}

// len is how many there are.
func (r *Ring) len() uint32 {
	return r.Tail - r.Head
}

// pop takes the oldest entry; there is one.
func (r *Ring) pop() uint32 {
	entry := *at(r.Slots, r.Head&r.Mask)
	r.Head++
	return entry
}

package pool

import "unsafe"

// slab numbers the live resources: the core knows them as words, and words are no pointers.
type slab[T any] struct {
	byWord []*Resource[T] // nil where no resource is; word 0 is none
	free   []uintptr
}

// add gives a new resource its word.
func (s *slab[T]) add(r *Resource[T]) uintptr {
	if n := len(s.free); n > 0 {
		r.word = s.free[n-1]
		s.free = s.free[:n-1]
		s.byWord[r.word] = r
		return r.word
	}
	if len(s.byWord) == 0 {
		s.byWord = append(s.byWord, nil)
	}
	r.word = uintptr(len(s.byWord))
	s.byWord = append(s.byWord, r)
	return r.word
}

// drop forgets a destroyed resource; its word may be another's from now on.
func (s *slab[T]) drop(r *Resource[T]) {
	s.byWord[r.word] = nil
	s.free = append(s.free, r.word)
	r.word = 0
}

// at is the resource of a word, nil for 0.
func (s *slab[T]) at(word uintptr) *Resource[T] {
	if word == 0 {
		return nil
	}
	return s.byWord[word]
}

// heap is Go's memory for ring and registry.
type heap struct{}

func (heap) Alloc(size uintptr) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))
}

func (heap) Free(unsafe.Pointer) {}

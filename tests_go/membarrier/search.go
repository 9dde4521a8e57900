package membarrier

import (
	"errors"
	"fmt"
	"strings"
)

// Report is what a search has seen.
type Report struct{ States, Transitions, Ends int }

// Violation is what is wrong, and the shortest way to it.
type Violation struct {
	Err     error
	History []move
}

func (v *Violation) Error() string {
	var b strings.Builder
	for _, m := range v.History {
		fmt.Fprintf(&b, "  %s\n", m)
	}
	return fmt.Sprintf("%v\n%s", v.Err, b.String())
}

var (
	errTwo  = errors.New("two threads have one lock")
	errLost = errors.New("somebody sleeps for ever, and the locks are free")
	errLoop = errors.New("from here on the threads run in circles")
)

// searcher is a search under way.
type searcher struct {
	world *World
	seen  map[uint64]int32
	nodes []node
}

// node is a state that was visited, what led to it first, and from where one comes to it.
type node struct {
	state
	parent int
	move   move
	before []int32
}

// Search visits every state of the world, breadth first, until something is wrong.
func (w *World) Search() (Report, *Violation) {
	var first state
	for i := range first.threads {
		first.threads[i].buffer = nothing
	}
	s := searcher{world: w, seen: map[uint64]int32{}}
	s.visit(-1, move{then: first})
	var report Report
	var ends []int
	m := moves{World: w}
	for i := 0; i < len(s.nodes); i++ {
		from := s.nodes[i].state
		if err := w.exclusion(&from); err != nil {
			return report, s.violation(i, err)
		}
		m.from, m.all = from, m.all[:0]
		m.find()
		rests := true
		for _, next := range m.all {
			report.Transitions++
			rests = rests && next.luck
			s.visit(i, next)
		}
		if rests {
			if !w.stopped(&from) {
				return report, s.violation(i, errLost)
			}
			ends = append(ends, i)
		}
	}
	report.States, report.Ends = len(s.nodes), len(ends)
	if i := s.withoutEnd(ends); i >= 0 {
		return report, s.violation(i, errLoop)
	}
	return report, nil
}

// visit keeps where a move leads.
func (s *searcher) visit(from int, m move) {
	key := s.world.key(&m.then)
	to, known := s.seen[key]
	if !known {
		to = int32(len(s.nodes))
		s.seen[key] = to
		s.nodes = append(s.nodes, node{state: m.then, parent: from, move: m})
	}
	if from >= 0 && !m.luck {
		s.nodes[to].before = append(s.nodes[to].before, int32(from))
	}
}

// exclusion: a lock has one holder. Who has stored that it is free is none.
func (w *World) exclusion(s *state) error {
	var holders [2]int
	for _, t := range s.threads {
		if t.pc == mark || t.pc == held || t.pc == store {
			holders[t.lock]++
		}
	}
	if max(holders[0], holders[1]) > 1 {
		return errTwo
	}
	return nil
}

func (w *World) stopped(s *state) bool {
	for i := range w.Threads {
		if s.threads[i].pc != stopped {
			return false
		}
	}
	return true
}

// withoutEnd is a state from which no way leads to an end but by luck, or -1.
func (s *searcher) withoutEnd(ends []int) int {
	reaches := make([]bool, len(s.nodes))
	for _, i := range ends {
		reaches[i] = true
	}
	for len(ends) > 0 {
		i := ends[len(ends)-1]
		ends = ends[:len(ends)-1]
		for _, from := range s.nodes[i].before {
			if !reaches[from] {
				reaches[from] = true
				ends = append(ends, int(from))
			}
		}
	}
	for i, r := range reaches {
		if !r {
			return i
		}
	}
	return -1
}

func (s *searcher) violation(i int, err error) *Violation {
	v := &Violation{Err: err}
	for ; i > 0; i = s.nodes[i].parent {
		v.History = append([]move{s.nodes[i].move}, v.History...)
	}
	return v
}

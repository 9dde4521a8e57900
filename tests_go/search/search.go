package search

import (
	"errors"
	"fmt"
)

// searcher is a search under way.
type searcher struct {
	board  *Board
	report Report
	seen   map[Key]uint32
	nodes  []node
	onward [len(ways)][]uint32 // the next state of each node on the ways to rest: see drain.go
	path   []step              // from the first state to the one that is looked at
	moves  []Move
	fast   [5]fast // what the fast path makes of the move that is looked at,
	tried  int     // in so many ways
	served memory  // what the core makes of a hand-over
}

// node is a state that was visited: what led to it first.
type node struct {
	parent uint32
	move   Move
}

// step is a state on the path, and how it is.
type step struct {
	node uint32
	situation
}

// Search visits every state of the world. It stops at the first violation, or when there are more states
// than the limit.
func (w *World) Search(limit int) (Report, *Violation, error) {
	board, err := NewBoard(w)
	if err != nil {
		return Report{}, nil, err
	}
	s := &searcher{board: board, seen: map[Key]uint32{board.Key(): 0}}
	s.nodes = append(s.nodes, node{})
	s.reach(0)
	for i := 0; i < len(s.nodes); i++ {
		s.goTo(uint32(i))
		if m, err := s.expand(); err != nil {
			return s.report, s.violation(uint32(i), m, err), nil
		}
		if len(s.nodes) > limit {
			return s.report, nil, fmt.Errorf("%s: more than %d states", w.Name, limit)
		}
	}
	s.report.States = len(s.nodes)
	for _, next := range s.onward {
		if i := circles(next); i >= 0 {
			return s.report, s.violation(uint32(i), nil, errors.New("from here on the pool runs in circles")), nil
		}
	}
	return s.report, nil, nil
}

// goTo brings the board to a node, along the moves that led to it. Nodes that follow each other have most
// of their way in common, so the way is kept.
func (s *searcher) goTo(target uint32) {
	var way []uint32
	for n := target; ; n = s.nodes[n].parent {
		if depth := s.depthOf(n); depth >= 0 {
			s.path = s.path[:depth+1]
			break
		}
		way = append(way, n)
	}
	s.board.restore(&s.path[len(s.path)-1].situation)
	for i := len(way) - 1; i >= 0; i-- {
		if err := s.board.Do(s.nodes[way[i]].move); err != nil {
			panic(fmt.Sprintf("a move that was good is not any more: %v", err))
		}
		s.reach(way[i])
	}
	s.report.Depth = max(s.report.Depth, len(s.path)-1)
}

// reach puts the board's situation, which is that of a node, at the end of the path.
func (s *searcher) reach(n uint32) {
	s.path = append(s.path, step{node: n})
	here := &s.path[len(s.path)-1].situation
	here.memory, here.account = *s.board.memory, s.board.account
}

// depthOf is where a node is on the path, or -1. Numbers grow along it.
func (s *searcher) depthOf(n uint32) int {
	low, high := 0, len(s.path)
	for low < high {
		if middle := (low + high) / 2; s.path[middle].node < n {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(s.path) && s.path[low].node == n {
		return low
	}
	return -1
}

// expand takes every move out of the board's state. What is wrong comes with the move that shows it, if any.
func (s *searcher) expand() (*Move, error) {
	b, here := s.board, &s.path[len(s.path)-1]
	if err := b.tryNothing(); err != nil {
		return nil, err
	}
	if err := s.tryUnheard(); err != nil {
		return nil, err
	}
	if look := b.world.Look; look != nil {
		if err := look(b); err != nil {
			return nil, err
		}
		b.restore(&here.situation)
	}
	var onward [len(ways)]Move
	for way, says := range ways {
		move, more := b.onward(says)
		if !more {
			if err := b.atRest(); err != nil {
				return nil, err
			}
		}
		onward[way] = move
		s.onward[way] = append(s.onward[way], here.node) // at rest it stays so
	}
	s.moves = b.Moves(s.moves[:0])
	rests := true
	for i := range s.moves {
		m := s.moves[i]
		next, err := s.take(m)
		if err != nil {
			return &m, err
		}
		for way := range ways {
			if m == onward[way] {
				s.onward[way][here.node] = next
				rests = false
			}
		}
		b.restore(&here.situation)
	}
	if rests {
		s.report.Rests++
	}
	return nil, nil
}

// take takes one move, and keeps where it leads. Where the fast path can make it, it must come to the same.
func (s *searcher) take(m Move) (uint32, error) {
	b, here := s.board, &s.path[len(s.path)-1]
	kind := s.kindOf(m)
	s.report.Transitions++
	if err := s.tryFast(m); err != nil {
		return 0, err
	}
	if err := b.Do(m); err != nil {
		return 0, err
	}
	if err := s.compareFast(); err != nil {
		return 0, err
	}
	s.cover(kind, m)
	key := b.Key()
	next, known := s.seen[key]
	if !known {
		next = uint32(len(s.nodes))
		s.seen[key] = next
		s.nodes = append(s.nodes, node{here.node, m})
	}
	return next, nil
}

func (s *searcher) violation(n uint32, last *Move, err error) *Violation {
	v := &Violation{Err: err, world: s.board.world}
	for ; n != 0; n = s.nodes[n].parent {
		v.History = append(v.History, s.nodes[n].move)
	}
	for i, j := 0, len(v.History)-1; i < j; i, j = i+1, j-1 {
		v.History[i], v.History[j] = v.History[j], v.History[i]
	}
	if last != nil {
		v.History = append(v.History, *last)
	}
	return v
}

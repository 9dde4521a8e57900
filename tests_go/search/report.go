package search

import (
	"fmt"
	"strings"

	"asyncpool/pool/core"
)

// Report says what a search has seen.
type Report struct {
	States      int
	Transitions int
	Depth       int           // moves on the shortest way to the farthest state
	Rests       int           // states in which nobody does or holds anything
	Fast        [fastWays]int // what the fast path would have done
	Covered     Coverage
}

// Coverage counts what ops were asked and told.
type Coverage struct {
	Asks [core.KindTrim + 1][core.AskLeaked + 1]int
	Ends [core.KindTrim + 1]map[core.Status]int
}

// add puts two reports together.
func (r *Report) add(other Report) {
	r.States += other.States
	r.Transitions += other.Transitions
	r.Depth = max(r.Depth, other.Depth)
	r.Rests += other.Rests
	for way, n := range other.Fast {
		r.Fast[way] += n
	}
	for kind := range r.Covered.Asks {
		for ask, n := range other.Covered.Asks[kind] {
			r.Covered.Asks[kind][ask] += n
		}
		for status, n := range other.Covered.Ends[kind] {
			r.Covered.end(core.Kind(kind), status, n)
		}
	}
}

func (c *Coverage) end(kind core.Kind, status core.Status, n int) {
	if c.Ends[kind] == nil {
		c.Ends[kind] = map[core.Status]int{}
	}
	c.Ends[kind][status] += n
}

func (r Report) String() string {
	fast := 0
	for _, n := range r.Fast {
		fast += n
	}
	return fmt.Sprintf("%d states, %d transitions (%d ways through the fast path), %d states at rest, depth %d",
		r.States, r.Transitions, fast, r.Rests, r.Depth)
}

// String is a table: a line for each kind of op.
func (c Coverage) String() string {
	var text strings.Builder
	for kind := range c.Asks {
		fmt.Fprintf(&text, "%-8s", kindNames[kind])
		for ask := core.AskCreate; int(ask) < len(c.Asks[kind]); ask++ {
			if n := c.Asks[kind][ask]; n > 0 {
				fmt.Fprintf(&text, "  %s %d", askNames[ask], n)
			}
		}
		text.WriteString("; ends:")
		for status := core.Empty; status >= core.Internal; status-- {
			if n := c.Ends[kind][status]; n > 0 {
				fmt.Fprintf(&text, "  %s %d", statusNames[status], n)
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// kindOf is the kind of op that a move is about.
func (s *searcher) kindOf(m Move) core.Kind {
	switch {
	case m.Verb <= AcquireLate:
		return core.KindAcquire
	case m.Verb < Yes:
		return [...]core.Kind{core.KindTry, core.KindRelease, core.KindSweep, core.KindClose,
			core.KindFill, core.KindDiscard, core.KindDetach, core.KindResize,
			core.KindEvict, core.KindDrain, core.KindDrain, core.KindRelease, core.KindBehind, core.KindTrim}[m.Verb-Try]
	case m.Actor != noActor:
		return s.board.account.parties[m.Actor].kind
	}
	return 0
}

func (s *searcher) cover(kind core.Kind, m Move) {
	told := &s.board.told
	switch {
	case m.Actor == noActor || told.Status == core.Pending:
	case told.Kind == core.AskDone:
		s.report.Covered.end(kind, told.Status, 1)
	default:
		s.report.Covered.Asks[kind][told.Kind]++
	}
}

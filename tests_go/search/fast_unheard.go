package search

import (
	"fmt"

	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// A loop takes a place for an acquire at once, and hears what it is asked for at its next dispatch: the op is marked
// (core.FlagUnasked) until then, and may be cancelled before. No move of a world does that. So each acquire that
// before_acquire is asked for is marked, in each state, and the fast path of C is compared with the core from there.

var unheardCalls = []struct {
	way  FastWay
	fast func(b *Board, op *core.Op) bool
	core func(b *Board, op *core.Op)
}{
	{
		CHear,
		func(b *Board, op *core.Op) bool { return cfast.Step(&b.memory.state, op, false, b.account.now) },
		func(b *Board, op *core.Op) { b.plain.Next(op, &core.Answer{Now: b.account.now}, &core.Ask{}) },
	},
	{
		CCancelUnheard,
		func(b *Board, op *core.Op) bool { return cfast.Cancel(&b.memory.state, op) },
		func(b *Board, op *core.Op) { b.plain.Cancel(op) },
	},
}

func (s *searcher) tryUnheard() error {
	b, here := s.board, &s.path[len(s.path)-1].memory
	defer func() { *b.memory = *here }()
	for i := range b.world.actors() {
		op := &b.memory.ops[i]
		if op.Step != core.StepCheckOut || op.Flags&core.FlagUnasked != 0 {
			continue
		}
		for _, c := range unheardCalls {
			op.Flags |= core.FlagUnasked
			before := *b.memory
			done := c.fast(b, op)
			after := *b.memory
			*b.memory = before
			if done {
				c.core(b, op)
				s.report.Fast[c.way]++
			}
			if after != *b.memory {
				return fmt.Errorf("fast: %s does something else than the core: %s", fastNames[c.way],
					difference(&after, b.memory))
			}
			*b.memory = *here
		}
	}
	return nil
}

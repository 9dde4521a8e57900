package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// What the account has of a pool that keeps some idle: passes make what is missing, and one shall come as soon as fewer
// are idle than there shall be.

// ahead is how many will be idle that fills and passes are making, or checking.
func (a *account) ahead() int {
	n := 0
	for i := range a.parties {
		p := &a.parties[i]
		makes, checks := p.asked == core.AskCreate && p.word == 0, p.asked == core.AskHealthcheck && p.word != 0
		if p.busy && p.place && !p.goes && (p.kind == core.KindFill || p.kind == core.KindSweep) && (makes || checks) {
			n++
		}
	}
	return n
}

// lacks says whether fewer are idle than there shall be, and one more may be made.
func (a *account) lacks() bool {
	return !a.shut() && int(a.idle.n)+a.ahead()+max(a.makers()-int(a.line.n), 0) < int(a.world.MinIdle) && a.exist() < int(a.max) && a.free() > 0
}

// shortFor says whether the op is to make one more ahead.
func (a *account) shortFor(p *party) bool {
	return a.short() || p.kind == core.KindSweep && a.lacks()
}

// prompts judges whether a move has a pass begin, and begins it no other way: a driver would now.
func (b *Board) prompts(m Move) error {
	a, st := &b.account, &b.memory.state
	sweeper := int(m.Actor) - len(b.world.Callers)
	lacks, passes := a.lacks(), m.Actor != noActor && sweeper >= 0 && sweeper < b.world.Sweepers
	due := lacks && !a.lacked && !passes
	a.lacked = lacks
	if due != (st.Prompt != 0) {
		return fmt.Errorf("truth: a pass is to begin: the core says %t, and %d are idle of %d", !due, a.idle.n, b.world.MinIdle)
	}
	st.Prompt = 0
	return nil
}
